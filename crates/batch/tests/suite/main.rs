//! The worker and what it keeps, through the public library.

mod lanes;
mod panics;
mod projects;
mod settings;
mod worker;
