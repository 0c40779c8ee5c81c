//! Many doubtful faces in one input: each cut out, levelled, brought to one size, in a cell of its own.

use super::Packed;
use super::patch::Patch;
use super::view::turned_box;
use crate::decode::Picture;
use crate::geometry::{Face, Point, Rect, Size, Transform};

/// Cells along a side of the input at least and at most.
const ALONG: std::ops::RangeInclusive<u32> = 3..=8;
/// The share of a cell's side that stays black at each of its edges, so that no face reaches into another cell.
const BORDER: f32 = 0.06;
/// Sides of what a cell shows in heights of the face.
const MARGIN: f32 = 1.7;
/// How far a face may lie off the middle of its cell, in heights of the face expected there.
const OFF_MIDDLE: f32 = 0.45;
/// How much larger or smaller than expected it may be.
const LIKE_SIZE: f32 = 1.9;

/// Cells that a mosaic has at most.
pub(super) const MOST_CELLS: usize = (*ALONG.end() * *ALONG.end()) as usize;

/// A place that may show a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// The middle of the face, in pixels of the upright picture.
    pub(super) center: Point,
    /// The face's height in the same pixels.
    pub(super) height: f32,
    /// Degrees that the head is thought to be turned clockwise.
    pub(super) roll: f32,
}

/// A place in its cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    /// Pixels of the input left of what is shown and above it.
    at: (u32, u32),
    /// Pixels of the input along its sides.
    side: u32,
    /// Takes points of the input to points of the upright picture.
    picture_from_model: Transform,
    /// Pixels of the input a pixel of the picture.
    scale: f32,
}

/// Lays `places` in an input, as large as there is room for; what is beyond [`MOST_CELLS`] is left out.
pub(super) fn lay(places: &[Place], input: Size) -> Vec<Cell> {
    let along = ALONG.into_iter().find(|along| (along * along) as usize >= places.len()).unwrap_or(*ALONG.end());
    let pitch = input.short_side() / along;
    let border = ((pitch as f32 * BORDER).round() as u32).max(1);
    let Some(side) = pitch.checked_sub(2 * border).filter(|side| *side > 0) else { return Vec::new() };
    let indices = (0..along).flat_map(|row| (0..along).map(move |column| (column, row)));
    let cell = |(place, (column, row)): (&Place, (u32, u32))| {
        let at = (column * pitch + border, row * pitch + border);
        Cell::new(place, at, side)
    };
    places.iter().zip(indices).map(cell).collect()
}

impl Cell {
    fn new(place: &Place, at: (u32, u32), side: u32) -> Self {
        let scale = side as f32 / (MARGIN * place.height);
        let half = f64::from(side) / 2.0;
        let picture_from_model = Transform::scale_then_move(1.0, 1.0, -f64::from(at.0) - half, -f64::from(at.1) - half)
            .then(&Transform::rotate_about(Point::default(), f64::from(place.roll)))
            .then(&Transform::scale_then_move(
                1.0 / f64::from(scale),
                1.0 / f64::from(scale),
                f64::from(place.center.x),
                f64::from(place.center.y),
            ));
        Self { at, side, picture_from_model, scale }
    }

    /// The part of the picture around what it shows.
    pub(super) fn part(&self) -> Rect {
        let side = self.side as f32;
        self.picture_from_model.apply_rect(Rect::new(self.at.0 as f32, self.at.1 as f32, side, side))
    }

    /// Pixels of the input a pixel of the picture.
    pub(super) fn scale(&self) -> f32 {
        self.scale
    }

    /// Shows its part of `picture` in `packed`; what lies beyond the picture stays as it is.
    pub(super) fn fill(&self, picture: &Picture, packed: &mut Packed) {
        let part = Some(self.part()).filter(|part| part.is_usable());
        let Some(patch) = part.and_then(|part| Patch::of(picture, part, self.scale)) else {
            return;
        };
        let color_at = |x: u32, y: u32| {
            let (x, y) = (self.at.0 + x, self.at.1 + y);
            patch.blend(self.picture_from_model.apply(Point::new(x as f32 + 0.5, y as f32 + 0.5)))
        };
        packed.draw(self.at, Size::new(self.side, self.side), color_at);
    }

