//! Measurements of the astronaut's face: blurred, exposed, rotated, and in every pixel layout.

use geometry::{Face, FaceMeasures, Point, Rect, Size, Transform, estimate_head};
use outcome::{Channels, PictureFormat};
use picture::{Filter, Picture, PictureInfo, Pixels, Place, SourceBox, decode_file, resize};
use recipe::DecodeLimits;

use super::measure_faces;

const MIDDLE: Point = Point::new(223.0, 120.0);

fn astronaut() -> Picture {
    let path = test_support::portrait();
    decode_file(&path, &DecodeLimits::default()).expect("decodes")
}

/// YuNet's result for it.
fn face() -> Face {
    let points = [(200.12, 101.82), (247.13, 102.62), (220.37, 124.54), (198.61, 142.77), (239.67, 143.64)];
    Face::new(Rect::new(178.17, 62.91, 89.9, 113.33), points.map(|(x, y)| Point::new(x, y)), 0.93)
}

fn picture(size: Size, channels: Channels, samples: Vec<u8>) -> Picture {
    let pixels = Pixels::from_u8(size, channels, samples).expect("fits");
    Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels)
}

fn bytes(picture: &Picture) -> &[u8] {
    picture.pixels.as_u8().expect("8 bits")
}

/// The image with `change` applied to each sample.
fn changed(from: &Picture, change: impl Fn(f32) -> f32) -> Picture {
    let samples = bytes(from).iter().map(|&v| change(f32::from(v)).clamp(0.0, 255.0) as u8).collect();
    picture(from.size(), from.pixels.channels(), samples)
}

/// An image of `size` resampled from the points returned by `from`, black outside.
fn redrawn(source: &Picture, size: Size, from: impl Fn(f32, f32) -> Point) -> Picture {
    let (width, height) = (source.size().width as i32, source.size().height as i32);
    let at = |x: i32, y: i32, channel: usize| {
        let inside = x >= 0 && y >= 0 && x < width && y < height;
        if inside { f32::from(bytes(source)[((y * width + x) * 3) as usize + channel]) } else { 0.0 }
    };
    let mut samples = Vec::new();
    for y in 0..size.height {
        for x in 0..size.width {
            let point = from(x as f32 + 0.5, y as f32 + 0.5);
            let (px, py) = (point.x - 0.5, point.y - 0.5);
            let (left, top) = (px.floor(), py.floor());
            for channel in 0..3 {
                let row = |row: i32| {
                    let (a, b) = (at(left as i32, row, channel), at(left as i32 + 1, row, channel));
                    a + (b - a) * (px - left)
                };
                let (upper, lower) = (row(top as i32), row(top as i32 + 1));
                samples.push((upper + (lower - upper) * (py - top)).round() as u8);
            }
        }
    }
    picture(size, Channels::Rgb, samples)
}

/// The image rotated clockwise about the center of the face.
fn rotated(source: &Picture, degrees: f64) -> Picture {
    let back = Transform::rotate_about(MIDDLE, -degrees);
    redrawn(source, Size::new(460, 300), |x, y| back.apply(Point::new(x, y)))
}

/// The face as the network returns it for an image rotated by `degrees`: with a part of the rotation.
fn rotated_face(degrees: f64, part: f64) -> Face {
    let turn = Transform::rotate_about(MIDDLE, degrees * part);
    let face = face();
    Face { landmarks: face.landmarks.map(|point| turn.apply(point)), ..face }
}

/// The image blurred by three box filters, close to a Gaussian; `reach` is half a box's width in pixels.
fn blurred(source: &Picture, reach: usize) -> Picture {
    let (width, height) = (source.size().width as usize, source.size().height as usize);
    let mut samples: Vec<f32> = bytes(source).iter().map(|&v| f32::from(v)).collect();
    for (step, lines, length, line_step) in [(3, height, width, width * 3), (width * 3, width, height, 3)].repeat(3) {
        for channel in 0..3 {
            for line in 0..lines {
                let start = line * line_step + channel;
                let values: Vec<f32> = (0..length).map(|i| samples[start + i * step]).collect();
                for i in 0..length {
                    let part = &values[i.saturating_sub(reach)..(i + reach + 1).min(length)];
                    samples[start + i * step] = part.iter().sum::<f32>() / part.len() as f32;
                }
            }
        }
    }
    picture(source.size(), Channels::Rgb, samples.into_iter().map(|v| v.round() as u8).collect())
}

