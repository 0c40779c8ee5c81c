//! Geometry of rotated frames, with manually computed results.

use super::*;

const PICTURE: Size = Size::new(1000, 800);

fn crop(frame: PixelRect, angle: f32, output: Size) -> PlannedCrop {
    PlannedCrop { angle, ..PlannedCrop::upright(frame, output) }
}

fn near(found: Point, x: f32, y: f32) {
    assert!(found.distance(Point::new(x, y)) < 1e-2, "{found:?} is not {x} {y}");
}

#[test]
fn a_quarter_turn_swaps_the_sides_of_the_source_region() {
    // 100 x 200 about (450, 500): 200 x 100 of the image.
    let crop = crop(PixelRect::new(400, 400, 100, 200), 90.0, Size::new(50, 100));
    assert_eq!(crop.bounds(), PixelRect::new(350, 450, 200, 100));
    assert_eq!(crop.source_region(), (PixelRect::new(350, 450, 200, 100), Size::new(100, 50)));
    assert_eq!(crop.enlargement(), 0.5);
    // The frame's top is on the right.
    let [top_left, top_right, bottom_right, bottom_left] = crop.corners();
    near(top_left, 550.0, 450.0);
    near(top_right, 550.0, 550.0);
    near(bottom_right, 350.0, 550.0);
    near(bottom_left, 350.0, 450.0);
}

#[test]
fn crop_corners_map_to_the_frames_corners() {
    for angle in [-170.0, -90.0, -33.0, 0.0, 12.5, 90.0, 180.0] {
        let crop = crop(PixelRect::new(301, 207, 333, 250), angle, Size::new(640, 480));
        let image_from_crop = crop.image_from_crop();
        let of_crop = [(0.0, 0.0), (640.0, 0.0), (640.0, 480.0), (0.0, 480.0)];
        for ((x, y), corner) in of_crop.into_iter().zip(crop.corners()) {
            near(image_from_crop.apply(Point::new(x, y)), corner.x, corner.y);
            let bounds = crop.bounds();
            let (left, top) = (bounds.x as f32 - 0.02, bounds.y as f32 - 0.02);
            let (right, bottom) = (bounds.to_rect().right() + 0.02, bounds.to_rect().bottom() + 0.02);
            assert!((left..=right).contains(&corner.x) && (top..=bottom).contains(&corner.y), "{angle}");
        }
        near(image_from_crop.apply(Point::new(320.0, 240.0)), 467.5, 332.0);
    }
}

#[test]
fn a_clockwise_frame_shows_the_image_rotated_counter_clockwise() {
    // A head whose crown points to the right: up in the crop is right in the image.
    let crop = crop(PixelRect::new(400, 300, 200, 200), 90.0, Size::new(200, 200));
    near(crop.image_from_crop().apply(Point::new(100.0, 0.0)), 600.0, 400.0);
}

#[test]
fn the_share_outside_is_exact_for_rotated_frames() {
    let share = |x: i32, y: i32, angle: f32| {
        crop(PixelRect::new(x, y, 200, 200), angle, Size::new(100, 100)).share_outside(PICTURE)
    };
    let near = |found: f32, expected: f32| assert!((found - expected).abs() < 1e-4, "{found} is not {expected}");
    near(share(400, 300, 33.0), 0.0);
    // Its center is on the edge, then in the corner.
    for angle in [0.0, 17.0, 45.0, 90.0, 133.0] {
        near(share(-100, 300, angle), 0.5);
        near(share(900, 700, angle), 0.75);
    }
    // A square on its corner extends 141.4 to the side. 100 beyond the edge a triangle of height 41.42 is left: 1715.7
    // of 40000.
    near(share(-200, 300, 45.0), 1.0 - 1715.73 / 40_000.0);
    near(share(-400, 300, 45.0), 1.0);
    near(share(2000, 2000, 10.0), 1.0);
}

#[test]
fn a_frame_larger_than_the_image_contains_all_of_it() {
    let large = crop(PixelRect::new(-4500, -4600, 10_000, 10_000), 45.0, Size::new(100, 100));
    assert!((large.share_outside(PICTURE) - (1.0 - 0.8 / 100.0)).abs() < 1e-5);
}

#[test]
fn empty_and_extreme_frames_never_panic() {
    let none = crop(PixelRect::new(0, 0, 0, 0), 30.0, Size::new(0, 0));
    assert_eq!(none.share_outside(PICTURE), 0.0);
    assert!(none.enlargement() == 0.0 && none.bounds().width >= 1);
    assert!(none.image_from_crop().apply(Point::new(1.0, 1.0)).is_finite());
    let far = crop(PixelRect::new(i32::MIN, i32::MAX, u32::MAX, u32::MAX), 30.0, Size::new(100, 100));
    let _ = (far.bounds(), far.source_region(), far.corners());
    assert!((0.0..=1.0).contains(&far.share_outside(PICTURE)));
}
