//! Frames of rotated, tiny, huge and invalid heads, checked by the place of the head's lines in the crop.

use geometry::Rect;

use super::*;
use crate::test_faces::{mesh, with_hair};
use crate::{HeadInCrop, head_in_crop, plan_chosen};

const PICTURE: Size = Size::new(3000, 2400);
const EDGES: [EdgePolicy; 4] = [EdgePolicy::Shrink, EdgePolicy::Pad, EdgePolicy::Extend, EdgePolicy::Blur];

/// A face with a set head: eyes at a point, `height` from chin to crown, rotated by `roll`.
fn face(x: f32, y: f32, height: f32, roll: f32) -> Face {
    let eyes = Point::new(x, y);
    let head = Head { eyes, eyes_to_crown: height * 0.48, eyes_to_chin: height * 0.52, roll };
    let (right, up) = (Point::new(-head.up().y, head.up().x), head.up());
    let at = |across: f32, down: f32| {
        let (across, down) = (across * height, down * height);
        Point::new(x + right.x * across - up.x * down, y + right.y * across - up.y * down)
    };
    let landmarks = [at(-0.14, 0.0), at(0.14, 0.0), at(0.0, 0.14), at(-0.11, 0.28), at(0.11, 0.28)];
    let middle = at(0.0, 0.15);
    let bbox = Rect::new(middle.x - height * 0.3, middle.y - height * 0.35, height * 0.6, height * 0.7);
    Face { head: Some(head), ..Face::new(bbox, landmarks, 0.9) }
}

fn spec(output: Size, head_height: f32, position: Position) -> CropSpec {
    CropSpec { output, head_height, position, level: true, ..CropSpec::default() }
}

fn planned(face: Face, picture: Size, spec: &CropSpec) -> Option<PlannedCrop> {
    plan_chosen(&[face], &[0], picture, spec).crops.pop()
}

fn lines(crop: &PlannedCrop, face: &Face) -> HeadInCrop {
    head_in_crop(crop, &face.head.expect("set")).expect("a head")
}

/// Absolute tilt of the head in the crop in degrees.
fn tilt_in_crop(crop: &PlannedCrop, face: &Face) -> f32 {
    normalized(face.head.expect("set").roll - crop.angle).abs()
}

#[test]
fn head_height_eye_line_and_headroom_are_as_requested_at_every_roll() {
    let positions = [Position::Middle, Position::EyeLine { from_bottom: 0.58 }, Position::Headroom { share: 0.12 }];
    // The frame is 800 pixels high, so half a pixel at either end is an eighth of a percent.
    let near = |found: f32, expected: f32| (found - expected).abs() <= 0.0015;
    for (position, edge) in positions.into_iter().flat_map(|position| EDGES.map(|edge| (position, edge))) {
        for (level, turn_upright) in [(true, true), (true, false), (false, true), (false, false)] {
            for roll in (-180..=180).step_by(7) {
                let face = face(1500.0, 1200.0, 520.0, roll as f32);
                let spec = CropSpec { edge, level, turn_upright, ..spec(Size::new(640, 800), 0.65, position) };
                let crop = planned(face, PICTURE, &spec).expect("inside");
                let lines = lines(&crop, &face);
                let context = format!("{position:?} {edge:?} {level} {turn_upright} {roll}: {crop:?} {lines:?}");
                assert!(near(lines.height, 0.65), "{context}");
                match position {
                    Position::Middle => assert!(near((lines.crown + lines.chin) / 2.0, 0.5), "{context}"),
                    Position::EyeLine { from_bottom } => assert!(near(lines.eye_line(), from_bottom), "{context}"),
                    Position::Headroom { share } => assert!(near(lines.crown, share), "{context}"),
                }
                assert_eq!(crop.padding_share, 0.0, "{context}");
            }
        }
    }
}

#[test]
fn the_head_is_centered_horizontally_at_every_roll() {
    for roll in (-180..=180).step_by(5) {
        for shift_right in [0.0, 0.1] {
            let face = face(1500.0, 1200.0, 520.0, roll as f32);
            let position = Position::EyeLine { from_bottom: 0.58 };
            let spec = CropSpec { shift_right, ..spec(Size::new(640, 800), 0.65, position) };
            let crop = planned(face, PICTURE, &spec).expect("inside");
            let crop_from_image = crop.image_from_crop().inverse().expect("invertible");
            let middle = crop_from_image.apply(face.head.expect("set").center()).x / 640.0;
            assert!((middle - 0.5 - shift_right).abs() < 0.002, "{roll}: {middle}");
        }
    }
}

