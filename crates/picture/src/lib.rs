//! Image input and output: decoding, pixels, colour management, metadata, resampling and encoding.
//!
//! Decoding: [`PhotoFile`] detects the format of a file by its content, checks its header against limits, and decodes the
//! requested region ([`DecodeRequest`]) to an upright [`Picture`]. All later coordinates are in pixels of the upright image.
//! `formats` has one module per format or family of formats; decoders that may crash or cannot be interrupted run in a
//! child process ([`isolated`]). `deadline` limits the time and `memory` the memory of a decode. A damaged file yields an
//! image with [`Damage`](outcome::Damage) or an error, never a panic.
//!
//! Pixels: [`Pixels`] have 8 or 16 bits per sample, in rows from top to bottom without padding. They keep the stored colour
//! space and its ICC profile; the conversion to sRGB happens late ([`to_srgb`], [`from_srgb`], in `color`). [`resize`]
//! resamples upright rectangles. [`display_copy`] makes copies for the screen.
//!
//! Metadata: [`Metadata`] holds the EXIF, XMP and IPTC blocks of a file (`metadata`, `tiff_directory`, `iso_boxes`).
//!
//! Encoding: [`encode_crop`] and [`encode_sheet`] convert a [`Crop`] to the bytes of a file, with the metadata that the
//! policy permits. A [`Saver`] writes files atomically.
//!
//! This crate has no notion of faces.

mod color;
mod crop;
mod deadline;
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
mod photo_file;
mod picture;
mod pixels;
mod request;
mod resize;
mod sheet;
mod tiff_directory;

pub use color::{from_srgb, srgb_profile, to_srgb};
pub use crop::Crop;
pub use deadline::{DecodeScope, begin_decode};
pub use display::{display_copy, display_pixels, display_png};
pub use encode::{
    Encoded, Saver, Steps, create_folder, encode_crop, encode_sheet, folder_of, remove_parts, sync_folder, write_new,
};
pub use flatten::{is_opaque, over_fill};
pub use metadata::Metadata;
use metadata::{exif_block, tags, xmp_packet};
pub use orient::upright;
pub use photo_file::{PhotoFile, decode_bytes, decode_file, embedded_thumbnail};
pub use picture::{Picture, PictureInfo, Place};
pub use pixels::{Pixels, Samples, SamplesMut};
pub use request::DecodeRequest;
pub use resize::{Filter, SourceBox, resize};
pub use sheet::render_sheet;
