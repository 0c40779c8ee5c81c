//! Luma and chroma planes of AV1, and their conversion to grey or RGB.
//!
//! Measurements of the crate `yuv` (0.8.20) for comparison: it returns 10 and 12 bits at their own depth, up to 36
//! levels of 65,535 from the exact colours (this module: 0.5), and interpolates subsampled chroma at other positions, 4
//! levels of 255 in the mean on smooth colours.

use geometry::Size;
use outcome::Channels;

use super::av1::{Frame, Row};
use super::coding::{Coding, Subsampling};
use crate::Pixels;

/// The planes of an image, assembled from one or more frames.
#[derive(Debug)]
pub(super) struct Planes {
    size: Size,
    depth: u32,
    subsampling: Subsampling,
    samples: [Vec<u16>; 3],
}

impl Planes {
    /// Planes of `size` with the layout of `frame`, all samples 0.
    pub(super) fn like(frame: &Frame, size: Size) -> Self {
        let subsampling = frame.subsampling();
        let samples = [0, 1, 2].map(|plane| {
            let count = subsampling.plane_size(plane, size).map_or(0, Size::pixels);
            vec![0; count as usize]
        });
        Self { size, depth: frame.depth(), subsampling, samples }
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// Copies `frame` with its top left corner at `(x, y)`, both even, clipped to the planes. False if the frame has
    /// another layout.
    pub(super) fn put(&mut self, frame: &Frame, x: u32, y: u32) -> bool {
        if frame.depth() != self.depth || frame.subsampling() != self.subsampling {
            return false;
        }
        for (plane, samples) in self.samples.iter_mut().enumerate() {
            let (Some(whole), Some(part)) =
                (self.subsampling.plane_size(plane, self.size), self.subsampling.plane_size(plane, frame.size()))
            else {
                continue;
            };
            let halved = |at: u32, length: u32, full: u32| if length == full { at } else { at / 2 };
            let left = halved(x, whole.width, self.size.width).min(whole.width);
            let top = halved(y, whole.height, self.size.height).min(whole.height);
            let width = part.width.min(whole.width - left) as usize;
            for row in 0..part.height.min(whole.height - top) {
                let start = (top + row) as usize * whole.width as usize + left as usize;
                let Some(target) = samples.get_mut(start..start + width) else { return false };
                match frame.row(plane, row) {
                    Some(Row::U8(source)) => {
                        for (target, source) in target.iter_mut().zip(source) {
                            *target = u16::from(*source);
                        }
                    }
                    Some(Row::U16(source)) => target.copy_from_slice(&source[..width]),
                    None => return false,
                }
            }
        }
        true
    }

    /// Luma alone, as values from 0 to `max`.
    fn levels(&self, row: usize, full_range: bool, max: f32) -> impl Iterator<Item = f32> + '_ {
        let (black, span) = luma_range(self.depth, full_range);
        let width = self.size.width as usize;
        let scale = max / span;
        self.samples[0][row * width..(row + 1) * width].iter().map(move |sample| (f32::from(*sample) - black) * scale)
    }
}

/// The minimum sample and the number of steps to the maximum.
fn luma_range(depth: u32, full_range: bool) -> (f32, f32) {
    let step = (1_u32 << (depth - 8)) as f32;
    if full_range { (0.0, ((1_u32 << depth) - 1) as f32) } else { (16.0 * step, 219.0 * step) }
}

/// The matrix from luma and two chroma values to red, green and blue; chroma is -0.5 to 0.5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Matrix {
    /// The planes are green, blue and red.
    Identity,
    /// Luma, green-magenta, orange-blue.
    YCgCo,
    /// Weights of red and blue in luma.
    Weighted { red: f32, blue: f32 },
}

impl Matrix {
    /// The matrix of `coding` for an image with chroma; the error is the name of an unsupported one.
    pub(super) fn of(coding: Coding, subsampling: Subsampling) -> Result<Self, String> {
        let weighted = |red, blue| Ok(Self::Weighted { red, blue });
        match coding.matrix {
            0 if subsampling == Subsampling::None => Ok(Self::Identity),
            1 => weighted(0.2126, 0.0722),
            4 => weighted(0.30, 0.11),
            // 2 is "unspecified"; writers that specify nothing use the matrix of BT.601.
            2 | 5 | 6 => weighted(0.299, 0.114),
            7 => weighted(0.212, 0.087),
            8 => Ok(Self::YCgCo),
            9 => weighted(0.2627, 0.0593),
            12 if coding.primaries == 1 => weighted(0.2126, 0.0722),
            12 if coding.primaries == 9 => weighted(0.2627, 0.0593),
            other => Err(format!("colours coded by matrix {other} of H.273")),
        }
    }

