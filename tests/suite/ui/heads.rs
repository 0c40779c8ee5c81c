//! Dragged head lines, rotated frames, and measurements of faces.

use std::sync::Arc;

use egui::{Key, Modifiers, Pos2, Vec2, vec2};
use egui_kittest::kittest::Queryable;

use batch::settings::Settings;
use batch::worker::{Event, FilesRequest, Request, SessionRequest};
use geometry::{
    BackgroundMeasures, EyeMeasures, Face, FaceMeasures, FaceMesh, HairTop, Head, MaskMeasures, Point, Rect, Size,
    Transform, estimate_head,
};
use iron_cropper::ui::WindowOptions;
use outcome::{Detection, PassReport, PassScale};
use plan::PlannedCrop;
use recipe::{CropSpec, Expected, FaceChoice, Recipe};

use super::script::{Window, face, photo_indexed, photo_opened, two_faces};
use super::{open_with_output_folder, preview, with_output_folder};

impl Window {
    #[track_caller]
    pub(super) fn middle(&self, label: &str) -> Pos2 {
        self.harness.get_by_label(label).rect().center()
    }

    /// Drags `label` by `by` points.
    #[track_caller]
    pub(super) fn drag(&mut self, label: &str, by: Vec2) {
        let from = self.middle(label);
        self.harness.hover_at(from);
        self.steps(2);
        self.harness.drag_at(from);
        self.steps(2);
        for share in [0.5, 1.0] {
            self.harness.hover_at(from + by * share);
            self.steps(2);
        }
        self.harness.drop_at(from + by);
        self.steps(2);
    }

    /// The last crop requested for the preview, after the debounce delay.
    #[track_caller]
    pub(super) fn previewed(&mut self) -> PlannedCrop {
        self.steps(4);
        self.all_sent().iter().filter_map(preview).next_back().expect("a preview")
    }

    /// The head in an export of the first photo.
    #[track_caller]
    pub(super) fn exported_head(&mut self) -> Option<Head> {
        let job = self.exported_job();
        match &job.items[0].faces {
            FaceChoice::Manual(faces) => faces[0].head,
            FaceChoice::BySpec | FaceChoice::Edited(_) => None,
        }
    }
}

fn open_with_a_photo() -> Window {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window
}

#[test]
fn a_dragged_crown_changes_the_frame_and_the_export() {
    let mut window = open_with_a_photo();
    let estimate = estimate_head(&two_faces()[0]).head;
    let before = window.previewed();
    window.drag("Crown of face 1", vec2(0.0, -40.0));
    let after = window.previewed();
    assert!(after.frame.height > before.frame.height, "a taller head has a larger frame: {before:?} {after:?}");
    let head = window.exported_head().expect("a manual head");
    assert!(
        head.eyes_to_crown > estimate.eyes_to_crown * 1.1 && head.eyes_to_chin == estimate.eyes_to_chin,
        "{head:?}"
    );
    assert_eq!((head.eyes, head.roll), (estimate.eyes, estimate.roll));

    window.click("Reset to automatic");
    assert_eq!(window.previewed(), before);
    assert_eq!(window.exported_head(), None);
}

