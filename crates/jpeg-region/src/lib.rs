//! Decodes regions of JPEG files, and whole files at 1/2, 1/4 or 1/8 size, without decoding the rest.
//!
//! The entropy-coded data of a JPEG has no index: a decoder must read it from the start for every region. This crate reads
//! it once, several Huffman codes at a time, and stores the positions of the MCUs with their DC predictions. It then
//! decodes any [`Region`] from its own MCUs alone. In the same pass it reconstructs the image at 1/4 or 1/8 from the lowest
//! coefficients of each block, without an inverse DCT of all 64.
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
//! [`Jpeg`] is the entry point. [`Jpeg::decode`] returns [`Decoded`] samples, [`Jpeg::damage`] reports missing data, and
//! [`Jpeg::index`] is the [`Index`] to reuse for later decodes of the same file. [`Segments`] iterates over the marker
//! segments alone.
//!
//! # Indexed files
//!
//! Files with one Huffman-coded scan of the sequential process, grey or YCbCr with 8 bits: the output of nearly every
//! camera and phone. They are indexed only if each entropy-coded segment ends with its last MCU and padding bits, to the
//! bit. libjpeg-turbo-rs decodes everything else (progressive and arithmetic-coded files, CMYK, damaged files), with no more
//! lines than the region needs. The samples of a region equal those that libjpeg-turbo-rs returns for the whole image. An
//! image at 1/4 or 1/8 of an indexed file differs from its output, but is closer to the full-size image.
//!
//! # Damage
//!
//! T.81 has no checksums. However, the coefficients of each scan must end with its data, no scan may be missing, and DC
//! coefficients must fit 8-bit samples. This reveals most damage, in progressive files too; see [`Jpeg::damage`]. Changes of
//! a few bytes that keep the number of blocks are not detected.
//!
//! # Limits
//!
//! An image is never larger than its frame header declares, so check [`Jpeg::frame`] before decoding untrusted files. Files
//! with more than [`MAX_SCANS`] scans are rejected. A decode cannot be interrupted; its time is bounded by pixels times
//! scans.
//!
//! # Modules
//!
//! - Parsing: `segments`, `marker`, `frame`, `tables`, `structure`; the entry point is `jpeg`.
//! - Entropy-coded data: `entropy_coded`, `bits`, `huffman`; `single_scan` and `index` build the index.
//! - Decoding: `lossless_crop` (with `bit_writer`), `reduced`, `decoder` and `substream` for libjpeg-turbo-rs; `region`
//!   and `decoded` hold the input and output.
//! - Damage: `integrity` with `procedures`, and `damage`.
//!
//! Sections and tables are those of ITU-T T.81.

#![warn(missing_docs)]

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
