//! The window with a scripted worker: no display, no graphics card, no real photo.

mod accessible;
mod background;
mod bursts;
mod camera;
mod cards;
mod compare;
mod contact_sheet;
mod crash;
mod diagnostics;
mod dialogs;
mod editing;
mod end_to_end;
mod ending;
mod eyes;
mod files;
mod focus;
mod heads;
mod input_order;
mod keys;
mod language;
mod layout;
mod names;
mod notices;
mod output_folder;
mod outputs;
mod palette;
mod project;
mod project_export;
mod project_requests;
mod report;
mod review;
mod runtimes;
mod script;
mod specs;
mod undo;

use std::path::PathBuf;
use std::sync::Arc;

use eframe::App;
use egui::{Key, Role};
use egui_kittest::kittest::Queryable;
use script::{PHOTO, Window, face, finished, photo_indexed, photo_opened, two_faces};

use batch::settings::{Settings, SettingsFault, SettingsNotice};
use batch::worker::{Event, ExportJob, FilesRequest, ItemId, Request, RequestId, RunNote, SessionRequest, StopReason};
use geometry::estimate_head;
use import::WalkProblem;
use iron_cropper::ui::{PickerKind, WindowOptions};
use outcome::{CropReport, EncodeError, ItemReport, OutcomeKind, StageError};
use plan::{PlannedCrop, plan_chosen};
use recipe::{Depth, FaceChoice};

fn export(request: &Request) -> Option<Arc<ExportJob>> {
    if let Request::Session(SessionRequest::Export(job)) = request { Some(Arc::clone(job)) } else { None }
}

fn preview(request: &Request) -> Option<PlannedCrop> {
    if let Request::Session(SessionRequest::RenderPreview { crop, .. }) = request { Some(*crop) } else { None }
}

fn is_detection(request: &Request) -> bool {
    matches!(
        request,
        Request::Session(SessionRequest::OpenPhoto { .. }) | Request::Session(SessionRequest::IndexPhoto { .. })
    )
}

fn with_output_folder() -> WindowOptions {
    let settings = Settings { output_folder: Some(std::env::temp_dir().join("crops")), ..Settings::default() };
    WindowOptions { settings, ..WindowOptions::default() }
}

fn open_with_output_folder() -> Window {
    let mut window = Window::open_with(with_output_folder(), [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window
}

#[test]
fn dropped_files_are_imported_and_detected_and_the_first_is_opened() {
    let mut window = Window::open();
    assert!(window.has("Drop photos or folders here"));
    window.drop_files(&["/photos/anna.jpg", "/photos/more"]);
    let (import, roots) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::Import { roots }) => Some(roots.clone()),
        _ => None,
    });
    assert_eq!(roots, [PathBuf::from("/photos/anna.jpg"), PathBuf::from("/photos/more")]);

    let found = vec![PathBuf::from("/photos/anna.jpg"), PathBuf::from("/photos/more/ben.jpg")];
    window.answer(import, Event::ImportFound { paths: found.clone() });
    let sent = window.sent();
    let photo_indexed: Vec<PathBuf> = sent
        .iter()
        .filter_map(|(_, request)| {
            if let Request::Session(SessionRequest::IndexPhoto { photo, .. }) = request {
                Some(photo.path.clone())
            } else {
                None
            }
        })
        .collect();
    assert_eq!(photo_indexed, found);
    let photo_opened: Vec<&PathBuf> = sent
        .iter()
        .filter_map(|(_, request)| {
            if let Request::Session(SessionRequest::OpenPhoto { photo, .. }) = request {
                Some(&photo.path)
            } else {
                None
            }
        })
        .collect();
    assert_eq!(photo_opened, [&found[0]]);
    assert!(window.has("anna.jpg, waiting") && window.shows("Finding faces: 0 of 2"));

    window.answer(import, Event::ImportFound { paths: found });
    assert!(!window.sent().iter().any(|(_, request)| is_detection(request)), "a path is listed once");
}

