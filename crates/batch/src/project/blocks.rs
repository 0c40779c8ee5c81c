//! Splits the text of a project by photo, so that reading a long list takes little memory.

use toml::de::Error;
use toml::{Table, Value};

/// The header line of each photo.
const HEADER: &str = "[[photos]]";

/// Maximum size of a text that is parsed as a whole, in bytes: that takes some thirty times its size in memory.
const MAX_WHOLE: usize = 8_000_000;

/// A parsed text.
pub(super) struct Parsed<'a> {
    /// Everything except the photos.
    pub(super) head: Table,
    /// The photos; `None` if they are no list.
    pub(super) photos: Option<Photos<'a>>,
}

/// The photos of a text.
pub(super) enum Photos<'a> {
    /// Their text, each a valid table.
    Texts(Vec<&'a str>),
    /// Their values, from a text that was parsed as a whole.
    Values(Vec<Value>),
}

impl Photos<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.len(),
            Self::Values(values) => values.len(),
        }
    }

    /// Calls `take` with each photo.
    pub(super) fn each<E: From<Error>>(self, take: &mut dyn FnMut(Value) -> Result<(), E>) -> Result<(), E> {
        match self {
            Self::Texts(texts) => texts.into_iter().try_for_each(|text| take(Value::Table(text.parse()?))),
            Self::Values(values) => values.into_iter().try_for_each(take),
        }
    }
}

/// Why a text cannot be parsed.
#[derive(Debug)]
pub(super) enum Fault {
    /// Invalid TOML, with the line number.
    Toml(Option<usize>, Error),
    /// Not in the layout of saved projects, and too large to be parsed as a whole.
    TooLong,
}

/// Parses a text: photo by photo if it has the layout of saved projects, else as a whole.
pub(super) fn parsed(text: &str) -> Result<Parsed<'_>, Fault> {
    if let Some(parsed) = by_photo(text) {
        return Ok(parsed);
    }
    if text.len() > MAX_WHOLE {
        return Err(Fault::TooLong);
    }
    let mut head: Table = text.parse().map_err(|error| Fault::Toml(line_of(&error, text), error))?;
    let photos = match head.remove("photos") {
        None => Some(Photos::Values(Vec::new())),
        Some(Value::Array(values)) => Some(Photos::Values(values)),
        Some(_) => None,
    };
    Ok(Parsed { head, photos })
}

fn line_of(error: &Error, text: &str) -> Option<usize> {
    let before = text.as_bytes().get(..error.span()?.start)?;
    Some(before.iter().filter(|byte| **byte == b'\n').count() + 1)
}

/// `None` if a part cannot be parsed on its own.
fn by_photo(text: &str) -> Option<Parsed<'_>> {
    let (mut parts, mut from, mut at) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        let begins = line.trim_end() == HEADER;
        if begins {
            parts.push(&text[from..at]);
            from = at + line.len();
        } else if !parts.is_empty() && line.trim_start().starts_with('[') {
            // Another table, or a multi-line array.
            return None;
        }
        at += line.len();
    }
    parts.push(&text[from..]);
    let photos = parts.split_off(1);
    let head: Table = parts[0].parse().ok().filter(|head: &Table| !head.contains_key("photos"))?;
    photos.iter().all(|photo| photo.parse::<Table>().is_ok()).then_some(())?;
    Some(Parsed { head, photos: Some(Photos::Texts(photos)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_all(text: &str) -> (Table, Vec<Value>, bool) {
        let parsed = parsed(text).expect("valid");
        let photos = parsed.photos.expect("a list");
        let (mut values, by_photo) = (Vec::new(), matches!(photos, Photos::Texts(_)));
        let taken: Result<(), Error> = photos.each(&mut |value| {
            values.push(value);
            Ok(())
        });
        taken.expect("valid");
        (parsed.head, values, by_photo)
    }

    #[test]
    fn parsing_by_photo_gives_the_same_result_as_parsing_the_whole() {
        for (text, by_photo) in [
            (
                "version = 1\n[settings]\na = 1\n\n[[photos]]\npath = \"a\"\nedits.left_out = true\n\n[[photos]]\r\npath = 'b'",
                true,
            ),
            ("version = 1\n", true),
            ("[[photos]]\n", true),
            ("version = 1\n[[photos]]\npath = 'a'\n[photos.edits]\nleft_out = true\n[settings]\na = 1\n", false),
            ("version = 1\n[[photos]]\npath = 'a'\nboxes = [\n[1, 2],\n]\n[[photos]]\npath = 'b'\n", false),
            ("version = 1\nphotos = [{ path = 'a' }]\n", false),
            ("a = '''\n[[photos]]\n'''\n[[photos]]\npath = 'b'\n", false),
            ("[[photos]]\na = '''\n[[photos]]\n'''\n", false),
        ] {
            let (head, photos, apart) = parse_all(text);
            let mut whole: Table = text.parse().expect("valid");
            let expected = whole.remove("photos").unwrap_or(Value::Array(Vec::new()));
            assert_eq!((Value::Array(photos), head), (expected, whole), "{text}");
            assert_eq!(apart, by_photo, "{text}");
        }
        assert!(parsed("photos = 3").expect("valid").photos.is_none());
    }

    #[test]
    fn invalid_toml_is_rejected_and_only_the_written_layout_may_be_large() {
        for text in ["version", "photos = []\n[[photos]]\n", "[[photos]]\npath = 'a\n"] {
            assert!(matches!(parsed(text), Err(Fault::Toml(Some(1..), _))), "{text}");
        }
        let many = "[[photos]]\npath = 'a'\n".repeat(MAX_WHOLE / 20);
        assert!(matches!(parsed(&many), Ok(Parsed { photos: Some(Photos::Texts(_)), .. })));
        assert!(matches!(parsed(&format!("{many}[settings]\n")), Err(Fault::TooLong)));
    }
}
