//! The last errors of the log, without what is about the person.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::private::{LEFT_OUT, Private};
use crate::platform::OWN_CRATES;

/// Errors that are told.
const MAX: usize = 10;

/// Bytes of each log file that are looked through, from its end.
const MAX_BYTES: u64 = 1 << 20;

/// One error of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoggedError {
    /// When, as the log has it.
    pub time: String,
    /// What, without paths and names.
    pub text: String,
}

/// The last errors of these logs, oldest first.
pub(super) fn last_errors(logs: &[PathBuf], private: &Private) -> Vec<LoggedError> {
    let mut errors = Vec::new();
    for path in logs {
        let text = end_of(path).unwrap_or_default();
        errors.extend(text.lines().filter_map(|line| read(line, private)));
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
fn read(line: &str, private: &Private) -> Option<LoggedError> {
    let (time, rest) = line.split_once(" ERROR ")?;
    let time = time.trim();
    if !time.starts_with(|c: char| c.is_ascii_digit()) || time.contains(char::is_whitespace) {
        return None;
    }
    // Before the target may stand spans with paths in them.
    let starts = OWN_CRATES.iter().flat_map(|name| [format!("{name}::"), format!("{name}: ")]);
    let target =
        starts.filter_map(|start| rest.rfind(&start)).filter(|at| *at == 0 || rest[..*at].ends_with("}: ")).max();
    let Some(said) = target.and_then(|at| Some(rest[at..].split_once(": ")?.1)) else {
        return Some(LoggedError { time: time.to_owned(), text: LEFT_OUT.to_owned() });
    };
    let fields = [" file=", " thread=", " place=", " requested=", " error=", " language=", " path="];
    let end = fields.iter().filter_map(|field| said.find(field)).min().unwrap_or(said.len());
    let mut text = private.scrub(&said[..end]);
    if let Some(runtime) = value(said, " requested=") {
        text.push_str(&format!(" ({runtime})"));
    }
    if let Some((_, error)) = said.split_once(" error=") {
        text.push_str(&format!(": {}", private.scrub(error)));
    }
    if let Some(thread) = value(said, " thread=") {
        text.push_str(&format!(", thread {thread}"));
    }
    if let Some(place) = value(said, " place=") {
        text.push_str(&format!(", at {}", place_in_crate(&place)));
    }
    Some(LoggedError { time: time.to_owned(), text })
}

/// The value in quotes of the last field of this name. Only what is a word is told.
fn value(said: &str, field: &str) -> Option<String> {
    let at = said.rfind(field)? + field.len();
    let value = said[at..].strip_prefix('"')?.split('"').next()?;
    let is_plain = value.chars().all(|c| c.is_ascii_alphanumeric() || "-_:./\\".contains(c));
    is_plain.then(|| value.to_owned())
}

/// `crate-1.0/src/lib.rs:1:2` of wherever its source was when the program was built.
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
    fn errors_of_both_logs_are_reported_without_names() {
        let folder = tempfile::tempdir().expect("made");
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
            "2026-01-31T10:21:30.1Z ERROR stage{path=/home/x/Zoë}: batch::platform: panic: index thread=\"hand-0\" \
             place=\"src/decode/mod.rs:1:2\"\n\
             2026-01-31T10:21:31.1Z ERROR batch::worker::run: runtime failed requested=\"ort:cpu\" error=it crashed \
             at /home/x/lib.so\n\
             2026-01-31T10:21:32.1Z ERROR stage{path=/home/Zoë}\n\
             and a second line of it with Zoë ERROR there\n",
        )
        .expect("written");
        let reported: Vec<String> =
            last_errors(&[before, log], &Private::default()).into_iter().map(|error| error.text).collect();
        assert_eq!(
            reported,
            [
                "panic: bad …, thread worker, at jxl-1.2/src/lib.rs:3:4",
                "panic: index, thread hand-0, at src/decode/mod.rs:1:2",
                "runtime failed (ort:cpu): it crashed at …",
                "…",
            ]
        );
    }

    #[test]
    fn only_the_last_are_reported_and_no_log_is_no_error() {
        let folder = tempfile::tempdir().expect("made");
        let log = folder.path().join("iron-cropper.log");
        assert_eq!(last_errors(std::slice::from_ref(&log), &Private::default()), []);
        let lines: Vec<String> = (0..20)
            .map(|number| format!("2026-01-31T10:20:{number:02}Z ERROR batch::worker: number {number}"))
            .collect();
        std::fs::write(&log, lines.join("\n")).expect("written");
        let reported = last_errors(std::slice::from_ref(&log), &Private::default());
        assert_eq!((reported.len(), reported[9].text.as_str()), (MAX, "number 19"));
    }
}
