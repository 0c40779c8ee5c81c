//! Folding of names for comparison, as case-insensitive and normalising file systems do it.

use std::ffi::OsStr;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Folds a name to lower case and Unicode normal form C: two names that are equal on some system fold to the same text.
pub fn fold(name: &OsStr) -> String {
    fold_text(&name.to_string_lossy())
}

/// [`fold`] for a name that is valid Unicode.
pub fn fold_text(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    // Character by character: `str::to_lowercase` would map sigma to two different letters.
    let lower = |c: char| c.to_lowercase().map(|c| if c == 'ς' { 'σ' } else { c });
    let small: String = match is_nfc_quick(name.chars()) {
        IsNormalized::Yes => name.chars().flat_map(lower).collect(),
        _ => name.nfc().flat_map(lower).collect(),
    };
    normalized(small)
}

/// `text` in Unicode normal form C.
pub(super) fn normalized(text: String) -> String {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes { text } else { text.nfc().collect() }
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
