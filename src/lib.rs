//! Iron Cropper: a folder of photos in, well-framed face crops out.
//!
//! A tour of the house, in the order a photo passes through it:
//!
//! 1. [`import`] turns paths into a list of pictures; it never decodes.
//! 2. [`decode`] makes one upright [`decode::Picture`] of a file, within limits.
//! 3. [`detect`] fits the picture into the model's input, has a [`backend`] run the model, and reads faces out of it.
//! 4. [`plan`] chooses faces and frames them: pure numbers, done again whenever a slider moves.
//! 5. [`render`] resamples the frame straight from the picture's pixels.
//! 6. [`encode`] names and writes the file, whole or not at all.
//!
//! [`naming`] says what crops are called, and [`name_list`] reads lists that say it of each photo.
//!
//! [`journal`] notes what became of each photo of a run, and [`report`] tells of it.
//!
//! [`latency`] tries runtimes and times them side by side. [`diagnostics`] says what those who help need to know. [`project`] keeps a list and what was decided about it in a file.
//!
//! [`pipeline`] is the one corridor past these rooms. [`worker`] is the only maker of threads and walks the corridor for
//! the two front ends: `ui`, the window, and [`cli`], the command line. [`geometry`], [`cancel`], [`settings`] and
//! [`platform`] are what the others stand on. Who may use whom is a table in `docs/architecture.md`, kept true by a test.

pub mod backend;
pub mod cancel;
pub mod cli;
pub mod decode;
pub mod detect;
pub mod diagnostics;
pub mod encode;
pub mod geometry;
pub mod import;
pub mod journal;
pub mod latency;
pub mod name_list;
pub mod naming;
pub mod pipeline;
pub mod plan;
pub mod platform;
pub mod project;
pub mod render;
pub mod report;
pub mod settings;
#[cfg(feature = "window")]
pub mod ui;
pub mod worker;
