//! Files paired with a photo, which are cropped with its frames.

use std::path::PathBuf;

use geometry::{PixelRect, Size};
use outcome::{PairedFault, StageError};
use picture::{DecodeRequest, PhotoFile};
use plan::PlannedCrop;

use super::Export;
use crate::background::crop_request;
use crate::options::PhotoSource;
use crate::outputs::{Output, OutputCrop};

/// Maximum relative difference between the aspect ratios of a photo and its paired file.
const ASPECT_TOLERANCE: f64 = 0.01;

/// A file paired with a photo.
pub(super) struct PairedFile {
    pub(super) path: PathBuf,
    pub(super) file: PhotoFile,
    /// The request to decode it for all its crops.
    pub(super) request: DecodeRequest,
}

impl Export<'_> {
    /// Adds an output and its crops to `outputs` and `crops` for each paired file that exists and each output of the photo
    /// `file`.
    pub(super) fn plan_paired(
        &mut self,
        file: &PhotoFile,
        crops: &mut Vec<OutputCrop>,
        outputs: &mut Vec<Output>,
    ) -> Vec<PairedFile> {
        let (of_photo, own_crops) = (outputs.len(), crops.clone());
        let mut paired = Vec::new();
        for pattern in &self.options.recipe.paired {
            let Some(path) = pattern.path_of(self.source.path).filter(|path| path.is_file()) else { continue };
            let opened = self.runner.open(PhotoSource { path: &path, ..self.source });
            let opened = opened.map_err(|error| PairedFault::Failed(Box::new(error))).and_then(|paired| {
                let (size, photo) = (paired.size(), file.size());
                let fits = has_same_aspect(size, photo);
                if fits { Ok(paired) } else { Err(PairedFault::AspectRatio { paired: size, photo }) }
            });
            let file_of_pair = match opened {
                Ok(opened) => opened,
                Err(fault) => {
                    self.failure.get_or_insert(StageError::Paired { path, fault });
                    continue;
                }
            };
            let scale = f64::from(file_of_pair.size().width) / f64::from(file.size().width.max(1));
            let scaled = own_crops
                .iter()
                .map(|crop| OutputCrop { output: outputs.len() + crop.output, planned: scaled(&crop.planned, scale) });
            let first = crops.len();
            crops.extend(scaled);
            let request = crop_request(crops[first..].iter().map(|crop| (crop.planned, false)));
            for index in 0..of_photo {
                let output = outputs[index].of_paired(paired.len(), pattern);
                outputs.push(output);
            }
            paired.push(PairedFile { path, file: file_of_pair, request });
        }
        paired
    }
}

fn has_same_aspect(a: Size, b: Size) -> bool {
    let (a, b) = (f64::from(a.aspect()), f64::from(b.aspect()));
    (a - b).abs() <= ASPECT_TOLERANCE * b
}

/// The same crop of an image that is `scale` times as large. The size of the crop stays.
fn scaled(planned: &PlannedCrop, scale: f64) -> PlannedCrop {
    let at = |place: i32| (f64::from(place) * scale).round() as i32;
    let side = |side: u32| ((f64::from(side) * scale).round() as u32).max(1);
    let PixelRect { x, y, width, height } = planned.frame;
    PlannedCrop { frame: PixelRect::new(at(x), at(y), side(width), side(height)), ..*planned }
}
