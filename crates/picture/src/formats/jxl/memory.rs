//! Memory use of the decoder.

use outcome::PixelLayout;

use super::{OVERHEAD_BYTES, Reading};

/// Bytes of a file that are searched for the first frame header, which follows a profile and an optional preview.
const MAX_HEADER_OFFSET: usize = 1 << 20;

/// Peak memory in bytes per pixel, as measured: the output and the decoder's own buffers. If the first frame header is
/// not found, as for lossy data, which needs the most.
pub(super) fn bytes_per_pixel(bytes: &[u8], layout: PixelLayout) -> u64 {
    let out = layout.bytes() as u64;
    let Ok(mut reading) = Reading::start(bytes, OVERHEAD_BYTES) else { return out };
    let is_exact = reading.first_frame_is_exact();
    let image = &reading.image;
    let metadata = &image.image_header().metadata;
    let extra = metadata.ec_info.len() as u64;
    if !is_exact || metadata.xyb_encoded || image.hdr_type().is_some() {
        // Two 32-bit values per sample; lossy grey is decoded as three colours.
        return out + 8 * (3 + extra);
    }
    let colours = if image.pixel_format().is_grayscale() { 1 } else { 3 };
    let sample = if metadata.modular_16bit_buffers { 2 } else { 4 };
    out + sample * (colours + extra)
}

impl Reading<'_> {
    /// True if the first frame is lossless and needs no intermediate steps.
    fn first_frame_is_exact(&mut self) -> bool {
        let end = self.rest.len().min(MAX_HEADER_OFFSET);
        for piece in self.rest[..end].chunks(4096) {
            if self.image.frame(0).is_some() {
                break;
            }
            if self.image.feed_bytes(piece).is_err() {
                return false;
            }
        }
        let header = self.image.frame(0).map(|frame| frame.header());
        header.is_some_and(|header| header.encoding == jxl_oxide::frame::Encoding::Modular && !header.do_ycbcr)
    }
}
