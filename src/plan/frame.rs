//! The crop frame of one face.

use super::{CropSpec, EdgePolicy, Position};
use crate::geometry::{Face, PixelRect, Point, Rect, Size};

/// A frame's side is never longer than this, so that sums of positions and sides stay inside `i32`.
const MAX_FRAME_SIDE: f32 = 1e8;

/// The frame around `face`; `None` for an empty picture or where no part of the frame would show the picture.
pub(super) fn frame_face(face: &Face, picture: Size, spec: &CropSpec) -> Option<PixelRect> {
    if picture.pixels() == 0 || spec.output.pixels() == 0 {
        return None;
    }
    let height = face.bbox.height / spec.face_height.clamp(CropSpec::MIN_FACE_HEIGHT, 1.0);
    let wanted = Frame { height: height.min(MAX_FRAME_SIDE), aspect: spec.aspect(), anchor: anchor(face, spec) };
    let rect = match spec.edge {
        EdgePolicy::Pad => wanted.rect(),
        EdgePolicy::Shrink => moved_inside(&wanted, picture),
    };
    let frame = to_pixels(rect, spec.edge, picture);
    frame.clipped_to(picture).map(|_| frame)
}

/// A point of the picture and the share of the crop's width and height at which it is shown.
struct Anchor {
    in_picture: Point,
    share_x: f32,
    share_y: f32,
}

fn anchor(face: &Face, spec: &CropSpec) -> Anchor {
    let center = face.bbox.center();
    match spec.position {
        Position::Center => Anchor { in_picture: center, share_x: 0.5, share_y: 0.5 },
        Position::UpperThird => {
            Anchor { in_picture: Point::new(center.x, face.eye_center().y), share_x: 0.5, share_y: 1.0 / 3.0 }
        }
        Position::Offset { right, down } => {
            let share = |offset: f32| 0.5 + if offset.is_finite() { offset.clamp(-0.5, 0.5) } else { 0.0 };
            Anchor { in_picture: center, share_x: share(right), share_y: share(down) }
        }
    }
}

struct Frame {
    height: f32,
    aspect: f32,
    anchor: Anchor,
}

impl Frame {
    fn rect(&self) -> Rect {
        self.scaled(1.0)
    }

    /// The frame made smaller by `scale` with the anchor kept at its share.
    fn scaled(&self, scale: f32) -> Rect {
        let (height, width) = (self.height * scale, self.height * self.aspect * scale);
        let Anchor { in_picture, share_x, share_y } = self.anchor;
        Rect::new(in_picture.x - width * share_x, in_picture.y - height * share_y, width, height)
    }
}

/// The frame inside the picture that is as large as asked for, or as the picture allows, and then as near to where it was
/// as it can be: the face keeps its share of the height, and stands off its place only as far as the edge demands.
fn moved_inside(wanted: &Frame, picture: Size) -> Rect {
    let (picture_width, picture_height) = (picture.width as f32, picture.height as f32);
    let full = wanted.rect();
    let fits_picture = (picture_width / full.width).min(picture_height / full.height).min(1.0);
    let mut rect = wanted.scaled(fits_picture);
    rect.x = rect.x.clamp(0.0, (picture_width - rect.width).max(0.0));
    rect.y = rect.y.clamp(0.0, (picture_height - rect.height).max(0.0));
    rect
}

fn to_pixels(rect: Rect, edge: EdgePolicy, picture: Size) -> PixelRect {
    let mut frame = PixelRect::new(
        rect.x.round() as i32,
        rect.y.round() as i32,
        (rect.width.round() as u32).max(1),
        (rect.height.round() as u32).max(1),
    );
    if edge == EdgePolicy::Shrink {
        frame.width = frame.width.min(picture.width);
        frame.height = frame.height.min(picture.height);
        frame.x = frame.x.clamp(0, (picture.width - frame.width) as i32);
        frame.y = frame.y.clamp(0, (picture.height - frame.height) as i32);
    }
    frame
}
