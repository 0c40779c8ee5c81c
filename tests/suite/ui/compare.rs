//! The comparison of runtimes.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use batch::latency::{CompareRow, CompareSpec, ComparisonTable, Sample, to_csv, to_markdown};
use batch::worker::{Event, FilesRequest, Request, RequestId, SessionRequest, TextError};
use geometry::Size;
use iron_cropper::ui::PickerKind;
use outcome::{FaceModelFault, RuntimeFault, RuntimeState, Stage, StageTimes};
use recipe::{BackendKind, ModelKind, Provider};

use super::script::{Window, ready, two_faces};

const ORT: BackendKind = BackendKind::Ort(Provider::Cpu);

fn comparison(request: &Request) -> Option<Arc<CompareSpec>> {
    if let Request::Session(SessionRequest::Compare(spec)) = request { Some(Arc::clone(spec)) } else { None }
}

/// The comparison of two photos, with tract and rten ready.
fn open() -> Window {
    let mut window = Window::open();
    window.probes_finished(&[ready(BackendKind::Tract, 83.0), ready(BackendKind::Rten, 130.0)]);
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    window.harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::C);
    window.steps(3);
    window.sent();
    window
}

/// A row whose first pass takes `inference_ms` + 5 ms, and a photo 100 ms more; each run takes a millisecond longer than the
/// one before.
fn row(kind: BackendKind, inference_ms: f64, passes: usize) -> CompareRow {
    let sample = |at: usize| {
        let inference_ms = inference_ms + at as f64;
        let mut stages = StageTimes::default();
        let parts = [(Stage::Preprocess, 4.0), (Stage::Inference, inference_ms), (Stage::Postprocess, 1.0)];
        let others = [(Stage::Decode, 90.0), (Stage::Render, 6.0), (Stage::Encode, 4.0)];
        parts.into_iter().chain(others).for_each(|(stage, ms)| stages.add(stage, ms));
        Sample {
            photo: 0,
            preprocess_ms: 4.0,
            inference_ms,
            postprocess_ms: 1.0,
            landmarks_ms: None,
            mask_ms: None,
            photo_ms: inference_ms + 105.0,
            stages,
        }
    };
    CompareRow {
        kind,
        state: RuntimeState::Ready,
        fault: None,
        model_faults: Vec::new(),
        version: Some("1.2.3".to_owned()),
        cold_ms: Some(212.0),
        first_ms: Some(95.5),
        peak_memory_mb: Some(61.0),
        agrees: Some(true),
        inputs: vec![Size::new(640, 640)],
        samples: (0..passes).map(sample).collect(),
        faces: Some(2),
        max_difference: Some(0.0),
    }
}

fn broken(kind: BackendKind) -> CompareRow {
    let fault = Some(RuntimeFault::Other("it crashed".to_owned()));
    CompareRow {
        state: RuntimeState::Failed,
        fault,
        cold_ms: None,
        first_ms: None,
        version: None,
        peak_memory_mb: None,
        agrees: None,
        inputs: Vec::new(),
        faces: None,
        max_difference: None,
        ..row(kind, 0.0, 0)
    }
}

fn table(rows: Vec<CompareRow>, done: usize) -> Arc<ComparisonTable> {
    Arc::new(ComparisonTable { rows, done, total: 12, problems: Vec::new() })
}

pub(super) fn start(window: &mut Window) -> (RequestId, Arc<CompareSpec>) {
    window.click("Start");
    window.sent_one(comparison)
}

/// The length, in percent, of the progress bar with this text.
fn progress(window: &Window, text: &str) -> Option<f64> {
    window.harness.query_by_role_and_label(Role::ProgressIndicator, text)?.accesskit_node().numeric_value()
}

#[test]
fn the_selected_runtimes_are_compared_on_the_selected_photos() {
    let mut window = open();
    assert!(window.has("on anna.jpg") && !window.shows("Photo anna.jpg"), "the view replaces the photo");
    let missing = window.harness.get_by_label("ONNX Runtime, CPU: library missing (no library was found)");
    assert!(missing.accesskit_node().is_disabled());
    let (id, spec) = start(&mut window);
    assert_eq!(spec.runtimes, [BackendKind::Tract, BackendKind::Rten]);
    assert_eq!(spec.photos, [PathBuf::from("/photos/anna.jpg")]);
    assert_eq!((spec.warmup, spec.repeats), (2, 10));
    let finished = Event::CompareFinished { table: table(vec![row(BackendKind::Tract, 78.0, 3)], 3), cancelled: false };
    window.answer(id, finished);

    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.steps(2);
    assert!(window.has("on 2 photos"));
    window.click("tract: ready, 83 ms");
    let repeats = window.harness.get_by_role_and_label(Role::SpinButton, "Repeats");
    repeats.set_value_accesskit(4.0);
    window.steps(2);
    let (_, spec) = start(&mut window);
    assert_eq!((spec.runtimes.as_slice(), spec.photos.len(), spec.repeats), (&[BackendKind::Rten][..], 2, 4));
}

