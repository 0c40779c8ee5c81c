//! What of a photo and a planned crop may go into the crop's name.

use geometry::Face;
use naming::{CropFacts, Moment};
use picture::PhotoFile;
use plan::{PlannedCrop, portrait_quality};

/// What names may be made of, of the crop with this number, one of several or not.
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
        taken: file.info().metadata.date_taken().as_deref().and_then(Moment::from_exif),
    }
}
