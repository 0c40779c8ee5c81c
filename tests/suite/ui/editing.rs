//! The canvas editor: manual frames, drawn and numbered faces, guides, before and after.

use egui::{Event as Input, Key, Modifiers, PointerButton, Pos2, Role, Vec2, vec2};
use egui_kittest::kittest::Queryable;

use batch::settings::{Guides, Settings};
use batch::worker::{FilesRequest, Request, SessionRequest};
use geometry::{Face, PixelRect};
use iron_cropper::ui::WindowOptions;
use plan::{PlannedCrop, plan_in_order};
use recipe::{CropSpec, EdgePolicy, FaceChoice, Recipe, Select, Thoroughness, find_preset};

use super::script::{PHOTO, Window, face, two_faces};
use super::{open_with_output_folder, with_output_folder};

const CORNER: &str = "Bottom right corner of the frame";

impl Window {
    /// The crops in an export of the first photo, planned from the job sent to the worker.
    #[track_caller]
    fn crops_exported(&mut self) -> Vec<PlannedCrop> {
        let job = self.exported_job();
        let faces: Vec<Face> = match &job.items[0].faces {
            FaceChoice::Manual(faces) => faces.clone(),
            FaceChoice::Edited(edits) => edits.applied_to(&two_faces()).faces,
            FaceChoice::BySpec => return Vec::new(),
        };
        let all: Vec<usize> = (0..faces.len()).collect();
        plan_in_order(&faces, &all, PHOTO, &job.recipe.crop).crops
    }

    /// Accessible values of the frame on the canvas.
    #[track_caller]
    pub(super) fn frame_value(&self) -> String {
        self.harness.get_by_role(Role::GraphicsObject).value().unwrap_or_default()
    }

    fn frame_shown(&mut self) -> PixelRect {
        self.previewed().frame
    }

    fn drag_from(&mut self, from: Pos2, by: Vec2, button: PointerButton) {
        self.drag_with(from, by, button, Modifiers::NONE);
    }

    fn drag_with(&mut self, from: Pos2, by: Vec2, button: PointerButton, modifiers: Modifiers) {
        let press = |pos, pressed| Input::PointerButton { pos, button, pressed, modifiers };
        self.harness.event(Input::ModifiersChanged(modifiers));
        self.harness.event(Input::PointerMoved(from));
        self.steps(3);
        self.harness.event(press(from, true));
        self.steps(2);
        for share in [0.5, 1.0] {
            self.harness.event(Input::PointerMoved(from + by * share));
            self.steps(2);
        }
        self.harness.event(press(from + by, false));
        self.steps(2);
        self.harness.event(Input::ModifiersChanged(Modifiers::NONE));
        self.steps(2);
    }

    #[track_caller]
    fn type_number(&mut self, name: &str, number: &str) {
        self.harness
            .get_by_role_and_label(Role::SpinButton, name)
            .set_value_accesskit(number.parse().expect("a number"));
        self.steps(3);
    }
}

/// A window with one photo, with edge filling, so that frames are not limited by the photo.
fn open_with_a_photo() -> Window {
    open_with_spec(CropSpec { edge: EdgePolicy::Pad, ..CropSpec::default() })
}

