//! [`Crop`](crate::Crop) to the bytes of a file, and bytes to files that are whole or not there at all.

mod format;
mod metadata;
mod steps;
mod write;

pub use format::{Encoded, encode_crop, encode_sheet};
pub use steps::Steps;
pub use write::{Saver, folder_of, remove_parts, sync_folder, write_new};
