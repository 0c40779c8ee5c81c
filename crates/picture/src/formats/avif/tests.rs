//! Tests with images from libavif (see tests/pictures) and files assembled here.

use geometry::{Orientation, Size};
use outcome::{Channels, DecodeError, PictureFormat, PixelLayout};
use recipe::DecodeLimits;

use super::super::isobmff::Items;
use super::super::isobmff::tests::{HeifBuilder, boxed, full};
use crate::{Picture, Samples, decode_bytes};

macro_rules! picture {
    ($name:literal) => {
        include_bytes!(concat!("../../../../../tests/pictures/", $name))
    };
}

fn decoded(bytes: &[u8]) -> Picture {
    decode_bytes(bytes, &DecodeLimits::default()).expect("decodes")
}

fn refusal(bytes: &[u8]) -> String {
    decode_bytes(bytes, &DecodeLimits::default()).expect_err("is refused").to_string()
}

fn shallow(picture: &Picture) -> &[u8] {
    picture.pixels.as_u8().expect("8 bits")
}

/// The maximum and the mean difference.
fn difference(a: &[u8], b: &[u8]) -> (u8, f64) {
    assert_eq!(a.len(), b.len());
    let all = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
    let sum: f64 = all.clone().map(f64::from).sum();
    (all.max().unwrap_or(0), sum / a.len() as f64)
}

#[test]
fn every_subsampling_and_range_matches_libavif() {
    let files: [(&str, &[u8], &[u8]); 7] = [
        ("4:2:0, full", picture!("420-full.avif"), picture!("420-full.avif.png")),
        ("4:2:0, limited", picture!("420-limited.avif"), picture!("420-limited.avif.png")),
        ("4:2:2, full", picture!("422-full.avif"), picture!("422-full.avif.png")),
        ("4:2:2, limited", picture!("422-limited.avif"), picture!("422-limited.avif.png")),
        ("4:4:4, full", picture!("444-full.avif"), picture!("444-full.avif.png")),
        ("4:4:4, limited", picture!("444-limited.avif"), picture!("444-limited.avif.png")),
        ("grey", picture!("grey.avif"), picture!("grey.avif.png")),
    ];
    for (name, file, reference) in files {
        let (actual, expected) = (decoded(file), decoded(reference));
        assert_eq!(actual.info.format, PictureFormat::Avif);
        assert_eq!(actual.pixels.layout(), expected.pixels.layout(), "{name}");
        let (max, _) = difference(shallow(&actual), shallow(&expected));
        assert!(max <= 2, "{name}: {max} levels");
    }
}

#[test]
fn premultiplied_alpha_is_undone() {
    let (actual, face) = (decoded(picture!("premultiplied.avif")), decoded(picture!("face.png")));
    assert_eq!(actual.pixels.channels(), Channels::Rgba);
    let mut counted = 0;
    for (pixel, original) in shallow(&actual).chunks_exact(4).zip(shallow(&face).chunks_exact(3)) {
        // At low alpha, the colour values have low precision.
        if pixel[3] >= 128 {
            let (max, _) = difference(&pixel[..3], original);
            assert!(max <= 24, "{pixel:?} for {original:?}");
            counted += 1;
        }
    }
    assert!(counted > 100);
}

#[test]
fn rotation_is_applied_once_and_exif_is_ignored() {
    let file = picture!("turned.avif");
    let (picture, face) = (decoded(file), decoded(picture!("face.png")));
    let stored = face.size();
    assert_eq!(picture.size(), Size::new(stored.height, stored.width));
    let (_, mean) = difference(shallow(&picture), &transposed(shallow(&face), stored));
    assert!(mean < 4.0, "{mean}");
    let (exif, xmp) = super::metadata(file);
    assert!(exif.is_some_and(|exif| exif.starts_with(b"MM") && exif.windows(8).any(|part| part == b"A person")));
    assert!(xmp.is_some_and(|xmp| xmp.starts_with(b"<x:xmpmeta")));
}

fn transposed(samples: &[u8], size: Size) -> Vec<u8> {
    let (width, height) = (size.width as usize, size.height as usize);
    let place = |index: usize| (index % height * width + index / height) * 3;
    (0..width * height).flat_map(|index| samples[place(index)..place(index) + 3].to_vec()).collect()
}

#[test]
fn animations_decode_to_their_still_image_with_a_note() {
    let picture = decoded(picture!("animation.avif"));
    assert_eq!(picture.info.note, Some(outcome::PictureNote::StillPicture));
    let (_, mean) = difference(shallow(&picture), shallow(&decoded(picture!("face.png"))));
    assert!(mean < 8.0, "{mean}");
}

