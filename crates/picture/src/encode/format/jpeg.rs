//! JPEG encoder.

use libjpeg_turbo_rs::{Encoder, PixelFormat};

use geometry::Size;
use jpeg_region::{Segments, marker};
use outcome::Channels;
use recipe::Subsampling;

use super::Content;

/// Maximum bytes of a segment without its marker and length.
const MAX_SEGMENT: usize = 65_533;
const EXIF: &[u8] = b"Exif\0\0";
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const PHOTOSHOP: &[u8] = b"Photoshop 3.0\0";
/// Start of Photoshop's IPTC resource: signature, number, an empty name.
const IPTC_RESOURCE: &[u8] = b"8BIM\x04\x04\0\0";
const PROFILE: &[u8] = b"ICC_PROFILE\0";
/// Maximum bytes of a profile per segment: two are for its sequence number and the count.
const MAX_PROFILE_CHUNK: usize = MAX_SEGMENT - PROFILE.len() - 2;

/// Maximum bytes of an EXIF block.
pub(super) const MAX_EXIF: usize = MAX_SEGMENT - EXIF.len();
/// Maximum bytes of an XMP packet, according to Adobe's specification.
pub(super) const MAX_XMP: usize = 65_502;
/// Maximum bytes of IPTC datasets: four are for their length, and an odd length needs one for padding.
pub(super) const MAX_IPTC: usize = MAX_SEGMENT - PHOTOSHOP.len() - IPTC_RESOURCE.len() - 4 - 1;
/// Maximum bytes of an ICC profile.
pub(super) const MAX_PROFILE: usize = MAX_PROFILE_CHUNK * 255;

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
        // Low qualities would have quantizers above 255, which are not baseline and not supported everywhere.
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

/// Inserts metadata and profile after the JFIF header of `bare`; `None` if it has none.
fn with_segments(mut bare: Vec<u8>, content: &Content<'_>) -> Option<Vec<u8>> {
    let mut segments = Vec::new();
    let embedded = content.embedded;
    if let Some(exif) = embedded.exif {
        push(&mut segments, marker::APP1, &[EXIF, exif]);
    }
    if let Some(xmp) = embedded.xmp {
        push(&mut segments, marker::APP1, &[XMP, xmp]);
    }
    if let Some(iptc) = embedded.iptc {
        let length = (iptc.len() as u32).to_be_bytes();
        let padding = &[0][..iptc.len() % 2];
        push(&mut segments, marker::APP13, &[PHOTOSHOP, IPTC_RESOURCE, &length, iptc, padding]);
    }
    if let Some(profile) = content.profile {
        let parts = profile.chunks(MAX_PROFILE_CHUNK);
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

/// Appends a segment; its parts must fit the maximum length.
fn push(segments: &mut Vec<u8>, marker: u8, parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    debug_assert!(length <= MAX_SEGMENT);
    segments.extend([0xFF, marker]);
    segments.extend((length as u16 + 2).to_be_bytes());
    segments.extend(parts.iter().copied().flatten());
}
