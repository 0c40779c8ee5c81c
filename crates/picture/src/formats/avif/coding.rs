//! The layout and coding of a frame's samples.

use geometry::Size;

/// Chroma subsampling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subsampling {
    /// Monochrome (4:0:0).
    Grey,
    /// 4:2:0.
    Both,
    /// 4:2:2.
    Across,
    /// 4:4:4.
    None,
}

impl Subsampling {
    /// The size of a plane of an image of `size`; `None` if there is no such plane.
    pub(super) fn plane_size(self, plane: usize, size: Size) -> Option<Size> {
        match (plane, self) {
            (0, _) | (1 | 2, Self::None) => Some(size),
            (1 | 2, Self::Across) => Some(Size::new(size.width.div_ceil(2), size.height)),
            (1 | 2, Self::Both) => Some(Size::new(size.width.div_ceil(2), size.height.div_ceil(2))),
            _ => None,
        }
    }
}

/// The colour coding, as code points of ITU-T H.273.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) struct Coding {
    pub(super) primaries: u8,
    pub(super) transfer: u8,
    pub(super) matrix: u8,
    pub(super) full_range: bool,
}
