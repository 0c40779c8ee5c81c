//! Landmarks and masks of the astronaut's face, rotated, resized, darkened and hidden in part.

use geometry::{Face, Point, Rect, Size, Transform, estimate_head};
use inference::SessionOptions;
use outcome::{Channels, PictureFormat, RuntimeFault};
use picture::{Picture, PictureInfo, Pixels, decode_file};
use recipe::{BackendKind, DecodeLimits};

use super::*;

const MIDDLE: Point = Point::new(223.0, 120.0);
/// Determined manually in the photo: the line through the pupils falls by 2.7 degrees to the right and is at 102.3; the
/// hair begins at 16 and the chin ends at 175.
const EYES_TO_CHIN: f32 = 72.5;
const ROLL: f32 = 2.7;
const EYES_TO_HAIR: f32 = 86.3;

fn models() -> FaceModels {
    FaceModels::on_runtime(BackendKind::Tract, &SessionOptions::new(Size::new(640, 640)))
}

fn astronaut() -> Picture {
    decode_file(&test_support::portrait(), &DecodeLimits::default()).expect("decodes")
}

/// YuNet's result for it.
fn face() -> Face {
    let points = [(200.12, 101.82), (247.13, 102.62), (220.37, 124.54), (198.61, 142.77), (239.67, 143.64)];
    Face::new(Rect::new(178.17, 62.91, 89.9, 113.33), points.map(|(x, y)| Point::new(x, y)), 0.93)
}

/// An image of `size` resampled from the points returned by `from`; outside, its edge is repeated.
fn redrawn(source: &Picture, size: Size, from: impl Fn(f32, f32) -> Point) -> Picture {
    let patch = Patch::of(source, Rect::new(0.0, 0.0, 512.0, 512.0), 1.0).expect("has pixels");
    let mut samples = Vec::new();
    for y in 0..size.height {
        for x in 0..size.width {
            let point = from(x as f32 + 0.5, y as f32 + 0.5);
            let [red, green, blue, _] = patch.between(point.x, point.y);
            samples.extend([red, green, blue].map(|value| value.round() as u8));
        }
    }
    picture(size, samples)
}

fn picture(size: Size, samples: Vec<u8>) -> Picture {
    let pixels = Pixels::from_u8(size, Channels::Rgb, samples).expect("fits");
    Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels)
}

/// The image scaled, then rotated clockwise about the middle of a square of 700 pixels, and the face as the network
/// returns it: with `reported` instead of the rotation.
fn warped(source: &Picture, scale: f32, degrees: f64, reported: f64) -> (Picture, Face) {
    let side = 700.0 * scale.max(0.3);
    let center = Point::new(side / 2.0, side / 2.0);
    let forth = Transform::scale_then_move(
        f64::from(scale),
        f64::from(scale),
        f64::from(center.x - MIDDLE.x * scale),
        f64::from(center.y - MIDDLE.y * scale),
    );
    let back = forth.then(&Transform::rotate_about(center, degrees)).inverse().expect("a map back");
    let image = redrawn(source, Size::new(side as u32, side as u32), |x, y| back.apply(Point::new(x, y)));
    let turn = forth.then(&Transform::rotate_about(center, reported));
    let (width, height) = (90.0 * scale, 113.0 * scale);
    let bbox = Rect::new(center.x - width / 2.0, center.y - height / 2.0, width, height);
    (image, Face::new(bbox, face().landmarks.map(|point| turn.apply(point)), 0.93))
}

fn measured(models: &mut FaceModels, picture: &Picture, face: Face) -> Face {
    let mut faces = [face];
    measure_landmarks(models, picture, &mut faces).expect("runs");
    measure_masks(models, picture, &mut faces, &[0], true).expect("runs");
    faces[0]
}

fn roll_error(face: &Face, degrees: f64) -> f32 {
    (estimate_head(face).head.roll - ROLL - degrees as f32 + 180.0).rem_euclid(360.0) - 180.0
}

