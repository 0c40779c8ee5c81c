//! Shared parts of the decoders: error messages, and unused alpha.

use outcome::{Channels, DecodeError, PictureNote};

/// The note for the first frame of an animation.
pub(super) const FIRST_FRAME: PictureNote = PictureNote::FirstFrame;

/// The note for the still image of an animation.
pub(super) const STILL_PICTURE: PictureNote = PictureNote::StillPicture;

/// The error message for a truncated file.
pub(super) const TRUNCATED: &str = "the end of the file is missing";

/// Makes a fully transparent image opaque: its writer left the alpha channel unused.
pub(super) fn undo_unused_alpha(samples: &mut [u8], channels: Channels) {
    let count = channels.count();
    if channels.has_alpha() && samples.chunks_exact(count).all(|pixel| pixel[count - 1] == 0) {
        samples.chunks_exact_mut(count).for_each(|pixel| pixel[count - 1] = u8::MAX);
    }
}

/// The error for corrupt data.
pub(super) fn broken(format: &'static str, reason: impl Into<String>) -> DecodeError {
    DecodeError::Broken { format, reason: reason.into() }
}

/// The error for unsupported data.
pub(super) fn unsupported(format: &'static str, reason: impl Into<String>) -> DecodeError {
    DecodeError::Unsupported { format, reason: reason.into() }
}

/// The message of the `image` crate's decoder without the prefix of the crate; [`TRUNCATED`] if the data is truncated.
pub(super) fn decoder_message(error: &image::ImageError) -> String {
    if is_end(error) {
        return TRUNCATED.to_owned();
    }
    let message = error.to_string();
    let message = match message.strip_prefix("Format error decoding ").and_then(|rest| rest.split_once(": ")) {
        Some((_format, own)) => own,
        None => &message,
    };
    message.trim_end_matches('.').to_owned()
}

/// True if any source of `error` is an unexpected end of data.
fn is_end(error: &image::ImageError) -> bool {
    fn is_in(error: &(dyn std::error::Error + 'static)) -> bool {
        let end = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
        end == Some(std::io::ErrorKind::UnexpectedEof) || error.source().is_some_and(is_in)
    }
    match error {
        image::ImageError::IoError(error) => is_in(error),
        error => is_in(error),
    }
}
