//! Pure numbers: sizes, rectangles, transforms, orientations, and the face and the head that are measured in them.
//!
//! Everything here is data in, data out: no pixels, no files, no clock. Unless a name says otherwise, coordinates are pixels of the
//! *upright picture* (after the EXIF orientation was applied): x to the right, y down, (0, 0) at the top left corner of the top
//! left pixel, so that a pixel's centre lies at (0.5, 0.5). Angles are degrees, clockwise.
//!
//! - [`Size`], [`Point`], [`Rect`] and [`PixelRect`] are the plain shapes; [`Transform`] maps one space onto another, and its name says
//!   which (`image_from_model`). [`clip_convex`] and [`polygon_area`] work on convex polygons.
//! - [`Orientation`] is EXIF's eight ways in which a picture may be stored.
//! - [`Face`] is what a detector found: a box, five landmarks, a score, and what was measured of it ([`FaceMeasures`]).
//! - [`Head`] is what framing needs: eye line, crown, chin, roll. [`estimate_head`] makes one from the five landmarks and says how sure
//!   it is ([`HeadDoubt`]).
//! - [`ManualFrame`] is a crop frame that a person has drawn, with the moves of its handles ([`Grip`]).

mod face;
mod head;
mod head_model;
mod manual_frame;
mod orientation;
mod polygon;
mod rect;
mod size;
mod transform;

pub use face::{Face, FaceMeasures, Landmark};
pub use head::Head;
pub use head_model::{HeadDoubt, HeadEstimate, estimate_head};
pub use manual_frame::{Grip, ManualFrame};
pub use orientation::Orientation;
pub use polygon::{clip_convex, polygon_area};
pub use rect::{PixelRect, Point, Rect};
pub use size::Size;
pub use transform::Transform;
