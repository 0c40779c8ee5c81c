//! Finds the photos to process: walks folders, reads path lists and watches folders. Nothing is decoded here.
//!
//! The file type is detected later, from the content. Inside folders only files with a known extension are included
//! ([`has_picture_extension`]); a file that was given explicitly is always included.
//!
//! - [`walk`] traverses files and folders and reports each photo once, as it is found, in natural order ([`natural_cmp`]:
//!   `IMG_9` before `IMG_10`).
//! - [`read_path_list`] reads a list of paths, one per line; [`parse_pasted_paths`] parses paths copied from a file manager.
//! - [`Spooled`] stores an image from standard input in a temporary file.
//! - [`FolderWatch`] polls a folder and reports new photos once they are completely written.
//! - [`complete_path`] suggests completions for a partly typed path; [`is_whole_disk`] detects the root of the system disk.
//! - [`Roots`] finds the root that a photo was found below; [`common_folder`] is one for photos without a root.

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
pub use roots::{FoundIn, Roots, common_folder};
pub use walk::{PICTURE_EXTENSIONS, WalkProblem, WalkSummary, has_picture_extension, walk};
pub use watch::{FolderWatch, WatchScope, WatchSpec};
pub use whole_disk::is_whole_disk;
