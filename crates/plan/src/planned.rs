//! Where one crop is taken from: the arithmetic of turned frames.

use geometry::{ManualFrame, PixelRect, Point, Rect, Size, Transform, clip_convex, polygon_area};

/// Where one face's crop is taken from and how large it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedCrop {
    /// Index of the face in the list that was planned from.
    pub face_index: usize,
    /// The part of the upright picture to show, before it is turned about its own middle by [`PlannedCrop::angle`]; reaches
    /// beyond the picture unless the policy is [`EdgePolicy::Shrink`](recipe::EdgePolicy::Shrink).
    pub frame: PixelRect,
    /// Degrees, above -180 to 180, that the frame is turned clockwise about its middle. The crop shows what is in the frame
    /// with the frame's top up, so the picture appears turned the other way.
    pub angle: f32,
    /// Pixels of the written crop.
    pub output: Size,
    /// Share of the crop, 0 to 1, that lies outside the picture and is filled.
    pub padding_share: f32,
}

impl PlannedCrop {
    /// A part of the picture as it is, `output` pixels large.
    pub const fn upright(frame: PixelRect, output: Size) -> Self {
        Self { face_index: 0, frame, angle: 0.0, output, padding_share: 0.0 }
    }

    /// The crop of a frame that a person has set, `output` pixels large where the frame has its proportions, else as large as it
    /// can be within them. `None` for numbers that give no frame, and where none of it would show the picture.
    pub(super) fn manual(face_index: usize, frame: &ManualFrame, picture: Size, output: Size) -> Option<Self> {
        if !frame.is_usable() || picture.pixels() == 0 || output.pixels() == 0 {
            return None;
        }
        let angle = frame.angle.rem_euclid(360.0);
        let angle = if angle > 180.0 { angle - 360.0 } else { angle };
        let output = within(frame.width / frame.height, output);
        let mut crop = Self { face_index, frame: frame.to_pixels(), angle, output, padding_share: 0.0 };
        crop.padding_share = crop.share_outside(picture);
        (crop.padding_share < 1.0).then_some(crop)
    }

    /// Output pixels per source pixel, above 1 where the crop is enlarged.
    pub fn enlargement(&self) -> f32 {
        self.output.height as f32 / self.frame.height.max(1) as f32
    }

    /// Takes pixels of the crop to pixels of the upright picture.
    pub fn picture_from_crop(&self) -> Transform {
        let ratio = |from: u32, to: u32| f64::from(from) / f64::from(to.max(1));
        let (across, down) = (ratio(self.frame.width, self.output.width), ratio(self.frame.height, self.output.height));
        let scaled = Transform::scale_then_move(across, down, self.frame.x.into(), self.frame.y.into());
        scaled.then(&Transform::rotate_about(self.frame.to_rect().center(), self.angle.into()))
    }

    /// The frame's corners in the upright picture: those that become top left, top right, bottom right and bottom left.
    pub fn corners(&self) -> [Point; 4] {
        let frame = self.frame.to_rect();
        let turn = Transform::rotate_about(frame.center(), self.angle.into());
        frame.corners().map(|corner| turn.apply(corner))
    }

    /// The smallest upright rectangle of whole pixels around the turned frame.
    pub fn bounds(&self) -> PixelRect {
        if self.angle == 0.0 {
            return self.frame;
        }
        let frame = self.frame.to_rect();
        let around = Transform::rotate_about(frame.center(), self.angle.into()).apply_rect(frame);
        // A hair of tolerance keeps quarter turns on whole pixels.
        let (left, top) = ((around.x + 0.01).floor(), (around.y + 0.01).floor());
        let side = |end: f32, start: f32| ((end - 0.01).ceil() - start).max(1.0) as u32;
        PixelRect::new(left as i32, top as i32, side(around.right(), left), side(around.bottom(), top))
    }

    /// The part of the picture that is needed to render this crop, and the pixels it is needed with.
    pub fn wanted_part(&self) -> (PixelRect, Size) {
        let bounds = self.bounds();
        let scale = f64::from(self.enlargement());
        let side = |length: u32| ((f64::from(length) * scale).round() as u32).max(1);
        let size = if self.angle == 0.0 { self.output } else { Size::new(side(bounds.width), side(bounds.height)) };
        (bounds, size)
    }

    /// Share of the crop, 0 to 1, that lies outside a picture of `picture` pixels.
    pub fn share_outside(&self, picture: Size) -> f32 {
        if self.angle == 0.0 {
            return self.frame.share_outside(picture);
        }
        let (width, height) = (picture.width as f32, picture.height as f32);
        // Corners on the picture's edge, but for the rounding of sines, are inside: nothing would be seen of what is not.
        let is_inside = |at: f32, length: f32| (-0.01..=length + 0.01).contains(&at);
        let corners = self.corners();
        if corners.iter().all(|corner| is_inside(corner.x, width) && is_inside(corner.y, height)) {
            return 0.0;
        }
        let all = f64::from(self.frame.width) * f64::from(self.frame.height);
        let room = Rect::new(0.0, 0.0, width, height).corners();
        let inside = polygon_area(&clip_convex(&corners, &room));
        if all > 0.0 { (1.0 - inside / all).clamp(0.0, 1.0) as f32 } else { 0.0 }
    }
}

/// The largest size of this aspect (width over height) within `most`; `most` itself where the aspect is the same to the pixel.
fn within(aspect: f32, max: Size) -> Size {
    let (width, height) = (max.width as f32, max.height as f32);
    let (across, down) = (height * aspect, width / aspect);
    // One pixel of rounding in a frame's side is not another shape.
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
