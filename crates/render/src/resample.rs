//! Resampling of axis-aligned crops.

use geometry::Size;
use outcome::RenderError;
use picture::{Filter, Picture, Pixels, SourceBox, resize};

use super::edge::{Span, VisibleSpans};

/// The visible part of an image in an upright crop: the output pixels that are completely inside the image.
pub(super) struct Upright {
    /// Their position in the output.
    pub(super) shown: VisibleSpans,
    pub(super) pixels: Pixels,
}

/// Resamples `frame`, in pixels of the whole image, from the pixels of `picture`; `None` if they do not overlap.
pub(super) fn upright(picture: &Picture, frame: SourceBox, output: Size) -> Result<Option<Upright>, RenderError> {
    let size = picture.size();
    let (Some((columns, x, width)), Some((rows, y, height))) = (
        visible(frame.x, frame.width, output.width, size.width),
        visible(frame.y, frame.height, output.height, size.height),
    ) else {
        return Ok(None);
    };
    let source = picture.source_box(SourceBox { x, y, width, height });
    if source.width <= 0.0 || source.height <= 0.0 {
        return Ok(None);
    }
    let pixels = resize(&picture.pixels, source, Size::new(columns.length, rows.length), Filter::Lanczos3)
        .map_err(|reason| RenderError::Resize { reason })?;
    Ok(Some(Upright { shown: VisibleSpans { columns, rows }, pixels }))
}

/// Along one axis: the output pixels completely inside the image, then the start and the length of the source in
/// image pixels. At least one pixel if frame and image overlap.
fn visible(frame_start: f64, frame_length: f64, output: u32, picture: u32) -> Option<(Span, f64, f64)> {
    let per_output = frame_length / f64::from(output);
    let first = (-frame_start / per_output).max(0.0);
    let last = ((f64::from(picture) - frame_start) / per_output).min(f64::from(output));
    if !per_output.is_finite() || per_output <= 0.0 || last <= first {
        return None;
    }
    // The tolerance keeps an edge on a whole pixel despite rounding errors.
    let (mut start, mut end) = ((first - 1e-6).ceil().max(0.0) as u32, (last + 1e-6).floor() as u32);
    if start >= end {
        start = (((first + last) / 2.0) as u32).min(output - 1);
        end = start + 1;
    }
    let from = (frame_start + f64::from(start) * per_output).clamp(0.0, f64::from(picture));
    let to = (frame_start + f64::from(end) * per_output).clamp(from, f64::from(picture));
    (to > from).then_some((Span { start, length: end - start }, from, to - from))
}
