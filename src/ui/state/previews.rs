//! Rendered crops: the preview of the active output, and a small one of each output.

use std::sync::Arc;

use ::batch::worker::ItemId;
use cancel::Generation;
use outcome::{DisplayCopy, StageError};
use plan::PlannedCrop;
use recipe::RenderSpec;

use super::{AppState, Pending};

/// Longer side of the rendered preview in pixels, if no larger one is on the screen.
pub(crate) const PREVIEW_SIDE: u32 = 640;

/// Longer side of an output's small preview in pixels.
const SMALL_SIDE: u32 = 160;

/// Crops rendered by the worker.
#[derive(Default)]
pub(crate) struct Preview {
    pub rendered: Option<(PreviewKey, DisplayCopy)>,
    /// Why the last one could not be rendered.
    pub failed: Option<(PreviewKey, Arc<StageError>)>,
    /// Small previews of the outputs; `None` for those that could not be rendered.
    small: Vec<(PreviewKey, Option<DisplayCopy>)>,
}

/// Identifies the content of a rendered preview.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PreviewKey {
    pub item: ItemId,
    pub generation: Generation,
    pub crop: PlannedCrop,
    pub render: RenderSpec,
    /// Maximum longer side, in pixels.
    pub side: u32,
}

impl AppState {
    /// Key of the current preview.
    pub(crate) fn preview_key(&self) -> Option<PreviewKey> {
        self.key_of(self.active_output(), self.canvas.tools.preview_side)
    }

    /// Key of the preview of an output's crop.
    fn key_of(&self, output: usize, side: u32) -> Option<PreviewKey> {
        let item = self.list.library.current?;
        let (crop, render) = (self.crop_of(output)?, self.render_spec_of(output));
        Some(PreviewKey { item, generation: self.canvas.generation, crop, render, side })
    }

    /// Why the current preview could not be rendered.
    pub(crate) fn preview_failure(&self) -> Option<&StageError> {
        let (key, error) = self.canvas.preview.failed.as_ref()?;
        (self.preview_key().as_ref() == Some(key)).then_some(error)
    }

    /// The small preview of an output, if it is up to date.
    pub(crate) fn small_preview(&self, output: usize) -> Option<&DisplayCopy> {
        let key = self.key_of(output, SMALL_SIDE)?;
        self.canvas.preview.small.iter().find(|(known, _)| *known == key)?.1.as_ref()
    }

    /// The next small preview to render. They are requested one by one, after the preview of the active output: the worker
    /// drops a waiting request when the next one arrives.
    pub(crate) fn next_small_preview(&self) -> Option<PreviewKey> {
        let Preview { rendered, failed, small } = &self.canvas.preview;
        let is_busy = self.canvas.inspection.waiting
            || !self.worker_alive
            || self.pending.values().any(|pending| matches!(pending, Pending::Preview(_)));
        if self.output_count() == 1 || is_busy {
            return None;
        }
        let current = self.preview_key()?;
        let done = rendered.iter().map(|(key, _)| key).chain(failed.iter().map(|(key, _)| key));
        if !done.into_iter().any(|key| *key == current) {
            return None;
        }
        let others = (0..self.output_count()).filter(|output| *output != self.active_output());
        let mut wanted = others.filter_map(|output| self.key_of(output, SMALL_SIDE));
        wanted.find(|key| !small.iter().any(|(known, _)| known == key))
    }

    /// Stores a rendering, or why there is none.
    pub(crate) fn store_preview(&mut self, key: PreviewKey, image: Result<DisplayCopy, Arc<StageError>>) {
        let small = PreviewKey { side: SMALL_SIDE, ..key };
        let wanted: Vec<PreviewKey> =
            (0..self.output_count()).filter_map(|output| self.key_of(output, SMALL_SIDE)).collect();
        let preview = &mut self.canvas.preview;
        preview.small.retain(|(known, _)| *known != small && wanted.contains(known));
        // A large one would waste memory.
        if wanted.contains(&small) && key.side <= PREVIEW_SIDE {
            preview.small.push((small, image.as_ref().ok().cloned()));
        }
        if key != small {
            match image {
                Ok(image) => (preview.rendered, preview.failed) = (Some((key, image)), None),
                Err(error) => preview.failed = Some((key, error)),
            }
        }
    }
}
