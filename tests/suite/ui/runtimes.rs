//! Runtimes in the window: the list, the pages, and a secondary runtime.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use batch::settings::Settings;
use batch::worker::{
    DescribeError, Event, FilesRequest, ModelPage, ProbesRequest, Request, SecondaryDetection, SecondaryTimes,
    SessionRequest, WireError,
};
use engines::{Found, LibrarySearch, Place, SearchStep};
use geometry::Size;
use inference::ModelBytes;
use inference::onnx::ModelSummary;
#[cfg(not(target_os = "macos"))]
use iron_cropper::ui::SessionOverrides;
use iron_cropper::ui::{PickerKind, WindowOptions};
use outcome::{
    AutoReason, Detection, LibraryError, ModelReport, OpenError, PassReport, PassScale, RuntimeFault, RuntimeInUse,
    RuntimeReport, RuntimeState, SessionInfo, Stage, StageError,
};
use recipe::{BackendKind, ModelKind, Optimization, Provider, RuntimeChoice, RuntimeLibrary, RuntimeOptions};
#[cfg(not(target_os = "macos"))]
use {outcome::Device, recipe::DeviceChoice};

use super::script::{Window, opened_with_secondary, photo_indexed, photo_opened, probed, ready, runtime, two_faces};

const ORT: BackendKind = BackendKind::Ort(Provider::Cpu);

fn opening(request: &Request) -> Option<(RuntimeChoice, RuntimeOptions)> {
    if let Request::Session(SessionRequest::OpenRuntime { choice, options, .. }) = request {
        Some((*choice, options.clone()))
    } else {
        None
    }
}

fn trial(request: &Request) -> Option<bool> {
    if let Request::Probes(ProbesRequest::TryRuntimes { afresh, .. }) = request { Some(*afresh) } else { None }
}

fn opening_secondary(request: &Request) -> Option<Option<BackendKind>> {
    if let Request::Session(SessionRequest::OpenSecondary { runtime, .. }) = request { Some(*runtime) } else { None }
}

fn failure() -> Arc<OpenError> {
    Arc::new(OpenError::Panicked { message: "out of luck".to_owned() })
}

#[test]
fn the_list_shows_every_runtime_with_status_and_reason() {
    let mut window = Window::open();
    assert_eq!(window.runtime_shown(), "Auto: tract, CPU, 40 ms per photo");
    window.open_runtimes();
    for kind in engines::offered_runtimes() {
        assert!(window.has(&format!("{kind}: checking…")), "{kind}");
    }
    let broken =
        RuntimeReport::new(ORT, RuntimeState::Failed, Some(RuntimeFault::Other("the library crashed".to_owned())));
    window.probes_finished(&[ready(BackendKind::Tract, 83.4), broken]);
    assert!(window.has("tract: ready, 83 ms") && window.has("ONNX Runtime, CPU: failed: the library crashed"));
    let unusable = |window: &Window, label: &str| window.harness.get_by_label(label).accesskit_node().is_disabled();
    assert!(unusable(&window, "ONNX Runtime, CPU: failed: the library crashed"));
    for kind in engines::offered_runtimes().into_iter().filter(|kind| ![BackendKind::Tract, ORT].contains(kind)) {
        let label = format!("{kind}: library missing (no library was found)");
        assert!(unusable(&window, &label), "{label}");
    }
}

#[test]
fn runtimes_are_probed_after_opening_and_on_request() {
    let mut window = Window::open_with(WindowOptions::default(), [1280.0, 800.0], 1.0);
    let sent = window.sent();
    assert!(sent.iter().all(|(_, request)| trial(request).is_none()), "probing would distort the measurements of Auto");
    let (id, (choice, _)) = sent.iter().find_map(|(id, request)| Some((*id, opening(request)?))).expect("an opening");
    window.answer(id, Event::RuntimeFailed { requested: choice, error: failure() });
    let (id, afresh) = window.sent_one(trial);
    assert!(!afresh);
    window.open_runtimes();
    assert!(window.harness.get_by_label("Checking…").accesskit_node().is_disabled());
    window.answer(id, Event::RuntimesTried(probed(&[])));
    window.click("Check again");
    let (newer, afresh) = window.sent_one(trial);
    assert!(afresh);
    window.answer(id, Event::RuntimesTried(probed(&[ready(BackendKind::Rten, 60.0)])));
    window.open_runtimes();
    assert!(!window.shows("rten: ready") && window.has("Checking…"), "an outdated answer");
    window.answer(newer, Event::RuntimesTried(probed(&[ready(BackendKind::Rten, 61.0)])));
    assert!(window.has("rten: ready, 61 ms") && window.has("Check again"));
}

