//! Detection on real photos, against OpenCV's own FaceDetectorYN on the same files.

use std::path::Path;

use iron_cropper::backend::{BackendKind, ModelBytes, SessionOptions, open_session};
use iron_cropper::decode::{DecodeLimits, decode_file};
use iron_cropper::detect::{DetectSpec, Detector, YunetDetector};
use iron_cropper::geometry::{Face, Point, Rect, Size};

use crate::support::{samples, shared};

fn detector() -> YunetDetector {
    let options = SessionOptions::new(Size::new(640, 640));
    let session = open_session(BackendKind::Tract, &ModelBytes::bundled(), &options).expect("opens");
    YunetDetector::new(session, "bundled").expect("is YuNet")
}

fn faces(detector: &mut YunetDetector, path: &Path) -> Vec<Face> {
    let picture = decode_file(path, &DecodeLimits::default()).expect("decodes");
    let found = detector.detect(&picture, &DetectSpec::default()).expect("looks").faces;
    found.into_iter().filter(|face| face.score >= 0.6).collect()
}

/// Compares with faces as OpenCV gave them: every one found, none more, boxes, scores and points close.
fn assert_like(name: &str, found: &[Face], reference: &[Face]) {
    assert_eq!(found.len(), reference.len(), "{name}: {found:?}");
    for wanted in reference {
        let best = found.iter().max_by(|a, b| a.bbox.iou(wanted.bbox).total_cmp(&b.bbox.iou(wanted.bbox)));
        let best = best.expect("as many as in the reference");
        let iou = best.bbox.iou(wanted.bbox);
        assert!(iou >= 0.9, "{name}: IoU {iou:.3} of {:?} and {:?}", best.bbox, wanted.bbox);
        assert!((best.score - wanted.score).abs() <= 0.03, "{name}: score {} for {}", best.score, wanted.score);
        for (point, there) in best.landmarks.iter().zip(wanted.landmarks) {
            let off = point.distance(there) / wanted.bbox.width;
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
fn the_astronaut_is_found_as_opencv_finds_her() {
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

#[test]
fn the_same_face_is_found_in_the_same_place_on_wide_and_tall_canvases() {
    let portrait = image::ImageReader::open(samples().join("astronaut.png")).expect("opens").decode().expect("decodes");
    let portrait = portrait.crop_imm(0, 0, 400, 400).into_rgb8();
    let mut detector = detector();
    let folder = tempfile::tempdir().expect("made");
    for (width, height) in [(1200, 400), (400, 1200), (1200, 1200)] {
        let (x, y) = ((width - 400) / 2, (height - 400) / 2);
        let mut canvas = image::RgbImage::from_pixel(width, height, image::Rgb([120, 130, 140]));
        image::imageops::replace(&mut canvas, &portrait, i64::from(x), i64::from(y));
        let file = folder.path().join("canvas.png");
        canvas.save(&file).expect("saved");
        let found = faces(&mut detector, &file);
        assert_eq!(found.len(), 1, "{width} x {height}");
        let wanted = Rect::new(178.0 + x as f32, 63.0 + y as f32, 90.0, 113.0);
        let iou = found[0].bbox.iou(wanted);
        assert!(iou > 0.85, "{width} x {height}: IoU {iou}");
    }
}
