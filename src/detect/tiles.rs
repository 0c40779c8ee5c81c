//! Overlapping parts of a large photo.

use super::view::View;
use crate::geometry::{PixelRect, Size};

/// Tiles at most: with the first look, the quarters and the three turned looks these are eleven runs.
const MOST: u32 = 6;
/// Pixels of the input by which neighbours overlap at least: a face up to this high is whole in one of them. Larger ones are
/// seen by the first look, for which they are more than a third of this.
pub(super) const OVERLAP: u32 = 72;
/// Tiles enlarge by at least this much against the first look, or they show nothing new.
const LEAST_GAIN: f64 = 1.3;

/// The tiles of a photo of `photo` pixels, left to right and top to bottom; none where they would show nothing new.
///
/// Of the grids with at most [`MOST`] tiles the one that enlarges most, though never beyond the photo's own pixels; of
/// those that enlarge about as much the one with the fewest.
pub(super) fn tiles(photo: Size, input: Size) -> Vec<View> {
    let Some(whole) = View::whole(photo, input) else { return Vec::new() };
    let grids = (1..=MOST).flat_map(|columns| (1..=MOST / columns).map(move |rows| (columns, rows)));
    let scaled = grids.map(|(columns, rows)| (columns, rows, scale_of(columns, rows, photo, input)));
    let largest = scaled.clone().map(|(_, _, scale)| scale).fold(0.0, f64::max);
    let fewest =
        scaled.filter(|(_, _, scale)| *scale >= 0.95 * largest).min_by_key(|(columns, rows, _)| columns * rows);
    let Some((columns, rows, scale)) = fewest.filter(|(.., scale)| *scale >= LEAST_GAIN * f64::from(whole.scale()))
    else {
        return Vec::new();
    };
    let across = spans(photo.width, columns, input.width, scale);
    let down = spans(photo.height, rows, input.height, scale);
    let part = |(y, height): (u32, u32), (x, width): (u32, u32)| PixelRect::new(x as i32, y as i32, width, height);
    down.iter().flat_map(|&row| across.iter().map(move |&column| View::tile(part(row, column), input, scale))).collect()
}

/// Pixels of the longer side at which a photo must be at hand for its tiles.
pub(super) fn long_side_for(tiles: &[View], photo: Size) -> u32 {
    let scale = tiles.iter().map(|tile| f64::from(tile.scale())).fold(0.0, f64::max);
    ((f64::from(photo.long_side()) * scale).floor() as u32).min(photo.long_side())
}

/// Pixels of the input a pixel of the photo when this many tiles cover it; at most 1.
fn scale_of(columns: u32, rows: u32, photo: Size, input: Size) -> f64 {
    let along = |count: u32, space: u32, length: u32| {
        let reach = (count * space).saturating_sub((count - 1) * OVERLAP);
        f64::from(reach) / f64::from(length.max(1))
    };
    along(columns, input.width, photo.width).min(along(rows, input.height, photo.height)).min(1.0)
}

/// Start and length of `count` even parts of `length` pixels, each as long as fits `space` pixels of the input at `scale`.
fn spans(length: u32, count: u32, space: u32, scale: f64) -> Vec<(u32, u32)> {
    let each = ((f64::from(space) / scale).floor() as u32).clamp(1, length.max(1));
    let beyond = u64::from(length - each);
    let start = |index: u32| match count {
        0 | 1 => 0,
        _ => (beyond * u64::from(index) / u64::from(count - 1)) as u32,
    };
    (0..count).map(|index| (start(index), each)).collect()
}
