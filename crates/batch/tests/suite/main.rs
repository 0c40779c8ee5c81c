//! The worker and its files, through the public API.

mod first_formats;
mod lanes;
mod panics;
mod projects;
mod settings;
mod worker;
