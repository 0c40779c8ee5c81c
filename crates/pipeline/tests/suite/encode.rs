//! Round trips: pixels to a file and back through the decoder.

use std::sync::Arc;

use geometry::Size;
use naming::output_stem;
use outcome::Channels;
use picture::{Crop, Pixels, decode_file, encode_crop, write_new};
use pipeline::{Claim, NameBook};
use recipe::{Color, DecodeLimits, EncodeSpec, OnConflict, OutputFormat, OutputSpec};
use test_support::folder;

fn crop(channels: Channels) -> Crop {
    let size = Size::new(48, 32);
    let samples = (0..size.pixels() as usize * channels.count()).map(|i| (i % 241) as u8).collect();
    let pixels = Pixels::from_u8(size, channels, samples).expect("fits");
    Crop { pixels, icc_profile: None, metadata: Arc::default() }
}

#[test]
fn a_lossless_crop_is_decoded_bit_for_bit() {
    let out = folder();
    for (number, format) in [OutputFormat::Png, OutputFormat::WebP].into_iter().enumerate() {
        for channels in [Channels::Rgb, Channels::Rgba] {
            let crop = crop(channels);
            let spec = EncodeSpec { format, quality: 1, lossless: true, ..EncodeSpec::default() };
            let bytes = encode_crop(&crop, &spec, Color::WHITE).expect("encodes").bytes;
            let path = out.path().join(format!("{number}_{}.{}", channels.count(), format.extension()));
            assert_eq!(write_new(&bytes, &path, false).expect("written").bytes, bytes.len() as u64);
            let back = decode_file(&path, &DecodeLimits::default()).expect("decodes");
            assert!(back.pixels == crop.pixels, "{}", format.name());
        }
    }
}

#[test]
fn a_colour_profile_survives_in_every_format() {
    // The header of a real profile: its length, the colour space "RGB " and the signature at byte 36.
    let mut profile = vec![0_u8; 128];
    profile[3] = 128;
    profile[12..24].copy_from_slice(b"mntrRGB XYZ ");
    profile[36..40].copy_from_slice(b"acsp");
    let crop = Crop { icc_profile: Some(Arc::from(profile.as_slice())), ..crop(Channels::Rgb) };
    let out = folder();
    for format in OutputFormat::ALL {
        let bytes =
            encode_crop(&crop, &EncodeSpec { format, ..EncodeSpec::default() }, Color::WHITE).expect("encodes").bytes;
        let path = out.path().join("crop").with_extension(format.extension());
        write_new(&bytes, &path, false).expect("written");
        let back = decode_file(&path, &DecodeLimits::default()).expect("decodes");
        assert_eq!(back.info.icc_profile.as_deref(), Some(profile.as_slice()), "{}", format.name());
    }
}

#[test]
fn all_claimed_names_can_be_written() {
    let out = folder();
    let output = OutputSpec { folder: out.path().join("new"), on_conflict: OnConflict::Suffix };
    let source = out.path().join("group.photo.jpg");
    let mut book = NameBook::new(output, std::slice::from_ref(&source));
    for face in [None, Some(1), Some(2), None] {
        match book.claim(&source, &output_stem(&source, face).into(), "png").expect("free") {
            Claim::Write { path, replace } => write_new(b"crop", &path, replace).expect("written"),
            Claim::Skip { path } => panic!("{path:?} was free"),
        };
    }
    let expected = ["group.photo (2).png", "group.photo.png", "group.photo_face1.png", "group.photo_face2.png"];
    assert_eq!(test_support::names(&out.path().join("new")), expected);
}
