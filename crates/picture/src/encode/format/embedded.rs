//! Metadata blocks that a format supports.

use outcome::CropNote;
use recipe::{EncodeSpec, OutputFormat};

use super::super::metadata::Blocks;
use super::{is_too_much, jpeg, tiff_exif};

/// Metadata blocks to store with the pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EmbeddedBlocks<'a> {
    /// An EXIF block from its TIFF header on.
    pub(super) exif: Option<&'a [u8]>,
    /// An XMP packet; UTF-8.
    pub(super) xmp: Option<&'a [u8]>,
    pub(super) iptc: Option<&'a [u8]>,
}

impl<'a> EmbeddedBlocks<'a> {
    /// The blocks that a file of `spec` can hold; `notes` receives the dropped ones.
    pub(super) fn of(blocks: &'a Blocks, spec: &EncodeSpec, notes: &mut Vec<CropNote>) -> Self {
        let format = spec.format;
        let mut keep = |block: Option<&'a Vec<u8>>, name: &str, obstacle: fn(OutputFormat, &[u8]) -> Obstacle| {
            let block = block.map(Vec::as_slice).filter(|block| !block.is_empty())?;
            let reason = match obstacle(format, block) {
                Obstacle::None => match spec.max_kilobytes.filter(|_| is_too_much(block, spec)) {
                    Some(limit) => format!("it takes more than a quarter of {limit} kB"),
                    None => return Some(block),
                },
                Obstacle::NoPlace => format!("it is not supported in {}", format.name()),
                Obstacle::TooLong => format!("it is too long for {}", format.name()),
                Obstacle::Unreadable => "it cannot be read".to_owned(),
            };
            notes.push(format!("{name} was not written: {reason}").into());
            None
        };
        Self {
            exif: keep(blocks.exif.as_ref(), "EXIF", exif_obstacle),
            xmp: keep(blocks.xmp.as_ref(), "XMP", xmp_obstacle),
            iptc: keep(blocks.iptc.as_ref(), "IPTC", iptc_obstacle),
        }
    }
}

/// Why a block cannot be stored in a file.
enum Obstacle {
    None,
    NoPlace,
    TooLong,
    Unreadable,
}

fn exif_obstacle(format: OutputFormat, block: &[u8]) -> Obstacle {
    match format {
        OutputFormat::Jpeg if block.len() > jpeg::MAX_EXIF => Obstacle::TooLong,
        OutputFormat::Tiff if tiff_exif::read(block).is_none() => Obstacle::Unreadable,
        _ => Obstacle::None,
    }
}

fn xmp_obstacle(format: OutputFormat, block: &[u8]) -> Obstacle {
    match format {
        OutputFormat::Avif => Obstacle::NoPlace,
        OutputFormat::Jpeg if block.len() > jpeg::MAX_XMP => Obstacle::TooLong,
        OutputFormat::Png if std::str::from_utf8(block).is_err() => Obstacle::Unreadable,
        _ => Obstacle::None,
    }
}

fn iptc_obstacle(format: OutputFormat, block: &[u8]) -> Obstacle {
    match format {
        OutputFormat::Png | OutputFormat::WebP | OutputFormat::Avif => Obstacle::NoPlace,
        OutputFormat::Jpeg if block.len() > jpeg::MAX_IPTC => Obstacle::TooLong,
        _ => Obstacle::None,
    }
}
