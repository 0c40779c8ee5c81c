//! Conversion of strip and tile samples to pixels.

use tiff::decoder::DecodingResult;

use outcome::{Channels, DecodeError};

use super::NAME;
use super::page::{Alpha, Ink, Page, Sample};
use crate::Pixels;
use crate::color::cmyk_to_rgb;
use crate::formats::Header;
use crate::formats::parts::{broken, unsupported};

/// The position of a strip's or tile's pixels in the image.
pub(super) struct ChunkArea {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) columns: usize,
    pub(super) rows: usize,
}

/// Collects the samples of the image.
pub(super) struct Converter {
    width: usize,
    /// Stored samples per pixel: those of the colours, then alpha.
    kept: usize,
    samples: Samples,
}

enum Samples {
    Shallow(Vec<u8>),
    Deep(Vec<u16>),
}

impl Converter {
    pub(super) fn new(page: &Page, header: &Header) -> Self {
        let kept = page.ink.count() + usize::from(page.alpha != Alpha::None);
        let count = header.stored.pixels() as usize * kept;
        let samples = if header.layout.deep { Samples::Deep(vec![0; count]) } else { Samples::Shallow(vec![0; count]) };
        Self { width: header.stored.width as usize, kept, samples }
    }

    /// Adds the samples of a strip or tile: all of them, or one plane if they are planar.
    pub(super) fn put(
        &mut self,
        page: &Page,
        area: &ChunkArea,
        plane: usize,
        samples: DecodingResult,
    ) -> Result<(), DecodeError> {
        if page.is_planar && plane >= self.kept {
            return Ok(());
        }
        let wrong = || broken(NAME, "the samples of a strip or tile do not match the image");
        let samples = match (samples, page.sample) {
            (DecodingResult::U8(samples), Sample::Bits(8)) => Samples::Shallow(samples),
            (DecodingResult::U8(samples), Sample::Bits(bits)) => {
                let scaled = !matches!(page.ink, Ink::Palette(_));
                Samples::Shallow(unpacked(&samples, bits.into(), scaled, area.columns))
            }
            (DecodingResult::U16(samples), Sample::Short) => Samples::Deep(samples),
            (DecodingResult::U32(samples), Sample::Long) => {
                Samples::Deep(samples.into_iter().map(|sample| (sample >> 16) as u16).collect())
            }
            (DecodingResult::F32(samples), Sample::Float) => Samples::Deep(from_floats(samples.into_iter())?),
            (DecodingResult::F16(samples), Sample::Half) => {
                Samples::Deep(from_floats(samples.into_iter().map(f32::from))?)
            }
            _ => return Err(wrong()),
        };
        let spread = Spread {
            area,
            width: self.width,
            kept: self.kept,
            step: if page.is_planar { 1 } else { page.samples },
            plane: page.is_planar.then_some(plane),
        };
        let done = match (&mut self.samples, &samples) {
            (Samples::Shallow(target), Samples::Shallow(source)) => spread.over(target, source, |sample| sample),
            (Samples::Deep(target), Samples::Deep(source)) => spread.over(target, source, |sample| sample),
            // CMYK is converted at 8 bits.
            (Samples::Shallow(target), Samples::Deep(source)) => spread.over(target, source, to_8_bits),
            (Samples::Deep(_), Samples::Shallow(_)) => None,
        };
        done.ok_or_else(wrong)
    }

    /// The pixels, after all strips and tiles were added.
    pub(super) fn finish(self, page: &Page, header: &Header, profile: Option<&[u8]>) -> Option<Pixels> {
        let (size, channels) = (header.stored, header.layout.channels);
        match self.samples {
            Samples::Shallow(samples) => {
                let mut pixels = match &page.ink {
                    Ink::Cmyk => from_cmyk(&samples, self.kept, profile),
                    Ink::Palette(colours) => from_palette(&samples, self.kept, colours),
                    Ink::YCbCr(weights) => from_ycbcr(samples, self.kept, *weights),
                    Ink::Grey { .. } | Ink::Rgb => samples,
                };
                plain(&mut pixels, page, channels, u8::MAX);
                if page.alpha == Alpha::Associated && !matches!(page.ink, Ink::Cmyk | Ink::Palette(_)) {
                    for pixel in pixels.chunks_exact_mut(channels.count()) {
                        divide(pixel, u8::MAX.into(), |sample| sample as u8);
                    }
                }
                Pixels::from_u8(size, channels, pixels)
            }
            Samples::Deep(mut pixels) => {
                plain(&mut pixels, page, channels, u16::MAX);
                if page.alpha == Alpha::Associated {
                    for pixel in pixels.chunks_exact_mut(channels.count()) {
                        divide(pixel, u16::MAX.into(), |sample| sample as u16);
                    }
                }
                Pixels::from_u16(size, channels, pixels)
            }
        }
    }
}

/// The destination of a strip's or tile's samples.
struct Spread<'a> {
    area: &'a ChunkArea,
    width: usize,
    kept: usize,
    /// Samples from one source pixel to the next.
    step: usize,
    plane: Option<usize>,
}

