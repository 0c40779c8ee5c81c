//! A crop's pixels as the format can hold them: depth, grey, transparency, colour space.

use std::borrow::Cow;

use outcome::{Channels, CropNote};
use recipe::{Color, ColorPolicy, EncodeSpec, OutputFormat};

use super::jpeg;
use crate::{Crop, Pixels, is_opaque, over_fill, to_srgb};

/// Pixels and profile for a file; `notes` gets what had to change without having been asked for.
pub(super) fn fitted<'a>(
    crop: &'a Crop,
    spec: &EncodeSpec,
    fill: Color,
    notes: &mut Vec<CropNote>,
) -> (Cow<'a, Pixels>, Option<&'a [u8]>) {
    let format = spec.format;
    let mut pixels = Cow::Borrowed(&crop.pixels);
    let mut profile = crop.icc_profile.as_deref();
    let flatten = !format.has_alpha() && pixels.channels().has_alpha();
    let needs_colour = flatten && pixels.channels().is_grey() && !fill.is_grey() && !is_opaque(&pixels);
    if let Some(numbers) = profile {
        // Conversions come first, while the pixels still have all their bits.
        let obstacle = obstacle(format, numbers, pixels.channels(), needs_colour);
        if spec.color == ColorPolicy::Srgb || obstacle.is_some() {
            pixels = Cow::Owned(to_srgb(pixels.into_owned(), profile.take()));
        }
        if spec.color == ColorPolicy::Keep
            && let Some(obstacle) = obstacle
        {
            notes.push(format!("colours became sRGB: {obstacle}").into());
        }
    }
    if flatten {
        pixels = Cow::Owned(over_fill(pixels.into_owned(), fill, profile));
    }
    if pixels.layout().deep && !format.is_deep() {
        let mut shallow = pixels.into_owned().into_8_bits();
        // Next to nothing of alpha has become nothing at all.
        shallow.clear_hidden_colour();
        pixels = Cow::Owned(shallow);
        notes.push(CropNote::EightBits);
    }
    if pixels.channels().is_grey() && !format.has_grey() {
        let channels = pixels.channels().in_colour();
        pixels = Cow::Owned(pixels.into_owned().into_channels(channels));
    }
    (pixels, profile)
}

/// Why the profile of pixels with `channels` cannot go into a file of `format`.
fn obstacle(format: OutputFormat, profile: &[u8], channels: Channels, needs_colour: bool) -> Option<String> {
    let name = format.name();
    if channels.is_grey() && !format.has_grey() {
        return Some(format!("{name} has no grey, so a profile of grey does not fit"));
    }
    if needs_colour {
        return Some("the fill has a colour, so a profile of grey does not fit".to_owned());
    }
    (format == OutputFormat::Jpeg && profile.len() > jpeg::LONGEST_PROFILE)
        .then(|| format!("the profile is too long for {name}"))
}
