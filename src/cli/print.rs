//! The only place that writes to standard output, and what else is said on standard error.

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
pub(super) struct Teller {
    is_mute: bool,
}

impl Teller {
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
    told(writeln!(out, "{text}").and_then(|()| out.flush()))
}

/// True where standard output is a terminal: no place for a picture.
pub(super) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Writes bytes to standard output as they are.
pub(super) fn bytes(bytes: &[u8]) -> io::Result<Reader> {
    let mut out = io::stdout().lock();
    told(out.write_all(bytes).and_then(|()| out.flush()))
}

/// Writes a file's bytes to standard output.
pub(super) fn file(path: &Path) -> io::Result<Reader> {
    let mut file = File::open(path)?;
    let mut out = io::stdout().lock();
    told(io::copy(&mut file, &mut out).and_then(|_| out.flush()))
}

fn told(written: io::Result<()>) -> io::Result<Reader> {
    match written {
        Ok(()) => Ok(Reader::Listening),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Reader::Closed),
        Err(error) => Err(io::Error::new(error.kind(), format!("standard output cannot be written: {error}"))),
    }
}

/// Writes a line to standard error; that nobody reads it is no error.
pub(super) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints clap's help or its complaint where it belongs.
pub(super) fn clap(answer: &clap::Error) {
    let _ = answer.print();
}

/// `path` on one line and without what would steer a terminal or turn text around; bytes that are no text as marks.
pub(super) fn path(path: &Path) -> String {
    let mut shown = String::new();
    for c in path.to_string_lossy().chars() {
        let turns_text =
            matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || turns_text { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::path;
    use std::path::Path;

    #[test]
    fn paths_stay_on_one_line_and_steer_nothing() {
        for (given, shown) in [
            ("in/Zoë 王小明 👩.jpg", "in/Zoë 王小明 👩.jpg"),
            ("a\nb\x1b[31m.jpg", "a\\nb\\u{1b}[31m.jpg"),
            ("\u{202e}gpj.exe", "\\u{202e}gpj.exe"),
        ] {
            assert_eq!(path(Path::new(given)), shown);
        }
    }
}
