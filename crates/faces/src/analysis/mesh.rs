//! The face mesh: 468 landmarks of one face, and the head they show.

use geometry::{Face, FaceMesh, Head, Landmark, Point, Rect, RotatedSquare, estimate_head};
use outcome::FaceModelFault;
use picture::Picture;
use recipe::ModelKind;

use super::cut;
use super::eyes::Eyes;
use super::models::FaceModels;
use crate::measure::patch::Patch;

/// Number of landmarks.
const POINTS: usize = 468;
/// Side of the model's input in pixels.
const INPUT: u32 = 192;
/// Side of the cut in multiples of the face's height.
const CUT: f32 = 1.5;
/// Side of the part of the image that is resampled for all cuts of a face, in multiples of the longer side of its box:
/// room for a cut of any rotation that is larger than the box says.
const AROUND: f32 = 2.6;

// Landmarks by their number in the mesh. Left and right are the person's.
const FOREHEAD: usize = 10;
const CHIN: usize = 152;
const RIGHT_SIDE: usize = 234;
const LEFT_SIDE: usize = 454;
const NOSE_TIP: usize = 1;
const UPPER_LIP: usize = 13;
const LOWER_LIP: usize = 14;
const RIGHT_MOUTH_CORNER: usize = 61;
const LEFT_MOUTH_CORNER: usize = 291;
/// Outer and inner corner of the right eye, then inner and outer corner of the left one: from the left to the right of an
/// upright image.
const RIGHT_EYE: [usize; 2] = [33, 133];
const LEFT_EYE: [usize; 2] = [362, 263];

/// The landmarks of one face.
pub(super) struct Mesh {
    /// In pixels of the upright image; `z`, towards the back of the head, in the same unit.
    points: Vec<[f32; 3]>,
    pub(super) presence: f32,
    /// The lowest presence of all runs for this face.
    min_presence: f32,
    /// Pixels of the upright image for a pixel of the model's input.
    pixel: f32,
}

impl Mesh {
    pub(super) fn at(&self, landmark: usize) -> Point {
        let [x, y, _] = self.points[landmark];
        Point::new(x, y)
    }

    /// Corners of each eye, from left to right of an upright image: the person's right eye first.
    pub(super) fn eyes(&self) -> [[Point; 2]; 2] {
        [RIGHT_EYE, LEFT_EYE].map(|eye| eye.map(|corner| self.at(corner)))
    }

    pub(super) fn pixel(&self) -> f32 {
        self.pixel
    }

    /// Clockwise roll in degrees, from the outer corners of the eyes.
    pub(super) fn roll(&self) -> f32 {
        let (right, left) = (self.at(RIGHT_EYE[0]), self.at(LEFT_EYE[1]));
        (left.y - right.y).atan2(left.x - right.x).to_degrees()
    }

    pub(super) fn height(&self) -> f32 {
        self.at(FOREHEAD).distance(self.at(CHIN))
    }

    fn width(&self) -> f32 {
        self.at(RIGHT_SIDE).distance(self.at(LEFT_SIDE))
    }

    /// The square that the next cut should show. It is turned by the midline: the model drags the eye line towards the
    /// axes of the cut, and the midline less.
    fn square(&self) -> RotatedSquare {
        let (top, chin) = (self.at(FOREHEAD), self.at(CHIN));
        let roll = (top.x - chin.x).atan2(chin.y - top.y).to_degrees();
        RotatedSquare { center: top.midpoint(chin), side: CUT * self.size(), angle: roll }
    }

    /// The longer side of the mesh.
    pub(super) fn size(&self) -> f32 {
        self.height().max(self.width())
    }

    /// Distance of the tip of the nose from the middle of the eyes along the eye line, over the distance of the outer
    /// corners; negative if the nose points to the left of an upright image.
    pub(super) fn nose_offset(&self) -> f32 {
        let (right, left, nose) = (self.at(RIGHT_EYE[0]), self.at(LEFT_EYE[1]), self.at(NOSE_TIP));
        let (along, middle) = (Point::new(left.x - right.x, left.y - right.y), right.midpoint(left));
        let length = along.x.hypot(along.y).max(f32::MIN_POSITIVE);
        ((nose.x - middle.x) * along.x + (nose.y - middle.y) * along.y) / (length * length)
    }

    /// The upright bounding rectangle of the landmarks.
    fn bounds(&self) -> Rect {
        let all = |axis: usize| self.points.iter().map(move |point| point[axis]);
        let (left, top) = (all(0).fold(f32::INFINITY, f32::min), all(1).fold(f32::INFINITY, f32::min));
        let (right, bottom) = (all(0).fold(f32::NEG_INFINITY, f32::max), all(1).fold(f32::NEG_INFINITY, f32::max));
        Rect::from_corners(Point::new(left, top), Point::new(right, bottom))
    }

