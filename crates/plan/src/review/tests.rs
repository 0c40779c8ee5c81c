//! Each warning is reported if it applies, and only then.

use geometry::{BackgroundMeasures, FaceMeasures, FaceMesh, Head, Point, Rect};
use recipe::{Backdrop, DocumentRules, EdgePolicy, Expected, ModelKind, PoseLimits, Position, Select, find_preset};

use super::*;
use crate::test_faces::{before, mesh, with_hair};
use crate::{plan_chosen, plan_crops};

const PICTURE: Size = Size::new(2000, 2000);

/// A face of 400 pixels in the middle of the image, with its head set, rotated by `roll` about its eye center.
fn face(roll: f32) -> Face {
    let (sin, cos) = roll.to_radians().sin_cos();
    let at = |x: f32, y: f32| Point::new(1000.0 + x * cos - y * sin, 950.0 + x * sin + y * cos);
    let landmarks = [at(-80.0, 0.0), at(80.0, 0.0), at(0.0, 80.0), at(-60.0, 160.0), at(60.0, 160.0)];
    let head = Head { eyes: Point::new(1000.0, 950.0), eyes_to_crown: 260.0, eyes_to_chin: 260.0, roll };
    Face { head: Some(head), ..Face::new(Rect::new(840.0, 830.0, 320.0, 400.0), landmarks, 0.9) }
}

fn measured(sharpness: f32, lightness: f32, underexposed: f32, overexposed: f32) -> Face {
    let measures = FaceMeasures { sharpness: Some(sharpness), lightness, underexposed, overexposed };
    Face { measures: Some(measures), ..face(0.0) }
}

fn spec() -> CropSpec {
    CropSpec {
        output: Size::new(600, 750),
        head_height: 0.5,
        position: Position::EyeLine { from_bottom: 0.6 },
        level: true,
        ..CropSpec::default()
    }
}

/// The ids and messages of the warnings of the crops of `faces`.
fn warnings(faces: &[Face], picture: Size, spec: &CropSpec) -> Vec<(&'static str, String)> {
    let plan = plan_crops(faces, picture, spec);
    review_crops(faces, &plan, picture, spec, false).iter().map(|c| (c.kind.id(), c.kind.to_string())).collect()
}

#[track_caller]
fn assert_reported(faces: &[Face], picture: Size, spec: &CropSpec, id: &str, message: &str) {
    assert_eq!(warnings(faces, picture, spec), [(id, message.to_owned())]);
}

#[test]
fn a_good_portrait_has_no_warnings() {
    assert_eq!(warnings(&[face(0.0)], PICTURE, &spec()), []);
    assert_eq!(warnings(&[face(20.0)], PICTURE, &spec()), []);
    assert_eq!(warnings(&[measured(0.6, 0.5, 0.1, 0.02)], PICTURE, &spec()), []);
}

#[test]
fn too_few_and_too_many_faces_are_reported() {
    let exactly = |number| CropSpec {
        expected: Expected { min: Some(number), max: Some(number) },
        select: Select::All,
        ..spec()
    };
    assert_reported(&[], PICTURE, &spec(), "few_faces", "no face was found");
    assert_eq!(warnings(&[], PICTURE, &exactly(0)), []);
    assert_reported(&[], PICTURE, &exactly(2), "few_faces", "no face found, at least 2 expected");
    assert_reported(&[face(0.0)], PICTURE, &exactly(2), "few_faces", "1 face found, at least 2 expected");
    let mut other = face(0.0);
    other.bbox.x += 1.0;
    let two = [face(0.0), other];
    assert_reported(&two, PICTURE, &exactly(1), "many_faces", "2 faces found, at most 1 expected");
    assert_eq!(warnings(&two, PICTURE, &exactly(2)), []);
    // One of the two is not eligible.
    let weak = [face(0.0), Face { score: 0.3, ..other }];
    assert_eq!(warnings(&weak, PICTURE, &exactly(1)), []);
    let manual = plan_chosen(&weak, &[0, 1], PICTURE, &exactly(2));
    assert_eq!(review_crops(&weak, &manual, PICTURE, &exactly(2), true), [], "manually selected faces count");
}