#[test]
fn truncated_files_are_broken() {
    let file = picture!("420-full.avif");
    assert!(refusal(&file[..file.len() - 20]).contains("the end of the file is missing"));
    assert!(refusal(&file[..60]).starts_with("the AVIF data is corrupt"));
}

/// AV1 data and its configuration, for a single colour in 16x16 pixels.
fn tile(colour: [u8; 3], depth: ravif::BitDepth) -> (Vec<u8>, Vec<u8>) {
    let pixels = [ravif::RGB8::from(colour); 256];
    let encoder = ravif::Encoder::new().with_quality(100.0).with_speed(10).with_bit_depth(depth);
    let file = encoder.encode_rgb(ravif::Img::new(&pixels[..], 16, 16)).expect("encodes").avif_file;
    let items = Items::read(&file).expect("reads");
    let picture = items.primary().expect("has a picture").id;
    let configuration = items.property(picture, b"av1C").expect("exists").content;
    (items.data(picture).expect("exists").into_owned(), boxed(b"av1C", configuration))
}

fn size_property(width: u32, height: u32) -> Vec<u8> {
    full(b"ispe", 0, &[width.to_be_bytes(), height.to_be_bytes()].concat())
}

/// An image of one tile.
fn single(colour: [u8; 3], depth: ravif::BitDepth) -> HeifBuilder {
    let (data, configuration) = tile(colour, depth);
    let properties = vec![size_property(16, 16), configuration];
    HeifBuilder { brand: *b"avif", items: vec![(*b"av01", data, vec![0, 1])], properties, references: Vec::new() }
}

#[test]
fn ten_bits_are_scaled_to_sixteen() {
    let picture = decoded(&single([200, 100, 50], ravif::BitDepth::Ten).file());
    assert_eq!(picture.pixels.layout(), PixelLayout { channels: Channels::Rgb, deep: true });
    let samples = picture.pixels.as_u16().expect("16 bits");
    for (sample, expected) in samples.iter().zip([200_u16, 100, 50].iter().cycle()) {
        assert!(sample.abs_diff(expected * 257) <= 257, "{sample} for {}", expected * 257);
    }
}

#[test]
fn tiles_are_assembled() {
    let colours = [[250, 10, 10], [10, 250, 10], [10, 10, 250], [200, 200, 200]];
    let mut builder = HeifBuilder { brand: *b"mif1", ..HeifBuilder::default() };
    // Two rows of two, 28 pixels across and 24 down.
    builder.items.push((*b"grid", vec![0, 0, 1, 1, 0, 28, 0, 24], vec![0]));
    builder.properties = vec![size_property(28, 24), size_property(16, 16)];
    for colour in colours {
        let (data, configuration) = tile(colour, ravif::BitDepth::Eight);
        builder.items.push((*b"av01", data, vec![1, 2]));
        builder.properties.truncate(2);
        builder.properties.push(configuration);
    }
    builder.references = vec![(*b"dimg", 1, vec![2, 3, 4, 5])];
    let picture = decoded(&builder.file());
    assert_eq!(picture.size(), Size::new(28, 24));
    for (x, y, colour) in [(0, 0, 0), (15, 15, 0), (16, 0, 1), (27, 15, 1), (0, 16, 2), (16, 16, 3), (27, 23, 3)] {
        let at = (y * 28 + x) * 3;
        let (max, _) = difference(&shallow(&picture)[at..at + 3], &colours[colour]);
        assert!(max <= 3, "at {x}, {y}: {max} levels from the tile's colour");
    }
    builder.references = vec![(*b"dimg", 1, vec![2, 3, 4])];
    assert!(refusal(&builder.file()).contains("number of its tiles"));
    builder.references = vec![(*b"dimg", 1, vec![2, 3, 4, 1])];
    assert!(refusal(&builder.file()).contains("tiles do not fit"));
}

#[test]
fn rotation_and_cropping_follow_the_file_order() {
    let mut builder = single([1, 2, 3], ravif::BitDepth::Eight);
    let clap = [10, 1, 4, 1, -1, 1, 0, 1].map(i32::to_be_bytes).concat();
    builder.properties.extend([boxed(b"clap", &clap), boxed(b"irot", &[1])]);
    builder.items[0].2.extend([2, 3]);
    let file = builder.file();
    let header = super::header(&file, &DecodeLimits::default()).expect("reads");
    assert_eq!((header.stored, header.orientation), (Size::new(10, 4), Some(Orientation::QuarterCounterClockwise)));
    assert_eq!(decoded(&file).size(), Size::new(4, 10));
}

