//! Which faces are cropped.

use super::{CropSpec, Select};
use crate::geometry::{Face, Point, Size};

/// Indices of the faces that score at least `min_score`, in the order given.
///
/// Suppression visits boxes by falling score, so a low-scoring box never removes a higher one: filtering what was
/// detected at a low floor gives exactly what detecting at `min_score` would have.
pub fn filter_by_score(faces: &[Face], min_score: f32) -> Vec<usize> {
    (0..faces.len()).filter(|&index| faces[index].is_usable() && faces[index].score >= min_score).collect()
}

/// Indices of the faces that `spec` chooses from `faces`; empty where none scores high enough.
///
/// Between equals the first in the list wins, and detections are listed by falling score.
pub fn choose_faces(faces: &[Face], picture: Size, spec: &CropSpec) -> Vec<usize> {
    let candidates = filter_by_score(faces, spec.min_score);
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
