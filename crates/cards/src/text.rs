//! Texts of codes as text on one line.

/// Maximum characters of a text.
const MAX_CHARACTERS: usize = 512;

/// `text` on one line: control characters and runs of blanks become one blank, invisible marks are removed, and characters
/// after the 512th are cut off.
pub(crate) fn cleaned(text: &str) -> String {
    let visible: String =
        text.chars().filter(|c| !is_invisible(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    let line: String = line.chars().take(MAX_CHARACTERS).collect();
    line.trim_end().to_owned()
}

/// Byte order marks, zero-width characters and marks that change the direction of text.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_line_without_invisible_characters() {
        assert_eq!(cleaned("\u{feff} Anna\r\n\tMiller \u{1d}3b\u{202e}\0"), "Anna Miller 3b");
        assert_eq!(cleaned(" \u{1}\u{200b} "), "");
        assert_eq!(cleaned("Zoë Ñuñez 山田"), "Zoë Ñuñez 山田");
    }

    #[test]
    fn a_long_text_is_cut_off() {
        assert_eq!(cleaned(&"é".repeat(2_000)).chars().count(), 512);
        assert_eq!(cleaned(&format!("{} b", "a".repeat(511))).chars().count(), 511, "no blank at the end");
    }
}