#[test]
fn colour_codings_yield_profiles_or_are_rejected() {
    let with = |colr: &[u8]| {
        let mut builder = single([90, 90, 90], ravif::BitDepth::Eight);
        builder.properties.push(boxed(b"colr", colr));
        builder.items[0].2.push(2);
        decode_bytes(&builder.file(), &DecodeLimits::default())
    };
    let profile = |space: &[u8]| [b"prof", &[0; 16][..], space, &[0; 12]].concat();
    assert_eq!(with(&profile(b"RGB ")).expect("decodes").info.icc_profile.map(|profile| profile.len()), Some(32));
    assert_eq!(with(&profile(b"GRAY")).expect("decodes").info.icc_profile, None, "not a profile of colours");
    assert_eq!(with(b"nclx\0\x01\0\x0d\0\x06\x80").expect("decodes").info.icc_profile, None, "sRGB");
    // PQ: unconverted, it would look grey and flat.
    let high_range = with(b"nclx\0\x09\0\x10\0\x09\x80");
    assert!(!matches!(&high_range, Ok(picture) if picture.info.icc_profile.is_none()), "{high_range:?}");
    let odd = with(b"nclx\0\x01\0\x0d\0\x0e\x80").expect_err("matrix 14 is refused");
    assert!(matches!(&odd, DecodeError::Unsupported { reason, .. } if reason.contains("matrix 14")), "{odd}");
}

#[test]
fn grey_image_with_rgb_profile_becomes_rgb() {
    let file = picture!("grey.avif");
    assert_eq!(decoded(file).pixels.channels(), Channels::L);
    let items = Items::read(file).expect("reads");
    let picture = items.primary().expect("has a picture").id;
    let property = |kind| boxed(kind, items.property(picture, kind).expect("exists").content);
    let colr = boxed(b"colr", &[b"prof", &[0; 16][..], b"RGB ", &[0; 12]].concat());
    let builder = HeifBuilder {
        brand: *b"avif",
        items: vec![(*b"av01", items.data(picture).expect("exists").into_owned(), vec![0, 1, 2])],
        properties: vec![property(b"ispe"), property(b"av1C"), colr],
        references: Vec::new(),
    };
    let picture = decoded(&builder.file());
    assert_eq!(picture.pixels.channels(), Channels::Rgb);
    let is_grey =
        |samples: &Samples| matches!(samples, Samples::U8(s) if s.chunks(3).all(|p| p[0] == p[1] && p[1] == p[2]));
    assert!(is_grey(picture.pixels.samples()));
}

#[test]
fn wrong_header_is_rejected_before_allocation() {
    let mut builder = single([90, 90, 90], ravif::BitDepth::Eight);
    builder.properties[0] = size_property(60_000, 60_000);
    let refused = decode_bytes(&builder.file(), &DecodeLimits::default()).expect_err("is refused");
    assert!(matches!(refused, DecodeError::TooManyPixels { .. }), "{refused}");
    // The actual size of the data takes precedence over the header.
    builder.properties[0] = size_property(8, 8);
    assert!(matches!(decode_bytes(&builder.file(), &DecodeLimits::default()), Err(DecodeError::Broken { .. })));
    builder.properties[0] = size_property(17, 16);
    assert!(refusal(&builder.file()).contains("17 x 16"), "{}", refusal(&builder.file()));
}

#[test]
fn unsupported_codec_is_reported() {
    let mut builder = single([90, 90, 90], ravif::BitDepth::Eight);
    builder.items[0].0 = *b"j2k1";
    assert!(refusal(&builder.file()).contains("an image of type \"j2k1\""));
}

#[test]
fn animations_without_still_image_decode_to_their_first_frame() {
    let file = picture!("animation.avif");
    let still = decoded(file);
    let place = file.windows(4).position(|name| name == b"meta").expect("a still picture");
    let mut without = file.to_vec();
    without[place..place + 4].copy_from_slice(b"free");
    let first = decoded(&without);
    assert_eq!(first.info.note, Some(outcome::PictureNote::FirstFrame));
    assert_eq!((first.size(), first.pixels.layout()), (still.size(), still.pixels.layout()));
    let (_, mean) = difference(shallow(&first), shallow(&still));
    assert!(mean < 2.0, "{mean}");
    // Truncated before its data, or without tracks, it has none.
    assert!(refusal(&without[..place]).starts_with("the AVIF data is corrupt"));
}
