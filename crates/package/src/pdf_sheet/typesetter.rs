//! Lines of text for a PDF, in any script.

use std::collections::BTreeMap;

use harfrust::{Direction, ShapeOptions, UnicodeBuffer};
use pdf_writer::{Content, Name, Str};
use subsetter::GlyphRemapper;
use unicode_bidi::BidiInfo;
use unicode_normalization::UnicodeNormalization;

use super::helvetica;
use super::system_fonts::SystemFonts;

/// The resource name of Helvetica.
pub(super) const HELVETICA: Name<'_> = Name(b"H");

/// Stands for a character that no font has.
const REPLACEMENT: &[u8] = b"?";

/// A line of text at font size 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    pub(super) width: f32,
    pieces: Vec<Piece>,
}

/// A part of a line in one font, from left to right.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    /// Text in Helvetica, encoded.
    Plain(Vec<u8>),
    Shaped {
        font: usize,
        glyphs: Vec<Glyph>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Glyph {
    /// Its number in the embedded subset.
    id: u16,
    advance: f32,
    offset: [f32; 2],
}

/// What is used of a font.
#[derive(Default)]
pub(super) struct UsedGlyphs {
    pub(super) remapper: GlyphRemapper,
    /// The text of each glyph, by its number in the subset.
    pub(super) texts: BTreeMap<u16, String>,
}

/// Shapes text, and remembers which glyphs of which fonts were used.
#[derive(Default)]
pub(super) struct Typesetter {
    pub(super) fonts: SystemFonts,
    /// By index of the font.
    pub(super) used: BTreeMap<usize, UsedGlyphs>,
    /// True once a character was replaced that no font has.
    pub(super) has_replaced: bool,
}

/// The resource name of a system font.
pub(super) fn resource_name(font: usize) -> String {
    format!("F{font}")
}

impl Typesetter {
    /// `text` on one line.
    pub(super) fn line(&mut self, text: &str) -> Line {
        let breaks = |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
        let text: String = text.nfc().map(breaks).collect();
        if let Some(plain) = helvetica::encoded(&text) {
            return Line { width: helvetica::width(&plain), pieces: vec![Piece::Plain(plain)] };
        }
        let bidi = BidiInfo::new(&text, None);
        let mut line = Line::default();
        for paragraph in &bidi.paragraphs {
            let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
            for run in runs {
                let is_rtl = levels.get(run.start).is_some_and(unicode_bidi::Level::is_rtl);
                self.run(&text[run], is_rtl, &mut line);
            }
        }
        line
    }

    /// `text` in at most `count` lines of `width`, in the first of `sizes` in which it fits, and that size. If it fits in none,
    /// it is cut off, and `…` stands for the rest.
    pub(super) fn fitted(&mut self, text: &str, width: f32, count: usize, sizes: &[f32]) -> (Vec<Line>, f32) {
        let mut fitted = (Vec::new(), 1.0);
        for size in sizes {
            let (lines, is_whole) = self.wrapped(text, width / size, count);
            fitted = (lines, *size);
            if is_whole {
                break;
            }
        }
        fitted
    }

    /// `text` wrapped at blanks to at most `count` lines of `width` at font size 1, and true if nothing was cut off.
    fn wrapped(&mut self, text: &str, width: f32, count: usize) -> (Vec<Line>, bool) {
        let mut lines = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() && lines.len() < count {
            let whole = self.line(rest);
            if whole.width <= width {
                lines.push(whole);
                return (lines, true);
            }
            let is_last = lines.len() + 1 == count;
            let ends: Vec<usize> = rest.match_indices([' ', '\u{3000}']).map(|(at, _)| at).collect();
            let fitting = ends.into_iter().rev().find(|end| self.line(&rest[..*end]).width <= width);
            match fitting.filter(|_| !is_last) {
                Some(end) => {
                    lines.push(self.line(&rest[..end]));
                    rest = rest[end..].trim_start();
                }
                None => {
                    lines.push(self.cut(rest, width));
                    return (lines, false);
                }
            }
        }
        (lines, true)
    }

    /// The start of `text` that fits `width`, and `…`.
    fn cut(&mut self, text: &str, width: f32) -> Line {
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let fits = ends.partition_point(|end| self.line(&format!("{}…", text[..*end].trim_end())).width <= width);
        let end = ends.get(fits.saturating_sub(1)).copied().unwrap_or(0);
        self.line(&format!("{}…", text[..end].trim_end()))
    }

    /// Appends `text`, which has one direction, split into parts of one font.
    fn run(&mut self, text: &str, is_rtl: bool, line: &mut Line) {
        let mut parts: Vec<(Option<usize>, String)> = Vec::new();
        for c in text.chars() {
            let current = parts.last().and_then(|(font, _)| *font);
            let stays = |font: usize| is_ignorable(c) || self.fonts.get(font).has(c);
            let font = current.filter(|font| stays(*font)).or_else(|| self.fonts.font_for(c));
            if font.is_none() && is_ignorable(c) {
                continue;
            }
            match parts.last_mut() {
                Some((last, part)) if *last == font => part.push(c),
                _ => parts.push((font, c.to_string())),
            }
        }
        if is_rtl {
            parts.reverse();
        }
        for (font, part) in parts {
            match font {
                Some(font) => self.shape(font, &part, is_rtl, line),
                None => self.replace(&part, line),
            }
        }
    }

    /// Appends text that no system font has: in Helvetica as far as that has it.
    fn replace(&mut self, text: &str, line: &mut Line) {
        let mut character = |c: char| {
            let encoded = helvetica::encoded(c.encode_utf8(&mut [0; 4]));
            self.has_replaced |= encoded.is_none();
            encoded.unwrap_or_else(|| REPLACEMENT.to_vec())
        };
        let plain: Vec<u8> = text.chars().flat_map(&mut character).collect();
        line.width += helvetica::width(&plain);
        line.pieces.push(Piece::Plain(plain));
    }

    fn shape(&mut self, font: usize, text: &str, is_rtl: bool, line: &mut Line) {
        let source = self.fonts.get(font);
        let Some(tables) = source.tables() else { return self.replace(text, line) };
        let shaper = source.shaper.shaper(&tables).build();
        let em = shaper.units_per_em().max(1) as f32;
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.set_direction(if is_rtl { Direction::RightToLeft } else { Direction::LeftToRight });
        buffer.guess_segment_properties();
        let shaped = shaper.shape(buffer, ShapeOptions::new());
        let used = self.used.entry(font).or_default();
        let clusters: Vec<usize> = shaped.glyph_infos().iter().map(|info| info.cluster as usize).collect();
        let mut glyphs = Vec::new();
        for (at, (info, position)) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()).enumerate() {
            let id = used.remapper.remap(u16::try_from(info.glyph_id).unwrap_or(0));
            // The first glyph of a cluster stands for its text.
            let start = clusters[at];
            if at == 0 || clusters[at - 1] != start {
                let end = clusters.iter().copied().filter(|other| *other > start).min().unwrap_or(text.len());
                let of_glyph = text.get(start..end).unwrap_or_default();
                used.texts.entry(id).or_insert_with(|| of_glyph.to_owned());
            }
            let advance = position.x_advance as f32 / em;
            line.width += advance;
            glyphs.push(Glyph { id, advance, offset: [position.x_offset as f32 / em, position.y_offset as f32 / em] });
        }
        line.pieces.push(Piece::Shaped { font, glyphs });
    }
}