#[test]
fn choosing_a_runtime_opens_it_or_shows_the_reason() {
    let options = RuntimeOptions { threads: 3, ..RuntimeOptions::default() };
    let settings = Settings { runtime_options: options.clone(), ..Settings::default() };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.probes_finished(&[ready(BackendKind::Tract, 83.0), ready(BackendKind::Rten, 130.0)]);
    window.open_runtimes();
    window.click("rten: ready, 130 ms");
    let (id, opened) = window.sent_one(opening);
    assert_eq!(opened, (RuntimeChoice::Named(BackendKind::Rten), options));
    assert_eq!(window.runtime_shown(), "rten: opening");

    window.answer(id, Event::RuntimeFailed { requested: opened.0, error: failure() });
    assert!(window.shows("out of luck") && window.runtime_shown() == "rten: failed");
    assert!(window.sent().iter().all(|(_, request)| opening(request).is_none()), "it stays failed");
    window.click("Use Auto");
    assert_eq!(window.sent_one(opening).1.0, RuntimeChoice::Auto);
}

#[test]
fn slow_opening_is_reported_without_freezing() {
    let mut window = Window::open_with(WindowOptions::default(), [1280.0, 800.0], 1.0);
    window.steps(4);
    assert!(!window.shows("still opening"));
    window.steps(40);
    assert!(window.has("still opening Auto… (runtimes are compared on first use)"));
    window.runtime_ready();
    assert!(!window.shows("still opening"));
}

#[test]
fn a_new_runtime_detects_all_photos_again() {
    let mut window = Window::open();
    window.probes_finished(&[ready(BackendKind::Tract, 83.0)]);
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    window.open_runtimes();
    window.click("tract: ready, 83 ms");
    window.runtime_ready();
    let sent = window.sent();
    assert_eq!(
        sent.iter()
            .filter(|(_, request)| matches!(request, Request::Session(SessionRequest::IndexPhoto { .. })))
            .count(),
        2
    );
    assert_eq!(
        sent.iter()
            .filter(|(_, request)| matches!(request, Request::Session(SessionRequest::OpenPhoto { .. })))
            .count(),
        1
    );
}

/// Opens a page of the View menu by its shortcut.
fn open_from_view(window: &mut Window, entry: &str) {
    window.ctrl_shift(if entry == "Runtimes…" { Key::R } else { Key::L });
    // A page moves to the centre once its size is known, and accepts no click while it appears.
    window.steps(8);
}

#[test]
fn the_runtimes_page_lists_the_search_paths() {
    let mut window = Window::open();
    let (id, _) = window.sent_one(trial);
    let refused = LibraryError::OtherVersion { path: "/data/litert/libLiteRt.so".into(), needed: "2.3.0".to_owned() };
    let fault = RuntimeFault::Library { error: refused, named: Vec::new() };
    let refused = RuntimeReport::new(BackendKind::Litert, RuntimeState::Missing, Some(fault));
    let mut table = probed(&[ready(BackendKind::Tract, 83.0), refused]);
    let step = |place, path: Option<&str>, found| SearchStep { place, path: path.map(PathBuf::from), found };
    let steps = vec![
        step(Place::Configured, None, Found::Unset),
        step(Place::Variable("ORT_DYLIB_PATH"), Some("/opt/words.txt"), Found::Nothing),
    ];
    let problem = Some(LibraryError::NotFound { library: RuntimeLibrary::OnnxRuntime });
    let search = LibrarySearch { steps, problem, ..LibrarySearch::default() };
    let litert = LibrarySearch { name: RuntimeLibrary::LiteRt, ..LibrarySearch::default() };
    let found = step(Place::Data, Some("/data/litert"), Found::Library("/data/litert/libLiteRt.so".into()));
    table.searches = vec![search, LibrarySearch { steps: vec![found], ..litert }];
    window.answer(id, Event::RuntimesTried(table));
    open_from_view(&mut window, "Runtimes…");
    assert!(window.has("Requested: Auto. In use: tract 0.0.1, CPU."));
    assert!(window.has("option or setting: not set") && window.has("ORT_DYLIB_PATH /opt/words.txt: not found"));
    assert!(window.shows("the ONNX Runtime library was not found"));
    assert!(window.has("LiteRT library") && window.has("data folder /data/litert: found /data/litert/libLiteRt.so"));
    // In the list of runtimes, the table, and above the search, which knows files by their name only.
    assert_eq!(window.harness.query_all_by_label_contains("is not the library of LiteRT 2.3.0").count(), 3);
    assert!(window.has("tract: ready, 83 ms") && window.has("no library was found"));

    window.click("Copy diagnostics");
    let (id, spec) = window.sent_one(super::diagnostics::diagnosing);
    assert_eq!((spec.model, spec.options), (None, RuntimeOptions::default()));
    window.answer(id, Event::Diagnosed(Box::new(super::diagnostics::diagnosis())));
    assert!(window.has("Copied"));
}

