//! Tests with images from libjxl (see tests/pictures).

use outcome::PictureFormat;

use super::*;
use crate::formats::testing::refused_cuts;
use crate::{Picture, decode_bytes};

macro_rules! picture {
    ($name:literal) => {
        include_bytes!(concat!("../../../../../tests/pictures/", $name))
    };
}

fn decoded(bytes: &[u8]) -> Picture {
    decode_bytes(bytes, &DecodeLimits::default()).expect("decodes")
}

fn shallow(picture: &Picture) -> &[u8] {
    picture.pixels.as_u8().expect("8 bits")
}

#[test]
fn lossless_images_are_bit_exact() {
    let (actual, face) = (decoded(picture!("lossless.jxl")), decoded(picture!("face.png")));
    assert_eq!((actual.info.format, actual.pixels.layout()), (PictureFormat::Jxl, PixelLayout::RGB8));
    assert!(shallow(&actual) == shallow(&face));
    assert_eq!((actual.info.icc_profile, actual.info.note, actual.info.damage), (None, None, None));
}

#[test]
fn alpha_is_kept() {
    let (actual, face) = (decoded(picture!("alpha.jxl")), decoded(picture!("face.png")));
    assert_eq!(actual.pixels.channels(), Channels::Rgba);
    let alphas: Vec<u8> = shallow(&actual).chunks(4).map(|pixel| pixel[3]).collect();
    assert!(alphas.first() < Some(&20) && alphas.last() > Some(&235));
    let seen = shallow(&actual).chunks(4).zip(shallow(&face).chunks(3)).filter(|(pixel, _)| pixel[3] > 0);
    assert!(seen.clone().count() > 300 && seen.clone().all(|(pixel, original)| &pixel[..3] == original));
}

#[test]
fn lossy_images_are_close() {
    let (actual, face) = (decoded(picture!("lossy.jxl")), decoded(picture!("face.png")));
    let sum: u32 = shallow(&actual).iter().zip(shallow(&face)).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
    assert!(sum < 5 * shallow(&face).len() as u32, "{sum} of {}", shallow(&face).len());
    assert_eq!(actual.info.icc_profile, None);
}

#[test]
fn sixteen_bit_grey_is_kept() {
    let actual = decoded(picture!("grey-16.jxl"));
    assert_eq!(actual.pixels.layout(), PixelLayout { channels: Channels::L, deep: true });
    // Each sample of the file is a multiple of 257, plus 3.
    assert!(actual.pixels.as_u16().expect("16 bits").iter().all(|sample| sample % 257 == 3));
}

#[test]
fn embedded_profile_is_kept() {
    let actual = decoded(picture!("p3.jxl"));
    // Display P3 200, 120, 60 is sRGB 213, 115, 42 (LittleCMS); the decoder's own profile would result in 181, 137, 44.
    let shown = crate::display_copy(&actual, 16).expect("converts");
    assert!(shown.rgba[..3].iter().zip([213_u8, 115, 42]).all(|(a, b)| a.abs_diff(b) <= 2), "{:?}", &shown.rgba[..3]);
}

#[test]
fn orientation_is_applied_once() {
    let (actual, face) = (decoded(picture!("transposed.jxl")), decoded(picture!("face.png")));
    let size = face.size();
    assert_eq!((actual.size().width, actual.size().height), (size.height, size.width));
    let (width, height) = (size.width as usize, size.height as usize);
    let pixel = |index: usize| &shallow(&face)[index * 3..index * 3 + 3];
    let upright = (0..width * height).map(|index| pixel(index % height * width + index / height));
    let difference: u32 = shallow(&actual)
        .chunks_exact(3)
        .zip(upright)
        .flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b))))
        .sum();
    assert!(difference < (width * height * 3 * 8) as u32, "{difference}");
}

#[test]
fn exif_orientation_is_ignored_and_metadata_is_kept() {
    let file = picture!("turned.jxl");
    let (actual, face) = (decoded(file), decoded(picture!("face.png")));
    // The encoder received EXIF orientation 6; JPEG XL has its own, and decoders use only that.
    assert_eq!(actual.size(), face.size());
    let (exif, xmp) = metadata(file);
    assert!(exif.is_some_and(|exif| exif.starts_with(b"MM") && exif.windows(8).any(|part| part == b"A person")));
    assert!(xmp.is_some_and(|xmp| xmp.starts_with(b"<x:xmpmeta")));
}

#[test]
fn truncated_files_are_rejected() {
    for file in [
        picture!("lossless.jxl").as_slice(),
        picture!("lossy.jxl"),
        picture!("groups.jxl"),
        picture!("groups-lossy.jxl"),
    ] {
        let refused = decode_bytes(&file[..file.len() * 9 / 10], &DecodeLimits::default()).expect_err("is refused");
        assert!(refused.to_string().contains("the end of the file is missing"), "{refused}");
        assert!(refused_cuts(file, 12) > 0);
    }
}

#[test]
fn oversized_images_are_rejected_from_the_header() {
    let limits = DecodeLimits { max_pixels: 22 * 17 - 1, ..DecodeLimits::default() };
    let refused = decode_bytes(picture!("lossless.jxl"), &limits).expect_err("is refused");
    assert!(matches!(refused, DecodeError::TooManyPixels { .. }), "{refused}");
}

#[test]
fn colour_space_without_icc_equivalent_is_rejected() {
    let file = [0xff, 0x0a, 0x7e, 0x13, 0x35, 0xff, 0x0a, 0x01, 0x41, 0x00];
    let refused = decode_bytes(&file, &DecodeLimits::default()).expect_err("is refused");
    assert!(matches!(refused, DecodeError::Unsupported { .. }), "{refused}");
}

#[test]
fn decoder_memory_counts_against_the_limit() {
    // (8, 16) bits x grey, colour, alpha: as measured with images of nine megapixels.
    for (name, file, expected) in [
        ("lossless", picture!("lossless.jxl").as_slice(), 9),
        ("alpha", picture!("alpha.jxl"), 12),
        ("lossy", picture!("lossy.jxl"), 27),
        ("grey, 16 bits", picture!("grey-16.jxl"), 6),
    ] {
        let header = header(file, &DecodeLimits::default()).expect("a header");
        assert_eq!(bytes_per_pixel(file, &header), expected, "{name}");
        let bytes = 22 * 17 * expected;
        let limits = |memory_budget| DecodeLimits { memory_budget, ..DecodeLimits::default() };
        assert!(decode_bytes(file, &limits(bytes)).is_ok(), "{name}");
        let refused = decode_bytes(file, &limits(bytes - 1));
        assert!(
            matches!(refused, Err(DecodeError::TooMuchMemory { bytes: reported, .. }) if reported == bytes),
            "{name}"
        );
    }
}
