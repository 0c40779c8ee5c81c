//! Encoding: [`Crop`](crate::Crop) to the bytes of a file, and atomic file writes.

mod format;
mod metadata;
mod steps;
mod write;

pub use format::{Encoded, encode_crop, encode_sheet};
pub use steps::Steps;
pub use write::{Saver, create_folder, folder_of, remove_parts, sync_folder, write_new};
