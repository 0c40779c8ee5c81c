//! Modes of the canvas, and the frame shown on it.

use geometry::{ManualFrame, Size};
use plan::PlannedCrop;

use super::{AppState, CanvasView, PREVIEW_SIDE};

/// Modes of the canvas; not saved.
pub(crate) struct CanvasTools {
    /// True while the next drag draws a face.
    pub drawing: bool,
    /// True if resizing a frame may change its aspect ratio.
    pub free_aspect: bool,
    /// True if the crop is shown beside the photo.
    pub before_after: bool,
    /// View of that crop.
    pub after_view: CanvasView,
    /// Longer side, in pixels, that the largest display of the crop can use.
    pub preview_side: u32,
    /// True until the frame on the canvas has taken the requested focus.
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
    /// Resets the modes that belong to the photo that has left the canvas.
    pub(crate) fn leave_photo(&mut self) {
        (self.drawing, self.focus_frame, self.after_view) = (false, false, CanvasView::Fit);
    }
}

/// Why the aspect ratio of a frame is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AspectLock {
    /// The rules of a document apply.
    Rules,
    /// A frame with another aspect ratio would apply to the first output.
    Variant,
}

/// The frame of the previewed crop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShownFrame {
    /// Index of its face.
    pub face: usize,
    /// The frame, manual or planned.
    pub frame: ManualFrame,
    /// True if it was set manually.
    pub manual: bool,
    /// The crop planned from it.
    pub crop: PlannedCrop,
    pub picture: Size,
    /// True if it must stay within the image.
    pub inside: bool,
    /// Aspect ratio, width over height: that of the crop's size, or its own if it already differs.
    pub aspect: f32,
    /// Why the aspect ratio is fixed.
    pub locked: Option<AspectLock>,
}

impl ShownFrame {
    /// The frame moved within its limits.
    pub(crate) fn kept(&self, frame: ManualFrame) -> ManualFrame {
        if self.inside { frame.clamped_inside(self.picture) } else { frame.clamped_near(self.picture) }
    }
}

impl AppState {
    /// The frame of the previewed crop.
    pub(crate) fn shown_frame(&self) -> Option<ShownFrame> {
        let photo = self.current()?;
        let picture = photo.info.as_ref()?.size;
        let (_, crop) = self.shown_crop()?;
        let set = photo.faces_of(&self.framings(), self.active_output()).get(crop.face_index)?.frame;
        let spec = self.crop_spec();
        let mut frame = set.unwrap_or_else(|| ManualFrame::of(crop.frame, crop.angle));
        let of_variant = self.active_variant().map(|_| AspectLock::Variant);
        let locked = spec.rules.as_ref().map(|_| AspectLock::Rules).or(of_variant);
        if set.is_none() && of_variant.is_some() {
            // Rounded to whole pixels, a small frame would not have the aspect ratio of its output.
            frame.width = frame.height * spec.aspect();
        }
        let current = frame.width / frame.height;
        // A crop of the requested size has the requested aspect ratio, apart from rounding to whole pixels.
        let follows_spec = locked.is_some() || crop.output == spec.output || (spec.original_size && set.is_none());
        let aspect = if follows_spec { spec.aspect() } else { current };
        Some(ShownFrame {
            face: crop.face_index,
            frame,
            manual: set.is_some(),
            crop,
            picture,
            inside: !spec.edge.adds_pixels(),
            aspect,
            locked,
        })
    }
}
