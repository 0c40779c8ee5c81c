//! Looks at single photos: for the list, for the canvas, for the preview.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cancel::{CancelToken, Generation};
use geometry::{PixelRect, Size};
use outcome::{DisplayCopy, Stage, StageError};
use picture::{Picture, Want, display_copy};
use pipeline::{Examined, MakeRoom, decode_part, examine, panic_message, preview_crop};
use plan::PlannedCrop;
use recipe::{CropSpec, FinishSpec, RenderSpec};

use super::Worker;
use crate::platform;
use crate::worker::sessions::Opened;
use crate::worker::{CompanionLook, CompanionTimes, Event, ItemId, PhotoRef};

/// Pixels of the longer side of a canvas copy: what every renderer takes as one texture.
const DISPLAY_SIDE: u32 = 2048;

impl Worker {
    /// What the companion makes of a picture, where there is one. Its failure is told and changes nothing else.
    fn companion_look(&mut self, picture: &Picture, photo: &PhotoRef) -> Option<CompanionLook> {
        let companion = self.companion.as_mut()?;
        let runtime = companion.runtime.actual.kind;
        let look = match catch_unwind(AssertUnwindSafe(|| companion.eyes().detector.detect(picture, &photo.detect))) {
            Ok(Ok(detection)) => Ok(CompanionTimes {
                faces: detection.faces.len(),
                run_ms: detection.run_ms,
                total_ms: detection.fit_ms + detection.run_ms + detection.heads_ms,
            }),
            Ok(Err(error)) => Err(error.into()),
            Err(panic) => {
                // Its buffers cannot be trusted any more.
                self.companion = None;
                Err(StageError::Panicked { stage: Stage::Run, message: panic_message(&*panic) })
            }
        };
        Some(CompanionLook { runtime, look })
    }

    pub(super) fn survey(&mut self, photo: &PhotoRef, thumbnail_side: u32, cancel: &CancelToken) -> Event {
        let examined = match self.examine(photo, thumbnail_side, cancel) {
            Ok(examined) => examined,
            Err(event) => return *event,
        };
        let Examined { picture, detection, stages } = examined;
        let thumbnail = match display_copy(&picture, thumbnail_side) {
            Ok(thumbnail) => thumbnail,
            Err(error) => return failed(photo.item, error.into()),
        };
        if let Some(store) = &mut self.thumbnails {
            store.keep(&photo.path, thumbnail_side, &thumbnail);
        }
        log_faces("surveyed", photo, detection.as_ref().map(|detection| detection.faces.len()));
        let detection = detection.map(Arc::new);
        Event::Surveyed { item: photo.item, thumbnail, info: picture.info.facts(), detection, stages }
    }

    pub(super) fn inspect(&mut self, photo: &PhotoRef, generation: Generation, cancel: &CancelToken) -> Event {
        let examined = match self.examine(photo, DISPLAY_SIDE, cancel) {
            Ok(examined) => examined,
            Err(event) => return *event,
        };
        let Examined { picture, detection, stages } = examined;
        let display = match display_copy(&picture, DISPLAY_SIDE) {
            Ok(display) => display,
            Err(error) => return failed(photo.item, error.into()),
        };
        log_faces("inspected", photo, detection.as_ref().map(|detection| detection.faces.len()));
        let companion = self.companion_look(&picture, photo);
        let info = picture.info.facts();
        let budget = self.for_recent(photo.limits.memory_budget);
        self.recent.keep(&photo.path, Arc::new(picture), budget);
        let detection = detection.map(Arc::new);
        Event::Inspected { item: photo.item, generation, display, info, detection, stages, companion }
    }

    pub(super) fn preview(
        &mut self,
        photo: &PhotoRef,
        generation: Generation,
        crop: &PlannedCrop,
        render: &RenderSpec,
        max_side: u32,
    ) -> Event {
        match self.cut_out(photo, crop, render, max_side) {
            Ok(image) => Event::PreviewRendered { item: photo.item, generation, crop: *crop, image },
            Err(error) => failed(photo.item, error),
        }
    }

    pub(super) fn magnify(&mut self, photo: &PhotoRef, generation: Generation, part: PixelRect, size: Size) -> Event {
        let as_it_is = CropSpec::default().render_spec(FinishSpec::default());
        match self.cut_out(photo, &PlannedCrop::upright(part, size), &as_it_is, size.long_side()) {
            Ok(image) => Event::Magnified { item: photo.item, generation, part, image },
            Err(error) => failed(photo.item, error),
        }
    }

    /// A part of a photo, scaled so that its longer side is at most `max_side`. Decodes only what is not here already.
    fn cut_out(
        &mut self,
        photo: &PhotoRef,
        crop: &PlannedCrop,
        render: &RenderSpec,
        max_side: u32,
    ) -> Result<DisplayCopy, StageError> {
        let _handling = platform::handling(&photo.path);
        let (part, output) = PlannedCrop { output: crop.output.fit_within(max_side), ..*crop }.wanted_part();
        let want = Want::Frames(vec![(part, output)]);
        let picture = match self.recent.get(&photo.path, &want) {
            Some(picture) => picture,
            None => {
                // What lies around it is decoded as well, so that small moves need nothing more.
                let around = Want::Frames(vec![(with_surroundings(part), output.doubled())]);
                let budget = self.for_recent(photo.limits.memory_budget);
                let room: MakeRoom<'_> = &mut |bytes| self.recent.make_room(bytes, budget);
                let picture = Arc::new(decode_part(photo.look(), &around, room)?);
                self.recent.keep(&photo.path, Arc::clone(&picture), budget);
                picture
            }
        };
        preview_crop(&picture, crop, render, max_side)
    }

    /// Looks at a photo; the terminal event to send where that gives no picture.
    fn examine(&mut self, photo: &PhotoRef, long_side: u32, cancel: &CancelToken) -> Result<Examined, Box<Event>> {
        let _handling = platform::handling(&photo.path);
        let budget = self.for_recent(photo.limits.memory_budget);
        let room: MakeRoom<'_> = &mut |bytes| self.recent.make_room(bytes, budget);
        let eyes = self.opened.as_mut().map(Opened::eyes);
        match examine(photo.look(), long_side, eyes, room, cancel) {
            Ok(Some(examined)) => Ok(examined),
            Ok(None) => Err(Box::new(Event::Superseded)),
            Err(error) => {
                tracing::info!(path = %photo.path.display(), %error, "failed");
                self.mend(&error);
                Err(Box::new(failed(photo.item, error)))
            }
        }
    }
}

/// The frame with half its size more on each side.
fn with_surroundings(frame: PixelRect) -> PixelRect {
    let (across, down) = (frame.width / 2, frame.height / 2);
    PixelRect::new(
        frame.x.saturating_sub_unsigned(across),
        frame.y.saturating_sub_unsigned(down),
        frame.width.saturating_add(across * 2),
        frame.height.saturating_add(down * 2),
    )
}

fn failed(item: ItemId, error: StageError) -> Event {
    Event::Failed { item: Some(item), error }
}

fn log_faces(what: &str, photo: &PhotoRef, faces: Option<usize>) {
    tracing::info!(path = %photo.path.display(), faces, "{what}");
}
