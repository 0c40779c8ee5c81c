//! The facts about a photo and a planned crop that name templates can use.

use geometry::Face;
use naming::CropFacts;
use picture::PhotoFile;
use plan::{PlannedCrop, portrait_quality};

/// The facts of the crop `number` (from 1); `several` is true if the photo has several crops.
pub(super) fn crop_facts(
    file: &PhotoFile,
    faces: &[Face],
    planned: &PlannedCrop,
    (number, several): (usize, bool),
) -> CropFacts {
    let face = faces.get(planned.face_index);
    CropFacts {
        number,
        several,
        size: planned.output,
        score: face.map_or(0.0, |face| face.score),
        quality: face.map_or(0.0, |face| portrait_quality(face, file.size())),
        taken: file.info().metadata.taken(),
    }
}
