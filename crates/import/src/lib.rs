//! Paths in, pictures out: folders walked, links followed once, order kept. Nothing is decoded here.
//!
//! Which file *is* a picture is decided later, by its content. In folders the extension says which are worth a look;
//! a file named outright is always looked at.

mod complete;
mod list;
mod natural;
mod pasted;
mod roots;
mod walk;
mod watch;
mod whole_disk;

pub use complete::{PathCompletions, PathEntry, PathQuery, PathWant, complete_path};
pub use list::{Spooled, read_path_list};
pub use natural::natural_cmp;
pub use pasted::parse_pasted_paths;
pub use roots::{FoundIn, Roots};
pub use walk::{PICTURE_EXTENSIONS, WalkProblem, WalkSummary, has_picture_extension, walk};
pub use watch::{FolderWatch, WatchScope, WatchSpec};
pub use whole_disk::is_whole_disk;
