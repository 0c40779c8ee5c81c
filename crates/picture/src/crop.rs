//! The pixels of a crop.

use std::sync::Arc;

use geometry::Size;

use crate::{Metadata, Pixels};

/// A crop's pixels, ready to be written.
#[derive(Clone, Debug)]
pub struct Crop {
    /// The pixels: channels and depth are those of the picture, but colour where the fill needs it, and alpha where the
    /// outline does.
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
