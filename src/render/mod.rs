//! [`Picture`](crate::decode::Picture) + [`PlannedCrop`](crate::plan::PlannedCrop) -> [`Crop`]: one resampling straight
//! from the source's pixels to the output's.

mod error;
mod flatten;
mod resample;
mod sheet;

use std::sync::Arc;

pub use error::RenderError;
pub(crate) use flatten::{is_opaque, over_fill};
pub use resample::render_crop;
pub use sheet::render_sheet;

use crate::decode::{Metadata, Pixels};
use crate::geometry::Size;

/// A crop's pixels, ready to be written.
#[derive(Clone, Debug)]
pub struct Crop {
    /// The pixels: channels and depth are those of the picture, but colour where the fill needs it.
    pub pixels: Pixels,
    /// The ICC profile that says what the numbers mean: of RGB or of grey as the pixels are. `None` for sRGB (or its tone
    /// curve, for grey).
    pub icc_profile: Option<Arc<[u8]>>,
    /// What the photo carries beside its pixels, as it is in the photo.
    pub metadata: Arc<Metadata>,
}

impl Crop {
    /// Size in pixels.
    pub fn size(&self) -> Size {
        self.pixels.size()
    }
}
