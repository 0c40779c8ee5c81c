//! Many photos: the worker that front ends talk to, and what it keeps.
//!
//! [`worker`] is the only maker of threads. Front ends send it requests and drain its events; it opens runtimes, looks at
//! photos, runs batches, walks folders and writes files. Around it:
//!
//! - [`journal`] notes what became of each photo of a run, so that a run can be resumed, and [`report`] is made of journals.
//! - [`project`] keeps a list of photos and what was decided about it in a file; [`settings`] keep what a person set up.
//! - [`latency`] tries runtimes in processes of their own, chooses one for `auto`, and times them side by side.
//! - [`diagnostics`] describes the program and the machine for those who help, without anything about the person.
//! - [`platform`] knows the person's folders, the log, the console and how a program ends.
//!
//! One photo is the work of the crate `pipeline`; here is what many of them need: order, memory, names that do not clash,
//! pause, cancel, resume.

pub mod diagnostics;
pub mod journal;
pub mod latency;
pub mod platform;
pub mod project;
pub mod report;
pub mod settings;
pub mod worker;
