//! The front ends: the window and the command line.
//!
//! Both use one worker (`batch::worker`): they send requests, drain events, and show plain data (`recipe`, `outcome`).
//! Neither decodes, detects, renders or encodes; the crates that do are not dependencies of this one.

mod background_colors;
pub mod cli;
#[cfg(feature = "window")]
pub mod ui;
