//! The inference runtimes of this build: which there are, opening them, and where their libraries lie.
//!
//! [`offered_runtimes`] lists what a person can be offered on this system, and [`open_session`] opens one of them. A runtime that was
//! named is opened or refused with its reason; nothing falls back to another.
//!
//! - `tract.rs` and `rten.rs` are pure Rust and part of the program.
//! - `ort.rs` is ONNX Runtime with its execution providers. Its library is loaded at run time from an absolute path, which
//!   [`find_library`] looks for in the documented places. It may crash or hang, so [`probe`] tries it in a process of its own
//!   first; and it is loaded only if its reports are switched off.
//! - `engine-candle` and `engine-burn` are crates of their own, to be compared with, and part of a build only on request.
//!
//! Each engine is named in its own file and nowhere else. What engines compile for a device is kept in a folder with a limit
//! (`compiled.rs`).

mod catalogue;
#[cfg(feature = "ort")]
mod compiled;
#[cfg(feature = "ort")]
mod devices;
#[cfg(windows)]
mod job;
mod locate;
#[cfg(feature = "ort")]
mod ort;
pub mod probe;
#[cfg(feature = "rten")]
mod rten;
#[cfg(feature = "ort")]
mod telemetry;
#[cfg(feature = "tract")]
mod tract;

pub use catalogue::{is_included, offered_runtimes, open_session};
pub use locate::{
    Found, LIBRARY_VARIABLES, LibraryHints, LibrarySearch, Place, SearchStep, find_library, resolve_library,
};
