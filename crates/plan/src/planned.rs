//! Geometry of one planned crop with a rotated frame.

use geometry::{Face, ManualFrame, PixelRect, Point, Rect, RotatedSquare, Size, Transform, clip_convex, polygon_area};
use recipe::CropSpec;

/// The source frame and the output size of one crop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedCrop {
    /// Index of the face in the planned face list.
    pub face_index: usize,
    /// The frame in the upright image, before its rotation about its center by [`PlannedCrop::angle`]. It extends
    /// beyond the image unless the policy is [`EdgePolicy::Shrink`](recipe::EdgePolicy::Shrink).
    pub frame: PixelRect,
    /// Clockwise rotation of the frame about its center in degrees, above -180 to 180. The crop shows the frame
    /// upright, so the image appears rotated the other way.
    pub angle: f32,
    /// Output size in pixels.
    pub output: Size,
    /// Share of the crop, 0 to 1, that is outside the image and filled.
    pub padding_share: f32,
    /// Box of the face in the upright image; `None` for a crop without a face.
    pub face: Option<Rect>,
}

impl PlannedCrop {
    /// An unrotated crop of `output` pixels.
    pub const fn upright(frame: PixelRect, output: Size) -> Self {
        Self { face_index: 0, frame, angle: 0.0, output, padding_share: 0.0, face: None }
    }

    /// The crop of a frame set by the user. Its size is `output` if the frame has the same aspect ratio, otherwise the
    /// largest size within `output`. `None` if the frame is not usable or does not overlap the image.
    pub(super) fn manual(
        (face_index, face): (usize, &Face),
        frame: &ManualFrame,
        picture: Size,
        output: Size,
    ) -> Option<Self> {
        if !frame.is_usable() || picture.pixels() == 0 || output.pixels() == 0 {
            return None;
        }
        let angle = frame.angle.rem_euclid(360.0);
        let angle = if angle > 180.0 { angle - 360.0 } else { angle };
        let output = within(frame.width / frame.height, output);
        let mut crop =
            Self { face_index, frame: frame.to_pixels(), angle, output, padding_share: 0.0, face: Some(face.bbox) };
        crop.padding_share = crop.share_outside(picture);
        (crop.padding_share < 1.0).then_some(crop)
    }

    /// Output pixels per source pixel, above 1 if the crop is enlarged.
    pub fn enlargement(&self) -> f32 {
        self.output.height as f32 / self.frame.height.max(1) as f32
    }

    /// Maps crop pixels to pixels of the upright image.
    pub fn image_from_crop(&self) -> Transform {
        let ratio = |from: u32, to: u32| f64::from(from) / f64::from(to.max(1));
        let (across, down) = (ratio(self.frame.width, self.output.width), ratio(self.frame.height, self.output.height));
        let scaled = Transform::scale_then_move(across, down, self.frame.x.into(), self.frame.y.into());
        scaled.then(&Transform::rotate_about(self.frame.to_rect().center(), self.angle.into()))
    }

    /// The frame's corners in the upright image: those that become top left, top right, bottom right and bottom left.
    pub fn corners(&self) -> [Point; 4] {
        let frame = self.frame.to_rect();
        let turn = Transform::rotate_about(frame.center(), self.angle.into());
        frame.corners().map(|corner| turn.apply(corner))
    }

    /// The smallest upright rectangle of whole pixels around the rotated frame.
    pub fn bounds(&self) -> PixelRect {
        if self.angle == 0.0 {
            return self.frame;
        }
        let frame = self.frame.to_rect();
        let bounds = Transform::rotate_about(frame.center(), self.angle.into()).apply_rect(frame);
        // A small tolerance keeps quarter turns on whole pixels.
        let (left, top) = ((bounds.x + 0.01).floor(), (bounds.y + 0.01).floor());
        let side = |end: f32, start: f32| ((end - 0.01).ceil() - start).max(1.0) as u32;
        PixelRect::new(left as i32, top as i32, side(bounds.right(), left), side(bounds.bottom(), top))
    }

    /// The part of the image needed for rendering this crop, and the resolution in which it is needed.
    pub fn source_region(&self) -> (PixelRect, Size) {
        let bounds = self.bounds();
        let scale = f64::from(self.enlargement());
        let side = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
        let size = if self.angle == 0.0 { self.output } else { Size::new(side(bounds.width), side(bounds.height)) };
        (bounds, size)
    }

    /// The square part of the image whose person mask is needed to replace the background: the frame with a small margin.
    pub fn mask_square(&self) -> RotatedSquare {
        const MARGIN: f32 = 1.1;
        let side = self.frame.width.max(self.frame.height) as f32 * MARGIN;
        RotatedSquare { center: self.frame.to_rect().center(), side, angle: self.angle }
    }

    /// Share of the crop, 0 to 1, outside an image of `picture` pixels.
    pub fn share_outside(&self, picture: Size) -> f32 {
        if self.angle == 0.0 {
            return self.frame.share_outside(picture);
        }
        let (width, height) = (picture.width as f32, picture.height as f32);
        // Corners on the image's edge count as inside despite rounding errors of the sine.
        let is_inside = |at: f32, length: f32| (-0.01..=length + 0.01).contains(&at);
        let corners = self.corners();
        if corners.iter().all(|corner| is_inside(corner.x, width) && is_inside(corner.y, height)) {
            return 0.0;
        }
        let all = f64::from(self.frame.width) * f64::from(self.frame.height);
        let image = Rect::new(0.0, 0.0, width, height).corners();
        let inside = polygon_area(&clip_convex(&corners, &image));
        if all > 0.0 { (1.0 - inside / all).clamp(0.0, 1.0) as f32 } else { 0.0 }
    }
}

/// The size of a crop that keeps the pixels of `frame`; reduced if a side exceeds [`CropSpec::MAX_SIDE`].
pub(super) fn original_size(frame: PixelRect) -> Size {
    let longer = f64::from(frame.width.max(frame.height));
    let scale = (f64::from(CropSpec::MAX_SIDE) / longer).min(1.0);
    let side = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
    Size::new(side(frame.width), side(frame.height))
}

/// True if `frame` has the aspect ratio of `output` to the pixel.
pub(super) fn has_aspect(frame: &ManualFrame, output: Size) -> bool {
    within(frame.width / frame.height, output) == output
}

/// The largest size of this aspect ratio (width over height) within `max`; `max` itself if it has the same aspect ratio
/// to the pixel.
fn within(aspect: f32, max: Size) -> Size {
    let (width, height) = (max.width as f32, max.height as f32);
    let (across, down) = (height * aspect, width / aspect);
    // One pixel of rounding in a frame's side is not another aspect ratio.
    if (across - width).abs() <= width.max(height) / 200.0 {
        return max;
    }
    let side = |side: f32, max: u32| (side.round() as u32).clamp(1, max);
    if across < width {
        Size::new(side(across, max.width), max.height)
    } else {
        Size::new(max.width, side(down, max.height))
    }
}

#[cfg(test)]
mod tests;
