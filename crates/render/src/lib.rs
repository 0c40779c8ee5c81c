//! Renders a [`PlannedCrop`] of an image to the pixels of a [`Crop`].
//!
//! The steps, in order:
//! - One resampling from source pixels to output pixels. Rotation, levelling, cropping and scaling are one step, so
//!   that no pixel is interpolated twice. Upright frames and quarter turns are resampled along the axes (`resample.rs`,
//!   `quarter.rs`); other angles sample along the rotated rows (`rotated.rs`, `kernel.rs`).
//! - The person is cut out if another background is requested (`background.rs`).
//! - Adjustments of light, colour and sharpness (`adjust.rs`). They precede the padding, so that a fill keeps its
//!   colour.
//! - Padding beyond the photo's edge: a fill colour, repeated edge pixels or a blurred mirror image (`edge.rs`,
//!   `blur.rs`; `area.rs` holds the geometry).
//! - The new background, behind the person and in the padding (`background.rs`).
//! - The outline, cut out or filled around (`shape.rs`).
//!
//! [`render_crop`] is the entry point; [`render_smaller`] renders the same crop for the screen. Samples are 8 or 16
//! bits (`sample.rs`). Pixels keep the photo's bit depth and colour profile; the encoder converts them if required.

mod adjust;
mod area;
mod background;
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

use geometry::{Size, Transform};
use outcome::{PersonMask, RenderError};
use picture::{Crop, Picture, Pixels, SourceBox};
use plan::PlannedCrop;
use recipe::{EdgePolicy, RenderSpec};

/// Photo pixels by which the corners of a rotated frame may exceed the photo through rounding, without padding.
const ROUNDING: f64 = 1.0;

/// Renders `planned` from `picture` at `planned.output` pixels, as specified by `spec`.
///
/// `mask` shows where people are in the upright image. It alone decides what is background: without any person in it,
/// the whole photo is replaced. Without a mask, and for [`Background::Keep`](recipe::Background::Keep), the photo's
/// background is kept. The caller warns about both.
///
/// # Errors
/// The frame does not overlap the image, or resizing failed.
pub fn render_crop(
    picture: &Picture,
    planned: &PlannedCrop,
    spec: &RenderSpec,
    mask: Option<&PersonMask>,
) -> Result<Crop, RenderError> {
    render(picture, planned, spec, mask, 1.0)
}

/// Renders like [`render_crop`], with the longer side limited to `max_side` pixels: a preview of the crop.
///
/// # Errors
/// As [`render_crop`].
pub fn render_smaller(
    picture: &Picture,
    planned: &PlannedCrop,
    spec: &RenderSpec,
    mask: Option<&PersonMask>,
    max_side: u32,
) -> Result<Crop, RenderError> {
    let smaller = PlannedCrop { output: planned.output.fit_within(max_side), ..*planned };
    let scale = smaller.output.long_side() as f32 / planned.output.long_side().max(1) as f32;
    render(picture, &smaller, spec, mask, scale)
}

