//! Sharpening after resampling: an unsharp mask on lightness, which leaves colours alone.

use outcome::Channels;
use picture::Pixels;

use crate::sample::{Sample, Work, work_on};

/// Blur that the mask compares with, in pixels of the written crop (standard deviation).
const RADIUS: f32 = 0.8;

/// The most that a pixel's difference from its surroundings grows by: this many times itself.
const MAX: f32 = 1.5;

/// Pixels on each side that the blur looks at.
const REACH: usize = 2;

const TAPS: usize = 2 * REACH + 1;

/// Lightness times alpha, and alpha: what is transparent has no lightness to compare with.
type Lightness = [f32; 2];

/// Sharpens by `amount`, 0 to 1, pixels of a crop that is `scale` times as large as it is written.
///
/// A smaller crop is compared with a blur that is as much smaller: of what it can show, it shows what is written.
pub(super) fn sharpen(pixels: &mut Pixels, amount: f32, scale: f32) {
    let size = pixels.size();
    let weights = blur_weights(RADIUS * scale.clamp(0.0, 1.0));
    work_on(
        pixels,
        Sharpen { amount: amount * MAX, weights, width: size.width as usize, height: size.height as usize },
    );
}

/// Weights of a blur of this standard deviation in pixels, at most 1: three neighbours twice, whose spread is exact however
/// small it is, where samples of a bell curve would miss it.
fn blur_weights(deviation: f32) -> [f32; TAPS] {
    let side = (deviation.min(1.0).powi(2) / 4.0).min(0.25);
    let middle = 1.0 - 2.0 * side;
    let (near, far) = (2.0 * side * middle, side * side);
    [far, near, middle * middle + 2.0 * far, near, far]
}

struct Sharpen {
    amount: f32,
    weights: [f32; TAPS],
    width: usize,
    height: usize,
}

impl Work for Sharpen {
    type Gives = ();

    /// Row by row: of each, the blurred rows around it are kept, so that pixels can be changed in place.
    fn on<T: Sample>(self, samples: &mut [T], channels: Channels) {
        let row_samples = self.width * channels.count();
        if row_samples == 0 || self.height == 0 {
            return;
        }
        let mut rows = vec![vec![[0.0; 2]; self.width]; TAPS];
        let mut plain = vec![[0.0; 2]; self.width];
        let blurred = |samples: &[T], y: usize, plain: &mut [Lightness], to: &mut [Lightness]| {
            let y = y.min(self.height - 1);
            let row = &samples[y * row_samples..(y + 1) * row_samples];
            for (to, pixel) in plain.iter_mut().zip(row.chunks_exact(channels.count())) {
                *to = lightness(pixel, channels);
            }
            self.blur_row(plain, to);
        };
        for y in 0..REACH {
            blurred(samples, y, &mut plain, &mut rows[y % TAPS]);
        }
        for y in 0..self.height {
            blurred(samples, y + REACH, &mut plain, &mut rows[(y + REACH) % TAPS]);
            let row = &mut samples[y * row_samples..(y + 1) * row_samples];
            let around: [&[Lightness]; TAPS] =
                std::array::from_fn(|tap| rows[(y + tap).saturating_sub(REACH) % TAPS].as_slice());
            for (x, pixel) in row.chunks_exact_mut(channels.count()).enumerate() {
                let mut sum = [0.0; 2];
                for (row, weight) in around.iter().zip(self.weights) {
                    sum[0] += row[x][0] * weight;
                    sum[1] += row[x][1] * weight;
                }
                let [own, alpha] = lightness(pixel, channels);
                if sum[1] > 0.0 && alpha > 0.0 {
                    let more = self.amount * (own / alpha - sum[0] / sum[1]);
                    for sample in &mut pixel[..channels.without_alpha().count()] {
                        *sample = T::from_share(sample.to_share() + more);
                    }
                }
            }
        }
    }
}

impl Sharpen {
    fn blur_row(&self, plain: &[Lightness], to: &mut [Lightness]) {
        for (x, to) in to.iter_mut().enumerate() {
            let mut sum = [0.0; 2];
            for (tap, weight) in self.weights.iter().enumerate() {
                let from = plain[(x + tap).saturating_sub(REACH).min(plain.len() - 1)];
                sum[0] += from[0] * weight;
                sum[1] += from[1] * weight;
            }
            *to = sum;
        }
    }
}

#[inline]
fn lightness<T: Sample>(pixel: &[T], channels: Channels) -> Lightness {
    match (channels, pixel) {
        (Channels::L, [grey, ..]) => [grey.to_share(), 1.0],
        (Channels::La, [grey, alpha, ..]) => [grey.to_share() * alpha.to_share(), alpha.to_share()],
        (Channels::Rgb, [red, green, blue, ..]) => [luma(*red, *green, *blue), 1.0],
        (Channels::Rgba, [red, green, blue, alpha, ..]) => {
            [luma(*red, *green, *blue) * alpha.to_share(), alpha.to_share()]
        }
        _ => [0.0; 2],
    }
}

/// Lightness of stored numbers (the weights of ITU-R BT.709).
fn luma<T: Sample>(red: T, green: T, blue: T) -> f32 {
    0.2126 * red.to_share() + 0.7152 * green.to_share() + 0.0722 * blue.to_share()
}
