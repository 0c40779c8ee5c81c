//! Benchmarks each stage of the pipeline through the public library: `cargo bench`.
//!
//! The photo is a 24-megapixel JPEG made here from the bundled portrait: softer than a camera's, so it decodes slightly
//! faster. Results of different machines, or of a busy and an idle one, are not comparable; ratios within one run are.

mod photo;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};

use batch::latency::MODEL_INPUT;
use cancel::CancelToken;
use engines::open_session;
use faces::{Detector, InputTensor, Letterbox, YunetDetector, preprocess};
use geometry::{PixelRect, Size};
use inference::{ModelBytes, Outputs, Session, SessionOptions};
use naming::PhotoName;
use outcome::{OutcomeKind, PixelLayout, RuntimeInUse};
use picture::{Crop, Picture, decode_bytes, encode_crop};
use pipeline::{DetectorHandle, ExportOptions, NameBook, PhotoSource, SequentialContext, export_item};
use plan::{PlannedCrop, plan_crops};
use recipe::{
    Adjust, BackendKind, CropSpec, DecodeLimits, Depth, DetectSpec, EdgePolicy, EncodeSpec, FaceChoice, FinishSpec,
    OnConflict, OutputFormat, OutputSpec, Recipe, RenderSpec, RuntimeChoice, Shape,
};
use render::render_crop;

/// The photo as a JPEG of quality 90.
fn photo_jpeg() -> Vec<u8> {
    let crop = Crop { pixels: photo::pixels(), icc_profile: None, metadata: Arc::default() };
    let spec = EncodeSpec { quality: 90, ..EncodeSpec::default() };
    encode_crop(&crop, &spec, CropSpec::default().fill).expect("encodes").bytes
}

fn tract_session() -> Box<dyn Session> {
    let options = SessionOptions::new(MODEL_INPUT);
    open_session(BackendKind::Tract, &ModelBytes::bundled(), &options).expect("opens")
}

fn first_crop(detector: &mut YunetDetector, picture: &Picture) -> PlannedCrop {
    let detection = detector.detect(picture, &DetectSpec::default()).expect("detects");
    plan_crops(&detection.faces, picture.size(), &CropSpec::default()).crops[0]
}

fn stages(criterion: &mut Criterion) {
    let limits = DecodeLimits::default();
    let spec = CropSpec::default();
    let jpeg = photo_jpeg();
    let picture = decode_bytes(&jpeg, &limits).expect("decodes");
    assert_eq!(picture.info.layout, PixelLayout::RGB8);

    let mut decode = criterion.benchmark_group("decode");
    for (name, bytes) in [("24 MP jpeg", jpeg.as_slice()), ("512x512 png", photo::PORTRAIT)] {
        decode.bench_function(name, |bencher| bencher.iter(|| decode_bytes(black_box(bytes), &limits)));
    }
    decode.finish();

    let letterbox = Letterbox::new(picture.size(), MODEL_INPUT).expect("fits");
    let mut tensor = InputTensor::new(MODEL_INPUT);
    criterion.benchmark_group("preprocess").bench_function("preprocess 24 MP", |bencher| {
        bencher.iter(|| preprocess(black_box(&picture), &letterbox, &mut tensor));
    });

    let mut session = tract_session();
    let mut outputs = Outputs::new();
    let engine = session.info().kind.id();
    criterion.benchmark_group("session run").bench_function(engine, |bencher| {
        bencher.iter(|| session.run(black_box(tensor.view()), &mut outputs));
    });

    let mut detector =
        YunetDetector::open(BackendKind::Tract, &ModelBytes::bundled(), &SessionOptions::new(MODEL_INPUT))
            .expect("YuNet");
    let faces = detector.detect(&picture, &DetectSpec::default()).expect("detects").faces;
    criterion.benchmark_group("plan").bench_function("one photo", |bencher| {
        bencher.iter(|| plan_crops(black_box(&faces), picture.size(), &spec));
    });

    let planned = first_crop(&mut detector, &picture);
    let mut render = criterion.benchmark_group("render");
    render.bench_function("800x1000 crop", |bencher| {
        bencher.iter(|| render_crop(black_box(&picture), &planned, &spec.render_spec(FinishSpec::default()), None));
    });
    for (name, planned, spec) in other_crops() {
        render.bench_function(name, |bencher| bencher.iter(|| render_crop(black_box(&picture), &planned, &spec, None)));
    }
    render.finish();

    let crop = render_crop(&picture, &planned, &spec.render_spec(FinishSpec::default()), None).expect("renders");
    let mut encode = criterion.benchmark_group("encode");
    for format in OutputFormat::ALL {
        let as_format = EncodeSpec { format, quality: 90, ..EncodeSpec::default() };
        encode.bench_function(format!("800x1000 {}", format.extension()), |bencher| {
            bencher.iter(|| encode_crop(black_box(&crop), &as_format, spec.fill));
        });
    }
    encode.finish();

    end_to_end(criterion, &jpeg, &mut detector);
}

