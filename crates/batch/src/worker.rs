//! The background worker: it owns all inference sessions and all threads.
//!
//! Front ends send a [`Request`] through a [`WorkerHandle`] and receive [`Reply`]s from it; neither call blocks. The worker
//! has five lanes, each a thread with its own request type, so that no lane waits for another:
//!
//! - the session lane (`session_lane.rs`, requests wait in `mailbox.rs`) owns the detector, handles single photos
//!   (`photo_handler.rs`) and starts the worker threads of a batch (`batch.rs`, scheduled by `scheduler.rs`);
//! - the files lane walks and watches folders, and reads and writes settings, projects and reports;
//! - the probes lane tests runtimes and models;
//! - the thumbnails lane finds existing thumbnails, and reads cards;
//! - the camera lane sends the frames of an open camera; there is none without cameras.
//!
//! After each reply the worker calls the wake closure; the window requests a repaint in it.

mod batch;
mod camera_frame;
mod camera_lane;
mod cards;
mod event;
mod face_store;
mod faults;
mod files_lane;
mod handle;
mod ids;
mod job;
mod lane;
mod mailbox;
mod names;
mod opening;
mod outbox;
mod own_crops;
mod package_note;
mod pasted;
mod pending;
mod photo_cache;
mod photo_handler;
mod port;
mod previous_runs;
mod probes_lane;
mod project_task;
mod projects;
mod reader_process;
mod recent;
mod request;
mod scheduler;
mod session_lane;
mod sessions;
mod thread;
mod thumbnails;
mod thumbnails_lane;
mod watching;

pub use batch::package_files;
pub use camera_frame::CameraFrame;
pub use event::{CameraEnd, Event, ModelPage, Reply, SecondaryDetection, SecondaryTimes};
pub use faults::{DescribeError, PasteError, RunNote, StopReason, TextError, WatchProblem};
pub use handle::WorkerHandle;
pub use ids::{ItemId, RequestId};
pub use job::{ExportItem, ExportJob, JournalSpec, PhotoRef};
pub use names::{NAME_LIST_EXTENSIONS, Namer, Names, NamesQuery, PhotoToName, UnknownPreset, UsedList, is_name_list};
pub use opening::{OpenDetector, OpenRequest};
pub use outbox::Wake;
pub use package_note::PackageNote;
pub use port::WorkerPort;
pub use previous_runs::{PreviousRun, RunQuery, RunsOf};
pub use project_task::{CrashedSessions, ProjectEvent, ProjectFault, ProjectTask, RecoverableList};
pub use reader_process::{serve_read_request, set_child_program};
pub use request::{CameraRequest, FilesRequest, ProbesRequest, Request, SessionRequest, ThumbnailsRequest};

pub use crate::journal::{JournalPlace, Shard};
pub use crate::platform::end_at_once;
pub use crate::report::{ReportFormat, Summary as ReportSummary, check_free as check_report_free};
pub use inference::ModelBytes;
pub use inference::onnx::{ModelSummary, ValueSummary, WireError};
pub use pipeline::Originals;
pub use thread::spawn_named;
pub use webcam::{Camera, CameraError};
