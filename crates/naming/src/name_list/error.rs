//! Why a name list cannot be used.

use std::io;

use super::cells::{MAX_CELLS, MAX_COLUMNS, MAX_LIST_BYTES, MAX_ROWS, MAX_UNPACKED_BYTES};

/// A name list that cannot be used, and what to do about it.
#[derive(Debug, thiserror::Error)]
pub enum NameListError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The file is larger than any list of names.
    #[error("it has more than {} MB; save only the columns that are needed", MAX_LIST_BYTES / 1_000_000)]
    TooLarge,
    /// The workbook is larger than any list of names once it is unpacked.
    #[error(
        "unpacked it has more than {} MB; save only the sheet and the columns that are needed",
        MAX_UNPACKED_BYTES / 1_000_000
    )]
    UnpacksTooLarge,
    /// The table has more rows, columns or cells than are read.
    #[error("it has more than {MAX_ROWS} rows, {MAX_COLUMNS} columns or {MAX_CELLS} cells")]
    TooManyCells,
    /// The file is no text.
    #[error("this is no table of text and no .xlsx workbook; name a list that was saved as .csv, .tsv or .xlsx")]
    NotText,
    /// There is no row in it.
    #[error("it is empty; a list has a row for each photo")]
    Empty,
    /// There is one row in it, which is none of a photo.
    #[error("it has a single row, which was taken for the headings; below it each photo needs a row")]
    OnlyHeadings,
    /// A workbook that cannot be read.
    #[error("the workbook cannot be read ({reason}); save it as .xlsx or .csv again")]
    Workbook {
        /// The reader's words.
        reason: String,
    },
    /// A workbook of another kind.
    #[error(
        "this is an old Excel workbook, one with a password, or an OpenDocument sheet; save it as .xlsx without a password or as .csv"
    )]
    OtherWorkbook,
    /// No column of this name.
    #[error("there is no column '{asked}'; there are {}", quoted(headings))]
    NoColumn {
        /// What was asked for.
        asked: String,
        /// The headings there are.
        headings: Vec<String>,
    },
    /// No column looks like one of file names.
    #[error(
        "no column matches a photo or is called like one of file names; say which with --names-source: there are {}",
        quoted(headings)
    )]
    NoSource {
        /// The headings there are.
        headings: Vec<String>,
    },
}

fn quoted(headings: &[String]) -> String {
    headings.iter().map(|heading| format!("'{heading}'")).collect::<Vec<_>>().join(", ")
}
