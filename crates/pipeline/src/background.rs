//! The person masks of crops whose background is replaced.

use faces::{Detector, MASK_PIXELS};
use geometry::{PixelRect, Point, RotatedSquare, Size};
use outcome::{BackgroundFault, NoRuntime, PersonMask, Stage, StageError};
use picture::{DecodeRequest, Picture};
use plan::PlannedCrop;

use crate::runner::StageRunner;

/// Minimum share of a crop that shows a person: less is an error of the mask.
const MIN_PERSON: f32 = 0.02;
/// Points of the crop in each direction at which the mask is sampled for that.
const SAMPLES: u16 = 32;

/// The request to decode the parts of a photo that `crops` show, and if `with_masks`, the parts that their masks show.
pub fn crop_request(crops: &[PlannedCrop], with_masks: bool) -> DecodeRequest {
    let masks = crops.iter().filter(|_| with_masks).map(|crop| mask_region(&crop.mask_square()));
    DecodeRequest::Frames(crops.iter().map(PlannedCrop::source_region).chain(masks).collect())
}

/// The upright region of a mask's square, and the size in which it is needed.
fn mask_region(square: &RotatedSquare) -> (PixelRect, Size) {
    let bounds = square.bounds();
    let scale = MASK_PIXELS as f32 / square.side;
    let pixels = |length: f32| ((length * scale).ceil() as u32).max(1);
    let (left, top) = (bounds.x.floor() as i32, bounds.y.floor() as i32);
    let region = PixelRect::new(left, top, bounds.width.ceil() as u32 + 1, bounds.height.ceil() as u32 + 1);
    (region, Size::new(pixels(bounds.width), pixels(bounds.height)))
}

impl StageRunner<'_> {
    /// The person mask of a crop of `picture`.
    pub(crate) fn crop_mask(
        &mut self,
        picture: &Picture,
        crop: &PlannedCrop,
        detector: Option<&mut dyn Detector>,
    ) -> Result<PersonMask, StageError> {
        let detector = detector.ok_or(StageError::NoRuntime(NoRuntime::NotChosen))?;
        let mask = self.run_stage(Stage::Mask, || {
            let mask = detector.person_mask(picture, &crop.mask_square());
            mask.map_err(|fault| BackgroundFault::Model(fault.fault))
        })?;
        let mask = mask.ok_or(BackgroundFault::NoPerson)?;
        if person_share(&mask, crop) < MIN_PERSON { Err(BackgroundFault::NoPerson.into()) } else { Ok(mask) }
    }
}

/// Share of the crop, 0 to 1, that shows a person.
fn person_share(mask: &PersonMask, crop: &PlannedCrop) -> f32 {
    let image_from_crop = crop.image_from_crop();
    let along = |step: u16, length: u32| (f32::from(step) + 0.5) / f32::from(SAMPLES) * length as f32;
    let place = |index: u16| {
        let (x, y) = (along(index % SAMPLES, crop.output.width), along(index / SAMPLES, crop.output.height));
        image_from_crop.apply(Point::new(x, y))
    };
    let count = SAMPLES * SAMPLES;
    (0..count).map(|index| mask.sample(place(index))).sum::<f32>() / f32::from(count)
}
