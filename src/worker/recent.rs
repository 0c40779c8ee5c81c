//! The pictures looked at last, so that a preview does not decode its photo again.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::decode::Picture;

/// Most bytes of pixels kept beside the latest picture.
const MAX_BYTES: usize = 512 << 20;

/// The last few pictures, the latest first; bounded by bytes.
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
    /// The picture of `path`, where it is kept and the file has not changed since.
    pub(super) fn get(&self, path: &Path) -> Option<Arc<Picture>> {
        let stamp = Stamp::of(path)?;
        self.kept.iter().find(|(kept, _)| *kept == stamp).map(|(_, picture)| Arc::clone(picture))
    }

    /// Keeps `picture`, and lets go of the oldest where there are too many bytes.
    pub(super) fn keep(&mut self, path: &Path, picture: Arc<Picture>) {
        let Some(stamp) = Stamp::of(path) else { return };
        self.kept.retain(|(kept, _)| kept.path != stamp.path);
        self.kept.push_front((stamp, picture));
        let bytes = |kept: &VecDeque<(Stamp, Arc<Picture>)>| kept.iter().map(|(_, p)| p.byte_size()).sum::<usize>();
        while self.kept.len() > 1 && bytes(&self.kept) > MAX_BYTES {
            self.kept.pop_back();
        }
        self.kept.truncate(4);
    }
}
