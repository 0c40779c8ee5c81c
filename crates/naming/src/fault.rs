//! What is wrong with a template, and where.

use std::fmt;

use super::field::FIELDS;
use super::moment;

/// A template that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct TemplateError {
    /// The template.
    pub template: String,
    /// The character the fault is at, counted from 0.
    pub at: usize,
    /// What is wrong there.
    pub fault: TemplateFault,
}

/// What is wrong at one place of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateFault {
    /// There is nothing in it.
    Empty,
    /// A brace that is opened and not closed.
    Unclosed,
    /// A brace that is closed and was not opened.
    Unopened,
    /// There is no such field.
    UnknownField {
        /// What was written.
        name: String,
    },
    /// A field that takes nothing after a colon has something there.
    TakesNothing {
        /// The field.
        field: &'static str,
    },
    /// A field that always has a value was given one to fall back to.
    NeverMissing {
        /// The field.
        field: &'static str,
    },
    /// The number of digits is none, or too large.
    Digits {
        /// What was written.
        given: String,
    },
    /// A date cannot be written like that.
    DateCode {
        /// What follows the percent sign; `None` at the end.
        code: Option<char>,
    },
    /// A column without a name.
    NoColumn,
    /// A character that cannot be in file names everywhere.
    Forbidden {
        /// The character.
        character: char,
    },
    /// A folder without a name: two slashes side by side, or one at the end.
    EmptyFolder,
    /// It starts at the root of the disk.
    Absolute,
    /// It would lead out of the output folder.
    LeadsOut,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}', character {}: {}", self.template, self.at + 1, self.fault)
    }
}

impl fmt::Display for TemplateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is nothing in it; write for example {stem}"),
            Self::Unclosed => f.write_str("this { is never closed; a brace as such is written {{"),
            Self::Unopened => f.write_str("this } closes nothing; a brace as such is written }}"),
            Self::UnknownField { name } => {
                let fields: Vec<String> = FIELDS.iter().map(|field| format!("{{{field}}}")).collect();
                write!(f, "there is no field {{{name}}}; there are {}", fields.join(", "))
            }
            Self::TakesNothing { field } => write!(f, "{{{field}}} takes nothing after a colon"),
            Self::NeverMissing { field } => {
                write!(f, "{{{field}}} always has a value; only {{date}} and {{column}} take one to fall back to")
            }
            Self::Digits { given } => {
                write!(f, "'{given}' is no number of digits; write 1 to 9, for example {{index:4}}")
            }
            Self::DateCode { code } => {
                let codes: Vec<String> = moment::CODES.chars().map(|code| format!("%{code}")).collect();
                let given = code.map_or_else(|| "%".to_owned(), |code| format!("%{code}"));
                write!(f, "there is no {given} in dates; there are {}", codes.join(" "))
            }
            Self::NoColumn => f.write_str("which column? write for example {column:class}"),
            Self::Forbidden { character: '\\' } => {
                f.write_str("a file name cannot have \\ everywhere; folders are parted by /")
            }
            Self::Forbidden { character: '/' } => {
                f.write_str("folders are parted outside the braces: {date:%Y}/{date:%m}")
            }
            Self::Forbidden { character } => {
                write!(f, "a file name cannot have {} everywhere", character.escape_default())
            }
            Self::EmptyFolder => f.write_str("a folder or file without a name; there is one / between two names"),
            Self::Absolute => f.write_str("it starts at the root of the disk; folders lie in the output folder"),
            Self::LeadsOut => f.write_str("it leads out of the folder; a name is more than dots"),
        }
    }
}