impl Spread<'_> {
    /// `None` if the source is too short.
    fn over<T: Copy, S: Copy>(&self, target: &mut [T], source: &[S], convert: impl Fn(S) -> T) -> Option<()> {
        let ChunkArea { left, top, columns, rows } = *self.area;
        for y in 0..rows {
            let line = source.get(y * columns * self.step..(y + 1) * columns * self.step)?;
            let start = ((top + y) * self.width + left) * self.kept;
            let place = target.get_mut(start..start + columns * self.kept)?;
            for (pixel, from) in place.chunks_exact_mut(self.kept).zip(line.chunks_exact(self.step)) {
                match self.plane {
                    Some(plane) => *pixel.get_mut(plane)? = convert(from[0]),
                    None => pixel.iter_mut().zip(from).for_each(|(sample, from)| *sample = convert(*from)),
                }
            }
        }
        Some(())
    }
}

/// Inverts grey whose white is zero.
fn plain<T: Copy + std::ops::Sub<Output = T>>(samples: &mut [T], page: &Page, channels: Channels, max: T) {
    if matches!(page.ink, Ink::Grey { white_is_zero: true }) {
        for grey in samples.iter_mut().step_by(channels.count()) {
            *grey = max - *grey;
        }
    }
}

/// Converts colour premultiplied by alpha, the last sample, to straight alpha.
fn divide<T: Copy + Into<u32>>(pixel: &mut [T], max: u32, narrow: impl Fn(u32) -> T) {
    let Some((alpha, colours)) = pixel.split_last_mut() else { return };
    let alpha = u64::from((*alpha).into());
    for colour in colours {
        let whole = u64::from((*colour).into()) * u64::from(max);
        let divided = (whole + alpha / 2).checked_div(alpha).unwrap_or(0);
        *colour = narrow(divided.min(u64::from(max)) as u32);
    }
}

/// Unpacks samples of `bits` bits in rows of `columns`, each starting at a byte boundary, to 8 bits: scaled or
/// unchanged.
fn unpacked(bytes: &[u8], bits: usize, scaled: bool, columns: usize) -> Vec<u8> {
    let max = (1_u8 << bits) - 1;
    let factor = if scaled { u8::MAX / max } else { 1 };
    let row = (columns * bits).div_ceil(8).max(1);
    let mut samples = Vec::with_capacity(bytes.len() / row * columns);
    for line in bytes.chunks_exact(row) {
        samples.extend((0..columns).map(|x| {
            let at = x * bits;
            (line[at / 8] >> (8 - bits - at % 8) & max) * factor
        }));
    }
    samples
}

fn to_8_bits(sample: u16) -> u8 {
    ((u32::from(sample) + 128) / 257) as u8
}

fn from_floats(samples: impl Iterator<Item = f32>) -> Result<Vec<u16>, DecodeError> {
    // Rounding may carry a sample slightly out of range.
    const SLACK: f32 = 1e-4;
    let convert = |sample: f32| {
        let fits = (-SLACK..=1.0 + SLACK).contains(&sample);
        fits.then_some((sample.clamp(0.0, 1.0) * 65_535.0).round() as u16)
    };
    let message = "floating-point samples outside 0 to 1; save it as 16 bits first";
    samples.map(convert).collect::<Option<_>>().ok_or_else(|| unsupported(NAME, message))
}

fn from_cmyk(samples: &[u8], kept: usize, profile: Option<&[u8]>) -> Vec<u8> {
    if kept == 4 {
        return cmyk_to_rgb(samples, profile);
    }
    let inks: Vec<u8> = samples.chunks_exact(kept).flat_map(|pixel| pixel[..4].iter().copied()).collect();
    let rgb = cmyk_to_rgb(&inks, profile);
    let (colours, _) = rgb.as_chunks::<3>();
    let pixels = colours.iter().zip(samples.chunks_exact(kept));
    pixels.flat_map(|([red, green, blue], pixel)| [*red, *green, *blue, pixel[4]]).collect()
}

fn from_palette(samples: &[u8], kept: usize, colours: &[[u8; 3]]) -> Vec<u8> {
    let mut pixels = Vec::with_capacity(samples.len() / kept * (kept + 2));
    for pixel in samples.chunks_exact(kept) {
        pixels.extend(colours.get(usize::from(pixel[0])).copied().unwrap_or_default());
        pixels.extend_from_slice(&pixel[1..]);
    }
    pixels
}

/// Full-range YCbCr with the luma weights of red, green and blue in ten thousandths (TIFF 6.0, section 21).
fn from_ycbcr(mut samples: Vec<u8>, kept: usize, weights: [u16; 3]) -> Vec<u8> {
    let [red, green, blue] = weights.map(|weight| f32::from(weight) / 1e4);
    let green = green.max(1e-4);
    for pixel in samples.chunks_exact_mut(kept) {
        let [luma, cb, cr] = [pixel[0], pixel[1], pixel[2]].map(f32::from);
        let r = luma + (2.0 - 2.0 * red) * (cr - 128.0);
        let b = luma + (2.0 - 2.0 * blue) * (cb - 128.0);
        let g = (luma - red * r - blue * b) / green;
        for (sample, value) in pixel.iter_mut().zip([r, g, b]) {
            *sample = value.round().clamp(0.0, 255.0) as u8;
        }
    }
    samples
}
