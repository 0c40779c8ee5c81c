//! The fields of a template, written in braces.

use super::safe::is_forbidden;
use super::{TemplateFault, moment};

/// All fields, in the order in which error messages list them.
pub(super) const FIELDS: [&str; 13] = [
    "stem",
    "name",
    "folder",
    "index:4",
    "face",
    "preset",
    "size",
    "width",
    "height",
    "date:%Y-%m-%d",
    "score",
    "quality",
    "column:NAME",
];

/// The default text for a photo without a date.
const NO_DATE: &str = "undated";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// The photo's file name without its extension.
    Stem,
    /// The name from the name list, or else the photo's own.
    Name,
    /// The name of the photo's folder.
    Folder,
    /// The photo's position in the list.
    Index {
        digits: usize,
    },
    /// The crop's number among the photo's crops.
    Face {
        digits: usize,
    },
    Preset,
    /// Width x height.
    Size,
    Width,
    Height,
    /// The date the photo was taken.
    Date {
        format: String,
        missing: String,
    },
    /// The detection score, in percent.
    Score,
    /// The portrait quality, in percent.
    Quality,
    /// A column of the name list.
    Column {
        name: String,
        missing: String,
    },
}

/// Parses the text between two braces. An error carries its position, in characters from the opening brace, exclusive.
pub(super) fn parse_field(inside: &str) -> Result<Field, (usize, TemplateFault)> {
    let (head, missing) = match inside.split_once('|') {
        Some((head, missing)) => (head, Some(missing)),
        None => (inside, None),
    };
    let (name, given) = match head.split_once(':') {
        Some((name, given)) => (name.trim(), Some(given)),
        None => (head.trim(), None),
    };
    let after_colon = head.split(':').next().unwrap_or_default().chars().count() + 1;
    let at_missing = head.chars().count() + 1;
    if let Some((at, character)) = missing.and_then(|text| text.chars().enumerate().find(|(_, c)| is_forbidden(*c))) {
        return Err((at_missing + at, TemplateFault::Forbidden { character }));
    }
    let plain = |field: Field, name: &'static str| match (given, missing) {
        (Some(_), _) => Err((after_colon, TemplateFault::TakesNothing { field: name })),
        (None, Some(_)) => Err((at_missing, TemplateFault::NeverMissing { field: name })),
        (None, None) => Ok(field),
    };
    let numbered = |name: &'static str| match (given, missing) {
        (_, Some(_)) => Err((at_missing, TemplateFault::NeverMissing { field: name })),
        (None, None) => Ok(1),
        (Some(given), None) => match given.trim().parse() {
            Ok(digits @ 1..=9) => Ok(digits),
            _ => Err((after_colon, TemplateFault::Digits { given: given.to_owned() })),
        },
    };
    match name {
        "stem" => plain(Field::Stem, "stem"),
        "name" => plain(Field::Name, "name"),
        "folder" => plain(Field::Folder, "folder"),
        "index" => Ok(Field::Index { digits: numbered("index")? }),
        "face" => Ok(Field::Face { digits: numbered("face")? }),
        "preset" => plain(Field::Preset, "preset"),
        "size" => plain(Field::Size, "size"),
        "width" => plain(Field::Width, "width"),
        "height" => plain(Field::Height, "height"),
        "score" => plain(Field::Score, "score"),
        "quality" => plain(Field::Quality, "quality"),
        "date" => {
            let format = given.unwrap_or(moment::DEFAULT_FORMAT);
            check_date(format).map_err(|(at, fault)| (after_colon + at, fault))?;
            Ok(Field::Date { format: format.to_owned(), missing: missing.unwrap_or(NO_DATE).to_owned() })
        }
        "column" => {
            let column = given.map(str::trim).filter(|column| !column.is_empty());
            let column = column.ok_or((after_colon - 1, TemplateFault::NoColumn))?;
            Ok(Field::Column { name: column.to_owned(), missing: missing.unwrap_or_default().to_owned() })
        }
        unknown => Err((0, TemplateFault::UnknownField { name: unknown.to_owned() })),
    }
}

fn check_date(format: &str) -> Result<(), (usize, TemplateFault)> {
    let mut characters = format.chars().enumerate();
    while let Some((at, c)) = characters.next() {
        if is_forbidden(c) {
            return Err((at, TemplateFault::Forbidden { character: c }));
        }
        if c == '%' {
            let code = characters.next().map(|(_, code)| code);
            if code.is_none_or(|code| !moment::CODES.contains(code)) {
                return Err((at, TemplateFault::DateCode { code }));
            }
        }
    }
    Ok(())
}
