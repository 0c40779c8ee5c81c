//! Image regions and rendered crops for the screen.

use std::path::Path;

use faces::Detector;
use outcome::{DisplayCopy, Stage, StageError};
use picture::{DecodeRequest, Picture, display_copy, display_pixels};
use plan::PlannedCrop;
use recipe::RenderSpec;
use render::render_smaller;

use crate::options::{PhotoSource, ReserveMemory};
use crate::runner::StageRunner;

/// Decodes the part of a photo requested by `request`, as the input of [`preview_crop`].
///
/// # Errors
/// Fails if the file cannot be decoded.
pub fn decode_part(
    source: PhotoSource<'_>,
    request: &DecodeRequest,
    reserve: ReserveMemory<'_>,
) -> Result<Picture, StageError> {
    let mut runner = StageRunner::new(source.path, None);
    let file = runner.open(source)?;
    runner.decode(&file, request, reserve)
}

/// The thumbnail embedded in the photo's file, at most `side` pixels along its longer side.
pub fn embedded_thumbnail(path: &Path, side: u32) -> Option<DisplayCopy> {
    let mut runner = StageRunner::new(path, None);
    let found = runner.run_stage(Stage::Decode, || Ok::<_, StageError>(picture::embedded_thumbnail(path)));
    display_copy(&found.ok()??, side).ok()
}

/// Renders one crop as it would be exported, scaled to at most `max_side` pixels for the screen. The detector makes the
/// person mask if the background is replaced.
///
/// # Errors
/// Fails if the crop cannot be rendered.
pub fn preview_crop(
    picture: &Picture,
    planned: &PlannedCrop,
    spec: &RenderSpec,
    max_side: u32,
    detector: Option<&mut dyn Detector>,
) -> Result<DisplayCopy, StageError> {
    let mut runner = StageRunner::new(Path::new("preview"), None);
    let mask = match spec.finish.background.is_replaced() {
        true => Some(runner.crop_mask(picture, planned, detector)?),
        false => None,
    };
    let crop = runner.run_stage(Stage::Render, || render_smaller(picture, planned, spec, mask.as_ref(), max_side))?;
    Ok(display_pixels(crop.pixels, crop.icc_profile.as_deref()))
}