#[test]
fn roll_and_chin_of_a_rotated_face_follow_from_its_mesh() {
    let (mut models, source) = (models(), astronaut());
    for degrees in (-180..180).step_by(30) {
        let degrees = f64::from(degrees);
        for wrong in [-20.0, 0.0, 20.0] {
            let (image, face) = warped(&source, 1.0, degrees, degrees + wrong);
            let found = measured(&mut models, &image, face);
            let head = found.mesh.expect("is a face").head;
            assert!(roll_error(&found, degrees).abs() < 2.0, "{degrees} from {wrong}: {}", roll_error(&found, degrees));
            assert!((head.eyes_to_chin - EYES_TO_CHIN).abs() < 3.0, "{degrees}: {head:?}");
        }
    }
}

#[test]
fn faces_of_any_size_from_24_pixels_on_are_measured() {
    let (mut models, source) = (models(), astronaut());
    for scale in [0.37, 0.5, 0.8, 2.0, 4.0] {
        let (image, face) = warped(&source, scale, 10.0, 2.0);
        let found = measured(&mut models, &image, face);
        assert!(roll_error(&found, 10.0).abs() < 2.0, "{scale}: {}", roll_error(&found, 10.0));
        let eyes = found.mesh.expect("is a face").eyes;
        assert_eq!(eyes.iter().all(|eye| eye.opening.is_some()), scale >= 0.8, "{scale}: {eyes:?}");
        let hair = found.eyes_to_hair().expect("is visible") / scale;
        assert!((hair - EYES_TO_HAIR).abs() < 5.0, "{scale}: {hair}");
    }
    let (image, face) = warped(&source, 0.2, 0.0, 0.0);
    assert_eq!(measured(&mut models, &image, face).mesh, None, "the box has fewer than 24 pixels");
}

#[test]
fn open_eyes_of_a_frontal_face_are_measured() {
    let found = measured(&mut models(), &astronaut(), face());
    let mesh = found.mesh.expect("is a face");
    assert!(mesh.presence > 0.9 && mesh.yaw.abs() < 15.0 && mesh.pitch.abs() < 15.0, "{mesh:?}");
    for eye in mesh.eyes {
        assert!(eye.opening.is_some_and(|opening| opening > 0.2), "{eye:?}");
    }
}

#[test]
fn a_mirrored_face_has_the_opposite_yaw() {
    let (mut models, source) = (models(), astronaut());
    let mirrored = redrawn(&source, Size::new(512, 512), |x, y| Point::new(512.0 - x, y));
    let mut other = face();
    other.bbox.x = 512.0 - other.bbox.x - other.bbox.width;
    other.landmarks = [1, 0, 2, 4, 3].map(|index| {
        let point = face().landmarks[index];
        Point::new(512.0 - point.x, point.y)
    });
    let [one, two] = [(source, face()), (mirrored, other)]
        .map(|(picture, face)| measured(&mut models, &picture, face).mesh.expect("is a face"));
    assert!((one.yaw + two.yaw).abs() < 4.0 && (one.pitch - two.pitch).abs() < 4.0, "{} {}", one.yaw, two.yaw);
    assert!((one.head.roll + two.head.roll).abs() < 1.5, "{} {}", one.head.roll, two.head.roll);
}

#[test]
fn the_top_of_the_hair_is_unknown_at_the_edge_of_the_image() {
    let (mut models, source) = (models(), astronaut());
    assert!((measured(&mut models, &source, face()).eyes_to_hair().expect("known") - EYES_TO_HAIR).abs() < 4.0);
    // Cropped at the hair: the image begins 30 pixels further down.
    let cut = redrawn(&source, Size::new(512, 400), |x, y| Point::new(x, y + 30.0));
    let mut moved = face();
    moved.bbox.y -= 30.0;
    moved.landmarks = moved.landmarks.map(|point| Point::new(point.x, point.y - 30.0));
    assert_eq!(measured(&mut models, &cut, moved).eyes_to_hair(), None);
}

#[test]
fn landmarks_on_pixels_without_a_face_are_not_sure() {
    let size = Size::new(300, 300);
    let flat = picture(size, vec![128; 270_000]);
    let mesh = measured(&mut models(), &flat, face()).mesh;
    assert!(mesh.is_none_or(|mesh| !mesh.is_sure() && mesh.eyes[0].opening.is_none()), "{mesh:?}");
}

