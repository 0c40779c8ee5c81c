//! Name lists: tables of source names and output names, and the matching of rows to photos.
//!
//! [`NameList::read`] reads CSV or TSV in a common encoding, or a workbook; [`find_columns`] picks the columns;
//! [`match_names`] matches rows to photos by name alone, without file access. [`Roster`](crate::Roster) combines them.

mod cells;
mod columns;
mod error;
mod list;
mod matching;
mod number_format;
mod separated;
mod sheets;
mod table;
mod text;
mod workbook;

pub use cells::MAX_LIST_BYTES;
pub use columns::{Columns, RequestedColumns, find_columns};
pub use error::NameListError;
pub use list::{NameList, SheetTable};
pub use matching::{InexactMatch, NameMatch, PhotoIndex, match_names};
pub use table::{NameTable, Row};
