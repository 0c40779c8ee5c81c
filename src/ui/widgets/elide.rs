//! Text that is too wide loses its middle: a file name's beginning and its end both tell something.

use egui::{FontId, Ui};
use unicode_segmentation::UnicodeSegmentation;

use super::super::theme::UNTINTED;

/// `text`, with as much of its middle as must go replaced so that it is at most `width` points wide. What a reader takes
/// for one character stays whole.
pub(crate) fn elide_middle(ui: &Ui, text: &str, font: &FontId, width: f32) -> String {
    let measure =
        |text: &str| ui.ctx().fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font.clone(), UNTINTED)).size().x;
    elide_with(text, width, measure)
}

fn elide_with(text: &str, width: f32, measure: impl Fn(&str) -> f32) -> String {
    let one_line = one_line(text);
    if measure(&one_line) <= width {
        return one_line;
    }
    let parts: Vec<&str> = one_line.graphemes(true).collect();
    let shortened = |kept: usize| -> String {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        parts[..head].iter().chain(&["…"]).chain(&parts[parts.len() - tail..]).copied().collect()
    };
    // The most characters that fit; none may.
    let (mut fits, mut too_many) = (0, parts.len());
    while too_many - fits > 1 {
        let middle = usize::midpoint(fits, too_many);
        if measure(&shortened(middle)) <= width { fits = middle } else { too_many = middle }
    }
    shortened(fits)
}

/// A name holds one line, and runs in the direction of its script: a sign that ends the line, or turns the letters after it
/// round so that a name seems to end in another extension, is shown as a space.
fn one_line(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.chars().map(|c| if breaks(c) || turns(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_graphemes(text: &str, width: usize) -> String {
        elide_with(text, width as f32, |text| text.graphemes(true).count() as f32)
    }

    #[test]
    fn the_middle_goes_and_the_ends_stay() {
        assert_eq!(by_graphemes("holiday_2024_0001.jpg", 21), "holiday_2024_0001.jpg");
        assert_eq!(by_graphemes("holiday_2024_0001.jpg", 9), "holi….jpg");
        assert_eq!(by_graphemes("صورة_طويلة_جدا.jpg", 9), "صورة….jpg", "by place in the name, whichever way it runs");
    }

    #[test]
    fn what_is_one_character_to_a_reader_stays_whole() {
        assert_eq!(by_graphemes("👩‍👩‍👧👨‍👩‍👦abcd", 4), "👩‍👩‍👧👨‍👩‍👦…d");
        assert_eq!(by_graphemes("e\u{301}e\u{301}e\u{301}e\u{301}", 3), "e\u{301}…e\u{301}");
        assert_eq!(by_graphemes("हिन्दीहिन्दी", 3).graphemes(true).count(), 3);
    }

    #[test]
    fn a_name_cannot_pretend_to_end_otherwise() {
        assert_eq!(by_graphemes("photo\u{202e}gpj.exe", 40), "photo gpj.exe");
    }

    #[test]
    fn any_text_survives_any_width() {
        for text in ["", "a", "日本の写真.jpg", "👩‍👩‍👧 und Ü.png", "line\nbreak\u{0}.jpg", &"é".repeat(500)]
        {
            for width in 0..24 {
                let short = by_graphemes(text, width);
                assert!(short.graphemes(true).count() <= width.max(1), "{text:?} at {width}: {short:?}");
                assert!(!short.contains('\n'));
            }
        }
    }
}
