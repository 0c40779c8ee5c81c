//! Rows of cells as readers give them, and how many there may be.

/// Most bytes of a list's file. A row of fifty bytes for each of a million photos is less.
pub const MAX_LIST_BYTES: u64 = 64_000_000;
/// Most rows that are read.
pub(super) const MAX_ROWS: usize = 1_000_000;
/// Most columns that are read.
pub(super) const MAX_COLUMNS: usize = 256;
/// Most cells that are read, those that are empty among them: each takes memory.
pub(super) const MAX_CELLS: usize = 8_000_000;
/// Most bytes of a workbook once it is unpacked, and of all its cells.
pub(super) const MAX_UNPACKED_BYTES: u64 = 128_000_000;

/// The cells of a row, from the left.
pub(super) type Cells = Vec<String>;
