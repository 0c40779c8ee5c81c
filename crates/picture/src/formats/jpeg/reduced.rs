//! Reduced pictures from the low frequencies of each block.
//!
//! Where 8 samples become n, the first n coefficients along that side are those of a cosine transform of n samples: what is left out are
//! the frequencies that n samples cannot hold. Colour that a file has at half its size is reduced half as much, so that no sample
//! of it is lost and none has to be interpolated.

use super::coding::Coding;
use super::part::Part;

/// Where the coefficients lie in a block of 8 rows of 8, by their order in the file (T.81 figure 5).
const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
    47, 55, 62, 63,
];

/// What a coefficient of frequency u adds to sample x of n, by u and x: half of cos((2x + 1) u pi / 2n), and for u = 0 half of the root of
/// a half (T.81 section A.3.3, along one side).
type Waves<const N: usize> = [[f32; N]; N];

fn waves<const N: usize>() -> Waves<N> {
    std::array::from_fn(|u| {
        std::array::from_fn(|x| {
            let angle = ((2 * x + 1) * u) as f64 * std::f64::consts::PI / (2 * N) as f64;
            let height = if u == 0 { std::f64::consts::FRAC_1_SQRT_2 } else { angle.cos() };
            (height / 2.0) as f32
        })
    })
}

/// Numbers to multiply by for each size of block.
#[derive(Debug)]
struct AllWaves(Waves<1>, Waves<2>, Waves<4>, Waves<8>);

/// The samples of each component, all of the same size.
#[derive(Debug)]
pub(super) struct Planes {
    components: Vec<Plane>,
    waves: AllWaves,
    /// The block that is being read.
    block: Coefficients,
}

#[derive(Debug)]
struct Plane {
    /// Samples across and down that a block becomes.
    samples: (usize, usize),
    /// What each coefficient is to be multiplied by, in zigzag order; 0 for those that do not matter.
    steps: [f32; 64],
    /// The last coefficient that matters, in zigzag order.
    last: usize,
    /// Samples in a row: those of whole MCUs.
    across: usize,
    data: Vec<u8>,
}

/// Coefficients of a block, multiplied out, by row and column; 0 between blocks, but for the first.
#[derive(Debug)]
struct Coefficients {
    numbers: [f32; 64],
    is_flat: bool,
}

impl Planes {
    /// For a picture at 1/`reduction`, which is 4 or 8.
    pub(super) fn new(coding: &Coding, reduction: u32) -> Option<Self> {
        let least = 8 / usize::try_from(reduction).ok()?;
        let most = coding.most_blocks();
        let (mcus_across, mcus_down) = coding.mcus();
        let mut components = Vec::new();
        for component in &coding.components {
            let samples = (least * most.0 / component.blocks.0, least * most.1 / component.blocks.1);
            if !matches!(samples, (1 | 2 | 4 | 8, 1 | 2 | 4 | 8)) {
                return None;
            }
            let is_needed = |at: &u8| usize::from(at % 8) < samples.0 && usize::from(at / 8) < samples.1;
            let across = mcus_across * most.0 * least;
            let step = |index: usize| if is_needed(&ZIGZAG[index]) { f32::from(component.steps[index]) } else { 0.0 };
            components.push(Plane {
                samples,
                steps: std::array::from_fn(step),
                last: ZIGZAG.iter().rposition(is_needed)?,
                across,
                data: vec![0; across * mcus_down * most.1 * least],
            });
        }
        Some(Self {
            components,
            waves: AllWaves(waves(), waves(), waves(), waves()),
            block: Coefficients { numbers: [0.0; 64], is_flat: true },
        })
    }

    /// The last coefficient of a component's blocks that matters, in zigzag order.
    pub(super) fn last_needed(&self, component: usize) -> usize {
        self.components[component].last
    }

    /// A block of which only the first coefficient matters, which is `first`.
    #[inline(always)]
    pub(super) fn put_mean(&mut self, component: usize, (across, down): (usize, usize), first: i32) {
        let plane = &mut self.components[component];
        let sample = sample(first as f32 * plane.steps[0] * 0.125);
        if let Some(place) = plane.data.get_mut(down * plane.across + across) {
            *place = sample;
        }
    }

