//! Limits on the size of a photo and the time for reading it.

use serde::{Deserialize, Serialize};

/// Limits that are checked before any pixel is allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DecodeLimits {
    /// Maximum pixels of an image, from its header.
    pub max_pixels: u64,
    /// Maximum bytes of a file.
    pub max_file_bytes: u64,
    /// Maximum bytes of decoded pixels in memory: of one image, including its decoder's buffers if they are much
    /// larger, and of all images held at the same time.
    pub memory_budget: u64,
    /// Maximum seconds for reading one photo.
    pub max_seconds: u64,
}

impl Default for DecodeLimits {
    /// 250 megapixels (medium-format backs reach 150), 1 GiB of file and 1 GiB of pixels: 250 megapixels of RGBA. A
    /// minute is many times as long as the largest of these take.
    fn default() -> Self {
        Self { max_pixels: 250_000_000, max_file_bytes: 1 << 30, memory_budget: 1 << 30, max_seconds: 60 }
    }
}
