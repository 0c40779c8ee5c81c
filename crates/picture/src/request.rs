//! The region and size to decode.

use geometry::{PixelRect, Size};

/// The region and size that a caller needs. A decoder that cannot skip anything decodes everything.
#[derive(Clone, Debug, PartialEq)]
pub enum DecodeRequest {
    /// Every pixel.
    Full,
    /// The whole image, possibly reduced, with at least this many pixels on its longer side.
    LongSide(u32),
    /// These frames of the upright image, possibly reduced, each with at least the pixels of its output.
    Frames(Vec<(PixelRect, Size)>),
}

/// Margin around a frame in pixels: the support of the Lanczos-3 filter, and the chroma samples from which a decoder
/// interpolates.
const MARGIN: u32 = 16;

/// The request to a decoder, in pixels of the image as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredRequest {
    /// The minimum region; within the image.
    pub(super) region: PixelRect,
    /// The maximum reduction: 1, 2, 4 or 8. A decoder may reduce less.
    pub(super) reduction: u32,
}

impl DecodeRequest {
    /// The necessary region of an upright image of `size`, and the maximum reduction that satisfies the request: 1, 2,
    /// 4 or 8.
    pub(super) fn part_of(&self, size: Size) -> (PixelRect, u32) {
        let whole = PixelRect::new(0, 0, size.width, size.height);
        match self {
            Self::Full => (whole, 1),
            Self::LongSide(min) => (whole, reduction_for(f64::from(size.long_side()) / f64::from((*min).max(1)))),
            Self::Frames(frames) => {
                let mut reduction = 8;
                let mut part: Option<PixelRect> = None;
                for (frame, output) in frames {
                    let Some(visible) = frame.clipped_to(size) else { continue };
                    let ratio = |from: u32, to: u32| f64::from(from) / f64::from(to.max(1));
                    let across = ratio(frame.width, output.width).min(ratio(frame.height, output.height));
                    reduction = reduction.min(reduction_for(across));
                    part = Some(part.map_or(visible, |part| around(part, visible)));
                }
                let Some(part) = part else { return (whole, 8) };
                let margin = (MARGIN * reduction) as i32;
                let grown = PixelRect::new(
                    part.x - margin,
                    part.y - margin,
                    part.width + 2 * margin as u32,
                    part.height + 2 * margin as u32,
                );
                (grown.clipped_to(size).unwrap_or(whole), reduction)
            }
        }
    }
}

/// The largest of 1, 2, 4 and 8 that is at most `ratio`; 1 if `ratio` is less.
fn reduction_for(ratio: f64) -> u32 {
    [8, 4, 2].into_iter().find(|reduction| f64::from(*reduction) <= ratio).unwrap_or(1)
}

/// The bounding box of both rectangles, which are within an image.
fn around(a: PixelRect, b: PixelRect) -> PixelRect {
    let (x, y) = (a.x.min(b.x), a.y.min(b.y));
    let end = |start: i32, length: u32| start + length as i32;
    let right = end(a.x, a.width).max(end(b.x, b.width));
    let bottom = end(a.y, a.height).max(end(b.y, b.height));
    PixelRect::new(x, y, (right - x) as u32, (bottom - y) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::new(6000, 4000);

    #[test]
    fn long_side_request_limits_the_reduction() {
        for (min, reduction) in [(640, 8), (750, 8), (751, 4), (2048, 2), (3001, 1), (9000, 1), (0, 8)] {
            let (part, got) = DecodeRequest::LongSide(min).part_of(SIZE);
            assert_eq!((part, got), (PixelRect::new(0, 0, 6000, 4000), reduction), "{min}");
        }
        assert_eq!(DecodeRequest::Full.part_of(SIZE).1, 1);
    }

    #[test]
    fn frames_are_joined_and_the_most_demanding_sets_the_reduction() {
        let small = (PixelRect::new(1000, 1000, 600, 600), Size::new(500, 500));
        let large = (PixelRect::new(3000, 500, 2000, 2000), Size::new(500, 500));
        let (part, reduction) = DecodeRequest::Frames(vec![large]).part_of(SIZE);
        assert_eq!((part, reduction), (PixelRect::new(3000 - 64, 500 - 64, 2128, 2128), 4));
        let (part, reduction) = DecodeRequest::Frames(vec![small, large]).part_of(SIZE);
        assert_eq!((part, reduction), (PixelRect::new(984, 484, 4032, 2032), 1));
    }

    #[test]
    fn frames_outside_the_image_are_ignored() {
        let corner = (PixelRect::new(-500, -500, 1000, 1000), Size::new(1000, 1000));
        assert_eq!(DecodeRequest::Frames(vec![corner]).part_of(SIZE).0, PixelRect::new(0, 0, 516, 516));
        let outside = (PixelRect::new(7000, 0, 10, 10), Size::new(10, 10));
        assert_eq!(DecodeRequest::Frames(vec![outside]).part_of(SIZE), (PixelRect::new(0, 0, 6000, 4000), 8));
    }
}
