//! What those who help need to know of a machine and this program on it: one text, without anything about the person.
//!
//! [`gather`] looks at everything a [`DiagnosisSpec`] names and gives a [`Diagnosis`]: plain data, as JSON or as text. It
//! takes seconds where runtimes have to be tried first, and never hangs: whatever may is done in a child process with a time
//! limit. The worker runs it. What is told is in English whatever the window speaks.

mod choices;
mod folders;
mod gather;
mod log;
mod machine;
mod private;
mod text;
mod trial;

pub use choices::SettingsFacts;
pub use folders::FolderFacts;
pub use gather::{Diagnosis, DiagnosisSpec, LibraryFacts, RuntimeFacts, WindowFacts, gather};
pub use log::LoggedError;
pub use machine::{DisplayFacts, MachineFacts};
pub use trial::CropTrial;
