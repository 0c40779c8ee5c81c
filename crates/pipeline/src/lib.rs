//! One photo from its file to its crops: the only way through, for preview, export, command line and comparison.
//!
//! [`export_item`] goes in four steps, each with its product: *find* (the photo's faces and the picture they were found on), *plan*
//! (which faces are cropped, and where), *claim* (a name for each crop, in the photo's turn), *write* (render, encode, save). How far
//! it goes is the [`ExportOptions`]'s depth. [`examine`] is *find* alone; [`preview_crop`] renders one crop for the screen.
//!
//! Each stage is timed, logged and has its panic caught (`walk.rs`), so that a photo that fails never stops the others.
//! There are no threads and there is no state here: what a photo needs of the run that it belongs to (memory, its turn, names, the
//! disk) comes through the trait [`ExportContext`]. [`NameBook`] gives each name out once and replaces no photo ([`Originals`]).
//!
//! A photo holds one picture at a time: before a larger one is decoded, the smaller one goes.

mod claimed_file;
mod claims;
mod context;
mod crop_facts;
mod export;
mod find;
mod name_book;
mod options;
mod originals;
mod preview;
mod runner;
mod sheet;

pub use context::{Admission, ExportContext, SequentialContext};
pub use export::export_item;
pub use find::examine;
pub use name_book::{Claim, NameBook, sheet_stem};
pub use options::{DetectorHandle, Examined, ExportOptions, PhotoSource, ReserveMemory};
pub use originals::Originals;
pub use preview::{decode_part, embedded_thumbnail, preview_crop};
pub use runner::panic_message;
