//! JPEG files.

use libjpeg_turbo_rs::{Encoder, PixelFormat};

use geometry::Size;
use jpeg_region::{Segments, marker};
use outcome::Channels;
use recipe::Subsampling;

use super::Content;

/// Most bytes of a segment beside its marker and its length.
const LONGEST_SEGMENT: usize = 65_533;
const EXIF: &[u8] = b"Exif\0\0";
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const PHOTOSHOP: &[u8] = b"Photoshop 3.0\0";
/// Start of Photoshop's resource for IPTC: signature, number, an empty name.
const IPTC_RESOURCE: &[u8] = b"8BIM\x04\x04\0\0";
const PROFILE: &[u8] = b"ICC_PROFILE\0";
/// Most bytes of a profile that one segment takes: two are for its number and how many there are.
const PROFILE_PART: usize = LONGEST_SEGMENT - PROFILE.len() - 2;

/// Most bytes of an EXIF block.
pub(super) const LONGEST_EXIF: usize = LONGEST_SEGMENT - EXIF.len();
/// Most bytes of an XMP packet, by Adobe's specification.
pub(super) const LONGEST_XMP: usize = 65_502;
/// Most bytes of IPTC datasets: four are for their length, and an odd length takes one more.
pub(super) const LONGEST_IPTC: usize = LONGEST_SEGMENT - PHOTOSHOP.len() - IPTC_RESOURCE.len() - 4 - 1;
/// Most bytes of an ICC profile.
pub(super) const LONGEST_PROFILE: usize = PROFILE_PART * 255;

/// Encodes 8-bit pixels without alpha.
pub(super) fn encode(
    content: &Content<'_>,
    subsampling: Subsampling,
    progressive: bool,
    quality: u8,
) -> Result<Vec<u8>, String> {
    let Size { width, height } = content.pixels.size();
    let format = match content.pixels.channels() {
        Channels::L => PixelFormat::Grayscale,
        Channels::Rgb => PixelFormat::Rgb,
        Channels::La | Channels::Rgba => return Err("transparent pixels were not filled".to_owned()),
    };
    let samples = content.pixels.as_u8().ok_or("16 bits were not made 8")?;
    let mut encoder = Encoder::new(samples, width as usize, height as usize, format)
        .quality(quality)
        // Quantisers above 255, which low qualities would have, are no longer baseline and not read everywhere.
        .force_baseline(quality < 25)
        .progressive(progressive)
        .optimize_huffman(progressive)
        .density(1, content.dpi, content.dpi);
    if format == PixelFormat::Rgb {
        encoder = encoder.subsampling(match subsampling {
            Subsampling::Full => libjpeg_turbo_rs::Subsampling::S444,
            Subsampling::Half => libjpeg_turbo_rs::Subsampling::S420,
        });
    }
    let bare = encoder.encode().map_err(|error| error.to_string())?;
    with_segments(bare, content).ok_or_else(|| "the encoder wrote no JFIF header".to_owned())
}

/// `bare` with metadata and profile behind its JFIF header; `None` where it has none.
fn with_segments(mut bare: Vec<u8>, content: &Content<'_>) -> Option<Vec<u8>> {
    let mut segments = Vec::new();
    let beside = content.beside;
    if let Some(exif) = beside.exif {
        push(&mut segments, marker::APP1, &[EXIF, exif]);
    }
    if let Some(xmp) = beside.xmp {
        push(&mut segments, marker::APP1, &[XMP, xmp]);
    }
    if let Some(iptc) = beside.iptc {
        let length = (iptc.len() as u32).to_be_bytes();
        let padding = &[0][..iptc.len() % 2];
        push(&mut segments, marker::APP13, &[PHOTOSHOP, IPTC_RESOURCE, &length, iptc, padding]);
    }
    if let Some(profile) = content.profile {
        let parts = profile.chunks(PROFILE_PART);
        let count = parts.len() as u8;
        for (part, number) in parts.zip(1..=u8::MAX) {
            push(&mut segments, marker::APP2, &[PROFILE, &[number, count], part]);
        }
    }
    let header = Segments::new(&bare).contiguous().next()?.ok()?;
    if header.marker != marker::APP0 {
        return None;
    }
    let end = header.range().end;
    bare.splice(end..end, segments);
    Some(bare)
}

/// Adds a segment; its parts are known to be no longer than one may be.
fn push(segments: &mut Vec<u8>, marker: u8, parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    debug_assert!(length <= LONGEST_SEGMENT);
    segments.extend([0xFF, marker]);
    segments.extend((length as u16 + 2).to_be_bytes());
    segments.extend(parts.iter().copied().flatten());
}