    fn rgb(self, luma: f32, u: f32, v: f32) -> [f32; 3] {
        match self {
            Self::Identity => [v, luma, u],
            Self::YCgCo => [luma - u + v, luma + u, luma - u - v],
            Self::Weighted { red, blue } => {
                let (r, b) = (luma + 2.0 * (1.0 - red) * v, luma + 2.0 * (1.0 - blue) * u);
                let green = 1.0 - red - blue;
                let g = luma - 2.0 * (red * (1.0 - red) * v + blue * (1.0 - blue) * u) / green;
                [r, g, b]
            }
        }
    }
}

/// Alpha, and whether the colours are premultiplied.
pub(super) struct Alpha {
    pub(super) planes: Planes,
    pub(super) full_range: bool,
    pub(super) premultiplied: bool,
}

/// A sample of 8 or 16 bits.
trait Sample: Copy {
    const MAX_VALUE: f32;
    fn rounded(value: f32) -> Self;
}

impl Sample for u8 {
    const MAX_VALUE: f32 = 255.0;
    fn rounded(value: f32) -> Self {
        (value + 0.5) as Self // A cast of a float stops at the type's ends.
    }
}

impl Sample for u16 {
    const MAX_VALUE: f32 = 65_535.0;
    fn rounded(value: f32) -> Self {
        (value + 0.5) as Self
    }
}

/// The pixels of `planes`, with 16-bit samples if `deep`; grey if there is no chroma and `matrix` is `None`.
pub(super) fn to_pixels(
    planes: &Planes,
    full_range: bool,
    matrix: Option<Matrix>,
    alpha: Option<&Alpha>,
    deep: bool,
) -> Option<Pixels> {
    let channels = match (matrix, alpha) {
        (None, None) => Channels::L,
        (None, Some(_)) => Channels::La,
        (Some(_), None) => Channels::Rgb,
        (Some(_), Some(_)) => Channels::Rgba,
    };
    if deep {
        Pixels::from_u16(planes.size, channels, convert(planes, full_range, matrix, alpha, channels))
    } else {
        Pixels::from_u8(planes.size, channels, convert(planes, full_range, matrix, alpha, channels))
    }
}

fn convert<T: Sample>(
    planes: &Planes,
    full_range: bool,
    matrix: Option<Matrix>,
    alpha: Option<&Alpha>,
    channels: Channels,
) -> Vec<T> {
    let Size { width, height } = planes.size;
    let mut samples = Vec::with_capacity(planes.size.pixels() as usize * channels.count());
    let mut chroma = ChromaRows::new(planes, full_range, matrix == Some(Matrix::Identity), T::MAX_VALUE);
    let mut alphas: Vec<f32> = Vec::new();
    for y in 0..height as usize {
        if let Some(alpha) = alpha {
            alphas.clear();
            alphas.extend(
                alpha.planes.levels(y, alpha.full_range, T::MAX_VALUE).map(|level| level.clamp(0.0, T::MAX_VALUE)),
            );
        }
        if matrix.is_some() {
            chroma.move_to(y);
        }
        for (x, luma) in planes.levels(y, full_range, T::MAX_VALUE).enumerate().take(width as usize) {
            let level = alphas.get(x).copied();
            let scale = match level {
                Some(level) if level > 0.0 && alpha.is_some_and(|alpha| alpha.premultiplied) => T::MAX_VALUE / level,
                _ => 1.0,
            };
            match matrix {
                None => samples.push(T::rounded(luma * scale)),
                Some(matrix) => {
                    let rgb = matrix.rgb(luma, chroma.u[x], chroma.v[x]);
                    samples.extend(rgb.map(|value| T::rounded(value * scale)));
                }
            }
            samples.extend(level.map(T::rounded));
        }
    }
    samples
}

/// Chroma at each luma sample of a row, interpolated from the neighbours; 0 for a monochrome image.
struct ChromaRows<'a> {
    planes: &'a Planes,
    middle: f32,
    scale: f32,
    u: Vec<f32>,
    v: Vec<f32>,
    blended: Vec<f32>,
}

impl<'a> ChromaRows<'a> {
    fn new(planes: &'a Planes, full_range: bool, as_luma: bool, max: f32) -> Self {
        let (black, span) = luma_range(planes.depth, full_range);
        let middle = if as_luma { black } else { (1_u32 << (planes.depth - 1)) as f32 };
        // Limited-range chroma has 224 steps, luma 219.
        let span = if full_range || as_luma { span } else { span / 219.0 * 224.0 };
        let width = planes.size.width as usize;
        Self { planes, middle, scale: max / span, u: vec![0.0; width], v: vec![0.0; width], blended: Vec::new() }
    }