    /// Says the coefficient at `index`, in zigzag order, of the next block that is [put](Self::put).
    #[inline(always)]
    pub(super) fn set(&mut self, component: usize, index: usize, number: i32) {
        let at = usize::from(ZIGZAG[index & 63] & 63);
        self.block.numbers[at] = number as f32 * self.components[component].steps[index & 63];
        self.block.is_flat &= index == 0;
    }

    /// Puts the block in of which coefficients were [set](Self::set).
    #[inline(always)]
    pub(super) fn put(&mut self, component: usize, (across, down): (usize, usize)) {
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
        let AllWaves(one, two, four, eight) = &self.waves;
        let (waves, stride) = (&self.waves, plane.across);
        match width {
            1 => turn_back_by_height(block, one, waves, height, to, stride),
            2 => turn_back_by_height(block, two, waves, height, to, stride),
            4 => turn_back_by_height(block, four, waves, height, to, stride),
            _ => turn_back_by_height(block, eight, waves, height, to, stride),
        }
    }

    /// Pixels of `part`, which is of the same reduction: one byte of grey, or three of RGB.
    pub(super) fn pixels(&self, part: &Part) -> Vec<u8> {
        let size = part.size();
        let (width, height) = (size.width as usize, size.height as usize);
        let (left, top) = ((part.left / part.reduction) as usize, (part.top / part.reduction) as usize);
        let mut pixels = Vec::with_capacity(width * height * self.components.len());
        for y in top..top + height {
            let row = |plane: &'_ Plane| y * plane.across + left..y * plane.across + left + width;
            let rows: Vec<_> = self.components.iter().filter_map(|plane| plane.data.get(row(plane))).collect();
            match rows[..] {
                [grey] => pixels.extend_from_slice(grey),
                [light, blue, red] => {
                    pixels.extend(light.iter().zip(blue).zip(red).flat_map(|((y, cb), cr)| rgb(*y, *cb, *cr)));
                }
                _ => {}
            }
        }
        pixels
    }
}

#[inline(always)]
fn sample(height: f32) -> u8 {
    // Numbers beyond 0 to 255 become these.
    (height + 128.5) as u8
}

/// RGB of a colour in YCbCr (JFIF 1.02, page 3), in 16 bits behind the point.
#[inline(always)]
fn rgb(y: u8, cb: u8, cr: u8) -> [u8; 3] {
    let (y, cb, cr) = (i32::from(y), i32::from(cb) - 128, i32::from(cr) - 128);
    let r = y + ((91_881 * cr + 32_768) >> 16);
    let g = y + ((-22_554 * cb - 46_802 * cr + 32_768) >> 16);
    let b = y + ((116_130 * cb + 32_768) >> 16);
    [r, g, b].map(|light| light.clamp(0, 255) as u8)
}

#[inline(always)]
fn turn_back_by_height<const W: usize>(
    block: &mut Coefficients,
    across: &Waves<W>,
    AllWaves(one, two, four, eight): &AllWaves,
    height: usize,
    to: &mut [u8],
    stride: usize,
) {
    match height {
        1 => turn_back(block, across, one, to, stride),
        2 => turn_back(block, across, two, to, stride),
        4 => turn_back(block, across, four, to, stride),
        _ => turn_back(block, across, eight, to, stride),
    }
}

/// The samples of a block, from its lowest frequencies.
#[inline(always)]
fn turn_back<const W: usize, const H: usize>(
    block: &mut Coefficients,
    across: &Waves<W>,
    down: &Waves<H>,
    to: &mut [u8],
    stride: usize,
) {
    // Along rows first: by frequency down, then place across.
    let mut rows = [[0.0_f32; W]; H];
    for (row, numbers) in rows.iter_mut().zip(block.numbers.chunks_exact_mut(8)) {
        for (wave, number) in across.iter().zip(numbers) {
            let number = std::mem::take(number);
            for (sum, height) in row.iter_mut().zip(wave) {
                *sum += height * number;
            }
        }
    }
    for (y, to) in to.chunks_mut(stride).take(H).enumerate() {
        let mut sums = [0.0_f32; W];
        for (row, wave) in rows.iter().zip(down) {
            for (sum, height) in sums.iter_mut().zip(row) {
                *sum += height * wave[y];
            }
        }
        for (to, sum) in to.iter_mut().zip(sums) {
            *to = sample(sum);
        }
    }
}
