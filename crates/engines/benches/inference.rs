//! Benchmarks inference of every engine: `cargo bench -p engines --features tract,rten,ort --bench inference`.
//!
//! For each engine of the build, on one thread and an input of 640 x 640: a direct call of the engine, and a run of our
//! session on the same input, which may take at most 5 % longer. ONNX Runtime is included if the environment variable
//! IRON_CROPPER_TEST_ONNXRUNTIME is the path of its library. A process can create only one of its environments, and our
//! session uses it: with IRON_CROPPER_BENCH_BARE=1 the direct call is timed instead of our session. Preprocessing is
//! timed as well.
//! Results of different machines, or of a busy and an idle one, are not comparable; ratios within one run are.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};

use engines::{is_included, open_session};
use faces::{InputTensor, Letterbox, preprocess};
use geometry::Size;
use inference::onnx::free_input_size;
use inference::{ModelBytes, Outputs, Session, SessionOptions};
use picture::{Filter, Picture, SourceBox, decode_bytes, resize};
use recipe::{BackendKind, DecodeLimits, Provider, RuntimeOptions};

const PORTRAIT: &[u8] = include_bytes!("../../../assets/samples/astronaut.png");
/// The input of the bundled model.
const MODEL_INPUT: Size = Size::new(640, 640);
/// Size to which a photo is reduced while it is decoded, before preprocessing.
const REDUCED: Size = Size::new(1280, 1280);

fn portrait(size: Size) -> Picture {
    let portrait = decode_bytes(PORTRAIT, &DecodeLimits::default()).expect("decodes");
    let whole = SourceBox::whole(portrait.size());
    let pixels = resize(&portrait.pixels, whole, size, Filter::Lanczos3);
    let mut picture = Picture { pixels: pixels.expect("resizes"), ..portrait };
    picture.info.size = size;
    picture
}

fn input_tensor(picture: &Picture) -> InputTensor {
    let mut tensor = InputTensor::new(MODEL_INPUT);
    let letterbox = Letterbox::new(picture.size(), MODEL_INPUT).expect("fits");
    preprocess(picture, &letterbox, &mut tensor).expect("packs");
    tensor
}