#[test]
fn eyes_are_levelled_up_to_the_limit_and_unchanged_above_it() {
    for tenth in -1800..=1800 {
        let roll = tenth as f32 / 10.0;
        let face = face(1500.0, 1200.0, 300.0, roll);
        let of = |level_limit, level, turn_upright| {
            let spec = spec(Size::new(400, 500), 0.6, Position::Middle);
            let crop = planned(face, PICTURE, &CropSpec { level_limit, level, turn_upright, ..spec }).expect("inside");
            (crop.angle, tilt_in_crop(&crop, &face))
        };
        // Everything is levelled at the maximum limit: no roll is more than 45 degrees off a quarter turn.
        assert!(of(45.0, true, true).1 <= LEVEL_ENOUGH + 1e-3, "{roll}");
        let off_quarter = (roll - (roll / 90.0).round() * 90.0).abs();
        let (_, tilt) = of(30.0, true, true);
        if off_quarter <= 30.0 {
            assert!(tilt <= LEVEL_ENOUGH + 1e-3, "{roll}: {tilt}");
        } else {
            assert!((tilt - off_quarter).abs() < 1e-3, "{roll}: unchanged");
        }
        assert!(of(30.0, false, true).1 <= 45.0 + 1e-3, "{roll}: never upside down");
        assert_eq!(of(30.0, false, false).0, 0.0, "{roll}: nothing is rotated");
        let (angle, _) = of(30.0, true, false);
        assert!(angle.abs() <= 30.0 && (roll.abs() <= 45.0 || angle == 0.0), "{roll}: quarter turns are off: {angle}");
        assert!((-180.0..=180.0).contains(&of(30.0, true, true).0) && of(30.0, true, true).0 > -180.0);
    }
}

#[test]
fn swapped_eyes_never_turn_a_portrait_upside_down() {
    for roll in (-180..180).step_by(15) {
        let mut swapped = face(1500.0, 1200.0, 300.0, roll as f32);
        let head = swapped.head.take().expect("set");
        swapped.landmarks.swap(0, 1);
        let spec = spec(Size::new(400, 500), 0.6, Position::Middle);
        let crop = planned(swapped, PICTURE, &spec).expect("inside");
        let lines = head_in_crop(&crop, &head).expect("a head");
        assert!(lines.crown < lines.eyes && lines.eyes < lines.chin, "{roll}: {lines:?}");
    }
}

#[test]
fn shrinking_stays_inside_the_image_at_any_angle_place_and_size() {
    let outputs = [Size::new(400, 500), Size::new(500, 500), Size::new(900, 300), Size::new(37, 211)];
    let pictures = [PICTURE, Size::new(641, 853), Size::new(997, 101), Size::new(40, 33), Size::new(10_001, 7_003)];
    for (output, picture) in outputs.into_iter().flat_map(|output| pictures.map(|picture| (output, picture))) {
        let (width, height) = (picture.width as f32, picture.height as f32);
        for (x, y) in [(0.5, 0.5), (0.02, 0.03), (0.97, 0.5), (0.5, 0.98), (1.1, 0.5)] {
            for head in [0.02, 0.3, 2.0] {
                for roll in [0.0, 0.7, -13.3, 29.0, 45.0, 90.0, -97.5, 180.0, 163.0] {
                    let face = face(width * x, height * y, height * head, roll);
                    let spec = CropSpec { level_limit: 45.0, ..spec(output, 0.6, Position::Middle) };
                    let crop = planned(face, picture, &spec).expect("a part of the picture");
                    let context = format!("{output} of {picture} at {x} {y} {head} {roll}: {crop:?}");
                    for corner in crop.corners() {
                        let inside =
                            (-0.01..=width + 0.01).contains(&corner.x) && (-0.01..=height + 0.01).contains(&corner.y);
                        assert!(inside, "{context}: {corner:?}");
                    }
                    assert!(crop.padding_share < 1e-3, "{context}");
                    let requested = height * head / 0.6;
                    assert!(crop.frame.height as f32 <= requested.max(1.0) + 0.5, "{context}: larger than requested");
                    // The shorter side is rounded from the aspect ratio.
                    let longer = crop.frame.size().long_side() as f32;
                    let shorter = crop.frame.size().short_side() as f32;
                    let narrow = output.short_side() as f32 / output.long_side() as f32;
                    assert!((shorter - longer * narrow).abs() <= 0.51 || shorter == 1.0, "{context}: aspect");
                }
            }
        }
    }
}