#[test]
fn the_rotation_handle_rotates_head_and_frame() {
    let settings = Settings {
        recipe: Recipe { crop: CropSpec { level: true, ..CropSpec::default() }, ..Recipe::default() },
        ..with_output_folder().settings
    };
    let options = WindowOptions { settings, ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    assert_eq!(window.previewed().angle, 0.0);
    let radius = window.middle("Eye line of face 1").y - window.middle("Rotation of face 1").y;
    window.drag("Rotation of face 1", vec2(radius * 0.35, 0.0));
    let turned = window.previewed();
    assert!((8.0..35.0).contains(&turned.angle), "{turned:?}");
    let head = window.exported_head().expect("a manual head");
    assert!((head.roll - turned.angle).abs() < 1e-3);
}

#[test]
fn a_tilted_face_has_a_rotated_frame_from_the_start() {
    let settings = Settings {
        recipe: Recipe { crop: CropSpec { level: true, ..CropSpec::default() }, ..Recipe::default() },
        ..Settings::default()
    };
    let options = WindowOptions { settings, ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    let upright = face(400.0, 300.0, 0.9);
    let turn = Transform::rotate_about(upright.bbox.center(), 20.0);
    let tilted = Face { landmarks: upright.landmarks.map(|point| turn.apply(point)), ..upright };
    window.add(&["/photos/anna.jpg"], &[tilted]);
    let crop = window.previewed();
    assert!((crop.angle - 20.0).abs() < 2.0, "{crop:?}");
}

#[test]
fn arrow_keys_move_a_focused_line_not_the_selection() {
    let mut window = open_with_a_photo();
    let estimate = estimate_head(&two_faces()[0]).head;
    window.harness.get_by_label("Chin of face 1").focus();
    window.steps(2);
    window.harness.key_press(Key::ArrowDown);
    window.steps(2);
    window.harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    window.steps(2);
    assert!(window.harness.get_by_label("Chin of face 1").is_focused());
    let head = window.exported_head().expect("a manual head");
    assert!((head.eyes_to_chin - estimate.eyes_to_chin - 11.0).abs() < 0.01, "{head:?} {estimate:?}");
}

#[test]
fn cropped_faces_have_lines_unless_hidden() {
    let mut window = open_with_a_photo();
    assert!(window.has("Crown of face 1") && !window.has("Crown of face 2"));
    window.click("Face 2, score 0.70, not included");
    assert!(window.has("Crown of face 2"));
    window.harness.key_press(Key::H);
    window.steps(2);
    assert!(!window.has("Crown of face 1") && window.has("Face 1, score 0.93, included"));
    window.harness.key_press(Key::H);
    window.steps(2);
    let middle = window.middle("Crown of face 1") - vec2(0.0, 150.0);
    for _ in 0..2 {
        for pressed in [true, false] {
            let button = egui::PointerButton::Primary;
            window.harness.event(egui::Event::PointerMoved(middle));
            let modifiers = Modifiers::NONE;
            window.harness.event(egui::Event::PointerButton { pos: middle, button, pressed, modifiers });
        }
    }
    window.steps(3);
    assert!(window.has("Crown of face 1"), "a double click beside the lines fits the photo");
}

/// Answers every detection request with `detection`.
fn answer(window: &mut Window, detection: &Detection) {
    for (id, request) in window.sent() {
        let mut event = match request {
            Request::Session(SessionRequest::IndexPhoto { photo, .. }) => photo_indexed(photo.item, &[]),
            Request::Session(SessionRequest::OpenPhoto { photo, generation }) => {
                photo_opened(photo.item, generation, &[])
            }
            _ => continue,
        };
        if let Event::PhotoIndexed { detection: found, .. } | Event::PhotoOpened { detection: found, .. } = &mut event {
            *found = Some(Arc::new(detection.clone()));
        }
        window.answer(id, event);
    }
}

#[test]
fn measurements_and_the_detection_pass_are_shown() {
    let mut window = Window::open();
    window.drop_files(&["/photos/anna.jpg"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(import, Event::ImportFound { paths: vec!["/photos/anna.jpg".into()] });
    let measures = FaceMeasures { sharpness: Some(0.12), lightness: 0.55, underexposed: 0.0, overexposed: 0.0 };
    let input = Size::new(640, 640);
    let pass = |kind, inference_ms| PassReport {
        kind,
        rotation: 0,
        input,
        rejected: None,
        scale: 1.0,
        candidates: 1,
        inference_ms,
    };
    let detection = Detection {
        faces: vec![Face { measures: Some(measures), ..face(300.0, 300.0, 0.91) }],
        found_by: vec![1],
        passes: vec![pass(PassScale::Standard, 100.0), pass(PassScale::Larger, 100.0)],
        preprocess_ms: 2.0,
        inference_ms: 200.0,
        postprocess_ms: 10.0,
        ..Detection::default()
    };
    answer(&mut window, &detection);
    window.click("This face");
    window.steps(20);
    for text in ["2 passes, 212 ms", "a larger copy", "0.91", "blurred (0.12)", "well lit (0.55)", "frontal, tilted 0°"]
    {
        assert!(window.shows(text), "{text}");
    }
    // Not by colour alone.
    assert!(window.shows("! blurred (0.12)"));
    assert!(window.describes("anna.jpg needs review: ") && window.shows("To review: "));
    for absent in ["Eyes", "Mouth", "Background"] {
        assert!(!window.has(absent), "{absent} was not measured");
    }
}

#[test]
fn eyes_mouth_pose_hair_and_background_are_shown() {
    let found = face(300.0, 300.0, 0.91);
    let head = estimate_head(&found).head;
    let eye = EyeMeasures { center: found.eye_center(), opening: Some(0.08), contrast: Some(0.95), is_hidden: false };
    let mesh = FaceMesh {
        head,
        width: 80.0,
        yaw: -12.3,
        pitch: 4.4,
        presence: 0.99,
        mouth_opening: Some(0.21),
        gaze: None,
        eyes: [eye; 2],
        dark_glasses: false,
    };
    let hair = HairTop { above_eyes: head.eyes_to_crown + head.height() * 0.07, confidence: 0.9 };
    let background = BackgroundMeasures { lightness: 0.93, chroma: 0.01, unevenness: 0.4, shadow: 0.0 };
    let mask = MaskMeasures { hair: Some(hair), background: Some(background) };
    let shown = |mask: MaskMeasures, mesh: FaceMesh| {
        let mut window = Window::open();
        window.add(&["/photos/anna.jpg"], &[Face { mesh: Some(mesh), mask: Some(mask), ..found }]);
        window.click("This face");
        window.steps(20);
        window
    };
    let window = shown(mask, mesh);
    let texts =
        ["! closed (0.08)", "21 % open", "turned, 12° left, 4° up, tilted 0°", "7 % above the crown", "lightness 93 %"];
    for text in texts {
        assert!(window.shows(text), "{text}");
    }
    assert!(window.has("Eyes 1") && window.shows("the eyes are closed: open by 8 % of their width"));
    let unknown = FaceMesh { presence: 0.2, ..mesh };
    let window = shown(MaskMeasures { hair: None, background: None }, unknown);
    assert!(window.shows("unknown") && window.shows("top unknown") && !window.has("Eyes 1"));
    assert!(!window.shows("% open") && !window.shows("° up") && !window.has("Background"));
}

#[test]
fn photos_with_an_unexpected_number_of_faces_are_marked() {
    let expected = Expected { min: Some(2), max: Some(2) };
    let settings = Settings {
        recipe: Recipe { crop: CropSpec { expected, ..CropSpec::default() }, ..Recipe::default() },
        ..Settings::default()
    };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &[face(300.0, 300.0, 0.9)]);
    assert!(window.describes("anna.jpg needs review: "), "one face where two are expected");
}

#[test]
fn a_manual_head_is_kept_after_another_detection() {
    let mut window = Window::open_with(with_output_folder(), [1280.0, 1500.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.drag("Chin of face 1", vec2(0.0, 30.0));
    let set = window.exported_head().expect("set");
    let moved = Face { bbox: Rect { x: 125.0, ..two_faces()[0].bbox }, ..two_faces()[0] };
    window.choose("Detection", "Thorough");
    let smaller = Face { bbox: Rect { height: 150.0, ..two_faces()[1].bbox }, ..two_faces()[1] };
    window.answer_detection(&[smaller, moved]);
    assert_eq!(window.exported_head(), Some(set));
    assert!(set.eyes.distance(Point::new(200.0, 270.0)) < 1.0);
}
