//! One list of checks for every engine: the contract of the crate `inference`.
//!
//! ONNX Runtime is included if `IRON_CROPPER_TEST_ONNXRUNTIME` is the path of its library (a file or folder; `.ci/run`
//! fetches one), and OpenVINO if that library has it; LiteRT likewise if `IRON_CROPPER_TEST_LITERT` is that of its library. References come from ONNX Runtime's Python package, by
//! `tests/data/engines/reference.py`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ndarray::Array4;
use serde::Deserialize;

use engines::{LibraryHints, find_library, is_included, open_session};
use geometry::Size;
use inference::onnx::free_input_size;
use inference::{ModelBytes, Outputs, Session, SessionOptions, file_name, fixed_input};
use outcome::BackendError;
use recipe::{BackendKind, ModelKind, Optimization, Provider, RuntimeOptions};

/// Checks that an engine is known to fail, with the reason; it must pass all others.
const KNOWN_GAPS: &[(BackendKind, Check, &str)] = &[
    (BackendKind::Burn, Check::Landmarks, BURN),
    (BackendKind::Burn, Check::Eyelids, BURN),
    (BackendKind::Burn, Check::Person, BURN),
    (BackendKind::Candle, Check::Landmarks, "candle-onnx 0.11 pads by reflection only"),
    (BackendKind::Candle, Check::Eyelids, "candle-onnx 0.11 pads by reflection only"),
    (BackendKind::Candle, Check::Person, "candle-onnx 0.11 does not have ConvTranspose"),
];
const BURN: &str = "its network is compiled in, and only the face detector's is";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Check {
    Values320,
    Values640,
    Landmarks,
    Eyelids,
    Person,
    OddShape,
    WrongShapeRefused,
    TwoAtOnce,
    ReopenAfterFailure,
    NotOnnx,
    Threads,
    Unoptimized,
    Repeatable,
}

const CHECKS: [Check; 13] = [
    Check::Values320,
    Check::Values640,
    Check::Landmarks,
    Check::Eyelids,
    Check::Person,
    Check::OddShape,
    Check::WrongShapeRefused,
    Check::TwoAtOnce,
    Check::ReopenAfterFailure,
    Check::NotOnnx,
    Check::Threads,
    Check::Unoptimized,
    Check::Repeatable,
];

/// The ONNX Runtime library given to the tests.
pub(crate) fn library() -> Option<PathBuf> {
    let given = std::env::var_os("IRON_CROPPER_TEST_ONNXRUNTIME").filter(|value| !value.is_empty())?;
    let search = find_library(&LibraryHints { configured: Some(given.into()), ..LibraryHints::default() });
    Some(search.require().expect("IRON_CROPPER_TEST_ONNXRUNTIME names a library").to_owned())
}