#[test]
fn unusable_faces_are_skipped() {
    let (mut models, source) = (models(), astronaut());
    let at = |x: f32, y: f32, side: f32| {
        let points = [(0.3, 0.4), (0.7, 0.4), (0.5, 0.6), (0.35, 0.8), (0.65, 0.8)];
        Face::new(Rect::new(x, y, side, side), points.map(|(dx, dy)| Point::new(x + side * dx, y + side * dy)), 0.9)
    };
    let mut faces = [
        Face { bbox: Rect::new(f32::NAN, 0.0, 10.0, 10.0), ..face() },
        at(-900.0, 10.0, 100.0),
        at(1e9, -1e9, 1e9),
        at(-1e30, -1e30, 2e30),
        at(100.0, 100.0, 1e-6),
    ];
    measure_landmarks(&mut models, &source, &mut faces).expect("runs");
    measure_masks(&mut models, &source, &mut faces, &[0, 1, 2, 3, 4, 9], true).expect("runs");
    assert!(faces.iter().all(|face| face.mesh.is_none()));
}

#[test]
fn a_missing_truncated_or_other_model_is_one_error_and_the_faces_stay() {
    let folder = test_support::folder();
    let mut options = SessionOptions::new(Size::new(640, 640));
    options.runtime.face_models = Some(folder.path().to_owned());
    let failing = |options: &SessionOptions| {
        let mut models = FaceModels::on_runtime(BackendKind::Tract, options);
        let mut faces = [face()];
        let error = measure_landmarks(&mut models, &astronaut(), &mut faces).expect_err("fails");
        assert_eq!((error.model, faces[0]), (ModelKind::Landmarks, face()));
        let again = measure_landmarks(&mut models, &astronaut(), &mut faces).expect_err("fails again");
        assert_eq!(again, error);
        error.fault
    };
    assert!(matches!(failing(&options), RuntimeFault::ModelUnreadable { .. }));
    let path = folder.path().join("face_landmark.onnx");
    let bundled = inference::ModelBytes::bundled_for(ModelKind::Landmarks);
    std::fs::write(&path, &bundled.as_bytes()[..900_000]).expect("written");
    assert!(matches!(failing(&options), RuntimeFault::Load { .. }));
    std::fs::write(&path, inference::ModelBytes::bundled_for(ModelKind::Person).as_bytes()).expect("written");
    assert!(matches!(failing(&options), RuntimeFault::Load { .. }));
}

/// A session whose outputs are not finite.
struct Broken(outcome::SessionInfo);

impl inference::Session for Broken {
    fn info(&self) -> &outcome::SessionInfo {
        &self.0
    }

    fn run(
        &mut self,
        _: ndarray::ArrayView4<'_, f32>,
        outputs: &mut inference::Outputs,
    ) -> Result<(), outcome::BackendError> {
        outputs.set(0, "landmarks", &[1, 1404], vec![f32::NAN; 1404]);
        outputs.set(1, "presence", &[1, 1], [9.0]);
        Ok(())
    }
}

#[test]
fn outputs_that_are_not_finite_are_a_fault_of_the_model() {
    let info = outcome::SessionInfo {
        kind: BackendKind::Tract,
        version: String::new(),
        device: String::new(),
        input: Size::new(192, 192),
        outputs: Vec::new(),
    };
    let mut models = FaceModels::new(Box::new(move |_| Ok(Box::new(Broken(info.clone())))));
    let mut faces = [face()];
    let error = measure_landmarks(&mut models, &astronaut(), &mut faces).expect_err("fails");
    assert!(matches!(error.fault, RuntimeFault::Run { .. }), "{error:?}");
    assert_eq!(faces, [face()]);
}

#[test]
fn without_the_eyelid_model_the_landmarks_stay() {
    let options = SessionOptions::new(Size::new(640, 640));
    let mut models = FaceModels::new(Box::new(move |task| match task {
        ModelKind::Eyelids => Err(outcome::BackendError::NotIncluded { kind: BackendKind::Tract }),
        task => open_face_model(BackendKind::Tract, task, &options),
    }));
    let mut faces = [face(), face()];
    let error = measure_landmarks(&mut models, &astronaut(), &mut faces).expect_err("fails");
    assert_eq!(error.model, ModelKind::Eyelids);
    assert!(faces.iter().all(|face| face.mesh.is_some_and(|mesh| mesh.eyes[0].opening.is_none())));
}
