//! Geometry as pure data: sizes, rectangles, transforms, EXIF orientations, faces and heads.
//!
//! No pixels, no files, no clock. Unless a name says otherwise, coordinates are pixels of the *upright image* (after
//! applying the EXIF orientation): x to the right, y down, (0, 0) at the top left corner of the top left pixel, so that
//! a pixel's centre is at (0.5, 0.5). Angles are in degrees, clockwise.
//!
//! - [`Size`], [`Point`], [`Rect`], [`PixelRect`] and [`RotatedSquare`] are the basic shapes. [`Transform`] maps one
//!   coordinate space to another; the name of a value states which (`image_from_model`). [`clip_convex`] and [`polygon_area`] work on
//!   convex polygons.
//! - [`Orientation`] is one of the eight EXIF orientations.
//! - [`Face`] is a detection: box, five landmarks, confidence score and measurements ([`FaceMeasures`]).
//! - [`FaceMesh`] and [`MaskMeasures`] are what the landmark models and the person mask say about a head.
//! - [`Head`] is the input of framing: eye line, crown, chin and roll. [`estimate_head`] takes it from the mesh, or
//!   computes it from the box and the five landmarks, with a reason if the estimate is unreliable ([`HeadDoubt`]).
//! - [`ManualFrame`] is a crop frame set by the user; [`Grip`] is one of its handles.

mod face;
mod face_mesh;
mod head;
mod head_model;
mod manual_frame;
mod orientation;
mod polygon;
mod rect;
mod rotated_square;
mod size;
mod transform;

pub use face::{Face, FaceMeasures, Landmark};
pub use face_mesh::{BackgroundMeasures, EyeMeasures, FaceMesh, HairTop, MaskMeasures};
pub use head::Head;
pub use head_model::{HeadDoubt, HeadEstimate, estimate_head};
pub use manual_frame::{Grip, ManualFrame};
pub use orientation::Orientation;
pub use polygon::{clip_convex, polygon_area};
pub use rect::{PixelRect, Point, Rect};
pub use rotated_square::RotatedSquare;
pub use size::Size;
pub use transform::Transform;
