//! Reading in a process of its own: decoders that may crash, hang or take long without asking for bytes.
//!
//! The child is this program again. Both share one file without a name: the parent writes the photo's bytes into it, the
//! child its answer behind them. A file and not a pipe, so that no thread waits for the other side. The child ends when its
//! time is up, when the photo is cancelled, when it writes more than a picture can have, and when its parent is gone.

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
use super::formats::{Decoded, Header};
use super::patience;
use super::request::StoredRequest;

pub use serve::ReadRequest;

/// The word that a child process is started with.
pub const READ_SUBCOMMAND: &str = "read-apart";

/// Bytes that an answer may have beside samples: a colour profile and a few facts.
const FACTS_BYTES: u64 = 80 << 20;

/// Bytes of the largest pixel: four samples of 16 bits.
const PIXEL_BYTES: u64 = 8;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says which program runs as child. Until then everything is read in this process.
pub fn set_reader(program: PathBuf) {
    // The first word stands: a second caller means the same program.
    let _ = PROGRAM.set(program);
}

/// True once it is known which program runs as child.
pub(super) fn is_possible() -> bool {
    PROGRAM.get().is_some()
}

/// Reads a header in a process of its own, with the bytes of memory that decoding a pixel takes.
pub(super) fn read_header(
    format: PictureFormat,
    bytes: &[u8],
    limits: &DecodeLimits,
) -> Result<(Header, u64), DecodeError> {
    let mut file = ReadRequest::new(format, bytes, None, limits).run(bytes, FACTS_BYTES)?;
    match wire::read(&mut file, format, bytes.len() as u64)? {
        Answer::Header(header, bytes_per_pixel) => Ok((header, bytes_per_pixel)),
        Answer::Pixels(_) => Err(wire::nonsense(format)),
    }
}

/// Reads pixels in a process of its own.
pub(super) fn read_pixels(
    format: PictureFormat,
    bytes: &[u8],
    header: &Header,
    request: StoredRequest,
    limits: &DecodeLimits,
) -> Result<Decoded, DecodeError> {
    let max = header.stored.pixels().saturating_mul(PIXEL_BYTES).saturating_add(FACTS_BYTES);
    let mut file = ReadRequest::new(format, bytes, Some(request), limits).run(bytes, max)?;
    match wire::read(&mut file, format, bytes.len() as u64)? {
        Answer::Pixels(decoded) if wire::lies_inside(&decoded, header.stored) => Ok(decoded),
        _ => Err(wire::nonsense(format)),
    }
}

impl ReadRequest {
    /// Has a child read `bytes`; gives back the file that they share once the child has ended well.
    fn run(&self, bytes: &[u8], most_answer: u64) -> Result<File, DecodeError> {
        let program = PROGRAM.get().map_or(Path::new(""), PathBuf::as_path);
        let failed = |how: String| DecodeError::DecoderFailed { format: self.format.name(), how };
        let no_room = |error: io::Error| failed(format!("no passing file can be written: {error}"));
        let mut shared = tempfile::tempfile().map_err(no_room)?;
        shared.write_all(bytes).map_err(no_room)?;
        shared.seek(SeekFrom::Start(0)).map_err(no_room)?;
        let mut command = Command::new(program);
        command.args(self.arguments()).stdout(Stdio::null()).stderr(Stdio::null());
        command.stdin(shared.try_clone().map_err(no_room)?);
        on_its_own(&mut command);
        let child =
            command.spawn().map_err(|error| failed(format!("{} cannot be started: {error}", program.display())))?;
        let status = Watched(child).wait(&shared, (bytes.len() as u64).saturating_add(most_answer))?;
        match status {
            Ok(status) if status.success() => Ok(shared),
            Ok(status) => Err(failed(how_it_ended(status))),
            Err(how) => Err(failed(how)),
        }
    }

    fn arguments(&self) -> [OsString; 2] {
        // An request is numbers and names only: it always becomes text.
        let request = serde_json::to_string(self).unwrap_or_default();
        [READ_SUBCOMMAND.into(), request.into()]
    }
}

/// A child process that is gone once this is dropped.
struct Watched(Child);

impl Watched {
    /// Waits for the child's end, as long as somebody waits for the photo and `shared` does not grow beyond `max_bytes`.
    fn wait(mut self, shared: &File, max_bytes: u64) -> Result<Result<ExitStatus, String>, DecodeError> {
        let start = Instant::now();
        loop {
            match self.0.try_wait() {
                Ok(Some(status)) => return Ok(Ok(status)),
                Ok(None) => {}
                Err(error) => return Ok(Err(error.to_string())),
            }
            patience::look()?;
            if shared.metadata().is_ok_and(|metadata| metadata.len() > max_bytes) {
                return Ok(Err("it wrote more than a picture can have".to_owned()));
            }
            // The longer it takes, the less a late look matters.
            let pause = (start.elapsed() / 8).clamp(Duration::from_micros(500), Duration::from_millis(20));
            std::thread::sleep(pause);
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // Where it has ended by itself there is nothing to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(unix)]
fn how_it_ended(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(signal) => format!("it crashed with signal {signal}"),
        None => format!("it ended with exit code {}", status.code().unwrap_or_default()),
    }
}

#[cfg(not(unix))]
fn how_it_ended(status: ExitStatus) -> String {
    // Crashes are codes such as 0xc0000005, which nobody knows in decimal.
    format!("it ended with exit code {:#x}", status.code().unwrap_or_default())
}

/// Without a window, and out of reach of the Ctrl-C that this program is to answer in its own way.
#[cfg(windows)]
fn on_its_own(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NO_WINDOW: u32 = 0x0800_0000;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
    command.creation_flags(CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP);
}

#[cfg(unix)]
fn on_its_own(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(any(unix, windows)))]
fn on_its_own(_: &mut Command) {}
