//! Thumbnails of crops for the HTML report.

use std::path::Path;
use std::sync::Arc;

use data_encoding::BASE64;

use outcome::Channels;
use picture::{Crop, DecodeRequest, PhotoFile, Pixels, display_copy, encode_crop};
use recipe::{Color, DecodeLimits, EncodeSpec, MetadataPolicy};

/// Longer side of a thumbnail in pixels.
const SIDE: u32 = 112;

/// A thumbnail of the crop at `path` as a `data:` URI; `None` if the file cannot be read.
pub(super) fn data_uri(path: &Path) -> Option<String> {
    let picture = PhotoFile::read(path, &DecodeLimits::default()).ok()?.decode(&DecodeRequest::LongSide(SIDE)).ok()?;
    let copy = display_copy(&picture, SIDE).ok()?;
    let pixels = Pixels::from_u8(copy.size, Channels::Rgba, copy.rgba.to_vec())?;
    let crop = Crop { pixels, icc_profile: None, metadata: Arc::default() };
    let spec = EncodeSpec { quality: 75, metadata: MetadataPolicy::Strip, ..EncodeSpec::default() };
    let bytes = encode_crop(&crop, &spec, Color::WHITE).ok()?.bytes;
    Some(format!("data:image/jpeg;base64,{}", BASE64.encode(&bytes)))
}