/// The ONNX Runtime library, if there is one.
fn library() -> Option<PathBuf> {
    std::env::var_os("IRON_CROPPER_TEST_ONNXRUNTIME").filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn session(kind: BackendKind) -> Box<dyn Session> {
    let mut options = SessionOptions::new(MODEL_INPUT);
    options.runtime = RuntimeOptions { threads: 1, library: library(), ..RuntimeOptions::default() };
    open_session(kind, &ModelBytes::bundled(), &options).expect("opens")
}

fn inference(criterion: &mut Criterion) {
    let tensor = input_tensor(&portrait(MODEL_INPUT));
    let mut group = criterion.benchmark_group("inference");
    let mut kinds = vec![BackendKind::Tract, BackendKind::Rten];
    kinds.extend(library().map(|_| BackendKind::Ort(Provider::Cpu)));
    for kind in kinds.into_iter().filter(|kind| is_included(*kind)) {
        let shares_process = !matches!(kind, BackendKind::Ort(_));
        let only_bare = std::env::var_os("IRON_CROPPER_BENCH_BARE").is_some_and(|value| value == "1");
        if shares_process || !only_bare {
            let mut session = session(kind);
            let mut outputs = Outputs::new();
            group.bench_function(format!("{kind}, our session"), |bencher| {
                bencher.iter(|| session.run(black_box(tensor.view()), &mut outputs));
            });
        }
        if shares_process || only_bare {
            let mut bare = bare_run(kind, &tensor);
            group.bench_function(format!("{kind}, bare engine"), |bencher| bencher.iter(&mut bare));
        }
    }
    group.finish();
}

fn bench_preprocess(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("preprocess");
    for size in [MODEL_INPUT, REDUCED] {
        let picture = portrait(size);
        let letterbox = Letterbox::new(size, MODEL_INPUT).expect("fits");
        let mut tensor = InputTensor::new(MODEL_INPUT);
        group.bench_function(format!("from {size}"), |bencher| {
            bencher.iter(|| preprocess(black_box(&picture), &letterbox, &mut tensor));
        });
    }
    group.finish();
}

/// A direct call of the engine on one thread, ready to be repeated.
fn bare_run(kind: BackendKind, tensor: &InputTensor) -> Box<dyn FnMut()> {
    let model = ModelBytes::bundled();
    let freed = free_input_size(model.as_bytes()).expect("frees");
    match kind {
        #[cfg(feature = "tract")]
        BackendKind::Tract => bare_tract(&freed, tensor),
        #[cfg(feature = "rten")]
        BackendKind::Rten => bare_rten(freed, tensor),
        #[cfg(feature = "ort")]
        BackendKind::Ort(_) => bare_ort(&freed, tensor),
        _ => unreachable!("{kind} is not benchmarked, or not in this build"),
    }
}

#[cfg(feature = "tract")]
fn bare_tract(model: &[u8], tensor: &InputTensor) -> Box<dyn FnMut()> {
    use tract_onnx::prelude::*;
    let shape = tensor.view().shape().to_vec();
    let mut graph = onnx().with_ignore_output_shapes(true).model_for_read(&mut &*model).expect("loads");
    graph.set_input_fact(0, f32::fact(&shape).into()).expect("accepts the shape");
    let optimised = graph.into_typed().expect("types").into_optimized().expect("optimises");
    let mut state = optimised.into_runnable().expect("plans").spawn().expect("starts");
    let values: Vec<f32> = tensor.view().iter().copied().collect();
    let input = Tensor::from_shape(&shape, &values).expect("a tensor").into_arc_tensor();
    Box::new(move || {
        black_box(state.run(tvec!(input.clone().into_tvalue())).expect("runs"));
    })
}

#[cfg(feature = "rten")]
fn bare_rten(model: Vec<u8>, tensor: &InputTensor) -> Box<dyn FnMut()> {
    use std::sync::Arc;

    use rten::{ModelOptions, RunOptions, ThreadPool, ValueView};
    let model = ModelOptions::with_all_ops().prepack_weights(true).load(model).expect("loads");
    let (input, outputs) = (model.input_ids()[0], model.output_ids().to_vec());
    let options = RunOptions::default().with_thread_pool(Some(Arc::new(ThreadPool::with_num_threads(1))));
    let shape: [usize; 4] = tensor.view().shape().try_into().expect("four dimensions");
    let values: Vec<f32> = tensor.view().iter().copied().collect();
    Box::new(move || {
        let view = ValueView::from_shape(shape, &values).expect("a tensor");
        black_box(model.run(vec![(input, view.into())], &outputs, Some(options.clone())).expect("runs"));
    })
}

#[cfg(feature = "ort")]
fn bare_ort(model: &[u8], tensor: &InputTensor) -> Box<dyn FnMut()> {
    use ort::session::Session;
    use ort::session::builder::GraphOptimizationLevel;
    use ort::value::TensorRef;
    let library = library().expect("checked by the caller");
    let environment = ort::init_from(library).expect("loads").build().expect("the first of this process");
    let open = || -> ort::Result<Session> {
        Session::builder(&environment)?
            .with_optimization_level(GraphOptimizationLevel::All)?
            .with_dimension_override("height", i64::from(MODEL_INPUT.height))?
            .with_dimension_override("width", i64::from(MODEL_INPUT.width))?
            .with_intra_threads(1)?
            .with_intra_op_spinning(false)?
            .commit_from_memory(model)
    };
    let mut session = open().expect("opens");
    let shape: [usize; 4] = tensor.view().shape().try_into().expect("four dimensions");
    let values: Vec<f32> = tensor.view().iter().copied().collect();
    Box::new(move || {
        let value = TensorRef::from_array_view((shape, values.as_slice())).expect("a tensor");
        black_box(session.run(ort::inputs![value]).expect("runs"));
    })
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(5));
    targets = inference, bench_preprocess
}
criterion_main!(benches);
