//! ICC profiles from other colour descriptions: H.273 code points, and gamma with chromaticities.

use moxcms::{
    CicpColorPrimaries, ColorPrimaries, ColorProfile, DataColorSpace, LocalizableString, Matrix3d, ProfileText,
    ToneReprCurve, XyY, Xyz, Xyzd, adaption_matrix_d,
};

use super::{guarded, is_invertible};

/// The white point of daylight, x and y: that of sRGB.
const D65: [f64; 2] = [0.3127, 0.3290];

/// Red, green and blue of sRGB, x and y each.
const SRGB_PRIMARIES: [f64; 6] = [0.64, 0.33, 0.30, 0.60, 0.15, 0.06];

/// Entries of a curve that no ICC formula can express.
const STEPS: u32 = 4096;

/// Year, month, day, hour, minute and second in every generated profile (bytes 24 to 35 of its header, ICC.1:2022
/// section 7.2.8).
const DATE: [u16; 6] = [2025, 1, 1, 0, 0, 0];

/// Luminance of reference white in HDR images, in candela per square metre (ITU-R BT.2408).
const REFERENCE_WHITE: f64 = 203.0;

/// Luminance that is mapped to white; higher values are rare in photos.
const PEAK_LUMINANCE: f64 = 1000.0;

/// Fraction of reference white up to which HDR images are unchanged; higher luminances are compressed.
const KNEE: f64 = 0.5;

/// The profile of the H.273 code points `primaries` and `transfer`; without `full_range` black is 16 and white 235 of
/// 255. `None` for sRGB, and for unspecified or reserved code points, which are treated as sRGB.
///
/// The camera curves of television (1, 6, 7, 11, 12, 14, 15) are treated as the sRGB curve: computer screens show such
/// samples unchanged, and the inverse camera curve would make them too bright.
///
/// PQ (16) and HLG (18) encode higher luminances than an SDR screen can show. The curves here leave everything up to
/// half of reference white unchanged and compress brighter values so that 1,000 candela per square metre become white:
/// reference white becomes slightly darker than white, and highlights keep their detail. Each channel is compressed
/// separately, so strong highlights desaturate. HLG assumes a screen of 1,000 candela per square metre.
pub(crate) fn profile_from_cicp(primaries: u8, transfer: u8, full_range: bool) -> Option<Vec<u8>> {
    let (white, triangle) = chromaticities(primaries);
    let curve = match transfer {
        4 => ToneReprCurve::Parametric(vec![2.2]),
        5 => ToneReprCurve::Parametric(vec![2.8]),
        8 => ToneReprCurve::Lut(Vec::new()),
        16 => sampled(|value| tone_mapped(pq_to_light(value) / REFERENCE_WHITE)),
        17 => ToneReprCurve::Parametric(vec![2.6]),
        18 => sampled(|value| tone_mapped(PEAK_LUMINANCE * hlg_to_light(value) / REFERENCE_WHITE)),
        _ => srgb_curve(),
    };
    let curve = if full_range { curve } else { limited_range(&curve)? };
    if white == D65 && triangle == SRGB_PRIMARIES && curve == srgb_curve() {
        return None;
    }
    profile(white, triangle, curve)
}

/// The profile of a PNG's gAMA (`gamma` as stored, 1/2.2 for ordinary images) and cHRM: x and y of white, red, green
/// and blue. `None` for sRGB, within the precision of 256 levels, and for invalid values.
pub(crate) fn profile_from_gamma(gamma: f64, chromaticities: Option<[f64; 8]>, grey: bool) -> Option<Vec<u8>> {
    // Beyond these exponents an image is entirely black or white.
    if !(0.1..=5.0).contains(&gamma) {
        return None;
    }
    let [x, y, triangle @ ..] = chromaticities.unwrap_or_else(|| {
        let mut srgb = [0.0; 8];
        srgb[..2].copy_from_slice(&D65);
        srgb[2..].copy_from_slice(&SRGB_PRIMARIES);
        srgb
    });
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 0.001);
    let is_usual = (gamma * 2.2 - 1.0).abs() <= 0.012;
    if is_usual && (grey || (near(&[x, y], &D65) && near(&triangle, &SRGB_PRIMARIES))) {
        return None;
    }
    let curve = ToneReprCurve::Parametric(vec![(1.0 / gamma) as f32]);
    if grey { encoded(&grey_of(curve)) } else { profile([x, y], triangle, curve) }
}

/// The sRGB profile, or for grey a profile of its curve, for formats in which samples without a profile are undefined.
pub fn srgb_profile(grey: bool) -> Option<Vec<u8>> {
    let mut profile = if grey { grey_of(srgb_curve()) } else { colour_of(D65, SRGB_PRIMARIES, srgb_curve())? };
    profile.description = text("sRGB");
    encoded(&profile)
}

/// White, and red, green and blue of the code points (H.273 table 2); those of sRGB if they are unspecified or
/// reserved.
fn chromaticities(primaries: u8) -> ([f64; 2], [f64; 6]) {
    let white = match primaries {
        4 | 8 => [0.310, 0.316],
        11 => [0.314, 0.351],
        // Primaries 10 are the axes of XYZ, which no photo uses.
        _ => D65,
    };
    let known = CicpColorPrimaries::try_from(primaries).ok().filter(|_| ![1, 10].contains(&primaries));
    let Some(known) = known.and_then(|known| ColorPrimaries::try_from(known).ok()) else {
        return (D65, SRGB_PRIMARIES);
    };
    let [red, green, blue] = [known.red, known.green, known.blue].map(|point| [point.x, point.y].map(f64::from));
    (white, [red[0], red[1], green[0], green[1], blue[0], blue[1]])
}