#[test]
fn new_options_reopen_the_runtime_after_the_delay() {
    let mut window = Window::open();
    window.probes_finished(&[ready(BackendKind::Tract, 83.0)]);
    open_from_view(&mut window, "Runtimes…");
    // Below the visible part of the page.
    window.harness.get_by_label("Browse for ONNX Runtime…").click_accesskit();
    window.steps(2);
    assert_eq!(*window.dialog.opened.borrow(), [PickerKind::Library(RuntimeLibrary::OnnxRuntime)]);
    window.sent();
    window.harness.get_by_role_and_label(Role::ComboBox, "Optimisation").click_accesskit();
    window.steps(3);
    window.harness.get_by_label("Basic").click();
    window.steps(1);
    assert!(window.sent().iter().all(|(_, request)| opening(request).is_none()), "not yet");
    window.steps(4);
    let mut wanted = RuntimeOptions { optimization: Optimization::Basic, ..RuntimeOptions::default() };
    let openings = |window: &mut Window| -> Vec<_> {
        window.sent().iter().filter_map(|(id, request)| Some((*id, opening(request)?.1))).collect()
    };
    let first = openings(&mut window);
    assert_eq!(first.iter().map(|(_, options)| options).collect::<Vec<_>>(), [&wanted], "once");

    window.pick(PickerKind::Library(RuntimeLibrary::OnnxRuntime), vec!["/opt/b.so".into()]);
    window.steps(4);
    wanted.library = Some("/opt/b.so".into());
    let second = openings(&mut window);
    assert_eq!(second.iter().map(|(_, options)| options).collect::<Vec<_>>(), [&wanted]);
    window.answer(first[0].0, Event::RuntimeFailed { requested: RuntimeChoice::Auto, error: failure() });
    assert!(!window.shows("out of luck"), "of outdated options");

    let error = LibraryError::RestartToApply { path: "/opt/b.so".into(), loaded: "/opt/a.so".into() };
    let error = Arc::new(OpenError::Backend(error.into()));
    window.answer(second[0].0, Event::RuntimeFailed { requested: RuntimeChoice::Auto, error });
    assert!(window.shows("restart to use /opt/b.so"));
    assert!(!window.sent_one(trial).1, "probed with the new options");
}

/// CUDA with two devices.
#[cfg(not(target_os = "macos"))]
fn cuda() -> RuntimeReport {
    let devices = [(0, "RTX 4070"), (1, "T400")].map(|(number, name)| Device { number, name: name.to_owned() });
    let device = Some("CUDA 0 (RTX 4070)".to_owned());
    RuntimeReport { device, devices: devices.to_vec(), ..ready(BackendKind::Ort(Provider::Cuda), 5.0) }
}

