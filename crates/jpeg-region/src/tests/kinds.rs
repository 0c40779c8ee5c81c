//! Tests of the supported and unsupported kinds of JPEG files.

use libjpeg_turbo_rs::ColorSpace;

use super::*;
use crate::decoded::SampleFormat;
use crate::decoder::decode_region;
use crate::error::Unsupported;
use crate::integrity::Integrity;
use crate::structure::Structure;

const SIZE: Size = Size::new(120, 88);

/// A file whose frame header has the marker `sof`.
fn with_sof(sof: u8) -> Vec<u8> {
    let mut bytes = encode(SIZE, Subsampling::S444, |encoder| encoder);
    let at = find(&bytes, 0xc0);
    bytes[at + 1] = sof;
    bytes
}

/// `bytes` without the first segment with marker `code`.
fn without(bytes: &[u8], code: u8) -> Vec<u8> {
    let at = find(bytes, code);
    let length = usize::from(u16::from_be_bytes([bytes[at + 2], bytes[at + 3]]));
    [&bytes[..at], &bytes[at + 2 + length..]].concat()
}

#[test]
fn every_coding_process_decodes_to_the_same_image() {
    let plain = encode(SIZE, Subsampling::S420, |encoder| encoder);
    let expected = read_whole(&plain);
    assert!(differences(&expected.samples, &photo(SIZE, 3)).1 < 3.0);
    for bytes in [
        encode(SIZE, Subsampling::S420, |encoder| encoder.progressive(true)),
        encode(SIZE, Subsampling::S420, |encoder| encoder.arithmetic(true)),
        encode(SIZE, Subsampling::S420, |encoder| encoder.restart_blocks(3)),
        encode(SIZE, Subsampling::S420, |encoder| encoder.optimize_huffman(true)),
    ] {
        assert_eq!(read_whole(&bytes), expected);
    }
    let mut extended = plain;
    let at = find(&extended, 0xc0);
    extended[at + 1] = 0xc1;
    assert_eq!(read_whole(&extended), expected);
}

#[test]
fn header_matches_the_encoder_settings() {
    let bytes = encode(SIZE, Subsampling::S420, |encoder| encoder.restart_blocks(3));
    let jpeg = Jpeg::open(&bytes).expect("a header");
    let frame = jpeg.frame();
    assert_eq!((frame.width, frame.height, frame.precision, frame.mcu()), (120, 88, 8, (16, 16)));
    let sampling: Vec<_> = frame.components.iter().map(|component| component.sampling).collect();
    assert_eq!(sampling, [(2, 2), (1, 1), (1, 1)]);
    assert_eq!((jpeg.restart_interval(), jpeg.adobe_transform(), jpeg.scan_count()), (3, None, 1));
    assert!(frame.is_sequential() && !frame.is_progressive() && !frame.is_arithmetic() && jpeg.is_complete());
    let bytes = encode(SIZE, Subsampling::S444, |encoder| encoder.progressive(true).colorspace(ColorSpace::Rgb));
    let jpeg = Jpeg::open(&bytes).expect("a header");
    assert!(jpeg.frame().is_progressive() && jpeg.scan_count() > 3 && jpeg.adobe_transform() == Some(0));
    assert!(
        with_sof(0xc9) != with_sof(0xc0) && Jpeg::open(&with_sof(0xc9)).is_ok_and(|jpeg| jpeg.frame().is_arithmetic())
    );
}

#[test]
fn grey_stays_grey_and_rgb_is_not_converted() {
    let grey = read_whole(&encode_grey(SIZE, |encoder| encoder));
    assert_eq!(grey.format, SampleFormat::Grey);
    assert!(differences(&grey.samples, &photo(SIZE, 1)).1 < 2.0);
    let rgb = encode(SIZE, Subsampling::S444, |encoder| encoder.colorspace(ColorSpace::Rgb));
    assert!(differences(&read_whole(&rgb).samples, &photo(SIZE, 3)).1 < 2.0);
    // The identifiers R, G and B suffice if Adobe's marker is missing.
    let unmarked = without(&rgb, 0xee);
    assert_eq!(read_whole(&unmarked), read_whole(&rgb));
}

