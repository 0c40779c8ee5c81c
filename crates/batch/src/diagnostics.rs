//! Diagnostics for a bug report: a description of the program and the machine, without personal data.
//!
//! [`gather`] collects everything in a [`DiagnosisSpec`] into a [`Diagnosis`], which is plain data and can be printed as
//! JSON or text. It takes seconds if runtimes have to be tested first, and never hangs: everything that could hang runs in
//! a child process with a timeout. The worker's probes lane runs it. The text is always in English.

mod folders;
mod gather;
mod graphics;
mod log;
mod machine;
mod redact;
mod settings;
mod text;
mod trial;

pub use folders::FolderFacts;
pub use gather::{Diagnosis, DiagnosisSpec, LibraryFacts, ModelFacts, RuntimeFacts, WindowFacts, gather};
pub use log::LoggedError;
pub use machine::{DisplayFacts, MachineFacts};
pub use settings::SettingsFacts;
pub use trial::CropTrial;
