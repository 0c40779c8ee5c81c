//! Dragged eyes, and heads set by the user against what is measured.

use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;

use batch::settings::Settings;
use geometry::{EyeMeasures, Face, FaceMesh, HairTop, Head, MaskMeasures, Point, Rect, estimate_head};
use iron_cropper::ui::WindowOptions;
use recipe::{CropSpec, Recipe};

use super::script::{Window, face, two_faces};
use super::with_output_folder;

const EYES: [&str; 2] = ["Right eye of face 1", "Left eye of face 1"];

/// Pixels between the eyes of the scripted faces.
const APART: f32 = 60.0;

/// A window with a photo of `faces` whose crops are rotated until the eyes are level. The canvas is large enough for the
/// eyes of the scripted faces to be dragged.
fn open_levelled(faces: &[Face]) -> Window {
    let settings = Settings {
        recipe: Recipe { crop: CropSpec { level: true, ..CropSpec::default() }, ..Recipe::default() },
        ..with_output_folder().settings
    };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1800.0, 1500.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], faces);
    window
}

#[test]
fn a_dragged_eye_sets_eye_line_midline_and_tilt() {
    let mut window = open_levelled(&two_faces());
    let estimate = estimate_head(&two_faces()[0]).head;
    let before = window.previewed();
    let [right, left] = EYES.map(|eye| window.middle(eye));
    let pixel = (left.x - right.x) / APART;
    window.drag(EYES[1], vec2(12.0, 18.0));
    let moved = EYES.map(|eye| window.middle(eye));
    assert!(moved[0].distance(right) < 0.1, "the other eye stays: {right} {moved:?}");
    assert!(moved[1].distance(left + vec2(12.0, 18.0)) < 0.1, "it is where it was dropped: {left} {moved:?}");

    let head = window.exported_head().expect("a manual head");
    let roll = 18.0_f32.atan2(left.x + 12.0 - right.x).to_degrees();
    let middle = Point::new(estimate.eyes.x + 6.0 / pixel, estimate.eyes.y + 9.0 / pixel);
    assert!((head.roll - roll).abs() < 0.1 && head.eyes.distance(middle) < 0.1, "{head:?} {estimate:?}");
    let lower = 9.0 / pixel;
    assert!((head.eyes_to_crown - estimate.eyes_to_crown - lower).abs() < 0.1, "the crown stays: {head:?}");
    assert!((estimate.eyes_to_chin - head.eyes_to_chin - lower).abs() < 0.1, "the chin stays: {head:?}");
    let after = window.previewed();
    assert!((after.angle - roll).abs() < 0.1 && before.angle == 0.0, "{after:?}");

    window.ctrl(Key::Z);
    assert_eq!((window.previewed(), window.exported_head()), (before, None));
    for (at, found) in EYES.map(|eye| window.middle(eye)).into_iter().zip([right, left]) {
        assert!(at.distance(found) < 0.1, "{at} {found}");
    }
}

#[test]
fn both_eyes_can_be_dragged_one_after_the_other() {
    let mut window = open_levelled(&two_faces());
    let [right, left] = EYES.map(|eye| window.middle(eye));
    window.drag(EYES[0], vec2(-14.0, 10.0));
    window.drag(EYES[1], vec2(9.0, 10.0));
    let moved = EYES.map(|eye| window.middle(eye));
    let wanted = [right + vec2(-14.0, 10.0), left + vec2(9.0, 10.0)];
    assert!(moved[0].distance(wanted[0]) < 0.1 && moved[1].distance(wanted[1]) < 0.1, "{moved:?} {wanted:?}");
    let head = window.exported_head().expect("a manual head");
    assert!(head.roll.abs() < 0.1, "{head:?}");
    // A line moved afterwards takes them along.
    window.drag("Eye line of face 1", vec2(0.0, -10.0));
    let moved = EYES.map(|eye| window.middle(eye));
    let wanted = wanted.map(|at| at + vec2(0.0, -10.0));
    assert!(moved[0].distance(wanted[0]) < 0.1 && moved[1].distance(wanted[1]) < 0.1, "{moved:?} {wanted:?}");
}

#[test]
fn eyes_are_on_the_line_that_the_user_has_set() {
    let mut window = open_levelled(&two_faces());
    window.drag("Midline of face 1", vec2(14.0, 0.0));
    window.drag("Rotation of face 1", vec2(60.0, 0.0));
    let [right, left] = EYES.map(|eye| window.middle(eye));
    let before = window.exported_head().expect("a manual head");
    let roll = (left.y - right.y).atan2(left.x - right.x).to_degrees();
    assert!((roll - before.roll).abs() < 0.1 && roll > 5.0, "{roll} {before:?}");
    window.drag(EYES[0], vec2(0.0, 0.5));
    let after = window.exported_head().expect("a manual head");
    assert!(after != before && after.eyes.distance(before.eyes) < 1.0 && (after.roll - before.roll).abs() < 1.0);
}

