//! Overlapping parts of a large photo.

use super::view::{View, turned_size};
use crate::geometry::{PixelRect, Size};

/// Runs at most: with the first look, the quarters, three turned looks and a mosaic these are twelve.
const MOST_RUNS: u32 = 6;
/// Pixels of the input by which neighbours overlap at least.
const OVERLAP: u32 = 24;
/// Tiles enlarge by at least this much against the first look, or they show nothing new.
const LEAST_GAIN: f64 = 1.3;

/// Tiles start at multiples of this many pixels of the photo, so that they start on whole pixels of a reduced one.
const ALIGN: u32 = 4;

/// Rows and columns of tiles. A half row or column is of tiles half as high or wide, two of which share a run.
#[derive(Clone, Copy, Debug)]
struct Grid {
    columns: u32,
    rows: u32,
    half_column: bool,
    half_row: bool,
}

/// The tiles of a photo of `photo` pixels by the runs they take; none where they would show nothing new.
///
/// Of the grids with at most [`MOST_RUNS`] runs the one that enlarges most, though never beyond the photo's own pixels; of
/// those that enlarge about as much the one with the fewest runs.
pub(super) fn tiles(photo: Size, input: Size) -> Vec<Vec<View>> {
    let Some(whole) = View::whole(photo, input) else { return Vec::new() };
    let halves = [(false, false), (false, true), (true, false)];
    let grids = (1..=MOST_RUNS).flat_map(|columns| (1..=MOST_RUNS / columns).map(move |rows| (columns, rows)));
    let grids = grids.flat_map(|(columns, rows)| {
        halves.map(|(half_column, half_row)| Grid { columns, rows, half_column, half_row })
    });
    let grids: Vec<(Grid, f64)> =
        grids.filter(|grid| grid.runs() <= MOST_RUNS).map(|grid| (grid, grid.scale(photo, input))).collect();
    let largest = grids.iter().map(|(_, scale)| *scale).fold(0.0, f64::max);
    let enough = grids.into_iter().filter(|(_, scale)| *scale >= 0.95 * largest);
    let Some((grid, scale)) = enough.min_by_key(|(grid, _)| grid.runs()) else { return Vec::new() };
    if scale < LEAST_GAIN * f64::from(whole.scale()) {
        return Vec::new();
    }
    grid.views(photo, input, scale)
}

/// The runs of `tiles` with all that an input shows turned clockwise by `degrees`, 90, 180 or 270; none where that does not
/// fit an input that is not square.
pub(super) fn turned_tiles(photo: Size, input: Size, degrees: u16) -> Vec<Vec<View>> {
    if turned_size(input, degrees) != input {
        return Vec::new();
    }
    let turned = |views: Vec<View>| views.into_iter().map(|view| view.turned_with(input, degrees)).collect();
    tiles(photo, input).into_iter().map(turned).collect()
}

/// Pixels of the longer side at which a photo must be at hand for its tiles.
pub(super) fn long_side_for(tiles: &[View], photo: Size) -> u32 {
    let scale = tiles.iter().map(|tile| f64::from(tile.scale())).fold(0.0, f64::max);
    ((f64::from(photo.long_side()) * scale).floor() as u32).clamp(1, photo.long_side().max(1))
}

impl Grid {
    fn runs(self) -> u32 {
        let halves = match (self.half_column, self.half_row) {
            (true, _) => self.rows.div_ceil(2),
            (_, true) => self.columns.div_ceil(2),
            _ => 0,
        };
        self.columns * self.rows + halves
    }

    /// Pixels of the input a pixel of the photo when this grid covers it; at most 1.
    fn scale(self, photo: Size, input: Size) -> f64 {
        let along = |count: u32, half: bool, space: u32, length: u32| {
            let spaces = count * space + if half { space / 2 } else { 0 };
            let reach = spaces.saturating_sub((count - u32::from(!half)) * OVERLAP);
            f64::from(reach) / f64::from(length.max(1))
        };
        let across = along(self.columns, self.half_column, input.width, photo.width);
        across.min(along(self.rows, self.half_row, input.height, photo.height)).min(1.0)
    }

    fn views(self, photo: Size, input: Size, scale: f64) -> Vec<Vec<View>> {
        let columns = spans(photo.width, self.columns, self.half_column, input.width, scale);
        let rows = spans(photo.height, self.rows, self.half_row, input.height, scale);
        let mut runs = Vec::new();
        let mut shared: Vec<View> = Vec::new();
        for &(y, height, short) in &rows {
            for &(x, width, narrow) in &columns {
                let part = PixelRect::new(x as i32, y as i32, width, height);
                let Size { width: across, height: down } = input;
                let space = match (narrow, short) {
                    (true, _) => Size::new(across / 2, down),
                    (_, true) => Size::new(across, down / 2),
                    _ => input,
                };
                let tile = View::tile(part, space, scale);
                if !short && !narrow {
                    runs.push(vec![tile]);
                    continue;
                }
                let second = if short { (0, input.height / 2) } else { (input.width / 2, 0) };
                shared.push(if shared.len().is_multiple_of(2) { tile } else { View { at: second, ..tile } });
            }
        }
        runs.extend(shared.chunks(2).map(<[View]>::to_vec));
        runs
    }
}