fn open_with_spec(crop: CropSpec) -> Window {
    let settings = Settings { recipe: Recipe { crop, ..Recipe::default() }, ..with_output_folder().settings };
    let options = WindowOptions { settings, ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1440.0, 800.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window
}

#[test]
fn a_dragged_corner_is_exported_as_previewed() {
    let mut window = open_with_a_photo();
    let before = window.previewed();
    window.drag(CORNER, vec2(60.0, 60.0));
    let after = window.previewed();
    assert!(after.frame.width > before.frame.width + 30, "{before:?} {after:?}");
    assert_eq!((after.frame.x, after.frame.y), (before.frame.x, before.frame.y), "the other corner stays");
    let aspect = |crop: &PlannedCrop| crop.frame.width as f32 / crop.frame.height as f32;
    assert!((aspect(&after) - aspect(&before)).abs() < 0.01 && after.output == before.output);
    assert_eq!(window.crops_exported(), [PlannedCrop { face_index: 0, ..after }]);

    window.click("Reset frame");
    assert_eq!(window.previewed(), before);
    assert!(window.crops_exported().is_empty(), "no manual edits remain");
    window.press_with(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.previewed(), after, "undone");
}

#[test]
fn dragging_the_border_moves_the_frame_only() {
    let mut window = open_with_a_photo();
    let before = window.frame_shown();
    window.drag("Frame of face 1", vec2(40.0, 0.0));
    let after = window.frame_shown();
    assert!(after.x > before.x + 20 && after.y == before.y && after.size() == before.size(), "{before:?} {after:?}");

    // A drag inside, and one outside, pan the photo.
    let face = window.middle("Face 1, score 0.93, included");
    window.drag_from(face + vec2(30.0, 20.0), vec2(25.0, 10.0), PointerButton::Primary);
    assert_eq!(window.frame_shown(), after);
    let moved = window.middle("Face 1, score 0.93, included");
    assert!((moved - face - vec2(25.0, 10.0)).length() < 1.0, "{face:?} {moved:?}");
    // With Ctrl it moves the frame.
    window.drag_with(moved + vec2(30.0, 20.0), vec2(-40.0, 0.0), PointerButton::Primary, Modifiers::COMMAND);
    let held = window.frame_shown();
    assert!(held.x < after.x - 20 && held.y == after.y, "{after:?} {held:?}");
    // A click on a face includes it.
    window.click("Face 2, score 0.70, not included");
    assert!(window.has("Face 2, score 0.70, included") && window.has("Show crop 2"));
    window.click("Show crop 2");
    assert!(window.shows("Frame of face 2") && window.shows("Preview of crop 2 of 2"));
}

#[test]
fn space_and_the_middle_button_pan_from_anywhere() {
    let mut window = open_with_a_photo();
    let frame = window.frame_shown();
    let corner = window.middle(CORNER);
    window.drag_from(corner, vec2(-30.0, 12.0), PointerButton::Middle);
    let moved = window.middle(CORNER);
    assert!((moved - corner - vec2(-30.0, 12.0)).length() < 1.0, "{corner:?} {moved:?}");
    window.harness.key_down(Key::Space);
    window.steps(2);
    window.drag_from(moved, vec2(50.0, 20.0), PointerButton::Primary);
    window.harness.key_up(Key::Space);
    window.steps(2);
    let again = window.middle(CORNER);
    assert!((again - moved - vec2(50.0, 20.0)).length() < 1.0, "{moved:?} {again:?}");
    assert_eq!(window.frame_shown(), frame);
}

#[test]
fn the_frame_can_be_rotated_and_resized_along_its_axes() {
    let mut window = open_with_a_photo();
    let before = window.previewed();
    let (rotation_handle, frame) = (window.middle("Rotation of the frame"), window.middle("Left side of the frame"));
    let radius = frame.y - rotation_handle.y;
    window.drag("Rotation of the frame", vec2(radius * 0.577, 0.0));
    let turned = window.previewed();
    assert!((turned.angle - 30.0).abs() < 2.0, "{turned:?}");
    assert_eq!(turned.frame.size(), before.frame.size());
    // To the right, along the frame's own axis.
    let (sin, cos) = turned.angle.to_radians().sin_cos();
    window.press(Key::R);
    window.drag("Right side of the frame", vec2(cos, sin) * 50.0);
    let wider = window.previewed();
    assert!(wider.frame.width > turned.frame.width + 30 && wider.frame.height == turned.frame.height, "{wider:?}");
    assert_eq!(window.crops_exported(), [PlannedCrop { face_index: 0, ..wider }]);
}

#[test]
fn shift_and_the_toggle_free_the_aspect_except_for_documents() {
    let mut window = open_with_a_photo();
    let before = window.previewed();
    let corner = window.middle(CORNER);
    window.drag_with(corner, vec2(60.0, 0.0), PointerButton::Primary, Modifiers::SHIFT);
    let freed = window.previewed();
    assert!(freed.frame.width > before.frame.width + 30 && freed.frame.height == before.frame.height, "{freed:?}");
    assert!(freed.output.height < before.output.height, "a wider frame is written less high: {:?}", freed.output);
    // From then on it keeps its new aspect ratio.
    window.drag(CORNER, vec2(-30.0, -30.0));
    let kept = window.previewed();
    let aspect = |crop: &PlannedCrop| crop.frame.width as f32 / crop.frame.height as f32;
    assert!((aspect(&kept) - aspect(&freed)).abs() < 0.01 && kept.frame.height < freed.frame.height);
    window.click("Free aspect ratio");
    window.drag("Top side of the frame", vec2(0.0, 30.0));
    assert_eq!(window.previewed().frame.width, kept.frame.width);

    let document = find_preset("us-passport").expect("a document").spec();
    let mut window = open_with_spec(document.clone());
    let before = window.previewed();
    let corner = window.middle(CORNER);
    window.drag_with(corner, vec2(-60.0, 0.0), PointerButton::Primary, Modifiers::SHIFT);
    let pulled = window.previewed();
    assert!(pulled.frame.width < before.frame.width - 10, "{before:?} {pulled:?}");
    assert_eq!(pulled.output, before.output);
    assert!((aspect(&pulled) - document.aspect()).abs() < 0.01);
}

#[test]
fn without_filling_the_frame_stays_inside_the_photo() {
    let mut window = open_with_spec(CropSpec { edge: EdgePolicy::Shrink, ..CropSpec::default() });
    window.drag(CORNER, vec2(900.0, 900.0));
    let pulled = window.previewed();
    assert_eq!((pulled.padding_share, pulled.frame.y + pulled.frame.height as i32), (0.0, PHOTO.height as i32));
    window.drag("Frame of face 1", vec2(900.0, 0.0));
    let moved = window.previewed();
    assert_eq!((moved.padding_share, moved.frame.x + moved.frame.width as i32), (0.0, PHOTO.width as i32));
    for _ in 0..4 {
        window.press_with(Modifiers::SHIFT, Key::CloseBracket);
    }
    let turned = window.previewed();
    assert_eq!((turned.angle, turned.padding_share), (20.0, 0.0), "{turned:?}");
}

#[test]
fn a_frame_cannot_leave_the_photo_or_vanish() {
    let mut window = open_with_a_photo();
    window.drag("Frame of face 1", vec2(3000.0, 3000.0));
    assert!(window.previewed().padding_share < 1.0);
    window.drag("Top left corner of the frame", vec2(3000.0, 3000.0));
    assert!(window.previewed().frame.size().short_side() >= 10);
}

#[test]
fn keys_move_resize_and_rotate_the_frame() {
    let mut window = open_with_a_photo();
    let before = window.frame_shown();
    window.press(Key::M);
    window.press(Key::ArrowRight);
    window.press_with(Modifiers::SHIFT, Key::ArrowDown);
    let moved = window.frame_shown();
    assert_eq!((moved.x - before.x, moved.y - before.y), (1, 10));
    window.harness.get_by_label("Right side of the frame").focus();
    window.steps(2);
    window.press_with(Modifiers::SHIFT, Key::ArrowRight);
    let wider = window.frame_shown();
    assert_eq!((wider.width - moved.width, wider.x), (10, moved.x));
    window.press(Key::CloseBracket);
    window.press_with(Modifiers::SHIFT, Key::OpenBracket);
    assert_eq!(window.previewed().angle, -4.5);
    window.harness.get_by_label("Rotation of the frame").focus();
    window.steps(2);
    window.press(Key::ArrowRight);
    assert_eq!(window.previewed().angle, -4.0);
    assert!(window.shows("Photo anna.jpg"));
}

#[test]
fn the_frame_can_be_set_by_numbers() {
    let mut window = open_with_a_photo();
    let before = window.previewed();
    window.type_number("Left edge of the frame, in photo pixels", "17");
    window.type_number("Top edge of the frame, in photo pixels", "23");
    let placed = window.previewed();
    assert_eq!((placed.frame.x, placed.frame.y, placed.frame.size()), (17, 23, before.frame.size()));
    window.type_number("Width of the frame, in photo pixels", "200");
    let sized = window.previewed();
    assert_eq!((sized.frame.width, sized.frame.height), (200, (200.0 / before.output.aspect()).round() as u32));
    window.type_number("Clockwise rotation of the frame, in degrees", "7.5");
    assert_eq!(window.previewed().angle, 7.5);
    assert_eq!(window.crops_exported().len(), 1);
    assert!(window.frame_value().starts_with("200 x "), "{}", window.frame_value());
}

#[test]
fn everything_on_the_canvas_is_reachable_with_tab() {
    let mut window = open_with_a_photo();
    let mut wanted: Vec<String> = ["Face 1, score 0.93, included", "Crown of face 1", "Rotation of face 1"]
        .into_iter()
        .chain(["Frame of face 1", "Rotation of the frame", "Left side of the frame", CORNER])
        .map(str::to_owned)
        .collect();
    for _ in 0..160 {
        window.harness.key_press(Key::Tab);
        window.steps(1);
        wanted.retain(|label| !window.harness.query_by_label(label).is_some_and(|node| node.is_focused()));
        if wanted.is_empty() {
            return;
        }
    }
    panic!("not reached: {wanted:?}");
}

fn open_without_faces() -> Window {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg"], &[]);
    window
}

#[test]
fn a_face_can_be_drawn_if_none_was_detected() {
    let mut window = open_without_faces();
    assert!(window.has("anna.jpg, no face"));
    window.click("Draw face manually");
    let photo =
        window.middle("Draw a face: drag from the crown to the chin, or press Enter to place one in the centre");
    window.drag_from(photo, vec2(4.0, 6.0), PointerButton::Primary);
    assert!(!window.shows("Frame of face"), "too short a drag");
    window.drag_from(photo - vec2(60.0, 90.0), vec2(120.0, 180.0), PointerButton::Primary);
    assert!(window.has("Face 1, drawn, included") && window.has("Crown of face 1"));
    assert!(!window.shows("Draw a face: "), "drawing has ended");
    let crop = window.previewed();
    assert_eq!(window.crops_exported().len(), 1);
    assert_eq!(window.crops_exported()[0], crop);

    // Its lines can be dragged like others, and the frame follows.
    window.drag("Crown of face 1", vec2(0.0, -40.0));
    let larger = window.previewed();
    assert!(larger.frame.height > crop.frame.height);
    assert_eq!(window.crops_exported(), [larger]);
    window.press_with(Modifiers::COMMAND, Key::Z);
    window.press_with(Modifiers::COMMAND, Key::Z);
    assert!(!window.shows("drawn"));
    window.press_with(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(window.previewed(), crop);
    window.harness.get_by_label("Face 1, drawn, included").focus();
    window.steps(2);
    window.press(Key::Delete);
    assert!(!window.shows("drawn") && window.shows("Photo anna.jpg"), "the face goes, the photo stays");
    assert!(window.has("Draw face manually"));
}

#[test]
fn without_faces_all_passes_are_offered() {
    let mut window = open_without_faces();
    window.click("Use thorough detection");
    let (_, passes) = window.sent_one(|request| match request {
        Request::Session(SessionRequest::OpenPhoto { photo, .. }) => Some(photo.detect.thoroughness),
        _ => None,
    });
    assert_eq!(passes, Thoroughness::Thorough);
    assert!(!window.shows("Use thorough detection"), "there are no more");
}

#[test]
fn escape_cancels_drawing_and_enter_finishes_it() {
    let mut window = open_with_a_photo();
    window.press(Key::D);
    assert!(window.shows("Draw a face: "));
    window.press(Key::Escape);
    assert!(!window.shows("Draw a face: "));
    window.click("Draw a face");
    window.press(Key::Enter);
    assert!(window.shows(", drawn, included") && !window.shows("Draw a face: "));
    window.harness.get_by_label_contains(", drawn, included").click_secondary();
    window.steps(3);
    window.click("Delete this face");
    assert!(!window.shows("drawn") && window.has("Face 1, score 0.93, included"));
}

#[test]
fn faces_are_numbered_from_the_left_and_toggled_by_digit() {
    let mut window = Window::open();
    let [left, right] = two_faces();
    // The one on the right has a higher score and is first in the list.
    window.add(&["/photos/anna.jpg"], &[Face { score: 0.99, ..right }, left]);
    assert!(window.has("Face 2, score 0.99, included") && window.has("Face 1, score 0.93, not included"));
    window.press(Key::Num1);
    assert!(window.has("Face 1, score 0.93, included") && window.shows("Frame of face 2"), "the same crop is shown");
    window.press(Key::Num2);
    assert!(window.has("Face 2, score 0.99, not included") && window.shows("Frame of face 1"));
    window.press(Key::Num9);
    assert!(window.has("Face 1, score 0.93, included"));
}

#[test]
fn crops_can_be_reordered_by_menu_and_keys() {
    let faces = [face(40.0, 200.0, 0.9), face(400.0, 200.0, 0.9), face(760.0, 200.0, 0.9)];
    let settings = Settings {
        recipe: Recipe { crop: CropSpec { select: Select::All, ..CropSpec::default() }, ..Recipe::default() },
        ..with_output_folder().settings
    };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1440.0, 800.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &faces);
    let exported = |window: &mut Window| {
        let job = window.exported_job();
        match &job.items[0].faces {
            FaceChoice::Manual(faces) => faces.iter().map(|face| face.bbox.x).collect(),
            _ => Vec::new(),
        }
    };
    window.harness.get_by_label("Face 3, score 0.90, included").click_secondary();
    window.steps(3);
    window.click("Move crop first");
    assert_eq!(exported(&mut window), [760.0, 40.0, 400.0]);
    assert!(window.shows("Frame of face 1") && window.shows("Preview of crop 2 of 3"), "the same crop is shown");
    window.press_with(Modifiers::ALT, Key::ArrowRight);
    assert_eq!(exported(&mut window), [760.0, 400.0, 40.0]);
    window.press(Key::C);
    assert!(window.shows("Preview of crop 1 of 3") && window.shows("Frame of face 3"));
    window.click("Reset to automatic");
    assert!(exported(&mut window).is_empty());
}

#[test]
fn the_choice_of_guides_is_saved() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.press(Key::G);
    window.press(Key::G);
    window.steps(8);
    let saved = window.sent().into_iter().filter_map(|(_, request)| match request {
        Request::Files(FilesRequest::SaveSettings(settings)) => Some(settings.window.guides),
        _ => None,
    });
    assert_eq!(saved.last(), Some(Guides::None), "from the document guides past the circle to none");
    window.choose("Guides", "Thirds");
    window.steps(8);
    let saved = window.sent().into_iter().any(|(_, request)| {
        matches!(request, Request::Files(FilesRequest::SaveSettings(settings)) if settings.window.guides == Guides::Thirds)
    });
    assert!(saved);
}

#[test]
fn the_crop_is_requested_at_its_displayed_size() {
    let output = geometry::Size::new(1500, 1500);
    let mut window = open_with_spec(CropSpec { output, ..CropSpec::default() });
    let side = |window: &mut Window| {
        window.steps(6);
        let sides = window.sent().into_iter().filter_map(|(_, request)| match request {
            Request::Session(SessionRequest::RenderPreview { max_side, .. }) => Some(max_side),
            _ => None,
        });
        sides.last()
    };
    assert_eq!(side(&mut window), Some(640));
    window.press(Key::Y);
    assert!(window.has("After: crop 1, 1500 x 1500 pixels") && window.shows("Frame of face 1"));
    assert_eq!(side(&mut window), None, "it is small enough");
    window.click("Crop at 100 %");
    assert_eq!(side(&mut window), Some(1500));
    window.press(Key::Backslash);
    assert!(!window.shows("After: crop"));
}
