//! Tests with generated JPEG files.

mod damage;
mod indexed;
mod kinds;
mod mutations;
mod regions;
mod scans;

use libjpeg_turbo_rs::{Encoder, PixelFormat, Subsampling};

use crate::decoded::Decoded;
use crate::error::Error;
use crate::jpeg::Jpeg;
use crate::region::{Region, Scale};

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    width: u32,
    height: u32,
}

impl Size {
    const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }
}

#[derive(Clone, Copy, Debug)]
struct DecodeRequest {
    region: Region,
    scale: Scale,
}

impl DecodeRequest {
    const fn new(left: u32, top: u32, width: u32, height: u32, scale: Scale) -> Self {
        Self { region: Region { left, top, width, height }, scale }
    }
}

fn whole(size: Size, scale: Scale) -> DecodeRequest {
    DecodeRequest::new(0, 0, size.width, size.height, scale)
}

/// Soft shapes and some edges, `channels` bytes per pixel, without mirror symmetry.
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

fn encoder(samples: &[u8], size: Size, format: PixelFormat) -> Encoder<'_> {
    Encoder::new(samples, size.width as usize, size.height as usize, format).quality(92)
}

fn encode(size: Size, subsampling: Subsampling, with: impl FnOnce(Encoder<'_>) -> Encoder<'_>) -> Vec<u8> {
    let samples = photo(size, 3);
    with(encoder(&samples, size, PixelFormat::Rgb).subsampling(subsampling)).encode().expect("encodes")
}

fn encode_grey(size: Size, with: impl FnOnce(Encoder<'_>) -> Encoder<'_>) -> Vec<u8> {
    let samples = photo(size, 1);
    with(encoder(&samples, size, PixelFormat::Grayscale)).encode().expect("encodes")
}

fn size_of(bytes: &[u8]) -> Size {
    let jpeg = Jpeg::open(bytes).expect("a header");
    Size::new(jpeg.frame().width, jpeg.frame().height)
}

fn read(bytes: &[u8], request: DecodeRequest) -> Result<Decoded, Error> {
    Jpeg::open(bytes)?.decode(request.region, request.scale)
}

fn read_whole(bytes: &[u8]) -> Decoded {
    read(bytes, whole(size_of(bytes), Scale::Full)).expect("decodes")
}

/// The samples of the decoded pixels in `columns` of `row`, in image coordinates.
fn row_of(decoded: &Decoded, row: u32, columns: std::ops::Range<u32>) -> &[u8] {
    let reduction = decoded.scale.reduction();
    let start = (row - decoded.top / reduction) * decoded.width + columns.start - decoded.left / reduction;
    let samples = decoded.format.samples();
    &decoded.samples[start as usize * samples..][..columns.len() * samples]
}

/// The maximum and the mean difference of samples.
fn differences(a: &[u8], b: &[u8]) -> (u8, f64) {
    assert_eq!(a.len(), b.len());
    let each = || a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
    (each().max().unwrap_or(0), each().map(f64::from).sum::<f64>() / a.len().max(1) as f64)
}

/// Index of the first marker `0xff code` in `bytes`.
fn find(bytes: &[u8], code: u8) -> usize {
    bytes.windows(2).position(|pair| pair == [0xff, code]).expect("has that marker")
}

/// A deterministic pseudorandom generator.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Reduces an image by `reduction` with a Lanczos-3 filter; partial squares are dropped.
fn lanczos(decoded: &Decoded, reduction: u32) -> Vec<u8> {
    let channels = decoded.format.samples();
    let (width, height) = (decoded.width as usize, decoded.height as usize);
    let along = |length: usize| -> Vec<Vec<(usize, f64)>> {
        let step = reduction as usize;
        let sinc = |x: f64| if x == 0.0 { 1.0 } else { (std::f64::consts::PI * x).sin() / (std::f64::consts::PI * x) };
        let weights = |out: usize| {
            let centre = (out as f64 + 0.5) * step as f64 - 0.5;
            let near = |at: &usize| (*at as f64 - centre).abs() < 3.0 * step as f64;
            let all: Vec<_> = (0..length)
                .filter(near)
                .map(|at| (at, (at as f64 - centre) / step as f64))
                .map(|(at, x)| (at, sinc(x) * sinc(x / 3.0)))
                .collect();
            let sum: f64 = all.iter().map(|(_, weight)| weight).sum();
            all.into_iter().map(|(at, weight)| (at, weight / sum)).collect()
        };
        (0..length / step).map(weights).collect()
    };
    let mut rows = Vec::new();
    let across = along(width);
    for row in decoded.samples.chunks_exact(width * channels) {
        for weights in &across {
            for channel in 0..channels {
                let sum: f64 =
                    weights.iter().map(|(at, weight)| f64::from(row[at * channels + channel]) * weight).sum();
                rows.push(sum);
            }
        }
    }
    let stride = across.len() * channels;
    let down = along(height);
    let sample = |weights: &Vec<(usize, f64)>, x: usize| -> u8 {
        weights.iter().map(|(y, weight)| rows[y * stride + x] * weight).sum::<f64>().round().clamp(0.0, 255.0) as u8
    };
    down.iter()
        .flat_map(|weights| (0..stride).map(move |x| (weights, x)))
        .map(|(weights, x)| sample(weights, x))
        .collect()
}
