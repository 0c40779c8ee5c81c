//! Probing, choosing and comparing runtimes through the library; children run the built program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use batch::latency::{
    CompareSpec, Comparison, ComparisonTable, MODEL_INPUT, Step, open_chosen, try_loading, try_loading_all,
    try_runtimes,
};
use batch::platform::Folders;
use engines::{is_included, probe};
use geometry::Size;
use inference::{ModelBytes, file_name};
use outcome::{OpenError, RuntimeState, Stage};
use picture::decode_file;
use recipe::{BackendKind, DecodeLimits, DetectSpec, ModelKind, Provider, Recipe, RuntimeChoice, RuntimeOptions};

use crate::support::{folder, portrait, samples};

const CPU: BackendKind = BackendKind::Ort(Provider::Cpu);

/// Sets the program that children run.
fn name_program() {
    probe::set_program(env!("CARGO_BIN_EXE_iron-cropper").into());
}

fn spec(runtimes: &[BackendKind], photos: Vec<PathBuf>) -> CompareSpec {
    CompareSpec {
        photos,
        runtimes: runtimes.to_vec(),
        warmup: 1,
        repeats: 2,
        options: RuntimeOptions { threads: 1, ..RuntimeOptions::default() },
        model: None,
        detect: DetectSpec::default(),
        limits: DecodeLimits::default(),
        recipe: Recipe::default(),
    }
}

/// Runs all steps; returns them and the table.
fn run(spec: CompareSpec) -> (Vec<Step>, ComparisonTable) {
    name_program();
    let mut comparison = Comparison::new(Arc::new(spec), None);
    let mut steps = Vec::new();
    while steps.last() != Some(&Step::Finished) {
        assert!(steps.len() < 100, "{steps:?}");
        steps.push(comparison.step());
    }
    (steps, comparison.table().clone())
}

#[test]
#[cfg(all(feature = "tract", feature = "rten"))]
fn runs_are_interleaved_counted_and_compared() {
    let photos = vec![portrait(), samples().join("three_prints.jpg")];
    let (steps, table) = run(spec(&[BackendKind::Rten, BackendKind::Tract], photos));
    let of_a_photo = |photo| {
        let passes = [Step::Measured(0), Step::Measured(1)].into_iter().cycle().take(6);
        std::iter::once(Step::Photo(photo)).chain(passes).collect::<Vec<_>>()
    };
    let expected =
        [vec![Step::Opened(0), Step::Opened(1)], of_a_photo(0), of_a_photo(1), vec![Step::Finished]].concat();
    assert_eq!(steps, expected);
    assert_eq!((table.done, table.total, table.problems.len()), (12, 12, 0));
    for row in &table.rows {
        assert_eq!((row.state, row.samples.len(), row.faces), (RuntimeState::Ready, 4, Some(4)), "{row:?}");
        assert!(row.samples.iter().all(|sample| sample.inference_ms > 0.0 && sample.total_ms() > sample.inference_ms));
        assert!(
            row.samples.iter().all(|sample| sample.landmarks_ms > Some(0.0) && sample.mask_ms > Some(0.0)),
            "{row:?}"
        );
        assert!(row.model_faults.is_empty(), "{row:?}");
        assert!(row.samples.iter().all(|sample| sample.photo_ms > sample.detect_ms()), "{row:?}");
        assert!(
            row.samples.iter().all(|sample| sample.stages.get(Stage::Encode) > Some(0.0)),
            "crops are made: {row:?}"
        );
        assert!(row.agrees == Some(true) && !row.inputs.is_empty(), "{row:?}");
        assert!(row.cold_ms > Some(0.0) && row.first_ms > Some(0.0), "{row:?}");
        assert_eq!(row.peak_memory_mb.is_some(), cfg!(target_os = "linux"));
        assert!(row.statistics().is_some_and(|figures| figures.min <= figures.median && figures.median <= figures.p95));
    }
    let [rten, tract] = [0, 1].map(|row| table.rows[row].max_difference.expect("compared"));
    assert!(tract == 0.0 && rten > 0.0 && rten < 1e-2, "the reference is tract, and rten is {rten} from it");
    let fastest = table.fastest().expect("both agree").kind;
    assert_eq!(table.ranked()[0].kind, fastest);
}

#[test]
#[cfg(all(feature = "tract", feature = "rten"))]
fn a_comparison_writes_no_file_and_judges_by_tract_although_it_is_not_compared() {
    let home = folder();
    let photo = home.path().join("anna.png");
    std::fs::copy(portrait(), &photo).expect("copied");
    let (_, table) = run(spec(&[BackendKind::Rten], vec![photo]));
    assert_eq!((table.rows.len(), table.rows[0].agrees), (1, Some(true)));
    assert!(table.fastest().is_none(), "nothing to compare with");
    assert_eq!(std::fs::read_dir(home.path()).expect("reads").count(), 1);
    assert!(!Path::new("anna.jpg").exists() && !Path::new("anna.png").exists(), "nor in the working folder");
}

