//! The pipeline for one photo, from its file to its crops: shared by preview, export, command line and runtime comparison.
//!
//! [`export_item`] has four steps, each with its result: *find* (the faces and the image they were found on), *plan* (which
//! faces are cropped, and the frames), *claim* (a file name for each crop, in list order), *write* (render, encode, save).
//! The depth in [`ExportOptions`] sets the last step. [`examine`] is *find* alone; [`preview_crop`] renders one crop for
//! the screen.
//!
//! Start with `export.rs` for the steps and `runner.rs` for the stages: each stage is timed, logged and has its panics
//! caught, so that a photo that fails never stops the others. This crate has no threads and no state of its own: memory
//! reservation, list order, names and file writes come from the batch through the trait [`ExportContext`]. [`NameBook`]
//! assigns each name once and never replaces a source photo ([`Originals`]).
//!
//! A photo holds one decoded image at a time: the smaller one is dropped before a larger one is decoded.

mod background;
mod cards;
mod claimed_file;
mod claims;
mod context;
mod crop_facts;
mod export;
mod find;
mod name_book;
mod options;
mod originals;
mod outputs;
mod preview;
mod runner;
mod sheet;

pub use background::crop_request;
pub use cards::read_cards;
pub use context::{Admission, ExportContext, SequentialContext};
pub use export::export_item;
pub use find::{examine, find_faces};
pub use name_book::{Claim, NameBook, sheet_stem};
pub use options::{DetectorHandle, Examined, ExportOptions, PhotoSource, ReserveMemory};
pub use originals::Originals;
pub use preview::{decode_part, embedded_thumbnail, preview_crop};
pub use runner::panic_message;
