//! The journal of a run: an append-only write-ahead log of JSON lines with the result of each photo.
//!
//! A file's entry is synced to disk before the file gets its final name, and a photo's entry is appended after all its
//! files are written. A run that was killed at any point can therefore be resumed: a photo with an entry is done, and a
//! file with an entry was written by the run.
//!
//! `entry` has the format of the lines, `writer` appends them, `history` reads them, and `place` names the files. `crop_log`
//! reads the crops of all runs into a folder.

mod crop_log;
mod entry;
mod history;
mod place;
mod plain_file;
mod stored_path;
mod writer;

pub(crate) use crop_log::{CropLog, LoggedCrop, LoggedPhoto};
pub use entry::{
    CropEntry, EndEntry, Entry, FileEntry, FileRole, InputStamp, PhotoEntry, RunEntry, RuntimeEntry, WritingEntry,
    digest, file_digest,
};
pub(crate) use entry::{now_ms, rest_digest};
pub use history::{History, HistoryError, is_journal, read_history};
pub(crate) use place::find_of_all_shards;
pub use place::{JournalPlace, Shard, find_all, find_latest};
pub use stored_path::StoredPath;
pub use writer::{Journal, JournalError, is_in_use};

/// The format version; raised if a field changes its meaning or is removed.
pub const FORMAT: u32 = 2;
