//! Tests of rotated frames.

use geometry::{Point, Size};

use super::*;

/// An image whose corners and edges all differ, with a red stripe along its right edge.
fn marked() -> Picture {
    let size = Size::new(40, 30);
    let samples = each_pixel(size).flat_map(|(x, y)| if x >= 36 { [250, 0, 0] } else { [x as u8, 100 + y as u8, 200] });
    picture(size, Channels::Rgb, samples.collect())
}

fn rotated(frame: PixelRect, output: Size, angle: f32) -> PlannedCrop {
    PlannedCrop { angle, ..PlannedCrop::upright(frame, output) }
}

/// The maximum error of a crop of [`waves`] against the exact values of [`wave`], and its position.
fn max_error(crop: &Crop, planned: &PlannedCrop, size: Size, margin: f64) -> (f64, (u32, u32)) {
    let map = planned.image_from_crop().rows();
    let channels = crop.pixels.channels();
    let mut max = (0.0, (0, 0));
    for (x, y) in each_pixel(crop.size()) {
        let along = |row: [f64; 3]| row[0] * (f64::from(x) + 0.5) + row[1] * (f64::from(y) + 0.5) + row[2];
        let (from_x, from_y) = (along(map[0]), along(map[1]));
        let inside = |at: f64, length: u32| at > margin && at < f64::from(length) - margin;
        if !inside(from_x, size.width) || !inside(from_y, size.height) {
            continue;
        }
        let mut truth = wave(from_x, from_y)[..channels.without_alpha().count()].to_vec();
        if channels.has_alpha() {
            truth.push(alpha_at(from_x, size));
        }
        for (shown, truth) in shares_at(&crop.pixels, x, y).into_iter().zip(truth) {
            let off = (shown - truth).abs() * 255.0;
            if off > max.0 {
                max = (off, (x, y));
            }
        }
    }
    max
}

#[test]
fn clockwise_frames_have_their_top_at_the_right_of_the_image() {
    // At exactly 90 degrees and close to it, the stripe at the image's right is at the crop's top.
    for angle in [90.0, 89.0] {
        let crop = render_crop(
            &marked(),
            &rotated(PixelRect::new(5, 0, 30, 40), Size::new(30, 40), angle),
            &filled([9; 3]),
            None,
        );
        let crop = crop.expect("renders");
        let (top, bottom, left) = (at(&crop, 15, 2), at(&crop, 15, 37), at(&crop, 2, 20));
        assert!(top[0] > 240 && top[2] < 20, "{angle}: {top:?} at the top");
        assert!(bottom[0] < 5 && bottom[2] > 190, "{angle}: {bottom:?} at the bottom");
        assert!(left[1].abs_diff(107) <= 2, "{angle}: the image's top is at the left, not {left:?}");
    }
    let crop =
        render_crop(&marked(), &rotated(PixelRect::new(5, 0, 30, 40), Size::new(30, 40), -90.0), &filled([9; 3]), None);
    assert!(at(&crop.expect("renders"), 15, 37)[0] > 240, "turned to the left it is at the bottom");
}

#[test]
fn quarter_turns_keep_every_pixel() {
    let marked = marked();
    let own = |x: u32, y: u32| {
        let shares = shares_at(&marked.pixels, x, y);
        [0, 1, 2].map(|at: usize| (shares[at] * 255.0).round() as u8)
    };
    // The second and third frame rotate about the corner or the edge of a pixel; the last one extends beyond the
    // image's right edge.
    let frames = [
        PixelRect::new(5, 0, 30, 30),
        PixelRect::new(8, 4, 11, 20),
        PixelRect::new(4, 4, 12, 15),
        PixelRect::new(30, 4, 11, 11),
    ];
    for frame in frames {
        for angle in [90.0, 180.0, -90.0] {
            let planned = rotated(frame, frame.size(), angle);
            let crop = render_crop(&marked, &planned, &filled([9; 3]), None).expect("renders");
            assert_eq!(crop.size(), frame.size());
            let map = planned.image_from_crop();
            for (x, y) in each_pixel(crop.size()) {
                let from = map.apply(Point::new(x as f32 + 0.5, y as f32 + 0.5));
                // Shifted by half a pixel if a frame of odd and even sides is turned by a quarter.
                let (from_x, from_y) = ((from.x - 0.1).floor(), (from.y - 0.1).floor());
                let expected = if from_x < 40.0 { own(from_x as u32, from_y as u32) } else { [9; 3] };
                assert_eq!(at(&crop, x, y), expected, "{frame:?} {angle} at {x} {y}");
            }
        }
    }
}