#[test]
fn a_selected_face_is_reported_if_another_is_about_as_large() {
    let beside = |height: f32| {
        let mut other = face(0.0);
        (other.bbox.x, other.bbox.height, other.bbox.width) = (1300.0, height, height * 0.8);
        other.head.as_mut().expect("set").eyes.x += 460.0;
        [face(0.0), other]
    };
    let is_reported =
        |faces: &[Face], spec: &CropSpec| warnings(faces, PICTURE, spec).iter().any(|(id, _)| *id == "one_of_many");
    let message = "one of 2 faces was selected, but another is about as large";
    assert_reported(&beside(390.0), PICTURE, &spec(), "one_of_many", message);
    assert!(!is_reported(&beside(200.0), &spec()), "it is clearly smaller");
    assert!(!is_reported(&beside(390.0), &CropSpec { select: Select::All, ..spec() }), "none was selected");
    let many = CropSpec { expected: Expected { min: None, max: Some(1) }, ..spec() };
    assert!(!is_reported(&beside(390.0), &many), "reported as too many");
    let plan = plan_chosen(&beside(390.0), &[1], PICTURE, &spec());
    assert_eq!(review_crops(&beside(390.0), &plan, PICTURE, &spec(), true), [], "the user selected the face");
}

#[test]
fn low_scores_and_small_faces_are_reported_unless_the_head_was_set() {
    let weak = Face { score: 0.72, head: None, ..face(0.0) };
    assert!(
        warnings(&[weak], PICTURE, &spec()).contains(&("low_score", "possibly not a face: score 0.72 of 1".to_owned()))
    );
    let is_reported = |face: Face, id| warnings(&[face], PICTURE, &spec()).iter().any(|(other, _)| *other == id);
    assert!(!is_reported(Face { score: 0.81, ..weak }, "low_score"));
    assert!(!is_reported(Face { head: face(0.0).head, ..weak }, "low_score"));
    let mut small = Face { head: None, ..face(0.0) };
    small.bbox.height = 40.0;
    assert!(is_reported(small, "small") && !is_reported(Face { head: face(0.0).head, ..small }, "small"));
}

#[test]
fn sideways_faces_are_reported_whether_rotated_or_not() {
    let message = "the face was sideways, so the photo was rotated by 90 degrees";
    assert_reported(&[face(-90.0)], PICTURE, &spec(), "rotated", &format!("{message} clockwise"));
    assert_reported(&[face(95.0)], PICTURE, &spec(), "rotated", &format!("{message} counter-clockwise"));
    let message = "the face was upside down, so the photo was rotated by 180 degrees";
    assert_reported(&[face(180.0)], PICTURE, &spec(), "rotated", message);
    let left = CropSpec { turn_upright: false, ..spec() };
    let message = "the face is sideways and was not rotated, because rotation is off";
    assert_reported(&[face(90.0)], PICTURE, &left, "sideways", message);
    let message = "the face is upside down and was not rotated, because rotation is off";
    assert_reported(&[face(-175.0)], PICTURE, &left, "sideways", message);
}

#[test]
fn a_tilt_above_the_limit_is_reported_if_levelling_is_on() {
    let message = "the head is tilted by 41 degrees, more than the levelling limit of 30 degrees";
    assert_reported(&[face(41.0)], PICTURE, &spec(), "tilted", message);
    assert_reported(&[face(-41.0)], PICTURE, &spec(), "tilted", message);
    assert_eq!(warnings(&[face(41.0)], PICTURE, &CropSpec { level: false, ..spec() }), []);
    assert_eq!(warnings(&[face(41.0)], PICTURE, &CropSpec { level_limit: 45.0, ..spec() }), []);
}

#[test]
fn doubtful_heads_are_reported() {
    let mut swapped = Face { head: None, ..face(0.0) };
    swapped.landmarks.swap(0, 1);
    let message = "the positions of eyes, nose and mouth are inconsistent, so crown and chin are estimates";
    assert_reported(&[swapped], PICTURE, &spec(), "landmarks", message);
    let mut profile = Face { head: None, ..face(0.0) };
    profile.landmarks[2].x += 75.0;
    let message = "the face is seen from the side, so crown and chin are estimates";
    assert_reported(&[profile], PICTURE, &spec(), "profile", message);
    let set = Face { head: face(0.0).head, ..profile };
    assert_eq!(warnings(&[set], PICTURE, &spec()), [], "the user set the head");
}

