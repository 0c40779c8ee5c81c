//! GPU textures: created when first drawn, limited in bytes, freed when unused.

use std::collections::HashMap;
use std::sync::Arc;

use egui::{ColorImage, Context, TextureFilter, TextureHandle, TextureOptions};

use batch::worker::ItemId;
use geometry::Size;
use outcome::DisplayCopy;

/// Maximum bytes of textures that are kept while not on the screen.
const MAX_BYTES: usize = 64 << 20;

/// Maximum number of textures of thumbnails and small crops created per pass, so that fast scrolling stays smooth.
const NEW_AT_ONCE: usize = 12;

/// Content of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TextureKey {
    Thumbnail(ItemId),
    /// The crop of the face with this index, in the contact sheet.
    Tile(ItemId, usize),
    Canvas,
    /// The last frame of the camera.
    Camera,
    Detail,
    Preview,
    /// The small preview of the output with this index.
    SmallPreview(usize),
}

/// All textures.
pub(crate) struct Textures {
    entries: HashMap<TextureKey, Entry>,
    pass: u64,
    /// Bytes of all entries.
    bytes: usize,
    /// Textures of small images created in this pass, and whether more were requested.
    made: usize,
    wanted_more: bool,
    /// Maximum bytes of textures that are kept while not on the screen.
    max_bytes: usize,
}

impl Default for Textures {
    fn default() -> Self {
        Self { entries: HashMap::new(), pass: 0, bytes: 0, made: 0, wanted_more: false, max_bytes: MAX_BYTES }
    }
}

struct Entry {
    handle: TextureHandle,
    /// The pixels it was created from: compared by address, and kept so that the address is not reused.
    source: Arc<[u8]>,
    bytes: usize,
    last_pass: u64,
}

impl Textures {
    /// The texture of `copy`, created again if `key` last showed another copy.
    pub(crate) fn get(&mut self, ctx: &Context, key: TextureKey, copy: &DisplayCopy) -> egui::TextureId {
        let pass = self.pass;
        if let Some(entry) = self.entries.get_mut(&key).filter(|entry| Arc::ptr_eq(&entry.source, &copy.rgba)) {
            entry.last_pass = pass;
            return entry.handle.id();
        }
        let max = ctx.input(|input| input.max_texture_side);
        let image = to_image(copy, max);
        let bytes = image.pixels.len() * 4;
        self.bytes += bytes;
        let options = TextureOptions { mipmap_mode: Some(TextureFilter::Linear), ..TextureOptions::LINEAR };
        let handle = ctx.load_texture(format!("{key:?}"), image, options);
        let id = handle.id();
        let old = self.entries.insert(key, Entry { handle, source: copy.rgba.clone(), bytes, last_pass: pass });
        self.bytes -= old.map_or(0, |old| old.bytes);
        id
    }

    /// The texture of one of many small images; `None` if it must wait for the next pass.
    pub(crate) fn gradually(&mut self, ctx: &Context, key: TextureKey, copy: &DisplayCopy) -> Option<egui::TextureId> {
        let is_there = self.entries.get(&key).is_some_and(|entry| Arc::ptr_eq(&entry.source, &copy.rgba));
        if !is_there {
            if self.made >= NEW_AT_ONCE {
                self.wanted_more = true;
                return None;
            }
            self.made += 1;
        }
        Some(self.get(ctx, key, copy))
    }

    /// Frees unused textures; call this after drawing. Returns true if small images wait for the next pass.
    pub(crate) fn end_pass(&mut self) -> bool {
        let pass = self.pass;
        self.pass += 1;
        let waits = std::mem::take(&mut self.wanted_more);
        self.made = 0;
        let mut bytes = self.bytes;
        self.entries.retain(|key, entry| {
            let stays = matches!(key, TextureKey::Thumbnail(_) | TextureKey::Tile(..)) || entry.last_pass == pass;
            bytes -= if stays { 0 } else { entry.bytes };
            stays
        });
        if bytes > self.max_bytes {
            bytes = self.free_unused(bytes);
        }
        self.bytes = bytes;
        waits
    }

    /// Frees the textures unused the longest, to well below the limit, so that this does not run in every pass.
    fn free_unused(&mut self, mut bytes: usize) -> usize {
        let pass = self.pass - 1;
        let mut unused: Vec<(u64, TextureKey)> = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.last_pass != pass)
            .map(|(key, entry)| (entry.last_pass, *key))
            .collect();
        unused.sort_unstable_by_key(|(last_pass, _)| *last_pass);
        for (_, key) in unused {
            if bytes <= self.max_bytes / 4 * 3 {
                break;
            }
            bytes -= self.entries.remove(&key).map_or(0, |entry| entry.bytes);
        }
        bytes
    }
}

