//! Helvetica, which every PDF viewer has: for names in Western European languages.

use encoding_rs::WINDOWS_1252;

/// Widths of the characters from 32 on in the encoding WinAnsi, in thousandths of the font size.
#[rustfmt::skip]
const WIDTHS: [u16; 224] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, 278,
    556, 667, 222, 556, 333, 1000, 556, 556, 333, 1000, 667, 333, 1000, 500, 611, 556,
    556, 222, 222, 333, 333, 350, 556, 1000, 333, 1000, 500, 333, 944, 556, 500, 667,
    278, 333, 556, 556, 556, 556, 260, 556, 333, 737, 370, 556, 584, 333, 737, 333,
    400, 584, 333, 333, 333, 556, 537, 278, 333, 333, 365, 556, 834, 834, 834, 611,
    667, 667, 667, 667, 667, 667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,
    722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722, 722, 722, 667, 667, 611,
    556, 556, 556, 556, 556, 556, 889, 500, 556, 556, 556, 556, 278, 278, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 584, 611, 556, 556, 556, 556, 500, 556, 500,
];

/// `text` in the encoding WinAnsi; `None` if it has characters that Helvetica lacks.
pub(super) fn encoded(text: &str) -> Option<Vec<u8>> {
    let (bytes, _, has_others) = WINDOWS_1252.encode(text);
    (!has_others && !text.chars().any(char::is_control)).then(|| bytes.into_owned())
}

/// The width of encoded text at font size 1.
pub(super) fn width(text: &[u8]) -> f32 {
    let widths = text.iter().map(|byte| WIDTHS.get(usize::from(*byte).wrapping_sub(32)).copied().unwrap_or(0));
    widths.map(f32::from).sum::<f32>() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn western_european_text_is_encoded_and_other_text_is_not() {
        assert_eq!(encoded("Zoë Š€"), Some(b"Zo\xeb \x8a\x80".to_vec()));
        assert_eq!((encoded("Łukasz"), encoded("王"), encoded("a\u{81}")), (None, None, None));
        assert!((width(b"Ag .") - (667.0 + 556.0 + 278.0 + 278.0) / 1000.0).abs() < 1e-6);
    }
}