#[test]
fn the_min_score_filters_faces_without_the_worker() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    assert!(window.has("anna.jpg, 2 faces"));
    window.sent();
    window.slide("Minimum score", 0.8);
    assert!(window.has("anna.jpg, 1 face"));
    assert!(window.has("Face 1, score 0.93, included") && !window.shows("Face 2"));
    window.slide("Minimum score", 0.95);
    assert!(window.has("anna.jpg, no face"));
    assert!(!window.sent().iter().any(|(_, request)| is_detection(request)));
}

#[test]
fn a_slider_only_rerenders_the_preview() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.steps(3);
    let (_, before) = window.sent_one(preview);
    window.slide("Head height", 80.0);
    window.steps(3);
    let sent = window.sent();
    assert!(!sent.iter().any(|(_, request)| is_detection(request)), "{sent:?}");
    let after = sent.iter().filter_map(|(_, request)| preview(request)).next_back().expect("a preview");
    let head = estimate_head(&two_faces()[0]).head.height();
    assert_eq!(after.frame.height, (head / 0.8).round() as u32, "the head fills 80 %");
    assert!(after.frame.height < before.frame.height);
}

#[test]
fn a_clicked_face_is_chosen_manually_and_exported() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    assert!(window.has("Face 1, score 0.93, included") && window.has("Face 2, score 0.70, not included"));
    window.click("Face 2, score 0.70, not included");
    assert!(window.has("Face 2, score 0.70, included") && window.has("anna.jpg, 2 faces, 2 selected"));
    window.click("Face 1, score 0.93, included");

    window.sent();
    window.click("Export all");
    let (_, job) = window.sent_one(export);
    assert_eq!(job.depth, Depth::Write);
    assert_eq!(job.output.folder, std::env::temp_dir().join("crops"));
    assert_eq!(job.recipe.crop, Settings::default().recipe.crop);
    assert_eq!(job.items[0].faces, FaceChoice::Manual(vec![two_faces()[1]]));
    assert_eq!(job.items[1].faces, FaceChoice::BySpec);

    window.click("Reset to automatic");
    assert!(window.has("Face 1, score 0.93, included") && window.has("anna.jpg, 2 faces"));
}

#[test]
fn the_preview_steps_through_several_crops() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.click("Face 2, score 0.70, not included");
    assert!(window.shows("Preview of crop 1 of 2"));
    window.click("Next crop");
    assert!(window.shows("Preview of crop 2 of 2"));
    let plan = plan_chosen(&two_faces(), &[0, 1], PHOTO, &Settings::default().recipe.crop);
    window.steps(3);
    let sent = window.sent();
    assert_eq!(sent.iter().filter_map(|(_, request)| preview(request)).next_back(), Some(plan.crops[1]));
}

#[test]
fn with_an_unusable_output_folder_the_export_asks_for_one_and_continues() {
    let settings = Settings { output_folder: Some("crops".into()), ..Settings::default() };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.sent();
    window.click("Export selected");
    assert_eq!(*window.dialog.opened.borrow(), [PickerKind::OutputFolder]);
    assert!(window.has("Enter the full path of the folder"));
    assert!(!window.sent().iter().any(|(_, request)| export(request).is_some()));

    window.pick(PickerKind::OutputFolder, vec![std::env::temp_dir()]);
    let (_, job) = window.sent_one(export);
    assert_eq!((job.items.len(), &job.output.folder), (1, &std::env::temp_dir()));
    assert!(!window.has("Enter the full path of the folder"));
}

