//! When two names are one name on some system.

use std::ffi::OsStr;

use unicode_normalization::UnicodeNormalization;

/// What two names have in common that are one name on some system: letters count without regard to case, and an accent
/// is the same whether it is a part of its letter or a character of its own.
pub fn fold(name: &OsStr) -> String {
    fold_text(&name.to_string_lossy())
}

/// [`fold`] of a name that is text.
pub fn fold_text(name: &str) -> String {
    // Character by character: the whole string's small letters would know two forms of sigma.
    let small = name.nfc().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c });
    small.collect::<String>().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_the_way_an_accent_is_written_make_no_difference() {
        for (one, other) in [("ZOË.jpg", "zoe\u{308}.JPG"), ("Ångström", "A\u{30a}ngstro\u{308}m"), ("ΝΙΚΟΣ", "νικος")]
        {
            assert_eq!(fold_text(one), fold_text(other), "{one}");
        }
        for (one, other) in [("zoe", "zoë"), ("a b", "a  b"), ("straße", "strasse")] {
            assert_ne!(fold_text(one), fold_text(other), "{one}");
        }
    }
}
