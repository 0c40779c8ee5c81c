//! Kinds of JPEG files, colour and refusals.

use outcome::{Channels, PixelLayout};

use super::*;
use crate::formats::jpeg::walk::Walked;

const SIZE: Size = Size::new(120, 88);

fn refused(bytes: &[u8]) -> String {
    match read_header(bytes) {
        Err(error @ DecodeError::Unsupported { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A file whose frame header is of `kind`.
fn with_kind(kind: u8) -> Vec<u8> {
    let mut bytes = encode(SIZE, Subsampling::S444, |encoder| encoder);
    let at = find(&bytes, 0xc0);
    bytes[at + 1] = kind;
    bytes
}

/// `bytes` without their first segment of `kind`.
fn without(bytes: &[u8], kind: u8) -> Vec<u8> {
    let at = find(bytes, kind);
    let length = usize::from(u16::from_be_bytes([bytes[at + 2], bytes[at + 3]]));
    [&bytes[..at], &bytes[at + 2 + length..]].concat()
}

/// `inks` (none is 0) as a CMYK file with Adobe's marker, inverted as Adobe has them, or not.
fn cmyk_file(inks: &[u8], invert: bool, subsampling: Subsampling, ycck: bool) -> Vec<u8> {
    let stored: Vec<u8> = inks.iter().map(|ink| if invert { 255 - ink } else { *ink }).collect();
    let mut encoder = Encoder::new(&stored, SIZE.width as usize, SIZE.height as usize, PixelFormat::Cmyk);
    encoder = encoder.quality(95).subsampling(subsampling);
    if ycck {
        encoder = encoder.colorspace(libjpeg_turbo_rs::ColorSpace::Ycck);
    }
    encoder.encode().expect("encodes")
}

#[test]
fn every_coding_gives_the_same_picture() {
    let plain = encode(SIZE, Subsampling::S420, |encoder| encoder);
    let expected = read_whole(&plain);
    assert!(differences(samples(&expected), &photo(SIZE, 3)).1 < 3.0);
    let codings = [
        encode(SIZE, Subsampling::S420, |encoder| encoder.progressive(true)),
        encode(SIZE, Subsampling::S420, |encoder| encoder.arithmetic(true)),
        encode(SIZE, Subsampling::S420, |encoder| encoder.restart_blocks(3)),
        encode(SIZE, Subsampling::S420, |encoder| encoder.optimize_huffman(true)),
    ];
    for bytes in &codings {
        assert_eq!(samples(&read_whole(bytes)), samples(&expected));
        assert_eq!(read_whole(bytes).damage, None);
    }
    let mut extended = plain;
    let at = find(&extended, 0xc0);
    extended[at + 1] = 0xc1;
    assert_eq!(samples(&read_whole(&extended)), samples(&expected));
    let in_part = |bytes: &[u8]| read_header(bytes).expect("a header").decodes_in_part;
    assert!(in_part(&extended) && in_part(&codings[2]) && !in_part(&codings[0]) && !in_part(&codings[1]));
}

#[test]
fn grey_stays_grey_and_stored_rgb_is_not_turned() {
    let grey = encode_grey(SIZE);
    assert_eq!(read_header(&grey).expect("a header").layout, PixelLayout { channels: Channels::L, deep: false });
    assert!(differences(samples(&read_whole(&grey)), &photo(SIZE, 1)).1 < 2.0);
    let rgb = encode(SIZE, Subsampling::S444, |encoder| encoder.colorspace(libjpeg_turbo_rs::ColorSpace::Rgb));
    assert!(differences(samples(&read_whole(&rgb)), &photo(SIZE, 3)).1 < 2.0);
    // Told by the identifiers R, G and B where Adobe's marker is missing.
    let unmarked = without(&rgb, 0xee);
    assert_eq!(samples(&read_whole(&unmarked)), samples(&read_whole(&rgb)));
}

#[test]
fn inks_come_out_as_srgb_however_they_are_stored() {
    // Light inks and little black, as pictures have; the colours they give on paper.
    let mut inks = photo(SIZE, 4);
    inks.chunks_exact_mut(4).for_each(|pixel| pixel[3] = pixel[3] / 3 + 10);
    let paper = crate::color::cmyk_to_rgb(&inks, None);
    let marked = [
        cmyk_file(&inks, true, Subsampling::S444, false),
        cmyk_file(&inks, true, Subsampling::S444, true),
        cmyk_file(&inks, true, Subsampling::S420, true),
    ];
    let unmarked = [
        without(&marked[0], 0xee),
        without(&cmyk_file(&inks, false, Subsampling::S444, false), 0xee),
        without(&marked[2], 0xee),
    ];
    for (at, bytes) in marked.iter().chain(&unmarked).enumerate() {
        let header = read_header(bytes).expect("a header");
        assert_eq!((header.layout, header.icc_profile, header.stored), (PixelLayout::RGB8, None, SIZE));
        assert_eq!(header.decodes_in_part, at < 3, "file {at}");
        let read = read_whole(bytes);
        assert_eq!(read.damage, None);
        let (_, mean) = differences(samples(&read), &paper);
        assert!(mean < 4.0, "file {at}: {mean}");
        let part = StoredWant { region: PixelRect::new(50, 40, 20, 20), reduction: 2 };
        assert!(read_header(bytes).is_ok() && super::read(bytes, part).is_ok(), "file {at}");
    }
}

#[test]
fn inks_of_which_only_the_light_is_stored_in_full_come_out_right() {
    // Rows that fill up the last blocks keep the first reader from failing on them.
    let size = Size::new(120, 83);
    let mut inks = photo(size, 4);
    inks.chunks_exact_mut(4).for_each(|pixel| pixel[3] = pixel[1] / 2);
    let paper = crate::color::cmyk_to_rgb(&inks, None);
    let stored: Vec<u8> = inks.iter().map(|ink| 255 - ink).collect();
    for factors in [(2, 1), (2, 2), (1, 2)] {
        let encoder = Encoder::new(&stored, 120, 83, PixelFormat::Cmyk).quality(95);
        let encoder = encoder.colorspace(libjpeg_turbo_rs::ColorSpace::Ycck);
        let bytes = encoder.sampling_factors(vec![factors, (1, 1), (1, 1), (1, 1)]).encode().expect("encodes");
        assert!(!read_header(&bytes).expect("a header").decodes_in_part);
        let read = read_whole(&bytes);
        let (_, mean) = differences(samples(&read), &paper);
        assert!(mean < 4.0 && read.damage.is_none(), "{factors:?}: {mean}");
    }
}

#[test]
fn kinds_that_are_not_read_are_named() {
    assert!(refused(&with_kind(0xc3)).contains("lossless"));
    assert!(refused(&with_kind(0xc5)).contains("hierarchical"));
    assert!(refused(&with_kind(0xcd)).contains("hierarchical"));
    assert!(refused(&with_kind(0xf7)).contains("JPEG-LS"));
    let mut deep = with_kind(0xc1);
    let at = find(&deep, 0xc1);
    deep[at + 4] = 12;
    assert!(refused(&deep).contains("12 bits a sample"), "{}", refused(&deep));
    let mut endless = with_kind(0xc0);
    endless[at + 5..at + 7].fill(0);
    assert!(refused(&endless).contains("height"));
    // Both readers get these wrong, without a word.
    let mut two_of_three = with_kind(0xc0);
    let scan = find(&two_of_three, 0xda);
    two_of_three[scan + 3..scan + 5].copy_from_slice(&[10, 2]);
    assert!(refused(&two_of_three).contains("scans of two"), "{}", refused(&two_of_three));
    let mut one_name = with_kind(0xc0);
    one_name[at + 13] = one_name[at + 10];
    assert!(refused(&one_name).contains("unusual"), "{}", refused(&one_name));
    let mut coarse_light = with_kind(0xc0);
    coarse_light[at + 14] = 0x21;
    assert!(refused(&coarse_light).contains("unusual"), "{}", refused(&coarse_light));
}

#[test]
fn a_large_frame_is_refused_before_memory_is_taken_for_it() {
    let mut bytes = with_kind(0xc0);
    let at = find(&bytes, 0xc0);
    bytes[at + 5..at + 9].fill(0xff);
    let limits = DecodeLimits { max_pixels: 1_000_000, ..DecodeLimits::default() };
    let header = header(&bytes, &limits).expect("a header");
    assert_eq!(header.stored, Size::new(65_535, 65_535));
    let refused = pixels(&bytes, &header, whole(header.stored, 1), &limits, &Kept::default());
    assert!(matches!(refused, Err(DecodeError::TooManyPixels { .. })), "{refused:?}");
}

#[test]
fn a_profile_is_kept_where_it_is_of_the_pixels() {
    let mut profile = vec![7; 100_000]; // Two pieces.
    profile[..4].copy_from_slice(&100_000_u32.to_be_bytes());
    for (color_space, kept) in [(b"RGB ", true), (b"GRAY", false), (b"CMYK", false)] {
        profile[16..20].copy_from_slice(color_space);
        let bytes = encode(SIZE, Subsampling::S420, |encoder| encoder);
        // The pieces in another order than their numbers.
        let pieces = [(2_u8, &profile[60_000..]), (1, &profile[..60_000])].map(|(number, piece)| {
            let length = u16::try_from(piece.len() + 16).expect("short").to_be_bytes();
            [b"\xff\xe2".as_slice(), &length, b"ICC_PROFILE\0", &[number, 2], piece].concat()
        });
        let bytes = [&bytes[..2], &pieces.concat(), &bytes[2..]].concat();
        let found = read_header(&bytes).expect("a header").icc_profile;
        assert_eq!(found.as_deref(), kept.then_some(profile.as_slice()));
    }
}

#[test]
fn the_first_of_several_pictures_is_read_and_bytes_behind_it_do_not_matter() {
    let first = encode(SIZE, Subsampling::S420, |encoder| encoder);
    let second = encode(Size::new(40, 40), Subsampling::S420, |encoder| encoder);
    let expected = read_whole(&first);
    for behind in [second.as_slice(), b"words", &[0; 3000]] {
        let read = read_whole(&[first.as_slice(), behind].concat());
        assert_eq!((samples(&read), &read.damage), (samples(&expected), &None));
    }
}

#[test]
fn what_the_first_reader_refuses_is_read_by_the_second() {
    // Components in another order in the scan than in the frame are against the standard; the first reader refuses them.
    let mut bytes = encode(SIZE, Subsampling::S444, |encoder| encoder);
    let scan = find(&bytes, 0xda);
    assert_eq!(bytes[scan + 4..scan + 11], [3, 1, 0, 2, 0x11, 3, 0x11]);
    bytes.swap(scan + 7, scan + 9);
    let structure = super::super::Structure::read(&bytes).expect("reads");
    let (want, limits) = (whole(SIZE, 1), DecodeLimits::default());
    let refused = super::super::first_reader::read(&bytes, &structure, want, &limits, Walked::Sound);
    assert!(refused.is_err_and(|reason| reason.contains("component")));
    let read = read_whole(&bytes);
    assert_eq!((read.pixels.size(), read.damage), (SIZE, None));
}
