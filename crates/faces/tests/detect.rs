//! Detection on real photos, compared with OpenCV's FaceDetectorYN on the same files.

use std::path::Path;

use engines::open_session;
use faces::{Detector, InputTensor, Letterbox, YunetDetector, decode_outputs, non_max_suppression, preprocess};
use geometry::{Face, Point, Rect, Size};
use inference::{ModelBytes, Outputs, SessionOptions};
use outcome::{Channels, Detection, PassScale, PictureFormat};
use picture::{DecodeRequest, PhotoFile, Picture, PictureInfo, Pixels, decode_file};
use recipe::{BackendKind, DecodeLimits, DetectSpec, Thoroughness};
use test_support::{samples, shared};

fn detector() -> YunetDetector {
    let options = SessionOptions::new(Size::new(640, 640));
    YunetDetector::open(BackendKind::Tract, &ModelBytes::bundled(), &options).expect("opens")
}

/// The faces of a single pass with a score of at least 0.6, as in the reference.
fn faces(detector: &mut YunetDetector, path: &Path) -> Vec<Face> {
    let picture = decode_file(path, &DecodeLimits::default()).expect("decodes");
    let fast = DetectSpec { thoroughness: Thoroughness::Fast, ..DetectSpec::default() };
    let found = detector.detect(&picture, &fast).expect("detects").faces;
    found.into_iter().filter(|face| face.score >= 0.6).collect()
}

/// Compares with OpenCV's faces: the same number, with boxes, scores and landmarks close to each other.
fn assert_like(name: &str, found: &[Face], reference: &[Face]) {
    assert_eq!(found.len(), reference.len(), "{name}: {found:?}");
    for expected in reference {
        let best = found.iter().max_by(|a, b| a.bbox.iou(expected.bbox).total_cmp(&b.bbox.iou(expected.bbox)));
        let best = best.expect("as many as in the reference");
        let iou = best.bbox.iou(expected.bbox);
        assert!(iou >= 0.9, "{name}: IoU {iou:.3} of {:?} and {:?}", best.bbox, expected.bbox);
        assert!((best.score - expected.score).abs() <= 0.03, "{name}: score {} for {}", best.score, expected.score);
        for (point, reference_point) in best.landmarks.iter().zip(expected.landmarks) {
            let off = point.distance(reference_point) / expected.bbox.width;
            assert!(off <= 0.03, "{name}: a landmark is off by {off:.3} of the face's width");
        }
    }
}

fn face(bbox: [f32; 4], points: [f32; 10], score: f32) -> Face {
    let [x, y, width, height] = bbox;
    let landmarks = std::array::from_fn(|i| Point::new(points[2 * i], points[2 * i + 1]));
    Face::new(Rect::new(x, y, width, height), landmarks, score)
}

#[test]
fn the_astronauts_face_agrees_with_opencv() {
    let reference = face(
        [178.17, 62.91, 89.9, 113.33],
        [200.12, 101.82, 247.13, 102.62, 220.37, 124.54, 198.61, 142.77, 239.67, 143.64],
        0.9323,
    );
    let found = faces(&mut detector(), &samples().join("astronaut.png"));
    assert_like("astronaut", &found, &[reference]);
}

#[test]
fn every_readable_test_photo_agrees_with_opencv() {
    let Some(shared) = shared() else { return };
    let text = std::fs::read_to_string(shared.join("testdata/opencv_reference.json")).expect("read");
    let all: serde_json::Value = serde_json::from_str(&text).expect("is JSON");
    let mut detector = detector();
    let numbers = |value: &serde_json::Value| -> Vec<f32> {
        value.as_array().expect("a list").iter().map(|n| n.as_f64().expect("a number") as f32).collect()
    };
    let mut compared = 0;
    for (name, entry) in all.as_object().expect("an object") {
        let reference: Vec<Face> = entry["faces"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|f| {
                let bbox = numbers(&f["box"]).try_into().expect("four");
                let points = numbers(&f["landmarks"]).try_into().expect("ten");
                face(bbox, points, f["score"].as_f64().expect("a number") as f32)
            })
            .collect();
        assert_like(name, &faces(&mut detector, &shared.join("testdata").join(name)), &reference);
        compared += 1;
    }
    assert!(compared > 30, "only {compared} files were compared");
}

/// The boxes, in pixels of the picture, and scores of one pass with an input of 640 x 640 pixels.
fn faces_in_a_square(picture: &Picture) -> Vec<(Rect, f32)> {
    let input = Size::new(640, 640);
    let options = SessionOptions::new(input);
    let mut session = open_session(BackendKind::Builtin, &ModelBytes::bundled(), &options).expect("opens");
    let letterbox = Letterbox::new(picture.size(), input).expect("not empty");
    let (mut tensor, mut outputs) = (InputTensor::new(input), Outputs::new());
    preprocess(picture, &letterbox, &mut tensor).expect("resized");
    session.run(tensor.view(), &mut outputs).expect("runs");
    let boxes = decode_outputs(&outputs, input, 0.6).expect("YuNet");
    let in_picture = |bbox: Rect| {
        let [x, y, width, height] = [bbox.x, bbox.y, bbox.width, bbox.height].map(|length| length / letterbox.scale());
        Rect::new(x, y, width, height)
    };
    non_max_suppression(boxes, 0.3).iter().map(|face| (in_picture(face.bbox), face.score)).collect()
}

