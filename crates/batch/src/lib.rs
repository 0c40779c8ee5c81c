//! Batch processing: the background worker used by the window and the command line, and the files it maintains.
//!
//! Start with [`worker`], which owns all threads: front ends send it requests and receive its events. It opens runtimes,
//! detects faces, runs batches, walks folders and writes files. The other modules:
//!
//! - [`journal`]: a write-ahead log of each run, from which an interrupted run can be resumed; [`report`] is generated from
//!   journals.
//! - [`project`]: a file with a list of photos and the edits to each; [`settings`]: the settings file.
//! - [`latency`]: tests runtimes in child processes, chooses one for `auto`, and benchmarks them side by side.
//! - [`diagnostics`]: a description of the program and the machine for bug reports, without personal data.
//! - [`platform`]: the user's folders, logging, the console, and process exit.
//!
//! The crate `pipeline` processes a single photo. This crate adds what a batch needs: scheduling, a memory budget, unique
//! names, and pause, cancel and resume.

pub mod diagnostics;
pub mod journal;
pub mod latency;
pub mod platform;
pub mod project;
pub mod report;
pub mod settings;
pub mod worker;