#[test]
fn a_head_at_the_edge_is_cut_off_and_its_crop_padded() {
    // The image begins at the height of the eyes, so everything above is missing.
    let moved = |up: f32| {
        let mut face = face(0.0);
        face.bbox.y -= up;
        face.landmarks.iter_mut().for_each(|point| point.y -= up);
        face.head.iter_mut().for_each(|head| head.eyes.y -= up);
        face
    };
    assert_reported(&[moved(846.0)], PICTURE, &spec(), "cut_off", "the photo's edge cuts off about 30 % of the head");
    // The head is 50 % of 1040 pixels, and the crown is at 15 % of them: 156 pixels are above it.
    let pad = |max_padding| CropSpec { edge: EdgePolicy::Pad, max_padding, ..spec() };
    assert_reported(
        &[moved(690.0)],
        PICTURE,
        &pad(0.1),
        "padded",
        "15 % of the crop is outside the photo, at most 10 % is allowed",
    );
    assert_eq!(warnings(&[moved(690.0)], PICTURE, &pad(0.15)), []);
    // A frame moved inside has no padding, and the head is higher in it by the missing part.
    let inside = CropSpec { max_padding: 0.0, ..spec() };
    let message = "too little space beside the head: it is 15 % off its position";
    assert_reported(&[moved(690.0)], PICTURE, &inside, "off_center", message);
}

#[test]
fn violated_rules_are_reported_with_numbers() {
    let document = find_preset("us-passport").expect("exists").spec();
    assert_eq!(warnings(&[face(0.0)], PICTURE, &document), []);
    let closer = CropSpec { head_height: 0.74, position: Position::EyeLine { from_bottom: 0.6 }, ..document };
    let found = warnings(&[face(0.0)], PICTURE, &closer);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0 == "rule" && found[0].1.starts_with("head 74 %, allowed 50 to 69 %"), "{found:?}");
    let other_size = CropSpec { output: Size::new(400, 500), ..find_preset("us-passport").expect("exists").spec() };
    assert!(
        warnings(&[face(0.0)], PICTURE, &other_size).iter().any(|(_, message)| message.starts_with("size 400 x 500"))
    );
}

#[test]
fn blurred_underexposed_and_overexposed_faces_are_reported_with_their_measures() {
    assert_reported(
        &[measured(0.12, 0.5, 0.0, 0.0)],
        PICTURE,
        &spec(),
        "blurred",
        "the face is blurred: sharpness 0.12 of 1",
    );
    assert_reported(
        &[measured(0.6, 0.1, 0.0, 0.0)],
        PICTURE,
        &spec(),
        "underexposed",
        "the face is underexposed: lightness 10 %",
    );
    assert_reported(
        &[measured(0.6, 0.7, 0.0, 0.3)],
        PICTURE,
        &spec(),
        "overexposed",
        "30 % of the face is overexposed",
    );
}

#[test]
fn enlargement_is_reported_above_its_limit() {
    // The frame is 1040 pixels high.
    let at = |height: u32| CropSpec { output: Size::new(height * 4 / 5, height), ..spec() };
    assert_eq!(warnings(&[face(0.0)], PICTURE, &at(1240)), []);
    let message = "low resolution: the crop is enlarged 2x";
    assert_reported(&[face(0.0)], PICTURE, &at(2080), "enlarged", message);
}

#[test]
fn unusable_faces_and_plans_of_other_faces_are_skipped() {
    let plan = plan_crops(&[face(0.0)], PICTURE, &spec());
    assert_eq!(review_crops(&[], &plan, PICTURE, &spec(), false), [], "a plan of other faces");
    let mut broken = face(0.0);
    broken.bbox.width = f32::NAN;
    assert_eq!(review_crops(&[broken], &plan, PICTURE, &spec(), false), []);
    let nothing = CropSpec { level_limit: f32::NAN, max_padding: f32::NAN, ..spec() };
    review_crops(&[face(41.0)], &plan, Size::new(0, 0), &nothing, false);
}

