//! Reports as CSV (RFC 4180, UTF-8).

use super::{PhotoRow, Report};

/// The header line.
pub(super) const COLUMNS: &str =
    "path,outcome,reason,needs_review,notes,width,height,faces,files,bytes,runtime,total_ms\r\n";

/// The first line of tables of schema 1.
pub(super) const OLD_COLUMNS: &str =
    "path,outcome,reason,needs_look,notes,width,height,faces,files,bytes,runtime,total_ms\r\n";

pub(super) fn table(report: &Report) -> String {
    let mut table = COLUMNS.to_owned();
    for row in &report.photos {
        table.push_str(&line(row));
    }
    table
}

fn line(row: &PhotoRow) -> String {
    let side = |side: usize| row.size.map_or_else(String::new, |size| size[side].to_string());
    let files: Vec<&str> = row.files.iter().map(|file| file.path.as_str()).collect();
    let bytes: u64 = row.files.iter().map(|file| file.bytes).sum();
    let cells = [
        text(&row.path),
        text(&row.outcome),
        text(row.reason.as_deref().unwrap_or_default()),
        text(&row.needs_review.join("; ")),
        text(&row.notes.join("; ")),
        side(0),
        side(1),
        row.faces.to_string(),
        text(&files.join("; ")),
        bytes.to_string(),
        text(row.runtime.as_deref().unwrap_or_default()),
        row.total_ms.to_string(),
    ];
    cells.join(",") + "\r\n"
}

/// A text cell. Spreadsheets evaluate text that looks like a formula, and file names may look like one: an apostrophe
/// prevents that.
fn text(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let guarded = if is_formula { format!("'{text}") } else { text.to_owned() };
    if guarded.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", guarded.replace('"', "\"\"")) } else { guarded }
}
