//! What is in a person's hand on the canvas, and the frame that is shown there.

use geometry::{ManualFrame, Size};
use plan::PlannedCrop;

use super::{AppState, CanvasView, PREVIEW_SIDE};

/// Modes of the canvas; none outlives the window.
pub(crate) struct CanvasTools {
    /// True while the next drag draws a face.
    pub drawing: bool,
    /// True where frames are pulled without keeping their aspect.
    pub free_aspect: bool,
    /// True where the crop is shown beside the photo.
    pub before_after: bool,
    /// What is seen of that crop.
    pub after_view: CanvasView,
    /// Pixels of the longer side that the largest picture of the crop on the screen can use.
    pub preview_side: u32,
    /// True until the frame on the canvas has taken the focus that was asked for.
    pub focus_frame: bool,
}

impl Default for CanvasTools {
    fn default() -> Self {
        Self {
            drawing: false,
            free_aspect: false,
            before_after: false,
            after_view: CanvasView::Fit,
            preview_side: PREVIEW_SIDE,
            focus_frame: false,
        }
    }
}

impl CanvasTools {
    /// Forgets what was about the photo that has left the canvas.
    pub(crate) fn leave_photo(&mut self) {
        (self.drawing, self.focus_frame, self.after_view) = (false, false, CanvasView::Fit);
    }
}

/// The frame of the crop that the preview shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShownFrame {
    /// Index of the face it is of.
    pub face: usize,
    /// The frame, as it was set or as it was planned.
    pub frame: ManualFrame,
    /// True where a person has set it.
    pub manual: bool,
    /// The crop planned from it.
    pub crop: PlannedCrop,
    pub picture: Size,
    /// True where it may not reach beyond the picture.
    pub inside: bool,
    /// Width over height, where it keeps its aspect: that of the crop's size, or its own where it has another already.
    pub aspect: f32,
    /// True where it may have no other aspect.
    pub locked: bool,
}

impl ShownFrame {
    /// The frame, where it may be.
    pub(crate) fn kept(&self, frame: ManualFrame) -> ManualFrame {
        if self.inside { frame.kept_inside(self.picture) } else { frame.kept_near(self.picture) }
    }
}

impl AppState {
    /// The frame of the crop that the preview shows.
    pub(crate) fn shown_frame(&self) -> Option<ShownFrame> {
        let photo = self.current()?;
        let picture = photo.info.as_ref()?.size;
        let (_, crop) = self.shown_crop()?;
        let set = photo.faces().get(crop.face_index)?.frame;
        let frame = set.unwrap_or_else(|| ManualFrame::of(crop.frame, crop.angle));
        let spec = self.crop_spec();
        let locked = spec.rules.is_some();
        let own = frame.width / frame.height;
        // A crop as large as asked for has the aspect asked for, but for the rounding to whole pixels.
        let aspect = if locked || crop.output == spec.output { spec.aspect() } else { own };
        Some(ShownFrame {
            face: crop.face_index,
            frame,
            manual: set.is_some(),
            crop,
            picture,
            inside: !spec.edge.invents(),
            aspect,
            locked,
        })
    }
}
