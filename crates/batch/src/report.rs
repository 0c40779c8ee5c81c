//! Reports on runs, made of their journals: totals, what needs a look first, and every photo with its reason.

mod csv;
mod gather;
mod html;
mod thumbnails;

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

pub use gather::{FileRow, PhotoRow, Report, StageTotal, Summary, gather};

use outcome::EncodeError;
use picture::{folder_of, write_new};

use crate::journal::HistoryError;

/// How every report in JSON begins.
const JSON_START: &str = "{\n  \"schema\": 2,\n  \"summary\": {";

/// What a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// One page that needs nothing beside it.
    Html,
    /// A table, a line a photo.
    Csv,
    /// Everything, for programs.
    Json,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A journal cannot be read.
    #[error("the journal {} cannot be read ({source})", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        source: HistoryError,
    },
    /// The ending is none of those known.
    #[error("{} does not end in .html, .csv or .json", path.display())]
    Format {
        /// The report.
        path: PathBuf,
    },
    /// Something else has its name.
    #[error("{} is there already and is no report of Iron Cropper; name another file", path.display())]
    Taken {
        /// The report.
        path: PathBuf,
    },
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] EncodeError),
}

impl ReportFormat {
    /// The format that the ending of `path` says.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_ascii_lowercase();
        [("html", Self::Html), ("htm", Self::Html), ("csv", Self::Csv), ("json", Self::Json)]
            .into_iter()
            .find_map(|(known, format)| (ending == known).then_some(format))
    }
}

/// Finds whether a report may be written to `path`: nothing is there, or an earlier report.
///
/// # Errors
/// Something else is there.
pub fn check_free(path: &Path) -> Result<(), ReportError> {
    let taken = || ReportError::Taken { path: path.to_owned() };
    let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(()) };
    if !metadata.is_file() {
        return Err(taken());
    }
    let begins = [html::HEAD, csv::COLUMNS, JSON_START];
    let longest = begins.iter().map(|begin| begin.len()).max().unwrap_or_default() as u64;
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(longest).read_to_end(&mut start));
    let is_report = read.is_ok() && begins.iter().any(|begin| start.starts_with(begin.as_bytes()));
    if is_report { Ok(()) } else { Err(taken()) }
}

/// Puts the journals together and writes the report to `output`, replacing an earlier report; without `output` only sums up.
///
/// # Errors
/// A journal cannot be read, something else than a report is at `output`, or the report cannot be written.
pub fn write_report(journals: &[PathBuf], output: Option<&Path>) -> Result<Summary, ReportError> {
    let report = gather(journals)?;
    if let Some(path) = output {
        let format = ReportFormat::of(path).ok_or_else(|| ReportError::Format { path: path.to_owned() })?;
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let text = match format {
            ReportFormat::Html => html::page(&report, folder_of(&absolute)),
            ReportFormat::Csv => csv::table(&report),
            ReportFormat::Json => serde_json::to_string_pretty(&report).unwrap_or_default() + "\n",
        };
        check_free(path)?;
        write_new(text.as_bytes(), path, true)?;
    }
    Ok(report.summary)
}

#[cfg(test)]
mod tests;
