//! The only owner of sessions and the only maker of threads.
//!
//! Front ends send a [`Request`] through a [`WorkerHandle`] and drain [`Reply`]s from it; neither call blocks. Inside there are
//! four lanes, each a thread with requests of its own type, so that none waits for another. The session lane owns the detector,
//! looks at single photos and starts the threads of a batch. The files lane walks folders and writes settings, the probes lane
//! tries runtimes and models, the thumbnails lane finds small copies of photos.
//! After each reply the worker calls the wake closure it was given: the window asks for a repaint there.

mod batch;
mod detection_queue;
mod event;
mod faults;
mod files_lane;
mod handle;
mod ids;
mod job;
mod lane;
mod opening;
mod outbox;
mod pasted;
mod port;
mod previous_runs;
mod probes_lane;
mod project_task;
mod projects;
mod queue;
mod reader_process;
mod recent;
mod request;
mod scheduler;
mod session_lane;
mod sessions;
mod thread;
mod thumbnails;
mod thumbnails_lane;
mod tickets;
mod watching;

pub use event::{Event, ModelPage, Reply, SecondaryDetection, SecondaryTimes};
pub use faults::{DescribeError, PasteError, RunNote, StopReason, TextError, WatchProblem};
pub use handle::WorkerHandle;
pub use ids::{ItemId, RequestId};
pub use job::{ExportItem, ExportJob, JournalSpec, PhotoRef};
pub use opening::{OpenDetector, OpenRequest};
pub use outbox::Wake;
pub use port::WorkerPort;
pub use previous_runs::{PreviousRun, RunQuery, RunsOf};
pub use project_task::{EndedBefore, LostList, ProjectEvent, ProjectFault, ProjectTask};
pub use reader_process::{serve_read_request, set_child_program};
pub use request::{FilesRequest, ProbesRequest, Request, SessionRequest, ThumbnailsRequest};

pub use crate::journal::{JournalPlace, Shard};
pub use crate::platform::end_at_once;
pub use crate::report::{ReportFormat, Summary as ReportSummary, check_free as check_report_free};
pub use inference::ModelBytes;
pub use inference::onnx::{ModelSummary, ValueSummary, WireError};
pub use pipeline::Originals;
pub use thread::spawn_named;
