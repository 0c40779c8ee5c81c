//! Conversion of a crop's pixels to the capabilities of a format: depth, grey, transparency, colour space.

use std::borrow::Cow;

use outcome::{Channels, CropNote};
use recipe::{Color, ColorPolicy, EncodeSpec, OutputFormat};

use super::{is_too_much, jpeg};
use crate::color::is_srgb;
use crate::{Crop, Pixels, is_opaque, over_fill, to_srgb};

/// Pixels and profile for a file; `notes` receives changes that were not requested.
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
        // Conversions come first, while the pixels still have their full depth.
        let obstacle = obstacle(spec, numbers, pixels.channels(), needs_colour);
        if spec.color == ColorPolicy::Srgb || obstacle.is_some() {
            pixels = Cow::Owned(to_srgb(pixels.into_owned(), profile.take()));
        }
        if spec.color == ColorPolicy::Keep
            && let Some(obstacle) = obstacle
            && !is_srgb(numbers)
        {
            notes.push(format!("colours were converted to sRGB: {obstacle}").into());
        }
    }
    if flatten {
        pixels = Cow::Owned(over_fill(pixels.into_owned(), fill, profile));
    }
    if pixels.layout().deep && !format.is_deep() {
        let mut shallow = pixels.into_owned().into_8_bits();
        // Very low alpha may have become zero.
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

/// Why the profile of pixels with `channels` cannot be stored in a file of `spec`.
fn obstacle(spec: &EncodeSpec, profile: &[u8], channels: Channels, needs_colour: bool) -> Option<String> {
    let (format, name) = (spec.format, spec.format.name());
    if channels.is_grey() && !format.has_grey() {
        return Some(format!("{name} has no greyscale, so a grey profile cannot be used"));
    }
    if needs_colour {
        return Some("the fill is coloured, so a grey profile cannot be used".to_owned());
    }
    if format == OutputFormat::Jpeg && profile.len() > jpeg::MAX_PROFILE {
        return Some(format!("the profile is too long for {name}"));
    }
    let limit = spec.max_kilobytes.filter(|_| is_too_much(profile, spec))?;
    Some(format!("the profile takes more than a quarter of {limit} kB"))
}
