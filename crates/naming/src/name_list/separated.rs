//! Character-separated tables: CSV, TSV and variants.

use csv::{ReaderBuilder, StringRecord};

use super::NameListError;
use super::cells::{Cells, MAX_CELLS, MAX_COLUMNS, MAX_ROWS};

/// Known separators, most likely first: of two that fit equally well the first is taken.
const SEPARATORS: [u8; 4] = [b'\t', b';', b',', b'|'];

/// Number of rows read to detect the separator.
const SNIFFED_ROWS: usize = 50;

/// The rows of `text` with their line numbers.
pub(super) fn read(text: &str) -> Result<Vec<(usize, Cells)>, NameListError> {
    let (separator, rest) = declared_separator(text).unwrap_or_else(|| (sniff(text), text));
    let above = lines_in(&text[..text.len() - rest.len()]);
    let (mut rows, mut cells) = (Vec::new(), 0);
    for record in records(rest, separator) {
        cells += record.len();
        if rows.len() == MAX_ROWS || record.len() > MAX_COLUMNS || cells > MAX_CELLS {
            return Err(NameListError::TooManyCells);
        }
        rows.push((above + line_of(&record, rest), record.iter().map(str::to_owned).collect()));
    }
    Ok(rows)
}

/// The separator from Excel's first line `sep=;`, and the text after that line.
fn declared_separator(text: &str) -> Option<(u8, &str)> {
    let rest = text.strip_prefix("sep=").or_else(|| text.strip_prefix("SEP="))?;
    let separator = *rest.as_bytes().first().filter(|byte| byte.is_ascii())?;
    let rest = rest[1..].trim_start_matches('\r').strip_prefix('\n')?;
    Some((separator, rest))
}

/// The line on which a record starts, from 1. The CSV reader counts preceding empty lines as part of the record.
fn line_of(record: &StringRecord, text: &str) -> usize {
    let Some(position) = record.position() else { return 0 };
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let from = text.get(number(position.byte())..).unwrap_or_default();
    let empty = from.len() - from.trim_start_matches(['\r', '\n']).len();
    number(position.line()) + lines_in(&from[..empty])
}

fn lines_in(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// The separator with which the most rows have the same number of cells, at least two; of equals the one with more cells.
fn sniff(text: &str) -> u8 {
    let worth = |separator: u8| {
        let lengths: Vec<usize> = records(text, separator).take(SNIFFED_ROWS).map(|record| record.len()).collect();
        let alike = |length: usize| lengths.iter().filter(|other| **other == length).count();
        lengths.iter().filter(|length| **length > 1).map(|length| (alike(*length), *length)).max().unwrap_or((0, 0))
    };
    let mut best = (b',', (0, 0));
    for separator in SEPARATORS {
        let worth = worth(separator);
        if worth > best.1 {
            best = (separator, worth);
        }
    }
    best.0
}

fn records(text: &str, separator: u8) -> impl Iterator<Item = StringRecord> {
    let reader =
        ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(text.as_bytes());
    // The text is UTF-8 and rows may have any length, so reading cannot fail.
    reader.into_records().filter_map(Result::ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<Vec<String>> {
        read(text).expect("read").into_iter().map(|(_, cells)| cells).collect()
    }

    #[test]
    fn the_separator_is_detected() {
        for text in [
            "file,name\na.jpg,Anna\n",
            "file;name\r\na.jpg;Anna\r\n",
            "file\tname\ra.jpg\tAnna",
            "file|name\na.jpg|Anna",
        ] {
            assert_eq!(cells(text), [["file", "name"], ["a.jpg", "Anna"]], "{text}");
        }
        // Commas inside cells do not outweigh the separator of every row.
        assert_eq!(cells("file;name\na.jpg;Müller, Anna\nb.jpg;Meier, Ben, jun.\n")[1], ["a.jpg", "Müller, Anna"]);
        assert_eq!(cells("sep=,\nfile,name;x\na.jpg,b;c\n")[1], ["a.jpg", "b;c"]);
        assert_eq!(cells("one\ntwo\n"), [["one"], ["two"]]);
    }

    #[test]
    fn quoted_cells_may_contain_separators_quotes_and_line_breaks() {
        let text = "file,name\n\"a,b.jpg\",\"Anna \"\"Nan\"\" M.\"\n\"c\nd\",e\nf,g\n";
        let rows = read(text).expect("read");
        assert_eq!(rows[1].1, ["a,b.jpg", "Anna \"Nan\" M."]);
        assert_eq!(rows[3], (5, vec!["f".to_owned(), "g".to_owned()]));
    }

    #[test]
    fn malformed_text_is_read_without_errors() {
        for junk in ["", "\"", "\"a,b\nc", ",,,,\n;;;", "\u{fffd}\0\n\0"] {
            assert!(read(junk).is_ok(), "{junk:?}");
        }
        assert!(matches!(read(&",".repeat(MAX_COLUMNS)), Err(NameListError::TooManyCells)));
    }
}