#[test]
fn a_frame_larger_than_the_photo_is_reported() {
    // The head is 520 pixels of a photo of 800, which is the maximum frame height.
    let mut close = face(0.0);
    let head = Head { eyes: Point::new(400.0, 400.0), eyes_to_crown: 260.0, eyes_to_chin: 260.0, roll: 0.0 };
    close.head = Some(head);
    let message = "too little space around the head: 65 % of the height instead of 50 %";
    let at_the_middle = CropSpec { position: Position::Middle, ..spec() };
    let warnings_of = |spec: &CropSpec| warnings(&[close], Size::new(800, 800), spec);
    assert_eq!(warnings_of(&at_the_middle)[0], ("too_close", message.to_owned()));
    assert_eq!(warnings_of(&CropSpec { head_height: 0.65, ..at_the_middle.clone() }), []);
    let low = CropSpec { head_height: 0.65, position: Position::EyeLine { from_bottom: 0.3 }, ..spec() };
    assert_eq!(warnings_of(&low)[0].0, "off_center");
    let aside = CropSpec { shift_right: 0.4, head_height: 0.65, ..at_the_middle };
    assert!(warnings_of(&aside).iter().any(|(id, _)| *id == "off_center"));
}

#[test]
fn a_head_cut_by_the_frame_is_reported() {
    let aside = CropSpec { position: Position::EyeLine { from_bottom: 1.0 }, ..spec() };
    let message = "the crop's frame cuts off about 50 % of the head";
    assert_reported(&[face(0.0)], PICTURE, &aside, "cut_by_frame", message);
}

/// The face with a mesh changed by `change`, whose head is not set by the user.
fn meshed(change: impl Fn(&mut FaceMesh)) -> Face {
    let mut mesh = mesh();
    change(&mut mesh);
    Face { head: None, mesh: Some(mesh), ..face(0.0) }
}

/// The spec with rules that no photo of [`face`] violates.
fn document(rules: DocumentRules) -> CropSpec {
    CropSpec { rules: Some(DocumentRules { unaltered: true, ..rules }), ..spec() }
}

#[test]
fn a_mesh_confirms_a_face_of_low_score() {
    let weak = |presence| Face { score: 0.7, ..meshed(|mesh| mesh.presence = presence) };
    assert_eq!(warnings(&[weak(0.9)], PICTURE, &spec()), []);
    assert_reported(&[weak(0.4)], PICTURE, &spec(), "low_score", "possibly not a face: score 0.70 of 1");
}

#[test]
fn closed_hidden_and_covered_eyes_are_reported() {
    let neutral = document(DocumentRules { neutral_expression: true, ..DocumentRules::default() });
    let cases: [(fn(&mut FaceMesh), _, _); 6] = [
        (
            |mesh| mesh.eyes.iter_mut().for_each(|eye| eye.opening = Some(0.08)),
            "eyes_closed",
            "the eyes are closed: open by 8 % of their width",
        ),
        (
            |mesh| mesh.eyes.iter_mut().for_each(|eye| eye.opening = Some(0.18)),
            "eyes_nearly_closed",
            "the eyes are nearly closed: open by 18 % of their width",
        ),
        (|mesh| mesh.eyes[1].opening = Some(0.12), "eye_closed", "one eye is closed: open by 12 % of its width"),
        (
            |mesh| (mesh.eyes[0].is_hidden, mesh.eyes[0].contrast) = (true, Some(0.1)),
            "eye_hidden",
            "one eye is hidden: contrast 10 %, about 95 % if visible",
        ),
        (
            |mesh| mesh.eyes.iter_mut().for_each(|eye| (eye.is_hidden, eye.contrast) = (true, None)),
            "eyes_covered",
            "the eyes are covered by hair, a hat or glasses: contrast 0 %, about 95 % if visible",
        ),
        (
            |mesh| {
                mesh.eyes.iter_mut().for_each(|eye| (eye.is_hidden, eye.contrast) = (true, Some(0.3)));
                mesh.dark_glasses = true;
            },
            "dark_glasses",
            "the eyes are behind dark glasses: contrast 30 %, about 95 % if visible",
        ),
    ];
    for (change, id, message) in cases {
        for spec in [&spec(), &neutral] {
            assert_reported(&[meshed(change)], PICTURE, spec, id, message);
            let set = Face { head: face(0.0).head, ..meshed(change) };
            assert_reported(&[set], PICTURE, spec, id, message);
        }
    }
    assert_eq!(warnings(&[meshed(|_| ())], PICTURE, &neutral), []);
}