#[test]
fn an_input_of_the_photos_shape_finds_the_faces_of_a_square_one() {
    let sample = astronaut();
    let crop = |(x, y, width, height)| picture(image::imageops::crop_imm(&sample, x, y, width, height).to_image());
    let parts = [(0, 0, 512, 290), (60, 0, 300, 512), (100, 30, 240, 300), (0, 20, 512, 384)];
    let mut pictures = parts.map(|part| (format!("{part:?}"), crop(part))).to_vec();
    if let Some(shared) = shared() {
        let folder = shared.join("testdata/portraits");
        for entry in std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
            let photo = decode_file(&entry.path(), &DecodeLimits::default()).expect("decodes");
            pictures.push((entry.path().display().to_string(), photo));
        }
    }
    let options = SessionOptions::new(Size::new(640, 640));
    let mut detector = YunetDetector::open(BackendKind::Builtin, &ModelBytes::bundled(), &options).expect("opens");
    let mut fitted = 0;
    for (name, picture) in pictures {
        let found = pass(&mut detector, &picture, Thoroughness::Fast);
        fitted += usize::from(found.passes[0].input != Size::new(640, 640));
        let square = faces_in_a_square(&picture);
        assert_eq!(found.faces.len(), square.len(), "{name}");
        for (bbox, score) in square {
            let same = |face: &&Face| face.bbox.iou(bbox) > 0.95;
            let face = found.faces.iter().find(same).unwrap_or_else(|| panic!("{name}: {bbox:?}"));
            assert!((face.score - score).abs() < 0.02, "{name}: {} for {score}", face.score);
        }
    }
    assert!(fitted >= 4, "only {fitted} inputs were not square");
}

#[test]
fn the_same_face_is_found_at_the_same_place_on_wide_and_tall_canvases() {
    let portrait = image::ImageReader::open(samples().join("astronaut.png")).expect("opens").decode().expect("decodes");
    let portrait = portrait.crop_imm(0, 0, 400, 400).into_rgb8();
    let mut detector = detector();
    let folder = tempfile::tempdir().expect("created");
    for (width, height) in [(1200, 400), (400, 1200), (1200, 1200)] {
        let (x, y) = ((width - 400) / 2, (height - 400) / 2);
        let mut canvas = image::RgbImage::from_pixel(width, height, image::Rgb([120, 130, 140]));
        image::imageops::replace(&mut canvas, &portrait, i64::from(x), i64::from(y));
        let file = folder.path().join("canvas.png");
        canvas.save(&file).expect("saved");
        let found = faces(&mut detector, &file);
        assert_eq!(found.len(), 1, "{width} x {height}");
        let expected = Rect::new(178.0 + x as f32, 63.0 + y as f32, 90.0, 113.0);
        let iou = found[0].bbox.iou(expected);
        assert!(iou > 0.85, "{width} x {height}: IoU {iou}");
    }
}

/// The bundled portrait: one face of about 90 x 113 pixels at 178, 63.
fn astronaut() -> image::RgbImage {
    image::ImageReader::open(samples().join("astronaut.png")).expect("opens").decode().expect("decodes").into_rgb8()
}

fn picture(image: image::RgbImage) -> Picture {
    let size = Size::new(image.width(), image.height());
    let pixels = Pixels::from_u8(size, Channels::Rgb, image.into_raw()).expect("fits");
    Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels)
}

fn pass(detector: &mut YunetDetector, picture: &Picture, thoroughness: Thoroughness) -> Detection {
    detector.detect(picture, &DetectSpec { thoroughness, ..DetectSpec::default() }).expect("detects")
}

/// The faces that score at least 0.6, each with the scale of the pass that found it.
fn clear(found: &Detection) -> Vec<(Face, PassScale)> {
    assert_eq!(found.faces.len(), found.found_by.len());
    let with_pass = found.faces.iter().zip(&found.found_by);
    with_pass.filter(|(face, _)| face.score >= 0.6).map(|(face, &pass)| (*face, found.passes[pass].kind)).collect()
}

/// Clockwise roll of a face by its eyes in degrees, 0 to 360.
fn roll(face: &Face) -> f32 {
    let [right, left, ..] = face.landmarks;
    (left.y - right.y).atan2(left.x - right.x).to_degrees().rem_euclid(360.0)
}

#[test]
fn an_ordinary_portrait_needs_one_pass() {
    let found = pass(&mut detector(), &picture(astronaut()), Thoroughness::Balanced);
    assert_eq!((found.passes.len(), clear(&found).len(), found.next_long_side), (1, 1, None));
    assert_eq!(found.passes[0].kind, PassScale::Standard);
    assert_eq!(found.passes[0].input, Size::new(640, 640));
}

