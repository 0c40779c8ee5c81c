//! A child process with a time limit: what may crash or hang is tried there, never in the process people work in.
//!
//! Nothing of it stays: what it started ends with it, and what it says is kept up to a limit.
//!
//! What the child is asked to do is `latency`'s business; here is how it is run and how it ended.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use outcome::BadEnd;

/// Why a child process gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChildError {
    /// It could not be started.
    #[error("{} cannot be started: {reason}", program.display())]
    CannotStart {
        /// The program.
        program: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// It ended badly.
    #[error(transparent)]
    BadEnd(#[from] BadEnd),
}

/// The most a child may write to standard output, and to standard error, in bytes.
const MAX_OUTPUT: u64 = 4_000_000;
/// The most characters of a line of its that are told.
const MAX_SHOWN: usize = 300;

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
/// when `limit` is over. Processes that it started are ended with it: on Unix those that stayed in its process group.
///
/// # Errors
/// It cannot be started, ends by a signal or with an exit code other than 0, takes longer than `limit`, or prints without end.
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
    set_apart(&mut command);
    let mut child = command.spawn().map_err(cannot_start)?;
    #[cfg(windows)]
    // Where there is none, the child alone is ended.
    let _job = super::job::Job::around(&child);
    let ended = wait(&mut child, limit, [&stdout, &stderr]);
    // It may have ended by itself just now; either way it is gone after this, with what it started.
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
    let words = text_of(&mut stderr).unwrap_or_default();
    let last_line = words.lines().map(str::trim).rfind(|line| !line.is_empty()).map(showable);
    Err(BadEnd::Crash { how: how_it_ended(status), last_line }.into())
}

/// What ended the wait for a child.
enum End {
    Exited(ExitStatus),
    OutOfTime,
    TooMuchOutput,
}

/// Has the system end this process together with the one that started it, where it can (Linux): a process group of its own is not
/// reached by the Ctrl+C that ends the other.
pub fn end_with_parent() {
    #[cfg(target_os = "linux")]
    // Where that is not possible, a time limit ends it.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
}

/// Waits until `child` has ended, its time is up, or one of its `outputs` has grown too long.
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

/// A line of another program's, short and without control characters, which a terminal would obey.
fn showable(line: &str) -> String {
    let shown = line.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
    shown.take(MAX_SHOWN).collect()
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

/// Makes the child the first of a process group of its own; on Windows, one without a console window.
fn set_apart(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NO_WINDOW);
    }
}

/// Ends every process of the group whose first was `child`.
#[cfg(unix)]
fn end_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // Fails where nobody is left, as it should.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_reported_in_seconds_a_person_reads() {
        let reported = |millis| BadEnd::Slow { limit: Duration::from_millis(millis) }.to_string();
        assert_eq!(reported(8000), "take longer than 8 s");
        assert_eq!(reported(5382), "take longer than 5.4 s");
        assert_eq!(reported(300), "take longer than 0.3 s");
        // Seconds and tenths of a float are not told as 6.8999996.
        let left = Duration::from_secs(9).saturating_sub(Duration::new(2, 100_000_417));
        assert_eq!(BadEnd::Slow { limit: left }.to_string(), "take longer than 6.9 s");
    }
}
