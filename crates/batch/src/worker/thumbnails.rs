//! The thumbnail cache on disk, limited in size.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use outcome::{Channels, DisplayCopy};
use picture::{Crop, Pixels, decode_file, display_copy, encode_crop, write_new};
use recipe::{Color, DecodeLimits, EncodeSpec, MetadataPolicy, OutputFormat};

/// Maximum size of the cache: some ten thousand thumbnails.
const MAX_BYTES: u64 = 128 << 20;

/// Extension of every thumbnail, so that no other file in the folder is ever removed.
const SUFFIX: &str = ".thumbnail";

/// A folder of thumbnails, each named by a hash of its photo's path, length and modification time.
#[derive(Clone, Debug)]
pub(super) struct ThumbnailStore {
    folder: PathBuf,
    /// Bytes that may be added before the folder is scanned again.
    free_bytes: u64,
    max_bytes: u64,
}

impl ThumbnailStore {
    /// The store below the cache folder `cache`.
    pub(super) fn below(cache: &Path) -> Self {
        Self { folder: cache.join("thumbnails"), free_bytes: 0, max_bytes: MAX_BYTES }
    }

    /// The thumbnail of `photo` with a longer side of `side` pixels, if it exists and the photo has not changed since.
    pub(super) fn find(&self, photo: &Path, side: u32) -> Option<DisplayCopy> {
        let copy = self.path_for(photo, side)?;
        let picture = decode_file(&copy, &DecodeLimits::default()).ok()?;
        display_copy(&picture, side).ok()
    }

    /// Stores the thumbnail of `photo`. A failure is only logged, since the thumbnail can be made again.
    pub(super) fn insert(&mut self, photo: &Path, side: u32, copy: &DisplayCopy) {
        let Some(path) = self.path_for(photo, side).filter(|path| !path.exists()) else { return };
        let Some(bytes) = encode(copy) else { return };
        let length = bytes.len() as u64;
        if self.free_bytes < length {
            self.free_bytes = self.prune();
        }
        if let Err(error) = write_new(&bytes, &path, true) {
            tracing::debug!(%error, "a thumbnail was not cached");
        }
        self.free_bytes = self.free_bytes.saturating_sub(length);
    }

    /// The file of a photo's thumbnail; `None` if the photo's metadata cannot be read.
    fn path_for(&self, photo: &Path, side: u32) -> Option<PathBuf> {
        let metadata = fs::metadata(photo).ok()?;
        let path = std::path::absolute(photo).ok()?;
        let changed = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let mut digest = Sha256::new();
        digest.update(path.as_os_str().as_encoded_bytes());
        let stamp = format!("\0{} {} {side}", metadata.len(), changed.unwrap_or_default().as_nanos());
        digest.update(stamp.as_bytes());
        let name = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        Some(self.folder.join(name + SUFFIX))
    }

    /// Removes the oldest thumbnails if the cache is nearly full; returns the bytes that may be added.
    fn prune(&self) -> u64 {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut copies: Vec<(SystemTime, u64, PathBuf)> = entries
            .filter(|entry| entry.file_name().to_string_lossy().ends_with(SUFFIX))
            .filter_map(|entry| {
                let metadata = entry.metadata().ok()?;
                Some((metadata.modified().unwrap_or(UNIX_EPOCH), metadata.len(), entry.path()))
            })
            .collect();
        copies.sort_unstable();
        let mut bytes: u64 = copies.iter().map(|(_, length, _)| length).sum();
        if bytes > self.max_bytes * 9 / 10 {
            for (_, length, path) in copies {
                if bytes <= self.max_bytes / 2 {
                    break;
                }
                if fs::remove_file(path).is_ok() {
                    bytes -= length;
                }
            }
        }
        self.max_bytes.saturating_sub(bytes)
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

    #[test]
    fn the_cache_stays_within_its_limit_and_other_files_are_kept() {
        let folder = tempfile::tempdir().expect("created");
        let mut store = ThumbnailStore { max_bytes: 6_000, ..ThumbnailStore::below(folder.path()) };
        let other = store.folder.join("the user's file");
        fs::create_dir_all(&store.folder).expect("created");
        fs::write(&other, vec![0; 9_000]).expect("written");
        for number in 0..40 {
            let photo = folder.path().join(format!("{number}.jpg"));
            fs::write(&photo, b"photo").expect("written");
            store.insert(&photo, 64, &copy(255));
        }
        let copies = fs::read_dir(&store.folder).expect("exists").flatten().filter(|entry| entry.path() != other);
        let lengths: Vec<u64> = copies.map(|entry| entry.metadata().expect("exists").len()).collect();
        assert!(!lengths.is_empty() && lengths.iter().sum::<u64>() <= 6_000, "{lengths:?}");
        assert!(other.exists());
        assert!(store.find(&folder.path().join("39.jpg"), 64).is_some(), "the newest is kept");
    }
}
