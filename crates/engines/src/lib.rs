//! The inference runtimes of this build: the catalogue, opening a session, and finding the libraries of runtimes.
//!
//! [`offered_runtimes`] lists the runtimes available on this system, [`open_session`] opens a session of one. If it
//! cannot be opened, that is an error; there is no fallback to another runtime.
//!
//! - `catalogue.rs`: the list of engines.
//! - `tract.rs`, `rten.rs`: pure Rust engines, compiled into the program.
//! - `ort.rs`: ONNX Runtime with its execution providers; `devices.rs`: their devices. Its library is loaded at run time from an
//!   absolute path, only if its telemetry is disabled (`telemetry.rs`).
//! - `litert.rs`: LiteRT, whose library is loaded likewise; `litert_api.rs`: the functions of its C interface.
//! - `locate.rs`: [`find_library`] searches the documented places for a library.
//! - `probe.rs`: [`probe`] runs a child process that tries a library first, since it may crash or hang.
//! - `compile_cache.rs`: the disk cache of graphs compiled by engines, limited in size.
//! - `engine-candle`, `engine-burn`: separate crates for comparisons, optional features of the build.
//!
//! An engine's crate is used in its own file only.

mod catalogue;
#[cfg(feature = "ort")]
mod compile_cache;
#[cfg(feature = "ort")]
mod devices;
#[cfg(windows)]
mod job;
#[cfg(feature = "litert")]
mod litert;
#[cfg(feature = "litert")]
mod litert_api;
mod locate;
#[cfg(feature = "ort")]
mod ort;
#[cfg(feature = "ort")]
mod ort_message;
#[cfg(feature = "ort")]
mod ort_providers;
pub mod probe;
#[cfg(feature = "rten")]
mod rten;
#[cfg(feature = "ort")]
mod telemetry;
#[cfg(feature = "tract")]
mod tract;

pub use catalogue::{devices, is_included, offered_runtimes, open_session, runtimes_in_library};
pub use locate::{Found, LibraryHints, LibrarySearch, Place, SearchStep, find_library, library_variables};