    fn is_finite(&self) -> bool {
        self.presence.is_finite() && self.points.iter().flatten().all(|value| value.is_finite()) && self.height() > 0.0
    }
}

/// The pixels around a face, enough for every cut. `None` if none of them were decoded.
pub(super) fn patch_around(picture: &Picture, face: &Face) -> Option<Patch> {
    let side = longer_side(face);
    let (center, around) = (face.bbox.center(), side * AROUND);
    let part = Rect::new(center.x - around / 2.0, center.y - around / 2.0, around, around);
    Patch::of(picture, part, INPUT as f32 / (side * CUT))
}

/// Maximum number of runs of the model for a face. The first cut follows the detector, the others the landmarks before.
/// The detector reports a face that is tilted by 30 degrees as nearly upright, and then three or four runs are needed.
const MAX_RUNS: usize = 4;
/// Change of the roll between two runs, in degrees, below which the landmarks are settled.
const SETTLED: f32 = 1.5;

/// True if a cut of `next` would show the face as that of `square` does: another run would change the roll by less than half
/// a degree.
fn is_near(square: &RotatedSquare, next: &RotatedSquare) -> bool {
    angle_between(square.angle, next.angle) < 2.0
        && (0.9..1.1).contains(&(next.side / square.side))
        && square.center.distance(next.center) < 0.05 * square.side
}

/// Finds the landmarks of `face`. `None` if they do not belong to it.
///
/// # Errors
/// The model cannot be used.
pub(super) fn fit(models: &mut FaceModels, patch: &Patch, face: &Face) -> Result<Option<Mesh>, FaceModelFault> {
    // The mesh must not depend on an earlier one.
    let roll = estimate_head(&Face { mesh: None, head: None, ..*face }).head.roll;
    let mut square = RotatedSquare { center: face.bbox.center(), side: CUT * longer_side(face), angle: roll };
    let mut found: Option<Mesh> = None;
    for _ in 0..MAX_RUNS {
        let Some(mut mesh) = run(models, patch, &square)? else { break };
        let change = found.as_ref().map(|before| angle_between(before.roll(), mesh.roll()));
        let next = mesh.square();
        let is_near = is_near(&square, &next);
        square = next;
        mesh.min_presence = found.map_or(mesh.presence, |before| before.min_presence.min(mesh.presence));
        found = Some(mesh);
        if is_near || change.is_some_and(|change| change < SETTLED) {
            break;
        }
    }
    Ok(found.filter(|mesh| belongs_to(mesh, face, roll)))
}

/// Maximum distance of the middle of the eyes from the detector's, in longer sides of its box: 99 of 100 meshes of clear
/// faces are within 0.15, and within 0.25 if the face is tilted. Beyond it the mesh has slid to another face.
const MAX_EYE_DISTANCE: f32 = 0.3;
/// Sizes of a mesh in longer sides of the detector's box.
const SIZES: std::ops::RangeInclusive<f32> = 0.6..=1.4;
/// Maximum difference between the mesh's roll and the detector's, in degrees.
const MAX_ROLL_DIFFERENCE: f32 = 60.0;

/// True if the mesh shows the face that the detector found. Its presence is no criterion: it is low for profiles and
/// surgical masks whose landmarks are right.
fn belongs_to(mesh: &Mesh, face: &Face, roll: f32) -> bool {
    let side = longer_side(face);
    mesh.eye_center().distance(face.eye_center()) <= MAX_EYE_DISTANCE * side
        && SIZES.contains(&(mesh.size() / side))
        && angle_between(mesh.roll(), roll) <= MAX_ROLL_DIFFERENCE
}

/// Maximum distance of the eyes from the detector's, in longer sides of its box, and minimum IoU of the mesh and the box, if
/// the mesh confirms a doubtful face. Without them, boxes beside a real face would be confirmed by that face.
const MAX_CONFIRMED_DISTANCE: f32 = 0.15;
const MIN_CONFIRMED_IOU: f32 = 0.4;

/// True if every run for `face` says that its pixels show a face, at the place where the detector found it. The opposite
/// means nothing: profiles, faces cut by the image's edge and very small ones have a low presence.
pub(super) fn confirms(mesh: &Mesh, face: &Face) -> bool {
    mesh.min_presence >= 0.5
        && mesh.eye_center().distance(face.eye_center()) < MAX_CONFIRMED_DISTANCE * longer_side(face)
        && mesh.bounds().iou(face.bbox) > MIN_CONFIRMED_IOU
}

pub(super) fn longer_side(face: &Face) -> f32 {
    face.bbox.width.max(face.bbox.height)
}

