//! Arguments of `man`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `man`.
#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// Write a page for the program and one for each subcommand into this folder instead of printing the first
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,
}
