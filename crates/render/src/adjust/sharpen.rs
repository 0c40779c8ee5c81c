//! Sharpening after resampling: an unsharp mask on lightness, which leaves colours unchanged.

use outcome::Channels;
use picture::Pixels;

use crate::sample::{Sample, SampleOp, apply_to_samples};

/// Radius of the mask's blur in pixels of the written crop (standard deviation).
const RADIUS: f32 = 0.8;

/// Maximum gain: a pixel's difference from the blurred image grows by at most this factor.
const MAX_GAIN: f32 = 1.5;

/// Kernel radius in pixels.
const KERNEL_RADIUS: usize = 2;

const TAPS: usize = 2 * KERNEL_RADIUS + 1;

/// Lightness premultiplied by alpha, and alpha: transparent pixels do not contribute.
type Lightness = [f32; 2];

/// Sharpens pixels by `amount`, 0 to 1; `scale` is the size of the crop relative to the written one.
///
/// The blur radius scales with it, so that a preview shows the sharpening of the written crop as far as its resolution
/// permits.
pub(super) fn sharpen(pixels: &mut Pixels, amount: f32, scale: f32) {
    let size = pixels.size();
    let weights = blur_weights(RADIUS * scale.clamp(0.0, 1.0));
    apply_to_samples(
        pixels,
        Sharpen { amount: amount * MAX_GAIN, weights, width: size.width as usize, height: size.height as usize },
    );
}

/// Kernel of a blur with this standard deviation in pixels, at most 1: a three-pixel kernel applied twice. Its variance
/// is exact for small deviations too, unlike that of a sampled Gaussian.
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

impl SampleOp for Sharpen {
    type Output = ();

    /// Row by row: the blurred rows around the current one are buffered, so that pixels can be changed in place.
    fn apply<T: Sample>(self, samples: &mut [T], channels: Channels) {
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
        for y in 0..KERNEL_RADIUS {
            blurred(samples, y, &mut plain, &mut rows[y % TAPS]);
        }
        for y in 0..self.height {
            blurred(samples, y + KERNEL_RADIUS, &mut plain, &mut rows[(y + KERNEL_RADIUS) % TAPS]);
            let row = &mut samples[y * row_samples..(y + 1) * row_samples];
            let around: [&[Lightness]; TAPS] =
                std::array::from_fn(|tap| rows[(y + tap).saturating_sub(KERNEL_RADIUS) % TAPS].as_slice());
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
                let from = plain[(x + tap).saturating_sub(KERNEL_RADIUS).min(plain.len() - 1)];
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

/// Luma of encoded samples (weights of ITU-R BT.709).
fn luma<T: Sample>(red: T, green: T, blue: T) -> f32 {
    0.2126 * red.to_share() + 0.7152 * green.to_share() + 0.0722 * blue.to_share()
}