#[test]
fn arrow_keys_move_a_focused_eye() {
    let mut window = open_levelled(&two_faces());
    let estimate = estimate_head(&two_faces()[0]).head;
    window.harness.get_by_label("Rotation of face 1").focus();
    window.steps(2);
    window.press(Key::Tab);
    assert!(window.harness.get_by_label(EYES[0]).is_focused(), "after the lines");
    window.press(Key::ArrowUp);
    window.press_with(Modifiers::SHIFT, Key::ArrowUp);
    window.press(Key::ArrowLeft);
    assert!(window.harness.get_by_label(EYES[0]).is_focused());
    let head = window.exported_head().expect("a manual head");
    let middle = Point::new(estimate.eyes.x - 0.5, estimate.eyes.y - 5.5);
    assert!(head.eyes.distance(middle) < 0.01, "{head:?} {estimate:?}");
    assert!((head.roll - 11.0_f32.atan2(APART + 1.0).to_degrees()).abs() < 0.01, "{head:?}");
}

#[test]
fn eyes_too_close_to_each_other_cannot_be_dragged() {
    let found = face(400.0, 300.0, 0.9);
    let scaled = |point: Point, by: f32| Point::new(400.0 + (point.x - 400.0) * by, 300.0 + (point.y - 300.0) * by);
    let with_size = |by: f32| Face {
        bbox: Rect { width: found.bbox.width * by, height: found.bbox.height * by, ..found.bbox },
        landmarks: found.landmarks.map(|point| scaled(point, by)),
        ..found
    };
    for (size, shown) in [(1.0, true), (0.4, false)] {
        let window = open_levelled(&[with_size(size)]);
        assert!(window.has("Eye line of face 1"), "{size}");
        assert!(EYES.iter().all(|eye| window.has(eye) == shown), "{size}");
    }
    // One is still there while it has the focus.
    let mut window = open_levelled(&[found]);
    window.harness.get_by_label(EYES[0]).focus();
    window.steps(2);
    (0..5).for_each(|_| window.press_with(Modifiers::SHIFT, Key::ArrowRight));
    assert!(EYES.iter().all(|eye| window.has(eye)));
    window.press(Key::H);
    assert!(EYES.iter().all(|eye| !window.has(eye)), "hidden with the lines");
}

#[test]
fn a_set_head_wins_over_mesh_and_hair() {
    let found = face(300.0, 300.0, 0.91);
    let head = estimate_head(&found).head;
    let measured = |head: Head, hair: f32| {
        let eye = EyeMeasures { center: head.eyes, opening: Some(0.3), contrast: Some(0.95), is_hidden: false };
        let mesh = FaceMesh {
            head,
            width: 160.0,
            yaw: 0.0,
            pitch: 0.0,
            presence: 0.99,
            mouth_opening: Some(0.0),
            gaze: None,
            eyes: [eye; 2],
            dark_glasses: false,
        };
        let hair = HairTop { above_eyes: head.eyes_to_crown + head.height() * hair, confidence: 0.9 };
        Face { mesh: Some(mesh), mask: Some(MaskMeasures { hair: Some(hair), background: None }), ..found }
    };
    let mut window = open_levelled(&[measured(head, 0.3)]);
    window.unfold("Alignment and edges");
    let kept = window.previewed();
    window.click("Keep hair");
    assert_ne!(window.previewed(), kept, "without a set head the hair counts");
    window.click("Keep hair");
    window.drag(EYES[0], vec2(0.0, -12.0));
    let (set, crop) = (window.exported_head().expect("a manual head"), window.previewed());
    let eyes = EYES.map(|eye| window.middle(eye));
    for _ in 0..2 {
        window.click("Keep hair");
        assert_eq!((window.exported_head(), window.previewed()), (Some(set), crop));
    }
    let other = Head { eyes_to_crown: head.eyes_to_crown * 1.1, roll: 3.0, ..head };
    window.choose("Detection", "Thorough");
    window.answer_detection(&[measured(other, 0.1)]);
    assert_eq!((window.exported_head(), window.previewed()), (Some(set), crop));
    assert_eq!(EYES.map(|eye| window.middle(eye)), eyes);
}