/// Start and length of even parts of `length` pixels, `count` as long as fits `space` pixels of the input at `scale` and
/// after them, where there is a `half` one, one of half that; true for that one.
fn spans(length: u32, count: u32, half: bool, space: u32, scale: f64) -> Vec<(u32, u32, bool)> {
    // Up to the next whole pixel, so that the last one is not left out.
    let fits = |space: u32| ((f64::from(space) / scale - 1e-6).ceil() as u32).clamp(1, length.max(1));
    let lengths = (0..count).map(|_| (fits(space), false)).chain(half.then(|| (fits(space / 2), true)));
    let lengths: Vec<(u32, bool)> = lengths.collect();
    let sum: u64 = lengths.iter().map(|(each, _)| u64::from(*each)).sum();
    let spare = sum.saturating_sub(u64::from(length));
    let gaps = (lengths.len() as u64).saturating_sub(1).max(1);
    let mut before = 0;
    (0_u64..)
        .zip(lengths)
        .map(|(index, (each, is_half))| {
            let start = (before - spare * index / gaps) as u32;
            before += u64::from(each);
            let start = start.min(length - each) / ALIGN * ALIGN;
            // The last one reaches the end.
            (start, if index == gaps { length - start } else { each }, is_half)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    const INPUT: Size = Size::new(640, 640);
    const PHOTOS: [(u32, u32); 8] = [
        (6000, 4000),
        (4000, 6000),
        (4000, 3000),
        (4000, 4000),
        (12_000, 900),
        (900, 12_000),
        (1280, 960),
        (1900, 1000),
    ];

    #[test]
    fn every_place_is_seen_whole_in_some_tile() {
        for (width, height) in PHOTOS {
            let photo = Size::new(width, height);
            let runs = tiles(photo, INPUT);
            assert!(!runs.is_empty() && runs.len() <= MOST_RUNS as usize, "{photo}: {} runs", runs.len());
            let views: Vec<View> = runs.into_iter().flatten().collect();
            let side = f64::from(OVERLAP - 2) / f64::from(views[0].scale());
            let steps = 60;
            for (i, j) in (0..=steps).flat_map(|i| (0..=steps).map(move |j| (i, j))) {
                let along =
                    |index: i32, length: u32| (f64::from(length) - side).max(0.0) * f64::from(index) / f64::from(steps);
                let (x, y) = (along(i, width), along(j, height));
                let holds = |start: i32, length: u32, at: f64, all: u32| {
                    f64::from(start) <= at && at + side.min(f64::from(all)) <= f64::from(start) + f64::from(length)
                };
                let seen = views.iter().any(|view| {
                    holds(view.part.x, view.part.width, x, width) && holds(view.part.y, view.part.height, y, height)
                });
                assert!(seen, "{photo}: {side:.0} pixels at {x:.0}, {y:.0}");
            }
        }
    }

    #[test]
    fn tiles_lie_in_the_photo_fit_the_input_and_never_share_a_place_in_it() {
        for (width, height) in PHOTOS {
            for run in tiles(Size::new(width, height), INPUT) {
                for view in &run {
                    let part = view.part;
                    assert!(part.x >= 0 && part.x as u32 + part.width <= width, "{part:?}");
                    assert!(part.y >= 0 && part.y as u32 + part.height <= height, "{part:?}");
                    assert!(view.at.0 + view.fitted.width <= 640 && view.at.1 + view.fitted.height <= 640, "{view:?}");
                    assert!(view.scale() <= 1.01, "beyond the photo's own pixels: {}", view.scale());
                }
                if let [a, b] = run[..] {
                    assert!(b.at.0 >= a.at.0 + a.fitted.width || b.at.1 >= a.at.1 + a.fitted.height, "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn turned_tiles_show_the_same_parts_and_lie_in_the_input() {
        for (width, height) in PHOTOS {
            let photo = Size::new(width, height);
            for degrees in [90, 180, 270] {
                let (upright, turned) = (tiles(photo, INPUT), turned_tiles(photo, INPUT, degrees));
                let parts = |runs: &[Vec<View>]| -> Vec<PixelRect> { runs.iter().flatten().map(|v| v.part).collect() };
                assert_eq!(parts(&upright), parts(&turned), "{photo}");
                for run in &turned {
                    for view in run {
                        let Size { width, height } = view.covered();
                        assert!(view.at.0 + width <= 640 && view.at.1 + height <= 640, "{view:?}");
                        assert_eq!(view.turned, degrees);
                        let middle = Point::new(view.at.0 as f32 + 10.0, view.at.1 as f32 + 10.0);
                        assert!(view.shows(middle), "{view:?}");
                    }
                    if let [a, b] = run[..] {
                        let apart = |a: &View, b: &View| {
                            let taken = a.covered();
                            b.at.0 >= a.at.0 + taken.width || b.at.1 >= a.at.1 + taken.height
                        };
                        assert!(apart(&a, &b) || apart(&b, &a), "{a:?} {b:?}");
                    }
                }
            }
        }
        assert!(turned_tiles(Size::new(6000, 4000), Size::new(640, 320), 90).is_empty(), "no square");
        assert!(!turned_tiles(Size::new(6000, 4000), Size::new(640, 320), 180).is_empty());
    }

    #[test]
    fn small_photos_have_none_and_large_ones_say_how_many_pixels_they_take() {
        for (width, height) in [(640, 480), (800, 600), (1, 1), (0, 5), (20, 640)] {
            assert!(tiles(Size::new(width, height), INPUT).is_empty(), "{width} x {height}");
        }
        let photo = Size::new(6000, 4000);
        let views: Vec<View> = tiles(photo, INPUT).into_iter().flatten().collect();
        let side = long_side_for(&views, photo);
        // What six runs of tiles take.
        assert!((1800..=1950).contains(&side), "{side}");
        assert_eq!(long_side_for(&[], photo), 1);
    }
}
