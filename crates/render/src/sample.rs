//! Samples of 8 and of 16 bits, calculated with alike.

use outcome::Channels;
use picture::{Pixels, Samples, SamplesMut};

/// A sample whose largest value stands for 1.
pub(super) trait Sample: Copy + Default {
    /// The largest value.
    const MAX_VALUE: f32;

    /// 0 to 1.
    fn to_share(self) -> f32;

    /// The nearest sample; what lies outside 0 to 1 becomes the nearest end.
    fn from_share(share: f32) -> Self;

    /// A sample of 16 bits as this one.
    fn from_deep(sample: u16) -> Self;
}

impl Sample for u8 {
    const MAX_VALUE: f32 = 255.0;

    fn to_share(self) -> f32 {
        f32::from(self) * (1.0 / Self::MAX_VALUE)
    }

    fn from_share(share: f32) -> Self {
        // Casting cuts off at both ends, and turns NaN into 0.
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

/// What is done with samples of either depth.
pub(super) trait Work {
    /// What comes of it.
    type Gives;

    /// Does it with the samples of pixels that have `channels`.
    fn on<T: Sample>(self, samples: &mut [T], channels: Channels) -> Self::Gives;
}

/// Does `work` with all samples of `pixels`.
pub(super) fn work_on<W: Work>(pixels: &mut Pixels, work: W) -> W::Gives {
    let channels = pixels.channels();
    match pixels.samples_mut() {
        SamplesMut::U8(samples) => work.on(samples, channels),
        SamplesMut::U16(samples) => work.on(samples, channels),
    }
}

/// Black, and transparent where there is alpha: as many samples of the same depth as `like` has, for `count` of them.
pub(super) fn blank_like(like: &Samples, count: usize) -> Samples {
    match like {
        Samples::U8(_) => Samples::U8(vec![0; count]),
        Samples::U16(_) => Samples::U16(vec![0; count]),
    }
}

/// A pixel for calculating with: up to three samples of colour, multiplied by alpha, and alpha last.
pub(super) type Premultiplied = [f32; 4];

/// Reads one pixel.
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

/// Writes one pixel; colour where nothing is opaque is black.
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
