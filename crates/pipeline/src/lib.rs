//! One photo from its file to its crops: the only way through, for preview, export, command line and comparison.
//!
//! [`export_item`] goes in four steps, each with its product: *find* (the photo's faces and the picture they were found on), *plan*
//! (which faces are cropped, and where), *claim* (a name for each crop, in the photo's turn), *write* (render, encode, save). How far
//! it goes is the [`Order`]'s depth. [`examine`] is *find* alone; [`preview_crop`] renders one crop for the screen.
//!
//! Each stage is timed, logged and has its panic caught (`walk.rs`), so that a photo that fails never stops the others.
//! There are no threads and there is no state here: what a photo needs of the run that it belongs to (memory, its turn, names, the
//! disk) comes through the trait [`Desk`]. [`NameBook`] gives each name out once and replaces no photo ([`Originals`]).
//!
//! A photo holds one picture at a time: before a larger one is decoded, the smaller one goes.

mod claimed_file;
mod claims;
mod crop_facts;
mod desk;
mod export;
mod find;
mod name_book;
mod order;
mod originals;
mod preview;
mod sheet;
mod walk;

pub use desk::{Alone, Desk, Turn};
pub use export::export_item;
pub use find::examine;
pub use name_book::{Claim, NameBook, sheet_stem};
pub use order::{Examined, Eyes, Look, MakeRoom, Order};
pub use originals::Originals;
pub use preview::{decode_part, embedded_thumbnail, preview_crop};
pub use walk::panic_message;
