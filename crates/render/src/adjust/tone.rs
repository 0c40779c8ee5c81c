//! The tone curve of a colour profile, and the curves of the adjustments.

use geometry::Size;
use outcome::Channels;
use picture::{Pixels, to_srgb};

/// Entries of a curve from black to white, with linear interpolation between them.
const STEPS: usize = 4096;

/// Linear light of mid grey: an 18 % grey card.
const MID_GREY: f64 = 0.18;

/// Linear light above which brightening is compressed towards white.
const KNEE: f64 = 0.5;

/// The sRGB value, 0 to 1, of each sample value on the grey axis of a profile.
pub(super) struct Tone {
    values: Vec<f32>,
}

/// A tabulated function on 0 to 1.
pub(super) struct Curve {
    values: Vec<f32>,
}

impl Tone {
    /// The tone curve of pixels with `channels` in `profile`.
    pub(super) fn of(channels: Channels, profile: Option<&[u8]>) -> Self {
        let share = |step: usize| step as f32 / STEPS as f32;
        let plain = || Self { values: (0..=STEPS).map(share).collect() };
        if profile.is_none() {
            return plain();
        }
        let channels = channels.without_alpha();
        let deep = |step: usize| (share(step) * 65_535.0).round() as u16;
        let ramp = (0..=STEPS).flat_map(|step| std::iter::repeat_n(deep(step), channels.count())).collect();
        let Some(ramp) = Pixels::from_u16(Size::new(STEPS as u32 + 1, 1), channels, ramp) else { return plain() };
        let shown = to_srgb(ramp, profile);
        let Some(shown) = shown.as_u16() else { return plain() };
        // Green contributes most to luminance.
        let lightness = shown.iter().skip(channels.count() / 2).step_by(channels.count());
        let mut highest = 0;
        let values = lightness.map(|&value| {
            highest = highest.max(value);
            f32::from(highest) / 65_535.0
        });
        Self { values: values.collect() }
    }

    /// The sRGB value of a sample, both 0 to 1.
    pub(super) fn value(&self, number: f32) -> f32 {
        between(&self.values, number)
    }

    /// The sample of an sRGB value, both 0 to 1.
    fn number(&self, value: f32) -> f32 {
        let after = self.values.partition_point(|step| *step < value);
        let Some(before) = after.checked_sub(1) else { return 0.0 };
        let Some(above) = self.values.get(after) else { return 1.0 };
        let below = self.values[before];
        let along = if *above > below { (value - below) / (above - below) } else { 0.0 };
        (before as f32 + along) / STEPS as f32
    }

    /// Converts `change`, a function of sRGB values, to a function of samples in the profile.
    pub(super) fn curve(&self, change: impl Fn(f64) -> f64) -> Curve {
        let values = self.values.iter().map(|value| self.number(change(f64::from(*value)) as f32));
        Curve { values: values.collect() }
    }
}

impl Curve {
    #[inline]
    pub(super) fn at(&self, share: f32) -> f32 {
        between(&self.values, share)
    }
}

#[inline]
fn between(values: &[f32], share: f32) -> f32 {
    let at = share.clamp(0.0, 1.0) * STEPS as f32;
    let step = (at as usize).min(STEPS - 1);
    values[step] + (values[step + 1] - values[step]) * (at - step as f32)
}

/// An sRGB value after white balance, exposure and contrast.
pub(super) fn adjusted(value: f64, gain: f32, exposure: f32, contrast: f32) -> f64 {
    let balanced = balanced(to_light(value), gain.into());
    let exposed = exposed(balanced, f64::from(exposure).exp2());
    contrasted(from_light(exposed), contrast.into()).clamp(0.0, 1.0)
}

/// `light` times `gain`, with white preserved: clipped highlights have no colour to balance.
pub(super) fn balanced(light: f64, gain: f64) -> f64 {
    if gain >= 1.0 { brightened(light, gain) } else { unbrightened(light, 1.0 / gain) }
}

/// `light` times `gain`; brightening is compressed towards white instead of clipped.
fn exposed(light: f64, gain: f64) -> f64 {
    if gain >= 1.0 { brightened(light, gain) } else { light * gain }
}

/// `light` times `gain` up to a knee, compressed above it, so that white stays white: the extended curve of Reinhard et
/// al. (2002), with the slope of the straight line at the knee.
fn brightened(light: f64, gain: f64) -> f64 {
    let plain = light * gain;
    if plain <= KNEE {
        return plain;
    }
    let (over, max) = ((plain - KNEE) / (1.0 - KNEE), (gain - KNEE) / (1.0 - KNEE));
    KNEE + (1.0 - KNEE) * over * (1.0 + over / (max * max)) / (1.0 + over)
}

/// The inverse of [`brightened`].
fn unbrightened(light: f64, gain: f64) -> f64 {
    if light <= KNEE {
        return light / gain;
    }
    let (bent, max) = ((light - KNEE) / (1.0 - KNEE), (gain - KNEE) / (1.0 - KNEE));
    let square = max * max;
    let over = ((1.0 - bent).powi(2) + 4.0 * bent / square).sqrt() - (1.0 - bent);
    (KNEE + (1.0 - KNEE) * over * square / 2.0) / gain
}

/// An sRGB value with more or less contrast. More: two power curves that meet at mid grey, so that black and white are
/// preserved. Less: everything moves towards mid grey, at most by half.
fn contrasted(value: f64, contrast: f64) -> f64 {
    let middle = from_light(MID_GREY);
    if contrast <= 0.0 {
        return middle + (value - middle) * (1.0 + contrast / 2.0);
    }
    let power = 1.0 + contrast;
    if value <= middle {
        middle * (value / middle).powf(power)
    } else {
        1.0 - (1.0 - middle) * ((1.0 - value) / (1.0 - middle)).max(0.0).powf(power)
    }
}

/// Linear light of an sRGB value (IEC 61966-2-1).
pub(super) fn to_light(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The sRGB value of linear light.
pub(super) fn from_light(light: f64) -> f64 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}
