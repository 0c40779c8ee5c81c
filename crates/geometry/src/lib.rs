//! Pure numbers: sizes, rectangles, transforms, EXIF orientation and the face measured in them.
//!
//! Everything here is data in, data out. Unless a name says otherwise, coordinates are pixels of the
//! *upright picture*: x to the right, y down, (0, 0) at the top left corner of the top left pixel.

mod face;
mod hand_frame;
mod head;
mod head_model;
mod orientation;
mod polygon;
mod rect;
mod size;
mod transform;

pub use face::{Face, FaceMeasures, Landmark};
pub use hand_frame::{Grip, HandFrame};
pub use head::Head;
pub use head_model::{HeadDoubt, HeadEstimate, estimate_head};
pub use orientation::Orientation;
pub use polygon::{clip_convex, polygon_area};
pub use rect::{PixelRect, Point, Rect};
pub use size::Size;
pub use transform::Transform;
