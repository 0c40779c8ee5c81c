//! Where heads are: the model of [`crate::geometry`], whose detector side measures along its axis, too.

pub use crate::geometry::{HeadDoubt, HeadEstimate, estimate_head};
