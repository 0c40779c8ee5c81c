//! Tone curves of profiles, and that of sRGB (IEC 61966-2-1).

use moxcms::{ParametricCurve, ToneReprCurve};

/// Maximum difference in levels of 256 for a curve that counts as that of sRGB.
const MAX_SRGB_DIFFERENCE: f64 = 1.0;

/// The linear light of an sRGB value, both 0 to 1.
pub(super) fn srgb_to_light(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The sRGB value of linear light, both 0 to 1.
pub(super) fn light_to_srgb(light: f64) -> f64 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// A usable curve from samples to linear light.
pub(super) enum Curve<'a> {
    Formula(ParametricCurve),
    /// Light at equal steps; 65,535 is 1.
    Table(&'a [u16]),
}

impl<'a> Curve<'a> {
    /// `None` for a formula with values far outside 0 to 1, or with discontinuities.
    pub(super) fn of(curve: &'a ToneReprCurve) -> Option<Self> {
        let power = |gamma| ParametricCurve::new(&[gamma]).map(Self::Formula);
        match curve {
            ToneReprCurve::Lut(table) => match table.as_slice() {
                [] => power(1.0),
                // A fixed-point exponent with 8 fractional bits.
                [gamma] if *gamma >= 16 => power(f32::from(*gamma) / 256.0),
                [_] => None,
                table => Some(Self::Table(table)),
            },
            ToneReprCurve::Parametric(parameters) if parameters.is_empty() => None,
            ToneReprCurve::Parametric(parameters) => {
                ParametricCurve::new(parameters).filter(is_bounded).map(Self::Formula)
            }
        }
    }

    /// The linear light of a value, both 0 to 1.
    pub(super) fn light(&self, value: f64) -> f64 {
        let light = match self {
            Self::Formula(formula) => f64::from(formula.eval(value as f32)),
            Self::Table(table) => {
                let at = value.clamp(0.0, 1.0) * (table.len() - 1) as f64;
                let before = (at as usize).min(table.len().saturating_sub(2));
                let [a, b] = [table[before], table[before + 1]].map(f64::from);
                (a + (b - a) * (at - before as f64)) / 65_535.0
            }
        };
        light.clamp(0.0, 1.0)
    }

    /// The sRGB value that corresponds to `value`. `through_lab` if the curve yields CIE lightness instead of light
    /// (ICC.1:2022 section 8.2: a grey profile whose connection space is Lab).
    pub(super) fn to_srgb(&self, value: f64, through_lab: bool) -> f64 {
        let light = self.light(value);
        light_to_srgb(if through_lab { lightness_to_light(light) } else { light })
    }

    /// True if no level of 256 differs by more than one level.
    pub(super) fn is_srgb(&self) -> bool {
        (0..=u8::MAX).all(|level| {
            let value = f64::from(level);
            (self.to_srgb(value / 255.0, false) * 255.0 - value).abs() <= MAX_SRGB_DIFFERENCE
        })
    }
}

/// CIE lightness to linear light, both 0 to 1.
fn lightness_to_light(lightness: f64) -> f64 {
    let lightness = lightness * 100.0;
    if lightness <= 8.0 { lightness * 27.0 / 24_389.0 } else { ((lightness + 16.0) / 116.0).powi(3) }
}

/// True for a formula whose segments stay near 0 to 1. Each segment is monotonic, so its ends suffice.
fn is_bounded(formula: &ParametricCurve) -> bool {
    let ParametricCurve { g, a, b, d, .. } = *formula;
    let seam = if d.is_finite() { d.clamp(0.0, 1.0) } else { 0.0 };
    let base_stays_positive = [seam, 1.0].iter().all(|x| a * x + b >= -1e-3);
    let ends = [0.0, seam, (seam - 1e-6).max(0.0), 1.0];
    (0.05..=20.0).contains(&g) && base_stays_positive && ends.iter().all(|x| (-0.5..=2.0).contains(&formula.eval(*x)))
}
