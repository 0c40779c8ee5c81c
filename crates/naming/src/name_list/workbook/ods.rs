//! OpenDocument spreadsheets (.ods). They contain the text that each cell shows, which the crate calamine does not return.

use std::io::{BufRead, BufReader, Read, Seek};

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use zip::ZipArchive;

use super::{NameListError, Sheets, fault};

/// The part with the sheets.
pub(super) const CONTENT: &str = "content.xml";

/// The part that lists the others, and says if they are encrypted.
const MANIFEST: &str = "META-INF/manifest.xml";

/// Maximum number of spaces that one element stands for.
const MAX_SPACES: u32 = 1_000;

pub(super) fn read<R: Read + Seek>(archive: &mut ZipArchive<R>, sheets: &mut Sheets<'_>) -> Result<(), NameListError> {
    if is_encrypted(archive)? {
        return Err(NameListError::Password);
    }
    let content = archive.by_name(CONTENT).map_err(|error| fault(&error))?;
    let mut elements = Elements::of(BufReader::new(content));
    while let Some(tag) = elements.next()? {
        match tag {
            Tag::Start(element) if element.name().as_ref() == "table:table" => {
                let is_wanted = sheets.start(attribute(&element, "name").unwrap_or_default());
                if is_wanted { read_sheet(&mut elements, sheets)? } else { elements.skip(&element)? }
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_encrypted<R: Read + Seek>(archive: &mut ZipArchive<R>) -> Result<bool, NameListError> {
    let Ok(manifest) = archive.by_name(MANIFEST) else { return Ok(false) };
    let mut elements = Elements::of(BufReader::new(manifest));
    while let Some(tag) = elements.next()? {
        if matches!(tag, Tag::Start(element) if element.local_name().as_ref() == "encryption-data") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A cell and the cells to its right with the same text.
struct Run {
    column: u32,
    count: u32,
    text: String,
}

fn read_sheet<R: BufRead>(elements: &mut Elements<R>, sheets: &mut Sheets<'_>) -> Result<(), NameListError> {
    let mut row: u32 = 0;
    while let Some(tag) = elements.next()? {
        match tag {
            Tag::Start(element) if element.local_name().as_ref() == "table-row" => {
                let count = repeated(&element, "number-rows-repeated");
                let runs = read_row(elements)?;
                for repetition in 0..if runs.is_empty() { 0 } else { count } {
                    for run in &runs {
                        for at in 0..run.count {
                            let (row, column) = (row.saturating_add(repetition), run.column.saturating_add(at));
                            sheets.add(row, column, &run.text)?;
                        }
                    }
                }
                row = row.saturating_add(count);
            }
            Tag::Start(element) if matches!(element.local_name().as_ref(), "table" | "shapes" | "forms") => {
                elements.skip(&element)?;
            }
            Tag::End(name) if name == "table" => return sheets.end(),
            _ => {}
        }
    }
    Err(fault(&"a sheet has no end"))
}

fn read_row<R: BufRead>(elements: &mut Elements<R>) -> Result<Vec<Run>, NameListError> {
    let (mut runs, mut column) = (Vec::new(), 0_u32);
    while let Some(tag) = elements.next()? {
        match tag {
            Tag::Start(cell) if matches!(cell.local_name().as_ref(), "table-cell" | "covered-table-cell") => {
                let count = repeated(&cell, "number-columns-repeated");
                let text = shown(&cell, read_text(elements)?);
                if !text.trim().is_empty() {
                    runs.push(Run { column, count, text });
                }
                column = column.saturating_add(count);
            }
            Tag::End(name) if name == "table-row" => return Ok(runs),
            _ => {}
        }
    }
    Err(fault(&"a row has no end"))
}

/// The text of a cell as the sheet shows it, except for dates, which become ISO dates, and for numbers in scientific notation
/// or with separators of thousands, which become plain numbers.
fn shown(cell: &BytesStart<'_>, text: String) -> String {
    match attribute(cell, "value-type").as_deref() {
        // File names cannot contain colons.
        Some("date") => attribute(cell, "date-value").map_or(text, |date| date.replace('T', " ").replace(':', ".")),
        Some("float") => match attribute(cell, "value").and_then(|value| value.parse::<f64>().ok()) {
            Some(value) if is_better_plain(value, &text) => value.to_string(),
            _ => text,
        },
        _ => text,
    }
}

fn is_better_plain(value: f64, text: &str) -> bool {
    let is_scientific = text.contains("E+") || text.contains("E-");
    let is_grouping = |c: &char| matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let is_grouped = value.fract() == 0.0
        && text.contains(|c| is_grouping(&c))
        && text.chars().filter(|c| !is_grouping(c)).collect::<String>() == value.to_string();
    value.is_finite() && (text.trim().is_empty() || is_scientific || is_grouped)
}

/// The paragraphs of a cell, up to its end.
fn read_text<R: BufRead>(elements: &mut Elements<R>) -> Result<String, NameListError> {
    let (mut text, mut paragraphs, mut is_inside) = (String::new(), 0, false);
    while let Some(tag) = elements.next()? {
        match tag {
            Tag::Start(element) => match element.local_name().as_ref() {
                "p" | "h" if !is_inside => {
                    is_inside = true;
                    paragraphs += 1;
                    if paragraphs > 1 {
                        text.push('\n');
                    }
                }
                "s" if is_inside => {
                    let count = repeated(&element, "c").min(MAX_SPACES);
                    text.extend((0..count).map(|_| ' '));
                }
                "tab" if is_inside => text.push('\t'),
                "line-break" if is_inside => text.push('\n'),
                "span" | "a" if is_inside => {}
                // Comments and drawings.
                _ => elements.skip(&element)?,
            },
            Tag::End(name) => match &*name {
                "p" | "h" => is_inside = false,
                "table-cell" | "covered-table-cell" => return Ok(text),
                _ => {}
            },
            Tag::Text(part) if is_inside => text.push_str(&part),
            Tag::Text(_) => {}
        }
    }
    Err(fault(&"a cell has no end"))
}

/// The value of the attribute with this local name.
fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = element.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(found.normalized_value(XmlVersion::Explicit1_0).ok()?.into_owned())
}

/// A number of repetitions, at least 1.
fn repeated(element: &BytesStart<'_>, name: &str) -> u32 {
    attribute(element, name).and_then(|count| count.trim().parse().ok()).unwrap_or(1).max(1)
}

enum Tag {
    Start(BytesStart<'static>),
    /// The local name of an element that ends.
    End(String),
    Text(String),
}

/// The elements and texts of a part.
struct Elements<R> {
    reader: Reader<R>,
    buffer: Vec<u8>,
}

impl<R: BufRead> Elements<R> {
    fn of(part: R) -> Self {
        let mut reader = Reader::from_reader(part);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new() }
    }

    fn next(&mut self) -> Result<Option<Tag>, NameListError> {
        loop {
            self.buffer.clear();
            let tag = match self.reader.read_event_into(&mut self.buffer).map_err(|error| fault(&error))? {
                Event::Start(element) => Tag::Start(element.into_owned()),
                Event::End(element) => Tag::End(element.local_name().as_ref().to_owned()),
                Event::Text(text) => Tag::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Tag::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(reference) => Tag::Text(resolved(&reference)),
                Event::Eof => return Ok(None),
                _ => continue,
            };
            return Ok(Some(tag));
        }
    }

    /// Skips to the end of `element`.
    fn skip(&mut self, element: &BytesStart<'_>) -> Result<(), NameListError> {
        self.buffer.clear();
        self.reader.read_to_end_into(element.name(), &mut self.buffer).map_err(|error| fault(&error))?;
        Ok(())
    }
}

/// The text of a character reference; none for an unknown one.
fn resolved(reference: &BytesRef<'_>) -> String {
    let named = || resolve_xml_entity(reference.as_ref()).unwrap_or_default().to_owned();
    reference.resolve_char_ref().ok().flatten().map_or_else(named, String::from)
}

#[cfg(test)]
mod tests;