#[test]
fn results_name_the_photo_that_was_measured_whatever_is_selected() {
    let mut window = open();
    let (id, _) = start(&mut window);
    let finished = Event::CompareFinished { table: table(vec![row(BackendKind::Tract, 78.0, 3)], 3), cancelled: false };
    window.answer(id, finished);
    window.press(Key::ArrowDown);
    assert!(window.has("on ben.jpg"), "the next comparison");
    assert!(window.has("on anna.jpg, 2 + 10 runs, times in ms"), "this one");
    window.press(Key::Delete);
    window.press(Key::Delete);
    assert!(window.has("on anna.jpg, 2 + 10 runs, times in ms") && window.has("Add a photo first"));
}

#[test]
fn times_are_not_measured_beside_other_work() {
    let mut window = open();
    window.drop_files(&["/photos/carl.jpg"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(import, Event::ImportFound { paths: vec!["/photos/carl.jpg".into()] });
    let (id, _) = start(&mut window);
    assert!(window.has("Finding faces waits until the comparison ends."));
    let finished = Event::CompareFinished { table: table(vec![row(BackendKind::Tract, 78.0, 3)], 3), cancelled: false };
    window.answer(id, finished);
    assert!(!window.shows("Finding faces waits"));
    window.harness.get_by_role_and_label(Role::ComboBox, "Runtime").click();
    window.steps(3);
    window.click("Check again");
    assert!(window.has("Runtimes are still being checked"));
    assert!(window.harness.get_by_label("Start").accesskit_node().is_disabled());
}

#[test]
fn escape_closes_the_view_although_a_message_is_open() {
    let mut window = open();
    window.dialog.busy.set(true);
    window.ctrl(Key::O);
    assert!(window.shows("Another file dialog is open"));
    window.press(Key::Escape);
    assert!(window.shows("Photo anna.jpg") && !window.has("Compare runtimes"));
}

#[test]
fn keys_for_the_photo_do_nothing_while_it_is_hidden() {
    let mut window = open();
    for key in [Key::Num1, Key::B, Key::H, Key::M, Key::OpenBracket, Key::CloseBracket, Key::A, Key::X, Key::D] {
        window.press(key);
    }
    window.press(Key::Escape);
    assert!(window.has("Face 1, score 0.93, included") && !window.shows("accepted") && !window.shows("excluded,"));
    assert!(!window.describes("anna.jpg was edited"));
}

#[test]
fn missing_photos_or_runtimes_are_reported() {
    let mut window = Window::open();
    window.harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::C);
    window.steps(3);
    assert!(window.has("Add a photo first"));
    assert!(window.has("Checking available runtimes"));
    window.probes_finished(&[]);
    window.add(&["/photos/anna.jpg"], &two_faces());
    assert!(window.has("Select a runtime first"));
    assert!(window.harness.get_by_label("Start").accesskit_node().is_disabled());
    window.click("Close");
    assert!(window.shows("Photo anna.jpg"));
}

#[test]
fn rows_are_added_live_and_failed_ones_show_the_reason() {
    let mut window = open();
    let (id, _) = start(&mut window);
    assert_eq!(progress(&window, "0 of 2 opened, next tract"), Some(0.0));
    assert!(window.has("rten: waiting"));
    assert!(window.harness.get_by_label("Copy as Markdown").accesskit_node().is_disabled());
    window.answer(id, Event::CompareProgress(table(vec![row(BackendKind::Tract, 78.0, 0)], 0)));
    assert_eq!(progress(&window, "1 of 2 opened, next rten"), Some(50.0));
    assert!(window.has("tract: cold start 308, memory mb 61.0, faces 2, max diff 0"));
    window.answer(
        id,
        Event::CompareProgress(table(vec![row(BackendKind::Tract, 78.0, 3), broken(BackendKind::Rten)], 5)),
    );
    assert_eq!(progress(&window, "5 of 12 runs"), Some(42.0), "the length agrees with the text");
    assert!(window.has("rten: failed: it crashed"));
    assert!(
        window.shows("tract: photo 184, first pass 84.0, cold start 308, memory mb 61.0, p95 185, faces 2"),
        "one alone is not ranked"
    );
    assert!(window.has("Median of each stage, tract: decode 90 ms + detection 84 ms + crop 10 ms"));
    assert!(window.has("Strip plot of every run. tract: 3 runs, min 183 ms, median 184 ms"));
    assert!(window.harness.query_by_label("Compare with rten").is_none(), "a failed runtime cannot be compared");

    let late = Event::CompareProgress(table(vec![], 0));
    window.answer(RequestId(9999), late);
    assert!(window.has("5 of 12 runs"), "an outdated answer");
    window.click("Cancel");
    assert_eq!(*window.script.cancelled.borrow(), [id]);
    assert!(window.has("stopping"));
    window.answer(
        id,
        Event::CompareFinished { table: table(vec![row(BackendKind::Tract, 78.0, 3)], 3), cancelled: true },
    );
    assert!(window.has("Cancelled") && window.has("rten: not run"));
}

#[test]
fn landmarks_and_mask_have_bars_and_a_missing_model_has_a_reason() {
    let mut window = open();
    let (id, _) = start(&mut window);
    let measured = |kind, mask_ms: Option<f64>| {
        let mut row = row(kind, 78.0, 3);
        for sample in &mut row.samples {
            sample.stages.add(Stage::Landmarks, 6.0);
            mask_ms.into_iter().for_each(|ms| sample.stages.add(Stage::Mask, ms));
        }
        row
    };
    let fault = RuntimeFault::Run { reason: "no memory".to_owned() };
    let model_faults = vec![FaceModelFault { model: ModelKind::Person, fault }];
    let rows = vec![
        measured(BackendKind::Tract, Some(20.0)),
        CompareRow { model_faults, ..measured(BackendKind::Rten, None) },
    ];
    window.answer(id, Event::CompareFinished { table: table(rows, 6), cancelled: false });
    let before = "decode 90 ms + detection 84 ms + landmarks 6.0 ms";
    assert!(window.has(&format!("Median of each stage, tract: {before} + mask 20 ms + crop 10 ms")));
    assert!(window.has(&format!("Median of each stage, rten: {before} + crop 10 ms")));
    assert!(window.has("rten: without person mask (failed while running the model: no memory)"));
    for stage in ["landmarks", "mask"] {
        assert!(window.has(stage), "{stage}");
    }
}

/// The vertical position of the row with this text.
fn top(window: &Window, text: &str) -> f32 {
    window.harness.get_by_label_contains(text).rect().top()
}

#[test]
fn the_fastest_runtime_is_first_and_marked_once_all_runs_are_done() {
    let mut window = open();
    let (id, _) = start(&mut window);
    let rows = || vec![row(BackendKind::Tract, 95.0, 3), row(BackendKind::Rten, 35.0, 3)];
    window.answer(id, Event::CompareProgress(table(rows(), 6)));
    assert!(top(&window, "tract: photo") < top(&window, "rten: fastest"), "no row moves while it runs");
    assert!(!window.shows("is the fastest"));
    window.answer(id, Event::CompareFinished { table: table(rows(), 6), cancelled: false });
    assert!(top(&window, "rten: fastest") < top(&window, "tract: photo"));
    assert!(
        window.shows("rten: fastest, photo 141, times 1.0 x, first pass 41.0, cold start 308, memory mb 61.0, p95 142")
    );
    assert!(window.shows("tract: photo 201, times 1.4 x, first pass 101"));
    assert!(window.has("rten is the fastest: 141 ms per photo. tract, now in use, takes 1.4 times as long."));
    let plots =
        "Strip plot of every run. rten: 3 runs, min 140 ms, median 141 ms. tract: 3 runs, min 200 ms, median 201 ms";
    assert!(window.has(plots), "the charts have the same order");
    assert!(!window.shows("First pass at"), "both have the same input");
}

#[test]
fn a_runtime_with_other_results_is_not_called_the_fastest() {
    let mut window = open();
    let (id, _) = start(&mut window);
    let wrong = CompareRow { agrees: Some(false), ..row(BackendKind::Rten, 5.0, 3) };
    let wide = CompareRow { inputs: vec![Size::new(640, 448)], ..row(ORT, 94.0, 3) };
    let rows = vec![wrong, row(BackendKind::Tract, 95.0, 3), wide];
    window.answer(id, Event::CompareFinished { table: table(rows, 9), cancelled: false });
    assert!(window.has("ONNX Runtime (CPU) is the fastest: 200 ms per photo. tract, now in use, is about as fast."));
    assert!(window.has("rten: its results differ from tract's, so it is not ranked"));
    assert!(top(&window, "tract: photo") < top(&window, "rten: photo 111, first pass"));
    assert!(window.has("First pass at 640 x 640 (rten; tract), 640 x 448 (ONNX Runtime, CPU)"));
}

#[test]
fn closing_the_view_cancels_the_comparison() {
    let mut window = open();
    let (id, _) = start(&mut window);
    window.click("Close");
    assert_eq!(*window.script.cancelled.borrow(), [id], "a hidden comparison would only delay the list");
}

#[test]
fn the_results_can_be_copied_and_saved() {
    let mut window = open();
    let (id, _) = start(&mut window);
    let table = table(vec![row(BackendKind::Tract, 78.0, 10), row(BackendKind::Rten, 120.0, 10), broken(ORT)], 20);
    window.answer(id, Event::CompareFinished { table: Arc::clone(&table), cancelled: false });
    assert!(window.has("Finished"));
    assert_eq!(window.click_to_copy("Copy as Markdown"), Some(to_markdown(&table)));
    assert!(window.has("Copied"));

    window.click("Save CSV…");
    assert_eq!(*window.dialog.opened.borrow(), [PickerKind::SaveCsv]);
    window.pick(PickerKind::SaveCsv, vec!["/out/times".into()]);
    let saving = |request: &Request| match request {
        Request::Files(FilesRequest::SaveText { path, text, replace }) => Some((path.clone(), text.clone(), *replace)),
        _ => None,
    };
    let (id, saved) = window.sent_one(saving);
    // The dialog has not confirmed the name with the extension.
    assert_eq!(saved, (PathBuf::from("/out/times.csv"), to_csv(&table), false));
    window.answer(id, Event::TextSaved(Err(TextError::Taken { path: "/out/times.csv".into() })));
    assert!(window.has("Could not save the comparison: /out/times.csv already exists; choose another name"));
    window.click("Save CSV…");
    window.pick(PickerKind::SaveCsv, vec!["/out/times.csv".into()]);
    assert!(window.sent_one(saving).1.2, "the dialog has confirmed it");
    window.dialog.missing.set(true);
    window.click("Save JSON…");
    assert!(window.shows("No file dialog is available. Type the path instead."));
    let typed = std::env::temp_dir().join("anna.jpg");
    window.type_text(&typed.display().to_string());
    window.click("Save");
    let (_, (path, _, replace)) = window.sent_one(saving);
    assert_eq!((path, replace), (typed, false), "not confirmed");
}

#[test]
fn nothing_is_clipped_in_the_smallest_window_at_double_scale() {
    let mut window = open();
    window.harness.set_size(egui::vec2(900.0, 600.0));
    window.harness.set_pixels_per_point(2.0);
    window.steps(3);
    let (id, _) = start(&mut window);
    let rows = vec![row(BackendKind::Tract, 78.0, 10), row(BackendKind::Rten, 120.0, 10)];
    window.answer(id, Event::CompareFinished { table: table(rows, 20), cancelled: false });
    let inside = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(900.0, 600.0));
    for label in ["Start", "Close", "Save JSON…", "Copy as Markdown", "Compare with rten", "rten: ready, 130 ms"] {
        let rect = window.harness.get_by_label(label).rect();
        assert!(inside.contains_rect(rect), "{label} at {rect:?}");
    }
    for kind in engines::offered_runtimes().into_iter().filter(|kind| matches!(kind, BackendKind::Ort(_))) {
        let label = format!("{kind}: library missing (no library was found)");
        let rect = window.harness.get_by_label(&label).rect();
        assert!(inside.contains_rect(rect) && rect.height() < 40.0, "{label} at {rect:?}");
    }
}

#[test]
fn with_large_text_the_last_columns_are_left_out() {
    let mut window = open();
    let (id, _) = start(&mut window);
    let rows = vec![row(BackendKind::Tract, 78.0, 10), row(BackendKind::Rten, 120.0, 10)];
    window.answer(id, Event::CompareFinished { table: table(rows, 20), cancelled: false });
    assert!(["Memory MB", "p95", "Max diff"].into_iter().all(|title| window.has(title)));
    // 1024 x 700 with a text scale of 1.5.
    window.harness.set_size(egui::vec2(683.0, 467.0));
    window.steps(3);
    assert!(window.has("Cold start") && !window.has("Max diff"), "as many as fit");
    assert!(window.shows("max diff 0"), "it is still read out");
    for label in ["Copy as Markdown", "Save JSON…", "Compare with rten", "tract: fastest"] {
        let rect = window.harness.get_by_label_contains(label).rect();
        assert!(rect.left() >= 200.0 && rect.right() <= 683.0, "{label} at {rect:?}");
    }
}

#[test]
fn a_comparison_ends_if_the_worker_exits() {
    let mut window = open();
    start(&mut window);
    window.script.dead.set(true);
    window.steps(2);
    assert!(window.has("Cancelled") && window.shows("has stopped"));
}
