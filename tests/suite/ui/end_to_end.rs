//! End-to-end test with the real worker: thirty photos, from dropping them to the written files.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use batch::settings::Settings;
use batch::worker::{Event, Reply, Request, RequestId, SessionRequest, WorkerHandle, WorkerPort};
use geometry::Size;
use iron_cropper::ui::{FilePicker, IronCropperApp, NoDialog, Picked, PickerKind, WindowOptions};
use outcome::DisplayCopy;
use recipe::{BackendKind, CropSpec, EncodeSpec, OutputFormat, Recipe, RuntimeChoice};

use super::script::Dropped;
use crate::support::{folder, names, put_portrait, put_ramp, read_picture};

/// Forwards requests to the worker, and keeps the last preview of the active output.
struct Tap {
    worker: WorkerHandle,
    /// The requests for small previews.
    small: RefCell<HashSet<RequestId>>,
    preview: Rc<RefCell<Option<DisplayCopy>>>,
}

impl WorkerPort for Tap {
    fn send(&self, request: Request) -> RequestId {
        let is_small =
            matches!(request, Request::Session(SessionRequest::RenderPreview { max_side, .. }) if max_side < 640);
        let id = self.worker.send(request);
        self.small.borrow_mut().extend(is_small.then_some(id));
        id
    }

    fn try_recv(&self) -> Option<Reply> {
        let reply = self.worker.try_recv()?;
        if let Event::PreviewRendered { image, .. } = &reply.event
            && !self.small.borrow().contains(&reply.id)
        {
            *self.preview.borrow_mut() = Some(image.clone());
        }
        Some(reply)
    }

    fn pause(&self, id: RequestId, paused: bool) {
        self.worker.pause(id, paused);
    }

    fn cancel(&self, id: RequestId) {
        self.worker.cancel(id);
    }

    fn is_alive(&self) -> bool {
        self.worker.is_alive()
    }
}

/// Opens no dialog.
pub(super) struct NoPicker;

impl FilePicker for NoPicker {
    fn open(&mut self, _kind: PickerKind) -> Result<(), NoDialog> {
        Err(NoDialog::Busy)
    }

    fn try_recv(&mut self, _focused: bool) -> Option<Picked> {
        None
    }
}

