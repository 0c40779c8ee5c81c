//! Errors in templates, with their position.

use std::fmt;

use super::field::FIELDS;
use super::moment;

/// An invalid template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct TemplateError {
    /// The text of the template.
    pub template: String,
    /// Position of the error, in characters from 0.
    pub at: usize,
    /// The kind of error.
    pub fault: TemplateFault,
}

/// The kinds of errors in templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateFault {
    /// The template is empty.
    Empty,
    /// An opening brace without a closing one.
    Unclosed,
    /// A closing brace without an opening one.
    Unopened,
    UnknownField {
        /// The name in the template.
        name: String,
    },
    /// A format after a colon, for a field without one.
    TakesNothing { field: &'static str },
    /// A fallback text, for a field that always has a value.
    NeverMissing { field: &'static str },
    /// The number of digits is not from 1 to 9.
    Digits {
        /// The text in the template.
        given: String,
    },
    /// An unknown conversion specifier in a date format.
    DateCode {
        /// The character after the percent sign; `None` at the end.
        code: Option<char>,
    },
    /// A column without a name.
    NoColumn,
    /// A character that is not allowed in file names on every system.
    Forbidden { character: char },
    /// An empty folder or file name: two consecutive slashes, or one at the end.
    EmptyFolder,
    /// An absolute path.
    Absolute,
    /// A folder or file name of only dots and spaces, such as `..`.
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
            Self::Empty => f.write_str("it is empty; write for example {stem}"),
            Self::Unclosed => f.write_str("this { is never closed; write {{ for a literal brace"),
            Self::Unopened => f.write_str("this } closes nothing; write }} for a literal brace"),
            Self::UnknownField { name } => {
                let fields: Vec<String> = FIELDS.iter().map(|field| format!("{{{field}}}")).collect();
                write!(f, "there is no field {{{name}}}; the fields are {}", fields.join(", "))
            }
            Self::TakesNothing { field } => write!(f, "{{{field}}} takes no format after a colon"),
            Self::NeverMissing { field } => {
                write!(f, "{{{field}}} always has a value; only {{date}} and {{column}} take a default")
            }
            Self::Digits { given } => {
                write!(f, "'{given}' is not a number of digits; write 1 to 9, for example {{index:4}}")
            }
            Self::DateCode { code } => {
                let codes: Vec<String> = moment::CODES.chars().map(|code| format!("%{code}")).collect();
                let given = code.map_or_else(|| "%".to_owned(), |code| format!("%{code}"));
                write!(f, "there is no date code {given}; the codes are {}", codes.join(" "))
            }
            Self::NoColumn => f.write_str("the column is missing; write for example {column:class}"),
            Self::Forbidden { character: '\\' } => {
                f.write_str("a file name cannot contain \\ on every system; separate folders with /")
            }
            Self::Forbidden { character: '/' } => {
                f.write_str("write the / between folders outside the braces: {date:%Y}/{date:%m}")
            }
            Self::Forbidden { character } => {
                write!(f, "a file name cannot contain {} on every system", character.escape_default())
            }
            Self::EmptyFolder => f.write_str("a folder or file has no name; write one / between two names"),
            Self::Absolute => {
                f.write_str("it starts at the root of the disk; folders are relative to the output folder")
            }
            Self::LeadsOut => f.write_str("it leads out of the output folder; a name cannot consist of dots alone"),
        }
    }
}