    /// Reads the chroma of luma row `y`.
    fn move_to(&mut self, y: usize) {
        let subsampling = self.planes.subsampling;
        let Some(size) = subsampling.plane_size(1, self.planes.size) else { return };
        let (columns, rows) = (size.width as usize, size.height as usize);
        let (near, far) = if subsampling == Subsampling::Both { neighbours(y, rows) } else { (y, y) };
        for (plane, out) in [(1, &mut self.u), (2, &mut self.v)] {
            let row = |row: usize| &self.planes.samples[plane][row * columns..(row + 1) * columns];
            // Subsampled chroma is midway between two luma samples, with weights 3:1.
            self.blended.clear();
            self.blended.extend(row(near).iter().zip(row(far)).map(|(near, far)| {
                let sample = (3.0 * f32::from(*near) + f32::from(*far)) / 4.0;
                (sample - self.middle) * self.scale
            }));
            if columns == out.len() && subsampling == Subsampling::None {
                out.copy_from_slice(&self.blended);
                continue;
            }
            for (x, out) in out.iter_mut().enumerate() {
                let (near, far) = neighbours(x, columns);
                *out = (3.0 * self.blended[near] + self.blended[far]) / 4.0;
            }
        }
    }
}

/// The nearest and the second nearest of `count` subsampled values to the full-resolution sample `at`; at the edges
/// both are the last.
fn neighbours(at: usize, count: usize) -> (usize, usize) {
    let near = at / 2;
    let far = if at.is_multiple_of(2) { near.saturating_sub(1) } else { near + 1 };
    (near, far.min(count - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planes(depth: u32, subsampling: Subsampling, samples: [&[u16]; 3]) -> Planes {
        let size = Size::new(samples[0].len() as u32, 1);
        Planes { size, depth, subsampling, samples: samples.map(<[u16]>::to_vec) }
    }

    fn coding(matrix: u8) -> Coding {
        Coding { primaries: 1, transfer: 13, matrix, full_range: true }
    }

    #[test]
    fn twelve_bits_of_either_range_scale_to_sixteen() {
        let limited = planes(12, Subsampling::Grey, [&[0, 256, 2008, 3760, 4095], &[], &[]]);
        let pixels = to_pixels(&limited, false, None, None, true).expect("fits");
        assert_eq!(pixels.as_u16(), Some(&[0, 0, 32_768, 65_535, 65_535][..]));
        let full = planes(12, Subsampling::Grey, [&[0, 1, 4095], &[], &[]]);
        let pixels = to_pixels(&full, true, None, None, true).expect("fits");
        assert_eq!(pixels.as_u16(), Some(&[0, 16, 65_535][..]));
    }

    #[test]
    fn matrices_convert_luma_and_chroma_to_rgb() {
        let pixel = |matrix, [y, u, v]: [u16; 3]| {
            let matrix = Matrix::of(coding(matrix), Subsampling::None).expect("known");
            let one = planes(8, Subsampling::None, [&[y], &[u], &[v]]);
            let pixels = to_pixels(&one, true, Some(matrix), None, false).expect("fits");
            <[u8; 3]>::try_from(pixels.as_u8().expect("8 bits")).expect("three")
        };
        assert_eq!(pixel(0, [20, 30, 10]), [10, 20, 30]);
        // Red according to each standard, rounded to integers.
        assert_eq!(pixel(6, [76, 85, 255]), [254, 0, 0]);
        assert_eq!(pixel(1, [54, 99, 255]), [254, 0, 0]);
        assert_eq!(pixel(9, [67, 92, 255]), [254, 0, 0]);
        assert_eq!(pixel(8, [100, 128, 128]), [100, 100, 100]);
        assert_eq!(pixel(8, [100, 138, 118]), [80, 110, 100]);
    }

    #[test]
    fn unsupported_matrices_are_reported() {
        for matrix in [3, 10, 11, 13, 14, 15, 16, 255] {
            assert!(
                Matrix::of(coding(matrix), Subsampling::None).is_err_and(|name| name.contains(&matrix.to_string()))
            );
        }
        assert!(Matrix::of(coding(0), Subsampling::Both).is_err(), "three full planes are needed");
    }

    #[test]
    fn subsampled_chroma_is_interpolated() {
        let halved = planes(8, Subsampling::Across, [&[128; 5], &[128, 128, 128], &[100, 140, 140]]);
        let mut rows = ChromaRows::new(&halved, true, false, 255.0);
        rows.move_to(0);
        assert_eq!(rows.v, [-28.0, -18.0, 2.0, 12.0, 12.0]);
        assert_eq!(rows.u, [0.0; 5]);
    }

    #[test]
    fn premultiplied_colours_are_divided_by_alpha() {
        let alpha = |premultiplied| Alpha {
            planes: planes(8, Subsampling::Grey, [&[0, 51, 255], &[], &[]]),
            full_range: true,
            premultiplied,
        };
        let grey = planes(8, Subsampling::Grey, [&[9, 40, 200], &[], &[]]);
        let pixels = |premultiplied| to_pixels(&grey, true, None, Some(&alpha(premultiplied)), false).expect("fits");
        assert_eq!(pixels(true).as_u8(), Some(&[9, 0, 200, 51, 200, 255][..]));
        assert_eq!(pixels(false).as_u8(), Some(&[9, 0, 40, 51, 200, 255][..]));
    }
}
