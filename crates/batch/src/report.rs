//! Reports on runs, generated from their journals: totals, photos to review first, and every photo with its result.

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

/// The start of every JSON report.
const JSON_START: &str = "{\n  \"schema\": 2,\n  \"summary\": {";

/// How reports in JSON of schema 1 begin; they may be replaced as well.
const OLD_JSON_START: &str = "{\n  \"schema\": 1,\n  \"summary\": {";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    /// A self-contained HTML page.
    Html,
    /// A table with one line per photo.
    Csv,
    /// All data as JSON.
    Json,
}

/// Why a report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A journal cannot be read.
    #[error("the journal {} cannot be read ({source})", path.display())]
    Journal {
        path: PathBuf,
        /// What is wrong with it.
        source: HistoryError,
    },
    /// The file extension is unknown.
    #[error("{} does not end in .html, .csv or .json", path.display())]
    Format { path: PathBuf },
    /// A file that is not a report exists at this path.
    #[error("{} already exists and is not an Iron Cropper report; choose another file", path.display())]
    Taken { path: PathBuf },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] EncodeError),
}

impl ReportFormat {
    /// The format for the extension of `path`.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_ascii_lowercase();
        [("html", Self::Html), ("htm", Self::Html), ("csv", Self::Csv), ("json", Self::Json)]
            .into_iter()
            .find_map(|(known, format)| (ending == known).then_some(format))
    }
}

/// Checks that a report may be written to `path`: the path is free, or an earlier report.
///
/// # Errors
/// Fails if another file or a folder exists there.
pub fn check_free(path: &Path) -> Result<(), ReportError> {
    let taken = || ReportError::Taken { path: path.to_owned() };
    let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(()) };
    if !metadata.is_file() {
        return Err(taken());
    }
    let begins = [html::HEAD, csv::COLUMNS, csv::OLD_COLUMNS, JSON_START, OLD_JSON_START];
    let longest = begins.iter().map(|begin| begin.len()).max().unwrap_or_default() as u64;
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(longest).read_to_end(&mut start));
    let is_report = read.is_ok() && begins.iter().any(|begin| start.starts_with(begin.as_bytes()));
    if is_report { Ok(()) } else { Err(taken()) }
}

/// Merges the journals and writes the report to `output`, replacing an earlier report; without `output` only returns the
/// summary.
///
/// # Errors
/// Fails if a journal cannot be read, `output` exists and is not a report, or the report cannot be written.
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
