//! Results as plain data: reports and errors.
//!
//! The results computed by the other crates and shown by the front ends are types of this crate:
//!
//! - [`PhotoInfo`], [`Damage`], [`Moment`]: format, size, condition and capture time of a decoded photo.
//! - [`CardCode`]: a code on a card that a photo shows.
//! - [`Detection`], [`PassReport`]: the detected faces and the passes that found them.
//! - [`RuntimeInUse`], [`SessionInfo`], [`RuntimeReport`]: the inference runtime.
//! - [`ItemReport`], [`CropReport`]: the outcome of one photo and of each of its crops.
//! - [`Stage`], [`StageTimes`]: the stages of the pipeline and the time spent in each.
//!
//! Every crate that can fail has its error type here: [`DecodeError`], [`DetectError`], [`RenderError`],
//! [`EncodeError`], [`BackendError`] with [`LibraryError`], [`OpenError`], and [`StageError`], which wraps the error of
//! any stage. `Display` of an error is one English sentence with the file or the runtime, the cause and the remedy. The
//! window matches on the variants and translates them itself.
//!
//! The types have constructors, accessors and `Display`, and no further behaviour. Front ends can therefore depend on
//! this crate without the crates that decode, detect or encode.

mod auto_reason;
mod bad_end;
mod card;
mod decode_error;
mod detect_error;
mod detection;
mod device;
mod encode_error;
mod item_report;
mod library_problem;
mod model_fault;
mod moment;
mod notes;
mod open_error;
mod person_mask;
mod picture;
mod render_error;
mod runtime;
mod runtime_error;
mod runtime_fault;
mod runtime_report;
mod stage_error;
mod stages;
mod written;

pub use auto_reason::{AutoReason, Obstacle};
pub use bad_end::BadEnd;
pub use card::{CardCode, CodeKind};
pub use decode_error::DecodeError;
pub use detect_error::DetectError;
pub use detection::{Detection, FaceModelFault, PassReport, PassResult, PassScale, PassSpec};
pub use device::{Device, device_lines, device_list};
pub use encode_error::EncodeError;
pub use item_report::{CropReport, ItemReport, OutcomeKind};
pub use library_problem::{LibraryAdvice, LibraryProblem};
pub use model_fault::{ModelFault, model_title};
pub use moment::Moment;
pub use notes::{CropNote, ItemNote, PictureNote};
pub use open_error::OpenError;
pub use person_mask::PersonMask;
pub use picture::{Channels, Damage, DisplayCopy, PhotoInfo, PictureFormat, PixelLayout};
pub use render_error::RenderError;
pub use runtime::{OutputInfo, RuntimeInUse, SessionInfo};
pub use runtime_error::{BackendError, LibraryError, TELEMETRY_VARIABLE};
pub use runtime_fault::RuntimeFault;
pub use runtime_report::{ModelReport, RuntimeReport, RuntimeState};
pub use stage_error::{BackgroundFault, NoRuntime, PairedFault, StageError};
pub use stages::{Stage, StageTimes};
pub use written::Written;
