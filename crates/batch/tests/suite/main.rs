//! The worker and what it keeps, through the public library.

mod panics;
mod projects;
mod settings;
mod worker;