#[test]
fn without_a_folder_dialog_the_path_field_is_shown() {
    let mut window = Window::open_with(WindowOptions::default(), [900.0, 600.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.dialog.missing.set(true);
    window.harness.get_by_role_and_label(Role::TextInput, "Output folder").focus();
    window.steps(2);
    window.type_text("crops");
    window.sent();
    window.click("Export all");
    window.steps(8);
    let field = window.harness.get_by_role_and_label(Role::TextInput, "Output folder");
    assert!(field.is_focused() && field.rect().bottom() < window.harness.get_by_label("Export all (1)").rect().top());
    assert!(window.has("Enter the full path of the folder"));
    assert!(!window.sent().iter().any(|(_, request)| export(request).is_some()), "a relative path");
}

#[test]
fn without_file_dialogs_the_window_suggests_alternatives() {
    let mut window = Window::open();
    window.dialog.missing.set(true);
    window.click("Add files…");
    assert!(window.shows("No file dialog is available. Drop files on the window"));
    window.click("Dismiss this message");
    assert!(!window.shows("No file dialog"));
}

fn start_export(window: &mut Window) -> (RequestId, Vec<ItemId>) {
    window.sent();
    window.click("Export all");
    let (id, job) = window.sent_one(export);
    (id, job.items.iter().map(|item| item.photo.item).collect())
}

impl Window {
    /// Exports every photo and closes the summary; returns the job sent to the worker.
    #[track_caller]
    fn exported_job(&mut self) -> Arc<ExportJob> {
        self.sent();
        self.click("Export all");
        let (id, job) = self.sent_one(export);
        let total = job.items.len();
        self.answer(id, finished(false, total, total));
        self.click("Close");
        job
    }
}

fn progress(item: ItemId, done: usize, report: ItemReport) -> Event {
    Event::ExportProgress { item, done, total: 3, report: Arc::new(report) }
}

fn report(name: &str, outcome: OutcomeKind) -> ItemReport {
    let mut report = ItemReport::new(PathBuf::from("/photos").join(name));
    report.outcome = outcome;
    match outcome {
        OutcomeKind::Cropped => {
            let planned = plan_chosen(&two_faces(), &[0], PHOTO, &Settings::default().recipe.crop).crops[0];
            report.crops.push(CropReport {
                output: 0,
                planned,
                target: None,
                written: Some(PathBuf::from("/out/anna_1.jpg")),
                sheet: None,
                paired: None,
                notes: Vec::new(),
            });
        }
        OutcomeKind::Failed => {
            let source = std::io::Error::other("the disk is full");
            report.error = Some(StageError::Encode(EncodeError::NoFolder { path: "/out".into(), source }));
        }
        _ => {}
    }
    report
}

#[test]
fn an_export_shows_progress_and_its_failures() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg", "/photos/carl.jpg"], &two_faces());
    let (id, items) = start_export(&mut window);
    window.answer(id, progress(items[0], 1, report("anna.jpg", OutcomeKind::Cropped)));
    assert!(window.has("Exporting 1 of 3") && window.shows("photos/s"));
    assert!(window.has("anna.jpg, 2 faces, written"));
    window.answer(id, progress(items[1], 2, report("ben.jpg", OutcomeKind::Failed)));
    window.answer(id, progress(items[2], 3, report("carl.jpg", OutcomeKind::NoFace)));
    window.answer(id, finished(false, 3, 3));

    assert!(window.has("Export finished") && window.shows("1 file written, 0 skipped, 1 without a face, 1 failed"));
    assert!(window.shows("failed: the output folder /out cannot be created (the disk is full)"));
    assert!(window.shows("written: anna_1.jpg"));
    window.click("carl.jpg");
    assert!(window.shows("Photo carl.jpg"), "a line shows its photo");
    window.click("Close");
    assert!(!window.has("Export finished"));
}

#[test]
fn photos_that_an_interrupted_export_has_written_count_as_written_after_resume() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    let (id, items) = start_export(&mut window);
    window.answer(id, progress(items[0], 1, report("anna.jpg", OutcomeKind::AlreadyDone)));
    window.answer(id, progress(items[1], 2, report("ben.jpg", OutcomeKind::Skipped)));
    window.answer(id, finished(false, 2, 2));
    assert!(window.has("anna.jpg, 2 faces, written") && window.has("ben.jpg, 2 faces, skipped"));
    assert!(window.shows("0 files written, 1 skipped") && window.shows("1 written before"));
}

