//! A cache of recently decoded images, so that a preview does not decode its photo again.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use picture::{DecodeRequest, Picture};

/// Maximum number of cached images, regardless of size.
const MAX_COUNT: usize = 8;

/// Recently decoded images, most recent first: full images, reduced ones and regions; limited in bytes.
#[derive(Default)]
pub(super) struct RecentPictures {
    entries: VecDeque<(Stamp, Arc<Picture>)>,
}

/// The identity of a file's content when it was read.
#[derive(Clone, PartialEq, Eq)]
struct Stamp {
    path: PathBuf,
    bytes: u64,
    changed: Option<SystemTime>,
}

impl Stamp {
    fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Self { path: path.to_owned(), bytes: metadata.len(), changed: metadata.modified().ok() })
    }
}

impl RecentPictures {
    /// A cached image of `path` that satisfies `request`, if the file has not changed since.
    pub(super) fn get(&self, path: &Path, request: &DecodeRequest) -> Option<Arc<Picture>> {
        let stamp = Stamp::of(path)?;
        let satisfies = |(kept, picture): &&(Stamp, Arc<Picture>)| *kept == stamp && picture.satisfies(request);
        self.entries.iter().find(satisfies).map(|(_, picture)| Arc::clone(picture))
    }

    /// Adds `picture` and evicts the oldest images until the total is at most `max_bytes`; the new one always stays.
    pub(super) fn insert(&mut self, path: &Path, picture: Arc<Picture>, max_bytes: u64) {
        let Some(stamp) = Stamp::of(path) else { return };
        let place = picture.place;
        self.entries.retain(|(kept, other)| kept.path != stamp.path || (*kept == stamp && other.place != place));
        self.entries.push_front((stamp, picture));
        self.entries.truncate(MAX_COUNT);
        while self.entries.len() > 1 && self.bytes() > max_bytes {
            self.entries.pop_back();
        }
    }

    /// Evicts the oldest images until `needed` more bytes fit into `max_bytes`, or the cache is empty.
    pub(super) fn evict_for(&mut self, needed: u64, max_bytes: u64) {
        while !self.entries.is_empty() && self.bytes().saturating_add(needed) > max_bytes {
            self.entries.pop_back();
        }
    }

    fn bytes(&self) -> u64 {
        self.entries.iter().map(|(_, picture)| picture.byte_size() as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use geometry::Size;
    use outcome::{Channels, PictureFormat};
    use picture::{PictureInfo, Pixels, Place};

    use super::*;

    fn picture(reduction: u32) -> Arc<Picture> {
        let size = Size::new(100 / reduction, 100 / reduction);
        let pixels = Pixels::from_u8(size, Channels::L, vec![0; size.pixels() as usize]).expect("fits");
        let info = PictureInfo::plain(Size::new(100, 100), PictureFormat::Png, pixels.layout());
        Arc::new(Picture { info, pixels, place: Place { x: 0, y: 0, reduction } })
    }

    #[test]
    fn matching_images_are_found_and_the_oldest_is_evicted_first() {
        let folder = tempfile::tempdir().expect("created");
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        std::fs::write(&a, b"a").expect("written");
        std::fs::write(&b, b"b").expect("written");
        let mut recent = RecentPictures::default();
        recent.insert(&a, picture(2), 20_000);
        assert!(
            recent.get(&a, &DecodeRequest::Full).is_none() && recent.get(&a, &DecodeRequest::LongSide(50)).is_some()
        );
        recent.insert(&a, picture(1), 20_000);
        assert!(recent.get(&a, &DecodeRequest::Full).is_some());
        recent.insert(&b, picture(1), 15_000);
        assert!(recent.get(&a, &DecodeRequest::Full).is_none(), "too many bytes");
        recent.evict_for(6_000, 15_000);
        assert!(recent.get(&b, &DecodeRequest::Full).is_none());
        recent.insert(&b, picture(1), 15_000);
        std::fs::write(&b, b"another").expect("written");
        assert!(recent.get(&b, &DecodeRequest::Full).is_none(), "the file has changed");
    }
}
