//! The only place that writes to standard output, and what else is said on standard error.
//!
//! Lines hold text of others: names of files, cells of lists, words of libraries. Whatever is printed as a line is made safe for a
//! terminal here, so nobody else has to think of it.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Whether anybody still reads standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(super) enum Reader {
    Listening,
    Closed,
}

/// Tells of work that stays done whether it is told of or not: where standard output cannot be written, as on a full disk, that
/// is said once on standard error, and the work goes on.
#[derive(Debug, Default)]
pub(super) struct LinePrinter {
    is_mute: bool,
}

impl LinePrinter {
    /// Writes a line.
    pub(super) fn line(&mut self, text: &str) -> Reader {
        if self.is_mute {
            return Reader::Listening;
        }
        line(text).unwrap_or_else(|error| {
            note(&format!("warning: {error}; files are written all the same"));
            self.is_mute = true;
            Reader::Listening
        })
    }

    /// True where something could not be told.
    pub(super) fn is_mute(&self) -> bool {
        self.is_mute
    }
}

impl Reader {
    pub(super) fn is_closed(self) -> bool {
        self == Self::Closed
    }
}

/// Writes a line to standard output. A reader that has gone, as in `| head -1`, is no error.
pub(super) fn line(text: &str) -> io::Result<Reader> {
    let mut out = io::stdout().lock();
    reported(writeln!(out, "{}", safe(text)).and_then(|()| out.flush()))
}

/// True where standard output is a terminal: no place for a picture.
pub(super) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Writes bytes to standard output as they are.
pub(super) fn bytes(bytes: &[u8]) -> io::Result<Reader> {
    let mut out = io::stdout().lock();
    reported(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Writes a file's bytes to standard output.
pub(super) fn file(path: &Path) -> io::Result<Reader> {
    let mut file = File::open(path)?;
    let mut out = io::stdout().lock();
    reported(io::copy(&mut file, &mut out).and_then(|_| out.flush()))
}

fn reported(written: io::Result<()>) -> io::Result<Reader> {
    match written {
        Ok(()) => Ok(Reader::Listening),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Closed),
        Err(error) => Err(io::Error::new(error.kind(), format!("standard output cannot be written: {error}"))),
    }
}

/// Writes a line to standard error; that nobody reads it is no error.
pub(super) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", safe(text));
}

/// Prints clap's help or its complaint where it belongs.
pub(super) fn clap(answer: &clap::Error) {
    let text = answer.render().to_string();
    let text = text.strip_suffix('\n').unwrap_or(&text);
    if answer.use_stderr() {
        note(text);
    } else {
        let _ = line(text);
    }
}

/// `text` without what would steer a terminal or turn text around. Such characters are escaped in a way that JSON and TOML
/// understand as well; line breaks and tabs stay.
fn safe(text: &str) -> Cow<'_, str> {
    let steers = |c: char| steers(c) && !matches!(c, '\n' | '\t');
    if text.contains(steers) { escaped(text, steers).into() } else { text.into() }
}

/// `text` on one line, and as [`safe`] as all that is printed: for text of others that stands in a sentence.
pub(super) fn inline(text: &str) -> String {
    escaped(text, steers)
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
                // Writing into text cannot fail.
                let _ = write!(shown, "\\u{:04x}", u32::from(c));
            }
        }
    }
    shown
}

/// True for what a terminal takes for a command, and for marks that turn text around.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `path` on one line, bytes that are no text as marks.
pub(super) fn path(path: &Path) -> String {
    inline(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{path, safe};

    #[test]
    fn paths_stay_on_one_line_and_steer_nothing() {
        for (given, shown) in [
            ("in/Zoë 王小明 👩.jpg", "in/Zoë 王小明 👩.jpg"),
            ("a\nb\x1b[31m.jpg", "a\\nb\\u001b[31m.jpg"),
            ("\u{202e}gpj.exe", "\\u202egpj.exe"),
        ] {
            assert_eq!(path(Path::new(given)), shown);
        }
    }

    #[test]
    fn nothing_that_is_printed_steers_a_terminal() {
        assert_eq!(
            safe("a\tb\nc \x1b]0;title\x07 \u{9b}31m \r \x7f"),
            "a\tb\nc \\u001b]0;title\\u0007 \\u009b31m \\r \\u007f"
        );
        // A line of JSON is the same to whoever reads it.
        let line = serde_json::to_string("Zoë \x1b[31m \u{9b} \u{202e} \u{7f}").expect("text");
        assert_eq!(serde_json::from_str::<String>(&safe(&line)).ok(), serde_json::from_str(&line).ok());
        assert!(!safe(&line).contains(|c: char| c.is_control()));
    }
}
