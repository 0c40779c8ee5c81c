//! Thumbnails of crops for the HTML report.

use std::path::Path;

use data_encoding::BASE64;

use package::thumbnail;

/// Longer side of a thumbnail in pixels.
const SIDE: u32 = 112;

/// A thumbnail of the crop at `path` as a `data:` URI; `None` if the file cannot be read.
pub(super) fn data_uri(path: &Path) -> Option<String> {
    Some(format!("data:image/jpeg;base64,{}", BASE64.encode(&thumbnail(path, SIDE)?.bytes)))
}