#[test]
#[cfg(feature = "tract")]
fn failures_are_reported_and_the_comparison_continues() {
    let folder = folder();
    let [text, no_model] = ["text.jpg", "model.onnx"].map(|name| folder.path().join(name));
    std::fs::write(&text, "not a picture").expect("written");
    std::fs::write(&no_model, "not a model").expect("written");
    let broken = RuntimeOptions { library: Some(no_model.clone()), ..RuntimeOptions::default() };
    let two = CompareSpec { options: broken, ..spec(&[CPU, BackendKind::Tract], vec![text.clone(), portrait()]) };
    let (_, table) = run(two);
    assert_eq!((table.done, table.total), (3, 3));
    assert_eq!(table.problems.iter().map(|(path, _)| path).collect::<Vec<_>>(), [&text]);
    assert!(table.rows[0].state != RuntimeState::Ready && table.rows[0].fault.is_some(), "{:?}", table.rows[0]);
    assert_eq!((table.rows[1].state, table.rows[1].faces), (RuntimeState::Ready, Some(1)));

    let given = RuntimeOptions { litert: Some(no_model.clone()), ..RuntimeOptions::default() };
    let (_, table) = run(CompareSpec { options: given, ..spec(&[BackendKind::Litert], vec![portrait()]) });
    let reason = table.rows[0].fault.as_ref().expect("a reason").to_string();
    assert!(reason.contains("model.onnx") || !is_included(BackendKind::Litert), "its library is searched: {reason}");

    let none = CompareSpec { model: Some(no_model), ..spec(&[BackendKind::Tract], vec![portrait()]) };
    let (steps, table) = run(none);
    assert_eq!(steps, [Step::Opened(0), Step::Finished]);
    let reason = table.rows[0].fault.as_ref().expect("a reason").to_string();
    assert!(table.rows[0].state == RuntimeState::Failed && reason.contains("model.onnx"), "{reason}");
}

/// A folder in which the person model is missing and the others are the bundled ones.
#[cfg(feature = "tract")]
fn without_person_model() -> tempfile::TempDir {
    let folder = folder();
    for kind in [ModelKind::Landmarks, ModelKind::Eyelids] {
        let model = ModelBytes::bundled_for(kind);
        std::fs::write(folder.path().join(file_name(kind)), model.as_bytes()).expect("written");
    }
    folder
}

#[test]
#[cfg(feature = "tract")]
fn a_runtime_without_a_face_model_keeps_its_row() {
    let models = without_person_model();
    let mut spec = spec(&[BackendKind::Tract], vec![portrait()]);
    spec.options.face_models = Some(models.path().to_owned());
    let (_, table) = run(spec);
    let row = &table.rows[0];
    assert_eq!((row.state, row.samples.len(), table.done), (RuntimeState::Ready, 2, 3), "{row:?}");
    assert!(row.samples.iter().all(|sample| sample.landmarks_ms > Some(0.0) && sample.mask_ms.is_none()), "{row:?}");
    let [fault] = row.model_faults.as_slice() else { panic!("{row:?}") };
    assert_eq!(fault.model, ModelKind::Person);
    assert!(fault.to_string().contains("person.onnx cannot be read"), "{fault}");
}

#[test]
#[cfg(feature = "tract")]
fn children_test_the_face_models_of_the_user() {
    name_program();
    let models = without_person_model();
    let options = RuntimeOptions { face_models: Some(models.path().to_owned()), ..RuntimeOptions::default() };
    let table = try_runtimes(None, &options, None, false);
    let tract = table.reports.iter().find(|report| report.kind == BackendKind::Tract).expect("tested");
    let faults: Vec<_> = tract.model_faults().map(|fault| fault.model).collect();
    assert_eq!((tract.state, tract.agrees, faults), (RuntimeState::Ready, Some(true), vec![ModelKind::Person]));
    let table = try_runtimes(None, &RuntimeOptions::default(), None, false);
    let complete = table.reports.iter().filter(|report| report.state == RuntimeState::Ready);
    for report in complete.filter(|report| report.kind != BackendKind::Burn) {
        assert_eq!((report.models.len(), report.model_faults().count()), (3, 0), "{report:?}");
        assert!(report.agrees == Some(true) && report.photo_ms() > report.warm_ms, "{report:?}");
    }
}

