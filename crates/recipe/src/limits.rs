//! How large a picture may be, and how long reading it may take.

use serde::{Deserialize, Serialize};

/// Limits checked before any pixel is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DecodeLimits {
    /// Most pixels of a picture, from its header.
    pub max_pixels: u64,
    /// Most bytes of a file.
    pub max_file_bytes: u64,
    /// Most bytes of decoded pixels in memory: of one picture, with what its decoder takes in between where that is much
    /// more, and of all that are held at a time.
    pub memory_budget: u64,
    /// Most seconds that reading one photo may take.
    pub max_seconds: u64,
}

impl Default for DecodeLimits {
    /// 250 megapixels (medium-format backs reach 150), 1 GiB of file and 1 GiB of pixels: 250 megapixels of RGBA. A minute is
    /// many times what the largest of these take.
    fn default() -> Self {
        Self { max_pixels: 250_000_000, max_file_bytes: 1 << 30, memory_budget: 1 << 30, max_seconds: 60 }
    }
}
