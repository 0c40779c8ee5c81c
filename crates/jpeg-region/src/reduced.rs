//! Reduced images by an inverse DCT of the lowest frequencies of each block.
//!
//! To reduce 8 samples to n, the first n coefficients along that axis serve as those of a DCT of n samples; frequencies
//! that n samples cannot represent are dropped. Chroma with half the resolution is reduced by half as much, so that
//! none of its samples are lost and no interpolation is necessary.

use crate::region::{McuRegion, Scale};
use crate::single_scan::SingleScan;

/// Zigzag order: the index in a block of 8 rows of 8 of each coefficient (T.81 figure A.6).
const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
    47, 55, 62, 63,
];

/// Basis functions: the contribution of a coefficient of frequency u to sample x of n, indexed by u and x. Half of
/// cos((2x + 1) u pi / 2n), multiplied by the root of a half for u = 0 (T.81 section A.3.3, along one axis).
type Basis<const N: usize> = [[f32; N]; N];

fn basis<const N: usize>() -> Basis<N> {
    std::array::from_fn(|u| {
        std::array::from_fn(|x| {
            let angle = ((2 * x + 1) * u) as f64 * std::f64::consts::PI / (2 * N) as f64;
            let value = if u == 0 { std::f64::consts::FRAC_1_SQRT_2 } else { angle.cos() };
            (value / 2.0) as f32
        })
    })
}

/// The basis functions for each number of samples.
#[derive(Debug)]
struct AllBases(Basis<1>, Basis<2>, Basis<4>, Basis<8>);

/// The samples of each component, all of the same size.
#[derive(Debug)]
pub(crate) struct Planes {
    components: Vec<Plane>,
    bases: AllBases,
    /// The current block.
    block: Coefficients,
}

#[derive(Debug)]
struct Plane {
    /// Samples of a reduced block, across and down.
    samples: (usize, usize),
    /// The quantization table in zigzag order; 0 for unused coefficients.
    quantization: [f32; 64],
    /// The last used coefficient, in zigzag order.
    last: usize,
    /// Samples per row, for whole MCUs.
    across: usize,
    data: Vec<u8>,
}

/// Dequantized coefficients of a block by row and column; except for DC, 0 between blocks.
#[derive(Debug)]
struct Coefficients {
    numbers: [f32; 64],
    is_flat: bool,
}

impl Planes {
    /// Planes of an image at 1/4 or 1/8.
    pub(crate) fn new(scan: &SingleScan, scale: Scale) -> Option<Self> {
        let base = 8 / scale.reduction() as usize;
        let max_sampling = scan.max_sampling();
        let (mcus_across, mcus_down) = scan.mcus();
        let mut components = Vec::new();
        for component in &scan.components {
            let samples = (base * max_sampling.0 / component.sampling.0, base * max_sampling.1 / component.sampling.1);
            if !matches!(samples, (1 | 2 | 4 | 8, 1 | 2 | 4 | 8)) {
                return None;
            }
            let is_needed = |at: &u8| usize::from(at % 8) < samples.0 && usize::from(at / 8) < samples.1;
            let across = mcus_across * max_sampling.0 * base;
            let element =
                |index: usize| if is_needed(&ZIGZAG[index]) { component.quantization[index].into() } else { 0.0 };
            components.push(Plane {
                samples,
                quantization: std::array::from_fn(element),
                last: ZIGZAG.iter().rposition(is_needed)?,
                across,
                data: vec![0; across * mcus_down * max_sampling.1 * base],
            });
        }
        Some(Self {
            components,
            bases: AllBases(basis(), basis(), basis(), basis()),
            block: Coefficients { numbers: [0.0; 64], is_flat: true },
        })
    }

    /// The last used coefficient of a component's blocks, in zigzag order.
    pub(crate) fn last_needed(&self, component: usize) -> usize {
        self.components[component].last
    }

    /// Writes a block from its DC coefficient `dc` alone.
    #[inline(always)]
    pub(crate) fn put_dc(&mut self, component: usize, (across, down): (usize, usize), dc: i32) {
        let plane = &mut self.components[component];
        let sample = sample(dc as f32 * plane.quantization[0] * 0.125);
        if let Some(place) = plane.data.get_mut(down * plane.across + across) {
            *place = sample;
        }
    }

    /// Sets the quantized coefficient at `index`, in zigzag order, of the next block to [write](Self::put).
    #[inline(always)]
    pub(crate) fn set(&mut self, component: usize, index: usize, number: i32) {
        let at = usize::from(ZIGZAG[index & 63] & 63);
        self.block.numbers[at] = number as f32 * self.components[component].quantization[index & 63];
        self.block.is_flat &= index == 0;
    }

