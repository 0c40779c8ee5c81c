//! Arguments of `man`.

use std::path::PathBuf;

use clap::Args;

/// Arguments of `man`.
#[derive(Clone, Debug, Args)]
pub struct ManArgs {
    /// Write the man pages of the program and of each subcommand to this folder instead of printing the first
    #[arg(long, value_name = "FOLDER")]
    pub to: Option<PathBuf>,
}
