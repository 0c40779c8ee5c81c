//! Arguments for runs over many photos: threads, journal and reports.

use std::path::PathBuf;

use clap::Args;

use batch::worker::{JournalPlace, JournalSpec, Shard};

use super::numbers::whole_from;

/// Threads, journal, shard and report of a run.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Many photos")]
pub struct RunArgs {
    /// Number of photos processed at the same time; the crops do not depend on it [default: the number of processor cores]
    #[arg(long, value_name = "N", value_parser = whole_from::<u16>(1, 256), allow_negative_numbers = true)]
    pub jobs: Option<u16>,

    /// Resume an interrupted run into the same folder: photos that are done and have not changed are skipped
    #[arg(long, conflicts_with_all = ["no_journal", "dry_run"])]
    pub resume: bool,

    /// Journal file that records the result of each photo [default: .iron-cropper/journal-1.jsonl in the output folder, or
    /// the next number; none for a single photo unless it is a part of a run or has an index]
    #[arg(long, value_name = "FILE", conflicts_with = "no_journal")]
    pub journal: Option<PathBuf>,

    /// Write no journal; the run cannot be resumed
    #[arg(long)]
    pub no_journal: bool,

    /// Crop only a part of the photos, such as 2/8: each of eight machines takes a different one; see docs/user/batch.md
    #[arg(long, value_name = "K/N", value_parser = str::parse::<Shard>)]
    pub shard: Option<Shard>,

    /// Write a report on the run; format by extension: .html, .csv or .json
    #[arg(long, value_name = "FILE", value_parser = parse_report, conflicts_with_all = ["no_journal", "dry_run"])]
    pub report: Option<PathBuf>,
}

impl RunArgs {
    /// The journal of a run over `photos` photos; `None` for none. An index needs it even for a single photo.
    pub(super) fn journal(&self, photos: usize, has_package: bool) -> Option<JournalSpec> {
        let requested =
            self.resume || self.journal.is_some() || self.report.is_some() || self.shard.is_some() || has_package;
        if self.no_journal || (photos < 2 && !requested) {
            return None;
        }
        let place = self.journal.clone().map_or(JournalPlace::Beside { shard: self.shard }, JournalPlace::File);
        Some(JournalSpec { place, resume: self.resume })
    }
}

/// Arguments of `report`.
#[derive(Clone, Debug, Args)]
pub struct ReportArgs {
    /// Journals of one run or of the parts of one
    #[arg(value_name = "JOURNAL", required = true)]
    pub journals: Vec<PathBuf>,

    /// Write the report to this file; format by extension: .html, .csv or .json. Without it, a summary is printed
    #[arg(short, long, value_name = "FILE", value_parser = parse_report)]
    pub output: Option<PathBuf>,
}

/// Parses the path of a report; its extension must be a supported format.
fn parse_report(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match batch::worker::ReportFormat::of(&path) {
        Some(_) => Ok(path),
        None => Err(format!("{text} does not end in .html, .csv or .json")),
    }
}
