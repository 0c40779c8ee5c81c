//! Reports on runs, made of their journals: totals, what needs a look first, and every photo with its reason.

mod csv;
mod gather;
mod html;
mod thumbnails;

use std::path::{Path, PathBuf};

pub use gather::{FileRow, PhotoRow, Report, StageTotal, Summary, gather};

use crate::encode::{EncodeError, folder_of, write_new};

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
#[non_exhaustive]
pub enum ReportError {
    /// A journal cannot be read.
    #[error("the journal {} cannot be read ({source})", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        source: std::io::Error,
    },
    /// The ending is none of those known.
    #[error("{} does not end in .html, .csv or .json", path.display())]
    Format {
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

/// Puts the journals together and writes the report to `output`, replacing an earlier one; without `output` only sums up.
///
/// # Errors
/// A journal cannot be read, or the report cannot be written.
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
        write_new(text.as_bytes(), path, true)?;
    }
    Ok(report.summary)
}

#[cfg(test)]
mod tests;
