//! Rows of cells, and limits on the size of a table.

/// Maximum size of a name list's file in bytes: fifty bytes for each of a million photos is less.
pub const MAX_LIST_BYTES: u64 = 64_000_000;
pub(super) const MAX_ROWS: usize = 1_000_000;
pub(super) const MAX_COLUMNS: usize = 256;
/// Includes empty cells, since each takes memory.
pub(super) const MAX_CELLS: usize = 8_000_000;
/// Maximum size of an unpacked workbook, and of the text of all its cells.
pub(super) const MAX_UNPACKED_BYTES: u64 = 128_000_000;

/// The cells of a row, from the left.
pub(super) type Cells = Vec<String>;
