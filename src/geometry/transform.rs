//! An affine map between two coordinate spaces, named by its ends: `image_from_model`.

use super::{Point, Rect};

/// A 2x3 affine map: `to = (a x + b y + c, d x + e y + f)`.
///
/// Name a value `to_from_from` (`image_from_model` takes model coordinates and gives image coordinates), so that
/// `image_from_model.apply(point_in_model)` reads as what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    rows: [[f64; 3]; 2],
}

impl Transform {
    /// The map that changes nothing.
    pub const IDENTITY: Self = Self { rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] };

    /// Scales by `x` and `y`, then moves by `dx` and `dy`.
    pub const fn scale_then_move(x: f64, y: f64, dx: f64, dy: f64) -> Self {
        Self { rows: [[x, 0.0, dx], [0.0, y, dy]] }
    }

    /// Where `point` goes.
    pub fn apply(&self, point: Point) -> Point {
        let (x, y) = (f64::from(point.x), f64::from(point.y));
        let [[a, b, c], [d, e, f]] = self.rows;
        Point::new((a * x + b * y + c) as f32, (d * x + e * y + f) as f32)
    }

    /// The upright rectangle around where the corners of `rect` go.
    pub fn apply_rect(&self, rect: Rect) -> Rect {
        let corners = [
            Point::new(rect.x, rect.y),
            Point::new(rect.right(), rect.y),
            Point::new(rect.x, rect.bottom()),
            Point::new(rect.right(), rect.bottom()),
        ]
        .map(|corner| self.apply(corner));
        let pick = |f: fn(f32, f32) -> f32, get: fn(&Point) -> f32| corners.iter().map(get).reduce(f).unwrap_or(0.0);
        Rect::from_corners(
            Point::new(pick(f32::min, |p| p.x), pick(f32::min, |p| p.y)),
            Point::new(pick(f32::max, |p| p.x), pick(f32::max, |p| p.y)),
        )
    }

    /// The map back; `None` where this one flattens the plane and has none.
    pub fn inverse(&self) -> Option<Self> {
        let [[a, b, c], [d, e, f]] = self.rows;
        let det = a * e - b * d;
        if det == 0.0 || !det.is_finite() {
            return None;
        }
        let (ia, ib, id, ie) = (e / det, -b / det, -d / det, a / det);
        Some(Self { rows: [[ia, ib, -(ia * c + ib * f)], [id, ie, -(id * c + ie * f)]] })
    }
}

#[cfg(test)]
mod tests {
    use super::{Point, Rect, Transform};

    #[test]
    fn the_inverse_undoes_the_map() {
        let there = Transform::scale_then_move(0.25, 0.5, 3.0, -7.0);
        let back = there.inverse().expect("invertible");
        let point = Point::new(120.0, 44.0);
        assert!(back.apply(there.apply(point)).distance(point) < 1e-3);
        assert!(Transform::scale_then_move(0.0, 1.0, 0.0, 0.0).inverse().is_none());
    }

    #[test]
    fn a_mirrored_rectangle_keeps_a_positive_size() {
        let mirror = Transform::scale_then_move(-1.0, 1.0, 100.0, 0.0);
        assert_eq!(mirror.apply_rect(Rect::new(10.0, 20.0, 30.0, 5.0)), Rect::new(60.0, 20.0, 30.0, 5.0));
    }
}
