//! Generic access to samples of 8 and 16 bits.

use outcome::Channels;
use picture::{Pixels, Samples, SamplesMut};

/// A sample type; its maximum value represents 1.
pub(super) trait Sample: Copy + Default {
    const MAX_VALUE: f32;

    /// Normalized to 0 to 1.
    fn to_share(self) -> f32;

    /// The nearest sample; values outside 0 to 1 are clamped.
    fn from_share(share: f32) -> Self;

    /// Converts a 16-bit sample.
    fn from_deep(sample: u16) -> Self;
}

impl Sample for u8 {
    const MAX_VALUE: f32 = 255.0;

    fn to_share(self) -> f32 {
        f32::from(self) * (1.0 / Self::MAX_VALUE)
    }

    fn from_share(share: f32) -> Self {
        // Casting saturates and turns NaN into 0.
        (share * Self::MAX_VALUE + 0.5) as Self
    }

    fn from_deep(sample: u16) -> Self {
        ((u32::from(sample) + 128) / 257) as Self
    }
}

impl Sample for u16 {
    const MAX_VALUE: f32 = 65_535.0;

    fn to_share(self) -> f32 {
        f32::from(self) * (1.0 / Self::MAX_VALUE)
    }

    fn from_share(share: f32) -> Self {
        (share * Self::MAX_VALUE + 0.5) as Self
    }

    fn from_deep(sample: u16) -> Self {
        sample
    }
}

/// An operation on samples of either depth.
pub(super) trait SampleOp {
    type Output;

    /// Applies the operation to the samples of pixels with `channels`.
    fn apply<T: Sample>(self, samples: &mut [T], channels: Channels) -> Self::Output;
}

/// Applies `operation` to all samples of `pixels`.
pub(super) fn apply_to_samples<Op: SampleOp>(pixels: &mut Pixels, operation: Op) -> Op::Output {
    let channels = pixels.channels();
    match pixels.samples_mut() {
        SamplesMut::U8(samples) => operation.apply(samples, channels),
        SamplesMut::U16(samples) => operation.apply(samples, channels),
    }
}

/// `count` zero samples of the same depth as `like`: black, and transparent if there is alpha.
pub(super) fn blank_like(like: &Samples, count: usize) -> Samples {
    match like {
        Samples::U8(_) => Samples::U8(vec![0; count]),
        Samples::U16(_) => Samples::U16(vec![0; count]),
    }
}

/// A pixel in working form: up to three colour channels, premultiplied by alpha, and alpha last.
pub(super) type Premultiplied = [f32; 4];

#[inline(always)]
pub(super) fn read<T: Sample>(pixel: &[T], channels: Channels) -> Premultiplied {
    match (channels, pixel) {
        (Channels::L, [grey, ..]) => [grey.to_share(), 0.0, 0.0, 1.0],
        (Channels::La, [grey, alpha, ..]) => {
            let alpha = alpha.to_share();
            [grey.to_share() * alpha, 0.0, 0.0, alpha]
        }
        (Channels::Rgb, [red, green, blue, ..]) => [red.to_share(), green.to_share(), blue.to_share(), 1.0],
        (Channels::Rgba, [red, green, blue, alpha, ..]) => {
            let alpha = alpha.to_share();
            [red.to_share() * alpha, green.to_share() * alpha, blue.to_share() * alpha, alpha]
        }
        _ => [0.0; 4],
    }
}

/// Writes one pixel; fully transparent pixels become black.
#[inline(always)]
pub(super) fn write<T: Sample>(pixel: &mut [T], channels: Channels, [red, green, blue, alpha]: Premultiplied) {
    let unmultiplied = if channels.has_alpha() && alpha * T::MAX_VALUE < 0.5 { 0.0 } else { 1.0 / alpha };
    let colour = |share: f32| T::from_share(share * unmultiplied);
    match (channels, pixel) {
        (Channels::L, [to, ..]) => *to = T::from_share(red),
        (Channels::La, [to, to_alpha, ..]) => (*to, *to_alpha) = (colour(red), T::from_share(alpha)),
        (Channels::Rgb, [to_red, to_green, to_blue, ..]) => {
            (*to_red, *to_green, *to_blue) = (T::from_share(red), T::from_share(green), T::from_share(blue));
        }
        (Channels::Rgba, [to_red, to_green, to_blue, to_alpha, ..]) => {
            (*to_red, *to_green, *to_blue) = (colour(red), colour(green), colour(blue));
            *to_alpha = T::from_share(alpha);
        }
        _ => {}
    }
}
