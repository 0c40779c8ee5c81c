//! The only integration test binary: one file per topic, testing the public library and the built program.

mod support;

mod camera;
mod cli;
mod cli_background;
mod cli_doctor;
mod cli_files;
mod cli_framing;
mod cli_names;
mod cli_originals;
mod cli_project;
mod cli_runs;
mod cli_runtimes;
mod cli_shared;
#[cfg(unix)]
mod cli_watch;
mod docs;
mod docs_commands;
#[cfg(all(target_os = "linux", feature = "ort"))]
mod hostile_libraries;
#[cfg(unix)]
mod isolated;
mod languages;
mod latency;
#[cfg(target_os = "linux")]
mod memory;
mod privacy;
#[cfg(feature = "window")]
mod ui;
mod workspace_rules;
