//! Which faces are cropped.

use super::{CropSpec, Select};
use crate::geometry::{Face, Point, Size};

/// Indices of the faces that count: usable, scoring at least `spec.min_score` and at least `spec.min_size` high, in the order
/// given.
///
/// Suppression visits boxes by falling score, so a low-scoring box never removes a higher one: filtering what was
/// detected at a low floor gives exactly what detecting at `min_score` would have.
pub fn faces_that_count(faces: &[Face], spec: &CropSpec) -> Vec<usize> {
    let counts =
        |face: &Face| face.is_usable() && face.score >= spec.min_score && face.bbox.height >= spec.min_size as f32;
    (0..faces.len()).filter(|&index| counts(&faces[index])).collect()
}

/// Indices of the faces that `spec` chooses from `faces`; empty where none counts.
///
/// Between equals the first in the list wins, and detections are listed by falling score.
pub fn choose_faces(faces: &[Face], picture: Size, spec: &CropSpec) -> Vec<usize> {
    let candidates = faces_that_count(faces, spec);
    let middle = Point::new(picture.width as f32 / 2.0, picture.height as f32 / 2.0);
    let one_with_least = |cost: &dyn Fn(&Face) -> f32| -> Vec<usize> {
        let least = candidates.iter().copied().min_by(|&a, &b| cost(&faces[a]).total_cmp(&cost(&faces[b])));
        least.into_iter().collect()
    };
    match spec.select {
        Select::All => candidates,
        Select::Largest => one_with_least(&|face| -face.bbox.area()),
        Select::Best => one_with_least(&|face| -face.score),
        Select::Central => one_with_least(&|face| face.bbox.center().distance(middle)),
    }
}
