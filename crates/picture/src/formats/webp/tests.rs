//! Tests with WebP files from both encoders, and handmade chunks.

use image::codecs::webp::WebPEncoder;

use outcome::Channels;

use crate::formats::testing::{decode, decode_intact, noise, refusal, refused_cuts, shallow};

fn lossless(samples: &[u8], width: u32, height: u32, alpha: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let color = if alpha { image::ExtendedColorType::Rgba8 } else { image::ExtendedColorType::Rgb8 };
    WebPEncoder::new_lossless(&mut bytes).encode(samples, width, height, color).expect("encodes");
    bytes
}

fn lossy(samples: &[u8], width: u32, height: u32) -> Vec<u8> {
    webp::Encoder::from_rgb(samples, width, height).encode(90.0).to_vec()
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut chunk = name.to_vec();
    chunk.extend_from_slice(&u32::try_from(data.len()).expect("short").to_le_bytes());
    chunk.extend_from_slice(data);
    chunk.resize(chunk.len().next_multiple_of(2), 0);
    chunk
}

/// An extended file of these chunks, with these flags and this canvas.
fn extended(flags: u8, width: u32, height: u32, chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut head = vec![flags, 0, 0, 0];
    head.extend_from_slice(&(width - 1).to_le_bytes()[..3]);
    head.extend_from_slice(&(height - 1).to_le_bytes()[..3]);
    let body = [vec![chunk(b"VP8X", &head)], chunks.to_vec()].concat().concat();
    let mut bytes = b"RIFF".to_vec();
    bytes.extend_from_slice(&u32::try_from(body.len() + 4).expect("short").to_le_bytes());
    bytes.extend_from_slice(b"WEBP");
    bytes.extend(body);
    bytes
}

fn frame(left: u32, top: u32, width: u32, height: u32, picture: &[u8]) -> Vec<u8> {
    let mut data = Vec::new();
    for value in [left / 2, top / 2, width - 1, height - 1, 100] {
        data.extend_from_slice(&value.to_le_bytes()[..3]);
    }
    data.push(0);
    data.extend_from_slice(picture);
    chunk(b"ANMF", &data)
}

#[test]
fn lossless_files_are_exact() {
    let samples = noise(30 * 20 * 4);
    assert_eq!(shallow(&decode_intact(&lossless(&samples, 30, 20, true))), (Channels::Rgba, &samples[..]));
    let samples = noise(30 * 20 * 3);
    assert_eq!(shallow(&decode_intact(&lossless(&samples, 30, 20, false))), (Channels::Rgb, &samples[..]));
}

#[test]
fn first_frame_is_composited_on_a_transparent_canvas() {
    let picture = |value: u8| lossless(&[value, value, value, 255].repeat(16), 4, 4, true)[12..].to_vec();
    let animation = chunk(b"ANIM", &[9, 9, 9, 255, 0, 0]);
    let frames = [animation, frame(2, 0, 4, 4, &picture(200)), frame(0, 0, 4, 4, &picture(90))];
    let picture = decode_intact(&extended(0x12, 8, 6, &frames));
    let (channels, samples) = shallow(&picture);
    assert_eq!((channels, picture.info.note), (Channels::Rgba, Some(outcome::PictureNote::FirstFrame)));
    // The decoder's blending is sometimes off by one level.
    let near = samples[2 * 4..3 * 4].iter().zip([200, 200, 200, 255]).all(|(got, request)| got.abs_diff(request) <= 1);
    assert!(samples[..4] == [0; 4] && near, "{:?}", &samples[..12]);
    // The second frame is truncated, which is harmless.
    let whole = extended(0x12, 8, 6, &frames);
    let without_end = decode_intact(&whole[..whole.len() - 6]);
    assert_eq!(shallow(&without_end).1, samples);
}

#[test]
fn truncated_files_are_rejected() {
    let samples = noise(24 * 20 * 4);
    let picture = lossless(&samples, 24, 20, true);
    let animated = extended(
        0x12,
        24,
        20,
        &[chunk(b"ANIM", &[0; 6]), frame(0, 0, 24, 20, &picture[12..]), frame(0, 0, 24, 20, &picture[12..])],
    );
    for bytes in [&picture, &lossy(&samples[..24 * 20 * 3], 24, 20), &animated] {
        assert!(refusal(&bytes[..bytes.len() / 3]).contains("the end of the file is missing"));
        assert!(refused_cuts(bytes, 20) > bytes.len() / 3);
    }
    // The last byte of its first image is missing.
    assert!(refusal(&picture[..picture.len() - 2]).contains("the end of the file is missing"));
}

#[test]
fn flags_without_chunks_are_ignored() {
    let samples = noise(16 * 16 * 3);
    let picture = lossy(&samples, 16, 16)[12..].to_vec();
    let intact = decode_intact(&extended(0, 16, 16, std::slice::from_ref(&picture)));
    // Flags for alpha, EXIF and XMP are set, and none is present.
    let bytes = extended(0x1c, 16, 16, std::slice::from_ref(&picture));
    let got = decode_intact(&bytes);
    assert_eq!(shallow(&got), (Channels::Rgb, shallow(&intact).1));
}

#[test]
fn wrong_chunk_lengths_allocate_no_memory() {
    let mut profile = vec![0; 128];
    profile[16..20].copy_from_slice(b"RGB ");
    let picture = lossy(&noise(16 * 16 * 3), 16, 16)[12..].to_vec();
    let bytes = extended(0x20, 16, 16, &[chunk(b"ICCP", &profile), picture.clone()]);
    assert_eq!(decode_intact(&bytes).info.icc_profile.as_deref(), Some(&profile[..]));
    let mut corrupt = bytes.clone();
    corrupt[34..38].copy_from_slice(&[0xff, 0xff, 0xff, 0x7f]);
    assert!(decode(&corrupt).is_err());
    // A canvas of 16 x 16 with an image that declares 16,383 x 16,383.
    let mut large = extended(0, 16, 16, &[picture]);
    let start = large.windows(3).position(|three| three == [0x9d, 0x01, 0x2a]).expect("has it") + 3;
    large[start..start + 4].copy_from_slice(&[0xff, 0x3f, 0xff, 0x3f]);
    assert!(refusal(&large).contains("memory"));
}

#[test]
fn maximum_lossless_side_is_reported() {
    let file = |height: u32| {
        let numbers = 16_383 | (height - 1) << 14;
        let data = [&[0x2f], &numbers.to_le_bytes()[..], &[0; 13]].concat();
        let chunk = chunk(b"VP8L", &data);
        [b"RIFF", &(chunk.len() as u32 + 4).to_le_bytes()[..], b"WEBP", &chunk].concat()
    };
    assert!(refusal(&file(16_384)).contains("16384 x 16384"), "{}", refusal(&file(16_384)));
    assert!(refusal(&file(2)).contains("16384 x 2"), "{}", refusal(&file(2)));
}
