//! Arbitrary bytes as a file: decodes the header, all pixels, a reduced size, and a region.

#![no_main]

use libfuzzer_sys::fuzz_target;

use geometry::{PixelRect, Size};
use picture::{DecodeRequest, PhotoFile};
use recipe::DecodeLimits;

const LIMITS: DecodeLimits =
    DecodeLimits { max_pixels: 1_000_000, max_file_bytes: 1 << 20, memory_budget: 16 << 20, max_seconds: 60 };

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = PhotoFile::from_bytes(bytes.to_vec(), &LIMITS) else { return };
    let Size { width, height } = file.size();
    let frame = PixelRect::new(width as i32 / 4, height as i32 / 4, width / 2, height / 2);
    let frames = DecodeRequest::Frames(vec![(frame, Size::new(16, 16))]);
    for request in [DecodeRequest::Full, DecodeRequest::LongSide(16), frames] {
        if let Ok(picture) = file.decode(&request) {
            assert_eq!(picture.size(), file.size());
            assert!(picture.pixels.size().pixels() <= LIMITS.max_pixels);
        }
    }
});
