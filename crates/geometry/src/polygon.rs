//! Convex polygons, for rotated frames and heads and their part inside an image.

use super::Point;

/// The intersection of two convex polygons; empty if they do not overlap. The corners of `clip` must go clockwise as
/// seen in an image.
pub fn clip_convex(subject: &[Point], clip: &[Point]) -> Vec<Point> {
    let mut polygon = subject.to_vec();
    for (index, &start) in clip.iter().enumerate() {
        let end = clip[(index + 1) % clip.len()];
        let along = (f64::from(end.x - start.x), f64::from(end.y - start.y));
        // Positive on the inner side of this edge.
        let inside_by = |point: Point| along.0 * f64::from(point.y - start.y) - along.1 * f64::from(point.x - start.x);
        let mut cut = Vec::with_capacity(polygon.len() + 1);
        for (index, &point) in polygon.iter().enumerate() {
            let next = polygon[(index + 1) % polygon.len()];
            let (here, there) = (inside_by(point), inside_by(next));
            if here >= 0.0 {
                cut.push(point);
            }
            if (here >= 0.0) != (there >= 0.0) {
                let share = (here / (here - there)) as f32;
                cut.push(Point::new(point.x + (next.x - point.x) * share, point.y + (next.y - point.y) * share));
            }
        }
        polygon = cut;
    }
    polygon
}

/// The area of a polygon whose sides do not cross, in square pixels.
pub fn polygon_area(corners: &[Point]) -> f64 {
    let cross = |(index, point): (usize, &Point)| {
        let next = corners[(index + 1) % corners.len()];
        f64::from(point.x) * f64::from(next.y) - f64::from(next.x) * f64::from(point.y)
    };
    corners.iter().enumerate().map(cross).sum::<f64>().abs() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rect;

    #[test]
    fn a_rotated_square_is_clipped_to_the_other() {
        let diamond = [(0.0, -10.0), (10.0, 0.0), (0.0, 10.0), (-10.0, 0.0)].map(|(x, y)| Point::new(x, y));
        let inside = |rect: Rect| polygon_area(&clip_convex(&diamond, &rect.corners()));
        assert!((inside(Rect::new(0.0, 0.0, 20.0, 20.0)) - 50.0).abs() < 1e-3);
        assert!((inside(Rect::new(-20.0, -20.0, 40.0, 40.0)) - 200.0).abs() < 1e-3, "all of it");
        assert!(clip_convex(&diamond, &Rect::new(30.0, 30.0, 5.0, 5.0).corners()).is_empty());
        let quarter = clip_convex(&Rect::new(0.0, 0.0, 20.0, 20.0).corners(), &diamond);
        assert!((polygon_area(&quarter) - 50.0).abs() < 1e-3);
        assert!(clip_convex(&[], &diamond).is_empty());
    }
}