/// Steps until `done` is true.
#[track_caller]
pub(super) fn wait_for(
    harness: &mut Harness<'_, IronCropperApp>,
    what: &str,
    done: impl Fn(&Harness<'_, IronCropperApp>) -> bool,
) {
    let begun = Instant::now();
    loop {
        harness.run_steps(2);
        if done(harness) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "no {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub(super) fn has(harness: &Harness<'_, IronCropperApp>, text: &str) -> bool {
    harness.query_all_by_label_contains(text).next().is_some()
}

fn press(harness: &mut Harness<'_, IronCropperApp>, modifiers: egui::Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(4);
}

/// A window with the real worker, and its last preview.
fn open(options: WindowOptions) -> (Harness<'static, IronCropperApp>, Rc<RefCell<Option<DisplayCopy>>>) {
    let preview = Rc::<RefCell<Option<DisplayCopy>>>::default();
    let worker = WorkerHandle::spawn(Arc::new(|| {})).expect("starts");
    let tap = Tap { worker, small: RefCell::default(), preview: Rc::clone(&preview) };
    let harness = Harness::builder()
        .with_size([1280.0, 900.0])
        .with_max_steps(24)
        .allow_missing_glyphs()
        .build_eframe(|cc| IronCropperApp::new(&cc.egui_ctx, Box::new(tap), Box::new(NoPicker), options));
    (harness, preview)
}

/// PNG crops of 80 x 100 pixels into `out`.
fn small_crops(out: &Path) -> WindowOptions {
    let settings = Settings {
        output_folder: Some(out.to_owned()),
        recipe: Recipe {
            crop: CropSpec { output: Size::new(80, 100), ..CropSpec::default() },
            encode: EncodeSpec { format: OutputFormat::Png, ..EncodeSpec::default() },
            ..Recipe::default()
        },
        ..Settings::default()
    };
    WindowOptions { settings, runtime: Some(RuntimeChoice::Named(BackendKind::Tract)), ..WindowOptions::default() }
}

#[test]
fn thirty_photos_are_dropped_edited_and_exported_as_previewed() {
    let (photos, out) = (folder(), folder());
    let mut paths = Vec::new();
    for number in 1..30 {
        paths.push(put_portrait(photos.path(), format!("photo_{number:02}.png")));
    }
    let empty = photos.path().join("photo_30.png");
    put_ramp(&empty, 320, 400);
    paths.push(empty);

    let (mut harness, preview) = open(small_crops(out.path()));
    for path in &paths {
        harness.input_mut().dropped_files.push(Arc::new(Dropped(path.clone())));
    }
    wait_for(&mut harness, "photo without a face", |harness| has(harness, "30 photos") && has(harness, "No face 1"));

    // This face only, and a drawn face on a photo without detected ones.
    harness.get_by_label_contains("No face 1").click();
    harness.run_steps(3);
    assert!(has(&harness, "1 of 30 shown"));
    press(&mut harness, egui::Modifiers::NONE, Key::Home);
    wait_for(&mut harness, "photo on the canvas", |harness| has(harness, "Photo photo_30.png"));
    press(&mut harness, egui::Modifiers::NONE, Key::D);
    press(&mut harness, egui::Modifiers::NONE, Key::Enter);
    assert!(has(&harness, ", drawn, included"));
    press(&mut harness, egui::Modifiers::COMMAND, Key::Z);
    assert!(!has(&harness, ", drawn, included"), "undone");
    *preview.borrow_mut() = None;
    press(&mut harness, egui::Modifiers::COMMAND | egui::Modifiers::SHIFT, Key::Z);
    assert!(has(&harness, ", drawn, included"), "redone");
    wait_for(&mut harness, "preview", |_| preview.borrow().is_some());

    harness.get_by_label_contains("Export all (").click();
    wait_for(&mut harness, "end of the export", |harness| has(harness, "Export finished"));
    assert_eq!(names(out.path()).len(), 30);
    let shown = preview.borrow().clone().expect("shown");
    let written = read_picture(out.path().join("photo_30.png")).to_rgba8();
    assert_eq!((written.width(), written.height()), (shown.size.width, shown.size.height));
    assert_eq!(written.as_raw()[..], shown.rgba[..], "the preview equals the written crop");
    assert!(fs::metadata(&paths[29]).is_ok());
}

#[test]
fn three_outputs_are_added_previewed_and_exported_in_one_run() {
    let (photos, out) = (folder(), folder());
    let paths = ["anna.png", "ben.png"].map(|name| put_portrait(photos.path(), name));
    let (mut harness, preview) = open(small_crops(out.path()));
    for path in &paths {
        harness.input_mut().dropped_files.push(Arc::new(Dropped(path.clone())));
    }
    wait_for(&mut harness, "crop", |harness| has(harness, "Preview of crop 1 of 1, 80 x 100 pixels"));
    for what in ["Square avatar", "Same settings"] {
        harness.get_by_label("Add output").click();
        harness.run_steps(3);
        harness.get_by_label(what).click();
        harness.run_steps(4);
    }
    assert!(has(&harness, "Output 2: avatar, 512 x 512, PNG") && has(&harness, "Output 3: avatar-2, 512 x 512, PNG"));
    // Scrolled out of sight.
    harness.get_by_label("Original size").click_accesskit();
    *preview.borrow_mut() = None;
    wait_for(&mut harness, "preview", |_| preview.borrow().as_ref().is_some_and(|image| image.size.width > 100));
    harness.get_by_label_contains("Output 1: ").click();
    *preview.borrow_mut() = None;
    let is_own = |image: &DisplayCopy| image.size == Size::new(80, 100);
    wait_for(&mut harness, "preview of the first", |_| preview.borrow().as_ref().is_some_and(is_own));
    let shown = preview.borrow().clone().expect("shown");

    harness.get_by_label_contains("Export all (").click();
    wait_for(&mut harness, "end of the export", |harness| has(harness, "Export finished"));
    assert!(has(&harness, "6 files written"));
    assert_eq!(names(out.path()).len(), 6);
    let size_of = |name: &str| {
        let picture = read_picture(out.path().join(name));
        Size::new(picture.width(), picture.height())
    };
    for name in ["anna.png", "ben.png"] {
        assert_eq!(size_of(name), Size::new(80, 100));
        assert_eq!(size_of(&format!("avatar/{name}")), Size::new(512, 512));
        let original = size_of(&format!("avatar-2/{name}"));
        assert!(original.width == original.height && original.width != 512, "{original}");
    }
    let written = read_picture(out.path().join("anna.png")).to_rgba8();
    assert_eq!(written.as_raw()[..], shown.rgba[..], "the preview equals the written crop");
}

#[test]
fn crops_beside_the_photos_are_not_added_with_their_folder() {
    let photos = folder();
    put_portrait(photos.path(), "anna.png");
    let runtime = Some(RuntimeChoice::Named(BackendKind::Tract));
    let (mut harness, _) = open(WindowOptions { runtime, ..WindowOptions::default() });
    let drop = |harness: &mut Harness<'_, IronCropperApp>, path: &Path| {
        harness.input_mut().dropped_files.push(Arc::new(Dropped(path.to_owned())));
    };
    drop(&mut harness, photos.path());
    wait_for(&mut harness, "crop", |harness| has(harness, "Preview of crop 1 of 1"));
    harness.get_by_label_contains("Export all (").click();
    wait_for(&mut harness, "end of the export", |harness| has(harness, "Export finished"));
    let crops = photos.path().join("Crops");
    assert_eq!(names(&crops), ["anna.jpg"]);
    fs::copy(photos.path().join("anna.png"), crops.join("new.png")).expect("copied");
    drop(&mut harness, photos.path());
    wait_for(&mut harness, "second photo", |harness| has(harness, "new.png, 1 face"));
    assert!(!has(&harness, "anna.jpg, "), "a crop");
    drop(&mut harness, &crops);
    wait_for(&mut harness, "crop that was asked for", |harness| has(harness, "anna.jpg, "));
}
