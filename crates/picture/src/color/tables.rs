//! Profiles made of tables: from any ink or colour to sRGB, darkest to black.

use std::sync::Arc;

use moxcms::{ColorProfile, DataColorSpace, Layout, ProfileVersion, RenderingIntent, Transform16BitExecutor};

use super::curve::{light_to_srgb, srgb_to_light};
use super::{CHUNK, options};

/// Light of the darkest colour that perceptual tables of version 4 aim at (ICC.1:2022 section 6.3.3).
const PERCEPTUAL_BLACK: f64 = 0.003_473_1;

/// The lightest black that is made black: lightness 50. What is lighter was not meant as black.
const LIGHTEST_BLACK: f64 = 0.184_187;

/// A conversion by tables, with 16 bits a sample: what lies near black is stretched, which 8 bits would show.
///
/// It goes by way of a space wide enough for every ink. The library works out the tables anew on a grid; were that of sRGB,
/// whatever sRGB cannot show would be cut off at the grid's points, and colours between them would be off by ten levels.
pub(super) struct Tables {
    to_wide: Arc<Transform16BitExecutor>,
    from_wide: Arc<Transform16BitExecutor>,
    /// Samples of a pixel before and after.
    counts: (usize, usize),
    /// From the sRGB value of 16 bits that the tables give to that with black made black.
    deepened: Option<Vec<u16>>,
}

impl Tables {
    /// True where `profile` is converted by tables.
    pub(super) fn are_in(profile: &ColorProfile) -> bool {
        [&profile.lut_a_to_b_perceptual, &profile.lut_a_to_b_colorimetric, &profile.lut_a_to_b_saturation]
            .into_iter()
            .any(Option::is_some)
    }

    /// The way of converting that `profile` has a table for, the perceptual one first.
    pub(super) fn intent(profile: &ColorProfile) -> RenderingIntent {
        if profile.lut_a_to_b_perceptual.is_some() {
            RenderingIntent::Perceptual
        } else if profile.lut_a_to_b_colorimetric.is_some() {
            RenderingIntent::RelativeColorimetric
        } else if profile.lut_a_to_b_saturation.is_some() {
            RenderingIntent::Saturation
        } else {
            RenderingIntent::Perceptual
        }
    }

    /// Readies the tables of `profile`; `None` where they cannot be used.
    pub(super) fn new(profile: &ColorProfile, from: Layout, to: Layout) -> Option<Self> {
        let mut options = options(true);
        options.rendering_intent = Self::intent(profile);
        let wide = wide();
        let to_wide = profile.create_transform_16bit(from, &wide, to, options).ok()?;
        let from_wide = wide.create_transform_16bit(to, &ColorProfile::new_srgb(), to, super::options(true)).ok()?;
        let counts = (from.channels(), to.channels());
        let mut tables = Self { to_wide, from_wide, counts, deepened: None };
        let black = tables.black(profile)?;
        // Below a fifth of the smallest step of 8 bits nothing would change.
        if black > 0.000_06 {
            tables.deepened = Some((0..=u16::MAX).map(|value| deepened(value, black)).collect());
        }
        Some(tables)
    }

    /// The light of the darkest colour of `profile`.
    fn black(&self, profile: &ColorProfile) -> Option<f64> {
        let is_new = !matches!(
            profile.version(),
            ProfileVersion::V2_0
                | ProfileVersion::V2_1
                | ProfileVersion::V2_2
                | ProfileVersion::V2_3
                | ProfileVersion::V2_4
        );
        if is_new && Self::intent(profile) != RenderingIntent::RelativeColorimetric {
            return Some(PERCEPTUAL_BLACK);
        }
        let darkest = if profile.color_space == DataColorSpace::Cmyk { u16::MAX } else { 0 };
        let mut seen = vec![0; self.counts.1];
        self.shown(&vec![darkest; self.counts.0], &mut seen)?;
        let light: f64 = [0.2126, 0.7152, 0.0722]
            .iter()
            .zip(&seen)
            .map(|(weight, value)| weight * srgb_to_light(f64::from(*value) / 65_535.0))
            .sum();
        Some(light.min(LIGHTEST_BLACK))
    }