#[test]
fn shrinking_loses_only_the_rounding_to_whole_pixels() {
    // The largest square in an image of 1000 x 800, rotated by 30 degrees, has 800 / (sin 30 + cos 30) = 585.6 pixels.
    let face = face(500.0, 400.0, 900.0, 30.0);
    let crop = planned(face, Size::new(1000, 800), &spec(Size::new(500, 500), 0.6, Position::Middle)).expect("inside");
    assert!((584..=586).contains(&crop.frame.width), "{crop:?}");
    // A quarter turn loses nothing.
    let sideways = Face { head: face.head.map(|head| Head { roll: 90.0, ..head }), ..face };
    let crop =
        planned(sideways, Size::new(1000, 800), &spec(Size::new(400, 500), 0.6, Position::Middle)).expect("inside");
    assert_eq!((crop.frame.size(), crop.angle), (Size::new(800, 1000), 90.0));
}

#[test]
fn other_policies_keep_size_and_place_and_report_the_share_outside() {
    for edge in [EdgePolicy::Pad, EdgePolicy::Extend, EdgePolicy::Blur] {
        // Half of the crop is left of the image.
        let straight = CropSpec { edge, ..spec(Size::new(400, 400), 0.5, Position::Middle) };
        let crop = planned(face(0.0, 1200.0, 300.0, 0.0), PICTURE, &straight).expect("half inside");
        assert_eq!(crop.frame.size(), Size::new(600, 600));
        assert!((crop.padding_share - 0.5).abs() < 1e-3, "{crop:?}");
        // Rotated by 30 degrees about its center on the image's edge, it is still half.
        let crop = planned(face(-3.0, 1200.0, 300.0, 30.0), PICTURE, &straight).expect("half inside");
        assert!((crop.padding_share - 0.5).abs() < 0.02 && crop.angle == 30.0, "{crop:?}");
    }
}

#[test]
fn a_frame_outside_the_image_is_none() {
    for edge in [EdgePolicy::Pad, EdgePolicy::Extend, EdgePolicy::Blur] {
        let spec = CropSpec { edge, level_limit: 45.0, ..spec(Size::new(400, 400), 0.5, Position::Middle) };
        assert_eq!(planned(face(-400.0, 1200.0, 300.0, 0.0), PICTURE, &spec), None);
        // The bounding rectangle of the rotated frame overlaps the image's corner, the frame itself does not.
        let turned = face(-260.0, -260.0, 300.0, 45.0);
        assert_eq!(planned(turned, PICTURE, &spec), None, "{edge:?}");
        let level = CropSpec { level: false, ..spec };
        assert!(planned(turned, PICTURE, &level).is_some_and(|crop| crop.padding_share < 1.0), "{edge:?}");
    }
}

#[test]
fn a_head_larger_than_the_image_gives_the_largest_frame() {
    let huge = face(1500.0, 1200.0, 9000.0, 0.0);
    let crop = planned(huge, PICTURE, &spec(Size::new(500, 500), 0.9, Position::Middle)).expect("inside");
    assert_eq!(crop.frame, PixelRect::new(300, 0, 2400, 2400));
    let pad = CropSpec { edge: EdgePolicy::Pad, ..spec(Size::new(500, 500), 0.9, Position::Middle) };
    let crop = planned(huge, PICTURE, &pad).expect("inside");
    assert_eq!(crop.frame.size(), Size::new(10_000, 10_000));
    assert!((crop.padding_share - (1.0 - 0.3 * 0.24)).abs() < 1e-4, "{crop:?}");
}

#[test]
fn extreme_numbers_never_panic_and_never_give_an_empty_frame() {
    let values =
        [0.0, -0.0, 1.0, -1.0, 1e-38, 1e9, -1e9, 1e30, f32::MAX, f32::MIN, f32::NAN, f32::INFINITY, -f32::INFINITY];
    let outputs = [Size::new(1, 1), Size::new(10_000, 1), Size::new(1, 10_000), Size::new(0, 5), Size::new(400, 500)];
    for (at, value) in (0..9).flat_map(|at| values.map(|value| (at, value))) {
        let mut odd = face(100.0, 100.0, 50.0, 10.0);
        let mut head = odd.head.expect("set");
        let mut crop_spec = spec(Size::new(400, 500), 0.5, Position::EyeLine { from_bottom: 0.6 });
        match at {
            0 => head.eyes.x = value,
            1 => head.eyes_to_crown = value,
            2 => head.eyes_to_chin = value,
            3 => head.roll = value,
            4 => crop_spec.head_height = value,
            5 => crop_spec.position = Position::EyeLine { from_bottom: value },
            6 => crop_spec.position = Position::Headroom { share: value },
            7 => crop_spec.shift_right = value,
            _ => crop_spec.level_limit = value,
        }
        odd.head = Some(head);
        for (edge, output) in EDGES.into_iter().flat_map(|edge| outputs.map(|output| (edge, output))) {
            for picture in [PICTURE, Size::new(1, 1), Size::new(0, 10), Size::new(u32::MAX, u32::MAX)] {
                let Some(crop) = planned(odd, picture, &CropSpec { edge, output, ..crop_spec.clone() }) else {
                    continue;
                };
                let context = format!("{at} {value} {edge:?} {output} {picture}: {crop:?}");
                assert!(crop.frame.width > 0 && crop.frame.height > 0, "{context}");
                assert!((0.0..1.0).contains(&crop.padding_share) && crop.angle.is_finite(), "{context}");
                let (bounds, size) = crop.source_region();
                assert!(bounds.width > 0 && size.width > 0 && size.height > 0, "{context}");
            }
        }
    }
}

