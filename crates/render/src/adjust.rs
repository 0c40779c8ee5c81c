//! Tone and colour adjustments: white balance, exposure, contrast, then sharpening.
//!
//! Pixels keep their colour profile. The tone curve of the profile (its grey axis) maps each sample to an sRGB value,
//! and from there to linear light. White balance and exposure work in linear light, contrast works on sRGB values; the
//! result is mapped back to samples of the profile. Colours keep the primaries of the photo: wide-gamut colours are not
//! clipped to sRGB, and grey stays grey. White and black are preserved, except that an exposure below 0 darkens white.

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

use super::sample::{Sample, SampleOp, apply_to_samples};

/// Returns `pixels` adjusted; their colour profile is `profile`. `gains` are the white balance factors. `scale` is the
/// size of the crop relative to the written one (1 for the written size), so that a smaller preview is sharpened alike.
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
        apply_to_samples(&mut pixels, ApplyCurves { curves: &curves });
    }
    let sharpen = finite(adjust.sharpen, 1.0);
    if sharpen > 0.0 {
        sharpen::sharpen(&mut pixels, sharpen, scale);
    }
    pixels
}

struct ApplyCurves<'a> {
    curves: &'a [Curve; 3],
}

impl SampleOp for ApplyCurves<'_> {
    type Output = ();

    fn apply<T: Sample>(self, samples: &mut [T], channels: Channels) {
        let colours = channels.without_alpha().count();
        for pixel in samples.chunks_exact_mut(channels.count()) {
            for (sample, curve) in pixel[..colours].iter_mut().zip(self.curves) {
                *sample = T::from_share(curve.at(sample.to_share()));
            }
        }
    }
}