/// Angle between two directions in degrees, 0 to 180.
fn angle_between(a: f32, b: f32) -> f32 {
    ((a - b + 180.0).rem_euclid(360.0) - 180.0).abs()
}

fn run(models: &mut FaceModels, patch: &Patch, square: &RotatedSquare) -> Result<Option<Mesh>, FaceModelFault> {
    let image_from_cut = square.image_from_cut(INPUT);
    let samples = cut::sample(patch, &image_from_cut, INPUT, false);
    let outputs = models.run(ModelKind::Landmarks, |input| cut::fill(input, &samples))?;
    let values = |name: &str| outputs.get(name).map_or(&[][..], |output| &output.values);
    let Some(logit) = values("presence").first() else { return Ok(None) };
    let presence = 1.0 / (1.0 + (-logit).exp());
    let scale = square.side / INPUT as f32;
    let in_image = |[x, y, z]: [f32; 3]| {
        let point = image_from_cut.apply(Point::new(x, y));
        [point.x, point.y, z * scale]
    };
    let points: Vec<[f32; 3]> = values("landmarks").as_chunks::<3>().0.iter().map(|point| in_image(*point)).collect();
    let mesh = Mesh { points, presence, min_presence: presence, pixel: scale };
    Ok((mesh.points.len() == POINTS && mesh.is_finite()).then_some(mesh))
}

/// Minimum size of a face in decoded pixels for the opening of the mouth.
const MIN_MOUTH_FACE: f32 = 60.0;

/// Stores what the landmarks say about `face`, whose box is `decoded` decoded pixels long.
pub(super) fn apply(face: &mut Face, mesh: &Mesh, eyes: &Eyes, decoded: f32) {
    let [right, left] = eyes.eyes.map(|eye| eye.center);
    face.landmarks[Landmark::RightEye as usize] = right;
    face.landmarks[Landmark::LeftEye as usize] = left;
    face.landmarks[Landmark::NoseTip as usize] = mesh.at(NOSE_TIP);
    face.landmarks[Landmark::RightMouthCorner as usize] = mesh.at(RIGHT_MOUTH_CORNER);
    face.landmarks[Landmark::LeftMouthCorner as usize] = mesh.at(LEFT_MOUTH_CORNER);
    let mouth = mesh.at(RIGHT_MOUTH_CORNER).distance(mesh.at(LEFT_MOUTH_CORNER));
    let mouth_opening = mesh.at(UPPER_LIP).distance(mesh.at(LOWER_LIP)) / mouth.max(f32::MIN_POSITIVE);
    face.mesh = Some(FaceMesh {
        head: mesh.head(),
        width: mesh.width(),
        yaw: mesh.yaw(),
        pitch: mesh.pitch(),
        presence: mesh.presence,
        mouth_opening: (decoded >= MIN_MOUTH_FACE).then_some(mouth_opening),
        gaze: eyes.gaze,
        eyes: eyes.eyes,
        dark_glasses: eyes.dark_glasses,
    });
}

/// Pitch of the line from forehead to chin of a frontal face in degrees: the chin is set back. Mean over 35 faces that look
/// straight ahead.
const FRONTAL_PITCH: f32 = 6.0;

impl Mesh {
    pub(super) fn eye_center(&self) -> Point {
        let [right, left] = self.eyes().map(|[a, b]| a.midpoint(b));
        right.midpoint(left)
    }

    /// The head: eye line and roll from the eyes, chin from the mesh, crown as far above the eyes as the chin is below.
    fn head(&self) -> Head {
        let (eyes, chin, roll) = (self.eye_center(), self.at(CHIN), self.roll());
        let (sin, cos) = roll.to_radians().sin_cos();
        let eyes_to_chin = (eyes.x - chin.x) * sin + (chin.y - eyes.y) * cos;
        Head { eyes, eyes_to_crown: eyes_to_chin, eyes_to_chin, roll }
    }

    /// Degrees from the line between the sides of the face to the image plane; positive if the nose points to the right of
    /// an upright image.
    fn yaw(&self) -> f32 {
        let [x, y, z] = self.line(RIGHT_SIDE, LEFT_SIDE);
        z.atan2(x.hypot(y)).to_degrees()
    }

    /// Degrees from the line between chin and forehead to the image plane; positive if the face points up.
    fn pitch(&self) -> f32 {
        let [x, y, z] = self.line(FOREHEAD, CHIN);
        FRONTAL_PITCH - z.atan2(x.hypot(y)).to_degrees()
    }

    fn line(&self, from: usize, to: usize) -> [f32; 3] {
        let (from, to) = (self.points[from], self.points[to]);
        std::array::from_fn(|axis| to[axis] - from[axis])
    }
}