#[test]
fn extreme_hair_never_panics_and_keeps_a_frame() {
    let positions = [Position::Middle, Position::EyeLine { from_bottom: 1.0 }, Position::Headroom { share: 1.0 }];
    for hair in [0.0, -1.0, 0.49, 1.4, 1e30, f32::MAX, f32::MIN, f32::NAN, f32::INFINITY] {
        for (position, edge) in positions.into_iter().flat_map(|position| EDGES.map(|edge| (position, edge))) {
            for head_height in [0.05, 0.6, 1.0] {
                let spec = CropSpec { edge, ..keeping(head_height, position) };
                let crop = planned(hairy(520.0, 10.0, hair), PICTURE, &spec).expect("inside");
                assert!(crop.frame.height > 0 && (0.0..1.0).contains(&crop.padding_share), "{hair} {crop:?}");
            }
        }
    }
}

#[test]
fn full_turns_are_removed_from_the_roll() {
    for (roll, same) in [(720.0, 0.0), (-360.0, 0.0), (450.0, 90.0), (-180.0, 180.0), (540.0, 180.0), (370.0, 10.0)] {
        assert_eq!(normalized(roll), same, "{roll}");
    }
}

/// A face with a head of `height` from its mesh, rolled by `roll`, and hair up to `hair` of the height above the eyes.
fn hairy(height: f32, roll: f32, hair: f32) -> Face {
    let set = face(1500.0, 1200.0, height, roll);
    let mesh = geometry::FaceMesh { head: set.head.expect("set"), ..mesh() };
    with_hair(Face { head: None, mesh: Some(mesh), ..set }, hair * height)
}

/// Crown, top of the hair and chin in the crop, as shares of its height from the top.
fn lines_with_hair(crop: &PlannedCrop, face: &Face) -> (HeadInCrop, f32) {
    let head = face.mesh.expect("set").head;
    let crop_from_image = crop.image_from_crop().inverse().expect("invertible");
    let hair = crop_from_image.apply(head.above_eyes(face.eyes_to_hair().expect("set")));
    (head_in_crop(crop, &head).expect("a head"), hair.y / crop.output.height as f32)
}

fn keeping(head_height: f32, position: Position) -> CropSpec {
    CropSpec { keep_hair: true, ..spec(Size::new(640, 800), head_height, position) }
}

#[test]
fn headroom_is_measured_from_hair_that_is_kept() {
    let spec = keeping(0.5, Position::Headroom { share: 0.1 });
    for roll in [0.0, 20.0, -90.0, 170.0] {
        let face = hairy(520.0, roll, 0.7);
        let (lines, hair) = lines_with_hair(&planned(face, PICTURE, &spec).expect("inside"), &face);
        assert!((hair - 0.1).abs() < 0.002 && (lines.height - 0.5).abs() < 0.002, "{roll}: {hair} {lines:?}");
        let without = CropSpec { keep_hair: false, ..spec.clone() };
        let (lines, _) = lines_with_hair(&planned(face, PICTURE, &without).expect("inside"), &face);
        assert!((lines.crown - 0.1).abs() < 0.002, "{roll}: {lines:?}");
    }
}