fn measured(picture: &Picture, face: Face) -> (Face, FaceMeasures) {
    let mut faces = [face];
    measure_faces(picture, &mut faces);
    (faces[0], faces[0].measures.expect("measured"))
}

fn sharpness(picture: &Picture) -> f32 {
    measured(picture, face()).1.sharpness.expect("large enough")
}

fn roll(face: &Face) -> f32 {
    estimate_head(face).head.roll
}

#[test]
fn sharpness_falls_with_blur() {
    let sharp = astronaut();
    let all: Vec<f32> = [1, 2, 3, 5].map(|reach| sharpness(&blurred(&sharp, reach))).to_vec();
    assert!(sharpness(&sharp) > 0.85, "{}", sharpness(&sharp));
    let falls = |pair: &[f32]| pair[1] < pair[0];
    assert!(all[0] < sharpness(&sharp) && all.windows(2).all(falls), "{all:?}");
    assert!(all[3] < 0.2, "{all:?}");
}

#[test]
fn an_upscaled_tiny_face_is_not_sharp() {
    let source = astronaut();
    let small =
        resize(&source.pixels, SourceBox::whole(source.size()), Size::new(140, 140), Filter::Area).expect("resizes");
    let back = resize(&small, SourceBox::whole(small.size()), source.size(), Filter::Lanczos3).expect("resizes");
    let enlarged = Picture { pixels: back, ..source.clone() };
    assert!(sharpness(&enlarged) < 0.6 * sharpness(&source), "{}", sharpness(&enlarged));
}

#[test]
fn sharpness_does_not_depend_on_exposure_and_contrast() {
    let plain = astronaut();
    for other in [changed(&plain, |v| v * 0.35), changed(&plain, |v| 70.0 + v * 0.5)] {
        assert!((sharpness(&other) - sharpness(&plain)).abs() < 0.1, "{}", sharpness(&other));
    }
}

#[test]
fn a_face_of_few_pixels_has_lightness_but_no_sharpness() {
    let whole = astronaut();
    let half = resize(&whole.pixels, whole.whole_box(), Size::new(256, 256), Filter::Area).expect("resizes");
    let reduced = Picture { pixels: half, place: Place { x: 0, y: 0, reduction: 2 }, ..whole.clone() };
    let (_, there) = measured(&whole, face());
    let (_, here) = measured(&reduced, face());
    assert_eq!(here.sharpness, None);
    assert!((here.lightness - there.lightness).abs() < 0.01, "{} {}", here.lightness, there.lightness);
    let hair = [here, there].map(|measures| measures.eyes_to_hair.expect("measured"));
    assert!((hair[0] - hair[1]).abs() < 4.0, "{hair:?}");
}

#[test]
fn underexposed_and_overexposed_faces_are_reported() {
    let plain = astronaut();
    let (_, well_lit) = measured(&plain, face());
    assert!((0.6..0.8).contains(&well_lit.lightness) && well_lit.underexposed < 0.02 && well_lit.overexposed < 0.02);
    let (_, dark) = measured(&changed(&plain, |v| v * 0.1), face());
    assert!(dark.lightness < 0.1 && dark.underexposed > 0.3, "{dark:?}");
    let (_, bright) = measured(&changed(&plain, |v| v * 1.8), face());
    assert!(bright.lightness > 0.9 && bright.overexposed > 0.3, "{bright:?}");
}

