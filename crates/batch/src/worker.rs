//! The only owner of sessions and the only maker of threads.
//!
//! Front ends send a [`Request`] through a [`WorkerHandle`] and drain [`Reply`]s from it; neither call blocks. Inside,
//! one thread owns the detector and looks at single photos; hands that it starts for a batch walk the corridor; three clerks run errands that must neither wait for a photo nor make
//! one wait: one walks folders and writes settings, one tries runtimes and models, one finds thumbnails.
//! After each reply the worker calls the wake closure it was given: the window asks for a repaint there.

mod apart;
mod batch;
mod clerk;
mod earlier;
mod event;
mod faults;
mod floor;
mod handle;
mod pasted;
mod projects;
mod protocol;
mod queue;
mod recent;
mod run;
mod sessions;
mod thread;
mod thumbnails;
mod watching;

pub use apart::{read_apart, set_child_program};
pub use earlier::{EarlierRun, RunQuery, RunsOf};
pub use event::{CompanionLook, CompanionTimes, Event, ModelPage, Reply};
pub use faults::{DescribeError, PasteError, RunNote, StopReason, TextError, WatchProblem};
pub use handle::{OpenDetector, OpenOrder, Wake, WorkerHandle};
pub use projects::{EndedBefore, LostList, ProjectErrand, ProjectEvent, ProjectFault};
pub use protocol::{ExportItem, ExportJob, ItemId, JournalSpec, PhotoRef, Request, RequestId, WorkerPort};

pub use crate::journal::{JournalPlace, Shard};
pub use crate::platform::end_at_once;
pub use crate::report::{ReportFormat, Summary as ReportSummary, check_free as check_report_free};
pub use inference::ModelBytes;
pub use inference::onnx::{ModelSummary, ValueSummary, WireError};
pub use pipeline::Originals;
pub use thread::spawn_named;