    /// Converts pixels of `count` samples in place; a fourth sample is alpha and stays.
    pub(super) fn convert_8_bits(&self, samples: &mut [u8], count: usize) -> Option<()> {
        let mut source = vec![0; (CHUNK * count).min(samples.len())];
        let mut target = source.clone();
        for samples in samples.chunks_mut(CHUNK * count) {
            let (source, target) = (&mut source[..samples.len()], &mut target[..samples.len()]);
            source.iter_mut().zip(samples.iter()).for_each(|(deep, sample)| *deep = u16::from(*sample) * 257);
            self.shown(source, target)?;
            for (pixel, seen) in samples.chunks_exact_mut(count).zip(target.chunks_exact(count)) {
                pixel.iter_mut().zip(seen).take(3).for_each(|(sample, seen)| *sample = self.shallow(*seen));
            }
        }
        Some(())
    }

    /// As [`Tables::convert_8_bits`], with 16 bits a sample.
    pub(super) fn convert_16_bits(&self, samples: &mut [u16], count: usize) -> Option<()> {
        let mut target = vec![0; (CHUNK * count).min(samples.len())];
        for samples in samples.chunks_mut(CHUNK * count) {
            let target = &mut target[..samples.len()];
            self.shown(samples, target)?;
            for (pixel, seen) in samples.chunks_exact_mut(count).zip(target.chunks_exact(count)) {
                pixel.iter_mut().zip(seen).take(3).for_each(|(sample, seen)| *sample = self.deep(*seen));
            }
        }
        Some(())
    }

    /// Four bytes of ink a pixel to three of sRGB.
    pub(super) fn inks_to_rgb(&self, inks: &[u8], rgb: &mut [u8]) -> Option<()> {
        let mut source = vec![0; CHUNK * 4];
        let mut target = vec![0; CHUNK * 3];
        for (inks, rgb) in inks.chunks(CHUNK * 4).zip(rgb.chunks_mut(CHUNK * 3)) {
            let (source, target) = (&mut source[..inks.len()], &mut target[..rgb.len()]);
            source.iter_mut().zip(inks).for_each(|(deep, ink)| *deep = u16::from(*ink) * 257);
            self.shown(source, target)?;
            rgb.iter_mut().zip(target.iter()).for_each(|(sample, seen)| *sample = self.shallow(*seen));
        }
        Some(())
    }

    /// What the tables give, black as it is.
    fn shown(&self, source: &[u16], target: &mut [u16]) -> Option<()> {
        let mut wide = vec![0; target.len()];
        self.to_wide.transform(source, &mut wide).ok()?;
        self.from_wide.transform(&wide, target).ok()
    }

    fn deep(&self, seen: u16) -> u16 {
        self.deepened.as_ref().map_or(seen, |deepened| deepened[usize::from(seen)])
    }

    fn shallow(&self, seen: u16) -> u8 {
        ((u32::from(self.deep(seen)) + 128) / 257) as u8
    }
}

/// A space that holds every ink, with a curve about as even to the eye as that of sRGB.
fn wide() -> ColorProfile {
    let mut wide = ColorProfile::new_pro_photo_rgb();
    let srgb = ColorProfile::new_srgb();
    (wide.red_trc, wide.green_trc, wide.blue_trc) = (srgb.red_trc, srgb.green_trc, srgb.blue_trc);
    wide
}

/// The sRGB value of 16 bits that `value` becomes where `black` becomes 0 and white stays. Black is taken as neutral, so
/// the same holds for red, green and blue.
fn deepened(value: u16, black: f64) -> u16 {
    let light = srgb_to_light(f64::from(value) / 65_535.0);
    let stretched = ((light - black) / (1.0 - black)).clamp(0.0, 1.0);
    (light_to_srgb(stretched) * 65_535.0).round() as u16
}
