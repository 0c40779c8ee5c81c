//! Text and addresses in web pages.

use std::fmt::Write;

/// A level of a path as part of a URI.
pub fn percent_encoded(level: &[u8]) -> String {
    let mut encoded = String::new();
    for &byte in level {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            encoded.push(byte.into());
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// Escapes `text` for HTML: no markup, and no characters that change the text direction.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                safe.extend(c.escape_unicode());
            }
            c if c.is_control() && c != '\n' => safe.extend(c.escape_default()),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_paths_become_parts_of_addresses() {
        assert_eq!(percent_encoded("Zoë 1.jpg".as_bytes()), "Zo%C3%AB%201.jpg");
        assert_eq!(percent_encoded(b"a/b?\xff"), "a%2Fb%3F%FF");
    }

    #[test]
    fn file_names_are_never_markup() {
        let evil = "<script>alert(1)</script>&\"'\u{202e}gpj\u{1b}[31m.jpg";
        let safe = escaped(evil);
        assert!(!safe.contains(['<', '>', '"', '\'', '\u{202e}', '\u{1b}']), "{safe}");
        assert!(safe.starts_with("&lt;script&gt;"));
    }
}