#[test]
#[cfg(not(target_os = "macos"))]
fn graphics_cards_are_chosen_by_name() {
    let runtime_options = RuntimeOptions { device: DeviceChoice::Number(5), ..RuntimeOptions::default() };
    let settings = Settings { runtime_options, ..Settings::default() };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.probes_finished(&[ready(BackendKind::Tract, 83.0), cuda()]);
    open_from_view(&mut window, "Runtimes…");
    let list = |window: &Window| {
        window.harness.query_by_role_and_label(Role::ComboBox, "Device").and_then(|list| list.value())
    };
    assert_eq!(list(&window).as_deref(), Some("5: not found"));
    assert!(window.shows("CUDA 0 (RTX 4070)"), "the device in use");
    window.sent();
    window.harness.get_by_role_and_label(Role::ComboBox, "Device").click();
    window.steps(3);
    assert!(window.has("0: RTX 4070"));
    window.click("1: T400");
    window.steps(5);
    let (id, (requested, options)) = window.sent_one(opening);
    assert_eq!(options.device, DeviceChoice::Number(1));
    assert_eq!(list(&window).as_deref(), Some("1: T400"), "the names stay while the new device is opened");
    window.answer(id, Event::RuntimeFailed { requested, error: failure() });
    window.probes_finished(&[ready(BackendKind::Tract, 83.0)]);
    assert_eq!(list(&window), None);
    assert!(window.harness.query_by_role_and_label(Role::SpinButton, "Device").is_some(), "a number without names");
}