#[test]
fn cmyk_is_returned_as_stored() {
    let inks = photo(SIZE, 4);
    let cmyk = encoder(&inks, SIZE, PixelFormat::Cmyk).quality(95).subsampling(Subsampling::S444);
    let cmyk = cmyk.encode().expect("encodes");
    let ycck = encoder(&inks, SIZE, PixelFormat::Cmyk).quality(95).subsampling(Subsampling::S420);
    let ycck = ycck.colorspace(ColorSpace::Ycck).encode().expect("encodes");
    // YCCK is recognised by its components if Adobe's marker is missing.
    for bytes in [&cmyk, &without(&cmyk, 0xee), &ycck, &without(&ycck, 0xee)] {
        let read = read_whole(bytes);
        assert_eq!((read.format, read.damage), (SampleFormat::Cmyk, None));
        let (_, mean) = differences(&read.samples, &inks);
        assert!(mean < 4.0, "{mean}");
    }
}

#[test]
fn unsupported_kinds_are_reported() {
    let refused = |bytes: &[u8]| match read(bytes, DecodeRequest::new(0, 0, 9, 9, Scale::Full)) {
        Err(Error::Unsupported(unsupported)) => unsupported,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&with_sof(0xc3)), Unsupported::Lossless);
    assert_eq!(refused(&with_sof(0xc5)), Unsupported::Hierarchical);
    assert_eq!(refused(&with_sof(0xcd)), Unsupported::Hierarchical);
    assert_eq!(refused(&with_sof(0xf7)), Unsupported::JpegLs);
    let at = find(&with_sof(0xc0), 0xc0);
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = with_sof(0xc0);
        change(&mut bytes);
        refused(&bytes)
    };
    assert_eq!(changed(&|bytes| bytes[at + 4] = 12), Unsupported::Precision(12));
    assert_eq!(changed(&|bytes| bytes[at + 5..at + 7].fill(0)), Unsupported::HeightAfterScan);
    assert_eq!(changed(&|bytes| bytes[at + 13] = bytes[at + 10]), Unsupported::AmbiguousComponents, "one identifier");
    assert_eq!(changed(&|bytes| bytes[at + 14] = 0x21), Unsupported::AmbiguousComponents, "coarse luminance");
    let scan = find(&with_sof(0xc0), 0xda);
    let two_of_three = |bytes: &mut Vec<u8>| bytes[scan + 3..scan + 5].copy_from_slice(&[10, 2]);
    assert_eq!(changed(&two_of_three), Unsupported::PartlyInterleaved);
    let inks = photo(SIZE, 4);
    let uneven = encoder(&inks, SIZE, PixelFormat::Cmyk).colorspace(ColorSpace::Ycck);
    let uneven = uneven.sampling_factors(vec![(2, 2), (1, 1), (1, 1), (1, 1)]).encode().expect("encodes");
    assert_eq!(refused(&uneven), Unsupported::UnevenSampling);
}

#[test]
fn first_of_several_images_is_decoded_and_trailing_bytes_are_ignored() {
    let first = encode(SIZE, Subsampling::S420, |encoder| encoder);
    let second = encode(Size::new(40, 40), Subsampling::S420, |encoder| encoder);
    let expected = read_whole(&first);
    for behind in [second.as_slice(), b"words", &[0; 3000]] {
        assert_eq!(read_whole(&[first.as_slice(), behind].concat()), expected);
    }
}

#[test]
fn libjpeg_turbo_rs_errors_are_returned_with_their_reason() {
    // A component order in the scan that differs from the frame violates the standard.
    let mut bytes = encode(SIZE, Subsampling::S444, |encoder| encoder);
    let scan = find(&bytes, 0xda);
    assert_eq!(bytes[scan + 4..scan + 11], [3, 1, 0, 2, 0x11, 3, 0x11]);
    bytes.swap(scan + 7, scan + 9);
    let structure = Structure::read(&bytes).expect("reads");
    let DecodeRequest { region, scale } = whole(SIZE, Scale::Full);
    let refused = decode_region(&bytes, &structure, region, scale, Integrity::Intact);
    assert!(matches!(refused, Err(Error::Decoder(reason)) if reason.contains("component")));
}
