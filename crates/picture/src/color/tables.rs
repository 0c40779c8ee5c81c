//! Table (LUT) profiles: from any device colour to sRGB, with black point compensation.

use std::sync::Arc;

use moxcms::{ColorProfile, DataColorSpace, Layout, ProfileVersion, RenderingIntent, Transform16BitExecutor};

use super::curve::{light_to_srgb, srgb_to_light};
use super::{CHUNK, options};

/// The black point luminance of version 4 perceptual tables (ICC.1:2022 section 6.3.3).
const PERCEPTUAL_BLACK_LIGHT: f64 = 0.003_473_1;

/// Maximum luminance of a black point to compensate: lightness 50. Lighter colours are not meant as black.
const MAX_BLACK_LIGHT: f64 = 0.184_187;

/// A table conversion with 16 bits per sample: black point compensation stretches dark values, which would be visible
/// at 8 bits.
///
/// It goes through a colour space that contains every ink. The library resamples the tables on a grid; with sRGB as the
/// destination, out-of-gamut grid points would be clipped, and colours between them would be off by ten levels.
pub(super) struct Tables {
    to_wide: Arc<Transform16BitExecutor>,
    from_wide: Arc<Transform16BitExecutor>,
    /// Samples per pixel before and after.
    counts: (usize, usize),
    /// Black point compensation as a lookup table on 16-bit sRGB values.
    compensated: Option<Vec<u16>>,
}

impl Tables {
    /// True if `profile` needs a table conversion.
    pub(super) fn applies_to(profile: &ColorProfile) -> bool {
        [&profile.lut_a_to_b_perceptual, &profile.lut_a_to_b_colorimetric, &profile.lut_a_to_b_saturation]
            .into_iter()
            .any(Option::is_some)
    }

    /// The rendering intent that `profile` has a table for, preferably the perceptual one.
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

    /// Prepares the tables of `profile`; `None` if they are unusable.
    pub(super) fn new(profile: &ColorProfile, from: Layout, to: Layout) -> Option<Self> {
        let mut options = options(true);
        options.rendering_intent = Self::intent(profile);
        let wide = wide();
        let to_wide = profile.create_transform_16bit(from, &wide, to, options).ok()?;
        let from_wide = wide.create_transform_16bit(to, &ColorProfile::new_srgb(), to, super::options(true)).ok()?;
        let counts = (from.channels(), to.channels());
        let mut tables = Self { to_wide, from_wide, counts, compensated: None };
        let black = tables.black(profile)?;
        // Below a fifth of the smallest 8-bit step nothing would change.
        if black > 0.000_06 {
            tables.compensated = Some((0..=u16::MAX).map(|value| compensated(value, black)).collect());
        }
        Some(tables)
    }

    /// The luminance of the darkest colour of `profile`.
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
            return Some(PERCEPTUAL_BLACK_LIGHT);
        }
        let darkest = if profile.color_space == DataColorSpace::Cmyk { u16::MAX } else { 0 };
        let mut converted = vec![0; self.counts.1];
        self.shown(&vec![darkest; self.counts.0], &mut converted)?;
        let light: f64 = [0.2126, 0.7152, 0.0722]
            .iter()
            .zip(&converted)
            .map(|(weight, value)| weight * srgb_to_light(f64::from(*value) / 65_535.0))
            .sum();
        Some(light.min(MAX_BLACK_LIGHT))
    }

    /// Converts pixels of `count` samples in place; a fourth sample is alpha and is unchanged.
    pub(super) fn convert_8_bits(&self, samples: &mut [u8], count: usize) -> Option<()> {
        let mut source = vec![0; (CHUNK * count).min(samples.len())];
        let mut target = source.clone();
        for samples in samples.chunks_mut(CHUNK * count) {
            let (source, target) = (&mut source[..samples.len()], &mut target[..samples.len()]);
            source.iter_mut().zip(samples.iter()).for_each(|(deep, sample)| *deep = u16::from(*sample) * 257);
            self.shown(source, target)?;
            for (pixel, converted) in samples.chunks_exact_mut(count).zip(target.chunks_exact(count)) {
                pixel
                    .iter_mut()
                    .zip(converted)
                    .take(3)
                    .for_each(|(sample, converted)| *sample = self.shallow(*converted));
            }
        }
        Some(())
    }

    /// Like [`Tables::convert_8_bits`], for 16-bit samples.
    pub(super) fn convert_16_bits(&self, samples: &mut [u16], count: usize) -> Option<()> {
        let mut target = vec![0; (CHUNK * count).min(samples.len())];
        for samples in samples.chunks_mut(CHUNK * count) {
            let target = &mut target[..samples.len()];
            self.shown(samples, target)?;
            for (pixel, converted) in samples.chunks_exact_mut(count).zip(target.chunks_exact(count)) {
                pixel.iter_mut().zip(converted).take(3).for_each(|(sample, converted)| *sample = self.deep(*converted));
            }
        }
        Some(())
    }

    /// Converts four bytes of ink per pixel to three of sRGB.
    pub(super) fn cmyk_to_rgb(&self, inks: &[u8], rgb: &mut [u8]) -> Option<()> {
        let mut source = vec![0; CHUNK * 4];
        let mut target = vec![0; CHUNK * 3];
        for (inks, rgb) in inks.chunks(CHUNK * 4).zip(rgb.chunks_mut(CHUNK * 3)) {
            let (source, target) = (&mut source[..inks.len()], &mut target[..rgb.len()]);
            source.iter_mut().zip(inks).for_each(|(deep, ink)| *deep = u16::from(*ink) * 257);
            self.shown(source, target)?;
            rgb.iter_mut().zip(target.iter()).for_each(|(sample, converted)| *sample = self.shallow(*converted));
        }
        Some(())
    }

    /// The table conversion without black point compensation.
    fn shown(&self, source: &[u16], target: &mut [u16]) -> Option<()> {
        let mut wide = vec![0; target.len()];
        self.to_wide.transform(source, &mut wide).ok()?;
        self.from_wide.transform(&wide, target).ok()
    }

    fn deep(&self, converted: u16) -> u16 {
        self.compensated.as_ref().map_or(converted, |compensated| compensated[usize::from(converted)])
    }

    fn shallow(&self, converted: u16) -> u8 {
        ((u32::from(self.deep(converted)) + 128) / 257) as u8
    }
}

/// A colour space that contains every ink, with a curve about as perceptually uniform as that of sRGB.
fn wide() -> ColorProfile {
    let mut wide = ColorProfile::new_pro_photo_rgb();
    let srgb = ColorProfile::new_srgb();
    (wide.red_trc, wide.green_trc, wide.blue_trc) = (srgb.red_trc, srgb.green_trc, srgb.blue_trc);
    wide
}

/// The 16-bit sRGB value of `value` after mapping `black` to 0 and preserving white. Black is assumed to be neutral, so
/// the same applies to red, green and blue.
fn compensated(value: u16, black: f64) -> u16 {
    let light = srgb_to_light(f64::from(value) / 65_535.0);
    let stretched = ((light - black) / (1.0 - black)).clamp(0.0, 1.0);
    (light_to_srgb(stretched) * 65_535.0).round() as u16
}
