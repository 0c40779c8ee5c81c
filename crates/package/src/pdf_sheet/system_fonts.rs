//! The system's fonts, for names that Helvetica lacks characters of.

use std::collections::HashMap;

use fontique::{
    Blob, Collection, CollectionOptions, FallbackKey, GenericFamily, Language, QueryFamily, QueryFont, QueryStatus,
    Script, SourceCache,
};
use harfrust::{FontRef, ShaperData, Tag};
use read_fonts::TableProvider;
use subsetter::{GlyphRemapper, subset};
use unicode_script::UnicodeScript;

/// The locales of Han fonts, each of which covers other characters. fontique takes zh-CN for its default, which is whatever
/// font it found first, so simplified Chinese is zh-SG.
const HAN_LOCALES: [&str; 4] = ["zh-SG", "zh-TW", "ja", "ko"];

/// A font of the system that may be embedded.
pub(super) struct SystemFont {
    blob: Blob<u8>,
    /// Its number in a font collection.
    index: u32,
    pub(super) family: String,
    pub(super) shaper: ShaperData,
    source: QueryFont,
}

impl SystemFont {
    pub(super) fn data(&self) -> &[u8] {
        self.blob.as_ref()
    }

    pub(super) fn index(&self) -> u32 {
        self.index
    }

    /// The font's tables; `None` if it is malformed.
    pub(super) fn tables(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(self.data(), self.index).ok()
    }

    pub(super) fn has(&self, c: char) -> bool {
        self.source.charmap().and_then(|map| map.map(c)).is_some_and(|glyph| glyph != 0)
    }
}

/// The fonts used so far, loaded when a character first needs one.
#[derive(Default)]
pub(super) struct SystemFonts {
    collection: Option<(Collection, SourceCache)>,
    fonts: Vec<SystemFont>,
    /// The font chosen for a character; `None` if no font has it.
    chosen: HashMap<char, Option<usize>>,
}

impl SystemFonts {
    pub(super) fn get(&self, font: usize) -> &SystemFont {
        &self.fonts[font]
    }

    /// The index of a font that has `c` and may be embedded.
    pub(super) fn font_for(&mut self, c: char) -> Option<usize> {
        if let Some(chosen) = self.chosen.get(&c) {
            return *chosen;
        }
        let known = self.fonts.iter().position(|font| font.has(c) && is_common(c));
        let chosen = known.or_else(|| self.find(c));
        self.chosen.insert(c, chosen);
        chosen
    }

    fn find(&mut self, c: char) -> Option<usize> {
        let (collection, cache) = self.collection.get_or_insert_with(|| {
            let options = CollectionOptions { shared: false, system_fonts: true };
            (Collection::new(options), SourceCache::default())
        });
        let found = by_script(collection, cache, c).or_else(|| by_search(collection, cache, c))?;
        let is_found = |font: &SystemFont| font.source.family == found.family && font.index == found.index;
        if let Some(known) = self.fonts.iter().position(is_found) {
            return Some(known);
        }
        let family = collection.family_name(found.family.0).unwrap_or_default().to_owned();
        let shaper = ShaperData::new(&FontRef::from_index(found.blob.as_ref(), found.index).ok()?);
        let (blob, index) = (found.blob.clone(), found.index);
        self.fonts.push(SystemFont { blob, index, family, shaper, source: found });
        Some(self.fonts.len() - 1)
    }
}

/// The font that the system prefers for the script of `c`.
fn by_script(collection: &mut Collection, cache: &mut SourceCache, c: char) -> Option<QueryFont> {
    let script = Script::parse(c.script().short_name()).ok().filter(|_| !is_common(c));
    let han = |locale: &&str| Language::parse(locale).ok();
    let locales =
        std::iter::once(None).chain(HAN_LOCALES.iter().map(han).filter(|_| c.script() == unicode_script::Script::Han));
    locales.into_iter().find_map(|locale| {
        let mut query = collection.query(cache);
        query.set_families([QueryFamily::Generic(GenericFamily::SansSerif)]);
        if let Some(script) = script {
            query.set_fallbacks(FallbackKey::new(script, locale.as_ref()));
        }
        let mut found = None;
        query.matches_with(|font| match is_usable(font, c) {
            true => {
                found = Some(font.clone());
                QueryStatus::Stop
            }
            false => QueryStatus::Continue,
        });
        found
    })
}

/// Any font with `c`: the preferred one may not be embedded or have outlines that a PDF cannot contain.
fn by_search(collection: &mut Collection, cache: &mut SourceCache, c: char) -> Option<QueryFont> {
    let mut names: Vec<String> = collection.family_names().map(str::to_owned).collect();
    names.sort_unstable();
    names.iter().find_map(|name| {
        let mut query = collection.query(cache);
        query.set_families([QueryFamily::Named(name)]);
        let mut found = None;
        query.matches_with(|font| {
            found = is_usable(font, c).then(|| font.clone());
            QueryStatus::Stop
        });
        found
    })
}

/// True if `font` has an outline for `c`, and its licence and format permit to embed it.
fn is_usable(font: &QueryFont, c: char) -> bool {
    let Some(glyph) = font.charmap().and_then(|map| map.map(c)).filter(|glyph| *glyph != 0) else { return false };
    let Ok(tables) = FontRef::from_index(font.blob.as_ref(), font.index) else { return false };
    let has = |tag: &[u8; 4]| tables.table_data(Tag::new(tag)).is_some();
    let may_be_embedded = tables.os2().map_or(true, |table| {
        let restrictions = table.fs_type();
        // Restricted licence, no subsetting, bitmaps only.
        restrictions & 0xf != 2 && restrictions & 0x300 == 0
    });
    let mut glyphs = GlyphRemapper::new();
    (has(b"glyf") || has(b"CFF "))
        && may_be_embedded
        && u16::try_from(glyph).is_ok_and(|glyph| {
            glyphs.remap(glyph);
            subset(font.blob.as_ref(), font.index, &glyphs).is_ok()
        })
}

/// True for characters that belong to no script: punctuation, digits, combining marks.
fn is_common(c: char) -> bool {
    use unicode_script::Script as Known;
    matches!(c.script(), Known::Common | Known::Inherited | Known::Unknown)
}