/// Crops of 12 megapixels of the photo, upright and in more expensive ways.
fn other_crops() -> Vec<(&'static str, PlannedCrop, RenderSpec)> {
    let upright = PlannedCrop::upright(PixelRect::new(1450, 63, 3100, 3875), Size::new(800, 1000));
    let beyond = PlannedCrop { frame: PixelRect { x: -1000, ..upright.frame }, ..upright };
    let levelled = PlannedCrop { angle: 7.0, ..upright };
    let plain = CropSpec::default().render_spec(FinishSpec::default());
    let ellipse = FinishSpec { shape: Shape::Ellipse, soft_edge: 0.05, ..FinishSpec::default() };
    let adjust = Adjust { exposure: 0.5, contrast: 0.3, white_balance: true, sharpen: 0.5 };
    let adjusted = FinishSpec { adjust, ..FinishSpec::default() };
    vec![
        ("12 MP upright", upright, plain),
        ("12 MP levelled by 7 degrees", levelled, plain),
        ("12 MP rotated by 90 degrees", PlannedCrop { angle: 90.0, ..upright }, plain),
        ("12 MP blurred beyond the edge", beyond, RenderSpec { edge: EdgePolicy::Blur, ..plain }),
        ("12 MP ellipse with a soft edge", upright, RenderSpec { finish: ellipse, ..plain }),
        ("12 MP with every adjustment", upright, RenderSpec { finish: adjusted, ..plain }),
    ]
}

/// The complete pipeline as run by a batch, from file to file.
fn end_to_end(criterion: &mut Criterion, jpeg: &[u8], detector: &mut YunetDetector) {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("photo.jpg");
    std::fs::write(&path, jpeg).expect("writes");
    let output = OutputSpec { folder: folder.path().join("out"), on_conflict: OnConflict::Overwrite };
    let (limits, detect) = (DecodeLimits::default(), DetectSpec::default());
    let recipe = Recipe::default();
    let runtime = RuntimeInUse { requested: RuntimeChoice::Auto, actual: detector.info().clone(), why: None };
    let cancel = CancelToken::new();

    criterion.benchmark_group("end to end").bench_function("24 MP jpeg file to crop file", |bencher| {
        bencher.iter(|| {
            let source = PhotoSource { path: &path, limits: &limits, detect: &detect };
            let options = ExportOptions {
                faces: &FaceChoice::BySpec,
                depth: Depth::Write,
                recipe: &recipe,
                name: &PhotoName::default(),
            };
            let detector = DetectorHandle { detector, runtime: &runtime };
            let mut names = NameBook::new(output.clone(), std::slice::from_ref(&path));
            let mut reserve = |_| ();
            let mut context = SequentialContext::new(&mut names, &mut reserve);
            let report = export_item(source, options, Some(detector), &mut context, &cancel).expect("is not cancelled");
            assert_eq!(report.outcome, OutcomeKind::Cropped);
        });
    });
}

criterion_group! {
    name = pipeline;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(10));
    targets = stages
}
criterion_main!(pipeline);
