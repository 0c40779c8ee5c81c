//! Text in columns, for a terminal.

/// Formats rows as lines, each column as wide as its widest cell; columns in `right`, counted from 0, are right-aligned.
/// Cells beyond the columns of the first row are appended unpadded.
pub(super) fn lines(rows: &[Vec<String>], right: &[usize]) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = widths.get(column).copied().unwrap_or_default();
            if column > 0 {
                line.push_str("  ");
            }
            let cell = if right.contains(&column) { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
            line.push_str(&cell);
        }
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn columns_are_aligned() {
        let row = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        let rows = [row(&["name", "ms"]), row(&["größe", "1.0", "and more"]), row(&["b", "12.0"])];
        assert_eq!(lines(&rows, &[1]), ["name     ms", "größe   1.0  and more", "b      12.0"]);
        assert!(lines(&[], &[]).is_empty());
    }
}
