//! The thumbnail cache on disk, limited in size.

use std::path::Path;
use std::sync::Arc;

use outcome::{Channels, DisplayCopy};
use picture::{Crop, Pixels, decode_file, display_copy, encode_crop};
use recipe::{Color, DecodeLimits, EncodeSpec, MetadataPolicy, OutputFormat};

use super::photo_cache::PhotoCache;

/// Maximum size of the cache: some ten thousand thumbnails.
const MAX_BYTES: u64 = 128 << 20;

/// A folder of thumbnails, one for each photo and size.
#[derive(Clone, Debug)]
pub(super) struct ThumbnailStore(PhotoCache);

impl ThumbnailStore {
    /// The store below the cache folder `cache`.
    pub(super) fn below(cache: &Path) -> Self {
        Self(PhotoCache::new(cache.join("thumbnails"), ".thumbnail", MAX_BYTES))
    }

    /// The thumbnail of `photo` with a longer side of `side` pixels, if it exists and the photo has not changed since.
    pub(super) fn find(&self, photo: &Path, side: u32) -> Option<DisplayCopy> {
        let copy = self.0.path_for(photo, &side.to_string())?;
        let picture = decode_file(&copy, &DecodeLimits::default()).ok()?;
        display_copy(&picture, side).ok()
    }

    /// Stores the thumbnail of `photo`.
    pub(super) fn insert(&mut self, photo: &Path, side: u32, copy: &DisplayCopy) {
        let Some(path) = self.0.path_for(photo, &side.to_string()).filter(|path| !path.exists()) else { return };
        if let Some(bytes) = encode(copy) {
            self.0.write(&path, &bytes);
        }
    }
}

/// Encodes as JPEG if the thumbnail is opaque, which is smaller, else as PNG.
fn encode(copy: &DisplayCopy) -> Option<Vec<u8>> {
    let pixels = Pixels::from_u8(copy.size, Channels::Rgba, copy.rgba.to_vec())?;
    let is_opaque = copy.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255);
    let format = if is_opaque { OutputFormat::Jpeg } else { OutputFormat::Png };
    let crop = Crop { pixels, icc_profile: None, metadata: Arc::default() };
    let spec = EncodeSpec { format, quality: 85, metadata: MetadataPolicy::Strip, ..EncodeSpec::default() };
    Some(encode_crop(&crop, &spec, Color::WHITE).ok()?.bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use geometry::Size;

    use super::*;

    fn copy(alpha: u8) -> DisplayCopy {
        let size = Size::new(64, 48);
        DisplayCopy { size, rgba: [90, 120, 150, alpha].repeat(size.pixels() as usize).into() }
    }

    #[test]
    fn a_thumbnail_is_found_until_its_photo_changes() {
        let folder = tempfile::tempdir().expect("created");
        let photo = folder.path().join("photo.jpg");
        fs::write(&photo, b"one").expect("written");
        let mut store = ThumbnailStore::below(folder.path());
        assert!(store.find(&photo, 64).is_none());
        for alpha in [255, 0] {
            fs::write(&photo, vec![0; 10 + usize::from(alpha)]).expect("written");
            store.insert(&photo, 64, &copy(alpha));
            let found = store.find(&photo, 64).expect("kept");
            assert_eq!((found.size, found.rgba[3]), (Size::new(64, 48), alpha));
            assert!(store.find(&photo, 32).is_none(), "sizes are stored separately");
        }
        fs::write(&photo, b"changed").expect("written");
        assert!(store.find(&photo, 64).is_none());
    }
}
