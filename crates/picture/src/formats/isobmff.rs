//! The picture items that HEIF and AVIF keep in the boxes of ISO base media files (ISO/IEC 23008-12).

mod items;
mod sequence;

pub(super) use items::{Item, Items, from_tiff_header};

#[cfg(test)]
pub(super) mod tests;