#[test]
fn mouth_and_gaze_are_reported_if_the_document_asks_for_a_neutral_expression() {
    let neutral = document(DocumentRules { neutral_expression: true, ..DocumentRules::default() });
    let open = meshed(|mesh| mesh.mouth_opening = Some(0.22));
    assert_reported(&[open], PICTURE, &neutral, "mouth_open", "the mouth is open, by 22 % of its width");
    let aside = |gaze| meshed(move |mesh| mesh.gaze = Some(gaze));
    let message = "the eyes look aside, to the left by 20 % of their width";
    assert_reported(&[aside(-0.2)], PICTURE, &neutral, "looking_aside", message);
    assert_eq!(warnings(&[aside(0.08)], PICTURE, &neutral), []);
    for face in [open, aside(-0.2)] {
        assert_eq!(warnings(&[face], PICTURE, &spec()), [], "not a document");
        let unsure = Face { mesh: face.mesh.map(|mesh| FaceMesh { presence: 0.2, ..mesh }), ..face };
        assert_eq!(warnings(&[unsure], PICTURE, &neutral), [], "the landmarks are not sure");
    }
}

#[test]
fn a_pose_beyond_the_limits_of_the_document_is_reported() {
    let limits = PoseLimits { yaw: 5.0, pitch: 5.0, roll: 8.0 };
    let posed = document(DocumentRules { pose: Some(limits), ..DocumentRules::default() });
    let turned = meshed(|mesh| mesh.yaw = -12.34);
    let message = "the head is turned to the left by 12.3 degrees, at most 5 are allowed";
    assert_reported(&[turned], PICTURE, &posed, "head_turned", message);
    let raised = meshed(|mesh| mesh.pitch = 19.0);
    let message = "the head is raised by 19 degrees, at most 5 are allowed";
    assert_reported(&[raised], PICTURE, &posed, "head_pitched", message);
    let message = "the head is lowered by 13 degrees, at most 5 are allowed";
    assert_reported(&[meshed(|mesh| mesh.pitch = -13.0)], PICTURE, &posed, "head_pitched", message);
    for face in [turned, raised] {
        assert_eq!(warnings(&[face], PICTURE, &spec()), [], "not a document");
    }
    let within_the_error = meshed(|mesh| (mesh.yaw, mesh.pitch) = (9.0, -11.0));
    assert_eq!(warnings(&[within_the_error], PICTURE, &posed), []);
    let profile = warnings(&[meshed(|mesh| mesh.yaw = 50.0)], PICTURE, &posed);
    assert_eq!(profile.iter().map(|(id, _)| *id).collect::<Vec<_>>(), ["profile"], "reported once");
}

#[test]
fn a_tilt_that_remains_in_the_crop_is_reported_by_the_limit_of_the_document() {
    let limits = PoseLimits { yaw: 5.0, pitch: 5.0, roll: 8.0 };
    let posed = document(DocumentRules { pose: Some(limits), ..DocumentRules::default() });
    let tilted = meshed(|mesh| mesh.head.roll = 11.0);
    assert_eq!(warnings(&[tilted], PICTURE, &posed), [], "levelled");
    let unlevelled = CropSpec { level: false, ..posed.clone() };
    let message = "the head is tilted in the crop by 11 degrees, at most 8 are allowed";
    assert_reported(&[tilted], PICTURE, &unlevelled, "head_tilted", message);
    let set = Face { head: face(3.0).head, ..tilted };
    assert_eq!(warnings(&[set], PICTURE, &unlevelled), [], "the user set the head");
    // Both are reported by their own kinds.
    assert!(warnings(&[face(41.0)], PICTURE, &posed).iter().all(|(id, _)| *id == "tilted"));
    let sideways = CropSpec { turn_upright: false, ..posed };
    assert!(warnings(&[face(90.0)], PICTURE, &sideways).iter().all(|(id, _)| *id == "sideways"));
}

#[test]
fn the_background_is_measured_if_the_document_asks_for_it() {
    let good = BackgroundMeasures { lightness: 0.9, chroma: 0.0, unevenness: 0.8, shadow: 0.0 };
    let with = |backdrop| document(DocumentRules { backdrop: Some(backdrop), ..DocumentRules::default() });
    let reported = |background, backdrop| warnings(&[before(face(0.0), background)], PICTURE, &with(backdrop));
    assert_eq!(reported(good, Backdrop::White), []);
    let only = |id, message: &str| vec![(id, message.to_owned())];
    let message = "the background is not plain: 3.2 times the unevenness of a plain wall";
    let busy = BackgroundMeasures { unevenness: 3.2, ..good };
    assert_eq!(reported(busy, Backdrop::Plain), only("not_plain", message));
    let message = "a shadow beside the head: 30 % darker than the background";
    assert_eq!(reported(BackgroundMeasures { shadow: 0.3, ..good }, Backdrop::Light), only("shadow", message));
    let grey = BackgroundMeasures { lightness: 0.75, ..good };
    let message = "the background is too dark: lightness 75 %, allowed 85 to 100 %";
    assert_eq!(reported(grey, Backdrop::White), only("background_lightness", message));
    assert_eq!(reported(grey, Backdrop::Light), []);
    let white = BackgroundMeasures { lightness: 0.98, ..good };
    let message = "the background is too light: lightness 98 %, allowed 70 to 95 %";
    assert_eq!(reported(white, Backdrop::LightNotWhite), only("background_lightness", message));
    assert_eq!(warnings(&[before(face(0.0), busy)], PICTURE, &spec()), [], "not a document");
}