    /// Writes the block whose coefficients were [set](Self::set).
    #[inline(always)]
    pub(crate) fn put(&mut self, component: usize, (across, down): (usize, usize)) {
        let block = &mut self.block;
        let plane = &mut self.components[component];
        let (width, height) = plane.samples;
        let place = down * height * plane.across + across * width;
        let Some(to) = plane.data.get_mut(place..) else { return };
        if block.is_flat {
            let sample = sample(block.numbers[0] * 0.125);
            to.chunks_mut(plane.across).take(height).for_each(|row| row[..width].fill(sample));
            return;
        }
        block.is_flat = true;
        let AllBases(one, two, four, eight) = &self.bases;
        let (bases, stride) = (&self.bases, plane.across);
        match width {
            1 => idct_by_height(block, one, bases, height, to, stride),
            2 => idct_by_height(block, two, bases, height, to, stride),
            4 => idct_by_height(block, four, bases, height, to, stride),
            _ => idct_by_height(block, eight, bases, height, to, stride),
        }
    }

    /// Samples of `region`, which has the same scale: one byte per pixel for grey, three for RGB.
    pub(crate) fn samples(&self, region: &McuRegion) -> Vec<u8> {
        let (width, height) = region.output_size();
        let (width, height) = (width as usize, height as usize);
        let reduction = region.scale.reduction();
        let (left, top) = ((region.left / reduction) as usize, (region.top / reduction) as usize);
        let mut samples = Vec::with_capacity(width * height * self.components.len());
        for y in top..top + height {
            let row = |plane: &'_ Plane| y * plane.across + left..y * plane.across + left + width;
            let rows: Vec<_> = self.components.iter().filter_map(|plane| plane.data.get(row(plane))).collect();
            match rows[..] {
                [grey] => samples.extend_from_slice(grey),
                [y, cb, cr] => {
                    samples.extend(y.iter().zip(cb).zip(cr).flat_map(|((y, cb), cr)| rgb(*y, *cb, *cr)));
                }
                _ => {}
            }
        }
        samples
    }
}

#[inline(always)]
fn sample(level: f32) -> u8 {
    // The cast clamps to 0 to 255.
    (level + 128.5) as u8
}

/// YCbCr to RGB (JFIF 1.02, page 3), with 16 fractional bits.
#[inline(always)]
fn rgb(y: u8, cb: u8, cr: u8) -> [u8; 3] {
    let (y, cb, cr) = (i32::from(y), i32::from(cb) - 128, i32::from(cr) - 128);
    let r = y + ((91_881 * cr + 32_768) >> 16);
    let g = y + ((-22_554 * cb - 46_802 * cr + 32_768) >> 16);
    let b = y + ((116_130 * cb + 32_768) >> 16);
    [r, g, b].map(|sample| sample.clamp(0, 255) as u8)
}

#[inline(always)]
fn idct_by_height<const W: usize>(
    block: &mut Coefficients,
    across: &Basis<W>,
    AllBases(one, two, four, eight): &AllBases,
    height: usize,
    to: &mut [u8],
    stride: usize,
) {
    match height {
        1 => idct(block, across, one, to, stride),
        2 => idct(block, across, two, to, stride),
        4 => idct(block, across, four, to, stride),
        _ => idct(block, across, eight, to, stride),
    }
}

/// The inverse DCT of the lowest frequencies of a block.
#[inline(always)]
fn idct<const W: usize, const H: usize>(
    block: &mut Coefficients,
    across: &Basis<W>,
    down: &Basis<H>,
    to: &mut [u8],
    stride: usize,
) {
    // Along rows first: indexed by vertical frequency, then by horizontal position.
    let mut rows = [[0.0_f32; W]; H];
    for (row, numbers) in rows.iter_mut().zip(block.numbers.chunks_exact_mut(8)) {
        for (function, number) in across.iter().zip(numbers) {
            let number = std::mem::take(number);
            for (sum, value) in row.iter_mut().zip(function) {
                *sum += value * number;
            }
        }
    }
    for (y, to) in to.chunks_mut(stride).take(H).enumerate() {
        let mut sums = [0.0_f32; W];
        for (row, function) in rows.iter().zip(down) {
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum += value * function[y];
            }
        }
        for (to, sum) in to.iter_mut().zip(sums) {
            *to = sample(sum);
        }
    }
}
