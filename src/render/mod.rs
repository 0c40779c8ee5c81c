//! [`Picture`](crate::decode::Picture) + [`PlannedCrop`](crate::plan::PlannedCrop) -> [`Crop`]: one resampling straight
//! from the source's pixels to the output's.

mod error;
mod resample;

use std::sync::Arc;

pub use error::RenderError;
pub use resample::render_crop;

use crate::decode::PixelLayout;
use crate::geometry::Size;

/// A crop's pixels, ready to be written.
#[derive(Clone, Debug)]
pub struct Crop {
    /// Size in pixels.
    pub size: Size,
    /// What one pixel is made of; alpha is there only where the picture has it.
    pub layout: PixelLayout,
    /// Rows from top to bottom without gaps: width x height x channels bytes.
    pub pixels: Vec<u8>,
    /// The ICC profile that says what the numbers mean; `None` for sRGB.
    pub icc_profile: Option<Arc<[u8]>>,
}
