//! How the samples of a frame are laid out, and what they mean.

use geometry::Size;

/// Where chroma has fewer samples than luma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subsampling {
    /// There is no chroma (4:0:0).
    Grey,
    /// Half as many down and across (4:2:0).
    Both,
    /// Half as many across (4:2:2).
    Across,
    /// As many (4:4:4).
    None,
}

impl Subsampling {
    /// The size of a plane of a picture of `size`; `None` where there is no such plane.
    pub(super) fn plane_size(self, plane: usize, size: Size) -> Option<Size> {
        match (plane, self) {
            (0, _) | (1 | 2, Self::None) => Some(size),
            (1 | 2, Self::Across) => Some(Size::new(size.width.div_ceil(2), size.height)),
            (1 | 2, Self::Both) => Some(Size::new(size.width.div_ceil(2), size.height.div_ceil(2))),
            _ => None,
        }
    }
}

/// What the samples mean, by the numbers of ITU-T H.273.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) struct Coding {
    pub(super) primaries: u8,
    pub(super) transfer: u8,
    pub(super) matrix: u8,
    pub(super) full_range: bool,
}
