//! How large a picture may be.

use serde::{Deserialize, Serialize};

/// Limits checked before any pixel is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DecodeLimits {
    /// Most pixels of a picture, from its header.
    pub max_pixels: u64,
    /// Most bytes of a file.
    pub max_file_bytes: u64,
}

impl DecodeLimits {
    /// Most bytes a decoded picture may take: four a pixel, so that deep pictures (up to eight bytes a pixel) may have fewer
    /// pixels.
    pub fn max_bytes(&self) -> u64 {
        self.max_pixels.saturating_mul(4)
    }
}

impl Default for DecodeLimits {
    /// 250 megapixels (750 MB of RGB; medium-format backs reach 150) and 1 GiB.
    fn default() -> Self {
        Self { max_pixels: 250_000_000, max_file_bytes: 1 << 30 }
    }
}
