//! One photo from its file to its crops: calls the stages in order and stamps the time each takes. No state, no threads.
//!
//! Preview, export and command line all come through here.

mod claims;
mod corridor;
mod crop_facts;
mod desk;
mod export;
mod name_book;
mod originals;
mod sheet;

pub use corridor::{
    Examined, Eyes, Look, MakeRoom, Order, decode_part, embedded_thumbnail, examine, export_item, panic_message,
    preview_crop,
};
pub use desk::{Alone, Desk, Turn};
pub use name_book::{Claim, NameBook, sheet_stem};
pub use originals::Originals;
