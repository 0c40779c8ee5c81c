//! Flattening of transparency.

use outcome::Channels;
use recipe::Color;

use crate::{Pixels, Samples, from_srgb};

/// Composites pixels of `profile` over `fill` and removes alpha. Grey stays grey if the fill permits.
pub fn over_fill(pixels: Pixels, fill: Color, profile: Option<&[u8]>) -> Pixels {
    if !pixels.channels().has_alpha() {
        return pixels;
    }
    let grey = pixels.channels().is_grey() && (fill.is_grey() || is_opaque(&pixels));
    let channels = if grey { Channels::La } else { Channels::Rgba };
    let pixels = pixels.into_channels(channels);
    let below = from_srgb(fill.rgb, profile);
    let below = &below[..channels.count() - 1];
    let mixed = match pixels.samples() {
        Samples::U8(samples) => {
            let below: Vec<u8> = below.iter().map(|below| ((u32::from(*below) + 128) / 257) as u8).collect();
            Samples::U8(mixed(samples, &below, u8::MAX, |mixed| mixed as u8))
        }
        Samples::U16(samples) => Samples::U16(mixed(samples, below, u16::MAX, |mixed| mixed as u16)),
    };
    // The number of samples matches the size, since they were derived from pixels of that size.
    Pixels::new(pixels.size(), channels.without_alpha(), mixed).unwrap_or(pixels)
}

/// True if every pixel is opaque.
pub fn is_opaque(pixels: &Pixels) -> bool {
    if !pixels.channels().has_alpha() {
        return true;
    }
    let count = pixels.channels().count();
    match pixels.samples() {
        Samples::U8(samples) => samples.chunks_exact(count).all(|pixel| pixel[count - 1] == u8::MAX),
        Samples::U16(samples) => samples.chunks_exact(count).all(|pixel| pixel[count - 1] == u16::MAX),
    }
}

/// Samples without alpha: `above` composited over `below`; alpha is the last sample of each pixel.
fn mixed<T: Copy + Into<u32>>(above: &[T], below: &[T], max: T, narrow: impl Fn(u32) -> T) -> Vec<T> {
    let count = below.len() + 1;
    let max = max.into();
    let mut flat = Vec::with_capacity(above.len() / count * below.len());
    for pixel in above.chunks_exact(count) {
        let alpha = pixel[count - 1].into();
        // The largest sum is 65,535 x 65,535 plus half of 65,535, which fits 32 bits.
        let mix = |above: T, below: T| narrow((above.into() * alpha + below.into() * (max - alpha) + max / 2) / max);
        flat.extend(pixel.iter().zip(below).map(|(above, below)| mix(*above, *below)));
    }
    flat
}

#[cfg(test)]
mod tests {
    use geometry::Size;

    use super::*;

    #[test]
    fn flattening_is_exact_at_both_ends_and_rounded_between() {
        let flat = |alpha| {
            let pixels = Pixels::from_u8(Size::new(1, 1), Channels::Rgba, vec![10, 20, 30, alpha]).expect("fits");
            over_fill(pixels, Color::WHITE, None).as_u8().expect("8 bits").to_vec()
        };
        assert_eq!(flat(255), [10, 20, 30]);
        assert_eq!(flat(0), [255, 255, 255]);
        assert_eq!(flat(51), [206, 208, 210]);
        let deep = Pixels::from_u16(Size::new(3, 1), Channels::La, vec![9, 65_535, 65_535, 0, 65_535, 13_107]);
        let flat = over_fill(deep.expect("fits"), Color { rgb: [0; 3] }, None);
        assert_eq!((flat.channels(), flat.as_u16()), (Channels::L, Some(&[9, 0, 13_107][..])));
    }

    #[test]
    fn grey_becomes_colour_only_if_a_coloured_fill_is_visible() {
        let fill = Color { rgb: [0, 0, 255] };
        let flat = |alpha| {
            let pixels = Pixels::from_u8(Size::new(1, 1), Channels::La, vec![70, alpha]).expect("fits");
            over_fill(pixels, fill, None)
        };
        assert_eq!(flat(0).as_u8(), Some(&[0, 0, 255][..]));
        assert_eq!((flat(255).channels(), flat(255).as_u8()), (Channels::L, Some(&[70][..])));
    }
}
