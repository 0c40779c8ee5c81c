//! What became of it: reports and errors as plain data.
//!
//! What the crates above find out, and front ends show, is a type of this crate: what a file turned out to hold ([`PhotoInfo`],
//! [`Damage`]), the faces found and the passes that found them ([`Detection`], [`PassReport`]), the runtime that did it
//! ([`RuntimeInUse`]), what became of a photo and each of its crops ([`ItemReport`], [`CropReport`]), and how long each
//! stage took ([`StageTimes`]).
//!
//! Each crate that can fail has its error here: [`DecodeError`], [`DetectError`], [`RenderError`], [`EncodeError`],
//! [`BackendError`] with [`LibraryError`], [`OpenError`], and [`StageError`], which holds whichever it was. An error names the file or the runtime,
//! says who is at fault and what to do, in one sentence of English. The window words and translates errors itself, by
//! matching them.
//!
//! Nothing here works: types have constructors, accessors and a way to be shown. Front ends depend on this crate in place of those
//! that decode, detect or encode.

mod auto_why;
mod bad_end;
mod decode_error;
mod detect_error;
mod detection;
mod encode_error;
mod item_report;
mod library_problem;
mod model_fault;
mod notes;
mod open_error;
mod picture;
mod render_error;
mod runtime;
mod runtime_error;
mod runtime_fault;
mod runtime_report;
mod stage_error;
mod stages;
mod written;

pub use auto_why::{AutoWhy, Obstacle};
pub use bad_end::BadEnd;
pub use decode_error::DecodeError;
pub use detect_error::DetectError;
pub use detection::{Detection, PassReport, PassResult, PassScale, PassSpec};
pub use encode_error::EncodeError;
pub use item_report::{CropReport, ItemReport, OutcomeKind};
pub use library_problem::{LibraryAdvice, LibraryProblem};
pub use model_fault::ModelFault;
pub use notes::{CropNote, ItemNote, PictureNote};
pub use open_error::OpenError;
pub use picture::{Channels, Damage, DisplayCopy, PhotoInfo, PictureFormat, PixelLayout};
pub use render_error::RenderError;
pub use runtime::{OutputInfo, RuntimeInUse, SessionInfo};
pub use runtime_error::{BackendError, LibraryError, TELEMETRY_VARIABLE};
pub use runtime_fault::RuntimeFault;
pub use runtime_report::{RuntimeReport, RuntimeState};
pub use stage_error::{NoRuntime, StageError};
pub use stages::{Stage, StageTimes};
pub use written::Written;
