//! Small copies of photos kept on the disk from one start to the next; bounded in bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use outcome::{Channels, DisplayCopy};
use picture::{Crop, Pixels, decode_file, display_copy, encode_crop, write_new};
use recipe::{Color, DecodeLimits, EncodeSpec, MetadataPolicy, OutputFormat};

/// Most bytes of the folder: some ten thousand copies.
const MAX_BYTES: u64 = 128 << 20;

/// Ends the name of every copy, so that nothing else in the folder is ever removed.
const SUFFIX: &str = ".thumbnail";

/// A folder of copies, each named by its photo's path, length and time of change.
#[derive(Clone, Debug)]
pub(super) struct ThumbnailStore {
    folder: PathBuf,
    /// Bytes that may be added before the folder is looked through again.
    room: u64,
    max_bytes: u64,
}

impl ThumbnailStore {
    /// The copies below `cache`, the folder of things that can be made again.
    pub(super) fn below(cache: &Path) -> Self {
        Self { folder: cache.join("thumbnails"), room: 0, max_bytes: MAX_BYTES }
    }

    /// The copy of `photo` with a longer side of `side` pixels, where there is one and the photo has not changed since.
    pub(super) fn find(&self, photo: &Path, side: u32) -> Option<DisplayCopy> {
        let copy = self.place(photo, side)?;
        let picture = decode_file(&copy, &DecodeLimits::default()).ok()?;
        display_copy(&picture, side).ok()
    }

    /// Keeps the copy of `photo`. A copy that cannot be kept is made again next time, so nobody is told.
    pub(super) fn keep(&mut self, photo: &Path, side: u32, copy: &DisplayCopy) {
        let Some(place) = self.place(photo, side).filter(|place| !place.exists()) else { return };
        let Some(bytes) = encode(copy) else { return };
        let length = bytes.len() as u64;
        if self.room < length {
            self.room = self.reserve_memory();
        }
        if let Err(error) = write_new(&bytes, &place, true) {
            tracing::debug!(%error, "a thumbnail was not kept");
        }
        self.room = self.room.saturating_sub(length);
    }

    /// The file of a photo's copy; `None` where the photo cannot be looked at.
    fn place(&self, photo: &Path, side: u32) -> Option<PathBuf> {
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

    /// Removes the oldest copies where they are too many bytes; gives back how many may be added.
    fn reserve_memory(&self) -> u64 {
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

/// JPEG where the copy is opaque, which is smaller; else PNG.
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
    fn a_copy_is_found_until_its_photo_changes() {
        let folder = tempfile::tempdir().expect("made");
        let photo = folder.path().join("photo.jpg");
        fs::write(&photo, b"one").expect("written");
        let mut store = ThumbnailStore::below(folder.path());
        assert!(store.find(&photo, 64).is_none());
        for alpha in [255, 0] {
            fs::write(&photo, vec![0; 10 + usize::from(alpha)]).expect("written");
            store.keep(&photo, 64, &copy(alpha));
            let found = store.find(&photo, 64).expect("kept");
            assert_eq!((found.size, found.rgba[3]), (Size::new(64, 48), alpha));
            assert!(store.find(&photo, 32).is_none(), "another size is another copy");
        }
        fs::write(&photo, b"changed").expect("written");
        assert!(store.find(&photo, 64).is_none());
    }

    #[test]
    fn the_folder_stays_within_its_bytes_and_nothing_else_is_removed() {
        let folder = tempfile::tempdir().expect("made");
        let mut store = ThumbnailStore { max_bytes: 6_000, ..ThumbnailStore::below(folder.path()) };
        let other = store.folder.join("a person's own");
        fs::create_dir_all(&store.folder).expect("made");
        fs::write(&other, vec![0; 9_000]).expect("written");
        for number in 0..40 {
            let photo = folder.path().join(format!("{number}.jpg"));
            fs::write(&photo, b"photo").expect("written");
            store.keep(&photo, 64, &copy(255));
        }
        let copies = fs::read_dir(&store.folder).expect("there").flatten().filter(|entry| entry.path() != other);
        let lengths: Vec<u64> = copies.map(|entry| entry.metadata().expect("there").len()).collect();
        assert!(!lengths.is_empty() && lengths.iter().sum::<u64>() <= 6_000, "{lengths:?}");
        assert!(other.exists());
        assert!(store.find(&folder.path().join("39.jpg"), 64).is_some(), "the newest is there");
    }
}
