//! Reads parts of JPEG files, and JPEG files at a reduced size, without decoding the rest.
//!
//! The entropy-coded data of a JPEG has no index: a decoder has to read it from the start, whatever part is wanted. This crate steps
//! through it once, several Huffman codes at a time, and keeps where the MCUs lie, with the predictions of their DC coefficients. It then
//! decodes any [`Region`] from its own MCUs alone. On the way it takes a picture at 1/4 or 1/8 from the lowest coefficients of each
//! block, without an inverse DCT of all 64.
//!
//! ```no_run
//! use jpeg_region::{Jpeg, Region, Scale};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let bytes = std::fs::read("photo.jpg")?;
//! let jpeg = Jpeg::open(&bytes)?;
//! let (width, height) = (jpeg.frame().width, jpeg.frame().height);
//! let small = jpeg.decode(Region { left: 0, top: 0, width, height }, Scale::Eighth)?;
//! let part = jpeg.decode(Region { left: 1000, top: 800, width: 500, height: 500 }, Scale::Full)?;
//! assert!(small.damage.is_none() && part.width >= 500);
//! # Ok(())
//! # }
//! ```
//!
//! # What is indexed
//!
//! Files of one Huffman-coded scan of the sequential process, grey or YCbCr of 8 bits: what nearly every camera and telephone
//! writes. They are indexed only if each entropy-coded segment ends with its last MCU and padding bits, to the bit. Everything else
//! (progressive and arithmetic-coded files, CMYK, damaged files) is decoded by libjpeg-turbo-rs, which is given no more lines than the
//! region needs. A region is sample for sample what libjpeg-turbo-rs has there in the whole picture; a picture at 1/4 or 1/8 of an
//! indexed file is not, but is nearer to the whole picture.
//!
//! # Damage
//!
//! T.81 has no checksums. But the coefficients of each scan have to end with its data, no scan may be missing, and DC coefficients have to
//! lie within what 8 bits can be. So most damage shows, in progressive files too; see [`Jpeg::damage`]. A change of a few bytes that
//! keeps the number of blocks does not.
//!
//! # Limits
//!
//! No picture is larger than its frame header says, so check [`Jpeg::frame`] before decoding a file that somebody else made. Files of more than [`MAX_SCANS`] scans are refused. A decode cannot be interrupted; its time is bounded by pixels
//! times scans.
//!
//! Sections and tables are those of ITU-T T.81.

mod bit_writer;
mod bits;
mod damage;
mod decoded;
mod decoder;
mod entropy_coded;
mod error;
mod frame;
mod huffman;
mod index;
mod integrity;
mod jpeg;
mod lossless_crop;
pub mod marker;
mod procedures;
mod reduced;
mod region;
mod segments;
mod single_scan;
mod structure;
mod substream;
mod tables;
#[cfg(test)]
mod tests;

pub use damage::{Damage, DamageCause};
pub use decoded::{Decoded, SampleFormat};
pub use error::{Error, Unsupported};
pub use frame::{Component, FrameHeader};
pub use integrity::Integrity;
pub use jpeg::{Index, Jpeg};
pub use region::{Region, Scale};
pub use segments::{Segment, Segments, TruncatedSegment};
pub use structure::MAX_SCANS;
