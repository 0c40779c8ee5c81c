//! Embeds the used glyphs of a font.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use harfrust::{FontRef, Tag};
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use read_fonts::TableProvider;
use subsetter::subset;

use super::system_fonts::SystemFont;
use super::typesetter::UsedGlyphs;

const SYSTEM: SystemInfo<'_> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Writes `font` with the glyphs in `used` as the font `id`; further objects are numbered by `next`. `number` makes its name
/// unique.
pub(super) fn embed(
    pdf: &mut Pdf,
    id: Ref,
    next: &mut dyn FnMut() -> Ref,
    (number, font): (usize, &SystemFont),
    used: &UsedGlyphs,
) {
    // The font has been subset before, when it was chosen.
    let data = subset(font.data(), font.index(), &used.remapper).unwrap_or_default();
    let outlines = FontRef::new(&data).ok().and_then(|tables| tables.table_data(Tag::new(b"CFF ")));
    let (file, is_cff) = match &outlines {
        Some(outlines) => (outlines.as_bytes(), true),
        None => (&data[..], false),
    };
    let name = name(number, &font.family);
    let name = Name(name.as_bytes());
    let [cid_font, descriptor, font_file, to_unicode] = [next(), next(), next(), next()];

    pdf.type0_font(id)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(cid_font)
        .to_unicode(to_unicode);

    let metrics = Metrics::of(font);
    let mut cid = pdf.cid_font(cid_font);
    cid.subtype(if is_cff { CidFontType::Type0 } else { CidFontType::Type2 });
    cid.base_font(name).system_info(SYSTEM).font_descriptor(descriptor).default_width(0.0);
    if !is_cff {
        cid.cid_to_gid_map_predefined(Name(b"Identity"));
    }
    cid.widths().consecutive(0, used.remapper.remapped_gids().map(|glyph| metrics.width(font, glyph)));
    cid.finish();

    let mut description = pdf.font_descriptor(descriptor);
    description.name(name).flags(FontFlags::SYMBOLIC).bbox(metrics.bbox).italic_angle(0.0);
    description.ascent(metrics.ascent).descent(metrics.descent).cap_height(metrics.ascent).stem_v(80.0);
    if is_cff {
        description.font_file3(font_file)
    } else {
        description.font_file2(font_file)
    };
    description.finish();

    let packed = compressed(file);
    let mut stream = pdf.stream(font_file, &packed);
    stream.filter(Filter::FlateDecode);
    if is_cff {
        stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
    }
    stream.finish();

    let mut texts = UnicodeCmap::new(Name(b"Custom"), SYSTEM);
    for (glyph, text) in &used.texts {
        texts.pair_with_multiple(*glyph, text.chars());
    }
    let packed = compressed(&texts.finish());
    pdf.cmap(to_unicode, &packed).name(Name(b"Custom")).system_info(SYSTEM).filter(Filter::FlateDecode);
}

/// `data` compressed for [`Filter::FlateDecode`].
pub(super) fn compressed(data: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing into memory cannot fail.
    let _ = encoder.write_all(data);
    encoder.finish().unwrap_or_default()
}

/// The name of a subset: six letters, and the family as far as it is ASCII.
fn name(number: usize, family: &str) -> String {
    let letter = |place: u32| char::from(b'A' + (number / 26_usize.pow(place) % 26) as u8);
    let family: String = family.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
    format!("{}+{}", (0..6).rev().map(letter).collect::<String>(), if family.is_empty() { "Font" } else { &family })
}

/// Measures of a font in thousandths of the font size.
struct Metrics {
    scale: f32,
    bbox: Rect,
    ascent: f32,
    descent: f32,
}

impl Metrics {
    fn of(font: &SystemFont) -> Self {
        let tables = font.tables();
        let head = tables.as_ref().and_then(|tables| tables.head().ok());
        let hhea = tables.as_ref().and_then(|tables| tables.hhea().ok());
        let scale = 1000.0 / head.as_ref().map_or(1000.0, |head| f32::from(head.units_per_em().max(1)));
        let scaled = |number: i16| f32::from(number) * scale;
        let bbox = head.map_or([0; 4], |head| [head.x_min(), head.y_min(), head.x_max(), head.y_max()]).map(scaled);
        Self {
            scale,
            bbox: Rect::new(bbox[0], bbox[1], bbox[2], bbox[3]),
            ascent: hhea.as_ref().map_or(800.0, |hhea| scaled(hhea.ascender().to_i16())),
            descent: hhea.as_ref().map_or(-200.0, |hhea| scaled(hhea.descender().to_i16())),
        }
    }

    fn width(&self, font: &SystemFont, glyph: u16) -> f32 {
        let advance = font.tables().and_then(|tables| tables.hmtx().ok()?.advance(glyph.into()));
        advance.map_or(0.0, |advance| f32::from(advance) * self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_have_unique_names() {
        assert_eq!(name(0, "Noto Sans CJK"), "AAAAAA+NotoSansCJK");
        assert_eq!(name(27, "微软雅黑"), "AAAABB+Font");
    }
}
