//! Renders a [`PlannedCrop`] of an image to the pixels of a [`Crop`].
//!
//! The steps, in order:
//! - One resampling from source pixels to output pixels. Rotation, levelling, cropping and scaling are one step, so
//!   that no pixel is interpolated twice. Upright frames and quarter turns are resampled along the axes (`resample.rs`,
//!   `quarter.rs`); other angles sample along the rotated rows (`rotated.rs`, `kernel.rs`).
//! - Adjustments of light, colour and sharpness (`adjust.rs`). They precede the padding, so that a fill keeps its
//!   colour.
//! - Padding beyond the photo's edge: a fill colour, repeated edge pixels or a blurred mirror image (`edge.rs`,
//!   `blur.rs`; `area.rs` holds the geometry).
//! - The outline, cut out or filled around (`shape.rs`).
//!
//! [`render_crop`] is the entry point; [`render_smaller`] renders the same crop for the screen. Samples are 8 or 16
//! bits (`sample.rs`). Pixels keep the photo's bit depth and colour profile; the encoder converts them if required.

mod adjust;
mod area;
mod blur;
mod edge;
mod kernel;
mod quarter;
mod resample;
mod rotated;
mod sample;
mod shape;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use adjust::{Gains, adjusted};
use area::PhotoArea;
use quarter::Quarter;
use rotated::Extrapolation;

use outcome::RenderError;
use picture::{Crop, Picture, Pixels};
use plan::PlannedCrop;
use recipe::{EdgePolicy, RenderSpec};

/// Photo pixels by which the corners of a rotated frame may exceed the photo through rounding, without padding.
const ROUNDING: f64 = 1.0;

/// Renders `planned` from `picture` at `planned.output` pixels, as specified by `spec`.
///
/// # Errors
/// The frame does not overlap the image, or resizing failed.
pub fn render_crop(picture: &Picture, planned: &PlannedCrop, spec: &RenderSpec) -> Result<Crop, RenderError> {
    render(picture, planned, spec, 1.0)
}

/// Renders like [`render_crop`], with the longer side limited to `max_side` pixels: a preview of the crop.
///
/// # Errors
/// As [`render_crop`].
pub fn render_smaller(
    picture: &Picture,
    planned: &PlannedCrop,
    spec: &RenderSpec,
    max_side: u32,
) -> Result<Crop, RenderError> {
    let smaller = PlannedCrop { output: planned.output.fit_within(max_side), ..*planned };
    let scale = smaller.output.long_side() as f32 / planned.output.long_side().max(1) as f32;
    render(picture, &smaller, spec, scale)
}

/// `scale` is the size of the crop relative to the written one.
fn render(picture: &Picture, planned: &PlannedCrop, spec: &RenderSpec, scale: f32) -> Result<Crop, RenderError> {
    if planned.output.pixels() == 0 || planned.frame.size().pixels() == 0 {
        return Err(outside(picture, planned));
    }
    let adjust = &spec.finish.adjust;
    let gains = if adjust.white_balance { adjust::gains(picture, planned) } else { None };
    let context = RenderContext { picture, planned, spec, gains, scale };
    let mut profile = picture.info.icc_profile.clone();
    let mut pixels = match Quarter::of(planned.angle) {
        Some(quarter) => context.upright(quarter, &mut profile)?,
        None => context.rotated(&mut profile)?,
    };
    if let Some(outline) = shape::Outline::of(&spec.finish, planned.output) {
        if spec.finish.fill_outside {
            let (mut filled, fill) = edge::convert_for_fill(pixels, &mut profile, spec.fill);
            edge::fill_around(&mut filled, fill, |x, y| outline.share(x, y));
            pixels = filled;
        } else {
            pixels = shape::cut_out(pixels, &outline);
        }
    }
    Ok(Crop { pixels, icc_profile: profile, metadata: Arc::clone(&picture.info.metadata) })
}

fn outside(picture: &Picture, planned: &PlannedCrop) -> RenderError {
    RenderError::OutsidePicture { frame: planned.frame, picture: picture.size() }
}

/// Inputs of a render.
struct RenderContext<'a> {
    picture: &'a Picture,
    planned: &'a PlannedCrop,
    spec: &'a RenderSpec,
    gains: Option<Gains>,
    scale: f32,
}

impl RenderContext<'_> {
    /// An axis-aligned crop, turned by whole quarters.
    fn upright(&self, quarter: Quarter, profile: &mut Option<Arc<[u8]>>) -> Result<Pixels, RenderError> {
        let outside = || outside(self.picture, self.planned);
        let (frame, output) = quarter.upright(self.planned);
        let cut = resample::upright(self.picture, frame, output)?.ok_or_else(outside)?;
        let shown = cut.shown;
        let mut pixels = self.adjusted(cut.pixels, profile.as_deref());
        if pixels.size() != output {
            pixels = match self.spec.edge {
                EdgePolicy::Shrink | EdgePolicy::Pad => {
                    let (converted, fill) = edge::convert_for_fill(pixels, profile, self.spec.fill);
                    shown.padded(&converted, output, fill).ok_or_else(outside)?
                }
                EdgePolicy::Extend => shown.extended(&pixels, output).ok_or_else(outside)?,
                EdgePolicy::Blur => {
                    let mut mirrored = shown.mirrored(&pixels, output).ok_or_else(outside)?;
                    let area = PhotoArea::upright(shown.columns.ends(), shown.rows.ends());
                    blur::blur_outside(&mut mirrored, &area)?;
                    mirrored
                }
            };
        }
        Ok(quarter.turn(pixels))
    }

    /// A crop rotated by any other angle.
    fn rotated(&self, profile: &mut Option<Arc<[u8]>>) -> Result<Pixels, RenderError> {
        let outside = || outside(self.picture, self.planned);
        let Self { picture, planned, spec, .. } = self;
        let slack = if spec.edge == EdgePolicy::Shrink { ROUNDING } else { 0.0 };
        let area = PhotoArea::rotated(planned, picture.size(), slack);
        let whole = area.fills(planned.output);
        if !whole && !edge::overlaps_photo(&area, planned.output) {
            return Err(outside());
        }
        let extrapolation =
            if spec.edge == EdgePolicy::Blur { Extrapolation::Mirrored } else { Extrapolation::Repeated };
        let pixels = rotated::rotated(picture, planned, extrapolation)?.ok_or_else(outside)?;
        let mut pixels = self.adjusted(pixels, profile.as_deref());
        match spec.edge {
            _ if whole => {}
            EdgePolicy::Shrink | EdgePolicy::Pad => {
                let (mut converted, fill) = edge::convert_for_fill(pixels, profile, spec.fill);
                edge::fill_around(&mut converted, fill, |x, y| area.share(x, y));
                pixels = converted;
            }
            EdgePolicy::Extend => {}
            EdgePolicy::Blur => blur::blur_outside(&mut pixels, &area)?,
        }
        Ok(pixels)
    }

    fn adjusted(&self, mut pixels: Pixels, profile: Option<&[u8]>) -> Pixels {
        // Colour hidden under transparency must not leak into the crop.
        pixels.clear_hidden_colour();
        let adjust = &self.spec.finish.adjust;
        if adjust.is_none() { pixels } else { adjusted(pixels, profile, adjust, self.gains, self.scale) }
    }
}
