//! Tests with GIF files from the encoder and handmade ones.

use image::codecs::gif::GifEncoder;
use image::{Frame, RgbaImage};

use outcome::Channels;

use crate::formats::testing::{decode_intact, refusal, refused_cuts, shallow};

fn encode(frames: &[RgbaImage]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = GifEncoder::new(&mut bytes);
    encoder.encode_frames(frames.iter().cloned().map(Frame::new)).expect("encodes");
    drop(encoder);
    bytes
}

/// Few colours, so that all fit the palette.
fn pattern(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| {
        image::Rgba([(x * 37 % 5 * 50) as u8, ((x + y * y) % 6 * 40) as u8, 90, 255])
    })
}

/// A frame of 2 x 2 pixels at 1, 1 of a screen of 4 x 3; with `control`, colour 1 is transparent.
fn manual(interlaced: bool, control: bool, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"GIF89a\x04\0\x03\0\x81\0\0".to_vec();
    bytes.extend_from_slice(&[10, 11, 12, 20, 21, 22, 30, 31, 32, 40, 41, 42]);
    if control {
        bytes.extend_from_slice(&[0x21, 0xf9, 4, 1, 0, 0, 1, 0]);
    }
    bytes.extend_from_slice(&[0x2c, 1, 0, 1, 0, 2, 0, 2, 0, if interlaced { 0x40 } else { 0 }, 2]);
    bytes.extend_from_slice(data);
    bytes.push(0x3b);
    bytes
}

/// Colours 0, 1, 2, 3 between a clear code (4) and an end code (5), then the block terminator. Codes have three bits,
/// the last two four.
const FOUR_COLOURS: [u8; 5] = [3, 0x44, 0x34, 0x05, 0];

#[test]
fn frame_is_placed_on_a_transparent_screen() {
    let picture = decode_intact(&manual(false, true, &FOUR_COLOURS));
    let (channels, samples) = shallow(&picture);
    assert_eq!((channels, picture.size().width, picture.size().height), (Channels::Rgba, 4, 3));
    let at = |x: usize, y: usize| &samples[(y * 4 + x) * 4..][..4];
    assert_eq!((at(0, 0), at(3, 2)), (&[0; 4][..], &[0; 4][..]));
    assert_eq!(
        (at(1, 1), at(1, 2), at(2, 2)),
        (&[10, 11, 12, 255][..], &[30, 31, 32, 255][..], &[40, 41, 42, 255][..])
    );
    assert_eq!(at(2, 1)[3], 0, "colour 1 is transparent");
}

#[test]
fn full_screen_frame_without_transparency_is_opaque() {
    let image = pattern(31, 17);
    let picture = decode_intact(&encode(std::slice::from_ref(&image)));
    let expected: Vec<u8> = image.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let (channels, samples) = shallow(&picture);
    if channels == Channels::Rgb {
        assert_eq!(samples, expected);
    } else {
        assert_eq!(samples, image.as_raw(), "the encoder sets a transparent colour it does not use");
    }
    assert_eq!(picture.info.note, None);
}

#[test]
fn first_frame_is_decoded_even_if_the_second_is_truncated() {
    let (first, second) = (pattern(31, 17), RgbaImage::from_pixel(31, 17, image::Rgba([1, 2, 3, 255])));
    let bytes = encode(&[first.clone(), second]);
    for bytes in [&bytes[..], &bytes[..bytes.len() - 10]] {
        let picture = decode_intact(bytes);
        let (channels, samples) = shallow(&picture);
        let colours: Vec<u8> = samples.chunks(channels.count()).flat_map(|pixel| pixel[..3].to_vec()).collect();
        assert!(colours.chunks(3).zip(first.pixels()).all(|(got, pixel)| got == &pixel.0[..3]));
        assert_eq!(picture.info.note, Some(outcome::PictureNote::FirstFrame));
    }
}

#[test]
fn truncated_files_are_rejected() {
    let bytes = encode(&[pattern(30, 20)]);
    assert!(refusal(&bytes[..bytes.len() * 7 / 10]).contains("the end of the file is missing"));
    // All but the terminators after the last pixel.
    assert!(refused_cuts(&bytes, 6) >= bytes.len() - 6 - 4);
    // The frame's data ends too early.
    let refused = refusal(&manual(false, true, &[1, 0x44, 0]));
    assert!(refused.contains("GIF"), "{refused}");
}

#[test]
fn files_without_image_or_with_oversized_frame_are_rejected() {
    assert!(refusal(b"GIF89a\x04\0\x03\0\0\0\0\x3b").contains("before its first image"));
    assert!(refusal(b"GIF89a\x04\0").contains("before its first image"));
    let mut large = manual(false, false, &FOUR_COLOURS);
    let descriptor = 13 + 12;
    large[descriptor + 5..descriptor + 9].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    assert!(refusal(&large).contains("memory"));
}

#[test]
fn interlaced_rows_are_reordered() {
    // Two rows: the first pass contains row 0, the last row 1.
    let interlaced = decode_intact(&manual(true, false, &FOUR_COLOURS));
    assert_eq!(shallow(&interlaced).1, shallow(&decode_intact(&manual(false, false, &FOUR_COLOURS))).1);
}
