//! Checks the sizes that a workbook declares before the reader allocates memory for them.

use std::io::{BufReader, Read, Seek};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::{NameListError, fault};
use crate::name_list::cells::MAX_UNPACKED_BYTES;

/// Maximum number of files in the archive. A workbook has a few for each sheet, image and chart.
const MAX_PARTS: usize = 20_000;

/// Bytes of the shortest entry in the shared string table, `<si/>`.
const MIN_STRING_BYTES: u64 = 5;

/// The elements of cell styles, and the bytes that the reader allocates for each in addition to its strings.
const STYLES: [&str; 5] = ["xf", "font", "fill", "border", "numFmt"];
const STYLE_BYTES: u64 = 600;

/// Rejects a workbook that would take more memory than any name list needs.
///
/// The reader allocates by the declared number of shared strings, and copies the format and font into each style. A part
/// that is longer than declared fails when it is read.
pub(super) fn check<R: Read + Seek>(archive: &mut ZipArchive<R>) -> Result<(), NameListError> {
    if archive.len() > MAX_PARTS {
        return Err(fault(&format!("it has {} parts, more than the limit of {MAX_PARTS}", archive.len())));
    }
    let mut unpacked: u64 = 0;
    for index in 0..archive.len() {
        unpacked = unpacked.saturating_add(archive.by_index_data(index).map_err(|error| fault(&error))?.size());
    }
    if unpacked > MAX_UNPACKED_BYTES {
        return Err(NameListError::UnpacksTooLarge);
    }
    for index in 0..archive.len() {
        let part = archive.by_index_data(index).map_err(|error| fault(&error))?;
        let (name, size) = (part.name().map_err(|error| fault(&error))?.to_ascii_lowercase(), part.size());
        let (has_strings, has_styles) = (name.ends_with("sharedstrings.xml"), name.ends_with("styles.xml"));
        if has_strings || has_styles {
            let part = archive.by_index(index).map_err(|error| fault(&error))?;
            let mut elements = Elements::of(Box::new(part));
            if has_strings { check_strings(&mut elements, size) } else { check_styles(&mut elements) }?;
        }
    }
    Ok(())
}

/// Checks that the shared string table can hold as many strings as it declares.
fn check_strings(elements: &mut Elements<'_>, size: u64) -> Result<(), NameListError> {
    let mut claimed = 0;
    elements.each(&mut |element| {
        let is_list = element.local_name().as_ref() == "sst";
        if is_list {
            claimed = numbers_after("uniqueCount", element.attributes_raw()).max().unwrap_or(0);
        }
        !is_list
    })?;
    if claimed > size / MIN_STRING_BYTES {
        return Err(fault(&format!("it declares {claimed} texts, more than fit in it")));
    }
    Ok(())
}

/// Checks that the styles take no more memory than a name list may.
fn check_styles(elements: &mut Elements<'_>) -> Result<(), NameListError> {
    let (mut styles, mut longest) = (0, 0);
    elements.each(&mut |element| {
        styles += u64::from(STYLES.contains(&element.local_name().as_ref()));
        longest = longest.max(element.attributes_raw().len() as u64);
        true
    })?;
    match styles * (longest + STYLE_BYTES) > MAX_UNPACKED_BYTES {
        true => Err(fault(&"its cell styles would need too much memory")),
        false => Ok(()),
    }
}

/// The XML elements of a part, parsed as the workbook reader will parse them.
struct Elements<'a>(Reader<BufReader<Box<dyn Read + 'a>>>);

impl<'a> Elements<'a> {
    fn of(part: Box<dyn Read + 'a>) -> Self {
        let mut reader = Reader::from_reader(BufReader::new(part));
        let config = reader.config_mut();
        config.check_end_names = false;
        config.check_comments = false;
        Self(reader)
    }

    /// Calls `visit` with each element until it returns false.
    fn each(&mut self, visit: &mut dyn FnMut(&BytesStart<'_>) -> bool) -> Result<(), NameListError> {
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            match self.0.read_event_into(&mut buffer).map_err(|error| fault(&error))? {
                Event::Start(element) | Event::Empty(element) if !visit(&element) => return Ok(()),
                Event::Eof => return Ok(()),
                _ => {}
            }
        }
    }
}

/// The numbers after each `name` in the raw attributes of an element, with any quoting and spacing.
fn numbers_after<'a>(name: &'a str, attributes: &'a str) -> impl Iterator<Item = u64> + 'a {
    attributes.split(name).skip(1).map(|after| {
        let from = after.trim_start_matches(|c: char| !c.is_ascii_digit());
        let digits = &from[..from.len() - from.trim_start_matches(|c: char| c.is_ascii_digit()).len()];
        if digits.is_empty() { 0 } else { digits.parse().unwrap_or(u64::MAX) }
    })
}
