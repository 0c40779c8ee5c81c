//! The one integration binary: a file a concern, over the public library and the built program.

mod support;

mod cli;
mod cli_files;
mod cli_shared;
mod detect;
mod encode;
mod house;
mod import;
mod settings;
#[cfg(feature = "window")]
mod ui;
mod worker;