#[test]
#[cfg(not(target_os = "macos"))]
fn the_list_of_graphics_cards_is_that_of_the_runtime_in_use() {
    let tensorrt = BackendKind::Ort(Provider::TensorRt);
    let settings = Settings { runtime: RuntimeChoice::Named(tensorrt), ..Settings::default() };
    let device = Some(DeviceChoice::Named("quadro".to_owned()));
    let session = SessionOverrides { device, ..SessionOverrides::default() };
    let options = WindowOptions { settings, session, ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.probes_finished(&[ready(BackendKind::Tract, 83.0), cuda(), ready(tensorrt, 9.0)]);
    open_from_view(&mut window, "Runtimes…");
    let list = window.harness.query_by_role_and_label(Role::ComboBox, "Device");
    assert!(list.is_none(), "another runtime may number the cards differently");
    let devices = vec![Device { number: 0, name: "Quadro P400".to_owned() }];
    window.click("Check again");
    window.probes_finished(&[cuda(), RuntimeReport { devices, ..ready(tensorrt, 9.0) }]);
    let list = window.harness.get_by_role_and_label(Role::ComboBox, "Device");
    assert_eq!(list.value().as_deref(), Some("quadro"), "the name given on the command line");
    list.click();
    window.steps(3);
    assert!(window.has("0: Quadro P400") && !window.has("1: T400"));
}

#[test]
fn the_model_page_shows_a_summary() {
    let mut window = Window::open();
    open_from_view(&mut window, "Model…");
    let (id, (model, face_models)) = window.sent_one(|request| match request {
        Request::Probes(ProbesRequest::DescribeModel { model, face_models, .. }) => Some((model.clone(), *face_models)),
        _ => None,
    });
    assert_eq!((model, face_models), (None, true));
    assert!(window.shows("Reading the model"));
    let page = |kind, side, reason: &str| {
        let bundled = ModelBytes::bundled_for(kind);
        ModelPage {
            summary: ModelSummary::read(bundled.as_bytes()).expect("a model"),
            name: bundled.name,
            kind: Some(kind),
            input: Size::new(side, side),
            loads: vec![(BackendKind::Tract, Ok(())), (ORT, Err(RuntimeFault::Other(reason.to_owned())))],
        }
    };
    let pages = vec![
        Ok(page(ModelKind::Detector, 640, "no library")),
        Ok(page(ModelKind::Landmarks, 192, "no operator")),
        Err(DescribeError::NotOnnx { name: "person.onnx".to_owned(), error: WireError }),
    ];
    window.answer(id, Event::ModelDescribed(pages));
    for text in [
        "53 Conv",
        "million at 640 x 640",
        "face landmarks",
        "192 x 192",
        "ONNX Runtime, CPU cannot load the model: no operator",
        "Could not read the model: person.onnx: not an ONNX file",
        "tract loads the model",
        "ONNX Runtime, CPU cannot load the model: no library",
    ] {
        assert!(window.shows(text), "{text}");
    }
    assert!(window.harness.get_by_label("Use bundled model").accesskit_node().is_disabled());

    window.click("Use another model…");
    window.pick(PickerKind::Model, vec!["/models/mine.onnx".into()]);
    window.steps(4);
    let sent = window.sent();
    let mine = Some(PathBuf::from("/models/mine.onnx"));
    let described = sent.iter().any(
        |(_, request)| matches!(request, Request::Probes(ProbesRequest::DescribeModel { model, .. }) if *model == mine),
    );
    let opened = sent.iter().any(
        |(_, request)| matches!(request, Request::Session(SessionRequest::OpenRuntime { model, .. }) if *model == mine),
    );
    assert!(described && opened, "{sent:?}");
    window.answer(
        id,
        Event::ModelDescribed(vec![Err(DescribeError::NotOnnx { name: "of old".to_owned(), error: WireError })]),
    );
    assert!(!window.shows("of old"));
    window.harness.key_press(Key::Escape);
    window.steps(2);
    assert!(!window.has("53 Conv"));
}

/// A window with a photo, in which rten is being opened as the secondary runtime.
fn opening_rten() -> (Window, batch::worker::RequestId) {
    let mut window = Window::open();
    window.probes_finished(&[ready(BackendKind::Tract, 83.0), ready(BackendKind::Rten, 130.0)]);
    window.add(&["/photos/anna.jpg"], &two_faces());
    open_from_view(&mut window, "Runtimes…");
    assert!(window.harness.get_by_label("Compare with tract").accesskit_node().is_disabled(), "it is in use");
    window.click("Compare with rten");
    let (id, runtime) = window.sent_one(opening_secondary);
    assert_eq!(runtime, Some(BackendKind::Rten));
    assert!(window.has("opening rten"));
    (window, id)
}

fn answer_inspection(window: &mut Window, result: Result<SecondaryTimes, StageError>) {
    answer_with_stages(window, result, &[]);
}

/// With the times of further stages on the runtime in use.
fn answer_with_stages(window: &mut Window, result: Result<SecondaryTimes, StageError>, more: &[(Stage, f64)]) {
    let (id, (item, generation)) = window.sent_one(|request| match request {
        Request::Session(SessionRequest::OpenPhoto { photo, generation }) => Some((photo.item, *generation)),
        _ => None,
    });
    let secondary = Some(SecondaryDetection { runtime: BackendKind::Rten, result });
    let mut opened = opened_with_secondary(item, generation, &two_faces(), secondary);
    if let Event::PhotoOpened { stages, .. } = &mut opened {
        more.iter().for_each(|(stage, stage_ms)| stages.add(*stage, *stage_ms));
    }
    window.answer(id, opened);
}

#[test]
fn times_of_a_photo_include_landmarks_and_mask() {
    let (mut window, id) = opening_rten();
    window.answer(id, Event::SecondaryReady { runtime: Some(BackendKind::Rten) });
    let times = SecondaryTimes { faces: 2, inference_ms: 120.0, total_ms: 137.0, model_fault: None };
    answer_with_stages(&mut window, Ok(times), &[(Stage::Landmarks, 6.0), (Stage::Mask, 20.0)]);
    assert!(window.has("tract 89 ms | rten 137 ms"), "the mask is not made on both");
    window.harness.key_press(Key::Escape);
    window.steps(2);
    window.click("Stop comparing with rten");
    assert!(window.shows("postprocess 1.0 ms + landmarks 6.0 ms + mask 20 ms"));
}

#[test]
fn a_model_that_a_runtime_cannot_use_is_reported_with_its_reason() {
    let mut window = Window::open();
    let model = |model, warm_ms: Option<f64>| ModelReport {
        model,
        warm_ms,
        fault: warm_ms.is_none().then(|| RuntimeFault::Run { reason: "no memory".to_owned() }),
    };
    let models = vec![model(ModelKind::Landmarks, Some(10.0)), model(ModelKind::Person, None)];
    window.probes_finished(&[RuntimeReport { models, ..ready(BackendKind::Tract, 83.0) }]);
    open_from_view(&mut window, "Runtimes…");
    assert!(window.has("without person mask (failed while running the model: no memory)"));
    assert!(window.shows("tract: ready, 103 ms"), "the time of a photo: one detection and two cuts for landmarks");
    assert!(window.shows("Time of one run: face detection 83 ms, face landmarks 10 ms"));
}

#[test]
fn a_secondary_runtime_shows_both_timings() {
    let (mut window, id) = opening_rten();
    window.answer(id, Event::SecondaryReady { runtime: Some(BackendKind::Rten) });
    answer_inspection(
        &mut window,
        Ok(SecondaryTimes { faces: 2, inference_ms: 120.0, total_ms: 131.0, model_fault: None }),
    );
    assert!(window.has("tract 83 ms | rten 131 ms"));
    window.harness.key_press(Key::Escape);
    window.steps(2);
    window.click("Stop comparing with rten");
    let (id, runtime) = window.sent_one(opening_secondary);
    assert_eq!(runtime, None);
    window.answer(id, Event::SecondaryReady { runtime: None });
    assert!(!window.shows("| rten") && window.shows("inference 78 ms"));
}

#[test]
fn a_runtime_is_not_compared_with_itself() {
    let (mut window, id) = opening_rten();
    window.answer(id, Event::SecondaryReady { runtime: Some(BackendKind::Rten) });
    window.press(Key::Escape);
    window.open_runtimes();
    window.click("rten: ready, 130 ms");
    let (id, _) = window.sent_one(opening);
    let RuntimeInUse { requested, actual, .. } = runtime(RuntimeChoice::Named(BackendKind::Rten));
    let actual = SessionInfo { kind: BackendKind::Rten, ..actual };
    window.answer(id, Event::RuntimeReady { runtime: RuntimeInUse { requested, actual, why: None }, load_ms: 3.0 });
    assert_eq!(window.sent_one(opening_secondary).1, None, "it is closed");
    assert!(!window.shows("Stop comparing with"));
    assert_eq!(window.runtime_shown(), "rten, CPU, 130 ms per photo");
}

#[test]
fn the_parts_of_a_photo_s_time_add_up_and_belong_together() {
    let mut window = Window::open();
    window.drop_files(&["/photos/anna.jpg"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(import, Event::ImportFound { paths: vec!["/photos/anna.jpg".into()] });
    let pass = PassReport {
        kind: PassScale::Standard,
        rotation: 0,
        input: Size::new(640, 640),
        rejected: None,
        scale: 1.0,
        candidates: 2,
        inference_ms: 500.0,
    };
    let mut for_the_list = None;
    for (id, request) in window.sent() {
        match request {
            Request::Session(SessionRequest::OpenPhoto { photo, generation }) => {
                window.answer(id, photo_opened(photo.item, generation, &two_faces()));
            }
            Request::Session(SessionRequest::IndexPhoto { photo, .. }) => {
                for_the_list = Some((id, photo_indexed(photo.item, &two_faces())));
            }
            _ => {}
        }
    }
    let time = "95 ms: decode 12 ms + preprocess 4.0 ms + inference 78 ms + postprocess 1.0 ms";
    assert!(window.has(time));
    let Some((id, Event::PhotoIndexed { item, thumbnail, info, detection, stages })) = for_the_list else {
        panic!("the photo is not indexed")
    };
    // Another detection of the same photo.
    let detection = detection.map(|found| Arc::new(Detection { passes: vec![pass; 3], ..(*found).clone() }));
    window.answer(id, Event::PhotoIndexed { item, thumbnail, info, detection, stages });
    assert!(window.has(time), "without the passes of the other one");
}

#[test]
fn the_runtimes_are_listed_side_by_side_with_the_cause_of_a_failure() {
    let mut window = Window::open();
    let reason = "Failed to load library /opt/ort/libonnxruntime_providers_cuda.so with error: libcublasLt.so.13: \
                  cannot open shared object file: No such file or directory";
    let fault = RuntimeFault::Provider { reason: reason.to_owned() };
    let broken = RuntimeReport::new(ORT, RuntimeState::Failed, Some(fault));
    window.probes_finished(&[ready(BackendKind::Tract, 44.0), ready(BackendKind::Rten, 130.0), broken]);
    assert_eq!(window.runtime_shown(), "Auto: tract, CPU, 44 ms per photo");
    window.open_runtimes();
    window.click("Compare runtimes");
    assert!(window.has("CPU: libcublasLt.so.13 is missing"), "not cut off after the path");
}

#[test]
fn a_failed_secondary_runtime_is_reported() {
    let (mut window, id) = opening_rten();
    let requested = RuntimeChoice::Named(BackendKind::Rten);
    window.answer(id, Event::RuntimeFailed { requested, error: failure() });
    assert!(window.shows("Cannot compare with rten: ") && window.shows("out of luck"));
    assert!(window.has("Compare with rten") && window.runtime_shown() == "Auto: tract, CPU, 83 ms per photo");

    let (mut window, id) = opening_rten();
    window.answer(id, Event::SecondaryReady { runtime: Some(BackendKind::Rten) });
    answer_inspection(&mut window, Err(StageError::Decode(outcome::DecodeError::Cancelled)));
    assert!(window.has("tract 83 ms | rten: failed"));
}

/// Auto with a built-in runtime, while the runtimes are tested.
fn untested() -> RuntimeInUse {
    let why = AutoReason { is_untested: true, ..AutoReason::default() };
    RuntimeInUse { why: Some(why), ..runtime(RuntimeChoice::Auto) }
}

#[test]
fn auto_starts_with_a_built_in_runtime_and_changes_without_losing_faces() {
    let at_once = |request: &Request| match request {
        Request::Session(SessionRequest::OpenRuntime { at_once, .. }) => Some(*at_once),
        _ => None,
    };
    let mut window = Window::open_with(WindowOptions::default(), [1280.0, 800.0], 1.0);
    let (id, first) = window.sent_one(at_once);
    assert!(first);
    window.answer(id, Event::RuntimeReady { runtime: untested(), load_ms: 12.0 });
    let (trials, _) = window.sent_one(trial);
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    assert!(window.has("anna.jpg, 2 faces"), "faces are found before the tests end");
    assert!(window.runtime_shown().ends_with(", testing others"), "{}", window.runtime_shown());
    window.sent();

    window.answer(trials, Event::RuntimesTried(probed(&[ready(BackendKind::Tract, 40.0), ready(ORT, 12.0)])));
    let (id, second) = window.sent_one(at_once);
    assert!(!second, "the choice is made from the tests");
    assert!(window.runtime_shown().ends_with(", testing others"), "the built-in one stays in use until then");
    window.answer(id, Event::RuntimeReady { runtime: runtime(RuntimeChoice::Auto), load_ms: 12.0 });
    assert!(window.shows("Auto uses tract. Per photo: tract 40.0 ms; rten 60.0 ms"), "the choice is shown");
    assert!(!window.runtime_shown().contains("testing"));
    assert!(window.has("anna.jpg, 2 faces") && window.has("ben.jpg, 2 faces"));
    let is_search = |request: &Request| matches!(request, Request::Session(SessionRequest::IndexPhoto { .. }));
    assert!(!window.sent().iter().any(|(_, request)| is_search(request) || at_once(request).is_some()));
}

#[test]
fn the_first_photos_are_shown_before_the_runtimes_are_tested() {
    let paths: Vec<String> = (0..12).map(|number| format!("/photos/{number}.jpg")).collect();
    let options = WindowOptions { paths: vec!["/photos".into()], ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    let sent = window.sent();
    let find = |wanted: fn(&Request) -> bool| sent.iter().find(|(_, request)| wanted(request)).expect("requested").0;
    let import = find(|request| matches!(request, Request::Files(FilesRequest::Import { .. })));
    let opening = find(|request| matches!(request, Request::Session(SessionRequest::OpenRuntime { .. })));
    window.answer(opening, Event::RuntimeReady { runtime: untested(), load_ms: 12.0 });
    window.answer(import, Event::ImportFound { paths: paths.iter().map(Into::into).collect() });
    let mut tested_after = None;
    for (count, (id, request)) in window.sent().into_iter().enumerate() {
        assert!(trial(&request).is_none());
        let Request::Session(SessionRequest::IndexPhoto { photo, .. }) = request else { continue };
        window.answer(id, photo_indexed(photo.item, &two_faces()));
        if window.sent().iter().any(|(_, request)| trial(request).is_some()) {
            assert_eq!(tested_after.replace(photo.item.0), None, "once; request {count}");
        }
    }
    assert!(tested_after.is_some_and(|item| (6..12).contains(&item)), "{tested_after:?}");
}