/// `scale` is the size of the crop relative to the written one.
fn render(
    picture: &Picture,
    planned: &PlannedCrop,
    spec: &RenderSpec,
    mask: Option<&PersonMask>,
    scale: f32,
) -> Result<Crop, RenderError> {
    if planned.output.pixels() == 0 || planned.frame.size().pixels() == 0 {
        return Err(outside(picture, planned));
    }
    let adjust = &spec.finish.adjust;
    let gains = if adjust.white_balance { adjust::gains(picture, planned) } else { None };
    let mask = mask.filter(|_| spec.finish.background.is_replaced());
    let context = RenderContext { picture, planned, spec, mask, gains, scale };
    let mut profile = picture.info.icc_profile.clone();
    let mut pixels = match Quarter::of(planned.angle) {
        Some(quarter) => context.upright(quarter, &mut profile)?,
        None => context.rotated(&mut profile)?,
    };
    if mask.is_some() {
        pixels = background::over_background(pixels, spec.finish.background, &mut profile);
    }
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
    /// Given if the background is replaced.
    mask: Option<&'a PersonMask>,
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
        let image_from_output = image_from_upright(frame, output);
        let (left, top) = (f64::from(shown.columns.start), f64::from(shown.rows.start));
        let image_from_shown = Transform::scale_then_move(1.0, 1.0, left, top).then(&image_from_output);
        let mut pixels = self.adjusted(self.cut_out(cut.pixels, &image_from_shown), profile.as_deref());
        if pixels.size() != output {
            let area = PhotoArea::upright(shown.columns.ends(), shown.rows.ends());
            pixels = match self.spec.edge {
                EdgePolicy::Shrink | EdgePolicy::Pad => {
                    let (converted, fill) = self.with_fill(pixels, profile);
                    shown.padded(&converted, output, fill).ok_or_else(outside)?
                }
                EdgePolicy::Extend => shown.extended(&pixels, output).ok_or_else(outside)?,
                EdgePolicy::Blur => {
                    let mut mirrored = shown.mirrored(&pixels, output).ok_or_else(outside)?;
                    blur::blur_outside(&mut mirrored, &area)?;
                    mirrored
                }
            };
            self.clear_outside(&mut pixels, &area, &image_from_output);
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
        let image_from_crop = planned.image_from_crop();
        let mut pixels = self.adjusted(self.cut_out(pixels, &image_from_crop), profile.as_deref());
        match spec.edge {
            _ if whole => {}
            EdgePolicy::Shrink | EdgePolicy::Pad => {
                let (mut converted, fill) = self.with_fill(pixels, profile);
                edge::fill_around(&mut converted, fill, |x, y| area.share(x, y));
                pixels = converted;
            }
            EdgePolicy::Extend => {}
            EdgePolicy::Blur => blur::blur_outside(&mut pixels, &area)?,
        }
        if !whole {
            self.clear_outside(&mut pixels, &area, &image_from_crop);
        }
        Ok(pixels)
    }

    /// `pixels` with the person cut out if the background is replaced.
    fn cut_out(&self, mut pixels: Pixels, image_from_pixels: &Transform) -> Pixels {
        let Some(mask) = self.mask else { return pixels };
        pixels.clear_hidden_colour();
        background::cut_out(pixels, mask, image_from_pixels)
    }

    /// Clears padding that repeats the photo, if the background is replaced.
    fn clear_outside(&self, pixels: &mut Pixels, area: &PhotoArea, image_from_pixels: &Transform) {
        if let Some(mask) = self.mask
            && matches!(self.spec.edge, EdgePolicy::Extend | EdgePolicy::Blur)
        {
            background::clear_outside(pixels, area, mask, image_from_pixels);
        }
    }

    /// The fill of the padding, and `pixels` in a layout that can hold it: nothing if the background is replaced.
    fn with_fill(&self, pixels: Pixels, profile: &mut Option<Arc<[u8]>>) -> (Pixels, edge::Fill) {
        match self.mask {
            Some(_) => (pixels, edge::Fill::NOTHING),
            None => edge::convert_for_fill(pixels, profile, self.spec.fill),
        }
    }

    fn adjusted(&self, mut pixels: Pixels, profile: Option<&[u8]>) -> Pixels {
        // Colour hidden under transparency must not leak into the crop.
        pixels.clear_hidden_colour();
        let adjust = &self.spec.finish.adjust;
        if adjust.is_none() { pixels } else { adjusted(pixels, profile, adjust, self.gains, self.scale) }
    }
}

/// Maps the pixels of an upright crop of `output` pixels, before it is turned, to the image.
fn image_from_upright(frame: SourceBox, output: Size) -> Transform {
    let (across, down) = (frame.width / f64::from(output.width), frame.height / f64::from(output.height));
    Transform::scale_then_move(across, down, frame.x, frame.y)
}