#[test]
#[cfg(feature = "tract")]
fn auto_chooses_by_measurement_and_caches_it() {
    name_program();
    let home = folder();
    let folders = Folders::below(home.path());
    // A separate library, so that an installed one does not matter.
    let text = home.path().join("libonnxruntime.so");
    std::fs::write(&text, "not a library").expect("written");
    let options = RuntimeOptions { library: Some(text), ..RuntimeOptions::default() };
    let open = || open_chosen(RuntimeChoice::Auto, None, &options, Some(&folders)).expect("opens");
    let mut opened = open();
    let why = opened.why.as_ref().expect("a reason").to_string();
    assert!(why.contains("tract ") && why.contains(" ms; "), "{why}");
    let picture = decode_file(&portrait(), &DecodeLimits::default()).expect("decodes");
    assert_eq!(opened.detector.detect(&picture, &DetectSpec::default()).expect("detects").faces.len(), 1);

    let kept = folders.cache_dir.join("runtimes.json");
    let before = std::fs::read(&kept).expect("kept");
    let again = open();
    assert_eq!((again.why.map(|why| why.to_string()), again.detector.info()), (Some(why), opened.detector.info()));
    let table = try_runtimes(None, &options, Some(&folders), false);
    let chosen = table.reports.iter().filter(|report| report.agrees == Some(true));
    let complete = chosen.filter(|report| report.model_faults().next().is_none());
    let fastest = complete.min_by(|a, b| a.photo_ms().partial_cmp(&b.photo_ms()).expect("numbers")).expect("one");
    assert_eq!(fastest.kind, opened.detector.info().kind);
    assert!(before == std::fs::read(&kept).expect("kept"), "nothing was probed again");
    let afresh = try_runtimes(None, &options, Some(&folders), true);
    assert_eq!(afresh.reports.len(), table.reports.len());
    assert!(before != std::fs::read(&kept).expect("kept"), "afresh probes again");
}

#[test]
fn a_named_runtime_is_used_or_fails() {
    name_program();
    let home = folder();
    let folders = Folders::below(home.path());
    let open = |kind, library: &Path| {
        let (library, litert) = (Some(library.to_owned()), Some(library.to_owned()));
        let options = RuntimeOptions { library, litert, ..RuntimeOptions::default() };
        open_chosen(RuntimeChoice::Named(kind), None, &options, Some(&folders))
    };
    let nowhere = home.path().join("nowhere");
    for kind in [BackendKind::Tract, BackendKind::Rten, BackendKind::Candle, BackendKind::Burn]
        .into_iter()
        .filter(|kind| is_included(*kind))
    {
        let opened = open(kind, &nowhere).expect("no library is needed");
        assert_eq!(opened.detector.info().kind, kind);
        assert!(opened.why.is_none());
    }
    for of_library in [CPU, BackendKind::Litert].into_iter().filter(|kind| is_included(*kind)) {
        let Err(OpenError::Tried { kind, state, fault }) = open(of_library, &nowhere) else { panic!("no such error") };
        assert_eq!((kind, state), (of_library, RuntimeState::Missing));
        assert!(fault.to_string().contains("nowhere"), "{fault}");
    }
}

#[test]
fn every_engine_reports_if_it_loads_a_model() {
    name_program();
    let folder = folder();
    let no_model = folder.path().join("model.onnx");
    std::fs::write(&no_model, "not a model").expect("written");
    let (library, litert) = (Some(folder.path().to_owned()), Some(folder.path().to_owned()));
    let options = RuntimeOptions { library, litert, ..RuntimeOptions::default() };
    let (loads, of_faces) = try_loading_all(None, MODEL_INPUT, &options, None);
    let on_request = [BackendKind::Candle, BackendKind::Burn].into_iter().filter(|kind| is_included(*kind));
    let built_in = [BackendKind::Builtin, BackendKind::Tract, BackendKind::Rten];
    let expected: Vec<_> = built_in.into_iter().chain(on_request).chain([BackendKind::Litert, CPU]).collect();
    assert_eq!(loads.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), expected);
    for (kind, loads) in &loads {
        assert_eq!(loads.is_ok(), is_included(*kind) && kind.library().is_none(), "{kind}: {loads:?}");
    }
    for loads in &of_faces {
        for (kind, loads) in loads {
            let can = is_included(*kind) && kind.library().is_none() && *kind != BackendKind::Burn;
            assert_eq!(loads.is_ok(), can, "{kind}: {loads:?}");
        }
    }
    let person = folder.path().join("person.onnx");
    std::fs::write(&person, ModelBytes::bundled_for(ModelKind::Person).as_bytes()).expect("written");
    let loads = try_loading(Some(&person), Size::new(256, 256), &options, None);
    let is_ok = |(kind, loads): &(BackendKind, Result<_, _>)| loads.is_ok() || !is_included(*kind);
    let other = [CPU, BackendKind::Litert, BackendKind::Burn];
    assert!(loads.iter().filter(|(kind, _)| !other.contains(kind)).all(is_ok), "{loads:?}");
    for (kind, loads) in try_loading(Some(&no_model), MODEL_INPUT, &options, None) {
        assert!(loads.is_err_and(|fault| !fault.to_string().is_empty()), "{kind}");
    }
}
