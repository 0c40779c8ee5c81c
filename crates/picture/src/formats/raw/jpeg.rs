//! The headers of a JPEG before its first scan.

use geometry::Size;
use jpeg_region::{Segment, Segments, marker};

/// Maximum number of segments before the frame header.
const MAX_SEGMENTS: usize = 256;

/// The part of a JPEG before its scans.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head<'a> {
    pub(super) size: Size,
    /// The EXIF block, from its TIFF header on.
    pub(super) exif: Option<&'a [u8]>,
    pub(super) xmp: Option<&'a [u8]>,
}

impl<'a> Head<'a> {
    /// Reads the head of a JPEG at the start of `bytes`. `None` if there is none, or one that cannot be a preview:
    /// lossless, of more than 8 bits, or with other than one or three channels.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Self> {
        let (mut exif, mut xmp) = (None, None);
        for segment in Segments::new(bytes).contiguous().take(MAX_SEGMENTS) {
            let Segment { marker, data, .. } = segment.ok()?;
            match marker {
                marker::APP1 => {
                    exif = exif.or_else(|| data.strip_prefix(b"Exif\0\0"));
                    xmp = xmp.or_else(|| data.strip_prefix(b"http://ns.adobe.com/xap/1.0/\0"));
                }
                // Baseline, extended, progressive.
                marker::SOF0..=marker::SOF2 => {
                    let [8, h0, h1, w0, w1, 1 | 3] = *data.first_chunk::<6>()? else { return None };
                    let side = |high, low| u32::from(u16::from_be_bytes([high, low]));
                    let size = Size::new(side(w0, w1), side(h0, h1));
                    return (size.pixels() > 0).then_some(Self { size, exif, xmp });
                }
                marker::DHT | marker::DAC | marker::DQT | marker::DRI | marker::APP0..=marker::APP15 | marker::COM => {}
                _ => return None,
            }
        }
        None
    }
}
