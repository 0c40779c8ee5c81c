//! Name lists: tables of source names and output names, and the matching of rows to photos.
//!
//! [`NameTable::read`] reads CSV or TSV in a common encoding, or an Excel workbook; [`find_columns`] picks the columns;
//! [`match_names`] matches rows to photos by name alone, without file access.

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
pub use columns::{Columns, RequestedColumns, find_columns};
pub use error::NameListError;
pub use matching::{InexactMatch, NameMatch, match_names};
pub use table::{NameTable, Row};