#[test]
fn the_roll_of_a_tilted_face_is_measured_although_the_network_reports_a_part_of_it() {
    let source = astronaut();
    let (upright, _) = measured(&source, face());
    // The line through the pupils, determined manually, falls by 2.7 degrees to the right.
    assert!((roll(&upright) - 2.7).abs() < 1.0, "{}", roll(&upright));
    for (degrees, part) in
        [(-45.0, 0.4), (-20.0, 0.15), (12.0, 0.3), (30.0, 0.3), (45.0, 0.7), (90.0, 1.0), (190.0, 0.97)]
    {
        let (tilted, _) = measured(&rotated(&source, degrees), rotated_face(degrees, part));
        let off = (roll(&tilted) - roll(&upright) - degrees as f32 + 180.0).rem_euclid(360.0) - 180.0;
        assert!(off.abs() < 1.0, "{degrees}: {off}");
        let eyes = Transform::rotate_about(MIDDLE, degrees).apply(upright.eye_center());
        assert!(tilted.eye_center().distance(eyes) < 6.0, "{degrees}: {:?} is not {eyes:?}", tilted.eye_center());
    }
}

#[test]
fn measuring_twice_gives_the_same_result() {
    let source = rotated(&astronaut(), 20.0);
    let (once, first) = measured(&source, rotated_face(20.0, 0.3));
    let (twice, second) = measured(&source, once);
    assert!((roll(&once) - roll(&twice)).abs() < 0.5 && once.eye_center().distance(twice.eye_center()) < 2.0);
    assert!((first.lightness - second.lightness).abs() < 1e-6);
}

#[test]
fn a_face_without_a_symmetry_axis_keeps_its_landmarks() {
    // Pseudo-random noise, the same in every run.
    let mut state = 7_u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let size = Size::new(300, 300);
    let samples = (0..size.pixels() * 3).map(|_| noise()).collect();
    let noisy = picture(size, Channels::Rgb, samples);
    let flat = picture(size, Channels::Rgb, vec![128; 270_000]);
    for picture in [noisy, flat] {
        let (after, measures) = measured(&picture, face());
        assert_eq!(after.landmarks, face().landmarks);
        assert_eq!(measures.eyes_to_hair, None);
    }
}

#[test]
fn the_top_of_the_hair_is_found_on_a_plain_background_at_any_roll() {
    // Determined manually: the hair begins at y 16 and the eyes are at 102.3.
    let source = astronaut();
    let (_, upright) = measured(&source, face());
    assert!((upright.eyes_to_hair.expect("measured") - 86.3).abs() < 3.0, "{upright:?}");
    // Drawn with more space around it, in the colour of its background.
    let padded = |degrees: f64| {
        let back = Transform::rotate_about(Point::new(300.0, 300.0), -degrees);
        redrawn(&source, Size::new(600, 600), |x, y| {
            let at = back.apply(Point::new(x, y));
            let at = Point::new(at.x - 77.0, at.y - 180.0);
            let beside = at.y < 2.0 || at.x < 130.0 || at.x > 300.0;
            if beside { Point::new(300.0, 40.0) } else { at }
        })
    };
    for degrees in [0.0, 25.0, -40.0, 90.0, 180.0] {
        let turn = Transform::rotate_about(Point::new(300.0, 300.0), degrees);
        let landmarks = face().landmarks.map(|p| turn.apply(Point::new(p.x + 77.0, p.y + 180.0)));
        let center = turn.apply(Point::new(300.0, 300.0));
        let bbox = Rect::new(center.x - 45.0, center.y - 57.0, 90.0, 114.0);
        let (_, measures) = measured(&padded(degrees), Face::new(bbox, landmarks, 0.9));
        let hair = measures.eyes_to_hair;
        assert!(hair.is_some_and(|hair| (hair - 86.3).abs() < 5.0), "{degrees}: {hair:?}");
    }
}

