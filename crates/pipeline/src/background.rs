//! The person masks of crops whose background is replaced.

use faces::{Detector, MASK_PIXELS};
use geometry::{PixelRect, Point, Rect, RotatedSquare, Size};
use outcome::{BackgroundFault, NoRuntime, PersonMask, Stage, StageError};
use picture::{DecodeRequest, Picture};
use plan::PlannedCrop;

use crate::runner::StageRunner;

/// Minimum share of a face that the mask must take for a person.
const MIN_FACE: f32 = 0.5;
/// Points of the face in each direction at which the mask is sampled for that.
const SAMPLES: u16 = 16;

/// The request to decode the parts of a photo that crops show, and for each with `true`, the part that its mask shows.
pub fn crop_request(crops: impl IntoIterator<Item = (PlannedCrop, bool)>) -> DecodeRequest {
    let parts = crops.into_iter().flat_map(|(crop, with_mask)| {
        let mask = with_mask.then(|| mask_region(&crop.mask_square()));
        std::iter::once(crop.source_region()).chain(mask)
    });
    DecodeRequest::Frames(parts.collect())
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
        let shows_face = crop.face.is_none_or(|face| person_share(&mask, face) >= MIN_FACE);
        if shows_face { Ok(mask) } else { Err(BackgroundFault::NoPerson.into()) }
    }
}

/// Share of a face, 0 to 1, that is a person: of the middle half of its box, which shows neither hair nor background.
fn person_share(mask: &PersonMask, face: Rect) -> f32 {
    let along = |step: u16| 0.25 + 0.5 * (f32::from(step) + 0.5) / f32::from(SAMPLES);
    let place = |index: u16| {
        let (x, y) = (along(index % SAMPLES), along(index / SAMPLES));
        Point::new(face.x + x * face.width, face.y + y * face.height)
    };
    let count = SAMPLES * SAMPLES;
    (0..count).map(|index| mask.sample(place(index))).sum::<f32>() / f32::from(count)
}

#[cfg(test)]
mod tests {
    use geometry::Transform;

    use super::*;

    #[test]
    fn a_mask_that_misses_the_face_is_noticed_whoever_else_it_shows() {
        // The right half shows a person.
        let values = (0..64 * 64).map(|index| if index % 64 >= 32 { 255 } else { 0 }).collect();
        let mask = PersonMask::new(64, values, Transform::scale_then_move(10.0, 10.0, 0.0, 0.0)).expect("fits");
        let share = |x: f32| person_share(&mask, Rect::new(x, 200.0, 100.0, 120.0));
        assert!(share(50.0) < 0.01 && share(450.0) > 0.99);
        assert!((share(270.0) - 0.5).abs() < 0.1, "{}", share(270.0));
    }

    #[test]
    fn masks_are_decoded_with_the_crops_that_need_them() {
        let crop = PlannedCrop::upright(PixelRect::new(100, 100, 400, 500), Size::new(800, 1000));
        let frames = |with_masks| match crop_request([(crop, with_masks)]) {
            DecodeRequest::Frames(frames) => frames,
            other => panic!("{other:?}"),
        };
        assert_eq!(frames(false), [crop.source_region()]);
        let (region, size) = frames(true)[1];
        assert!(region.width >= 550 && region.height >= 550 && size.width >= MASK_PIXELS, "{region:?} {size}");
    }
}
