//! Tests of padding beyond the photo's edge.

use geometry::Size;

use super::*;

const POLICIES: [EdgePolicy; 4] = [EdgePolicy::Shrink, EdgePolicy::Pad, EdgePolicy::Extend, EdgePolicy::Blur];

fn with(edge: EdgePolicy, rgb: [u8; 3]) -> RenderSpec {
    RenderSpec { edge, ..filled(rgb) }
}

fn rotated(frame: PixelRect, output: Size, angle: f32) -> PlannedCrop {
    PlannedCrop { angle, ..PlannedCrop::upright(frame, output) }
}

#[test]
fn fill_along_rotated_edges_is_antialiased() {
    let white = picture(Size::new(100, 100), Channels::Rgb, vec![255; 30_000]);
    let crop = render_crop(
        &white,
        &rotated(PixelRect::new(-50, 0, 100, 100), Size::new(100, 100), 10.0),
        &with(EdgePolicy::Pad, [0; 3]),
        None,
    );
    let crop = crop.expect("renders");
    assert_eq!((at(&crop, 5, 50), at(&crop, 90, 50)), ([0; 3], [255; 3]));
    // Along each row: black, at most two intermediate pixels, white; and the sum of the coverages gives the position of
    // the edge.
    let mut last = None;
    for y in 10..90 {
        let row: Vec<u8> = (0..100).map(|x| at(&crop, x, y)[0]).collect();
        let between = row.iter().filter(|sample| !matches!(sample, 0 | 255)).count();
        assert!(row.is_sorted() && between <= 2, "{row:?}");
        let covered: f64 = row.iter().map(|sample| f64::from(*sample) / 255.0).sum();
        let slope = last.map_or(0.0, |last: f64| covered - last + 10.0f64.to_radians().tan());
        assert!(slope.abs() < 0.05, "row {y}: {slope}");
        last = Some(covered);
    }
}

#[test]
fn frames_that_touch_the_edges_need_no_padding() {
    // Rotated by 45 degrees inside a square, with an excess of half a pixel through rounding.
    let white = picture(Size::new(100, 100), Channels::Rgb, vec![255; 30_000]);
    let planned = rotated(PixelRect::new(15, 14, 71, 71), Size::new(71, 71), 45.0);
    let crop = render_crop(&white, &planned, &with(EdgePolicy::Shrink, [0; 3]), None).expect("renders");
    assert!(bytes_of(&crop).iter().all(|sample| *sample == 255));
    let crop = render_crop(&white, &planned, &with(EdgePolicy::Pad, [0; 3]), None).expect("renders");
    assert!(bytes_of(&crop).iter().any(|sample| *sample < 255), "with a fill the corner shows it");
}

#[test]
fn extend_repeats_edge_pixels_and_keeps_the_inside() {
    let picture = ramp(Size::new(200, 100));
    let planned = PlannedCrop::upright(PixelRect::new(-20, -10, 60, 60), Size::new(60, 60));
    let crop = render_crop(&picture, &planned, &with(EdgePolicy::Extend, [1, 2, 3]), None).expect("renders");
    assert_eq!(at(&crop, 0, 40), [0, 30, 77]);
    assert_eq!(at(&crop, 50, 0), [30, 0, 77]);
    assert_eq!(at(&crop, 50, 40), [30, 30, 77]);
    let crop =
        render_crop(&picture, &rotated(planned.frame, planned.output, 5.0), &with(EdgePolicy::Extend, [255; 3]), None);
    let crop = crop.expect("renders");
    assert!(each_pixel(crop.size()).all(|(x, y)| at(&crop, x, y)[2] == 77), "nothing of the fill");
    assert!(at(&crop, 1, 30)[0] <= 1 && at(&crop, 1, 30)[1].abs_diff(17) <= 3, "{:?}", at(&crop, 1, 30));
}