#[test]
fn the_summary_of_a_successful_export_leaves_by_itself_and_one_with_failures_stays() {
    for outcome in [OutcomeKind::Cropped, OutcomeKind::Failed] {
        let mut window = open_with_output_folder();
        window.add(&["/photos/anna.jpg"], &two_faces());
        let (id, items) = start_export(&mut window);
        window.answer(id, progress(items[0], 1, report("anna.jpg", outcome)));
        window.answer(id, finished(false, 1, 1));
        window.steps(60);
        assert!(window.has("Export finished"), "not at once");
        window.steps(100);
        assert_eq!(window.has("Export finished"), outcome == OutcomeKind::Failed);
    }
}

#[test]
fn a_cancelled_export_reports_the_photos_left() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg", "/photos/carl.jpg"], &two_faces());
    let (id, items) = start_export(&mut window);
    window.answer(id, progress(items[0], 1, report("anna.jpg", OutcomeKind::Cropped)));
    window.click("Cancel");
    assert_eq!(*window.script.cancelled.borrow(), [id]);
    assert!(window.has("Stopping: 1 of 3"));
    window.answer(id, finished(true, 1, 3));
    assert!(window.has("Export cancelled") && window.has("2 photos left"));
    // The job is resumed unchanged, without later changes of the settings.
    window.click("Resume");
    let (_, resumed) = window.sent_one(export);
    assert_eq!(resumed.items.len(), 3);
    assert!(resumed.journal.as_ref().is_some_and(|journal| journal.resume));
}

#[test]
fn an_export_can_be_paused_and_resumed() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    let (id, items) = start_export(&mut window);
    window.answer(id, progress(items[0], 1, report("anna.jpg", OutcomeKind::Cropped)));
    window.click("Pause");
    assert!(window.has("Paused at 1 of 2") && window.shows("paused") && !window.has("Pause"));
    window.click("Continue");
    assert_eq!(*window.script.paused.borrow(), [(id, true), (id, false)]);
    assert!(window.has("Exporting 1 of 2"));
}

#[test]
fn an_export_that_stops_reports_the_reason() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    let (id, items) = start_export(&mut window);
    window.answer(id, progress(items[0], 1, report("anna.jpg", OutcomeKind::Cropped)));
    let full = StopReason::DiskFull { path: "/out/ben.jpg".into(), reason: "disk full".to_owned() };
    let stopped = Some(Arc::new(full));
    let notes = Arc::from([RunNote::Removed { files: 2 }]);
    window.answer(id, Event::ExportFinished { cancelled: false, done: 1, total: 2, stopped, notes, journal: None });
    assert!(window.has("Export stopped") && window.has("1 photo left"));
    assert!(window.shows("The disk is full") && window.shows("2 partial files"));
}

