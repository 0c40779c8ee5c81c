//! The table of `docs/user/formats.md`: features of each format. Every cell is verified by a check here.

mod reading;
mod writing;

use std::fmt::Write;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use outcome::{DecodeError, PictureFormat};
use picture::{Metadata, PhotoFile, Picture, decode_bytes, display_copy};
use recipe::DecodeLimits;

use crate::pictures::{ARTIST, IPTC, P3_COLOUR_IN_SRGB, XMP};

const START: &str = "<!-- This table is written by crates/picture/tests/suite/formats.rs. -->";
const END: &str = "<!-- End of the table. -->";

/// The environment variable that makes the test write the table into the page instead of comparing it.
const WRITE: &str = "IRON_CROPPER_WRITE_DOCS";

/// A cell of the table, and the check that it is true.
struct Cell {
    text: &'static str,
    check: Box<dyn FnOnce()>,
}

/// A format's row, with a cell for each column.
struct Row<const COLUMNS: usize> {
    format: &'static str,
    cells: [Cell; COLUMNS],
}

fn cell(text: &'static str, check: impl FnOnce() + 'static) -> Cell {
    Cell { text, check: Box::new(check) }
}

#[test]
fn formats_table_is_verified_and_up_to_date() {
    let mut faults = Vec::new();
    let read = table("Read", &reading::COLUMNS, reading::rows(), &mut faults);
    let written = table("Written", &writing::COLUMNS, writing::rows(), &mut faults);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    let table = format!("{START}\n\n{read}\n{written}\n{END}");
    let path = test_support::root().join("docs/user/formats.md");
    let page = fs::read_to_string(&path).expect("docs/user/formats.md").replace("\r\n", "\n");
    let (Some(start), Some(end)) = (page.find(START), page.find(END)) else {
        panic!("docs/user/formats.md lacks the markers around its table: {START} and {END}");
    };
    if std::env::var_os(WRITE).is_some() {
        fs::write(&path, format!("{}{table}{}", &page[..start], &page[end + END.len()..])).expect("written");
        return;
    }
    let current = &page[start..end + END.len()];
    assert!(
        current == table,
        "the table in docs/user/formats.md is not what the checks found; run this test with {WRITE}=1\n\nin the page:\n{current}\n\nfound:\n{table}"
    );
}

/// Runs the checks of `rows`; `faults` receives the failures.
fn table<const COLUMNS: usize>(
    title: &str,
    columns: &[&str; COLUMNS],
    rows: Vec<Row<COLUMNS>>,
    faults: &mut Vec<String>,
) -> String {
    let mut table = format!("| {title} | {} |\n|{}\n", columns.join(" | "), "---|".repeat(COLUMNS + 1));
    for row in rows {
        let _ = write!(table, "| {} |", row.format);
        for (cell, column) in row.cells.into_iter().zip(columns) {
            let _ = write!(table, " {} |", cell.text);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(cell.check)) {
                let message = panic.downcast_ref::<String>().map(String::as_str);
                let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
                faults.push(format!("{title}: {}, {column}: {message}", row.format));
            }
        }
        table.push('\n');
    }
    table
}

/// Decodes an undamaged file, which must be of `format`. `None`, with a message to the test output, if its library is
/// not installed.
#[expect(clippy::print_stderr, reason = "skipped checks are reported in the test output")]
fn decoded(bytes: &[u8], format: PictureFormat) -> Option<Picture> {
    match decode_bytes(bytes, &DecodeLimits::default()) {
        Ok(picture) => {
            assert_eq!((picture.info.format, &picture.info.damage), (format, &None));
            Some(picture)
        }
        Err(DecodeError::NeedsLibrary { problem, .. }) => {
            eprintln!("skipped: {} ({problem})", format.name());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Asserts that the centre colour is [`P3_COLOUR_IN_SRGB`] after conversion to sRGB.
#[track_caller]
fn assert_p3(picture: &Picture) {
    let shown = display_copy(picture, 16).expect("converts");
    let middle = &shown.rgba[shown.rgba.len() / 2 + 32..][..3];
    assert!(middle.iter().zip(P3_COLOUR_IN_SRGB).all(|(a, b)| a.abs_diff(b) <= 4), "{middle:?} on the screen");
}

/// Asserts that EXIF, and XMP and IPTC if requested, are as written.
#[track_caller]
fn assert_metadata(metadata: &Metadata, xmp: bool, iptc: bool) {
    let block = metadata.exif.as_deref().expect("an EXIF block");
    let read = exif::Reader::new().read_raw(block.to_vec()).expect("a valid block");
    let artist = read.get_field(exif::Tag::Artist, exif::In::PRIMARY).expect("an artist");
    assert_eq!(artist.display_value().to_string().trim_matches('"'), ARTIST);
    let packet = metadata.xmp.as_deref().map(|packet| String::from_utf8_lossy(packet));
    assert_eq!(packet.is_some_and(|packet| packet.contains("x:xmpmeta")), xmp, "XMP");
    assert_eq!(metadata.iptc.as_deref() == Some(IPTC), iptc, "IPTC");
    assert!(XMP.contains("x:xmpmeta"));
}

/// Reads a file's header, which must be of `format`.
fn header(bytes: Vec<u8>, format: PictureFormat) -> PhotoFile {
    let file = PhotoFile::from_bytes(bytes, &DecodeLimits::default()).expect("reads");
    assert_eq!(file.info().format, format);
    file
}