#[test]
fn a_frame_is_enlarged_about_its_anchor_until_the_hair_fits() {
    for roll in [0.0, 20.0, -90.0, 170.0] {
        // The eyes are at 30 % and the crown at 1 % of the height.
        let spec = keeping(0.6, Position::EyeLine { from_bottom: 0.7 });
        let face = hairy(520.0, roll, 0.6);
        let (lines, hair) = lines_with_hair(&planned(face, PICTURE, &spec).expect("inside"), &face);
        assert!((hair - 0.02).abs() < 0.002, "{roll}: {hair}");
        assert!((lines.eyes - 0.3).abs() < 0.002, "the eyes keep their place: {lines:?}");
        assert!((lines.height - 0.28 / 0.6).abs() < 0.002, "{lines:?}");
        let spec = keeping(0.8, Position::Middle);
        let (lines, hair) = lines_with_hair(&planned(face, PICTURE, &spec).expect("inside"), &face);
        assert!((hair - 0.02).abs() < 0.002, "{roll}: {hair}");
        assert!((f32::midpoint(lines.crown, lines.chin) - 0.5).abs() < 0.002, "{lines:?}");
    }
}

#[test]
fn hair_that_fits_or_is_implausible_changes_nothing() {
    let spec = keeping(0.5, Position::EyeLine { from_bottom: 0.6 });
    let frame = |face: Face, spec: &CropSpec| planned(face, PICTURE, spec).expect("inside").frame;
    let plain = frame(Face { mask: None, ..hairy(520.0, 0.0, 0.5) }, &spec);
    for hair in [0.48, 0.5, 0.75, f32::NAN, f32::INFINITY, 30.0] {
        assert_eq!(frame(hairy(520.0, 0.0, hair), &spec), plain, "{hair}");
    }
    let tight = keeping(0.7, Position::EyeLine { from_bottom: 0.7 });
    let set = |hair| {
        let face = hairy(520.0, 0.0, hair);
        Face { head: face.mesh.map(|mesh| mesh.head), ..face }
    };
    assert_eq!(frame(set(0.9), &tight), frame(Face { mask: None, ..set(0.9) }, &tight), "the user set the crown");
    let off = CropSpec { keep_hair: false, ..tight.clone() };
    assert_eq!(frame(hairy(520.0, 0.0, 0.9), &off), frame(set(0.9), &off));
}

#[test]
fn the_enlargement_is_limited_and_the_frame_moves_up_instead() {
    let spec = keeping(0.8, Position::EyeLine { from_bottom: 0.75 });
    let face = hairy(520.0, 0.0, 1.2);
    let (lines, hair) = lines_with_hair(&planned(face, PICTURE, &spec).expect("inside"), &face);
    assert!((lines.height - 0.5).abs() < 0.002, "enlarged by 1.6: {lines:?}");
    assert!((hair - 0.02).abs() < 0.002 && lines.eyes > 0.6, "{hair} {lines:?}");
    assert!(lines.chin <= 0.98, "{lines:?}");
}

#[test]
fn with_headroom_the_frame_is_enlarged_until_the_chin_fits() {
    let spec = keeping(0.8, Position::Headroom { share: 0.1 });
    let face = hairy(520.0, 0.0, 0.7);
    let (lines, hair) = lines_with_hair(&planned(face, PICTURE, &spec).expect("inside"), &face);
    assert!((hair - 0.1).abs() < 0.002 && (lines.chin - 0.98).abs() < 0.002, "{hair} {lines:?}");
    // A chin that is outside by request stays there.
    let outside = keeping(0.8, Position::Headroom { share: 0.3 });
    let crop = planned(hairy(520.0, 0.0, 0.48), PICTURE, &outside).expect("inside");
    assert_eq!(crop.frame.height, 650);
    // No headroom is a request, too.
    let (_, hair) = lines_with_hair(
        &planned(face, PICTURE, &keeping(0.5, Position::Headroom { share: 0.0 })).expect("inside"),
        &face,
    );
    assert!(hair.abs() < 0.002, "{hair}");
}

#[test]
fn a_photo_too_narrow_for_the_enlarged_frame_keeps_the_hair_by_moving_up() {
    // 700 pixels wide: the frame is at most 875 pixels high instead of 1115.
    let narrow = Size::new(700, 2400);
    let mut face = hairy(520.0, 0.0, 0.6);
    let shift = |x: &mut f32| *x -= 1150.0;
    shift(&mut face.bbox.x);
    face.landmarks.iter_mut().for_each(|point| shift(&mut point.x));
    shift(&mut face.mesh.as_mut().expect("set").head.eyes.x);
    let spec = keeping(0.6, Position::EyeLine { from_bottom: 0.7 });
    let crop = planned(face, narrow, &spec).expect("inside");
    let (lines, hair) = lines_with_hair(&crop, &face);
    assert_eq!(crop.frame.width, 700);
    assert!((hair - 0.02).abs() < 0.002 && lines.eyes > 0.35, "{hair} {lines:?}");
}