#[test]
fn hair_at_the_image_edge_or_on_a_busy_background_is_not_reported() {
    let source = astronaut();
    // Cropped at the hair: the image begins 30 pixels further down.
    let cut = redrawn(&source, Size::new(512, 400), |x, y| Point::new(x, y + 30.0));
    let moved = face();
    let bbox = Rect::new(moved.bbox.x, moved.bbox.y - 30.0, moved.bbox.width, moved.bbox.height);
    let moved = Face::new(bbox, moved.landmarks.map(|p| Point::new(p.x, p.y - 30.0)), 0.9);
    assert_eq!(measured(&cut, moved).1.eyes_to_hair, None);
    let mut busy = bytes(&source).to_vec();
    for (index, sample) in busy.iter_mut().enumerate() {
        let (x, y) = (index / 3 % 512, index / 1536);
        if y < 100 && (x / 12 + y / 12) % 2 == 0 {
            *sample /= 2;
        }
    }
    assert_eq!(measured(&picture(source.size(), Channels::Rgb, busy), face()).1.eyes_to_hair, None);
}

#[test]
fn every_pixel_layout_gives_the_same_measures() {
    let source = astronaut();
    let (_, plain) = measured(&source, face());
    let deep = bytes(&source).iter().map(|&v| u16::from(v) * 257).collect();
    let deep = Pixels::from_u16(source.size(), Channels::Rgb, deep).expect("fits");
    let alpha = source.pixels.clone().into_channels(Channels::Rgba);
    let grey = bytes(&source).as_chunks::<3>().0.iter();
    let grey =
        grey.map(|&[r, g, b]| ((u32::from(r) * 54 + u32::from(g) * 183 + u32::from(b) * 19) / 256) as u8).collect();
    let grey = Pixels::from_u8(source.size(), Channels::L, grey).expect("fits");
    let grey_alpha = grey.clone().into_channels(Channels::La);
    for pixels in [deep, alpha, grey, grey_alpha] {
        let layout = pixels.layout();
        let info = PictureInfo::plain(source.size(), PictureFormat::Png, layout);
        let (turned, measures) = measured(&Picture::whole(info, pixels), face());
        assert!((measures.lightness - plain.lightness).abs() < 0.02, "{layout:?}: {measures:?}");
        let [a, b] = [measures, plain].map(|measures| measures.sharpness.expect("exists"));
        assert!((a - b).abs() < 0.08, "{layout:?}: {measures:?}");
        if layout.channels.is_grey() {
            // Fair hair is as light as the wall: it may not be detected, but never above its real top.
            assert!(measures.eyes_to_hair.is_none_or(|hair| hair < 90.0), "{layout:?}: {measures:?}");
        } else {
            assert!((measures.eyes_to_hair.expect("measured") - 86.3).abs() < 3.0, "{layout:?}: {measures:?}");
        }
        assert!((roll(&turned) - 2.7).abs() < 1.2, "{layout:?}");
    }
}

#[test]
fn unusable_faces_and_faces_outside_the_image_get_no_measures() {
    let source = astronaut();
    let plain = face();
    let at = |x: f32, y: f32, side: f32| {
        let points = [(0.3, 0.4), (0.7, 0.4), (0.5, 0.6), (0.35, 0.8), (0.65, 0.8)];
        Face::new(Rect::new(x, y, side, side), points.map(|(dx, dy)| Point::new(x + side * dx, y + side * dy)), 0.9)
    };
    let mut faces = [
        Face { bbox: Rect::new(f32::NAN, 0.0, 10.0, 10.0), ..plain },
        Face { bbox: Rect::new(0.0, 0.0, 0.0, 10.0), ..plain },
        at(-900.0, 10.0, 100.0),
        at(1e9, -1e9, 1e9),
        at(-1e30, -1e30, 2e30),
        at(100.0, 100.0, 1e-6),
        at(-40.0, 480.0, 90.0),
    ];
    measure_faces(&source, &mut faces);
    assert!(faces[..3].iter().all(|face| face.measures.is_none()));
    let corner = faces[6].measures.expect("a part exists");
    assert!(corner.lightness.is_finite() && corner.eyes_to_hair.is_none());
    measure_faces(&picture(Size::new(1, 1), Channels::L, vec![9]), &mut faces);
}