/// The copy as egui's type, with sides of at most `max` pixels: renderers reject larger ones.
fn to_image(copy: &DisplayCopy, max: usize) -> ColorImage {
    let step = (copy.size.long_side() as usize).div_ceil(max.max(1)).max(1);
    let Size { width, height } = copy.size;
    let (width, height) = (width as usize, height as usize);
    if step == 1 && copy.rgba.chunks_exact(4).all(|pixel| pixel[3] == u8::MAX) {
        // Without alpha nothing needs to be multiplied, which saves most of the work.
        return ColorImage::from_rgba_premultiplied([width, height], &copy.rgba);
    }
    if step == 1 {
        return ColorImage::from_rgba_unmultiplied([width, height], &copy.rgba);
    }
    let thinned: Vec<u8> = (0..height)
        .step_by(step)
        .flat_map(|y| (0..width).step_by(step).map(move |x| (y * width + x) * 4))
        .flat_map(|at| copy.rgba[at..at + 4].iter().copied())
        .collect();
    ColorImage::from_rgba_unmultiplied([width.div_ceil(step), height.div_ceil(step)], &thinned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_too_large_for_the_renderer_is_downsampled() {
        let copy = DisplayCopy { size: Size::new(5, 3), rgba: (0..60).collect() };
        let image = to_image(&copy, 2);
        assert_eq!(image.size, [2, 1]);
        assert_eq!(to_image(&copy, 5).size, [5, 3]);
    }

    #[test]
    fn stepping_through_500_photos_keeps_few_textures() {
        let ctx = Context::default();
        let mut textures = Textures { max_bytes: 40 * 64 * 4, ..Textures::default() };
        let copy = |side: u32| {
            let size = Size::new(side, side);
            DisplayCopy { size, rgba: vec![255; size.pixels() as usize * 4].into() }
        };
        let on_card = || ctx.tex_manager().read().num_allocated();
        let (mut max, mut max_bytes) = (0, 0);
        for photo in 0..500_u64 {
            // A typical pass: a few rows of the list, the photo, a detail of it, its crop.
            for row in photo..photo + 6 {
                textures.get(&ctx, TextureKey::Thumbnail(ItemId(row)), &copy(8));
            }
            for (key, side) in [(TextureKey::Canvas, 32), (TextureKey::Detail, 24), (TextureKey::Preview, 16)] {
                textures.get(&ctx, key, &copy(side));
            }
            textures.end_pass();
            max = max.max(on_card());
            max_bytes = max_bytes.max(textures.entries.values().map(|entry| entry.bytes).sum());
        }
        let on_screen = (32 * 32 + 24 * 24 + 16 * 16 + 6 * 64) * 4;
        assert!(max_bytes <= textures.max_bytes.max(on_screen), "{max_bytes} bytes");
        // egui's font atlas is one more.
        assert!(on_card() <= textures.entries.len() + 1, "removed textures are freed");
        assert!(max <= 48, "{max} textures at once");
    }

    #[test]
    fn unused_textures_are_freed() {
        let (ctx, mut textures) = (Context::default(), Textures::default());
        let copy = DisplayCopy { size: Size::new(2, 2), rgba: vec![255; 16].into() };
        let first = textures.get(&ctx, TextureKey::Canvas, &copy);
        assert_eq!(textures.get(&ctx, TextureKey::Canvas, &copy), first, "made once");
        textures.end_pass();
        assert_eq!(textures.entries.len(), 1);
        textures.end_pass();
        assert!(textures.entries.is_empty(), "not drawn in the last pass");
        assert_eq!(textures.bytes, 0);
    }

    #[test]
    fn thumbnails_of_ten_thousand_photos_stay_within_the_limit() {
        let (ctx, mut textures) = (Context::default(), Textures::default());
        let size = Size::new(160, 120);
        let pixels: Arc<[u8]> = vec![255; size.pixels() as usize * 4].into();
        let copy = || DisplayCopy { size, rgba: pixels.clone() };
        for first in (0..10_000_u64).step_by(10) {
            for item in first..first + 10 {
                assert!(textures.gradually(&ctx, TextureKey::Thumbnail(ItemId(item)), &copy()).is_some());
            }
            assert!(!textures.end_pass());
            assert!(textures.bytes <= MAX_BYTES, "{}", textures.bytes);
        }
        let total: usize = textures.entries.values().map(|entry| entry.bytes).sum();
        assert_eq!(total, textures.bytes);
        let has = |item| textures.entries.contains_key(&TextureKey::Thumbnail(ItemId(item)));
        assert!(has(9_999) && !has(0), "the oldest go first");
    }

    #[test]
    fn thumbnails_are_uploaded_over_several_passes() {
        let (ctx, mut textures) = (Context::default(), Textures::default());
        let copy = DisplayCopy { size: Size::new(2, 2), rgba: vec![255; 16].into() };
        let draw = |textures: &mut Textures| {
            (0..20)
                .filter(|item| textures.gradually(&ctx, TextureKey::Thumbnail(ItemId(*item)), &copy).is_some())
                .count()
        };
        assert_eq!(draw(&mut textures), NEW_AT_ONCE);
        assert!(textures.end_pass());
        assert_eq!(draw(&mut textures), 20);
        assert!(!textures.end_pass());
    }
}
