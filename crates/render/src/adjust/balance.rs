//! Automatic white balance: what should be grey is found, and how far from grey it is.
//!
//! Shades of grey (Finlayson and Trezzi, "Shades of Gray and Colour Constancy", 2004: the mean of sixth powers, so that the
//! lighter parts say more) over what is near to grey, looked for again after each estimate. A photo without anything near
//! grey, or of one colour alone, says nothing about the light it was taken in: it is left as it is.

use geometry::{Point, Size};
use picture::{Filter, Picture, SourceBox, resize};
use plan::PlannedCrop;

use super::tone::{Tone, balanced, to_light};

/// Factors of red, green and blue light.
pub(crate) type Gains = [f32; 3];

/// Sides of the small copy that is looked at. The same for every size of the crop, so that all of them get the same balance.
const LOOK: Size = Size::new(64, 64);

/// The least and the most factor: casts beyond are more likely the colour of what is in the photo.
const LIMITS: [f64; 2] = [0.75, 1.33];

/// How far from grey counts as near, as the difference of the largest and the smallest light over the largest.
const NEAR_GREY: f64 = 0.42;

/// Where between red (0) and yellow (1) the hue of skin ends and where that of warm light begins. Measured on six portraits:
/// skin lies at 0.05 to 0.32. Grey in light that lacks blue lies above 0.6. Without this a fair face is taken for grey.
const SKIN_TO_LIGHT: [f64; 2] = [0.3, 0.5];

/// How near to grey nothing has a hue to be judged by.
const NO_HUE: f64 = 0.12;

/// The power of means.
const NORM: i32 = 6;

/// Weight of all that is near grey, as a share of what was looked at, from which on an estimate is wholly believed.
const ENOUGH: f64 = 0.08;

/// How much the colours of a photo differ (standard deviation of the logarithm of their ratios), from where on they may and
/// where on they surely do tell the light from the colour of things.
const VARIED: [f64; 2] = [0.02, 0.08];

/// Changes of less than this are not worth making.
const MIN_CHANGE: f64 = 0.004;

/// The factors that take the colour cast out of what `planned` shows of `picture`; `None` where there is nothing to do.
pub(crate) fn gains(picture: &Picture, planned: &PlannedCrop) -> Option<Gains> {
    let lights = lights(picture, planned)?;
    let varied = variety(&lights);
    let trust = ((varied - VARIED[0]) / (VARIED[1] - VARIED[0])).clamp(0.0, 1.0);
    let mut gains = [1.0; 3];
    let mut weight = 0.0;
    for _ in 0..4 {
        (gains, weight) = estimate(&lights, gains)?;
    }
    let trust = trust * (weight / lights.len() as f64 / ENOUGH).clamp(0.0, 1.0);
    let gains = gains.map(|gain| gain.clamp(LIMITS[0], LIMITS[1]).powf(trust));
    let changes = gains.iter().any(|gain| (gain - 1.0).abs() > MIN_CHANGE);
    changes.then(|| gains.map(|gain| gain as f32))
}

/// The light of what can be judged in the frame: neither too dark nor too light nor transparent.
fn lights(picture: &Picture, planned: &PlannedCrop) -> Option<Vec<[f64; 3]>> {
    let channels = picture.pixels.channels();
    if channels.is_grey() {
        return None;
    }
    let seen = planned.bounds().clipped_to(picture.size())?;
    let part = SourceBox { x: seen.x.into(), y: seen.y.into(), width: seen.width.into(), height: seen.height.into() };
    let small = resize(&picture.pixels, picture.source_box(part), LOOK, Filter::Area).ok()?;
    let small = small.into_8_bits();
    let tone = Tone::of(channels, picture.info.icc_profile.as_deref());
    let light: Vec<f64> =
        (0..=u8::MAX).map(|sample| to_light(f64::from(tone.value(f32::from(sample) / 255.0)))).collect();
    let crop_from_picture = planned.picture_from_crop().inverse()?;
    let (across, down) = (part.width / f64::from(LOOK.width), part.height / f64::from(LOOK.height));
    let (width, height) = (planned.output.width as f32, planned.output.height as f32);
    let in_frame = |index: usize| {
        let [x, y] = [index as u32 % LOOK.width, index as u32 / LOOK.width].map(|at| f64::from(at) + 0.5);
        let point = Point::new((part.x + x * across) as f32, (part.y + y * down) as f32);
        let at = crop_from_picture.apply(point);
        (0.0..=width).contains(&at.x) && (0.0..=height).contains(&at.y)
    };
    let pixels = small.as_u8()?.chunks_exact(channels.count()).enumerate();
    let judged = pixels.filter(|(index, pixel)| {
        let max = pixel[..3].iter().max().copied().unwrap_or(0);
        let opaque = !channels.has_alpha() || pixel[3] > 250;
        opaque && max < 250 && light[usize::from(max)] > 0.02 && in_frame(*index)
    });
    let lights: Vec<[f64; 3]> = judged.map(|(_, pixel)| [0, 1, 2].map(|at| light[usize::from(pixel[at])])).collect();
    (!lights.is_empty()).then_some(lights)
}

/// Factors from what is near grey after `gains`, and the weight of that.
fn estimate(lights: &[[f64; 3]], gains: [f64; 3]) -> Option<([f64; 3], f64)> {
    let mut sums = [0.0; 3];
    let mut all = 0.0;
    for light in lights {
        // Near grey as it is, and the nearer to grey after `gains`, the more it counts. What only the balance itself makes
        // grey does not count at all: so would every colour in the end.
        let off = off_grey(*light);
        if off > NEAR_GREY {
            continue;
        }
        let now = std::array::from_fn(|at| balanced(light[at], gains[at]));
        let weight = (1.0 - off_grey(now) / NEAR_GREY).max(0.0).powi(2) * not_skin(*light, off);
        all += weight;
        for (sum, light) in sums.iter_mut().zip(light) {
            *sum += weight * light.powi(NORM);
        }
    }
    if all <= 0.0 || sums.iter().any(|sum| *sum <= 0.0) {
        return None;
    }
    let [red, green, blue] = sums.map(|sum| (sum / all).powf(1.0 / f64::from(NORM)));
    // As light as before (ITU-R BT.709).
    let light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    Some(([red, green, blue].map(|mean| (light / mean).clamp(0.5, 2.0)), all))
}

fn off_grey(light: [f64; 3]) -> f64 {
    let (min, max) = light.iter().fold((f64::INFINITY, 0.0f64), |(a, b), v| (a.min(*v), b.max(*v)));
    (max - min) / max.max(1e-6)
}

/// 0 for what has the hue of skin and is `off` grey, 1 for all else, with a slope between.
fn not_skin([red, green, blue]: [f64; 3], off: f64) -> f64 {
    if !(red > green && green >= blue) {
        return 1.0;
    }
    let [skin, warm] = SKIN_TO_LIGHT;
    let by_hue = ((green - blue) / (red - blue) - skin) / (warm - skin);
    by_hue.max(1.0 - off / NO_HUE).clamp(0.0, 1.0)
}

/// How much the ratios of red to green and of blue to green differ over the photo.
fn variety(lights: &[[f64; 3]]) -> f64 {
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
