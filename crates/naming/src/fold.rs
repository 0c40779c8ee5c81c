//! Folding of names for comparison, as case-insensitive and normalising file systems do it.

use std::ffi::OsStr;

use unicode_normalization::UnicodeNormalization;

/// Folds a name to lower case and Unicode normal form C: two names that are equal on some system fold to the same text.
pub fn fold(name: &OsStr) -> String {
    fold_text(&name.to_string_lossy())
}

/// [`fold`] for a name that is valid Unicode.
pub fn fold_text(name: &str) -> String {
    // Character by character: `str::to_lowercase` would map sigma to two different letters.
    let small = name.nfc().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c });
    small.collect::<String>().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_composition_of_accents_are_ignored() {
        for (one, other) in [("ZOË.jpg", "zoe\u{308}.JPG"), ("Ångström", "A\u{30a}ngstro\u{308}m"), ("ΝΙΚΟΣ", "νικος")]
        {
            assert_eq!(fold_text(one), fold_text(other), "{one}");
        }
        for (one, other) in [("zoe", "zoë"), ("a b", "a  b"), ("straße", "strasse")] {
            assert_ne!(fold_text(one), fold_text(other), "{one}");
        }
    }
}
