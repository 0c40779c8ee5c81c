//! Source -> [`Picture`]: told apart by content, checked against limits from the header, decoded once, turned upright once.
//!
//! Detection, preview and export all share the one upright picture made here.

mod display;
mod error;
mod jpeg_end;
mod limits;
mod picture;
mod read;
mod resize;

pub use display::DisplayCopy;
pub use error::DecodeError;
pub use limits::DecodeLimits;
pub use picture::{Picture, PictureFormat, PictureInfo, PixelLayout};
pub use read::{decode_bytes, decode_file, read_file};
pub use resize::{Filter, SourceBox, resize};
