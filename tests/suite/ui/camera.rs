//! The camera: with a scripted worker, and with the real one and cameras that the test controls.

use std::cell::RefCell;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use egui::{Key, Role};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};

use batch::latency::open_chosen;
use batch::settings::Settings;
use batch::worker::{
    Camera, CameraEnd, CameraError, CameraFrame, CameraRequest, Event, FilesRequest, OpenRequest, Reply, Request,
    RequestId, SessionRequest, WorkerHandle, WorkerPort,
};
use geometry::Size;
use iron_cropper::ui::{IronCropperApp, WindowOptions};
use outcome::{Channels, Detection, PictureFormat, Stage, StageError};
use picture::{Picture, PictureInfo, Pixels};
use recipe::{BackendKind, RuntimeChoice};

use super::end_to_end::{NoPicker, has, wait_for};
use super::script::{Window, face};
use crate::support::{FakeCameras, folder, portrait, read_picture, tree};

const HOME_VARIABLE: &str = "IRON_CROPPER_HOME";

/// A window that offers cameras.
fn window() -> Window {
    let options = WindowOptions { cameras: true, ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window
}

/// Shows or hides the camera.
fn toggle(window: &mut Window) {
    window.ctrl(Key::K);
    window.type_text("take photos");
    window.press(Key::Enter);
}

fn requested(request: &Request) -> Option<CameraRequest> {
    match request {
        Request::Camera(request) => Some(request.clone()),
        _ => None,
    }
}

fn frame() -> CameraFrame {
    let size = Size::new(1000, 800);
    let pixels = Pixels::from_u8(size, Channels::Rgb, vec![90; size.pixels() as usize * 3]).expect("fits");
    let info = PictureInfo::plain(size, PictureFormat::Png, pixels.layout());
    CameraFrame::new(Picture::whole(info, pixels)).expect("fits")
}

fn cameras(names: &[&str]) -> Vec<Camera> {
    names.iter().map(|&name| Camera { id: name.to_lowercase(), name: name.to_owned() }).collect()
}

/// A window that shows a camera with one frame and one face.
fn showing(names: &[&str]) -> (Window, RequestId) {
    let mut window = window();
    toggle(&mut window);
    let (camera, _) = window.sent_one(requested);
    let cameras = cameras(names);
    let opened = cameras[0].id.clone();
    window.answer(camera, Event::CameraOpened { cameras, opened });
    window.answer(camera, Event::CameraFrame(frame()));
    answer_search(&mut window, true);
    (window, camera)
}

/// Answers the search of a frame with one face or none.
#[track_caller]
fn answer_search(window: &mut Window, found: bool) {
    let (search, ()) = window
        .sent_one(|request| matches!(request, Request::Session(SessionRequest::SearchFrame { .. })).then_some(()));
    let faces = if found { vec![face(400.0, 300.0, 0.9)] } else { Vec::new() };
    window.answer(search, Event::FrameSearched(Some(Arc::new(Detection { faces, ..Detection::default() }))));
}

fn shots(window: &mut Window) -> Vec<RequestId> {
    let is_shot = |request: &Request| matches!(request, Request::Files(FilesRequest::WriteShot(_)));
    window.sent().into_iter().filter(|(_, request)| is_shot(request)).map(|(id, _)| id).collect()
}

fn delay(window: &Window) -> Duration {
    window.harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay
}

#[test]
fn a_program_built_without_cameras_does_not_offer_them() {
    let mut without =
        Window::open_with(WindowOptions { cameras: false, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    without.runtime_ready();
    without.click("File");
    assert!(without.has("Watch a folder…") && !without.shows("Take photos"));
    without.press(Key::Escape);
    without.ctrl(Key::K);
    without.type_text("take photos");
    assert!(without.shows("No results."));

    let mut with = window();
    with.click("File");
    with.click("Take photos");
    assert!(with.sent().iter().any(|(_, request)| requested(request).is_some()));
}

#[test]
fn the_camera_shows_the_faces_and_takes_photos_with_space_and_enter() {
    let (mut window, camera) = showing(&["Front"]);
    assert!(window.has("Camera picture, 1 face") && !window.shows("photo taken"));
    let button = window.harness.get_by_role_and_label(Role::Button, "Take photo");
    assert!(button.is_focused(), "Space and Enter press it");
    for (key, number) in [(Key::Space, "1 photo taken"), (Key::Enter, "2 photos taken")] {
        window.press(key);
        let shots = shots(&mut window);
        assert_eq!(shots.len(), 1, "{key:?}");
        window.answer(shots[0], Event::PastedWritten(Ok(format!("/shots/Camera {}.png", shots[0].0).into())));
        assert!(window.has(number), "{number}");
    }
    assert!(window.shows("2 photos") && window.has("Camera picture, 1 face"), "the camera stays open");
    assert!(!window.script.cancelled.borrow().contains(&camera));
}

#[test]
fn a_key_that_is_held_takes_one_photo() {
    let (mut window, _) = showing(&["Front"]);
    let mut taken = 0;
    for _ in 0..4 {
        // Without a release in between, egui takes it as a repetition.
        window.harness.event(egui::Event::Key {
            key: Key::Space,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: egui::Modifiers::NONE,
        });
        window.steps(2);
        for shot in shots(&mut window) {
            taken += 1;
            window.answer(shot, Event::PastedWritten(Ok(format!("/shots/{taken}.png").into())));
        }
    }
    assert_eq!(taken, 1);
}

#[test]
fn a_second_photo_waits_until_the_first_one_is_written() {
    let (mut window, _) = showing(&["Front"]);
    window.click("Take photo");
    window.click("Take photo");
    assert_eq!(shots(&mut window).len(), 1);
}

#[test]
fn a_photo_that_cannot_be_written_is_reported() {
    let (mut window, _) = showing(&["Front"]);
    window.click("Take photo");
    let shot = shots(&mut window)[0];
    window.answer(shot, Event::PastedWritten(Err(batch::worker::PasteError::NoFolder)));
    assert!(window.shows("Could not save the photo: this system has no pictures folder"));
    assert!(!window.shows("photo taken"));
}

#[test]
fn frames_are_searched_one_at_a_time() {
    let (mut window, camera) = showing(&["Front"]);
    let searches = |window: &mut Window| {
        let is_search = |request: &Request| matches!(request, Request::Session(SessionRequest::SearchFrame { .. }));
        window.sent().iter().filter(|(_, request)| is_search(request)).count()
    };
    window.answer(camera, Event::CameraFrame(frame()));
    window.answer(camera, Event::CameraFrame(frame()));
    assert_eq!(searches(&mut window), 1, "the engine sets the pace");
}

#[test]
fn the_first_warning_of_the_crop_is_shown() {
    let (mut window, camera) = showing(&["Front"]);
    window.answer(camera, Event::CameraFrame(frame()));
    let (search, ()) = window
        .sent_one(|request| matches!(request, Request::Session(SessionRequest::SearchFrame { .. })).then_some(()));
    let faces = vec![face(400.0, 0.0, 0.9)];
    window.answer(search, Event::FrameSearched(Some(Arc::new(Detection { faces, ..Detection::default() }))));
    let warning = "the photo's edge cuts off";
    assert!(window.shows(warning), "a head at the upper edge");
    window.answer(camera, Event::CameraFrame(frame()));
    answer_search(&mut window, false);
    assert!(window.has("Camera picture, no face") && !window.shows(warning));
}

#[test]
fn nothing_is_repainted_without_a_new_frame() {
    let (mut window, camera) = showing(&["Front"]);
    window.harness.run();
    assert_eq!(delay(&window), Duration::MAX);
    let next = frame();
    window.script_reply(camera, Event::CameraFrame(next.clone()));
    assert!(!next.is_shown());
    window.steps(1);
    assert!(next.is_shown(), "drawing it asks for the next one");
    toggle(&mut window);
    window.steps(4);
    window.harness.run();
    assert_eq!(delay(&window), Duration::MAX, "closed");
}

#[test]
fn closing_frees_the_camera_and_drops_its_picture() {
    for by_key in [true, false] {
        let (mut window, camera) = showing(&["Front"]);
        if by_key {
            window.press(Key::Escape);
        } else {
            window.click("Close");
        }
        assert_eq!(*window.script.cancelled.borrow(), [camera]);
        assert!(!window.shows("Camera picture"));
        // Frames on their way are ignored.
        let late = frame();
        window.answer(camera, Event::CameraFrame(late.clone()));
        assert!(!late.is_shown() && !window.shows("Camera picture"));
    }
}

#[test]
fn the_camera_is_opened_again_when_the_window_is_seen_again() {
    let (mut window, camera) = showing(&["Front"]);
    window.answer(camera, Event::CameraClosed(CameraEnd::Unseen));
    let (_, request) = window.sent_one(requested);
    assert_eq!(request.camera.as_deref(), Some("front"));
    assert!(window.has("Opening the camera"));
}

#[test]
fn a_disconnected_camera_is_reported_until_retried() {
    let (mut window, camera) = showing(&["Front"]);
    window.answer(camera, Event::CameraClosed(CameraEnd::Failed(CameraError::Disconnected)));
    assert!(window.has("The camera was disconnected. Connect it, then retry.") && !window.shows("Camera picture"));
    assert!(window.sent().iter().all(|(_, request)| requested(request).is_none()), "not retried by itself");
    window.click("Retry");
    let (again, _) = window.sent_one(requested);
    window.answer(again, Event::CameraClosed(CameraEnd::Failed(CameraError::NotPermitted)));
    let hint = if cfg!(target_os = "linux") { "Add your user to the group “video”" } else { "Privacy" };
    assert!(window.shows(hint));
}

#[test]
fn a_camera_that_makes_the_worker_panic_is_reported() {
    let (mut window, camera) = showing(&["Front"]);
    let error = StageError::Panicked { stage: Stage::Import, message: "no such device".to_owned() };
    window.answer(camera, Event::Failed { item: None, error });
    assert!(window.shows("The camera cannot be used: ") && window.has("Retry"));
}

#[test]
fn another_camera_can_be_chosen() {
    let (mut window, camera) = showing(&["Front", "Back"]);
    window.harness.get_by_role_and_label(Role::ComboBox, "Camera").click();
    window.steps(3);
    window.click("Back");
    assert_eq!(*window.script.cancelled.borrow(), [camera]);
    let (_, request) = window.sent_one(requested);
    assert_eq!(request.camera.as_deref(), Some("back"));
    let (single, _) = showing(&["Front"]);
    let mut lists = single.harness.query_all_by_role(Role::ComboBox);
    assert!(lists.all(|list| list.accesskit_node().label().as_deref() != Some("Camera")), "no choice of one");
}

#[test]
fn the_comparison_of_runtimes_closes_the_camera() {
    let (mut window, camera) = showing(&["Front"]);
    window.ctrl_shift(Key::C);
    assert_eq!(*window.script.cancelled.borrow(), [camera]);
    assert!(!window.shows("Camera picture"));
}

/// Forwards to the worker and keeps the detections of the last frame and of the last photo of the list.
struct Tap {
    worker: WorkerHandle,
    seen: Rc<RefCell<Seen>>,
}

#[derive(Default)]
struct Seen {
    in_frame: Option<Arc<Detection>>,
    in_photo: Option<Arc<Detection>>,
}

impl WorkerPort for Tap {
    fn send(&self, request: Request) -> RequestId {
        self.worker.send(request)
    }

    fn try_recv(&self) -> Option<Reply> {
        let reply = self.worker.try_recv()?;
        match &reply.event {
            Event::FrameSearched(found) => self.seen.borrow_mut().in_frame.clone_from(found),
            Event::PhotoIndexed { detection, .. } => self.seen.borrow_mut().in_photo.clone_from(detection),
            _ => {}
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

#[test]
#[ignore = "run as a child by the test below, with folders of its own"]
fn a_person_is_photographed_and_exported() {
    let home = std::path::PathBuf::from(std::env::var_os(HOME_VARIABLE).expect("files are written"));
    let person = read_picture(portrait()).resize(1536, 1536, image::imageops::FilterType::Triangle).to_rgb8();
    let fake = FakeCameras::connected(&["Front"]);
    fake.show_picture(&person);
    let open = |request: &OpenRequest| open_chosen(request.choice, request.model.as_deref(), &request.options, None);
    let worker = WorkerHandle::spawn_with_cameras(Box::new(open), None, Some(Box::new(fake.clone())), Arc::new(|| {}));
    let seen = Rc::<RefCell<Seen>>::default();
    let tap = Tap { worker: worker.expect("starts"), seen: Rc::clone(&seen) };
    let out = home.join("out");
    let settings = Settings { output_folder: Some(out.clone()), ..Settings::default() };
    let runtime = Some(RuntimeChoice::Named(BackendKind::Tract));
    let options = WindowOptions { settings, runtime, cameras: true, ..WindowOptions::default() };
    let mut window = Harness::builder()
        .with_size([1280.0, 900.0])
        .with_max_steps(24)
        .allow_missing_glyphs()
        .build_eframe(|cc| IronCropperApp::new(&cc.egui_ctx, Box::new(tap), Box::new(NoPicker), options));

    window.key_press_modifiers(egui::Modifiers::COMMAND, Key::K);
    window.run_steps(3);
    window.event(egui::Event::Text("take photos".to_owned()));
    window.run_steps(3);
    window.key_press(Key::Enter);
    wait_for(&mut window, "face in the picture", |window| has(window, "Camera picture, 1 face"));
    assert_eq!(fake.open().as_deref(), Some("Front"));
    window.run_steps(3);
    window.key_press(Key::Space);
    wait_for(&mut window, "photo in the list", |window| {
        has(window, "1 photo taken") && has(window, ".png, 1 face") && seen.borrow().in_photo.is_some()
    });
    let (in_frame, in_photo) = {
        let seen = seen.borrow();
        (seen.in_frame.clone().expect("searched"), seen.in_photo.clone().expect("indexed"))
    };
    assert_eq!(in_frame.faces, in_photo.faces, "so the frame shown is the crop exported");

    window.key_press(Key::Escape);
    wait_for(&mut window, "free camera", |_| fake.open().is_none());
    window.get_by_label_contains("Export all (").click();
    wait_for(&mut window, "end of the export", |window| has(window, "Export finished"));
    assert_eq!(tree(&out).len(), 1, "one crop");

    let shots: Vec<_> = tree(&home).into_keys().filter(|path| path.starts_with("data/Camera")).collect();
    assert_eq!(shots.len(), 1, "the only picture that was kept");
    assert!(shots[0].to_string_lossy().contains("Camera 2"), "{shots:?}");
    assert_eq!(read_picture(home.join(&shots[0])).to_rgb8(), person, "at full size, as the camera sent it");
}

#[test]
fn a_person_is_photographed_with_the_real_worker() {
    let home = folder();
    let this = std::env::current_exe().expect("known");
    let only = ["ui::camera::a_person_is_photographed_and_exported", "--exact", "--ignored"];
    let output = Command::new(this).args(only).env(HOME_VARIABLE, home.path()).output().expect("starts");
    let printed = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}
