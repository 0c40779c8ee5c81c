//! Text that is too wide loses its middle: a file name's beginning and its end both tell something.

use egui::{FontId, Ui};

use super::super::theme::UNTINTED;

/// `text`, with as much of its middle as must go replaced so that it is at most `width` points wide.
pub(crate) fn elide_middle(ui: &Ui, text: &str, font: &FontId, width: f32) -> String {
    let measure =
        |text: &str| ui.ctx().fonts_mut(|fonts| fonts.layout_no_wrap(text.to_owned(), font.clone(), UNTINTED)).size().x;
    elide_with(text, width, measure)
}

fn elide_with(text: &str, width: f32, measure: impl Fn(&str) -> f32) -> String {
    // A name holds one line; anything else would break the row.
    let one_line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if measure(&one_line) <= width {
        return one_line;
    }
    let chars: Vec<char> = one_line.chars().collect();
    let shortened = |kept: usize| -> String {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        chars[..head].iter().chain(&['…']).chain(&chars[chars.len() - tail..]).collect()
    };
    // The most characters that fit; none may.
    let (mut fits, mut too_many) = (0, chars.len());
    while too_many - fits > 1 {
        let middle = usize::midpoint(fits, too_many);
        if measure(&shortened(middle)) <= width { fits = middle } else { too_many = middle }
    }
    shortened(fits)
}

#[cfg(test)]
mod tests {
    use super::elide_with;

    fn by_chars(text: &str, width: usize) -> String {
        elide_with(text, width as f32, |text| text.chars().count() as f32)
    }

    #[test]
    fn the_middle_goes_and_the_ends_stay() {
        assert_eq!(by_chars("holiday_2024_0001.jpg", 21), "holiday_2024_0001.jpg");
        assert_eq!(by_chars("holiday_2024_0001.jpg", 9), "holi….jpg");
    }

    #[test]
    fn any_text_survives_any_width() {
        for text in ["", "a", "日本の写真.jpg", "👩‍👩‍👧 und Ü.png", "line\nbreak\u{0}.jpg", &"é".repeat(500)]
        {
            for width in 0..24 {
                let short = by_chars(text, width);
                assert!(short.chars().count() <= width.max(1), "{text:?} at {width}: {short:?}");
                assert!(!short.contains('\n'));
            }
        }
    }
}
