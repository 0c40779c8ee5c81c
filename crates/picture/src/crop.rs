//! The pixels of a crop.

use std::sync::Arc;

use geometry::Size;

use crate::{Metadata, Pixels};

/// A crop ready for encoding.
#[derive(Clone, Debug)]
pub struct Crop {
    /// Channels and depth are those of the image, with colour added if the fill or the background requires it, and
    /// alpha if the outline or the background does.
    pub pixels: Pixels,
    /// The ICC profile of the pixels: RGB or grey, like the pixels. `None` for sRGB (or its tone curve, for grey).
    pub icc_profile: Option<Arc<[u8]>>,
    /// The metadata of the photo, unchanged.
    pub metadata: Arc<Metadata>,
}

impl Crop {
    /// Size in pixels.
    pub fn size(&self) -> Size {
        self.pixels.size()
    }
}
