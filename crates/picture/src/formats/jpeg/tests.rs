//! Tests with generated JPEG files: colour, damage messages, and rejected files.

use libjpeg_turbo_rs::{Encoder, PixelFormat, Subsampling};

use geometry::{PixelRect, Size};
use outcome::{Channels, DecodeError, PixelLayout};
use recipe::DecodeLimits;

use super::{Index, header, pixels};
use crate::formats::{Decoded, Header};
use crate::request::StoredRequest;

const SIZE: Size = Size::new(120, 88);

/// Soft shapes and some edges, `channels` bytes per pixel, without mirror symmetry.
fn photo(size: Size, channels: usize) -> Vec<u8> {
    let wave = |at: f32| (at.sin() * 90.0 + 128.0) as u8;
    let mut samples = Vec::new();
    for y in 0..size.height {
        for x in 0..size.width {
            let (right, down) = (x as f32, y as f32);
            let edge = if (x / 23 + y / 31) % 3 == 0 { 40 } else { 0 };
            let bands = [wave(right / 19.0), wave(down / 27.0 + right / 90.0), wave((right + 2.0 * down) / 41.0), 60];
            samples.extend(bands[..channels].iter().map(|band| band.saturating_add(edge)));
        }
    }
    samples
}

fn encode(size: Size, subsampling: Subsampling, with: impl FnOnce(Encoder<'_>) -> Encoder<'_>) -> Vec<u8> {
    let samples = photo(size, 3);
    let encoder = Encoder::new(&samples, size.width as usize, size.height as usize, PixelFormat::Rgb);
    with(encoder.quality(92).subsampling(subsampling)).encode().expect("encodes")
}

fn whole(size: Size) -> StoredRequest {
    StoredRequest { region: PixelRect::new(0, 0, size.width, size.height), reduction: 1 }
}

fn read_header(bytes: &[u8]) -> Result<Header, DecodeError> {
    header(bytes, &DecodeLimits::default())
}

fn read(bytes: &[u8], request: StoredRequest) -> Result<Decoded, DecodeError> {
    let limits = DecodeLimits::default();
    pixels(bytes, &header(bytes, &limits)?, request, &limits, &Index::default())
}

fn read_whole(bytes: &[u8]) -> Decoded {
    let stored = read_header(bytes).expect("a header").stored;
    read(bytes, whole(stored)).expect("decodes")
}

fn samples(decoded: &Decoded) -> &[u8] {
    decoded.pixels.as_u8().expect("8 bits")
}

/// The mean difference of samples.
fn difference(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / a.len().max(1) as f64
}

/// Index of the first marker `0xff code` in `bytes`.
fn find(bytes: &[u8], code: u8) -> usize {
    bytes.windows(2).position(|pair| pair == [0xff, code]).expect("has that marker")
}

fn refused(bytes: &[u8]) -> String {
    match read_header(bytes) {
        Err(error @ DecodeError::Unsupported { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A file whose frame header has the marker `kind`.
fn with_kind(kind: u8) -> Vec<u8> {
    let mut bytes = encode(SIZE, Subsampling::S444, |encoder| encoder);
    let at = find(&bytes, 0xc0);
    bytes[at + 1] = kind;
    bytes
}

/// `bytes` without the first segment with marker `kind`.
fn without(bytes: &[u8], kind: u8) -> Vec<u8> {
    let at = find(bytes, kind);
    let length = usize::from(u16::from_be_bytes([bytes[at + 2], bytes[at + 3]]));
    [&bytes[..at], &bytes[at + 2 + length..]].concat()
}

/// `inks` (0 is none) as a CMYK file with Adobe's marker, optionally inverted like Adobe's files.
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
fn single_scan_files_are_decoded_in_part() {
    let in_part = |bytes: &[u8]| read_header(bytes).expect("a header").decodes_in_part;
    assert!(in_part(&encode(SIZE, Subsampling::S420, |encoder| encoder.restart_blocks(3))));
    assert!(in_part(&with_kind(0xc1)));
    assert!(!in_part(&encode(SIZE, Subsampling::S420, |encoder| encoder.progressive(true))));
    assert!(!in_part(&encode(SIZE, Subsampling::S420, |encoder| encoder.arithmetic(true))));
    let bytes = encode(SIZE, Subsampling::S444, |encoder| encoder);
    let region = PixelRect::new(60, 40, 20, 20);
    let part = read(&bytes, StoredRequest { region, reduction: 2 }).expect("decodes");
    let Size { width, height } = part.pixels.size();
    let (left, top) = part.corner;
    assert_eq!(part.reduction, 2);
    assert!(left <= 60 && top <= 40 && left + 2 * width >= 80 && top + 2 * height >= 60, "{part:?}");
    assert!(left > 0 && top > 0 && 2 * width < SIZE.width && 2 * height < SIZE.height, "{part:?}");
}

#[test]
fn grey_stays_grey() {
    let samples_of = photo(SIZE, 1);
    let encoder = Encoder::new(&samples_of, 120, 88, PixelFormat::Grayscale).quality(92);
    let grey = encoder.encode().expect("encodes");
    assert_eq!(read_header(&grey).expect("a header").layout, PixelLayout { channels: Channels::L, deep: false });
    assert!(difference(samples(&read_whole(&grey)), &samples_of) < 2.0);
}

#[test]
fn damage_has_a_message() {
    let bytes = encode(SIZE, Subsampling::S420, |encoder| encoder);
    let damage =
        |bytes: &[u8]| read_whole(bytes).damage.map(|damage| (damage.missing_rows, damage.rows, damage.reason));
    assert_eq!(damage(&bytes), None);
    assert_eq!(damage(&bytes[..bytes.len() - 2]), Some((0, 88, "the end marker is missing".to_owned())));
    let scan = find(&bytes, 0xda);
    let (missing, _, reason) = damage(&bytes[..scan + (bytes.len() - scan) / 2]).expect("is cut");
    assert!((16..80).contains(&missing) && reason == "the file is truncated", "{missing} {reason}");
}

#[test]
fn corrupt_header_is_an_error() {
    let mut bytes = encode(SIZE, Subsampling::S420, |encoder| encoder);
    let scan = find(&bytes, 0xda);
    for end in [3, 20, find(&bytes, 0xc0) + 4, scan, scan + 4] {
        let refused = read_header(&bytes[..end]);
        assert!(matches!(refused, Err(DecodeError::Broken { .. })), "{end}: {refused:?}");
    }
    let tables = find(&bytes, 0xdb);
    bytes[tables + 4] = 0x0f;
    assert!(matches!(read(&bytes, whole(SIZE)), Err(DecodeError::Broken { .. })));
}

#[test]
fn cmyk_is_converted_to_srgb_in_every_variant() {
    // Light inks and little black, as in photos; the resulting colours on paper.
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
        let decoded = read_whole(bytes);
        assert_eq!(decoded.damage, None);
        let mean = difference(samples(&decoded), &paper);
        assert!(mean < 4.0, "file {at}: {mean}");
        let part = StoredRequest { region: PixelRect::new(50, 40, 20, 20), reduction: 2 };
        assert!(read_header(bytes).is_ok() && read(bytes, part).is_ok(), "file {at}");
    }
}

#[test]
fn subsampled_ycck_is_converted_correctly() {
    // Rows that fill the last blocks prevent an error of the first decoder.
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
        let decoded = read_whole(&bytes);
        let mean = difference(samples(&decoded), &paper);
        assert!(mean < 4.0 && decoded.damage.is_none(), "{factors:?}: {mean}");
    }
}

#[test]
fn unsupported_kinds_are_reported() {
    assert!(refused(&with_kind(0xc3)).contains("lossless"));
    assert!(refused(&with_kind(0xc5)).contains("hierarchical"));
    let mut deep = with_kind(0xc1);
    let at = find(&deep, 0xc1);
    deep[at + 4] = 12;
    assert!(refused(&deep).contains("12 bits per sample"), "{}", refused(&deep));
    let mut coarse_light = with_kind(0xc0);
    coarse_light[at + 14] = 0x21;
    assert!(refused(&coarse_light).contains("unusual"), "{}", refused(&coarse_light));
}

#[test]
fn oversized_frame_is_rejected_before_allocation() {
    let mut bytes = with_kind(0xc0);
    let at = find(&bytes, 0xc0);
    bytes[at + 5..at + 9].fill(0xff);
    let limits = DecodeLimits { max_pixels: 1_000_000, ..DecodeLimits::default() };
    let header = header(&bytes, &limits).expect("a header");
    assert_eq!(header.stored, Size::new(65_535, 65_535));
    let refused = pixels(&bytes, &header, whole(header.stored), &limits, &Index::default());
    assert!(matches!(refused, Err(DecodeError::TooManyPixels { .. })), "{refused:?}");
}

#[test]
fn profile_is_kept_if_it_matches_the_pixels() {
    let mut profile = vec![7; 100_000]; // Two chunks.
    profile[..4].copy_from_slice(&100_000_u32.to_be_bytes());
    for (color_space, kept) in [(b"RGB ", true), (b"GRAY", false), (b"CMYK", false)] {
        profile[16..20].copy_from_slice(color_space);
        let bytes = encode(SIZE, Subsampling::S420, |encoder| encoder);
        // The chunks in an order other than their numbers.
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
fn fallback_decoder_handles_files_rejected_by_jpeg_region() {
    // A component order in the scan that differs from the frame violates the standard.
    let mut bytes = encode(SIZE, Subsampling::S444, |encoder| encoder);
    let scan = find(&bytes, 0xda);
    assert_eq!(bytes[scan + 4..scan + 11], [3, 1, 0, 2, 0x11, 3, 0x11]);
    bytes.swap(scan + 7, scan + 9);
    let refused = jpeg_region::Jpeg::open(&bytes).expect("a header");
    let all = jpeg_region::Region { left: 0, top: 0, width: SIZE.width, height: SIZE.height };
    assert!(refused.decode(all, jpeg_region::Scale::Full).is_err());
    let decoded = read_whole(&bytes);
    assert_eq!((decoded.pixels.size(), decoded.damage), (SIZE, None));
}
