//! Blocks in a JPEG file: segments before the first scan.

use super::{MAX_BLOCK, Metadata, photoshop};

/// Segments looked at. A large ICC profile and extended XMP together take a few hundred.
const MAX_SEGMENTS: usize = 4096;

/// Reads the blocks of a JPEG file. XMP beyond the first packet (`xmpNote:HasExtendedXMP`) is left: it holds depth maps and
/// other pictures that belong to the old file.
pub(super) fn read(file: &[u8]) -> Metadata {
    let mut found = Metadata::default();
    let mut resources: Vec<&[u8]> = Vec::new();
    for (marker, data) in segments(file).take(MAX_SEGMENTS) {
        match marker {
            0xe1 => {
                if data.starts_with(b"Exif\0") {
                    found.offer_exif(data);
                } else if let Some(packet) = data.strip_prefix(b"http://ns.adobe.com/xap/1.0/\0") {
                    found.offer_xmp(packet);
                }
            }
            // Resources longer than a segment go on in the next one.
            0xed => resources.extend(data.strip_prefix(b"Photoshop 3.0\0")),
            _ => {}
        }
    }
    match resources[..] {
        [] => {}
        [resources] => found.offer_iptc(photoshop::iptc_in(resources).unwrap_or_default()),
        _ if resources.iter().map(|part| part.len()).sum::<usize>() > MAX_BLOCK => {}
        _ => found.offer_iptc(photoshop::iptc_in(&resources.concat()).unwrap_or_default()),
    }
    found
}

/// Markers and data of the segments up to the first scan or the first thing that is none.
fn segments(file: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let mut rest = file.strip_prefix(&[0xff, 0xd8]).unwrap_or_default();
    std::iter::from_fn(move || {
        let after_fill = rest.iter().position(|&byte| byte != 0xff)?;
        if after_fill == 0 {
            return None;
        }
        let marker = *rest.get(after_fill)?;
        if matches!(marker, 0xd9 | 0xda) {
            return None;
        }
        rest = &rest[after_fill + 1..];
        if matches!(marker, 0x01 | 0xd0..=0xd8) {
            return Some((marker, &[][..]));
        }
        let length = usize::from(u16::from_be_bytes(*rest.first_chunk()?));
        let data = rest.get(2..length)?;
        rest = &rest[length..];
        Some((marker, data))
    })
}
