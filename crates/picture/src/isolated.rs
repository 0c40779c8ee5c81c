//! Decoding in an isolated child process, for decoders that may crash, hang or take long without reading bytes.
//!
//! The child is this program again. Parent and child share an unnamed temporary file: the parent writes the photo into
//! it, the child appends its answer. With a file instead of a pipe, no thread waits for the other side. The child is
//! terminated if its time is up, if the photo is cancelled, if it writes more than an image can have, and if its parent
//! has exited.

mod serve;
mod wire;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use outcome::{DecodeError, PictureFormat};
use recipe::DecodeLimits;

use self::wire::Answer;
use super::deadline;
use super::formats::{Decoded, Header};
use super::request::StoredRequest;

pub use serve::ReadRequest;

/// The subcommand that starts a child process.
pub const READ_SUBCOMMAND: &str = "read-apart";

/// Maximum size of an answer without samples: a colour profile and a few facts.
const MAX_OVERHEAD_BYTES: u64 = 80 << 20;

/// Size of the largest pixel: four samples of 16 bits.
const PIXEL_BYTES: u64 = 8;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Sets the executable for child processes. Until then everything is decoded in this process.
pub fn set_decoder_program(program: PathBuf) {
    // The first value wins; later callers set the same program.
    let _ = PROGRAM.set(program);
}

/// True after the executable for child processes was set.
pub(super) fn is_possible() -> bool {
    PROGRAM.get().is_some()
}

/// Reads a header in a child process; also returns the peak memory per pixel.
pub(super) fn read_header(
    format: PictureFormat,
    bytes: &[u8],
    limits: &DecodeLimits,
) -> Result<(Header, u64), DecodeError> {
    let mut file = ReadRequest::new(format, bytes, None, limits).run(bytes, MAX_OVERHEAD_BYTES)?;
    match wire::read(&mut file, format, bytes.len() as u64)? {
        Answer::Header(header, bytes_per_pixel) => Ok((header, bytes_per_pixel)),
        Answer::Pixels(_) => Err(wire::invalid_answer(format)),
    }
}

/// Decodes pixels in a child process.
pub(super) fn read_pixels(
    format: PictureFormat,
    bytes: &[u8],
    header: &Header,
    request: StoredRequest,
    limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let max = header.stored.pixels().saturating_mul(PIXEL_BYTES).saturating_add(MAX_OVERHEAD_BYTES);
    let mut file = ReadRequest::new(format, bytes, Some(request), limits).run(bytes, max)?;
    match wire::read(&mut file, format, bytes.len() as u64)? {
        Answer::Pixels(decoded) if wire::is_inside(&decoded, header.stored) => Ok(decoded),
        _ => Err(wire::invalid_answer(format)),
    }
}

impl ReadRequest {
    /// Runs a child on `bytes`; returns the shared file after the child has exited successfully.
    fn run(&self, bytes: &[u8], max_answer: u64) -> Result<File, DecodeError> {
        let program = PROGRAM.get().map_or(Path::new(""), PathBuf::as_path);
        let failed = |how: String| DecodeError::DecoderFailed { format: self.format.name(), how };
        let no_temp_file = |error: io::Error| failed(format!("no temporary file can be written: {error}"));
        let mut shared = tempfile::tempfile().map_err(no_temp_file)?;
        shared.write_all(bytes).map_err(no_temp_file)?;
        shared.seek(SeekFrom::Start(0)).map_err(no_temp_file)?;
        let mut command = Command::new(program);
        command.args(self.arguments()).stdout(Stdio::null()).stderr(Stdio::null());
        command.stdin(shared.try_clone().map_err(no_temp_file)?);
        detach(&mut command);
        let child =
            command.spawn().map_err(|error| failed(format!("{} cannot be started: {error}", program.display())))?;
        let status = ChildGuard(child).wait(&shared, (bytes.len() as u64).saturating_add(max_answer))?;
        match status {
            Ok(status) if status.success() => Ok(shared),
            Ok(status) => Err(failed(exit_description(status))),
            Err(how) => Err(failed(how)),
        }
    }

    fn arguments(&self) -> [OsString; 2] {
        // A request contains only numbers and names, so its serialization cannot fail.
        let request = serde_json::to_string(self).unwrap_or_default();
        [READ_SUBCOMMAND.into(), request.into()]
    }
}

/// A child process that is killed on drop.
struct ChildGuard(Child);

impl ChildGuard {
    /// Waits for the child to exit, unless the photo is cancelled or `shared` grows beyond `max_bytes`.
    fn wait(mut self, shared: &File, max_bytes: u64) -> Result<Result<ExitStatus, String>, DecodeError> {
        let start = Instant::now();
        loop {
            match self.0.try_wait() {
                Ok(Some(status)) => return Ok(Ok(status)),
                Ok(None) => {}
                Err(error) => return Ok(Err(error.to_string())),
            }
            deadline::check()?;
            if shared.metadata().is_ok_and(|metadata| metadata.len() > max_bytes) {
                return Ok(Err("it wrote more than an image can have".to_owned()));
            }
            // The polling interval grows with the elapsed time.
            let pause = (start.elapsed() / 8).clamp(Duration::from_micros(500), Duration::from_millis(20));
            std::thread::sleep(pause);
        }
    }
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        // Fails if it has exited already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(unix)]
fn exit_description(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(signal) => format!("it crashed with signal {signal}"),
        None => format!("it ended with exit code {}", status.code().unwrap_or_default()),
    }
}

#[cfg(not(unix))]
fn exit_description(status: ExitStatus) -> String {
    // Crash codes such as 0xc0000005 are familiar in hexadecimal only.
    format!("it ended with exit code {:#x}", status.code().unwrap_or_default())
}

/// Without a window, and in its own process group, so that Ctrl-C reaches only this program.
#[cfg(windows)]
fn detach(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
    command.creation_flags(CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP);
}

#[cfg(unix)]
fn detach(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(any(unix, windows)))]
fn detach(_: &mut Command) {}
