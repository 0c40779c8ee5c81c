//! Small copies of crops.

use std::path::Path;
use std::sync::Arc;

use geometry::Size;
use outcome::Channels;
use picture::{Crop, DecodeRequest, PhotoFile, Pixels, display_copy, encode_crop};
use recipe::{Color, DecodeLimits, EncodeSpec, MetadataPolicy};

/// A small copy of a crop as a JPEG in sRGB, with white where the crop is transparent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thumbnail {
    /// The JPEG file.
    pub bytes: Vec<u8>,
    pub size: Size,
}

/// A copy of the crop at `path` with at most `side` pixels on its longer side; never enlarged. `None` if the file cannot be
/// read.
pub fn thumbnail(path: &Path, side: u32) -> Option<Thumbnail> {
    let picture = PhotoFile::read(path, &DecodeLimits::default()).ok()?.decode(&DecodeRequest::LongSide(side)).ok()?;
    let copy = display_copy(&picture, side).ok()?;
    let pixels = Pixels::from_u8(copy.size, Channels::Rgba, copy.rgba.to_vec())?;
    let crop = Crop { pixels, icc_profile: None, metadata: Arc::default() };
    let spec = EncodeSpec { quality: 80, metadata: MetadataPolicy::Strip, ..EncodeSpec::default() };
    let bytes = encode_crop(&crop, &spec, Color::WHITE).ok()?.bytes;
    Some(Thumbnail { bytes, size: copy.size })
}
