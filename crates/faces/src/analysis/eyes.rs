//! Eyelids, gaze, and what hides an eye.
//!
//! `docs/dev/measurements.md` has the data behind the limits.

use geometry::{EyeMeasures, Point, RotatedSquare, Size, Transform};
use outcome::FaceModelFault;
use recipe::ModelKind;

use super::cover::{self, Cover};
use super::cut;
use super::mesh::Mesh;
use super::models::FaceModels;
use super::skin;
use crate::measure::patch::Patch;

/// Side of the model's input in pixels.
pub(super) const INPUT: u32 = 64;
/// Side of the cut in multiples of the distance of the corners of the eye.
pub(super) const CUT: f32 = 2.3;
/// Minimum length of a face box in decoded pixels for the state of the eyes.
const MIN_FACE: f32 = 75.0;
/// The same for the gaze.
const MIN_GAZE_FACE: f32 = 90.0;
/// Mean opening of both eyes that is certainly closed, also in smaller faces.
const CERTAINLY_CLOSED: f32 = 0.13;
/// Mean opening below which the gaze is not measured.
const MIN_OPENING: f32 = 0.21;
/// Offset of the tip of the nose beyond which a face is turned too far: the farther eye is seen at an angle.
const MAX_NOSE_OFFSET: f32 = 0.15;
/// Displacement of the irises for a unit of the nose's offset if the person looks at the camera.
const GAZE_PER_NOSE_OFFSET: f32 = 0.3;

// Points of the model's output `eye`.
const OUTER_CORNER: usize = 0;
const LOWER_LID: usize = 4;
const INNER_CORNER: usize = 8;
const UPPER_LID: usize = 12;

/// Measurements on both eyes.
pub(super) struct Eyes {
    pub(super) eyes: [EyeMeasures; 2],
    pub(super) gaze: Option<f32>,
    pub(super) dark_glasses: bool,
}

impl Eyes {
    /// Eyes of which only the place is known.
    pub(super) fn unknown(mesh: &Mesh) -> Self {
        let eye =
            |[a, b]: [Point; 2]| EyeMeasures { center: a.midpoint(b), opening: None, contrast: None, is_hidden: false };
        Self { eyes: mesh.eyes().map(eye), gaze: None, dark_glasses: false }
    }
}

/// Eyelids and iris of one eye, in pixels of the cut.
pub(super) struct Lids {
    /// The outline of the eye: along the lower lid from the outer to the inner corner, then the upper lid in the same
    /// direction.
    pub(super) outline: [Point; 16],
    /// The middle of the iris, then four points on its edge.
    pub(super) iris: [Point; 5],
    /// The pixels of the cut.
    pub(super) samples: Vec<[f32; 4]>,
}

impl Lids {
    fn width(&self) -> f32 {
        self.outline[OUTER_CORNER].distance(self.outline[INNER_CORNER])
    }

    fn opening(&self) -> f32 {
        self.outline[LOWER_LID].distance(self.outline[UPPER_LID]) / self.width()
    }

    /// Distance of the iris from the middle of the corners, in widths; positive towards the inner corner.
    fn iris_offset(&self) -> f32 {
        (self.iris[0].x - self.outline[OUTER_CORNER].midpoint(self.outline[INNER_CORNER]).x) / self.width()
    }
}

/// Measures both eyes of the face with this mesh, in an image of `picture` pixels in which its box is `decoded` decoded
/// pixels long.
///
/// # Errors
/// The model cannot be used.
pub(super) fn measure(
    models: &mut FaceModels,
    patch: &Patch,
    mesh: &Mesh,
    (picture, decoded): (Size, f32),
) -> Result<Eyes, FaceModelFault> {
    let mut found = Eyes::unknown(mesh);
    let squares = mesh.eyes().map(|[a, b]| RotatedSquare {
        center: a.midpoint(b),
        side: CUT * a.distance(b),
        angle: mesh.roll(),
    });
    if mesh.presence < 0.5 || !squares.iter().all(|square| is_in_image(square, picture)) {
        return Ok(found);
    }
    let (Some(right), Some(left)) = (lids(models, patch, &squares[0], false)?, lids(models, patch, &squares[1], true)?)
    else {
        return Ok(found);
    };
    let openings = [right.opening(), left.opening()];
    let opening = f32::midpoint(openings[0], openings[1]);
    if decoded >= MIN_FACE || opening < CERTAINLY_CLOSED {
        for (eye, opening) in found.eyes.iter_mut().zip(openings) {
            eye.opening = Some(opening);
        }
    }
    let offset = mesh.nose_offset();
    if decoded < MIN_FACE || offset.abs() > MAX_NOSE_OFFSET {
        return Ok(found);
    }
    if decoded >= MIN_GAZE_FACE && opening >= MIN_OPENING {
        // The left eye was mirrored.
        let aside = f32::midpoint(right.iris_offset(), -left.iris_offset());
        found.gaze = Some(aside + GAZE_PER_NOSE_OFFSET * offset);
    }
    if let Some(skin) = skin::measure(patch, mesh) {
        let is_narrow = opening < MIN_OPENING;
        let covers = [cover::measure(&right, &skin, 0, is_narrow), cover::measure(&left, &skin, 1, is_narrow)];
        for (eye, cover) in found.eyes.iter_mut().zip(&covers) {
            (eye.contrast, eye.is_hidden) = (Some(cover.contrast), cover.is_hidden);
        }
        found.dark_glasses = Cover::are_dark_glasses(&covers, &skin);
        found.gaze = found.gaze.filter(|_| !covers.iter().any(|cover| cover.is_hidden));
    }
    Ok(found)
}

/// True if the middle half of the cut is inside the image.
fn is_in_image(square: &RotatedSquare, picture: Size) -> bool {
    let map: Transform = square.image_from_cut(INPUT);
    let (side, size) = (INPUT as f32, (picture.width as f32, picture.height as f32));
    let corners = [(0.0, 0.25), (1.0, 0.25), (0.0, 0.75), (1.0, 0.75)];
    corners.into_iter().map(|(x, y)| map.apply(Point::new(x * side, y * side))).all(|corner| {
        // A pixel of tolerance.
        (-1.0..=size.0 + 1.0).contains(&corner.x) && (-1.0..=size.1 + 1.0).contains(&corner.y)
    })
}

/// Runs the eyelid model, which was trained on the person's right eye: the left one is mirrored.
fn lids(
    models: &mut FaceModels,
    patch: &Patch,
    square: &RotatedSquare,
    mirrored: bool,
) -> Result<Option<Lids>, FaceModelFault> {
    let samples = cut::sample(patch, &square.image_from_cut(INPUT), INPUT, mirrored);
    let outputs = models.run(ModelKind::Eyelids, |input| cut::fill(input, &samples))?;
    let points = |name: &str| outputs.get(name).map_or(&[][..], |output| output.values.as_chunks::<3>().0);
    let (Some(outline), Some(iris)) = (first(points("eye")), first(points("iris"))) else { return Ok(None) };
    let lids = Lids { outline, iris, samples };
    let is_sound = lids.width() > 0.0 && lids.opening().is_finite() && lids.iris_offset().is_finite();
    Ok(is_sound.then_some(lids))
}

/// The first `N` points; `None` if there are fewer.
fn first<const N: usize>(points: &[[f32; 3]]) -> Option<[Point; N]> {
    let points = points.get(..N)?;
    Some(std::array::from_fn(|index| Point::new(points[index][0], points[index][1])))
}
