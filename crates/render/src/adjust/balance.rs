//! Automatic white balance: detects near-grey pixels and estimates their colour cast.
//!
//! Shades of grey (Finlayson and Trezzi, "Shades of Gray and Colour Constancy", 2004: the mean of sixth powers, which
//! weights lighter pixels more) over near-grey pixels, selected again after each estimate. A photo without near-grey
//! pixels, or of a single colour, gives no estimate of the illuminant: it is not changed.

use geometry::{Point, Size};
use picture::{Filter, Picture, SourceBox, resize};
use plan::PlannedCrop;

use super::tone::{Tone, balanced, to_light};

/// Factors of red, green and blue in linear light.
pub(crate) type Gains = [f32; 3];

/// Size of the reduced copy for the estimate. It is the same for every crop size, so that all sizes get the same
/// balance.
const ANALYSIS_SIZE: Size = Size::new(64, 64);

/// Minimum and maximum factor: larger casts are more likely the colour of objects.
const GAIN_LIMITS: [f64; 2] = [0.75, 1.33];

/// Near-grey threshold: the difference of the largest and the smallest channel over the largest, in linear light.
const NEAR_GREY: f64 = 0.42;

/// Hue range, from red (0) to yellow (1), between skin and warm light. Measured on six portraits: skin is at 0.05 to
/// 0.32. Grey in light that lacks blue is above 0.6. Without this limit, fair skin is classified as grey.
const SKIN_TO_WARM_LIGHT: [f64; 2] = [0.3, 0.5];

/// Saturation below which the hue is undefined.
const MIN_SATURATION: f64 = 0.12;

/// Exponent of the Minkowski mean.
const NORM: i32 = 6;

/// Weight of the near-grey pixels, as a fraction of all pixels, for full confidence in an estimate.
const FULL_WEIGHT: f64 = 0.08;

/// Colour variation of a photo (standard deviation of the logarithm of the channel ratios): confidence in the estimate
/// is 0 at the first value and full from the second.
const VARIATION: [f64; 2] = [0.02, 0.08];

/// Smaller changes are skipped.
const MIN_CHANGE: f64 = 0.004;

/// The factors that remove the colour cast from the part of `picture` in `planned`; `None` if no change is needed.
pub(crate) fn gains(picture: &Picture, planned: &PlannedCrop) -> Option<Gains> {
    let lights = lights(picture, planned)?;
    let varied = variation(&lights);
    let confidence = ((varied - VARIATION[0]) / (VARIATION[1] - VARIATION[0])).clamp(0.0, 1.0);
    let mut gains = [1.0; 3];
    let mut weight = 0.0;
    for _ in 0..4 {
        (gains, weight) = estimate(&lights, gains)?;
    }
    let confidence = confidence * (weight / lights.len() as f64 / FULL_WEIGHT).clamp(0.0, 1.0);
    let gains = gains.map(|gain| gain.clamp(GAIN_LIMITS[0], GAIN_LIMITS[1]).powf(confidence));
    let changes = gains.iter().any(|gain| (gain - 1.0).abs() > MIN_CHANGE);
    changes.then(|| gains.map(|gain| gain as f32))
}

