//! Parsing of name templates.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::field::{Field, parse_field};
use super::safe::is_forbidden;
use super::{Characters, TemplateError, TemplateFault, fold_text};

/// A template for the names of crops, without extension: text with fields in braces, and `/` as the folder separator.
///
/// The default is `{name}`: the photo's name in the name list, or else its own. Serialised as its text, without the
/// characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NameTemplate {
    text: String,
    /// The folders below the output folder, and the file name as the last level.
    pub(super) levels: Vec<Vec<Part>>,
    pub(super) characters: Characters,
}

/// A part of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    Field(Field),
}

impl NameTemplate {
    /// The same template with names of these characters.
    pub fn with_characters(self, characters: Characters) -> Self {
        Self { characters, ..self }
    }

    /// The characters of the names.
    pub fn characters(&self) -> Characters {
        self.characters
    }

    /// True for the template `{name}`.
    pub fn is_default(&self) -> bool {
        matches!(self.levels.as_slice(), [level] if matches!(level.as_slice(), [Part::Field(Field::Name)]))
    }

    /// True if the template contains the crop's number, so that none is appended.
    pub(super) fn has_face(&self) -> bool {
        self.fields().any(|field| matches!(field, Field::Face { .. }))
    }

    /// True if the template contains the photo's position in the list.
    pub fn uses_place(&self) -> bool {
        self.fields().any(|field| matches!(field, Field::Index { .. }))
    }

    /// True if names depend on facts that are known only after decoding and detection.
    pub fn depends_on_pixels(&self) -> bool {
        self.fields().any(|field| matches!(field, Field::Date { .. } | Field::Score | Field::Quality))
    }

    /// True if the template contains the name from the name list.
    pub fn uses_name(&self) -> bool {
        self.fields().any(|field| matches!(field, Field::Name))
    }

    /// The name list columns it refers to.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.fields().filter_map(|field| match field {
            Field::Column { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    /// True if `requested` refers to the column `heading`, ignoring case and surrounding spaces.
    pub fn is_column(requested: &str, heading: &str) -> bool {
        fold_text(requested.trim()) == fold_text(heading.trim())
    }

    fn fields(&self) -> impl Iterator<Item = &Field> {
        self.levels.iter().flatten().filter_map(|part| match part {
            Part::Field(field) => Some(field),
            Part::Text(_) => None,
        })
    }
}

impl Default for NameTemplate {
    fn default() -> Self {
        let levels = vec![vec![Part::Field(Field::Name)]];
        Self { text: "{name}".to_owned(), levels, characters: Characters::Portable }
    }
}

impl fmt::Display for NameTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<NameTemplate> for String {
    fn from(template: NameTemplate) -> Self {
        template.text
    }
}

impl TryFrom<String> for NameTemplate {
    type Error = TemplateError;

    fn try_from(text: String) -> Result<Self, TemplateError> {
        text.parse()
    }
}

impl FromStr for NameTemplate {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        let fault = |at: usize, fault: TemplateFault| TemplateError { template: text.to_owned(), at, fault };
        match parse_levels(text) {
            Ok(levels) => Ok(Self { text: text.to_owned(), levels, characters: Characters::Portable }),
            Err((at, kind)) => Err(fault(at, kind)),
        }
    }
}

type Fault = (usize, TemplateFault);

/// A level being parsed, and the position of its first character.
#[derive(Default)]
struct Level {
    start: usize,
    parts: Vec<Part>,
}

impl Level {
    fn push_text(&mut self, c: char) {
        match self.parts.last_mut() {
            Some(Part::Text(text)) => text.push(c),
            _ => self.parts.push(Part::Text(c.into())),
        }
    }

    fn close(self) -> Result<Vec<Part>, Fault> {
        match self.parts.as_slice() {
            [] => Err((self.start, TemplateFault::EmptyFolder)),
            [Part::Text(text)] if text.chars().all(|c| matches!(c, '.' | ' ')) => {
                Err((self.start, TemplateFault::LeadsOut))
            }
            _ => Ok(self.parts),
        }
    }
}

fn parse_levels(text: &str) -> Result<Vec<Vec<Part>>, Fault> {
    let characters: Vec<char> = text.chars().collect();
    if text.trim().is_empty() {
        return Err((0, TemplateFault::Empty));
    }
    let is_drive = characters.get(1) == Some(&':') && characters[0].is_ascii_alphabetic();
    if is_drive || matches!(characters[0], '/' | '\\') {
        return Err((0, TemplateFault::Absolute));
    }
    let (mut levels, mut level) = (Vec::new(), Level::default());
    let mut at = 0;
    while let Some(&c) = characters.get(at) {
        let doubled = characters.get(at + 1) == Some(&c);
        match c {
            '{' | '}' if doubled => {
                level.push_text(c);
                at += 1;
            }
            '{' => {
                let length = characters[at + 1..].iter().position(|c| *c == '}');
                let length = length.ok_or((at, TemplateFault::Unclosed))?;
                let inside: String = characters[at + 1..][..length].iter().collect();
                let field = parse_field(&inside).map_err(|(inner, fault)| (at + 1 + inner, fault))?;
                level.parts.push(Part::Field(field));
                at += length + 1;
            }
            '}' => return Err((at, TemplateFault::Unopened)),
            '/' => levels.push(std::mem::replace(&mut level, Level { start: at + 1, parts: Vec::new() }).close()?),
            c if is_forbidden(c) => return Err((at, TemplateFault::Forbidden { character: c })),
            c => level.push_text(c),
        }
        at += 1;
    }
    levels.push(level.close()?);
    Ok(levels)
}

#[cfg(test)]
mod tests;
