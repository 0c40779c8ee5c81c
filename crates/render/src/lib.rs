//! A picture and a [`PlannedCrop`] to the pixels of a [`Crop`]: one resampling straight from the source's pixels to the output's, then
//! what lies past the photo's edge, then the outline.
//!
//! Turning, levelling, cropping and scaling are one step, so that no pixel is interpolated twice: an upright or quarter-turned frame is
//! an area resampling (`resample.rs`, `quarter.rs`), any other angle samples along the turned rows (`turned.rs`, `kernel.rs`).
//! Light, colour and sharpness are adjusted between the resampling and the edges, so that a fill keeps the colour that was asked for.
//!
//! What lies past the photo's edge is filled, extended or a blurred mirror image (`edge.rs`); the outline is cut or filled
//! (`shape.rs`). [`render_smaller`] makes the same crop for the screen.
//!
//! Pixels keep the photo's depth and colour profile; the encoder converts them if that was asked for.

mod adjust;
mod area;
mod blur;
mod edge;
mod kernel;
mod quarter;
mod resample;
mod sample;
mod shape;
mod turned;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use adjust::{Gains, adjusted};
use area::PhotoArea;
use quarter::Quarter;
use turned::Beyond;

use outcome::RenderError;
use picture::{Crop, Picture, Pixels};
use plan::PlannedCrop;
use recipe::{EdgePolicy, RenderSpec};

/// Pixels of the photo that a frame turned into its corners may reach beyond them by rounding, without a fill showing.
const ROUNDING: f64 = 1.0;

/// Renders `planned` from the pixels of `picture`, `planned.output` pixels large, as `spec` says.
///
/// # Errors
/// The frame shows no part of the picture, or the resizer refused.
pub fn render_crop(picture: &Picture, planned: &PlannedCrop, spec: &RenderSpec) -> Result<Crop, RenderError> {
    render(picture, planned, spec, 1.0)
}

/// As [`render_crop`], with the longer side cut down to at most `max_side` pixels: what is seen of the crop at that size.
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

/// `scale` is how large the crop is, in relation to what will be written.
fn render(picture: &Picture, planned: &PlannedCrop, spec: &RenderSpec, scale: f32) -> Result<Crop, RenderError> {
    if planned.output.pixels() == 0 || planned.frame.size().pixels() == 0 {
        return Err(outside(picture, planned));
    }
    let adjust = &spec.finish.adjust;
    let gains = if adjust.white_balance { adjust::gains(picture, planned) } else { None };
    let room = Room { picture, planned, spec, gains, scale };
    let mut profile = picture.info.icc_profile.clone();
    let mut pixels = match Quarter::of(planned.angle) {
        Some(quarter) => room.upright(quarter, &mut profile)?,
        None => room.turned(&mut profile)?,
    };
    if let Some(outline) = shape::Outline::of(&spec.finish, planned.output) {
        if spec.finish.fill_outside {
            let (mut filled, fill) = edge::with_room_for(pixels, &mut profile, spec.fill);
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

/// What a crop is made from.
struct Room<'a> {
    picture: &'a Picture,
    planned: &'a PlannedCrop,
    spec: &'a RenderSpec,
    gains: Option<Gains>,
    scale: f32,
}

impl Room<'_> {
    /// A crop whose sides are those of the picture: cut out as they are and turned by whole quarters.
    fn upright(&self, quarter: Quarter, profile: &mut Option<Arc<[u8]>>) -> Result<Pixels, RenderError> {
        let outside = || outside(self.picture, self.planned);
        let (frame, output) = quarter.upright(self.planned);
        let cut = resample::upright(self.picture, frame, output)?.ok_or_else(outside)?;
        let shown = cut.shown;
        let mut pixels = self.adjusted(cut.pixels, profile.as_deref());
        if pixels.size() != output {
            pixels = match self.spec.edge {
                EdgePolicy::Shrink | EdgePolicy::Pad => {
                    let (beside, fill) = edge::with_room_for(pixels, profile, self.spec.fill);
                    shown.padded(&beside, output, fill).ok_or_else(outside)?
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

    /// A crop that is turned by something between.
    fn turned(&self, profile: &mut Option<Arc<[u8]>>) -> Result<Pixels, RenderError> {
        let outside = || outside(self.picture, self.planned);
        let Self { picture, planned, spec, .. } = self;
        let slack = if spec.edge == EdgePolicy::Shrink { ROUNDING } else { 0.0 };
        let area = PhotoArea::turned(planned, picture.size(), slack);
        let whole = area.fills(planned.output);
        if !whole && !edge::shows(&area, planned.output) {
            return Err(outside());
        }
        let beyond = if spec.edge == EdgePolicy::Blur { Beyond::Mirrored } else { Beyond::Repeated };
        let pixels = turned::turned(picture, planned, beyond)?.ok_or_else(outside)?;
        let mut pixels = self.adjusted(pixels, profile.as_deref());
        match spec.edge {
            _ if whole => {}
            EdgePolicy::Shrink | EdgePolicy::Pad => {
                let (mut beside, fill) = edge::with_room_for(pixels, profile, spec.fill);
                edge::fill_around(&mut beside, fill, |x, y| area.share(x, y));
                pixels = beside;
            }
            EdgePolicy::Extend => {}
            EdgePolicy::Blur => blur::blur_outside(&mut pixels, &area)?,
        }
        Ok(pixels)
    }

    fn adjusted(&self, mut pixels: Pixels, profile: Option<&[u8]>) -> Pixels {
        // What the photo hides beneath transparency is nobody's to find in the crop.
        pixels.clear_hidden_colour();
        let adjust = &self.spec.finish.adjust;
        if adjust.is_none() { pixels } else { adjusted(pixels, profile, adjust, self.gains, self.scale) }
    }
}
