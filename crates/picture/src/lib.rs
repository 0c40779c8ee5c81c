//! A file to pixels and back.
//!
//! Reading: [`PhotoFile`] tells a file's format by its content, checks it against limits from the header, and decodes as much as
//! is wanted ([`DecodeRequest`]) to one upright [`Picture`]. Everything after that counts in pixels of the upright picture. Formats are one
//! file or family each in `formats`; those whose decoders may crash or cannot be interrupted are read in a process of
//! their own ([`apart`]). What a file carries beside pixels is [`Metadata`]. A file that is damaged gives a picture with
//! [`Damage`](outcome::Damage) or an error, never a panic.
//!
//! Between: pixels are [`Pixels`], 8 or 16 bits a sample, rows from top to bottom without gaps. Colour stays as it is stored, with
//! its ICC profile, and is converted late ([`to_srgb`], [`from_srgb`]). [`resize`] is the one resampling of upright
//! rectangles.
//!
//! Writing: a [`Crop`] becomes the bytes of a file with [`encode_crop`] or [`encode_sheet`], and a [`Saver`] writes bytes to a
//! file that is whole or not there at all.
//!
//! Nothing here knows what a face is.

mod color;
mod crop;
mod display;
mod encode;
mod flatten;
mod format;
mod formats;
mod iso_boxes;
pub mod isolated;
mod memory;
mod metadata;
mod orient;
mod patience;
mod photo_file;
mod picture;
mod pixels;
mod request;
mod resize;
mod sheet;
mod tiff_directory;

pub use color::{from_srgb, srgb_profile, to_srgb};
pub use crop::Crop;
pub use display::{display_copy, display_pixels, display_png};
pub use encode::{Encoded, Saver, Steps, encode_crop, encode_sheet, folder_of, remove_parts, sync_folder, write_new};
pub use flatten::{is_opaque, over_fill};
pub use metadata::Metadata;
use metadata::{exif_block, tags, xmp_packet};
pub use orient::upright;
pub use patience::{Reading, begin_reading};
pub use photo_file::{PhotoFile, decode_bytes, decode_file, embedded_thumbnail};
pub use picture::{Picture, PictureInfo, Place};
pub use pixels::{Pixels, Samples, SamplesMut};
pub use request::DecodeRequest;
pub use resize::{Filter, SourceBox, resize};
pub use sheet::render_sheet;
