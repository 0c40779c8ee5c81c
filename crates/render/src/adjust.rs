//! Light and colour: white balance, exposure, contrast, then sharpness.
//!
//! The pixels keep the profile they came with. Each sample is taken to what the profile makes of it on its grey axis (the
//! tone), which stands for light as an sRGB value does; white balance and exposure are worked out in that light, contrast in
//! the sRGB value itself, and the result is taken back to the profile's numbers. Colours keep the primaries of the photo, so
//! that one with more colours than sRGB keeps them, and grey stays grey. White and black stay white and black in all of
//! this, but for an exposure below 0, which darkens white.

mod balance;
mod sharpen;
mod tone;

#[cfg(test)]
mod tests;

pub(super) use balance::{Gains, gains};
use tone::{Curve, Tone};

use outcome::Channels;
use picture::Pixels;
use recipe::Adjust;

use super::sample::{Sample, Work, work_on};

/// Adjusts `pixels`, which mean what `profile` says. `gains` are those of the white balance; `scale` says how large the
/// crop is, 1 for the size it is written with, so that a smaller one for the screen is sharpened alike.
pub(super) fn adjusted(
    mut pixels: Pixels,
    profile: Option<&[u8]>,
    adjust: &Adjust,
    gains: Option<Gains>,
    scale: f32,
) -> Pixels {
    let finite = |value: f32, max: f32| if value.is_finite() { value.clamp(-max, max) } else { 0.0 };
    let (exposure, contrast) = (finite(adjust.exposure, 2.0), finite(adjust.contrast, 1.0));
    if exposure != 0.0 || contrast != 0.0 || gains.is_some() {
        let tone = Tone::of(pixels.channels(), profile);
        let curves =
            gains.unwrap_or([1.0; 3]).map(|gain| tone.curve(|value| tone::adjusted(value, gain, exposure, contrast)));
        work_on(&mut pixels, Through { curves: &curves });
    }
    let sharpen = finite(adjust.sharpen, 1.0);
    if sharpen > 0.0 {
        sharpen::sharpen(&mut pixels, sharpen, scale);
    }
    pixels
}

struct Through<'a> {
    curves: &'a [Curve; 3],
}

impl Work for Through<'_> {
    type Gives = ();

    fn on<T: Sample>(self, samples: &mut [T], channels: Channels) {
        let colours = channels.without_alpha().count();
        for pixel in samples.chunks_exact_mut(channels.count()) {
            for (sample, curve) in pixel[..colours].iter_mut().zip(self.curves) {
                *sample = T::from_share(curve.at(sample.to_share()));
            }
        }
    }
}