#[test]
fn outdated_answers_about_photos_are_ignored() {
    let mut window = Window::open();
    window.drop_files(&["/photos/anna.jpg", "/photos/ben.jpg"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(import, Event::ImportFound { paths: vec!["/photos/anna.jpg".into(), "/photos/ben.jpg".into()] });
    let opening = |request: &Request| match request {
        Request::Session(SessionRequest::OpenPhoto { photo, generation }) => Some((photo.item, *generation)),
        _ => None,
    };
    let sent = window.sent();
    let (old, (anna, old_generation)) =
        sent.iter().find_map(|(id, request)| Some((*id, opening(request)?))).expect("an opening");
    for (id, request) in sent {
        if let Request::Session(SessionRequest::IndexPhoto { photo, .. }) = request {
            window.answer(id, photo_indexed(photo.item, &[face(300.0, 300.0, 0.80)]));
        }
    }
    window.click("ben.jpg, 1 face");
    let (new, (ben, generation)) = window.sent_one(opening);
    assert_ne!(generation, old_generation);

    window.answer(old, photo_opened(anna, old_generation, &two_faces()));
    window.steps(3);
    assert!(window.has("Face 1, score 0.80, included") && !window.shows("Face 2"));
    assert_eq!(
        window.sent().iter().find_map(|(_, request)| preview(request)),
        None,
        "still waiting for its own answer"
    );
    window.answer(new, photo_opened(ben, generation, &[face(300.0, 300.0, 0.81)]));
    window.steps(3);
    assert!(window.has("Face 1, score 0.81, included"));
    assert!(window.sent().iter().any(|(_, request)| preview(request).is_some()));
}

#[test]
fn names_of_any_script_and_length_are_drawn() {
    let mut window = Window::open();
    let long = format!("/photos/{}.jpg", "é".repeat(120));
    let mixed = format!("/photos/{}.jpg", "日本👩‍👩‍👧العربية".repeat(12));
    let names = [long.as_str(), mixed.as_str(), "/photos/a\nb.jpg", "/photos/.jpg", "/photos/e\u{301}\u{202e}gpj.jpg"];
    window.add(&names, &two_faces());
    for width in [900.0, 1111.0, 1600.0] {
        window.harness.set_size(egui::vec2(width, 700.0));
        window.steps(2);
    }
    assert!(window.shows(&"é".repeat(120)), "the accessible name is not shortened");
}

#[test]
fn settings_are_saved_after_a_second_and_on_exit() {
    let saved = |window: &mut Window| -> Vec<Box<Settings>> {
        let sent = window.sent().into_iter();
        sent.filter_map(|(_, request)| {
            if let Request::Files(FilesRequest::SaveSettings(settings)) = request { Some(settings) } else { None }
        })
        .collect()
    };
    let mut window = Window::open();
    window.steps(8);
    assert_eq!(saved(&mut window), [], "nothing has changed");
    window.slide("Head height", 50.0);
    window.slide("Head height", 60.0);
    assert_eq!(saved(&mut window), [], "not while a slider moves");
    window.steps(6);
    let first = saved(&mut window);
    assert_eq!(first.iter().map(|settings| settings.recipe.crop.head_height).collect::<Vec<_>>(), [0.6]);
    window.steps(8);
    assert_eq!(saved(&mut window), [], "once");

    window.slide("Head height", 70.0);
    window.harness.state_mut().on_exit(None);
    assert_eq!(saved(&mut window).len(), 1, "the last change is not lost");
}

#[test]
fn an_idle_window_does_not_repaint() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.harness.run();
    let output = &window.harness.output().viewport_output[&egui::ViewportId::ROOT];
    assert_eq!(output.repaint_delay, std::time::Duration::MAX);
}

#[test]
fn shortcuts_work_unless_a_text_field_has_the_focus() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    window.harness.key_press(Key::B);
    window.steps(2);
    assert!(!window.shows("Face 1"), "B hides the faces");
    window.harness.key_press(Key::B);
    window.harness.key_press(Key::ArrowDown);
    window.steps(3);
    assert!(window.shows("Photo ben.jpg"));

    for key in [Key::Delete, Key::B] {
        window.harness.get_all_by_role(Role::TextInput).next().expect("a field").focus();
        window.steps(2);
        window.harness.key_press(key);
        window.steps(2);
    }
    assert!(window.has("ben.jpg, 2 faces"), "Delete applies to the field");
    window.harness.get_all_by_role(Role::TextInput).next().expect("a field").focus();
    window.steps(1);
    window.harness.key_press(Key::Escape);
    window.steps(2);
    window.harness.key_press(Key::Delete);
    window.steps(3);
    assert!(!window.shows("ben.jpg") && window.shows("Photo anna.jpg"));
}

