//! The only module that writes to standard output; also writes messages to standard error.
//!
//! Lines contain untrusted text: file names, list cells, library messages. Everything printed as a line is escaped here, so
//! that it cannot control the terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Whether standard output still has a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(super) enum Reader {
    Listening,
    Closed,
}

/// Prints lines about work that is done anyway: if standard output cannot be written, for example on a full disk, that is
/// reported once on standard error, and the work continues.
#[derive(Debug, Default)]
pub(super) struct LinePrinter {
    has_failed: bool,
}

impl LinePrinter {
    pub(super) fn line(&mut self, text: &str) -> Reader {
        if self.has_failed {
            return Reader::Listening;
        }
        line(text).unwrap_or_else(|error| {
            note(&format!("warning: {error}; files are still written"));
            self.has_failed = true;
            Reader::Listening
        })
    }

    /// True if some line could not be written.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed
    }
}

impl Reader {
    pub(super) fn is_closed(self) -> bool {
        self == Self::Closed
    }
}

/// Writes a line to standard output. A reader that has gone, as in `| head -1`, is not an error.
pub(super) fn line(text: &str) -> io::Result<Reader> {
    let mut out = io::stdout().lock();
    reader_after(writeln!(out, "{}", safe(text)).and_then(|()| out.flush()))
}

/// True if standard output is a terminal, to which no image is written.
pub(super) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Writes raw bytes to standard output.
pub(super) fn bytes(bytes: &[u8]) -> io::Result<Reader> {
    let mut out = io::stdout().lock();
    reader_after(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Writes a file's bytes to standard output.
pub(super) fn file(path: &Path) -> io::Result<Reader> {
    let mut file = File::open(path)?;
    let mut out = io::stdout().lock();
    reader_after(io::copy(&mut file, &mut out).and_then(|_| out.flush()))
}

/// Whether the reader is still there after a write; other errors are returned.
fn reader_after(written: io::Result<()>) -> io::Result<Reader> {
    match written {
        Ok(()) => Ok(Reader::Listening),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Closed),
        Err(error) => Err(io::Error::new(error.kind(), format!("standard output cannot be written: {error}"))),
    }
}

/// Writes a line to standard error; ignores a missing reader.
pub(super) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", safe(text));
}

/// Prints clap's help to standard output, or its error to standard error.
pub(super) fn clap(answer: &clap::Error) {
    let text = answer.render().to_string();
    let text = text.strip_suffix('\n').unwrap_or(&text);
    if answer.use_stderr() {
        note(text);
    } else {
        let _ = line(text);
    }
}

/// Escapes terminal control characters and characters that change the text direction, in the syntax of JSON and TOML. Line
/// breaks and tabs stay.
fn safe(text: &str) -> Cow<'_, str> {
    let is_unsafe_char = |c: char| is_unsafe_char(c) && !matches!(c, '\n' | '\t');
    if text.contains(is_unsafe_char) { escaped(text, is_unsafe_char).into() } else { text.into() }
}

/// `text` on one line, escaped as by [`safe`]: for untrusted text within a sentence.
pub(super) fn inline(text: &str) -> String {
    escaped(text, is_unsafe_char)
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if !is_escaped(c) => shown.push(c),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c => {
                // Writing to a string cannot fail.
                let _ = write!(shown, "\\u{:04x}", u32::from(c));
            }
        }
    }
    shown
}

/// True for terminal control characters and for characters that change the text direction.
fn is_unsafe_char(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `path` on one line; invalid bytes become replacement characters.
pub(super) fn path(path: &Path) -> String {
    inline(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{path, safe};

    #[test]
    fn paths_stay_on_one_line_without_control_characters() {
        for (given, shown) in [
            ("in/Zoë 王小明 👩.jpg", "in/Zoë 王小明 👩.jpg"),
            ("a\nb\x1b[31m.jpg", "a\\nb\\u001b[31m.jpg"),
            ("\u{202e}gpj.exe", "\\u202egpj.exe"),
        ] {
            assert_eq!(path(Path::new(given)), shown);
        }
    }

    #[test]
    fn printed_text_contains_no_terminal_control_characters() {
        assert_eq!(
            safe("a\tb\nc \x1b]0;title\x07 \u{9b}31m \r \x7f"),
            "a\tb\nc \\u001b]0;title\\u0007 \\u009b31m \\r \\u007f"
        );
        // A line of JSON stays equivalent.
        let line = serde_json::to_string("Zoë \x1b[31m \u{9b} \u{202e} \u{7f}").expect("text");
        assert_eq!(serde_json::from_str::<String>(&safe(&line)).ok(), serde_json::from_str(&line).ok());
        assert!(!safe(&line).contains(|c: char| c.is_control()));
    }
}