/// Linear light of the usable pixels in the frame: not too dark, not too bright and not transparent.
fn lights(picture: &Picture, planned: &PlannedCrop) -> Option<Vec<[f64; 3]>> {
    let channels = picture.pixels.channels();
    if channels.is_grey() {
        return None;
    }
    let visible = planned.bounds().clipped_to(picture.size())?;
    let part = SourceBox {
        x: visible.x.into(),
        y: visible.y.into(),
        width: visible.width.into(),
        height: visible.height.into(),
    };
    let small = resize(&picture.pixels, picture.source_box(part), ANALYSIS_SIZE, Filter::Area).ok()?;
    let small = small.into_8_bits();
    let tone = Tone::of(channels, picture.info.icc_profile.as_deref());
    let light: Vec<f64> =
        (0..=u8::MAX).map(|sample| to_light(f64::from(tone.value(f32::from(sample) / 255.0)))).collect();
    let crop_from_image = planned.image_from_crop().inverse()?;
    let (across, down) = (part.width / f64::from(ANALYSIS_SIZE.width), part.height / f64::from(ANALYSIS_SIZE.height));
    let (width, height) = (planned.output.width as f32, planned.output.height as f32);
    let in_frame = |index: usize| {
        let [x, y] =
            [index as u32 % ANALYSIS_SIZE.width, index as u32 / ANALYSIS_SIZE.width].map(|at| f64::from(at) + 0.5);
        let point = Point::new((part.x + x * across) as f32, (part.y + y * down) as f32);
        let at = crop_from_image.apply(point);
        (0.0..=width).contains(&at.x) && (0.0..=height).contains(&at.y)
    };
    let pixels = small.as_u8()?.chunks_exact(channels.count()).enumerate();
    let usable = pixels.filter(|(index, pixel)| {
        let max = pixel[..3].iter().max().copied().unwrap_or(0);
        let opaque = !channels.has_alpha() || pixel[3] > 250;
        opaque && max < 250 && light[usize::from(max)] > 0.02 && in_frame(*index)
    });
    let lights: Vec<[f64; 3]> = usable.map(|(_, pixel)| [0, 1, 2].map(|at| light[usize::from(pixel[at])])).collect();
    (!lights.is_empty()).then_some(lights)
}

/// Factors from pixels that are near grey after `gains`, and their total weight.
fn estimate(lights: &[[f64; 3]], gains: [f64; 3]) -> Option<([f64; 3], f64)> {
    let mut sums = [0.0; 3];
    let mut all = 0.0;
    for light in lights {
        // Pixels must be near grey before the balance; they weigh more the closer they are to grey after `gains`.
        // Pixels that become grey only through the balance do not count: otherwise every colour would in the end.
        let off = saturation(*light);
        if off > NEAR_GREY {
            continue;
        }
        let now = std::array::from_fn(|at| balanced(light[at], gains[at]));
        let weight = (1.0 - saturation(now) / NEAR_GREY).max(0.0).powi(2) * not_skin(*light, off);
        all += weight;
        for (sum, light) in sums.iter_mut().zip(light) {
            *sum += weight * light.powi(NORM);
        }
    }
    if all <= 0.0 || sums.iter().any(|sum| *sum <= 0.0) {
        return None;
    }
    let [red, green, blue] = sums.map(|sum| (sum / all).powf(1.0 / f64::from(NORM)));
    // Preserves luminance (ITU-R BT.709).
    let light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    Some(([red, green, blue].map(|mean| (light / mean).clamp(0.5, 2.0)), all))
}

fn saturation(light: [f64; 3]) -> f64 {
    let (min, max) = light.iter().fold((f64::INFINITY, 0.0f64), |(a, b), v| (a.min(*v), b.max(*v)));
    (max - min) / max.max(1e-6)
}

/// Weight of a colour with saturation `off`: 0 for the hue of skin, 1 for other hues, with a ramp between.
fn not_skin([red, green, blue]: [f64; 3], off: f64) -> f64 {
    if !(red > green && green >= blue) {
        return 1.0;
    }
    let [skin, warm] = SKIN_TO_WARM_LIGHT;
    let by_hue = ((green - blue) / (red - blue) - skin) / (warm - skin);
    by_hue.max(1.0 - off / MIN_SATURATION).clamp(0.0, 1.0)
}

/// Variation of the ratios red to green and blue to green across the photo.
fn variation(lights: &[[f64; 3]]) -> f64 {
    let ratio = |a: f64, b: f64| (a.max(1e-4) / b.max(1e-4)).ln();
    let spread = |of: fn(&[f64; 3]) -> [f64; 2]| {
        let ratios = lights.iter().map(|light| {
            let [a, b] = of(light);
            ratio(a, b)
        });
        let count = lights.len().max(1) as f64;
        let mean = ratios.clone().sum::<f64>() / count;
        (ratios.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
    };
    spread(|[red, green, _]| [*red, *green]).max(spread(|[_, green, blue]| [*blue, *green]))
}
