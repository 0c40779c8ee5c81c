//! Paths to a list of photos: folders walked, links followed once, order kept. Nothing is decoded here.
//!
//! Which file *is* a picture is decided later, by its content. In folders the extension says which files are worth a look
//! ([`has_picture_extension`]); a file that was named outright is always looked at.
//!
//! - [`walk`] takes files and folders and hands over each photo as it is found, folders in the order of names as people sort them
//!   ([`natural_cmp`]: `IMG_9` before `IMG_10`).
//! - [`read_path_list`] reads a list of paths, one a line; [`parse_pasted_paths`] reads what file managers put on the clipboard.
//! - [`FolderWatch`] reports photos that come into folders, once they are whole.
//! - [`complete_path`] lists what a path that is being typed may become; [`is_whole_disk`] knows a path that nobody means to walk.
//! - [`Roots`] says below which of the named folders a photo was found.

mod complete;
mod list;
mod natural;
mod pasted;
mod roots;
mod walk;
mod watch;
mod whole_disk;

pub use complete::{PathCompletions, PathEntry, PathKind, PathQuery, complete_path};
pub use list::{Spooled, read_path_list};
pub use natural::natural_cmp;
pub use pasted::parse_pasted_paths;
pub use roots::{FoundIn, Roots};
pub use walk::{PICTURE_EXTENSIONS, WalkProblem, WalkSummary, has_picture_extension, walk};
pub use watch::{FolderWatch, WatchScope, WatchSpec};
pub use whole_disk::is_whole_disk;
