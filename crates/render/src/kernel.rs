//! Filter weights of a Lanczos-3 filter for subpixel positions.

use std::f64::consts::PI;

/// Number of subpixel positions: half of a step is a quarter of a level of 256 at the hardest edge.
const STEPS: usize = 512;

/// Lobes on each side.
const LOBES: f64 = 3.0;

/// Weights of `TAPS` pixels (an even number) for each subpixel position.
pub(super) struct Kernel<const TAPS: usize> {
    weights: Vec<[f32; TAPS]>,
}

/// The maximum reduction, in source pixels per output pixel, for which `taps` weights suffice.
pub(super) const fn max_reduction(taps: usize) -> f64 {
    taps as f64 / 2.0 / LOBES
}

impl<const TAPS: usize> Kernel<TAPS> {
    /// Weights for `reduction` source pixels per output pixel. Above 1, the filter is widened to suppress aliasing.
    pub(super) fn new(reduction: f64) -> Self {
        let stretch = reduction.clamp(1.0, max_reduction(TAPS));
        Self { weights: (0..=STEPS).map(|step| weights_at(step as f64 / STEPS as f64, stretch)).collect() }
    }

    /// The index of the first weighted pixel, and the weights for position `at`, measured from the left edge of the
    /// first pixel. At least as many pixels must precede `at` as there are weights.
    #[inline(always)]
    pub(super) fn at(&self, at: f64) -> (usize, &[f32; TAPS]) {
        let from_middle = at - 0.5;
        // Truncation equals rounding down for nonnegative values and is faster.
        let whole = from_middle as i32;
        let step = ((from_middle - f64::from(whole)) * STEPS as f64 + 0.5) as i32;
        ((whole + 1 - (TAPS / 2) as i32).max(0) as usize, &self.weights[(step.max(0) as usize).min(STEPS)])
    }
}

fn weights_at<const TAPS: usize>(between: f64, stretch: f64) -> [f32; TAPS] {
    let first = 1.0 - TAPS as f64 / 2.0;
    let raw: [f64; TAPS] = std::array::from_fn(|tap| lanczos((first + tap as f64 - between) / stretch));
    let sum: f64 = raw.iter().sum();
    raw.map(|weight| (weight / sum) as f32)
}

fn lanczos(x: f64) -> f64 {
    let sinc = |x: f64| if x.abs() < 1e-9 { 1.0 } else { (PI * x).sin() / (PI * x) };
    if x.abs() < LOBES { sinc(x) * sinc(x / LOBES) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixel_centres_have_a_single_weight() {
        let kernel = Kernel::<6>::new(1.0);
        let (first, weights) = kernel.at(10.5);
        assert_eq!(first, 8);
        assert!(weights.iter().enumerate().all(|(tap, weight)| (weight - f32::from(u8::from(tap == 2))).abs() < 1e-6));
    }

    #[test]
    fn weights_sum_to_one_at_every_subpixel_position() {
        let kernel = Kernel::<8>::new(1.2);
        for step in 0..100 {
            let (_, weights) = kernel.at(7.0 + f64::from(step) / 100.0);
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }
}