impl Line {
    /// Draws the line in font size `size`, beginning at `x` on the base line `y`.
    pub(super) fn draw(&self, content: &mut Content, size: f32, x: f32, y: f32) {
        let mut x = x;
        content.begin_text();
        for piece in &self.pieces {
            match piece {
                Piece::Plain(text) => {
                    content.set_font(HELVETICA, size).set_text_matrix([1.0, 0.0, 0.0, 1.0, x, y]).show(Str(text));
                    x += helvetica::width(text) * size;
                }
                Piece::Shaped { font, glyphs } => {
                    content.set_font(Name(resource_name(*font).as_bytes()), size);
                    for Glyph { id, advance, offset: [right, up] } in glyphs {
                        let place = [1.0, 0.0, 0.0, 1.0, x + right * size, y + up * size];
                        content.set_text_matrix(place).show(Str(&id.to_be_bytes()));
                        x += advance * size;
                    }
                }
            }
        }
        content.end_text();
    }
}

/// True for characters that select a form of their neighbours and are not drawn themselves.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn western_names_need_no_system_font() {
        let mut typesetter = Typesetter::default();
        let line = typesetter.line("Zoe\u{308} Müller\n\u{2028}x");
        assert_eq!(line.pieces, [Piece::Plain(b"Zo\xeb M\xfcller  x".to_vec())]);
        assert!(typesetter.used.is_empty() && !typesetter.has_replaced);
    }

    #[test]
    fn names_are_wrapped_at_blanks_then_made_smaller_and_then_cut() {
        let mut typesetter = Typesetter::default();
        let mut texts = |text: &str, count| -> Vec<String> {
            let (lines, size) = typesetter.fitted(text, 5.3, count, &[1.0, 0.5]);
            assert!(lines.iter().all(|line| line.width * size <= 5.3));
            let text = |line: &Line| match &line.pieces[..] {
                [Piece::Plain(text)] => encoding_rs::WINDOWS_1252.decode(text).0.into_owned(),
                other => panic!("{other:?}"),
            };
            std::iter::once(size.to_string()).chain(lines.iter().map(text)).collect()
        };
        assert_eq!(texts("Anna", 2), ["1", "Anna"]);
        assert_eq!(texts("Anna Maximiliane", 2), ["1", "Anna", "Maximiliane"]);
        assert_eq!(texts("Anna Lena Maximiliane Hohenstein", 2), ["0.5", "Anna Lena Maximiliane", "Hohenstein"]);
        assert_eq!(texts("Anna Lena Maximiliane Hohenstein", 1), ["0.5", "Anna Lena Maximilia…"]);
        assert_eq!(texts("Maximiliane-Hohenstein-Wittgenstein", 2), ["0.5", "Maximiliane-Hohenst…"]);
        assert_eq!(texts("  ", 2), ["1"]);
    }

    #[test]
    fn characters_that_no_font_has_are_replaced_and_noted() {
        let mut typesetter = Typesetter::default();
        // Private use: no font of a system has it.
        let line = typesetter.line("A\u{10fffd}B");
        let plain: Vec<&Piece> = line.pieces.iter().filter(|piece| matches!(piece, Piece::Plain(_))).collect();
        assert!(plain.iter().any(|piece| **piece == Piece::Plain(REPLACEMENT.to_vec())), "{line:?}");
        assert!(typesetter.has_replaced);
    }
}