    /// The face that this cell shows, of those `seen` in the input, in pixels of the upright picture.
    pub(super) fn read(&self, seen: &[Face]) -> Option<Face> {
        let half = self.side as f32 / 2.0;
        let middle = Point::new(self.at.0 as f32 + half, self.at.1 as f32 + half);
        let height = self.side as f32 / MARGIN;
        let fits = |face: &&Face| {
            let side = face.bbox.width.max(face.bbox.height);
            face.bbox.center().distance(middle) <= OFF_MIDDLE * height
                && side <= LIKE_SIZE * height
                && side * LIKE_SIZE >= height
        };
        let best = seen.iter().filter(fits).max_by(|a, b| a.score.total_cmp(&b.score))?;
        let map = &self.picture_from_model;
        Some(Face::new(turned_box(best.bbox, map), best.landmarks.map(|point| map.apply(point)), best.score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{Channels, PictureFormat, PictureInfo, Pixels};

    const INPUT: Size = Size::new(640, 640);

    fn place(x: f32, y: f32, height: f32, roll: f32) -> Place {
        Place { center: Point::new(x, y), height, roll }
    }

    #[test]
    fn cells_lie_in_the_input_apart_from_each_other_and_as_large_as_they_can() {
        for (count, cells, least) in [(1, 1, 180), (9, 9, 180), (10, 10, 130), (36, 36, 90), (64, 64, 66), (90, 64, 66)]
        {
            let places: Vec<Place> = (0..count).map(|i| place(50.0 * i as f32, 80.0, 30.0, 10.0 * i as f32)).collect();
            let laid = lay(&places, INPUT);
            assert_eq!(laid.len(), cells);
            for (index, a) in laid.iter().enumerate() {
                assert!(a.side >= least && a.at.0 + a.side < 640 && a.at.1 + a.side < 640, "{a:?}");
                assert!(a.at.0 > 0 && a.at.1 > 0);
                for b in &laid[..index] {
                    let apart = |x: u32, y: u32| x.abs_diff(y) >= a.side + 8;
                    assert!(apart(a.at.0, b.at.0) || apart(a.at.1, b.at.1), "a border between {a:?} and {b:?}");
                }
            }
        }
        assert!(lay(&[], INPUT).is_empty());
        assert!(lay(&[place(0.0, 0.0, 9.0, 0.0)], Size::new(4, 4)).is_empty(), "no room");
    }

    #[test]
    fn a_face_read_in_its_cell_is_where_it_was_in_the_picture() {
        for roll in [0.0, 30.0, 90.0, 180.0, -135.0] {
            let wanted = place(700.0, 300.0, 50.0, roll);
            let cells = lay(&[place(10.0, 10.0, 20.0, 0.0), wanted, wanted], INPUT);
            let cell = cells[1];
            let middle =
                Point::new(cell.at.0 as f32 + cell.side as f32 / 2.0, cell.at.1 as f32 + cell.side as f32 / 2.0);
            // Upright in the cell, its eyes a fifth of its height beside and a tenth above the middle.
            let height = 50.0 * cell.scale();
            let at = |x: f32, y: f32| Point::new(middle.x + x * height, middle.y + y * height);
            let points = [at(-0.2, -0.1), at(0.2, -0.1), at(0.0, 0.1), at(-0.15, 0.3), at(0.15, 0.3)];
            let bbox = Rect::new(middle.x - 0.4 * height, middle.y - 0.5 * height, 0.8 * height, height);
            let seen = Face::new(bbox, points, 0.9);
            let elsewhere = Face { bbox: Rect { x: bbox.x + height, ..bbox }, score: 0.95, ..seen };
            let large = Face { bbox: Rect::new(0.0, 0.0, 640.0, 640.0), score: 0.99, ..seen };
            let face = cell.read(&[elsewhere, large, seen]).expect("a face");
            assert_eq!(face.score, 0.9);
            let (sin, cos) = roll.to_radians().sin_cos();
            let eye = Point::new(700.0 + 50.0 * (-0.2 * cos + 0.1 * sin), 300.0 + 50.0 * (-0.2 * sin - 0.1 * cos));
            assert!(face.landmarks[0].distance(eye) < 0.05, "{roll}: {:?} for {eye:?}", face.landmarks[0]);
            assert!(face.bbox.center().distance(Point::new(700.0, 300.0)) < 0.05);
            let across = if roll == 90.0 { face.bbox.height } else { face.bbox.width };
            assert!(roll % 90.0 != 0.0 || (across - 40.0).abs() < 0.05, "{roll}: {:?}", face.bbox);
            assert_eq!(cells[0].read(&[seen]), None, "another cell's");
        }
    }

    #[test]
    fn a_cell_shows_its_part_levelled_within_its_border_and_black_beyond_the_picture() {
        // Red left of 100, blue right of it.
        let size = Size::new(200, 200);
        let samples = (0..40_000).flat_map(|i| if i % 200 < 100 { [250, 0, 0] } else { [0, 0, 250] }).collect();
        let pixels = Pixels::from_u8(size, Channels::Rgb, samples).expect("fits");
        let picture = Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels);
        // A head on its right cheek has its crown at the right, where it is blue.
        let cells = lay(&[place(100.0, 100.0, 30.0, 90.0), place(0.0, 0.0, 30.0, 0.0)], INPUT);
        let mut packed = Packed::new(INPUT);
        for cell in &cells {
            cell.fill(&picture, &mut packed);
        }
        let at = |cell: &Cell, x: f32, y: f32| {
            let along = |start: u32, share: f32| (start as f32 + share * cell.side as f32) as usize;
            let (x, y) = (along(cell.at.0, x), along(cell.at.1, y));
            [packed.view()[[0, 0, y, x]], packed.view()[[0, 2, y, x]]].map(f32::round)
        };
        assert_eq!((at(&cells[0], 0.5, 0.1), at(&cells[0], 0.5, 0.9)), ([250.0, 0.0], [0.0, 250.0]));
        assert_eq!((at(&cells[0], -0.03, 0.5), at(&cells[0], 1.03, 0.5)), ([0.0; 2], [0.0; 2]), "the border");
        assert_eq!((at(&cells[1], 0.9, 0.9), at(&cells[1], 0.2, 0.2)), ([0.0, 250.0], [0.0; 2]), "beyond the picture");
    }

    #[test]
    fn places_that_are_no_numbers_show_nothing() {
        let size = Size::new(64, 64);
        let pixels = Pixels::from_u8(size, Channels::Rgb, vec![90; 64 * 64 * 3]).expect("fits");
        let picture = Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels);
        let mut packed = Packed::new(INPUT);
        for bad in [place(f32::NAN, 0.0, 9.0, 0.0), place(1.0, 1.0, 0.0, 0.0), place(1e30, 1.0, 1e-20, f32::NAN)] {
            for cell in lay(&[bad], INPUT) {
                cell.fill(&picture, &mut packed);
            }
        }
        assert!(packed.view().iter().all(|value| value.is_finite()));
    }
}
