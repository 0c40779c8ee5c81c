//! YuNet's faces, rotated, with swapped landmarks, and with arbitrary numbers.

use super::*;
use crate::{EyeMeasures, HairTop, MaskMeasures, Rect, Transform};

/// YuNet's result for the astronaut, whose chin is at y 178.5 and whose eyes are at 102.3.
fn astronaut() -> Face {
    let points = [(200.12, 101.82), (247.13, 102.62), (220.37, 124.54), (198.61, 142.77), (239.67, 143.64)];
    Face::new(Rect::new(178.17, 62.91, 89.9, 113.33), points.map(|(x, y)| Point::new(x, y)), 0.93)
}

/// The same head rotated clockwise, with the upright bounding box of the ellipse in its box.
fn rotated_face(face: &Face, degrees: f32) -> Face {
    let center = face.bbox.center();
    let turn = Transform::rotate_about(center, f64::from(degrees));
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (across, down) = (face.bbox.width / 2.0, face.bbox.height / 2.0);
    let (half_width, half_height) = ((across * cos).hypot(down * sin), (across * sin).hypot(down * cos));
    let bbox = Rect::new(center.x - half_width, center.y - half_height, half_width * 2.0, half_height * 2.0);
    Face::new(bbox, face.landmarks.map(|point| turn.apply(point)), face.score)
}

fn near(a: f32, b: f32, by: f32) -> bool {
    (a - b).abs() <= by
}

#[test]
fn a_portrait_is_estimated_within_a_few_percent_at_every_roll() {
    let upright = astronaut();
    let (true_chin, true_roll) = (76.2, 0.975);
    for roll in (-175..=180).step_by(5).map(|roll| roll as f32) {
        let face = rotated_face(&upright, roll);
        let estimate = estimate_head(&face);
        let head = estimate.head;
        assert_eq!(estimate.doubt, None, "{roll}");
        assert!(angle_between(head.roll, roll + true_roll) < 0.1, "{roll}: {}", head.roll);
        assert!(head.roll > -180.0 && head.roll <= 180.0);
        assert!(near(head.eyes_to_chin, true_chin, 0.03 * 2.0 * true_chin), "{roll}: {}", head.eyes_to_chin);
        assert!(near(head.eyes_to_crown / head.eyes_to_chin, 1.0, 0.1));
        assert!(head.eyes.distance(face.eye_center()) < 1e-3);
        assert!(estimate.yaw.abs() < 18.0, "{roll}: {}", estimate.yaw);
    }
}

#[test]
fn swapped_landmarks_never_turn_a_portrait_upside_down() {
    let plain = astronaut();
    let swaps: [&[(usize, usize)]; 4] = [&[(0, 1)], &[(3, 4)], &[(0, 1), (3, 4)], &[(0, 3), (1, 4)]];
    for swap in swaps {
        for roll in [0.0, -40.0, 40.0_f32] {
            let mut face = rotated_face(&plain, roll);
            swap.iter().for_each(|&(a, b)| face.landmarks.swap(a, b));
            let estimate = estimate_head(&face);
            assert_eq!(estimate.doubt, Some(HeadDoubt::Landmarks), "{swap:?} at {roll}");
            assert!(angle_between(estimate.head.roll, roll) < 6.0, "{swap:?} at {roll}: {}", estimate.head.roll);
        }
    }
    // An upside-down one stays so if only its eyes are swapped.
    let mut face = rotated_face(&plain, 180.0);
    face.landmarks.swap(0, 1);
    assert!(angle_between(estimate_head(&face).head.roll, 180.0) < 6.0);
}

#[test]
fn implausible_landmarks_fall_back_to_the_box() {
    let plain = astronaut();
    let spot = Face { landmarks: [Point::new(220.0, 110.0); 5], ..plain };
    let far = Face { landmarks: plain.landmarks.map(|p| Point::new(p.x + 400.0, p.y)), ..plain };
    let tiny = Face { landmarks: plain.landmarks.map(|p| Point::new(220.0 + p.x / 50.0, 100.0 + p.y / 50.0)), ..plain };
    let mut broken = plain;
    broken.landmarks[1].x = f32::NAN;
    for face in [spot, far, tiny, broken] {
        let estimate = estimate_head(&face);
        assert_eq!(estimate.doubt, Some(HeadDoubt::Landmarks));
        let head = estimate.head;
        assert!(head.is_usable() && head.roll == 0.0);
        assert!(near(head.chin().y, 178.5, 0.05 * 152.0) && near(head.eyes.y, 102.3, 0.05 * 152.0), "{head:?}");
    }
}

