//! How a picture lies in the model's input.

use crate::geometry::{Size, Transform};

/// A picture fitted into the model's input: scaled alike in both directions, at the top left, the rest padded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Pixels of the model's input.
    pub input: Size,
    /// Pixels of the scaled picture inside the input.
    pub fitted: Size,
    /// Takes points of the model's input to points of the picture.
    pub image_from_model: Transform,
}

impl Fit {
    /// Fits `picture` into `input`. A picture that is smaller is not enlarged. `None` for an empty picture.
    pub fn new(picture: Size, input: Size) -> Option<Self> {
        if picture.pixels() == 0 || input.pixels() == 0 {
            return None;
        }
        let ratio = |space: u32, length: u32| f64::from(space) / f64::from(length);
        let scale = ratio(input.width, picture.width).min(ratio(input.height, picture.height)).min(1.0);
        let scaled = |length: u32, space: u32| ((f64::from(length) * scale).round() as u32).clamp(1, space);
        let fitted = Size::new(scaled(picture.width, input.width), scaled(picture.height, input.height));
        // Rounding to whole pixels makes the two scales differ by a hair; each side uses its own.
        let image_from_model = Transform::scale_then_move(
            ratio(picture.width, fitted.width),
            ratio(picture.height, fitted.height),
            0.0,
            0.0,
        );
        Some(Self { input, fitted, image_from_model })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    const INPUT: Size = Size::new(640, 640);

    #[test]
    fn the_aspect_is_kept_and_points_come_back() {
        for picture in [Size::new(6000, 4000), Size::new(4000, 6000), Size::new(3000, 1000), Size::new(641, 640)] {
            let fit = Fit::new(picture, INPUT).expect("fits");
            assert_eq!(fit.fitted.long_side(), 640);
            assert!((fit.fitted.aspect() / picture.aspect() - 1.0).abs() < 0.01);
            let corner = Point::new(fit.fitted.width as f32, fit.fitted.height as f32);
            let back = fit.image_from_model.apply(corner);
            assert!(back.distance(Point::new(picture.width as f32, picture.height as f32)) < 0.01);
        }
    }

    #[test]
    fn small_pictures_are_not_enlarged_and_thin_ones_keep_a_pixel() {
        assert_eq!(Fit::new(Size::new(200, 100), INPUT).expect("fits").fitted, Size::new(200, 100));
        assert_eq!(Fit::new(Size::new(10_000, 1), INPUT).expect("fits").fitted, Size::new(640, 1));
        assert!(Fit::new(Size::new(0, 5), INPUT).is_none());
    }
}
