//! Uncompressed frames: conversion to RGB.

use geometry::Size;

/// Layout of an uncompressed frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Pairs of pixels: luma, blue difference, luma, red difference.
    Yuyv,
    /// Luma of all pixels, then the colour differences of blocks of two by two pixels.
    Nv12,
    Rgb,
    Bgr,
}

impl Layout {
    /// Bytes of a row without padding.
    fn row(self, width: usize) -> usize {
        match self {
            Self::Yuyv => width.div_ceil(2) * 4,
            Self::Nv12 => width.div_ceil(2) * 2,
            Self::Rgb | Self::Bgr => width * 3,
        }
    }
}

/// Converts a frame with `stride` bytes a row (0 for no padding) to RGB; `None` if bytes are missing.
///
/// Luma is taken as 16 to 235 and colour as in BT.601, which is what USB cameras send.
pub(crate) fn to_rgb(layout: Layout, size: Size, stride: usize, bytes: &[u8]) -> Option<Vec<u8>> {
    let (width, height) = (size.width as usize, size.height as usize);
    let row = layout.row(width);
    let stride = if stride == 0 { row } else { stride };
    if width == 0 || height == 0 || stride < row {
        return None;
    }
    let mut rgb = Vec::with_capacity(size.pixels() as usize * 3);
    let rows = |bytes: &'_ [u8], count: usize| bytes.len() >= stride * (count - 1) + row;
    if !rows(bytes, height) {
        return None;
    }
    let colors = bytes.get(stride * height..).unwrap_or_default();
    if layout == Layout::Nv12 && !rows(colors, height.div_ceil(2)) {
        return None;
    }
    for y in 0..height {
        let line = &bytes[y * stride..y * stride + row];
        match layout {
            Layout::Yuyv => {
                for (pair, left) in line.chunks_exact(4).zip((0..width).step_by(2)) {
                    rgb.extend(color(pair[0], pair[1], pair[3]));
                    if left + 1 < width {
                        rgb.extend(color(pair[2], pair[1], pair[3]));
                    }
                }
            }
            Layout::Nv12 => {
                let colors = &colors[y / 2 * stride..];
                for (x, luma) in line.iter().take(width).enumerate() {
                    rgb.extend(color(*luma, colors[x / 2 * 2], colors[x / 2 * 2 + 1]));
                }
            }
            Layout::Rgb => rgb.extend_from_slice(line),
            Layout::Bgr => line.chunks_exact(3).for_each(|pixel| rgb.extend([pixel[2], pixel[1], pixel[0]])),
        }
    }
    Some(rgb)
}

/// A pixel of BT.601 in the range of video.
fn color(luma: u8, blue: u8, red: u8) -> [u8; 3] {
    let (luma, blue, red) = (298 * (i32::from(luma) - 16) + 128, i32::from(blue) - 128, i32::from(red) - 128);
    let byte = |value: i32| (value >> 8).clamp(0, 255) as u8;
    [byte(luma + 409 * red), byte(luma - 100 * blue - 208 * red), byte(luma + 516 * blue)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Luma and colour differences of black, white and the primary colours in BT.601.
    const COLORS: [([u8; 3], [u8; 3]); 5] = [
        ([16, 128, 128], [0, 0, 0]),
        ([235, 128, 128], [255, 255, 255]),
        ([81, 90, 240], [255, 0, 0]),
        ([145, 54, 34], [0, 255, 0]),
        ([41, 240, 110], [0, 0, 255]),
    ];

    #[track_caller]
    fn assert_close(found: &[u8], expected: [u8; 3]) {
        assert!(found.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 2), "{found:?} for {expected:?}");
    }

    #[test]
    fn colours_of_every_layout_are_right_at_odd_sizes_and_with_padding() {
        for (width, height) in [(1, 1), (2, 2), (3, 3), (5, 2)] {
            let size = Size::new(width as u32, height as u32);
            for ([luma, blue, red], rgb) in COLORS {
                for pad in [0, 6] {
                    let lines = |line: Vec<u8>, count: usize| {
                        let padded = [line, vec![77; pad]].concat();
                        padded.repeat(count)
                    };
                    let stride = |layout: Layout| if pad == 0 { 0 } else { layout.row(width) + pad };
                    let nv12 = [
                        lines(vec![luma; Layout::Nv12.row(width)], height),
                        lines([blue, red].repeat(width.div_ceil(2)), height.div_ceil(2)),
                    ];
                    let frames = [
                        (Layout::Yuyv, lines([luma, blue, luma, red].repeat(width.div_ceil(2)), height)),
                        (Layout::Nv12, nv12.concat()),
                        (Layout::Rgb, lines(rgb.repeat(width), height)),
                        (Layout::Bgr, lines([rgb[2], rgb[1], rgb[0]].repeat(width), height)),
                    ];
                    for (layout, bytes) in frames {
                        let found = to_rgb(layout, size, stride(layout), &bytes).expect("converts");
                        assert_eq!(found.len(), width * height * 3, "{layout:?} {size}");
                        found.chunks_exact(3).for_each(|pixel| assert_close(pixel, rgb));
                    }
                }
            }
        }
    }

    #[test]
    fn a_frame_that_is_cut_off_is_refused() {
        let size = Size::new(4, 4);
        for (layout, bytes) in [(Layout::Yuyv, 32), (Layout::Nv12, 24), (Layout::Rgb, 48), (Layout::Bgr, 48)] {
            assert!(to_rgb(layout, size, 0, &vec![0; bytes]).is_some(), "{layout:?}");
            assert!(to_rgb(layout, size, 0, &vec![0; bytes - 1]).is_none(), "{layout:?}");
            assert!(to_rgb(layout, size, 1, &vec![0; bytes]).is_none(), "{layout:?}: rows overlap");
        }
        assert!(to_rgb(Layout::Rgb, Size::new(0, 0), 0, &[]).is_none());
    }
}
