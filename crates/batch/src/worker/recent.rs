//! The pictures looked at last, so that a preview does not decode its photo again.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use picture::{DecodeRequest, Picture};

/// Most pictures kept, however small.
const MAX_COUNT: usize = 8;

/// The last few pictures, the latest first: whole ones, reduced ones and parts; bounded by bytes.
#[derive(Default)]
pub(super) struct RecentPictures {
    kept: VecDeque<(Stamp, Arc<Picture>)>,
}

/// A file as it was when it was read.
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
    /// A picture of `path` that serves `want`, where one is kept and the file has not changed since.
    pub(super) fn get(&self, path: &Path, want: &DecodeRequest) -> Option<Arc<Picture>> {
        let stamp = Stamp::of(path)?;
        let serves = |(kept, picture): &&(Stamp, Arc<Picture>)| *kept == stamp && picture.serves(want);
        self.kept.iter().find(serves).map(|(_, picture)| Arc::clone(picture))
    }

    /// Keeps `picture`, and lets go of the oldest until all together take at most `max_bytes`; the latest always stays.
    pub(super) fn keep(&mut self, path: &Path, picture: Arc<Picture>, max_bytes: u64) {
        let Some(stamp) = Stamp::of(path) else { return };
        let place = picture.place;
        self.kept.retain(|(kept, other)| kept.path != stamp.path || (*kept == stamp && other.place != place));
        self.kept.push_front((stamp, picture));
        self.kept.truncate(MAX_COUNT);
        while self.kept.len() > 1 && self.bytes() > max_bytes {
            self.kept.pop_back();
        }
    }

    /// Lets go of the oldest until `needed` more bytes fit into `max_bytes`, or nothing is left.
    pub(super) fn reserve_memory(&mut self, needed: u64, max_bytes: u64) {
        while !self.kept.is_empty() && self.bytes().saturating_add(needed) > max_bytes {
            self.kept.pop_back();
        }
    }

    fn bytes(&self) -> u64 {
        self.kept.iter().map(|(_, picture)| picture.byte_size() as u64).sum()
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
    fn what_serves_is_found_and_the_oldest_goes_first() {
        let folder = tempfile::tempdir().expect("made");
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        std::fs::write(&a, b"a").expect("written");
        std::fs::write(&b, b"b").expect("written");
        let mut recent = RecentPictures::default();
        recent.keep(&a, picture(2), 20_000);
        assert!(
            recent.get(&a, &DecodeRequest::Full).is_none() && recent.get(&a, &DecodeRequest::LongSide(50)).is_some()
        );
        recent.keep(&a, picture(1), 20_000);
        assert!(recent.get(&a, &DecodeRequest::Full).is_some());
        recent.keep(&b, picture(1), 15_000);
        assert!(recent.get(&a, &DecodeRequest::Full).is_none(), "too many bytes");
        recent.reserve_memory(6_000, 15_000);
        assert!(recent.get(&b, &DecodeRequest::Full).is_none());
        recent.keep(&b, picture(1), 15_000);
        std::fs::write(&b, b"another").expect("written");
        assert!(recent.get(&b, &DecodeRequest::Full).is_none(), "the file has changed");
    }
}
