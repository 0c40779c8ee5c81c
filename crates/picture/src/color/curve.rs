//! Tone curves of profiles, and that of sRGB (IEC 61966-2-1).

use moxcms::{ParametricCurve, ToneReprCurve};

/// How far from its own value a level of 256 may come out through a curve that still counts as that of sRGB.
const SRGB_LEVELS: f64 = 1.0;

/// The light, 0 to 1, of an sRGB value of 0 to 1.
pub(super) fn srgb_to_light(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The sRGB value of 0 to 1 that shows `light` of 0 to 1.
pub(super) fn light_to_srgb(light: f64) -> f64 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

/// A curve from numbers to light that can be calculated with.
pub(super) enum Curve<'a> {
    /// A formula.
    Formula(ParametricCurve),
    /// Light at even steps, 65,535 being 1.
    Table(&'a [u16]),
}

impl<'a> Curve<'a> {
    /// `None` for a formula that is nowhere near light of 0 to 1, or has gaps.
    pub(super) fn of(curve: &'a ToneReprCurve) -> Option<Self> {
        let power = |gamma| ParametricCurve::new(&[gamma]).map(Self::Formula);
        match curve {
            ToneReprCurve::Lut(table) => match table.as_slice() {
                [] => power(1.0),
                // A fixed-point exponent with 8 bits behind the point.
                [gamma] if *gamma >= 16 => power(f32::from(*gamma) / 256.0),
                [_] => None,
                table => Some(Self::Table(table)),
            },
            ToneReprCurve::Parametric(parameters) if parameters.is_empty() => None,
            ToneReprCurve::Parametric(parameters) => {
                ParametricCurve::new(parameters).filter(is_calm).map(Self::Formula)
            }
        }
    }

    /// The light of a number of 0 to 1, 0 to 1 as well.
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

    /// The sRGB value that shows what `value` means. `through_lab` where the curve leads to CIE lightness, not to light
    /// (ICC.1:2022 section 8.2: a grey profile whose connection space is Lab).
    pub(super) fn to_srgb(&self, value: f64, through_lab: bool) -> f64 {
        let light = self.light(value);
        light_to_srgb(if through_lab { lightness_to_light(light) } else { light })
    }

    /// True where no level of 256 comes out more than one level off.
    pub(super) fn is_srgb(&self) -> bool {
        (0..=u8::MAX).all(|level| {
            let value = f64::from(level);
            (self.to_srgb(value / 255.0, false) * 255.0 - value).abs() <= SRGB_LEVELS
        })
    }
}

/// CIE lightness of 0 to 1 as light of 0 to 1.
fn lightness_to_light(lightness: f64) -> f64 {
    let lightness = lightness * 100.0;
    if lightness <= 8.0 { lightness * 27.0 / 24_389.0 } else { ((lightness + 16.0) / 116.0).powi(3) }
}

/// True for a formula whose pieces stay near 0 to 1 from end to end. Either piece runs one way only, so its ends tell.
fn is_calm(formula: &ParametricCurve) -> bool {
    let ParametricCurve { g, a, b, d, .. } = *formula;
    let seam = if d.is_finite() { d.clamp(0.0, 1.0) } else { 0.0 };
    let base_stays_positive = [seam, 1.0].iter().all(|x| a * x + b >= -1e-3);
    let ends = [0.0, seam, (seam - 1e-6).max(0.0), 1.0];
    (0.05..=20.0).contains(&g) && base_stays_positive && ends.iter().all(|x| (-0.5..=2.0).contains(&formula.eval(*x)))
}
