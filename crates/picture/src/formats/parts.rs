//! What readers share: words for refusals, and alpha that its writer left unused.

use outcome::{Channels, DecodeError, PictureNote};

/// Said of an animation's first frame.
pub(super) const FIRST_FRAME: PictureNote = PictureNote::FirstFrame;

/// Said of an animation's still picture.
pub(super) const STILL_PICTURE: PictureNote = PictureNote::StillPicture;

/// Why a cut file is refused.
pub(super) const CUT: &str = "the end of the file is missing";

/// Makes a picture opaque whose every pixel is transparent: its writer left the alpha samples unused.
pub(super) fn undo_unused_alpha(samples: &mut [u8], channels: Channels) {
    let count = channels.count();
    if channels.has_alpha() && samples.chunks_exact(count).all(|pixel| pixel[count - 1] == 0) {
        samples.chunks_exact_mut(count).for_each(|pixel| pixel[count - 1] = u8::MAX);
    }
}

/// The data is broken.
pub(super) fn broken(format: &'static str, reason: impl Into<String>) -> DecodeError {
    DecodeError::Broken { format, reason: reason.into() }
}

/// The data is of a kind not read here.
pub(super) fn unsupported(format: &'static str, reason: impl Into<String>) -> DecodeError {
    DecodeError::Unsupported { format, reason: reason.into() }
}

/// The words of the `image` crate's decoder, without those of the crate that stand before them; [`CUT`] where bytes ran out.
pub(super) fn own_words(error: &image::ImageError) -> String {
    if is_end(error) {
        return CUT.to_owned();
    }
    let words = error.to_string();
    let words = match words.strip_prefix("Format error decoding ").and_then(|rest| rest.split_once(": ")) {
        Some((_format, own)) => own,
        None => &words,
    };
    words.trim_end_matches('.').to_owned()
}

/// True where a source of bytes came to its end, however deep below `error` that is.
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
