//! Where heads are: the model of [`crate::geometry`], whose detector side measures along its axis, too.

pub use crate::geometry::{HeadDoubt, HeadEstimate, estimate_head};

/// Degrees between two directions, 0 to 180.
pub(super) fn turned_between(a: f32, b: f32) -> f32 {
    ((a - b + 180.0).rem_euclid(360.0) - 180.0).abs()
}
