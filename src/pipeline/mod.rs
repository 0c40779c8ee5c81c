//! The one corridor: calls the rooms in order and stamps the time each takes. No state, no threads.
//!
//! Preview, export and command line all come through here.

mod claims;
mod corridor;
mod crop_facts;
mod desk;
mod error;
mod export;
mod report;
mod sheet;
mod stages;

pub(crate) use corridor::panic_message;
pub use corridor::{
    Examined, Eyes, FaceChoice, Look, MakeRoom, Order, decode_part, embedded_thumbnail, examine, export_item,
    preview_crop,
};
pub use desk::{Alone, Desk, Turn};
pub use error::StageError;
pub use report::{CropReport, Depth, ItemReport, OutcomeKind};
pub use stages::{Stage, StageTimes};
