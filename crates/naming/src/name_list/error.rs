//! Errors of name lists.

use std::io;

use super::cells::{MAX_CELLS, MAX_COLUMNS, MAX_LIST_BYTES, MAX_ROWS, MAX_UNPACKED_BYTES};

/// Why a name list cannot be used; the messages suggest a fix.
#[derive(Debug, thiserror::Error)]
pub enum NameListError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The file exceeds the size limit.
    #[error("it is larger than {} MB; save only the columns that are needed", MAX_LIST_BYTES / 1_000_000)]
    TooLarge,
    /// The unpacked workbook exceeds the size limit.
    #[error(
        "it is larger than {} MB when unpacked; save only the sheet and the columns that are needed",
        MAX_UNPACKED_BYTES / 1_000_000
    )]
    UnpacksTooLarge,
    /// The table exceeds the limits on rows, columns or cells.
    #[error("it has more than {MAX_ROWS} rows, {MAX_COLUMNS} columns or {MAX_CELLS} cells")]
    TooManyCells,
    /// The file is neither text nor a workbook, or a web page.
    #[error("it is neither a text table nor a workbook; save the list as .csv, .tsv, .xlsx or .ods")]
    NotText,
    /// The table has no rows.
    #[error("it is empty; a list needs a row for each photo")]
    Empty,
    /// The table has a single row, which is the headings.
    #[error("it has only one row, which was read as the headings; add a row for each photo below it")]
    OnlyHeadings,
    /// The workbook is damaged.
    #[error("the workbook cannot be read ({reason}); save it as .xlsx or .csv again")]
    Workbook {
        /// The reader's error message.
        reason: String,
    },
    /// A workbook with a password.
    #[error("the workbook has a password; save it without a password or as .csv")]
    Password,
    /// The requested sheet does not exist.
    #[error("there is no sheet '{asked}'{}", known_sheets(sheets))]
    NoSheet {
        /// The requested sheet.
        asked: String,
        /// The names of the sheets; empty if the list is a text file.
        sheets: Vec<String>,
    },
    /// The requested column does not exist.
    #[error("there is no column '{asked}'; the columns are {}", quoted(headings))]
    NoColumn {
        /// The requested column.
        asked: String,
        /// The headings of the table.
        headings: Vec<String>,
    },
    /// No column of source names was detected.
    #[error(
        "no column matches the photos or has a heading for file names; choose one with --names-source: {}",
        quoted(headings)
    )]
    NoSource {
        /// The headings of the table.
        headings: Vec<String>,
    },
    /// The template uses a column that the list lacks.
    #[error("--name uses the column '{column}', but the columns are {}", quoted(headings))]
    TemplateColumn {
        /// The column in the template.
        column: String,
        /// The headings of the table.
        headings: Vec<String>,
    },
    /// Neither names nor presets nor columns of the list are used.
    #[error(
        "it has no column that is used: set the column of the crops' names with --names-output, or use one in --name; the \
         columns are {}",
        quoted(headings)
    )]
    NothingUsed {
        /// The headings of the table.
        headings: Vec<String>,
    },
}

fn known_sheets(sheets: &[String]) -> String {
    match sheets {
        [] => ": it is a text table, which has no sheets".to_owned(),
        _ => format!("; the sheets are {}", quoted(sheets)),
    }
}

fn quoted(headings: &[String]) -> String {
    headings.iter().map(|heading| format!("'{heading}'")).collect::<Vec<_>>().join(", ")
}
