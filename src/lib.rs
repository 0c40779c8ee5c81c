//! What a person touches: the window and the command line.
//!
//! Both are front ends of one worker (`batch::worker`): they send it requests, drain its events, and show plain data
//! (`recipe`, `outcome`). Neither decodes, detects, renders or encodes; the crates that do are not dependencies of this one.

pub mod cli;
#[cfg(feature = "window")]
pub mod ui;