/// The engines to check: all that are included, LiteRT if there is a library, and of ONNX Runtime the providers in the given
/// library.
fn engines() -> Vec<BackendKind> {
    let mut kinds: Vec<BackendKind> =
        [BackendKind::Builtin, BackendKind::Tract, BackendKind::Rten, BackendKind::Candle, BackendKind::Burn]
            .into_iter()
            .filter(|kind| is_included(*kind))
            .collect();
    if is_included(BackendKind::Litert) && test_support::real_litert().is_some() {
        kinds.push(BackendKind::Litert);
    }
    let cpu = BackendKind::Ort(Provider::Cpu);
    if !is_included(cpu) || library().is_none() {
        return kinds;
    }
    kinds.push(cpu);
    for provider in [Provider::OpenVino, Provider::Xnnpack, Provider::OneDnn] {
        match open(BackendKind::Ort(provider), Size::new(64, 64)) {
            Ok(_) => kinds.push(BackendKind::Ort(provider)),
            Err(BackendError::NotInLibrary { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    kinds
}

fn options(input: Size) -> SessionOptions {
    let (library, litert) = (library(), test_support::real_litert());
    let runtime = RuntimeOptions { library, litert, ..RuntimeOptions::default() };
    SessionOptions { runtime, ..SessionOptions::new(input) }
}

fn open(kind: BackendKind, input: Size) -> Result<Box<dyn Session>, BackendError> {
    open_session(kind, &ModelBytes::bundled(), &options(input))
}

#[test]
fn every_engine_passes_every_check_but_the_known_gaps() {
    let engines = engines();
    println!("checked: {engines:?}; ONNX Runtime and LiteRT only if variables name their libraries");
    for kind in engines {
        for check in CHECKS {
            match KNOWN_GAPS.iter().find(|(of, gap, _)| (*of, *gap) == (kind, check)) {
                Some((_, _, why)) => println!("{kind}: {check:?} is a known gap: {why}"),
                None => run_check(kind, check),
            }
        }
    }
}

fn run_check(kind: BackendKind, check: Check) {
    match check {
        Check::Values320 => values(kind, 320, &options(Size::new(320, 320))),
        Check::Values640 => values(kind, 640, &options(Size::new(640, 640))),
        Check::Landmarks => values_of(kind, ModelKind::Landmarks),
        Check::Eyelids => values_of(kind, ModelKind::Eyelids),
        Check::Person => values_of(kind, ModelKind::Person),
        Check::OddShape => odd_shape(kind),
        Check::WrongShapeRefused => wrong_shape_refused(kind),
        Check::TwoAtOnce => two_at_once(kind),
        Check::ReopenAfterFailure => reopen_after_failure(kind),
        Check::NotOnnx => not_onnx(kind),
        Check::Threads => {
            let mut options = options(Size::new(320, 320));
            options.runtime.threads = 2;
            values(kind, 320, &options);
        }
        Check::Unoptimized => {
            let mut options = options(Size::new(320, 320));
            options.runtime.optimization = Optimization::Off;
            values(kind, 320, &options);
        }
        Check::Repeatable => repeatable(kind),
    }
}

/// An output of ONNX Runtime's Python package.
#[derive(Deserialize)]
struct Reference {
    shape: Vec<usize>,
    sum: f64,
    samples: Vec<f32>,
}

fn reference(model: &str) -> BTreeMap<String, Reference> {
    let file = format!("tests/data/engines/{model}.json");
    let text = std::fs::read_to_string(test_support::root().join(file)).expect("exists");
    serde_json::from_str(&text).expect("is JSON")
}

/// Diagonal gradients with 6 bits of noise, the same as in `reference.py`.
fn synthetic_input(width: usize, height: usize) -> Array4<f32> {
    Array4::from_shape_fn((1, 3, height, width), |(_, channel, row, column)| {
        let index = ((channel * height + row) * width + column) as u32;
        let noise = index.wrapping_mul(2_654_435_761) >> 26;
        noise as f32 + ((column + 2 * row + 50 * channel) % 192) as f32
    })
}

/// Checks names, shapes and values of the detector against the reference.
fn values(kind: BackendKind, side: usize, options: &SessionOptions) {
    check_values(kind, &ModelBytes::bundled(), options, &synthetic_input(side, side), &format!("yunet_{side}"));
}

/// Checks names, shapes and values of another bundled model, whose input is in 0 to 1, against the reference.
fn values_of(kind: BackendKind, model: ModelKind) {
    let side = fixed_input(model).expect("has a fixed input");
    let input = synthetic_input(side as usize, side as usize) / 255.0;
    let name = file_name(model).trim_end_matches(".onnx");
    check_values(kind, &ModelBytes::bundled_for(model), &options(Size::new(side, side)), &input, name);
}

fn check_values(
    kind: BackendKind,
    model: &ModelBytes,
    options: &SessionOptions,
    input: &Array4<f32>,
    reference_name: &str,
) {
    let mut session = open_session(kind, model, options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((session.info().kind, session.info().input), (kind, options.input));
    assert!(!session.info().version.is_empty() && !session.info().device.is_empty());
    let mut outputs = Outputs::new();
    session.run(input.view(), &mut outputs).unwrap_or_else(|error| panic!("{error}"));
    let (side, reference) = (options.input, reference(reference_name));
    let names: Vec<&str> = outputs.iter().map(|output| output.name.as_str()).collect();
    let announced: Vec<&str> = session.info().outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(names, announced, "{kind}");
    assert_eq!(names.len(), reference.len(), "{kind}: {names:?}");
    for (name, expected) in reference {
        let output = outputs.get(&name).unwrap_or_else(|| panic!("{kind}: no output {name} among {names:?}"));
        assert_eq!(output.shape, expected.shape, "{kind}: {name}");
        assert_eq!(output.values.len(), expected.shape.iter().product::<usize>(), "{kind}: {name}");
        let announced = session.info().outputs.iter().find(|output| output.name == name).expect("announced");
        assert!(announced.shape.as_ref().is_none_or(|shape| *shape == expected.shape), "{kind}: {announced:?}");
        for (number, sample) in expected.samples.iter().enumerate() {
            let value = output.values[number * output.values.len() / expected.samples.len()];
            let off = (value - sample).abs();
            assert!(
                off <= 1e-4 + 1e-3 * sample.abs(),
                "{kind} at {side}: {name}, sample {number}: {value} for {sample}"
            );
        }
        let sum: f64 = output.values.iter().map(|value| f64::from(*value)).sum();
        let off = (sum - expected.sum).abs() / output.values.len() as f64;
        assert!(off <= 1e-4, "{kind} at {side}: {name} sums up to {sum}, not {}", expected.sum);
    }
}

/// Another multiple of 32, in portrait format: height and width are not swapped.
fn odd_shape(kind: BackendKind) {
    let mut session = open(kind, Size::new(96, 160)).unwrap_or_else(|error| panic!("{error}"));
    let mut outputs = Outputs::new();
    session.run(synthetic_input(96, 160).view(), &mut outputs).unwrap_or_else(|error| panic!("{error}"));
    for (stride, cells) in [(8, 240), (16, 60), (32, 15)] {
        for (head, width) in [("cls", 1), ("obj", 1), ("bbox", 4), ("kps", 10)] {
            let output = outputs.get(&format!("{head}_{stride}")).expect("named");
            assert_eq!(output.shape, [1, cells, width], "{kind}: {head}_{stride}");
        }
    }
}

fn wrong_shape_refused(kind: BackendKind) {
    let mut session = open(kind, Size::new(64, 96)).unwrap_or_else(|error| panic!("{error}"));
    let mut outputs = Outputs::new();
    for shape in [(1, 3, 64, 96), (1, 3, 96, 32), (2, 3, 96, 64), (1, 1, 96, 64)] {
        let refused = session.run(Array4::zeros(shape).view(), &mut outputs);
        let Err(BackendError::InputShape { got, wanted }) = refused else { panic!("{kind}: {refused:?}") };
        assert_eq!((got, wanted), (vec![shape.0, shape.1, shape.2, shape.3], vec![1, 3, 96, 64]), "{kind}");
    }
    session.run(synthetic_input(64, 96).view(), &mut outputs).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(outputs.iter().count(), 12, "{kind}");
}

/// Two sessions of different sizes running on two threads do not affect each other.
fn two_at_once(kind: BackendKind) {
    let alone: Vec<Outputs> = [64, 96].into_iter().map(|side| run_session(kind, side, 1)).collect();
    let together: Vec<Outputs> = std::thread::scope(|scope| {
        let both: Vec<_> = [64, 96].into_iter().map(|side| scope.spawn(move || run_session(kind, side, 5))).collect();
        both.into_iter().map(|one| one.join().expect("ran")).collect()
    });
    assert!(alone == together, "{kind}");
}

fn run_session(kind: BackendKind, side: usize, times: usize) -> Outputs {
    let mut session = open(kind, Size::new(side as u32, side as u32)).unwrap_or_else(|error| panic!("{error}"));
    let mut outputs = Outputs::new();
    for _ in 0..times {
        session.run(synthetic_input(side, side).view(), &mut outputs).unwrap_or_else(|error| panic!("{error}"));
    }
    outputs
}

fn reopen_after_failure(kind: BackendKind) {
    let bundled = ModelBytes::bundled();
    let cut = ModelBytes::from_bytes("cut.onnx", &bundled.as_bytes()[..bundled.as_bytes().len() / 2]);
    let refused = open_session(kind, &cut, &options(Size::new(64, 64))).err();
    assert!(matches!(refused, Some(BackendError::Load { .. })), "{kind}: {refused:?}");
    assert_eq!(run_session(kind, 64, 1).iter().count(), 12, "{kind}");
}

fn not_onnx(kind: BackendKind) {
    for (name, bytes) in [("notes.txt", b"these are no weights".as_slice()), ("empty.onnx", b"")] {
        let refused = open_session(kind, &ModelBytes::from_bytes(name, bytes), &options(Size::new(64, 64)));
        let message = refused.err().unwrap_or_else(|| panic!("{kind} accepts {name}")).to_string();
        assert!(message.contains(name) && !message.contains('\n') && message.len() < 400, "{kind}: {message}");
    }
}

fn repeatable(kind: BackendKind) {
    assert!(run_session(kind, 96, 1) == run_session(kind, 96, 3), "{kind}");
}

/// Opens with a cache, twice, and after the cache was corrupted; the outputs stay the same.
#[test]
fn the_optimised_graph_is_cached_and_a_corrupt_one_replaced() {
    let cpu = BackendKind::Ort(Provider::Cpu);
    if !is_included(cpu) || library().is_none() {
        return;
    }
    let folder = test_support::folder();
    let options = SessionOptions { cache_dir: Some(folder.path().to_owned()), ..options(Size::new(320, 320)) };
    let kept = |folder: &Path| test_support::names(folder);
    values(cpu, 320, &options);
    let first = kept(folder.path());
    assert!(first.len() == 1 && first[0].starts_with("ort") && first[0].ends_with(".onnx"), "{first:?}");
    values(cpu, 320, &options);
    std::fs::write(folder.path().join(&first[0]), "spoilt").expect("written");
    values(cpu, 320, &options);
    values(cpu, 320, &options);
    assert_eq!(kept(folder.path()), first);
    let spoilt = std::fs::metadata(folder.path().join(&first[0])).expect("exists").len();
    assert!(spoilt > 100_000, "{spoilt}");
    // A cache that cannot be written does not prevent a run.
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    values(cpu, 320, &SessionOptions { cache_dir: Some(file), ..options });
}

#[test]
fn a_provider_missing_in_the_library_is_reported_without_fallback() {
    if !is_included(BackendKind::Ort(Provider::Cpu)) || library().is_none() {
        return;
    }
    let folder = test_support::folder();
    for provider in Provider::ALL.into_iter().filter(|provider| *provider != Provider::Cpu) {
        let kind = BackendKind::Ort(provider);
        let cached = SessionOptions { cache_dir: Some(folder.path().to_owned()), ..options(Size::new(64, 64)) };
        let opened = open_session(kind, &ModelBytes::bundled(), &cached);
        let files: Vec<_> =
            std::fs::read_dir(folder.path()).expect("exists").flatten().map(|entry| entry.path()).collect();
        assert!(opened.is_ok() || files.is_empty(), "{kind} cannot be used and leaves {files:?}");
        match opened {
            Ok(session) => {
                println!("{kind}: {}", session.info().device);
                assert_eq!(session.info().kind, kind);
            }
            Err(BackendError::NotInLibrary { kind: of } | BackendError::Provider { kind: of, .. }) => {
                assert_eq!(of, kind);
            }
            Err(error) => panic!("{kind}: {error:?}"),
        }
    }
}

/// A detector with other bytes than the bundled one: without its fixed input size.
fn other_model() -> ModelBytes {
    let bytes = free_input_size(ModelBytes::bundled().as_bytes()).expect("frees");
    ModelBytes::from_bytes("other.onnx", bytes)
}

#[test]
fn litert_loads_the_bundled_models_at_their_sizes_only() {
    let kind = BackendKind::Litert;
    if !is_included(kind) || test_support::real_litert().is_none() {
        return;
    }
    let bundled = ModelBytes::bundled();
    let other = other_model();
    let refused = |model: &ModelBytes, width, height| {
        let refused = open_session(kind, model, &options(Size::new(width, height))).err().expect("refused");
        assert!(matches!(refused, BackendError::Load { .. }), "{refused:?}");
        refused.to_string()
    };
    let expected =
        "LiteRT cannot load the model other.onnx: it has the bundled models compiled in and cannot load others";
    assert_eq!(refused(&other, 64, 64), expected);
    for (width, height) in [(0, 32), (32, 0), (48, 64), (64, 33)] {
        assert!(refused(&bundled, width, height).contains("multiple of 32"));
    }
    for face_model in ModelKind::OF_FACES {
        assert!(refused(&ModelBytes::bundled_for(face_model), 32, 32).contains("its input must be"), "{face_model}");
    }
    // A copy of a bundled file is accepted.
    let copy = ModelBytes::from_bytes("copy.onnx", bundled.as_bytes());
    assert!(open_session(kind, &copy, &options(Size::new(640, 448))).is_ok());
}
