//! Metadata of a JPEG file: segments before the first scan.

use jpeg_region::{Segment, Segments, marker};

use super::{MAX_BLOCK, Metadata, photoshop};

/// Maximum number of segments. A large ICC profile and extended XMP together take a few hundred.
const MAX_SEGMENTS: usize = 4096;

/// Reads the blocks of a JPEG file. XMP after the first packet (`xmpNote:HasExtendedXMP`) is ignored: it contains depth
/// maps and other images of the old file.
pub(super) fn read(file: &[u8]) -> Metadata {
    let mut found = Metadata::default();
    let mut resources: Vec<&[u8]> = Vec::new();
    let segments = Segments::new(file).contiguous().take(MAX_SEGMENTS).map_while(Result::ok);
    for Segment { marker, data, .. } in segments.take_while(|segment| segment.marker != marker::SOS) {
        match marker {
            marker::APP1 => {
                if data.starts_with(b"Exif\0") {
                    found.offer_exif(data);
                } else if let Some(packet) = data.strip_prefix(b"http://ns.adobe.com/xap/1.0/\0") {
                    found.offer_xmp(packet);
                }
            }
            // Resources longer than a segment continue in the next one.
            marker::APP13 => resources.extend(data.strip_prefix(b"Photoshop 3.0\0")),
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
