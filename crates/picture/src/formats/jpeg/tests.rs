//! Reading JPEG files that are made here.

mod damage;
mod kinds;
mod mutations;
mod parts;
mod quick;
mod scans;

use libjpeg_turbo_rs::{Encoder, PixelFormat, Subsampling};

use geometry::{PixelRect, Size};
use outcome::DecodeError;
use recipe::DecodeLimits;

use super::{Kept, header, pixels};
use crate::formats::{Decoded, Header};
use crate::want::StoredWant;

/// Soft shapes and some edges, `channels` bytes a pixel, unlike its own mirror images.
fn photo(size: Size, channels: usize) -> Vec<u8> {
    let wave = |at: f32| (at.sin() * 90.0 + 128.0) as u8;
    let mut samples = Vec::new();
    for y in 0..size.height {
        for x in 0..size.width {
            let (right, down) = (x as f32, y as f32);
            let edge = if (x / 23 + y / 31) % 3 == 0 { 40 } else { 0 };
            let bands = [wave(right / 19.0), wave(down / 27.0 + right / 90.0), wave((right + 2.0 * down) / 41.0), 60];
            samples.extend(bands[..channels].iter().map(|band| band.saturating_add(edge)));
        }
    }
    samples
}

fn encode(size: Size, subsampling: Subsampling, with: impl FnOnce(Encoder<'_>) -> Encoder<'_>) -> Vec<u8> {
    let samples = photo(size, 3);
    let encoder = Encoder::new(&samples, size.width as usize, size.height as usize, PixelFormat::Rgb);
    with(encoder.quality(92).subsampling(subsampling)).encode().expect("encodes")
}

fn encode_grey(size: Size) -> Vec<u8> {
    let samples = photo(size, 1);
    let encoder = Encoder::new(&samples, size.width as usize, size.height as usize, PixelFormat::Grayscale);
    encoder.quality(92).encode().expect("encodes")
}

fn whole(size: Size, reduction: u32) -> StoredWant {
    StoredWant { region: PixelRect::new(0, 0, size.width, size.height), reduction }
}

fn read_header(bytes: &[u8]) -> Result<Header, DecodeError> {
    header(bytes, &DecodeLimits::default())
}

fn read(bytes: &[u8], want: StoredWant) -> Result<Decoded, DecodeError> {
    let limits = DecodeLimits::default();
    pixels(bytes, &header(bytes, &limits)?, want, &limits, &Kept::default())
}

fn read_whole(bytes: &[u8]) -> Decoded {
    let stored = read_header(bytes).expect("a header").stored;
    read(bytes, whole(stored, 1)).expect("decodes")
}

fn samples(decoded: &Decoded) -> &[u8] {
    decoded.pixels.as_u8().expect("8 bits")
}

/// The largest and the mean difference of samples.
fn differences(a: &[u8], b: &[u8]) -> (u8, f64) {
    assert_eq!(a.len(), b.len());
    let each = || a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
    (each().max().unwrap_or(0), each().map(f64::from).sum::<f64>() / a.len().max(1) as f64)
}

/// Index of the first marker `0xff kind` in `bytes`.
fn find(bytes: &[u8], kind: u8) -> usize {
    bytes.windows(2).position(|pair| pair == [0xff, kind]).expect("has that marker")
}

/// Bytes that look random and are the same each time.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}
