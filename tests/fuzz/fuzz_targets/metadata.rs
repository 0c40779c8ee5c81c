//! Metadata of arbitrary files, copied into a small crop under every policy; the crop must be valid.

#![no_main]

use libfuzzer_sys::fuzz_target;

use geometry::{Orientation, Size};
use outcome::Channels;
use picture::{Crop, PhotoFile, Pixels, decode_bytes, encode_crop};
use recipe::{Color, DecodeLimits, EncodeSpec, MetadataPolicy, OutputFormat};

const LIMITS: DecodeLimits =
    DecodeLimits { max_pixels: 1_000_000, max_file_bytes: 1 << 20, memory_budget: 16 << 20, max_seconds: 60 };

fuzz_target!(|bytes: &[u8]| {
    let Ok(file) = PhotoFile::from_bytes(bytes.to_vec(), &LIMITS) else { return };
    let _ = file.info().metadata.thumbnail();
    let size = Size::new(2, 2);
    let Some(pixels) = Pixels::from_u8(size, Channels::Rgb, vec![90; 12]) else { return };
    let crop = Crop { pixels, icc_profile: None, metadata: file.info().metadata.clone() };
    for format in [OutputFormat::Jpeg, OutputFormat::Png, OutputFormat::WebP, OutputFormat::Tiff] {
        for metadata in [MetadataPolicy::Safe, MetadataPolicy::All, MetadataPolicy::Strip] {
            let spec = EncodeSpec { format, metadata, ..EncodeSpec::default() };
            let encoded = encode_crop(&crop, &spec, Color::WHITE).expect("unknown metadata does not prevent writing");
            let back = decode_bytes(&encoded.bytes, &DecodeLimits::default()).expect("written metadata can be read");
            assert_eq!((back.size(), back.info.damage), (size, None));
            assert_eq!(back.info.metadata.orientation(), Orientation::Upright);
        }
    }
});
