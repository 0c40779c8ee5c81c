//! What readers share: words for refusals, and how rows that were not read are filled.

use outcome::{Channels, Damage, DecodeError, PictureNote};

/// Said of an animation's first frame.
pub(super) const FIRST_FRAME: PictureNote = PictureNote::FirstFrame;

/// Said of an animation's still picture.
pub(super) const STILL_PICTURE: PictureNote = PictureNote::StillPicture;

/// The grey of rows that were not read, opaque: neither end of the scale, so that no edge of a crop is taken for white
/// paper or for black, and no profile gives it a colour.
pub(super) const NEUTRAL: u8 = 128;

/// [`NEUTRAL`] with 16 bits.
pub(super) const NEUTRAL_DEEP: u16 = 0x8080;

/// One sample of unread rows.
pub(super) trait Neutral: Copy {
    /// Mid grey.
    const GREY: Self;
    /// Opaque alpha.
    const OPAQUE: Self;
}

impl Neutral for u8 {
    const GREY: Self = NEUTRAL;
    const OPAQUE: Self = Self::MAX;
}

impl Neutral for u16 {
    const GREY: Self = NEUTRAL_DEEP;
    const OPAQUE: Self = Self::MAX;
}

/// Fills whole pixels with neutral grey.
pub(super) fn fill_neutral<T: Neutral>(samples: &mut [T], channels: Channels) {
    for pixel in samples.chunks_exact_mut(channels.count()) {
        pixel.fill(T::GREY);
        if channels.has_alpha() {
            pixel[channels.count() - 1] = T::OPAQUE;
        }
    }
}

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

/// The words of the `image` crate's decoder, without those of the crate that stand before them.
pub(super) fn own_words(error: &image::ImageError) -> String {
    let words = error.to_string();
    let words = match words.strip_prefix("Format error decoding ").and_then(|rest| rest.split_once(": ")) {
        Some((_format, own)) => own,
        None => &words,
    };
    words.trim_end_matches('.').to_owned()
}

/// `None` where every row was read, an error where none was.
pub(super) fn damage_of(
    format: &'static str,
    missing_rows: u32,
    rows: u32,
    reason: &str,
) -> Result<Option<Damage>, DecodeError> {
    match missing_rows {
        0 => Ok(None),
        missing if missing >= rows => Err(broken(format, format!("no row can be read ({reason})"))),
        missing_rows => Ok(Some(Damage { missing_rows, rows, reason: reason.to_owned() })),
    }
}