fn srgb_curve() -> ToneReprCurve {
    ToneReprCurve::Parametric(vec![2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045])
}

fn sampled(light: impl Fn(f64) -> f64) -> ToneReprCurve {
    let level = |step| (light(f64::from(step) / f64::from(STEPS - 1)).clamp(0.0, 1.0) * 65_535.0).round() as u16;
    ToneReprCurve::Lut((0..STEPS).map(level).collect())
}

/// `curve` for a limited range of 16 to 235 of 255.
fn limited_range(curve: &ToneReprCurve) -> Option<ToneReprCurve> {
    let curve = super::Curve::of(curve)?;
    Some(sampled(|value| curve.light(((255.0 * value - 16.0) / 219.0).clamp(0.0, 1.0))))
}

/// Luminance in candela per square metre of a PQ value of 0 to 1 (SMPTE ST 2084).
fn pq_to_light(value: f64) -> f64 {
    let (m1, m2) = (2610.0 / 16_384.0, 2523.0 / 4096.0 * 128.0);
    let (c1, c2, c3) = (3424.0 / 4096.0, 2413.0 / 4096.0 * 32.0, 2392.0 / 4096.0 * 32.0);
    let root = value.powf(1.0 / m2);
    10_000.0 * ((root - c1).max(0.0) / (c2 - c3 * root)).powf(1.0 / m1)
}

/// The fraction of a screen's peak luminance of an HLG value of 0 to 1, on a screen of 1,000 candela per square metre
/// (ITU-R BT.2100, with its system gamma of 1.2 applied to each channel).
fn hlg_to_light(value: f64) -> f64 {
    let (a, b, c) = (0.178_832_77, 0.284_668_92, 0.559_910_73);
    let scene = if value <= 0.5 { value * value / 3.0 } else { (((value - c) / a).exp() + b) / 12.0 };
    scene.powf(1.2)
}

/// Tone-maps `light`: input in units of reference white, output in units of the screen's white.
fn tone_mapped(light: f64) -> f64 {
    if light <= KNEE {
        return light;
    }
    let above = |light: f64| (light - KNEE) / (1.0 - KNEE);
    let (over, max) = (above(light.min(PEAK_LUMINANCE / REFERENCE_WHITE)), above(PEAK_LUMINANCE / REFERENCE_WHITE));
    KNEE + (1.0 - KNEE) * over * (1.0 + over / (max * max)) / (1.0 + over)
}

fn profile(white: [f64; 2], triangle: [f64; 6], curve: ToneReprCurve) -> Option<Vec<u8>> {
    let profile = colour_of(white, triangle, curve)?;
    encoded(&profile)
}

fn colour_of(white: [f64; 2], triangle: [f64; 6], curve: ToneReprCurve) -> Option<ColorProfile> {
    let [x, y] = white;
    // Anything else is not a plausible white point.
    if !(0.1..=0.6).contains(&x) || !(0.1..=0.7).contains(&y) || triangle.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let [red, green, blue] = [0, 2, 4].map(|at| [triangle[at], triangle[at + 1]]);
    // Twice the signed area left of an edge: the same sign for all edges if white is inside.
    let side = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
    let sides = [side(red, green), side(green, blue), side(blue, red)];
    if !sides.iter().all(|side| *side > 1e-4) && !sides.iter().all(|side| *side < -1e-4) {
        return None;
    }
    let point = |[x, y]: [f64; 2]| Xyzd { x, y, z: 1.0 - x - y };
    let mut profile = base_profile(DataColorSpace::Rgb);
    profile.update_rgb_colorimetry_triplet(XyY::new(x, y, 1.0), point(red), point(green), point(blue));
    profile.chromatic_adaptation = Some(adaptation([x, y]));
    (profile.red_trc, profile.green_trc) = (Some(curve.clone()), Some(curve.clone()));
    profile.blue_trc = Some(curve);
    is_invertible(&profile.colorant_matrix()).then_some(profile)
}

fn grey_of(curve: ToneReprCurve) -> ColorProfile {
    let mut profile = base_profile(DataColorSpace::Gray);
    profile.gray_trc = Some(curve);
    profile
}

fn text(text: &str) -> Option<ProfileText> {
    let text = LocalizableString::new("en".to_owned(), "US".to_owned(), text.to_owned());
    Some(ProfileText::Localizable(vec![text]))
}

/// The profile's bytes with a fixed date instead of the current one, which moxcms writes: the same image always yields
/// the same bytes.
fn encoded(profile: &ColorProfile) -> Option<Vec<u8>> {
    let mut bytes = guarded(|| profile.encode().ok())?;
    let date = DATE.map(u16::to_be_bytes);
    bytes.get_mut(24..36)?.copy_from_slice(date.as_flattened());
    Some(bytes)
}

/// The common part of all generated profiles: a display profile relative to the D50 white of print.
fn base_profile(space: DataColorSpace) -> ColorProfile {
    let d50 = Xyzd { x: 0.9642, y: 1.0, z: 0.8249 };
    let mut profile = ColorProfile::default();
    profile.color_space = space;
    profile.white_point = d50;
    profile.media_white_point = Some(d50);
    profile.chromatic_adaptation = Some(adaptation(D65));
    profile.description = text("Colours as the photo says");
    profile.copyright = text("CC0");
    profile
}

/// Chromatic adaptation from `white` to D50.
fn adaptation([x, y]: [f64; 2]) -> Matrix3d {
    let white = Xyz { x: (x / y) as f32, y: 1.0, z: ((1.0 - x - y) / y) as f32 };
    adaption_matrix_d(white, Xyz { x: 0.9642, y: 1.0, z: 0.8249 })
}
