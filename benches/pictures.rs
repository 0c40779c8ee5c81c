//! Times reading photos as they are wanted through the public library, beside what the libraries underneath take bare:
//! `cargo bench --bench pictures`.
//!
//! The photos are made here from the bundled portrait: softer than a camera's, so they decode a little faster. Numbers of
//! different machines, or of a busy and an idle one, are not comparable; ratios within one run are.

mod photo;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use libjpeg_turbo_rs::{Decoder, Encoder, Image, PixelFormat, ScalingFactor, Subsampling};

use geometry::{PixelRect, Size};
use picture::{PhotoFile, Picture, Want};
use recipe::DecodeLimits;

/// What detection looks at.
const SIDE: u32 = 640;

/// Around one face of the photo, in the lower half of it.
const FACE: PixelRect = PixelRect { x: 2500, y: 2050, width: 1000, height: 1000 };
const CROP: Size = Size::new(500, 500);

/// The photo as a JPEG of quality 90 and 4:2:0.
fn photo_jpeg(progressive: bool, restart_rows: u16) -> Vec<u8> {
    let pixels = photo::pixels();
    let samples = pixels.as_u8().expect("8 bits");
    let (width, height) = (pixels.size().width as usize, pixels.size().height as usize);
    let encoder = Encoder::new(samples, width, height, PixelFormat::Rgb);
    let encoder = encoder.quality(90).subsampling(Subsampling::S420).progressive(progressive);
    let encoder = if restart_rows > 0 { encoder.restart_rows(restart_rows) } else { encoder };
    encoder.encode().expect("encodes")
}

fn file(jpeg: &[u8]) -> PhotoFile {
    PhotoFile::from_bytes(jpeg.to_vec(), &DecodeLimits::default()).expect("reads")
}

fn ours(jpeg: &[u8], want: &Want) -> Picture {
    file(jpeg).decode(want).expect("decodes")
}

/// The library underneath alone, at 1/8.
fn bare(jpeg: &[u8]) -> Image {
    let scale = ScalingFactor::try_new(1, 8).expect("one of those there are");
    Decoder::new(jpeg).expect("reads").with_scale(scale).decode_image().expect("decodes")
}

/// The same at half size, only around the face.
fn bare_crop(jpeg: &[u8]) -> Image {
    let scale = ScalingFactor::try_new(1, 2).expect("one of those there are");
    let (x, y) = (FACE.x as usize / 2, FACE.y as usize / 2);
    let decoder = Decoder::new(jpeg).expect("reads").with_scale(scale);
    decoder.with_crop_region(x, y, CROP.width as usize, CROP.height as usize).decode_image().expect("decodes")
}

fn jpeg_to_640(criterion: &mut Criterion) {
    for (name, progressive) in [("24 MP jpeg to 640", false), ("24 MP progressive jpeg to 640", true)] {
        let jpeg = photo_jpeg(progressive, 0);
        let picture = ours(&jpeg, &Want::LongSide(SIDE));
        assert_eq!((picture.place.reduction, picture.info.damage.clone()), (8, None));
        let mut group = criterion.benchmark_group(name);
        group.bench_function("ours", |bencher| bencher.iter(|| ours(black_box(&jpeg), &Want::LongSide(SIDE))));
        group.bench_function("libjpeg-turbo-rs at 1/8", |bencher| bencher.iter(|| bare(black_box(&jpeg))));
        group.bench_function("image, all of it", |bencher| {
            bencher.iter(|| image::load_from_memory(black_box(&jpeg)).expect("decodes"));
        });
        group.bench_function("ours, all of it", |bencher| bencher.iter(|| ours(black_box(&jpeg), &Want::Full)));
        group.finish();
    }
}

fn jpeg_to_crop(criterion: &mut Criterion) {
    let face = Want::Frames(vec![(FACE, CROP)]);
    for (name, restart_rows) in
        [("24 MP jpeg to a 500x500 crop", 0), ("24 MP jpeg with restart markers to a 500x500 crop", 1)]
    {
        let jpeg = photo_jpeg(false, restart_rows);
        let photo = file(&jpeg);
        let part = photo.decode(&face).expect("decodes");
        assert_eq!(part.place.reduction, 2);
        let mut group = criterion.benchmark_group(name);
        group.bench_function("ours, the part", |bencher| bencher.iter(|| photo.decode(black_box(&face))));
        group.bench_function("libjpeg-turbo-rs, the part", |bencher| bencher.iter(|| bare_crop(black_box(&jpeg))));
        group.bench_function("ours, at 1/8 and the part", |bencher| {
            bencher.iter(|| {
                let photo = file(black_box(&jpeg));
                let small = photo.decode(&Want::LongSide(SIDE)).expect("decodes");
                (small, photo.decode(&face).expect("decodes"))
            });
        });
        group.bench_function("libjpeg-turbo-rs, at 1/8 and the part", |bencher| {
            bencher.iter(|| (bare(black_box(&jpeg)), bare_crop(&jpeg)));
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = jpeg_to_640, jpeg_to_crop
}
criterion_main!(benches);
