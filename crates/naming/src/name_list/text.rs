//! Detects the encoding of a text file and decodes it.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// Decodes UTF-8 or UTF-16, detected by byte order mark or by content, and else Windows-1252, a superset of Latin-1. Never
/// fails: invalid sequences become replacement characters.
pub(super) fn decode(bytes: &[u8]) -> String {
    if let Some((encoding, bom_length)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[bom_length..]).0.into_owned();
    }
    if let Some(encoding) = utf16_without_bom(bytes) {
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// Detects UTF-16 without a byte order mark: separators, digits and most letters have a zero byte, always on the same side.
/// Text in other encodings has none.
fn utf16_without_bom(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(4096) & !1];
    let zeros = |side: usize| start.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
    let (first, second) = (zeros(0), zeros(1));
    let is_much = |count: usize| count * 8 > start.len();
    match (is_much(first), is_much(second)) {
        (false, true) if first == 0 => Some(UTF_16LE),
        (true, false) if second == 0 => Some(UTF_16BE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_common_encoding_gives_the_same_text() {
        let text = "file;name\r\nIMG_1.jpg;Zoë Müller\r\n";
        let utf16 = |big: bool| -> Vec<u8> {
            text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
        };
        let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
        let marked = |mark: &[u8], bytes: Vec<u8>| [mark, &bytes].concat();
        for (what, bytes) in [
            ("UTF-8", text.as_bytes().to_vec()),
            ("UTF-8 with a mark", marked(b"\xef\xbb\xbf", text.as_bytes().to_vec())),
            ("UTF-16, low byte first", utf16(false)),
            ("UTF-16, high byte first", utf16(true)),
            ("UTF-16 with a mark", marked(b"\xff\xfe", utf16(false))),
            ("UTF-16 with the other mark", marked(b"\xfe\xff", utf16(true))),
            ("Latin-1", latin),
        ] {
            assert_eq!(decode(&bytes), text, "{what}");
        }
        assert_eq!(decode(b"\x80 5"), "€ 5", "Windows-1252");
        assert_eq!(decode(b""), "");
        assert_eq!(decode(b"\xff\xfea"), "\u{fffd}");
    }
}
