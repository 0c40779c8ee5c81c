//! Parts and crops of photos for the screen.

use std::path::Path;

use outcome::{DisplayCopy, Stage, StageError};
use picture::{Picture, Want, display_copy, display_pixels};
use plan::PlannedCrop;
use recipe::RenderSpec;
use render::render_smaller;

use crate::order::{Look, MakeRoom};
use crate::walk::Walk;

/// Decodes what of a photo `want` says, for [`preview_crop`].
///
/// # Errors
/// The file gives no picture.
pub fn decode_part(look: Look<'_>, want: &Want, room: MakeRoom<'_>) -> Result<Picture, StageError> {
    let mut walk = Walk::new(look.path, None);
    let file = walk.open(look)?;
    walk.decode(&file, want, room)
}

/// The small picture that a camera has put into the photo's file, at most `side` pixels along its longer side.
pub fn embedded_thumbnail(path: &Path, side: u32) -> Option<DisplayCopy> {
    let mut walk = Walk::new(path, None);
    let found = walk.pass(Stage::Decode, || Ok::<_, StageError>(picture::embedded_thumbnail(path)));
    display_copy(&found.ok()??, side).ok()
}

/// Renders one crop as it would be exported, then scales it to at most `max_side` pixels for the screen.
///
/// # Errors
/// The crop cannot be rendered.
pub fn preview_crop(
    picture: &Picture,
    planned: &PlannedCrop,
    spec: &RenderSpec,
    max_side: u32,
) -> Result<DisplayCopy, StageError> {
    let mut walk = Walk::new(Path::new("preview"), None);
    let crop = walk.pass(Stage::Render, || render_smaller(picture, planned, spec, max_side))?;
    Ok(display_pixels(crop.pixels, crop.icc_profile.as_deref()))
}
