//! The only owner of sessions and the only maker of threads.
//!
//! Front ends send a [`Request`] through a [`WorkerHandle`] and drain [`Reply`]s from it; neither call blocks. Inside,
//! one thread owns the detector and walks the corridor; two clerks run errands that must neither wait for a photo nor make
//! one wait: one walks folders and writes settings, the other tries runtimes and models.
//! After each reply the worker calls the wake closure it was given: the window asks for a repaint there.

mod batch;
mod clerk;
mod handle;
mod protocol;
mod queue;
mod recent;
mod run;
mod thread;

pub use handle::{OpenDetector, OpenOrder, Wake, WorkerHandle};
pub use protocol::{
    CompanionLook, CompanionTimes, Event, ExportItem, ExportJob, ItemId, ModelPage, OpenError, PhotoRef, Reply,
    Request, RequestId, WorkerPort,
};

pub use crate::pipeline::FaceChoice;
pub use thread::spawn_named;
