//! A child process with a time limit, for operations that may crash or hang.
//!
//! The child and the processes it starts are terminated together, and its output is limited.
//!
//! The module `latency` defines the operations; this module runs the child and reports how it ended.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use outcome::BadEnd;

/// Why a child process returned no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChildError {
    /// It could not be started.
    #[error("{} cannot be started: {reason}", program.display())]
    CannotStart {
        program: PathBuf,
        /// The system's message.
        reason: String,
    },
    /// It ended abnormally.
    #[error(transparent)]
    BadEnd(#[from] BadEnd),
}

/// Maximum bytes of a child's standard output, and of its standard error.
const MAX_OUTPUT: u64 = 4_000_000;
/// Maximum characters of a reported line.
const MAX_LINE: usize = 300;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Sets the program that is run as child: this program, set once at start; tests set the program they were built with.
pub fn set_program(path: PathBuf) {
    // Only the first call counts: a second caller sets the same program.
    let _ = PROGRAM.set(path);
}

/// The program that is run as child; `None` if not set.
pub fn program() -> Option<&'static Path> {
    PROGRAM.get().map(PathBuf::as_path)
}

/// Runs `program` with `arguments` and returns its standard output. It gets no input and no window, and is terminated
/// after `limit`, together with the processes that it started: on Unix those in its process group.
///
/// # Errors
/// It cannot be started, ends by a signal or with an exit code other than 0, exceeds `limit`, or exceeds the output
/// limit.
pub fn run_child(program: &Path, arguments: &[OsString], limit: Duration) -> Result<String, ChildError> {
    let cannot_start =
        |error: io::Error| ChildError::CannotStart { program: program.to_owned(), reason: error.to_string() };
    // Files, not pipes: a child with much output never blocks, and no reader thread is needed.
    let mut stdout = tempfile::tempfile().map_err(cannot_start)?;
    let mut stderr = tempfile::tempfile().map_err(cannot_start)?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().map_err(cannot_start)?)
        .stderr(stderr.try_clone().map_err(cannot_start)?);
    isolate(&mut command);
    let mut child = command.spawn().map_err(cannot_start)?;
    #[cfg(windows)]
    // If the job cannot be created, only the child itself is terminated.
    let _job = super::job::Job::around(&child);
    let ended = wait(&mut child, limit, [&stdout, &stderr]);
    // The child may have just ended by itself; after this it has ended in any case, with the processes it started.
    let _ = child.kill();
    let _ = child.wait();
    #[cfg(unix)]
    end_group(&child);
    let status = match ended {
        Ok(End::Exited(status)) => status,
        Ok(End::OutOfTime) => return Err(BadEnd::Slow { limit }.into()),
        Ok(End::TooMuchOutput) => return Err(BadEnd::Chatter { megabytes: MAX_OUTPUT / 1_000_000 }.into()),
        Err(error) => return Err(cannot_start(error)),
    };
    if status.success() {
        return text_of(&mut stdout).map_err(cannot_start);
    }
    let stderr_text = text_of(&mut stderr).unwrap_or_default();
    let last_line = stderr_text.lines().map(str::trim).rfind(|line| !line.is_empty()).map(printable);
    Err(BadEnd::Crash { how: exit_reason(status), last_line }.into())
}

/// The reason for the end of the wait.
enum End {
    Exited(ExitStatus),
    OutOfTime,
    TooMuchOutput,
}

/// Makes the system terminate this process together with its parent, if possible (Linux): Ctrl+C in the parent does not
/// reach a separate process group.
pub fn end_with_parent() {
    #[cfg(target_os = "linux")]
    // If this fails, the time limit terminates it.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
}

/// Waits until `child` has ended, the time limit is reached, or one of its `outputs` is too long.
fn wait(child: &mut Child, limit: Duration, outputs: [&File; 2]) -> io::Result<End> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        let status = child.try_wait()?;
        for output in outputs {
            if output.metadata()?.len() > MAX_OUTPUT {
                return Ok(End::TooMuchOutput);
            }
        }
        if let Some(status) = status {
            return Ok(End::Exited(status));
        }
        let left = limit.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Ok(End::OutOfTime);
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn text_of(file: &mut File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(MAX_OUTPUT).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A line of another program's output, truncated and without control characters, which a terminal would interpret.
fn printable(line: &str) -> String {
    let shown = line.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
    shown.take(MAX_LINE).collect()
}

#[cfg(unix)]
fn exit_reason(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(signal) => format!("signal {signal}"),
        None => format!("exit code {}", status.code().unwrap_or_default()),
    }
}

#[cfg(not(unix))]
fn exit_reason(status: ExitStatus) -> String {
    // Crashes are codes such as 0xc0000005, commonly written in hexadecimal.
    format!("exit code {:#x}", status.code().unwrap_or_default())
}

/// Puts the child into a process group of its own; on Windows, without a console window.
fn isolate(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NO_WINDOW);
    }
}

/// Terminates the process group of `child`.
#[cfg(unix)]
fn end_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // Fails if no process is left, as intended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_limits_are_reported_in_rounded_seconds() {
        let text = |millis| BadEnd::Slow { limit: Duration::from_millis(millis) }.to_string();
        assert_eq!(text(8000), "took longer than 8 s");
        assert_eq!(text(5382), "took longer than 5.4 s");
        assert_eq!(text(300), "took longer than 0.3 s");
        // Not 6.8999996, as a sum of floats would be.
        let left = Duration::from_secs(9).saturating_sub(Duration::new(2, 100_000_417));
        assert_eq!(BadEnd::Slow { limit: left }.to_string(), "took longer than 6.9 s");
    }
}
