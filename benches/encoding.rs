//! Benchmarks encoding of crops: `cargo bench --bench encoding`.
//!
//! The crop is the bundled portrait at 1000 x 1000. File size depends on the detail of the image, so results of other
//! images differ; ratios within one run are meaningful.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;

use geometry::Size;
use outcome::Channels;
use picture::{Crop, Filter, SourceBox, decode_bytes, encode_crop, resize};
use recipe::{Color, Compression, DecodeLimits, EncodeSpec, OutputFormat, Subsampling};

const PORTRAIT: &[u8] = include_bytes!("../assets/samples/astronaut.png");
const SIZE: Size = Size::new(1000, 1000);

fn portrait() -> Crop {
    let portrait = decode_bytes(PORTRAIT, &DecodeLimits::default()).expect("decodes");
    let whole = SourceBox::whole(portrait.size());
    let pixels = resize(&portrait.pixels, whole, SIZE, Filter::Lanczos3).expect("resizes");
    assert_eq!(pixels.channels(), Channels::Rgb);
    Crop { pixels, icc_profile: None, metadata: Arc::default() }
}

fn time(criterion: &mut Criterion, group: &str, name: &str, crop: &Crop, spec: &EncodeSpec) {
    let file = || encode_crop(black_box(crop), spec, Color::WHITE).expect("encodes").bytes;
    let id = BenchmarkId::new(name, format!("{} bytes", file().len()));
    criterion.benchmark_group(group).bench_function(id, |bencher| bencher.iter(file));
}

fn jpeg(criterion: &mut Criterion) {
    let crop = portrait();
    let default = EncodeSpec { quality: 90, ..EncodeSpec::default() };
    let full = EncodeSpec { subsampling: Subsampling::Full, ..default };
    time(criterion, "jpeg", "4:2:0", &crop, &default);
    time(criterion, "jpeg", "4:2:0 progressive", &crop, &EncodeSpec { progressive: true, ..default });
    time(criterion, "jpeg", "4:4:4", &crop, &full);
    time(criterion, "jpeg", "4:2:0 in 100 kB", &crop, &EncodeSpec { max_kilobytes: Some(100), ..default });
    let samples = crop.pixels.as_u8().expect("8 bits");
    criterion.benchmark_group("jpeg").bench_function("4:4:4 by image", |bencher| {
        bencher.iter(|| {
            let mut file = Vec::new();
            let mut encoder = JpegEncoder::new_with_quality(&mut file, 90);
            encoder.encode(black_box(samples), SIZE.width, SIZE.height, ExtendedColorType::Rgb8).expect("encodes");
            file
        });
    });
}

fn lossless(criterion: &mut Criterion) {
    let crop = portrait();
    for format in [OutputFormat::Png, OutputFormat::WebP, OutputFormat::Tiff] {
        for compression in Compression::ALL {
            let spec = EncodeSpec { format, compression, lossless: true, ..EncodeSpec::default() };
            time(criterion, "lossless", &format!("{} {compression:?}", format.name()), &crop, &spec);
        }
    }
}

fn lossy(criterion: &mut Criterion) {
    let crop = portrait();
    let default = EncodeSpec { quality: 90, ..EncodeSpec::default() };
    time(criterion, "lossy", "WebP", &crop, &EncodeSpec { format: OutputFormat::WebP, ..default });
    for avif_speed in [6, 10] {
        let spec = EncodeSpec { format: OutputFormat::Avif, quality: 80, avif_speed, ..default };
        time(criterion, "lossy", &format!("AVIF speed {avif_speed}"), &crop, &spec);
    }
}

criterion_group! {
    name = encoding;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    targets = jpeg, lossless, lossy
}
criterion_main!(encoding);
