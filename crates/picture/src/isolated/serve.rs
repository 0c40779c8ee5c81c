//! The child process: its request and its answer.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use geometry::PixelRect;
use outcome::{DecodeError, PictureFormat};
use recipe::DecodeLimits;

use super::wire::Answer;
use super::{READ_SUBCOMMAND, wire};
use crate::request::StoredRequest;
use crate::{formats, memory};

/// The request to a child process; the data is in the file that is its standard input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadRequest {
    pub(super) format: PictureFormat,
    /// Size of the photo at the start of the file; the answer is appended.
    input: u64,
    /// The region and its reduction; `None` for the header only.
    pixels: Option<(PixelRect, u32)>,
    limits: DecodeLimits,
    parent: u32,
}

impl ReadRequest {
    pub(super) fn new(
        format: PictureFormat,
        bytes: &[u8],
        request: Option<StoredRequest>,
        limits: &DecodeLimits,
    ) -> Self {
        let pixels = request.map(|request| (request.region, request.reduction));
        Self { format, input: bytes.len() as u64, pixels, limits: *limits, parent: std::process::id() }
    }

    /// Parses the request from a program's arguments, starting with its own name. `None` if it was not started as such
    /// a child.
    pub fn from_arguments(mut arguments: impl Iterator<Item = OsString>) -> Option<Self> {
        let is_child = arguments.nth(1)? == READ_SUBCOMMAND;
        let request = arguments.next().filter(|_| is_child)?;
        serde_json::from_str(request.to_str()?).ok()
    }

    /// The maximum time the parent waits, in seconds.
    pub fn max_seconds(&self) -> u64 {
        self.limits.max_seconds
    }

    /// True after the parent process has exited. Always false if the system does not report it.
    pub fn is_orphan(&self) -> bool {
        parent().is_some_and(|parent| parent != self.parent)
    }

    /// Decodes as requested and writes the answer.
    ///
    /// # Errors
    /// Standard input cannot be read or written.
    pub fn serve(&self) -> io::Result<()> {
        let mut shared = standard_input()?;
        shared.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        Read::by_ref(&mut shared).take(self.input).read_to_end(&mut bytes)?;
        let read = catch_unwind(AssertUnwindSafe(|| self.read(&bytes)));
        let answer = read.unwrap_or_else(|_| {
            let how = "internal error".to_owned();
            Err(DecodeError::DecoderFailed { format: self.format.name(), how })
        });
        shared.seek(SeekFrom::Start(self.input))?;
        wire::write(&mut shared, answer)
    }

    fn read(&self, bytes: &[u8]) -> Result<Answer, DecodeError> {
        let header = formats::read_header(self.format, bytes, &self.limits)?;
        let bytes_per_pixel = formats::bytes_per_pixel(self.format, bytes, &header);
        let Some((region, reduction)) = self.pixels else { return Ok(Answer::Header(header, bytes_per_pixel)) };
        let _reservation = memory::reserve(header.stored.pixels().saturating_mul(bytes_per_pixel))?;
        let request = StoredRequest { region, reduction };
        let kept = formats::DecoderState::default();
        formats::read_pixels(self.format, bytes, &header, request, &self.limits, &kept).map(Answer::Pixels)
    }
}

#[cfg(unix)]
fn parent() -> Option<u32> {
    Some(std::os::unix::process::parent_id())
}

#[cfg(not(unix))]
fn parent() -> Option<u32> {
    None
}

/// The parent's file, which is standard input, for reading and writing.
#[cfg(unix)]
fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_survive_the_command_line() {
        let request = StoredRequest { region: PixelRect::new(1, 2, 30, 40), reduction: 2 };
        let request = ReadRequest::new(PictureFormat::Avif, b"bytes", Some(request), &DecodeLimits::default());
        let arguments = [OsString::from("iron-cropper")].into_iter().chain(request.arguments());
        assert_eq!(ReadRequest::from_arguments(arguments), Some(request));
        for other in [&["iron-cropper"][..], &["iron-cropper", "crop", "x"], &["iron-cropper", READ_SUBCOMMAND, "x"]] {
            assert_eq!(ReadRequest::from_arguments(other.iter().map(OsString::from)), None, "{other:?}");
        }
    }
}
