//! View of an image: zoom and pan.

use geometry::{Point, Size};

/// Maximum scale, in screen pixels per image pixel.
const MAX_SCALE: f32 = 16.0;

/// Maximum enlargement of a small photo that is fitted to the canvas.
const MAX_FIT_SCALE: f32 = 4.0;

/// Zoom and pan.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum CanvasView {
    /// The whole image, fitted.
    #[default]
    Fit,
    /// A scale chosen by the user.
    Free {
        /// Screen pixels (not points) per image pixel: 1 is 100 %.
        scale: f32,
        /// The point of the upright image in the middle of the canvas, in image pixels.
        center: Point,
    },
}

impl CanvasView {
    /// Scale and centre on a canvas of `width` by `height` screen pixels.
    pub(crate) fn resolve(self, picture: Size, width: f32, height: f32) -> (f32, Point) {
        match self {
            Self::Fit => {
                let middle = Point::new(picture.width as f32 / 2.0, picture.height as f32 / 2.0);
                (fit_scale(picture, width, height), middle)
            }
            Self::Free { scale, center } => (scale, center),
        }
    }

    /// This view with the scale multiplied by `factor`, keeping the image point under `cursor` in place. `cursor` is in
    /// screen pixels from the middle of the canvas.
    #[must_use]
    pub(crate) fn zoomed(self, factor: f32, cursor: Point, picture: Size, width: f32, height: f32) -> Self {
        let (old, center) = self.resolve(picture, width, height);
        let min = fit_scale(picture, width, height).min(1.0) / 2.0;
        let scale = (old * factor).clamp(min, MAX_SCALE);
        let shift = 1.0 / old - 1.0 / scale;
        Self::free(scale, Point::new(center.x + cursor.x * shift, center.y + cursor.y * shift), picture)
    }

    /// This view with the image moved by `dx` and `dy` screen pixels.
    #[must_use]
    pub(crate) fn panned(self, dx: f32, dy: f32, picture: Size, width: f32, height: f32) -> Self {
        let (scale, center) = self.resolve(picture, width, height);
        Self::free(scale, Point::new(center.x - dx / scale, center.y - dy / scale), picture)
    }

    /// A view that keeps some part of the image on the canvas.
    fn free(scale: f32, center: Point, picture: Size) -> Self {
        let center = Point::new(center.x.clamp(0.0, picture.width as f32), center.y.clamp(0.0, picture.height as f32));
        Self::Free { scale, center }
    }
}

fn fit_scale(picture: Size, width: f32, height: f32) -> f32 {
    let (across, down) = (width / picture.width.max(1) as f32, height / picture.height.max(1) as f32);
    across.min(down).clamp(1e-4, MAX_FIT_SCALE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_point_under_the_cursor() {
        let picture = Size::new(1000, 800);
        let cursor = Point::new(120.0, -40.0);
        let under = |view: CanvasView| {
            let (scale, center) = view.resolve(picture, 500.0, 400.0);
            Point::new(center.x + cursor.x / scale, center.y + cursor.y / scale)
        };
        let before = CanvasView::Fit;
        let after = before.zoomed(3.0, cursor, picture, 500.0, 400.0);
        assert!(under(before).distance(under(after)) < 1e-2);
        assert!(matches!(after, CanvasView::Free { scale, .. } if (scale - 1.5).abs() < 1e-5));
    }

    #[test]
    fn a_photo_cannot_be_panned_out_of_view() {
        let picture = Size::new(1000, 800);
        let view = CanvasView::Fit.panned(1e6, 0.0, picture, 500.0, 400.0);
        assert!(matches!(view, CanvasView::Free { center, .. } if center.x == 0.0));
    }
}
