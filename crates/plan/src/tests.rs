//! Expected frames and selections.

use geometry::{Head, PixelRect, Point, Rect};
use recipe::{EdgePolicy, Position, Quantity, Select, SpecError, built_in_presets, find_preset};

use super::*;

const PICTURE: Size = Size::new(1000, 800);

fn face(x: f32, y: f32, width: f32, height: f32, score: f32) -> Face {
    let at = |dx: f32, dy: f32| Point::new(x + width * dx, y + height * dy);
    let landmarks = [at(0.3, 0.35), at(0.7, 0.35), at(0.5, 0.6), at(0.35, 0.8), at(0.65, 0.8)];
    // The head is set and as high as the box, so that frames can be computed manually.
    let (above, below) = (height * 0.35, height * 0.65);
    let head = Head { eyes: at(0.5, 0.35), eyes_to_crown: above, eyes_to_chin: below, roll: 0.0 };
    Face { head: Some(head), ..Face::new(Rect::new(x, y, width, height), landmarks, score) }
}

fn spec(output: Size, head_height: f32, position: Position) -> CropSpec {
    CropSpec { output, head_height, position, ..CropSpec::default() }
}

fn frame(face: Face, spec: &CropSpec) -> PixelRect {
    plan_chosen(&[face], &[0], PICTURE, spec).crops[0].frame
}

#[test]
fn a_centred_square_frame_follows_the_head_height() {
    let spec = spec(Size::new(512, 512), 0.5, Position::Middle);
    assert_eq!(frame(face(450.0, 350.0, 80.0, 100.0, 0.9), &spec), PixelRect::new(390, 300, 200, 200));
}

#[test]
fn the_upper_third_places_the_eyes_a_third_below_the_top() {
    let spec = spec(Size::new(400, 600), 0.25, Position::EyeLine { from_bottom: 2.0 / 3.0 });
    let frame = frame(face(460.0, 300.0, 80.0, 100.0, 0.9), &spec);
    assert_eq!(frame.size(), Size::new(267, 400));
    assert_eq!(frame.x, 367);
    assert_eq!(frame.y, 335 - 133, "the eyes are at y 335 and a third of 400 is 133");
}

#[test]
fn a_positive_shift_moves_the_head_right_and_headroom_moves_it_down() {
    let centered = frame(face(450.0, 350.0, 80.0, 100.0, 0.9), &spec(Size::new(100, 100), 0.5, Position::Middle));
    // With the head in the middle the headroom is a quarter.
    let spec = CropSpec { shift_right: 0.1, ..spec(Size::new(100, 100), 0.5, Position::Headroom { share: 0.45 }) };
    let moved = frame(face(450.0, 350.0, 80.0, 100.0, 0.9), &spec);
    assert_eq!((moved.x, moved.y), (centered.x - 20, centered.y - 40));
}

#[test]
fn shrinking_stays_inside_and_keeps_the_aspect_ratio_and_the_face() {
    for (x, y) in [(0.0, 0.0), (920.0, 0.0), (0.0, 700.0), (920.0, 700.0), (460.0, -10.0), (-30.0, 400.0)] {
        let face = face(x, y, 80.0, 100.0, 0.9);
        let frame = frame(face, &spec(Size::new(800, 1000), 0.4, Position::EyeLine { from_bottom: 2.0 / 3.0 }));
        assert_eq!(frame.to_rect().to_owned(), frame.clipped_to(PICTURE).expect("inside").to_rect(), "{x} {y}");
        assert!((frame.size().aspect() - 0.8).abs() < 0.02, "{frame:?}");
        let visible = frame.to_rect().overlap(face.bbox);
        let in_picture = Rect::new(0.0, 0.0, 1000.0, 800.0).overlap(face.bbox);
        assert!(visible >= in_picture * 0.9, "{frame:?} cuts the face at {x} {y}");
    }
}

#[test]
fn a_portrait_that_fills_its_photo_keeps_the_whole_head() {
    // The requested frame is larger than the photo: the full height of the photo is used, not a part around the face.
    let portrait = face(219.0, 208.0, 552.0, 733.0, 0.9);
    let spec = spec(Size::new(800, 1000), 0.4, Position::EyeLine { from_bottom: 2.0 / 3.0 });
    let frame = plan_chosen(&[portrait], &[0], Size::new(1024, 1024), &spec).crops[0].frame;
    assert_eq!((frame.y, frame.size()), (0, Size::new(819, 1024)));
    assert!(frame.x <= 219 && frame.x + 819 >= 219 + 552, "{frame:?}");
}

#[test]
fn a_frame_that_fits_is_only_moved() {
    let spec = spec(Size::new(100, 100), 0.5, Position::Middle);
    assert_eq!(frame(face(0.0, 0.0, 80.0, 100.0, 0.9), &spec), PixelRect::new(0, 0, 200, 200));
    assert_eq!(frame(face(920.0, 350.0, 80.0, 100.0, 0.9), &spec), PixelRect::new(800, 300, 200, 200));
}

