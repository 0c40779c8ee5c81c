//! The only owner of sessions and the only maker of threads.
//!
//! Front ends send a [`Request`] through a [`WorkerHandle`] and drain [`Reply`]s from it; neither call blocks. Inside,
//! one thread owns the detector and walks the corridor; a second one, the clerk, walks folders and writes settings.
//! After each reply the worker calls the wake closure it was given: the window asks for a repaint there.

mod batch;
mod clerk;
mod handle;
mod protocol;
mod queue;
mod recent;
mod run;
mod thread;

pub use handle::{OpenDetector, Wake, WorkerHandle};
pub use protocol::{
    Event, ExportItem, ExportJob, ItemId, MODEL_INPUT, OpenError, PhotoRef, Reply, Request, RequestId, WorkerPort,
};

pub use crate::pipeline::FaceChoice;
pub use thread::spawn_named;
