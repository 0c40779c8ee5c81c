//! How much memory the decoder takes.

use outcome::PixelLayout;

use super::{BESIDE_BYTES, Reading};

/// Bytes of a file that are looked at for the first frame's header, which follows a profile and perhaps a preview.
const HEADER_WITHIN: usize = 1 << 20;

/// Bytes for a pixel at the peak, as measured: the pixels that come out, and the decoder's own beside them. Where the first
/// frame's header is not found, as for lossy data, which takes most.
pub(super) fn bytes_per_pixel(bytes: &[u8], layout: PixelLayout) -> u64 {
    let out = layout.bytes() as u64;
    let Ok(mut reading) = Reading::start(bytes, BESIDE_BYTES) else { return out };
    let is_exact = reading.first_frame_is_exact();
    let image = &reading.image;
    let metadata = &image.image_header().metadata;
    let extra = metadata.ec_info.len() as u64;
    if !is_exact || metadata.xyb_encoded || image.hdr_type().is_some() {
        // Two numbers of four bytes for a sample; lossy grey is decoded as three colours.
        return out + 8 * (3 + extra);
    }
    let colours = if image.pixel_format().is_grayscale() { 1 } else { 3 };
    let sample = if metadata.modular_16bit_buffers { 2 } else { 4 };
    out + sample * (colours + extra)
}

impl Reading<'_> {
    /// True where the first frame is of the kind that is without loss and needs no steps in between.
    fn first_frame_is_exact(&mut self) -> bool {
        let end = self.rest.len().min(HEADER_WITHIN);
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
