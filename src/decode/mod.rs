//! Source -> [`Picture`]: told apart by content, checked against limits from the header, decoded once, turned upright once.
//!
//! Detection, preview and export all share the one upright picture made here.

pub mod apart;
mod color;
mod display;
mod error;
mod format;
mod formats;
mod limits;
mod memory;
mod metadata;
mod orient;
mod patience;
mod photo_file;
mod picture;
mod pixels;
mod resize;
mod want;

pub use color::{from_srgb, srgb_profile, to_srgb};
pub use display::DisplayCopy;
pub use error::DecodeError;
pub use format::PictureFormat;
pub use limits::DecodeLimits;
pub use metadata::Metadata;
pub(crate) use metadata::{exif_block, tags, xmp_packet};
pub use orient::upright;
pub use patience::{Reading, begin_reading};
pub use photo_file::{PhotoFile, decode_bytes, decode_file, embedded_thumbnail};
pub use picture::{Damage, Picture, PictureInfo, Place};
pub use pixels::{Channels, PixelLayout, Pixels, Samples, SamplesMut};
pub use resize::{Filter, SourceBox, resize};
pub use want::Want;
