//! The last errors in the log, without personal data.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::redact::{REDACTED, Redactor};
use crate::platform::OWN_CRATES;

/// Maximum number of errors.
const MAX: usize = 10;

/// Bytes read from the end of each log file.
const MAX_BYTES: u64 = 1 << 20;

/// One error in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoggedError {
    /// Its time, as in the log.
    pub time: String,
    /// Its message, without paths and file names.
    pub text: String,
}

/// The last errors in these logs, oldest first.
pub(super) fn last_errors(logs: &[PathBuf], redactor: &Redactor) -> Vec<LoggedError> {
    let mut errors = Vec::new();
    for path in logs {
        let text = end_of(path).unwrap_or_default();
        errors.extend(text.lines().filter_map(|line| read(line, redactor)));
    }
    errors.drain(..errors.len().saturating_sub(MAX));
    errors
}

fn end_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// `2026-01-31T10:20:30.123456Z ERROR batch::platform: panic: ... file=... thread="worker" place="..."`.
fn read(line: &str, redactor: &Redactor) -> Option<LoggedError> {
    let (time, rest) = line.split_once(" ERROR ")?;
    let time = time.trim();
    if !time.starts_with(|c: char| c.is_ascii_digit()) || time.contains(char::is_whitespace) {
        return None;
    }
    // Spans with paths may precede the target.
    let starts = OWN_CRATES.iter().flat_map(|name| [format!("{name}::"), format!("{name}: ")]);
    let target =
        starts.filter_map(|start| rest.rfind(&start)).filter(|at| *at == 0 || rest[..*at].ends_with("}: ")).max();
    let Some(message) = target.and_then(|at| Some(rest[at..].split_once(": ")?.1)) else {
        return Some(LoggedError { time: time.to_owned(), text: REDACTED.to_owned() });
    };
    let fields = [" file=", " thread=", " place=", " requested=", " error=", " language=", " path="];
    let end = fields.iter().filter_map(|field| message.find(field)).min().unwrap_or(message.len());
    let mut text = redactor.redact(&message[..end]);
    if let Some(runtime) = value(message, " requested=") {
        text.push_str(&format!(" ({runtime})"));
    }
    if let Some((_, error)) = message.split_once(" error=") {
        text.push_str(&format!(": {}", redactor.redact(error)));
    }
    if let Some(thread) = value(message, " thread=") {
        text.push_str(&format!(", thread {thread}"));
    }
    if let Some(place) = value(message, " place=") {
        text.push_str(&format!(", at {}", place_in_crate(&place)));
    }
    Some(LoggedError { time: time.to_owned(), text })
}

/// The quoted value of the last field with this name, if it is a plain identifier or source path.
fn value(message: &str, field: &str) -> Option<String> {
    let at = message.rfind(field)? + field.len();
    let value = message[at..].strip_prefix('"')?.split('"').next()?;
    let is_plain = value.chars().all(|c| c.is_ascii_alphanumeric() || "-_:./\\".contains(c));
    is_plain.then(|| value.to_owned())
}

/// Shortens a source location to `crate-1.0/src/lib.rs:1:2`, without the folder of the build machine.
fn place_in_crate(place: &str) -> String {
    let parts: Vec<&str> = place.split(['/', '\\']).collect();
    match parts.iter().rposition(|part| *part == "src") {
        Some(src) => parts[src.saturating_sub(1)..].join("/"),
        None => parts.last().copied().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_in_both_logs_are_reported_without_file_names() {
        let folder = tempfile::tempdir().expect("created");
        let log = folder.path().join("iron-cropper.log");
        let before = folder.path().join("before.log");
        std::fs::write(
            &before,
            "2026-01-31T10:20:30.1Z ERROR batch::platform: panic: bad \"Zoë\" file=Some(\"/home/x/Zoë M.jpg\") \
             thread=\"worker\" place=\"/root/.cargo/registry/src/index/jxl-1.2/src/lib.rs:3:4\"\n\
             2026-01-31T10:20:31.1Z  INFO batch::worker: failed path=/home/x/Zoë.jpg\n",
        )
        .expect("written");
        std::fs::write(
            &log,
            "2026-01-31T10:21:30.1Z ERROR stage{path=/home/x/Zoë}: batch::platform: panic: index thread=\"worker-0\" \
             place=\"src/decode/mod.rs:1:2\"\n\
             2026-01-31T10:21:31.1Z ERROR batch::worker::run: runtime failed requested=\"ort:cpu\" error=it crashed \
             at /home/x/lib.so\n\
             2026-01-31T10:21:32.1Z ERROR stage{path=/home/Zoë}\n\
             and a second line of it with Zoë ERROR there\n",
        )
        .expect("written");
        let found: Vec<String> =
            last_errors(&[before, log], &Redactor::default()).into_iter().map(|error| error.text).collect();
        assert_eq!(
            found,
            [
                "panic: bad …, thread worker, at jxl-1.2/src/lib.rs:3:4",
                "panic: index, thread worker-0, at src/decode/mod.rs:1:2",
                "runtime failed (ort:cpu): it crashed at …",
                "…",
            ]
        );
    }

    #[test]
    fn only_the_last_errors_are_reported_and_a_missing_log_is_no_error() {
        let folder = tempfile::tempdir().expect("created");
        let log = folder.path().join("iron-cropper.log");
        assert_eq!(last_errors(std::slice::from_ref(&log), &Redactor::default()), []);
        let lines: Vec<String> = (0..20)
            .map(|number| format!("2026-01-31T10:20:{number:02}Z ERROR batch::worker: number {number}"))
            .collect();
        std::fs::write(&log, lines.join("\n")).expect("written");
        let found = last_errors(std::slice::from_ref(&log), &Redactor::default());
        assert_eq!((found.len(), found[9].text.as_str()), (MAX, "number 19"));
    }
}