#[test]
fn every_channel_layout_rotates_accurately() {
    let size = Size::new(200, 160);
    for channels in [Channels::L, Channels::La, Channels::Rgb, Channels::Rgba] {
        for (deep, allowed) in [(false, 1.6), (true, 0.6)] {
            let picture = waves(size, channels, deep);
            let planned = rotated(PixelRect::new(60, 30, 80, 100), Size::new(64, 80), 17.0);
            let crop = render_crop(&picture, &planned, &filled([0; 3]), None).expect("renders");
            let (off, at) = max_error(&crop, &planned, size, 0.0);
            assert!(off <= allowed, "{channels:?} {deep}: {off} at {at:?}");
        }
    }
}

#[test]
fn rotation_is_accurate_at_every_scale_and_angle() {
    let size = Size::new(360, 300);
    let picture = waves(size, Channels::Rgb, true);
    // Enlarged, at full scale, slightly reduced, and reduced enough for two steps.
    for output in [Size::new(240, 300), Size::new(120, 150), Size::new(100, 125), Size::new(40, 50)] {
        for angle in [-135.0, -44.0, -0.7, 12.5, 45.0, 91.0, 179.0] {
            let planned = rotated(PixelRect::new(120, 75, 120, 150), output, angle);
            let crop = render_crop(&picture, &planned, &filled([0; 3]), None).expect("renders");
            let (off, at) = max_error(&crop, &planned, size, 0.0);
            assert!(off <= 1.0, "{output} {angle}: {off} at {at:?}");
        }
    }
}

#[test]
fn decoded_region_renders_like_the_whole_image() {
    let whole = waves(Size::new(300, 300), Channels::Rgb, false);
    let part = SourceBox { x: 60.0, y: 40.0, width: 200.0, height: 200.0 };
    let pixels = resize(&whole.pixels, part, Size::new(200, 200), Filter::Lanczos3).expect("cuts");
    let part = Picture { pixels, place: Place { x: 60, y: 40, reduction: 1 }, ..whole.clone() };
    for edge in [EdgePolicy::Pad, EdgePolicy::Blur] {
        for output in [Size::new(80, 100), Size::new(20, 25)] {
            let planned = rotated(PixelRect::new(120, 80, 80, 100), output, 20.0);
            let spec = RenderSpec { edge, ..filled([0; 3]) };
            let [a, b] =
                [&whole, &part].map(|picture| render_crop(picture, &planned, &spec, None).expect("renders").pixels);
            let (off, at) = max_difference(&a, &b);
            assert!(off <= 1.0, "{edge:?} {output}: {off} at {at:?}");
        }
    }
}

#[test]
fn rotated_downscaling_does_not_alias() {
    // Lines one pixel wide, at a third and at two thirds of their size.
    let size = Size::new(300, 300);
    let lines = picture(size, Channels::L, each_pixel(size).map(|(x, _)| if x % 2 == 0 { 255 } else { 0 }).collect());
    for side in [40, 80] {
        let planned = rotated(PixelRect::new(90, 90, 120, 120), Size::new(side, side), 10.0);
        let crop = render_crop(&lines, &planned, &filled([0; 3]), None).expect("renders");
        let pixels = bytes_of(&crop);
        let (min, max) = (pixels.iter().min().expect("some"), pixels.iter().max().expect("some"));
        assert!(max - min <= 40 && min.abs_diff(127) <= 20, "{side}: {min} to {max}");
    }
}

#[test]
fn hidden_colour_does_not_bleed_into_a_rotated_crop() {
    let size = Size::new(60, 60);
    let samples = each_pixel(size).flat_map(|(x, _)| if x < 30 { [250, 250, 250, 255] } else { [255, 0, 0, 0] });
    let picture = picture(size, Channels::Rgba, samples.collect());
    let planned = rotated(PixelRect::new(15, 15, 30, 30), Size::new(30, 30), 30.0);
    let crop = render_crop(&picture, &planned, &filled([0; 3]), None).expect("renders");
    for (x, y) in each_pixel(crop.size()) {
        let [red, green, _, alpha] = shares_at(&crop.pixels, x, y)[..] else { panic!("four samples") };
        assert!(alpha == 0.0 || (red - green).abs() < 0.02, "{red} {green} at {x} {y}");
        assert!(alpha > 0.0 || red == 0.0, "hidden colour is removed");
    }
}
