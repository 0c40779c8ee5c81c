//! A child process with a time limit: what may crash or hang is tried there, never in the process people work in.
//!
//! What the child is asked to do is `latency`'s business; here is how it is run and how it ended.

use std::ffi::OsString;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Why a child process gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChildError {
    /// It could not be started.
    #[error("{} cannot be started: {reason}", program.display())]
    CannotStart {
        /// The program.
        program: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// It ended by a signal, or with another exit code than 0.
    #[error("crash ({how}){}", last_line.as_ref().map(|line| format!(": {line}")).unwrap_or_default())]
    Crashed {
        /// The signal or the exit code.
        how: String,
        /// The last line it wrote to standard error.
        last_line: Option<String>,
    },
    /// It was still running when its time was up, and was ended.
    #[error("take longer than {} s", seconds(*limit))]
    TimedOut {
        /// The time it had.
        limit: Duration,
    },
}

/// Seconds to the tenth, without a zero behind the point: a limit may be what is left of another.
fn seconds(limit: Duration) -> String {
    let tenths = (limit.as_secs_f64() * 10.0).round() / 10.0;
    tenths.to_string()
}

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says which program runs as child: this one, told once at start; a test names the program it was built with.
pub fn set_program(path: PathBuf) {
    // The first word stands: a second caller means the same program.
    let _ = PROGRAM.set(path);
}

/// The program that runs as child; `None` where nobody has said.
pub fn program() -> Option<&'static Path> {
    PROGRAM.get().map(PathBuf::as_path)
}

/// Runs `program` with `arguments` and answers with its standard output. It gets no input and no window, and is ended
/// when `limit` is over.
///
/// # Errors
/// It cannot be started, ends by a signal or with an exit code other than 0, or takes longer than `limit`.
pub fn run_child(program: &Path, arguments: &[OsString], limit: Duration) -> Result<String, ChildError> {
    let cannot_start =
        |error: io::Error| ChildError::CannotStart { program: program.to_owned(), reason: error.to_string() };
    // Files, not pipes: a child that writes much never waits for a reader, and no thread is needed to read.
    let mut stdout = tempfile::tempfile().map_err(cannot_start)?;
    let mut stderr = tempfile::tempfile().map_err(cannot_start)?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().map_err(cannot_start)?)
        .stderr(stderr.try_clone().map_err(cannot_start)?);
    without_window(&mut command);
    let mut child = command.spawn().map_err(cannot_start)?;
    let status = match wait(&mut child, limit) {
        Ok(Some(status)) => status,
        ended => {
            // It may have ended by itself just now; either way it is gone after this.
            let _ = child.kill();
            let _ = child.wait();
            return Err(ended.err().map_or(ChildError::TimedOut { limit }, cannot_start));
        }
    };
    if status.success() {
        return text_of(&mut stdout).map_err(cannot_start);
    }
    let words = text_of(&mut stderr).unwrap_or_default();
    let last_line = words.lines().map(str::trim).rfind(|line| !line.is_empty()).map(str::to_owned);
    Err(ChildError::Crashed { how: how_it_ended(status), last_line })
}

/// Waits for the end of `child`; `None` when the time is up first.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = limit.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Ok(None);
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn text_of(file: &mut std::fs::File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(unix)]
fn how_it_ended(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(signal) => format!("signal {signal}"),
        None => format!("exit code {}", status.code().unwrap_or_default()),
    }
}

#[cfg(not(unix))]
fn how_it_ended(status: ExitStatus) -> String {
    // Crashes are codes such as 0xc0000005, which nobody knows in decimal.
    format!("exit code {:#x}", status.code().unwrap_or_default())
}

#[cfg(windows)]
fn without_window(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    command.creation_flags(CREATE_NO_WINDOW);
}

#[cfg(not(windows))]
fn without_window(_: &mut Command) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_in_seconds_a_person_reads() {
        let told = |millis| ChildError::TimedOut { limit: Duration::from_millis(millis) }.to_string();
        assert_eq!(told(8000), "take longer than 8 s");
        assert_eq!(told(5382), "take longer than 5.4 s");
        assert_eq!(told(300), "take longer than 0.3 s");
        // Seconds and tenths of a float are not told as 6.8999996.
        let left = Duration::from_secs(9).saturating_sub(Duration::new(2, 100_000_417));
        assert_eq!(ChildError::TimedOut { limit: left }.to_string(), "take longer than 6.9 s");
    }
}
