//! Elides the middle of long texts, because the beginning and the end of a file name both matter.

use egui::{FontId, Ui};
use unicode_segmentation::UnicodeSegmentation;

use super::super::theme::UNTINTED;

/// `text` with as much of its middle elided as needed to fit `width` points. Grapheme clusters stay whole.
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
    // Binary search for the maximum number of characters that fit; it may be none.
    let (mut fits, mut too_many) = (0, parts.len());
    while too_many - fits > 1 {
        let middle = usize::midpoint(fits, too_many);
        if measure(&shortened(middle)) <= width { fits = middle } else { too_many = middle }
    }
    shortened(fits)
}

/// A name on one line, in the direction of its script: line breaks, and characters that reverse the following text so that
/// a name seems to have another extension, are shown as spaces.
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
    fn the_middle_is_elided_and_the_ends_stay() {
        assert_eq!(by_graphemes("holiday_2024_0001.jpg", 21), "holiday_2024_0001.jpg");
        assert_eq!(by_graphemes("holiday_2024_0001.jpg", 9), "holi….jpg");
        assert_eq!(
            by_graphemes("صورة_طويلة_جدا.jpg", 9),
            "صورة….jpg",
            "by position in the name, in either text direction"
        );
    }

    #[test]
    fn grapheme_clusters_stay_whole() {
        assert_eq!(by_graphemes("👩‍👩‍👧👨‍👩‍👦abcd", 4), "👩‍👩‍👧👨‍👩‍👦…d");
        assert_eq!(by_graphemes("e\u{301}e\u{301}e\u{301}e\u{301}", 3), "e\u{301}…e\u{301}");
        assert_eq!(by_graphemes("हिन्दीहिन्दी", 3).graphemes(true).count(), 3);
    }

    #[test]
    fn a_name_cannot_fake_its_extension() {
        assert_eq!(by_graphemes("photo\u{202e}gpj.exe", 40), "photo gpj.exe");
    }

    #[test]
    fn any_text_can_be_elided_to_any_width() {
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