#[test]
fn blurred_surroundings_lose_detail_with_distance() {
    // Stripes of 8 pixels that end at the photo's left edge.
    let size = Size::new(200, 200);
    let samples = each_pixel(size).map(|(_, y)| if y / 8 % 2 == 0 { 220 } else { 30 }).collect();
    let stripes = picture(size, Channels::L, samples);
    for angle in [0.0, 3.0] {
        let planned = rotated(PixelRect::new(-80, 20, 160, 160), Size::new(160, 160), angle);
        let crop = render_crop(&stripes, &planned, &with(EdgePolicy::Blur, [0; 3]), None).expect("renders");
        let spread = |x: u32| {
            let column: Vec<f64> = (40..120).map(|y| shares_at(&crop.pixels, x, y)[0] * 255.0).collect();
            column.iter().fold(0.0, |max: f64, v| max.max(*v)) - column.iter().fold(255.0, |min: f64, v| min.min(*v))
        };
        assert!(spread(100) > 185.0, "sharp inside");
        assert!(spread(10) < 0.25 * spread(100), "{angle}: blurred far outside, {}", spread(10));
        let outward: Vec<f64> = [74, 68, 60, 50, 35, 20].map(spread).to_vec();
        assert!(outward.windows(2).all(|pair| pair[1] <= pair[0] + 4.0), "{angle}: ever more blurred: {outward:?}");
    }
}

#[test]
fn blurred_surroundings_have_no_seam() {
    let picture = waves(Size::new(200, 200), Channels::Rgb, true);
    for angle in [0.0, 12.0] {
        let planned = rotated(PixelRect::new(-60, -60, 200, 200), Size::new(200, 200), angle);
        let crop = render_crop(&picture, &planned, &with(EdgePolicy::Blur, [0; 3]), None).expect("renders");
        // Waves change by at most 2 levels per pixel; a seam would be a step.
        for (x, y) in each_pixel(Size::new(199, 199)) {
            let here = shares_at(&crop.pixels, x, y);
            for next in [shares_at(&crop.pixels, x + 1, y), shares_at(&crop.pixels, x, y + 1)] {
                let jump = here.iter().zip(next).map(|(a, b)| (a - b).abs() * 255.0).fold(0.0, f64::max);
                assert!(jump < 4.0, "{angle}: {jump} at {x} {y}");
            }
        }
    }
}

#[test]
fn crops_never_consist_of_padding_alone() {
    let small = waves(Size::new(30, 20), Channels::Rgb, false);
    for edge in POLICIES {
        for angle in [0.0, 31.0, 90.0] {
            for frame in [
                PixelRect::new(-150, -90, 330, 200),
                PixelRect::new(-1_000_000, -1_000_000, 1_000_011, 1_000_011),
                PixelRect::new(-40, 5, 41, 8),
                PixelRect::new(10, 10, 1, 1),
            ] {
                let planned = rotated(frame, Size::new(33, 20), angle);
                match render_crop(&small, &planned, &with(edge, [0; 3]), None) {
                    Ok(crop) => {
                        assert_eq!(crop.size(), planned.output);
                        let shown = bytes_of(&crop).iter().any(|sample| *sample > 0);
                        assert!(shown, "{edge:?} {angle} {frame:?} is all padding");
                    }
                    Err(error) => {
                        assert!(matches!(error, RenderError::OutsidePicture { .. }), "{error}");
                        assert!(planned.share_outside(small.size()) > 0.999, "{edge:?} {angle} {frame:?}");
                    }
                }
            }
            let outside = rotated(PixelRect::new(500, 0, 10, 10), Size::new(5, 5), angle);
            let refused = render_crop(&small, &outside, &with(edge, [0; 3]), None);
            assert!(matches!(refused, Err(RenderError::OutsidePicture { .. })), "{edge:?} {angle}");
        }
    }
    let empty = rotated(PixelRect::new(0, 0, 0, 4), Size::new(5, 5), 3.0);
    assert!(matches!(render_crop(&small, &empty, &filled([0; 3]), None), Err(RenderError::OutsidePicture { .. })));
}

#[test]
fn every_channel_layout_supports_every_edge_policy() {
    for channels in [Channels::L, Channels::La, Channels::Rgb, Channels::Rgba] {
        for deep in [false, true] {
            let picture = waves(Size::new(60, 40), channels, deep);
            for edge in POLICIES {
                let [straight, rotated] = [0.0, 0.6].map(|angle| {
                    let planned = rotated(PixelRect::new(-15, 5, 30, 30), Size::new(30, 30), angle);
                    render_crop(&picture, &planned, &with(edge, [128; 3]), None).expect("renders").pixels
                });
                assert_eq!((straight.channels(), straight.layout()), (channels, picture.pixels.layout()));
                let (off, at) = max_difference(&straight, &rotated);
                // At such a small angle, both are nearly equal except for the pixels along the edge.
                let along_the_edge = edge == EdgePolicy::Pad || edge == EdgePolicy::Shrink;
                assert!(
                    off < 6.0 || (along_the_edge && at.0.abs_diff(15) <= 1),
                    "{channels:?} {deep} {edge:?}: {off} {at:?}"
                );
            }
        }
    }
}
