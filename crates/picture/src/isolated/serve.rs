//! The child's side: what it was asked to read, and how it answers.

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

/// What a child process is to read from the file that is its standard input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadRequest {
    pub(super) format: PictureFormat,
    /// Bytes of the photo, from the start of the file on; the answer goes behind them.
    input: u64,
    /// The part and its reduction; `None` for the header alone.
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

    /// The request that a program's arguments hold, its own name first. `None` where it was not started as such a child.
    pub fn of_arguments(mut arguments: impl Iterator<Item = OsString>) -> Option<Self> {
        let is_child = arguments.nth(1)? == READ_SUBCOMMAND;
        let request = arguments.next().filter(|_| is_child)?;
        serde_json::from_str(request.to_str()?).ok()
    }

    /// How long the parent waits at most.
    pub fn max_seconds(&self) -> u64 {
        self.limits.max_seconds
    }

    /// True once the process that wants the answer is gone. Always false where the system does not tell.
    pub fn is_orphan(&self) -> bool {
        parent().is_some_and(|parent| parent != self.parent)
    }

    /// Reads what is asked for and writes the answer.
    ///
    /// # Errors
    /// The file that is standard input cannot be read or written.
    pub fn serve(&self) -> io::Result<()> {
        let mut shared = standard_input()?;
        shared.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        Read::by_ref(&mut shared).take(self.input).read_to_end(&mut bytes)?;
        let read = catch_unwind(AssertUnwindSafe(|| self.read(&bytes)));
        let answer = read.unwrap_or_else(|_| {
            let how = "it met a fault of its own".to_owned();
            Err(DecodeError::DecoderFailed { format: self.format.name(), how })
        });
        shared.seek(SeekFrom::Start(self.input))?;
        wire::write(&mut shared, answer)
    }

    fn read(&self, bytes: &[u8]) -> Result<Answer, DecodeError> {
        let header = formats::read_header(self.format, bytes, &self.limits)?;
        let bytes_per_pixel = formats::bytes_per_pixel(self.format, bytes, &header);
        let Some((region, reduction)) = self.pixels else { return Ok(Answer::Header(header, bytes_per_pixel)) };
        let _promise = memory::promise(header.stored.pixels().saturating_mul(bytes_per_pixel))?;
        let request = StoredRequest { region, reduction };
        let kept = formats::Kept::default();
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

/// The file that the parent has given as standard input, to be read and written.
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
    fn an_order_survives_the_command_line() {
        let request = StoredRequest { region: PixelRect::new(1, 2, 30, 40), reduction: 2 };
        let request = ReadRequest::new(PictureFormat::Avif, b"bytes", Some(request), &DecodeLimits::default());
        let arguments = [OsString::from("iron-cropper")].into_iter().chain(request.arguments());
        assert_eq!(ReadRequest::of_arguments(arguments), Some(request));
        for other in [&["iron-cropper"][..], &["iron-cropper", "crop", "x"], &["iron-cropper", READ_SUBCOMMAND, "x"]] {
            assert_eq!(ReadRequest::of_arguments(other.iter().map(OsString::from)), None, "{other:?}");
        }
    }
}