#[test]
fn a_second_person_in_the_crop_is_reported() {
    let beside = |height: f32| {
        let mut other = face(0.0);
        (other.bbox.x, other.bbox.height, other.bbox.width) = (1250.0, height, height * 0.8);
        other.head.as_mut().expect("set").eyes = Point::new(1350.0, 900.0);
        [face(0.0), other]
    };
    let message = "another person is in the crop, with a face 55 % as high";
    assert_reported(&beside(220.0), PICTURE, &spec(), "second_person", message);
    assert_eq!(warnings(&beside(150.0), PICTURE, &spec()), [], "in the background");
    assert_eq!(warnings(&beside(220.0), PICTURE, &CropSpec { select: Select::All, ..spec() }), [], "a group");
    assert!(warnings(&beside(150.0), PICTURE, &document(DocumentRules::default()))[0].0 == "second_person");
    let mut weak = beside(220.0);
    weak[1].score = 0.3;
    assert_eq!(warnings(&weak, PICTURE, &spec()), [], "probably not a face");
    let plan = plan_chosen(&beside(220.0), &[0, 1], PICTURE, &spec());
    assert_eq!(review_crops(&beside(220.0), &plan, PICTURE, &spec(), true), [], "both are cropped");
    let mut outside = beside(220.0);
    outside[1].bbox.x += 200.0;
    assert_eq!(warnings(&outside, PICTURE, &spec()), []);
}

#[test]
fn a_frame_enlarged_for_the_hair_has_no_warnings_and_hair_cut_off_has_one() {
    let keeping = |keep_hair| CropSpec { keep_hair, head_height: 0.6, ..spec() };
    // Without enlargement, the frame's top edge is 347 pixels above the eyes.
    let hairy = |above_eyes| with_hair(meshed(|_| ()), above_eyes);
    assert_eq!(warnings(&[hairy(450.0)], PICTURE, &keeping(true)), []);
    assert_eq!(warnings(&[hairy(450.0)], PICTURE, &keeping(false)), [], "not asked for");
    let headroom = CropSpec { position: Position::Headroom { share: 0.1 }, ..keeping(true) };
    assert_eq!(warnings(&[hairy(450.0)], PICTURE, &headroom), []);
    // Chin and hair are 1020 pixels apart, more than 1.6 times the head's 520.
    let tight = CropSpec { head_height: 1.0, position: Position::Middle, ..keeping(true) };
    assert_reported(&[hairy(760.0)], PICTURE, &tight, "hair_cut", "the crop cuts off the hair, by 20 % of the head");
    let set = Face { head: Some(mesh().head), ..hairy(760.0) };
    assert_eq!(warnings(&[set], PICTURE, &tight), [], "the crown is set by the user");
}

#[test]
fn missing_models_and_measured_faults_have_groups() {
    let kind = WarningKind::NoModel { model: ModelKind::Landmarks };
    assert_eq!(kind.id(), "no_model");
    let message = "the face landmark model cannot be used, so heads are estimated from five points";
    assert_eq!(kind.to_string(), message);
    assert_eq!(ReasonKind::Crop(kind).group(), ReasonGroup::Broken);
    assert_eq!(ReasonKind::Crop(WarningKind::MouthOpen { opening: 0.2 }).group(), ReasonGroup::Pose);
    assert_eq!(ReasonKind::Crop(WarningKind::EyesClosed { opening: 0.1 }).group(), ReasonGroup::Eyes);
    assert_eq!(ReasonKind::Crop(WarningKind::Shadow { shadow: 0.3 }).group(), ReasonGroup::Background);
}
