//! Benchmarks of regions and reduced images, compared with libjpeg-turbo-rs alone: `cargo bench -p jpeg-region`.
//!
//! The test image is synthetic: soft shapes, edges and grain on 24 megapixels. Compare ratios within one run only;
//! absolute times of different machines, or of a busy and an idle one, are not comparable.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use libjpeg_turbo_rs::{Decoder, Encoder, Image, PixelFormat, ScalingFactor, Subsampling};

use jpeg_region::{Decoded, Jpeg, Region, Scale};

const WIDTH: usize = 6000;
const HEIGHT: usize = 4000;

const ALL: Region = Region { left: 0, top: 0, width: WIDTH as u32, height: HEIGHT as u32 };

/// A region in the lower half, 1000 x 1000 pixels.
const PART: Region = Region { left: 2500, top: 2050, width: 1000, height: 1000 };

/// The test image as a JPEG of quality 90 and 4:2:0.
fn photo(progressive: bool, restart_rows: u16) -> Vec<u8> {
    let wave = |at: f32| (at.sin() * 90.0 + 120.0) as u8;
    let mut noise = 9_u32;
    let mut samples = Vec::with_capacity(3 * WIDTH * HEIGHT);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let grain = (noise >> 29) as u8;
            let edge = if (x / 230 + y / 310) % 3 == 0 { 30 } else { 0 };
            let (right, down) = (x as f32 / 90.0, y as f32 / 130.0);
            samples.extend([right, down, right + down].map(|at| wave(at) + grain + edge));
        }
    }
    let encoder = Encoder::new(&samples, WIDTH, HEIGHT, PixelFormat::Rgb).quality(90).subsampling(Subsampling::S420);
    let encoder = encoder.progressive(progressive);
    let encoder = if restart_rows > 0 { encoder.restart_rows(restart_rows) } else { encoder };
    encoder.encode().expect("encodes")
}

fn open(bytes: &[u8]) -> Jpeg<'_> {
    Jpeg::open(bytes).expect("a header")
}

fn ours(jpeg: &Jpeg<'_>, region: Region, scale: Scale) -> Decoded {
    jpeg.decode(region, scale).expect("decodes")
}

/// libjpeg-turbo-rs alone.
fn library(bytes: &[u8], reduction: u32) -> Image {
    let scale = ScalingFactor::try_new(1, reduction).expect("a supported one");
    Decoder::new(bytes).expect("reads").with_scale(scale).decode_image().expect("decodes")
}

/// The region at half size by libjpeg-turbo-rs alone.
fn library_part(bytes: &[u8]) -> Image {
    let scale = ScalingFactor::try_new(1, 2).expect("a supported one");
    let [x, y, width, height] = [PART.left, PART.top, PART.width, PART.height].map(|side| side as usize / 2);
    let decoder = Decoder::new(bytes).expect("reads").with_scale(scale);
    decoder.with_crop_region(x, y, width, height).decode_image().expect("decodes")
}

fn whole(criterion: &mut Criterion) {
    for (name, progressive) in [("24 MP at 1/8", false), ("24 MP progressive at 1/8", true)] {
        let bytes = photo(progressive, 0);
        assert_eq!(ours(&open(&bytes), ALL, Scale::Eighth).damage, None);
        let mut group = criterion.benchmark_group(name);
        group.bench_function("jpeg-region", |bencher| {
            bencher.iter(|| ours(&open(black_box(&bytes)), ALL, Scale::Eighth));
        });
        group.bench_function("libjpeg-turbo-rs", |bencher| bencher.iter(|| library(black_box(&bytes), 8)));
        group.bench_function("jpeg-region, integrity alone", |bencher| {
            bencher.iter(|| open(black_box(&bytes)).integrity());
        });
        group.finish();
    }
}

fn part(criterion: &mut Criterion) {
    for (name, restart_rows) in
        [("500 x 500 of 24 MP at 1/2", 0), ("500 x 500 of 24 MP with restart markers at 1/2", 1)]
    {
        let bytes = photo(false, restart_rows);
        let indexed = open(&bytes);
        assert_eq!(ours(&indexed, PART, Scale::Half).damage, None);
        let mut group = criterion.benchmark_group(name);
        group.bench_function("jpeg-region, indexed", |bencher| {
            bencher.iter(|| ours(&indexed, black_box(PART), Scale::Half));
        });
        group.bench_function("libjpeg-turbo-rs", |bencher| bencher.iter(|| library_part(black_box(&bytes))));
        group.bench_function("jpeg-region, at 1/8 and the part", |bencher| {
            bencher.iter(|| {
                let jpeg = open(black_box(&bytes));
                (ours(&jpeg, ALL, Scale::Eighth), ours(&jpeg, PART, Scale::Half))
            });
        });
        group.bench_function("libjpeg-turbo-rs, at 1/8 and the part", |bencher| {
            bencher.iter(|| (library(black_box(&bytes), 8), library_part(&bytes)));
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = whole, part
}
criterion_main!(benches);