#[test]
fn dangling_parent_paths_and_whole_disks_are_not_searched() {
    let mut window = Window::open();
    let is_import = |request: &Request| matches!(request, Request::Files(FilesRequest::Import { .. }));
    // The tests run in the repository, which contains these.
    for text in ["../../..", "src", "."] {
        window.harness.event(egui::Event::Paste(text.to_owned()));
        window.steps(2);
        assert!(!window.sent().iter().any(|(_, request)| is_import(request)), "{text}");
    }
    let root = std::env::current_dir().expect("exists").ancestors().last().expect("a root").display().to_string();
    window.harness.event(egui::Event::Paste(root.clone()));
    window.drop_files(&[&root]);
    window.steps(2);
    assert!(!window.sent().iter().any(|(_, request)| is_import(request)));
    assert!(window.shows("Whole disks are not searched for photos."));
}

#[test]
fn pasted_paths_are_imported() {
    let mut window = Window::open();
    let path = std::env::temp_dir();
    window.harness.event(egui::Event::Paste(path.display().to_string()));
    window.steps(2);
    let (_, roots) = window.sent_one(|request| match request {
        Request::Files(FilesRequest::Import { roots }) => Some(roots.clone()),
        _ => None,
    });
    assert_eq!(roots, [path]);
}

#[test]
fn import_errors_are_reported_once() {
    let mut window = Window::open();
    window.drop_files(&["/photos"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    for folder in ["a", "b"] {
        let path = PathBuf::from("/photos").join(folder);
        window.answer(import, Event::ImportProblem { path, problem: WalkProblem::NoPermission });
    }
    assert!(window.has("2 locations could not be read"));
    window.click("Details");
    window.steps(2);
    assert!(window.shows("no permission to read it"));
    window.answer(import, Event::ImportFinished { found: 0, ignored: 3 });
    assert!(window.shows("No photos found; 3 other files were ignored."));
}

#[test]
fn a_photo_that_cannot_be_read_shows_the_reason() {
    let mut window = Window::open();
    window.drop_files(&["/photos/empty.jpg"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(import, Event::ImportFound { paths: vec!["/photos/empty.jpg".into()] });
    for (id, _) in window.sent() {
        let error = StageError::Decode(outcome::DecodeError::Empty);
        window.answer(id, Event::Failed { item: None, error });
    }
    assert!(window.has("empty.jpg, failed: the file is empty"));
    assert!(window.shows("Cannot show this photo: the file is empty"));
}

#[test]
fn a_dead_worker_is_reported() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg"], &two_faces());
    start_export(&mut window);
    window.script.dead.set(true);
    window.steps(2);
    assert!(window.shows("has stopped") && window.has("Export interrupted"));
}

#[test]
fn a_broken_settings_file_is_reported_once() {
    let notice = SettingsNotice::Unusable {
        path: "/settings.toml".into(),
        fault: SettingsFault::NotText,
        kept: Ok("/settings.broken-1.toml".into()),
    };
    let options = WindowOptions { settings_notice: Some(notice), ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    assert_eq!(window.harness.query_all_by_label_contains("It was renamed to").count(), 1);
    window.click("Dismiss this message");
    assert!(!window.shows("It was renamed to"));
}

#[test]
fn everything_is_reachable_in_the_smallest_window_at_double_scale() {
    let mut window = Window::open_with(WindowOptions::default(), [900.0, 600.0], 2.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    let inside = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(900.0, 600.0));
    for label in ["Export all (", "Export selected (", "Fit", "100 %", "Add files…", "Face 1, score 0.93, included"] {
        let rect = window.harness.get_by_label_contains(label).rect();
        assert!(inside.contains_rect(rect), "{label} at {rect:?}");
    }
    let preview = window.harness.get_by_label_contains("Preview of crop").rect();
    let slider = window.harness.get_by_role_and_label(Role::Slider, "Head height").rect();
    assert!(preview.bottom() < slider.top() && slider.right() < 900.0, "{preview:?} {slider:?}");
}
