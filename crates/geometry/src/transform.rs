//! Affine maps between two coordinate spaces, named after them: `image_from_model`.

use super::{Point, Rect};

/// A 2x3 affine matrix: `to = (a x + b y + c, d x + e y + f)`.
///
/// Values are named `to_from_from`: `image_from_model` maps model coordinates to image coordinates, as in
/// `image_from_model.apply(point_in_model)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    rows: [[f64; 3]; 2],
}

impl Transform {
    pub const IDENTITY: Self = Self { rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] };

    /// Scales by `x` and `y`, then moves by `dx` and `dy`.
    pub const fn scale_then_move(x: f64, y: f64, dx: f64, dy: f64) -> Self {
        Self { rows: [[x, 0.0, dx], [0.0, y, dy]] }
    }

    /// Rotates by `degrees` clockwise about `center`.
    pub fn rotate_about(center: Point, degrees: f64) -> Self {
        let (sin, cos) = exact_sin_cos(degrees);
        let (x, y) = (f64::from(center.x), f64::from(center.y));
        Self { rows: [[cos, -sin, x - cos * x + sin * y], [sin, cos, y - sin * x - cos * y]] }
    }

    /// This map followed by `after`.
    #[must_use]
    pub fn then(&self, after: &Self) -> Self {
        let [[a, b, c], [d, e, f]] = after.rows;
        let [first, second] = self.rows;
        let row = |x: f64, y: f64, add: f64| {
            [x * first[0] + y * second[0], x * first[1] + y * second[1], x * first[2] + y * second[2] + add]
        };
        Self { rows: [row(a, b, c), row(d, e, f)] }
    }

    /// Both rows: `x = a x + b y + c` first, `y = d x + e y + f` second.
    pub const fn rows(&self) -> [[f64; 3]; 2] {
        self.rows
    }

    /// Maps `point`.
    pub fn apply(&self, point: Point) -> Point {
        let (x, y) = (f64::from(point.x), f64::from(point.y));
        let [[a, b, c], [d, e, f]] = self.rows;
        Point::new((a * x + b * y + c) as f32, (d * x + e * y + f) as f32)
    }

    /// The upright bounding rectangle of the mapped `rect`.
    pub fn apply_rect(&self, rect: Rect) -> Rect {
        let corners = rect.corners().map(|corner| self.apply(corner));
        let pick = |f: fn(f32, f32) -> f32, get: fn(&Point) -> f32| corners.iter().map(get).reduce(f).unwrap_or(0.0);
        Rect::from_corners(
            Point::new(pick(f32::min, |p| p.x), pick(f32::min, |p| p.y)),
            Point::new(pick(f32::max, |p| p.x), pick(f32::max, |p| p.y)),
        )
    }

    /// The inverse map; `None` if this one is singular.
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

/// Sine and cosine, exact for quarter turns so that those map whole pixels to whole pixels.
fn exact_sin_cos(degrees: f64) -> (f64, f64) {
    let turns = degrees.rem_euclid(360.0);
    match turns {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        _ => turns.to_radians().sin_cos(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Point, Rect, Transform};

    #[test]
    fn the_inverse_undoes_the_map() {
        let forward = Transform::scale_then_move(0.25, 0.5, 3.0, -7.0);
        let back = forward.inverse().expect("invertible");
        let point = Point::new(120.0, 44.0);
        assert!(back.apply(forward.apply(point)).distance(point) < 1e-3);
        assert!(Transform::scale_then_move(0.0, 1.0, 0.0, 0.0).inverse().is_none());
    }

    #[test]
    fn rotation_is_clockwise_and_exact_for_quarter_turns() {
        let quarter = Transform::rotate_about(Point::new(10.0, 10.0), 90.0);
        assert_eq!(quarter.apply(Point::new(10.0, 4.0)), Point::new(16.0, 10.0), "up goes to the right");
        let back = quarter.then(&Transform::rotate_about(Point::new(10.0, 10.0), -90.0));
        assert_eq!(back, Transform::IDENTITY);
    }

    #[test]
    fn maps_are_applied_in_order() {
        let doubled_then_moved =
            Transform::scale_then_move(2.0, 2.0, 0.0, 0.0).then(&Transform::scale_then_move(1.0, 1.0, 5.0, 0.0));
        assert_eq!(doubled_then_moved.apply(Point::new(1.0, 1.0)), Point::new(7.0, 2.0));
    }

    #[test]
    fn a_mirrored_rectangle_keeps_a_positive_size() {
        let mirror = Transform::scale_then_move(-1.0, 1.0, 100.0, 0.0);
        assert_eq!(mirror.apply_rect(Rect::new(10.0, 20.0, 30.0, 5.0)), Rect::new(60.0, 20.0, 30.0, 5.0));
    }
}