#[test]
fn a_face_larger_than_the_image_gives_the_largest_frame_of_the_aspect_ratio() {
    let frame = frame(face(-200.0, -300.0, 1400.0, 1600.0, 0.9), &spec(Size::new(100, 100), 0.9, Position::Middle));
    assert_eq!(frame.size(), Size::new(800, 800));
}

#[test]
fn padding_keeps_the_frame_and_reports_its_share() {
    let spec = CropSpec { edge: EdgePolicy::Pad, ..spec(Size::new(100, 100), 0.5, Position::Middle) };
    let plan = plan_chosen(&[face(-50.0, 300.0, 100.0, 100.0, 0.9)], &[0], PICTURE, &spec);
    assert_eq!(plan.crops[0].frame, PixelRect::new(-100, 250, 200, 200));
    assert!((plan.crops[0].padding_share - 0.5).abs() < 1e-6);
}

#[test]
fn a_frame_outside_the_image_is_not_planned() {
    let spec = CropSpec { edge: EdgePolicy::Pad, ..spec(Size::new(100, 100), 0.5, Position::Middle) };
    assert!(plan_chosen(&[face(-900.0, 0.0, 100.0, 100.0, 0.9)], &[0], PICTURE, &spec).crops.is_empty());
    assert!(plan_chosen(&[face(0.0, 0.0, 10.0, 10.0, 0.9)], &[0], Size::new(0, 0), &spec).crops.is_empty());
}

#[test]
fn each_selection_mode_selects_its_face() {
    let faces = [
        face(700.0, 100.0, 50.0, 50.0, 0.95),
        face(100.0, 100.0, 200.0, 200.0, 0.80),
        face(480.0, 380.0, 40.0, 40.0, 0.70),
        face(10.0, 10.0, 400.0, 400.0, 0.50),
    ];
    let chosen = |select| choose_faces(&faces, PICTURE, &CropSpec { select, min_score: 0.6, ..CropSpec::default() });
    assert_eq!(chosen(Select::Largest), [1], "the largest one has too low a score");
    assert_eq!(chosen(Select::Central), [2]);
    assert_eq!(chosen(Select::All), [0, 1, 2]);
}

#[test]
fn all_faces_are_planned_from_left_to_right() {
    let faces = [face(700.0, 100.0, 50.0, 50.0, 0.95), face(100.0, 100.0, 50.0, 50.0, 0.8)];
    let plan = plan_crops(&faces, PICTURE, &CropSpec { select: Select::All, ..CropSpec::default() });
    assert_eq!(plan.crops.iter().map(|crop| crop.face_index).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn faces_with_non_finite_numbers_are_skipped() {
    let mut broken = face(100.0, 100.0, 50.0, 50.0, 0.9);
    broken.landmarks[2].x = f32::NAN;
    let empty = face(100.0, 100.0, 0.0, 50.0, 0.9);
    let spec = CropSpec { select: Select::All, ..CropSpec::default() };
    assert!(plan_crops(&[broken, empty], PICTURE, &spec).crops.is_empty());
    assert!(plan_chosen(&[broken], &[0, 7], PICTURE, &spec).crops.is_empty());
}

#[test]
fn every_preset_is_a_valid_spec_with_a_unique_id() {
    for preset in built_in_presets() {
        preset.spec().check().expect("valid");
        assert!(preset.matches(&preset.spec()));
        assert_eq!(find_preset(&preset.id).map(|found| &found.name), Some(&preset.name));
    }
    let document = find_preset("document-35x45").expect("exists");
    let px = |mm: f64| (mm * 300.0 / 25.4).round() as u32;
    assert_eq!(document.size.in_pixels(), Size::new(px(35.0), px(45.0)));
}

#[test]
fn numbers_outside_their_range_are_rejected() {
    let with = |change: fn(&mut CropSpec)| {
        let mut spec = CropSpec::default();
        change(&mut spec);
        spec.check()
    };
    assert!(matches!(with(|s| s.output.width = 0), Err(SpecError::Output { width: 0, .. })));
    assert!(matches!(with(|s| s.output.height = 10_001), Err(SpecError::Output { .. })));
    assert!(matches!(
        with(|s| s.head_height = f32::NAN),
        Err(SpecError::OutOfRange { what: Quantity::HeadHeight, .. })
    ));
    assert!(matches!(with(|s| s.min_score = 1.5), Err(SpecError::OutOfRange { what: Quantity::MinScore, .. })));
}

#[test]
fn a_frame_applies_to_the_outputs_with_its_aspect_ratio_or_else_to_the_first() {
    let sizes = [Size::new(400, 500), Size::new(96, 96), Size::new(80, 100)];
    let applies = |width: f32| {
        let center = Point::new(500.0, 400.0);
        let frame = Some(ManualFrame { center, width, height: 200.0, angle: 0.0 });
        let faces = [Face { frame, ..face(450.0, 350.0, 80.0, 100.0, 0.9) }];
        [0, 1, 2].map(|output| faces_of_output(&faces, &sizes, output)[0].frame.is_some())
    };
    assert_eq!(applies(160.0), [true, false, true]);
    assert_eq!(applies(200.0), [false, true, false], "set for the square output");
    assert_eq!(applies(300.0), [true, false, false], "the aspect ratio of none");
}
