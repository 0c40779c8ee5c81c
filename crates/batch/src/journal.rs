//! The journal of a run: a file of JSON lines, only ever added to, that says what became of each photo.
//!
//! A file's line is on the disk before the file has its name, and a photo's line is added after its files are. So a run
//! that was killed at any moment can be taken up again: what has a photo's line is done, what has only a file's line is
//! known to be ours.

mod entry;
mod history;
mod place;
mod plain_file;
mod stored_path;
mod writer;

pub(crate) use entry::now_ms;
pub use entry::{
    CropEntry, EndEntry, Entry, FileEntry, FileRole, InputStamp, PhotoEntry, RunEntry, RuntimeEntry, WritingEntry,
    digest, file_digest,
};
pub use history::{History, HistoryError, is_journal, read_history};
pub use place::{JournalPlace, Shard, find_all, find_latest};
pub use stored_path::StoredPath;
pub use writer::{Journal, JournalError, is_in_use};

/// The version of the lines; raised where a field changes its meaning or goes away.
pub const FORMAT: u32 = 2;
