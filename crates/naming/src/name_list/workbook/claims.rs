//! What a workbook claims of itself, held against what is there before the reader takes memory for it.

use std::io::{BufReader, Cursor, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use zip::ZipArchive;

use super::{NameListError, fault};
use crate::name_list::cells::MAX_UNPACKED_BYTES;

/// Most files in the archive. A workbook has a few for each sheet, picture and chart.
const MAX_PARTS: usize = 20_000;

/// Bytes of the shortest text in the list of shared texts, `<si/>`.
const MIN_TEXT: u64 = 5;

/// What the styles of cells are made of, and bytes that the reader takes for each beside the texts in it.
const STYLES: [&str; 5] = ["xf", "font", "fill", "border", "numFmt"];
const STYLE_BYTES: u64 = 600;

/// Refuses a workbook that would take more memory than any list of names.
///
/// The reader believes how many texts a workbook says it has, and gives each style copies of its format and its font. A part that
/// is longer than it says fails where it is read.
pub(super) fn check(bytes: &[u8]) -> Result<(), NameListError> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| fault(&error))?;
    if archive.len() > MAX_PARTS {
        return Err(fault(&format!("it has {} parts, and no workbook has more than {MAX_PARTS}", archive.len())));
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
        let (has_texts, has_styles) = (name.ends_with("sharedstrings.xml"), name.ends_with("styles.xml"));
        if has_texts || has_styles {
            let part = archive.by_index(index).map_err(|error| fault(&error))?;
            let mut elements = Elements::of(Box::new(part));
            if has_texts { check_texts(&mut elements, size) } else { check_styles(&mut elements) }?;
        }
    }
    Ok(())
}

/// The list of shared texts has room for as many as it says.
fn check_texts(elements: &mut Elements<'_>, size: u64) -> Result<(), NameListError> {
    let mut claimed = 0;
    elements.each(&mut |element| {
        let is_list = element.local_name().as_ref() == "sst";
        if is_list {
            claimed = numbers_after("uniqueCount", element.attributes_raw()).max().unwrap_or(0);
        }
        !is_list
    })?;
    if claimed > size / MIN_TEXT {
        return Err(fault(&format!("it says that it has {claimed} texts, and there is no room for so many")));
    }
    Ok(())
}

/// The styles take no more than a list of names may.
fn check_styles(elements: &mut Elements<'_>) -> Result<(), NameListError> {
    let (mut styles, mut longest) = (0, 0);
    elements.each(&mut |element| {
        styles += u64::from(STYLES.contains(&element.local_name().as_ref()));
        longest = longest.max(element.attributes_raw().len() as u64);
        true
    })?;
    match styles * (longest + STYLE_BYTES) > MAX_UNPACKED_BYTES {
        true => Err(fault(&"the styles of its cells would take more memory than any list of names")),
        false => Ok(()),
    }
}

/// The elements of a part, as the reader of workbooks will find them.
struct Elements<'a>(Reader<BufReader<Box<dyn Read + 'a>>>);

impl<'a> Elements<'a> {
    fn of(part: Box<dyn Read + 'a>) -> Self {
        let mut reader = Reader::from_reader(BufReader::new(part));
        let config = reader.config_mut();
        config.check_end_names = false;
        config.check_comments = false;
        Self(reader)
    }

    /// Shows each element to `see` until that says false.
    fn each(&mut self, see: &mut dyn FnMut(&BytesStart<'_>) -> bool) -> Result<(), NameListError> {
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            match self.0.read_event_into(&mut buffer).map_err(|error| fault(&error))? {
                Event::Start(element) | Event::Empty(element) if !see(&element) => return Ok(()),
                Event::Eof => return Ok(()),
                _ => {}
            }
        }
    }
}

/// The numbers that follow each `name` in the attributes of an element, however they are written.
fn numbers_after<'a>(name: &'a str, attributes: &'a str) -> impl Iterator<Item = u64> + 'a {
    attributes.split(name).skip(1).map(|after| {
        let from = after.trim_start_matches(|c: char| !c.is_ascii_digit());
        let digits = &from[..from.len() - from.trim_start_matches(|c: char| c.is_ascii_digit()).len()];
        if digits.is_empty() { 0 } else { digits.parse().unwrap_or(u64::MAX) }
    })
}
