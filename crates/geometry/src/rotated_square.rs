//! A square part of an image at any angle.

use super::{Point, Rect, Transform};

/// A square part of the upright image: the input of a model that expects a head or a person upright.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotatedSquare {
    pub center: Point,
    /// In pixels.
    pub side: f32,
    /// Clockwise rotation in degrees: a cut of the square shows a head of this roll upright.
    pub angle: f32,
}

impl RotatedSquare {
    /// Maps pixels of a cut of `pixels` x `pixels` to pixels of the upright image.
    pub fn image_from_cut(&self, pixels: u32) -> Transform {
        let scale = f64::from(self.side) / f64::from(pixels.max(1));
        let half = f64::from(self.side) / 2.0;
        let (x, y) = (f64::from(self.center.x), f64::from(self.center.y));
        Transform::scale_then_move(scale, scale, x - half, y - half)
            .then(&Transform::rotate_about(self.center, f64::from(self.angle)))
    }

    /// Its upright bounding rectangle.
    pub fn bounds(&self) -> Rect {
        let half = self.side / 2.0;
        let upright = Rect::new(self.center.x - half, self.center.y - half, self.side, self.side);
        Transform::rotate_about(self.center, f64::from(self.angle)).apply_rect(upright)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cut_shows_the_square_upright() {
        let square = RotatedSquare { center: Point::new(100.0, 50.0), side: 40.0, angle: 90.0 };
        let map = square.image_from_cut(20);
        // The top of a head with a roll of 90 degrees is on the right.
        for (cut, image) in [((10.0, 10.0), (100.0, 50.0)), ((10.0, 0.0), (120.0, 50.0)), ((0.0, 10.0), (100.0, 30.0))]
        {
            assert!(map.apply(Point::new(cut.0, cut.1)).distance(Point::new(image.0, image.1)) < 1e-3, "{cut:?}");
        }
        let turned = RotatedSquare { angle: 45.0, ..square }.bounds();
        assert!((turned.width - 40.0 * 2.0_f32.sqrt()).abs() < 1e-3);
    }
}