#[test]
fn a_profile_is_reported_and_gets_its_roll_from_nose_and_mouth() {
    // A profile: both eyes close to each other, the nose well in front of them.
    let points = [(140.0, 100.0), (148.0, 101.0), (120.0, 125.0), (133.0, 145.0), (140.0, 145.0)];
    let face = Face::new(Rect::new(110.0, 60.0, 80.0, 118.0), points.map(|(x, y)| Point::new(x, y)), 0.8);
    let estimate = estimate_head(&face);
    assert_eq!(estimate.doubt, Some(HeadDoubt::Profile));
    assert!(estimate.yaw <= -HeadEstimate::PROFILE_YAW, "the nose points to the left, got {}", estimate.yaw);
    assert!(estimate.head.roll.abs() < 12.0, "{}", estimate.head.roll);
    assert!(near(estimate.head.eyes_to_chin, 76.0, 8.0), "{}", estimate.head.eyes_to_chin);
}

/// The astronaut with a mesh whose chin is 2 pixels lower and whose roll is 3 degrees.
fn meshed(yaw: f32) -> Face {
    let head = Head { eyes: Point::new(223.0, 102.0), eyes_to_crown: 74.0, eyes_to_chin: 78.2, roll: 3.0 };
    let eye = EyeMeasures { center: head.eyes, opening: None, contrast: None, is_hidden: false };
    let mesh = FaceMesh {
        head,
        width: 100.0,
        yaw,
        pitch: 0.0,
        presence: 0.9,
        mouth_opening: None,
        gaze: None,
        eyes: [eye; 2],
        dark_glasses: false,
    };
    Face { mesh: Some(mesh), ..astronaut() }
}

#[test]
fn the_mesh_wins_over_five_points_and_the_user_over_the_mesh() {
    let face = meshed(-12.0);
    let estimate = estimate_head(&face);
    let mesh = face.mesh.expect("set");
    assert_eq!(estimate, HeadEstimate { head: mesh.head, yaw: -12.0, doubt: None });
    assert_eq!(estimate_head(&meshed(-41.0)).doubt, Some(HeadDoubt::Profile));
    let mut swapped = face;
    swapped.landmarks.swap(0, 1);
    assert_eq!(estimate_head(&swapped), estimate, "the five points do not count");
    let set = Head { roll: -4.0, ..mesh.head };
    let by_user = estimate_head(&Face { head: Some(set), ..meshed(-41.0) });
    assert_eq!(by_user, HeadEstimate { head: set, yaw: -41.0, doubt: None });
    let unusable = FaceMesh { head: Head { eyes_to_chin: f32::NAN, ..mesh.head }, ..mesh };
    assert_eq!(estimate_head(&Face { mesh: Some(unusable), ..face }), estimate_head(&astronaut()));
}

#[test]
fn the_crown_is_never_above_certain_hair() {
    let crown = |above_eyes, confidence| {
        let mask = MaskMeasures { hair: Some(HairTop { above_eyes, confidence }), background: None };
        estimate_head(&Face { mask: Some(mask), ..meshed(0.0) }).head.eyes_to_crown
    };
    assert_eq!([crown(90.0, 0.9), crown(60.0, 0.9), crown(60.0, 0.3)], [74.0, 60.0, 74.0]);
    assert_eq!([crown(30.0, 0.9), crown(-1.0, 0.9), crown(f32::NAN, 0.9)], [74.0; 3], "not the top of a head");
}

#[test]
fn a_manually_set_head_wins_if_it_is_usable() {
    let set = Head { eyes: Point::new(1.0, 2.0), eyes_to_crown: 3.0, eyes_to_chin: 4.0, roll: 5.0 };
    let mut face = Face { head: Some(set), ..astronaut() };
    face.landmarks.swap(0, 1);
    assert_eq!((estimate_head(&face).head, estimate_head(&face).doubt), (set, None));
    face.head = Some(Head { eyes_to_chin: f32::NAN, ..set });
    assert!(near(estimate_head(&face).head.eyes_to_chin, 76.2, 5.0));
}

#[test]
fn arbitrary_numbers_give_a_finite_or_an_unusable_head() {
    // xorshift, the same numbers in every run.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let odd =
        [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1e30, 100.0];
    let plain =
        |bbox: Rect| bbox.is_usable() && [bbox.x, bbox.y, bbox.width, bbox.height].iter().all(|v| v.abs() < 1e6);
    for round in 0..20_000 {
        let mut number = || match random() {
            r if round % 2 == 0 && r % 4 == 0 => odd[(r / 4) as usize % odd.len()],
            r => ((r >> 20) % 2_000) as f32 - 500.0,
        };
        let bbox = Rect::new(number(), number(), number(), number());
        let face = Face::new(bbox, std::array::from_fn(|_| Point::new(number(), number())), number());
        let HeadEstimate { head, yaw, .. } = estimate_head(&face);
        assert!((-90.0..=90.0).contains(&yaw), "{face:?}");
        assert!(head.roll > -180.0 && head.roll <= 180.0, "{face:?}");
        assert!(!head.is_usable() || (head.crown().is_finite() && head.chin().is_finite()), "{face:?} {head:?}");
        assert!(!plain(bbox) || head.is_usable(), "a box alone is enough: {face:?} {head:?}");
    }
}