#[test]
fn a_rotated_face_is_found_once_with_its_landmarks_in_place() {
    let mut detector = detector();
    let upright = [Point::new(200.0, 102.0), Point::new(247.0, 103.0)];
    for (degrees, image) in [
        (90.0, image::imageops::rotate90(&astronaut())),
        (180.0, image::imageops::rotate180(&astronaut())),
        (270.0, image::imageops::rotate270(&astronaut())),
    ] {
        let found = pass(&mut detector, &picture(image), Thoroughness::Balanced);
        let faces = clear(&found);
        assert_eq!(faces.len(), 1, "{degrees}: {faces:?}");
        let (face, kind) = faces[0];
        assert_eq!(kind, PassScale::Standard, "{degrees}");
        assert!((roll(&face) - degrees).abs() < 10.0, "{degrees}: {}", roll(&face));
        for (point, expected) in face.landmarks.iter().zip(upright) {
            let expected = match degrees {
                90.0 => Point::new(512.0 - expected.y, expected.x),
                180.0 => Point::new(512.0 - expected.x, 512.0 - expected.y),
                _ => Point::new(expected.y, 512.0 - expected.x),
            };
            assert!(point.distance(expected) < 10.0, "{degrees}: {point:?} for {expected:?}");
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the image is small, and its creation is not under test")]
fn a_face_too_small_for_the_first_pass_is_found_in_a_larger_one() {
    let small = image::imageops::thumbnail(&astronaut(), 160, 160);
    let mut canvas = image::RgbImage::from_pixel(2400, 1600, image::Rgb([120, 130, 140]));
    image::imageops::replace(&mut canvas, &small, 1500, 1200);
    let found = pass(&mut detector(), &picture(canvas), Thoroughness::Balanced);
    let faces = clear(&found);
    assert_eq!(faces.len(), 1, "{faces:?}");
    assert_eq!(faces[0].1, PassScale::Larger);
    let expected = Rect::new(1500.0 + 178.0 / 3.2, 1200.0 + 63.0 / 3.2, 90.0 / 3.2, 113.0 / 3.2);
    assert!(faces[0].0.bbox.iou(expected) > 0.6, "{:?} for {expected:?}", faces[0].0.bbox);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the image is small, and its creation is not under test")]
fn a_small_sideways_face_is_found_in_a_larger_rotated_pass() {
    let small = image::imageops::rotate90(&image::imageops::thumbnail(&astronaut(), 160, 160));
    let mut canvas = image::RgbImage::from_pixel(2400, 1600, image::Rgb([120, 130, 140]));
    image::imageops::replace(&mut canvas, &small, 1500, 1200);
    let found = pass(&mut detector(), &picture(canvas), Thoroughness::Thorough);
    let faces = clear(&found);
    assert_eq!(faces.len(), 1, "{faces:?}");
    assert!(matches!(faces[0].1, PassScale::Larger | PassScale::Largest), "{:?}", faces[0].1);
    assert!((roll(&faces[0].0) - 90.0).abs() < 15.0, "{}", roll(&faces[0].0));
    let (x, y) = (1500.0 + 160.0 - (63.0 + 113.0) / 3.2, 1200.0 + 178.0 / 3.2);
    let expected = Rect::new(x, y, 113.0 / 3.2, 90.0 / 3.2);
    assert!(faces[0].0.bbox.iou(expected) > 0.5, "{:?} for {expected:?}", faces[0].0.bbox);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the image is small, and its creation is not under test")]
fn a_face_that_fills_the_frame_is_found_once() {
    let close = image::imageops::crop_imm(&astronaut(), 172, 50, 104, 134).to_image();
    let close = image::imageops::resize(&close, 832, 1072, image::imageops::FilterType::Triangle);
    let found = pass(&mut detector(), &picture(close), Thoroughness::Thorough);
    let faces = clear(&found);
    assert_eq!(faces.len(), 1, "{faces:?}");
    let expected = Rect::new(48.0, 104.0, 720.0, 904.0);
    assert!(faces[0].0.bbox.iou(expected) > 0.75, "{:?} for {expected:?}", faces[0].0.bbox);
}

#[test]
fn group_close_up_and_rotated_photos_have_the_right_number_of_faces() {
    let Some(shared) = shared() else { return };
    let mut detector = detector();
    for (name, count) in [
        ("group_40_faces_6000x4000.jpg", 40),
        ("closeup_3000x4000.jpg", 1),
        ("turned_left_no_tag.jpg", 1),
        ("upside_down_no_tag.jpg", 1),
    ] {
        let path = shared.join("testdata/awkward").join(name);
        let file = PhotoFile::read(&path, &DecodeLimits::default()).expect("read");
        let reduced = file.decode(&DecodeRequest::LongSide(detector.long_side())).expect("decodes");
        let spec = DetectSpec::default();
        let mut found = detector.detect(&reduced, &spec).expect("detects");
        if let Some(side) = found.next_long_side {
            let larger = file.decode(&DecodeRequest::LongSide(side)).expect("decodes");
            found = detector.refine(&larger, &spec, found).expect("refines");
        }
        assert_eq!(clear(&found).len(), count, "{name}");
    }
}
