//! Image items of HEIF and AVIF in the boxes of ISO base media files (ISO/IEC 23008-12).

mod items;
mod sequence;

pub(super) use items::{Item, Items, from_tiff_header};

#[cfg(test)]
pub(super) mod tests;
