//! Name lists: a table of source names and what crops are to be called, and which row belongs to which photo.
//!
//! Tables come as CSV or TSV in any usual encoding, or as an Excel workbook. Matching is pure: [`match_names`] looks at
//! names alone, never at the disk.

mod cells;
mod columns;
mod error;
mod matching;
mod number_format;
mod separated;
mod table;
mod text;
mod workbook;

pub use cells::MAX_LIST_BYTES;
pub use columns::{AskedColumns, Columns, find_columns};
pub use error::NameListError;
pub use matching::{Loosely, NameMatch, match_names};
pub use table::{NameTable, Row};
