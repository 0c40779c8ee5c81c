//! Tests with PNG files generated chunk by chunk.

use geometry::Size;
use outcome::Channels;

use super::complete_rows;
use crate::formats::testing::{cut, decode, decode_intact, deep, noise, refusal, shallow};

const GREY: u8 = 0;
const RGB: u8 = 2;
const PALETTE: u8 = 3;
const GREY_ALPHA: u8 = 4;
const RGBA: u8 = 6;

/// Chunks between header and data.
type Extra = Vec<Vec<u8>>;
/// Depth, colour type, chunks, a single row; the expected channels and samples.
type Case<'a, T> = (u8, u8, Extra, &'a [u8], Channels, &'a [T]);

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut body = name.to_vec();
    body.extend_from_slice(data);
    let mut chunk = u32::try_from(data.len()).expect("short").to_be_bytes().to_vec();
    chunk.extend_from_slice(&body);
    chunk.extend_from_slice(&crc(&body).to_be_bytes());
    chunk
}

/// A zlib stream of stored blocks: bytes of the file are bytes of the image, so that cuts affect known rows.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    for (index, block) in data.chunks(60_000).enumerate() {
        stream.push(u8::from((index + 1) * 60_000 >= data.len()));
        let length = u16::try_from(block.len()).expect("short");
        stream.extend_from_slice(&length.to_le_bytes());
        stream.extend_from_slice(&(!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    let (a, b) = data.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (a + b) % 65_521)
    });
    stream.extend_from_slice(&(b << 16 | a).to_be_bytes());
    stream
}

/// A file of `rows` (each starting with its filter byte); `extra` chunks are between header and data.
fn file(size: (u32, u32), depth: u8, color: u8, interlaced: u8, extra: &[Vec<u8>], rows: &[u8]) -> Vec<u8> {
    let mut header = size.0.to_be_bytes().to_vec();
    header.extend_from_slice(&size.1.to_be_bytes());
    header.extend_from_slice(&[depth, color, 0, 0, interlaced]);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.extend(chunk(b"IHDR", &header));
    extra.iter().for_each(|chunk| bytes.extend_from_slice(chunk));
    bytes.extend(chunk(b"IDAT", &stored(rows)));
    bytes.extend(chunk(b"IEND", &[]));
    bytes
}

fn with_filters(samples: &[u8], row: usize) -> Vec<u8> {
    samples.chunks(row).flat_map(|line| std::iter::once(0).chain(line.iter().copied())).collect()
}

#[test]
fn every_depth_and_colour_type_is_exact() {
    let transparent = |data: &[u8]| vec![chunk(b"tRNS", data)];
    let palette = || chunk(b"PLTE", &[1, 2, 3, 40, 50, 60, 7, 8, 9]);
    let cases: [Case<'_, u8>; 10] = [
        (1, GREY, vec![], &[0b0100_0000], Channels::L, &[0, 255]),
        (2, GREY, vec![], &[0b0111_0000], Channels::L, &[85, 255]),
        (4, GREY, vec![], &[0x2f], Channels::L, &[34, 255]),
        (8, GREY, vec![], &[7, 200], Channels::L, &[7, 200]),
        (8, GREY, transparent(&[0, 200]), &[7, 200], Channels::La, &[7, 255, 200, 0]),
        (8, GREY_ALPHA, vec![], &[7, 8, 9, 10], Channels::La, &[7, 8, 9, 10]),
        (8, RGB, transparent(&[0, 1, 0, 2, 0, 3]), &[1, 2, 3, 4, 5, 6], Channels::Rgba, &[1, 2, 3, 0, 4, 5, 6, 255]),
        (8, RGBA, vec![], &[1, 2, 3, 4, 5, 6, 7, 8], Channels::Rgba, &[1, 2, 3, 4, 5, 6, 7, 8]),
        (2, PALETTE, vec![palette()], &[0b0110_0000], Channels::Rgb, &[40, 50, 60, 7, 8, 9]),
        (
            8,
            PALETTE,
            vec![palette(), chunk(b"tRNS", &[9, 70])],
            &[1, 2],
            Channels::Rgba,
            &[40, 50, 60, 70, 7, 8, 9, 255],
        ),
    ];
    for (depth, color, extra, row, channels, samples) in cases {
        let picture = decode_intact(&file((2, 1), depth, color, 0, &extra, &with_filters(row, row.len())));
        assert_eq!(shallow(&picture), (channels, samples), "{depth} bits of kind {color}");
    }
}

#[test]
fn sixteen_bits_are_kept() {
    let cases: [Case<'_, u16>; 5] = [
        (16, GREY, vec![], &[1, 2], Channels::L, &[0x102]),
        (16, GREY, vec![chunk(b"tRNS", &[1, 2])], &[1, 2], Channels::La, &[0x102, 0]),
        (16, GREY_ALPHA, vec![], &[1, 2, 3, 4], Channels::La, &[0x102, 0x304]),
        (16, RGB, vec![], &[1, 2, 3, 4, 0xff, 0xfe], Channels::Rgb, &[0x102, 0x304, 0xfffe]),
        (16, RGBA, vec![], &[1, 2, 3, 4, 5, 6, 7, 8], Channels::Rgba, &[0x102, 0x304, 0x506, 0x708]),
    ];
    for (depth, color, extra, row, channels, samples) in cases {
        let picture = decode_intact(&file((1, 1), depth, color, 0, &extra, &with_filters(row, row.len())));
        assert_eq!(deep(&picture), (channels, samples), "kind {color}");
    }
}

/// The rows of the seven passes over 8-bit grey `samples`.
fn passes(samples: &[u8], width: usize, height: usize) -> Vec<u8> {
    let all = [(0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2)];
    let mut rows = Vec::new();
    for (left, across, top, down) in all.into_iter().filter(|pass| pass.0 < width) {
        for y in (top..height).step_by(down) {
            rows.push(0);
            rows.extend((left..width).step_by(across).map(|x| samples[y * width + x]));
        }
    }
    rows
}

#[test]
fn truncated_interlaced_images_are_coarse() {
    let (width, height) = (21, 19);
    let samples = noise(width * height);
    let rows = passes(&samples, width, height);
    let bytes = file((21, 19), 8, GREY, 1, &[], &rows);
    assert_eq!(shallow(&decode_intact(&bytes)).1, samples);
    // Truncated within the last pass, which contains the odd rows: 3 of 9 are present.
    let last_pass = rows.len() - 9 * (width + 1);
    let data = bytes.len() - rows.len() - 4 - 4 - 12;
    let picture = decode(&bytes[..data + last_pass + 3 * (width + 1) + 5]).expect("decodes in part");
    assert_eq!(picture.info.damage.as_ref().map(|damage| (damage.missing_rows, damage.rows)), Some((6, 19)));
    let got = shallow(&picture).1;
    for y in (0..height).filter(|y| y % 2 == 0 || *y < 6) {
        assert_eq!(got[y * width..][..width], samples[y * width..][..width], "row {y}");
    }
    assert_eq!(got[7 * width..][..width], samples[6 * width..][..width], "the row above stands in for the missing one");
}

#[test]
fn complete_rows_are_counted_across_passes() {
    let size = Size::new(8, 8);
    // Rows of the passes: 1, 1, 1, 2, 2, 4, 4.
    for (read, complete) in [(0, 0), (7, 0), (8, 1), (11, 4), (14, 7), (15, 8)] {
        assert_eq!(complete_rows(size, read), complete, "{read}");
    }
    // One column: only the passes 1, 3, 5 and 7 have pixels.
    assert_eq!(complete_rows(Size::new(1, 8), 1), 1);
    assert_eq!(complete_rows(Size::new(1, 8), 8), 8);
}

#[test]
fn rows_before_the_cut_are_kept() {
    // More than the decoder's window of 32 KiB, and less.
    for (width, height) in [(100_u32, 150_u32), (20, 30)] {
        let row = width as usize * 3;
        let samples = noise(row * height as usize);
        let bytes = file((width, height), 8, RGB, 0, &[], &with_filters(&samples, row));
        let data = 8 + 25 + 8 + 2;
        for rows in [1, 7, height as usize / 2, height as usize - 1] {
            let blocks = 5 * (1 + rows * (row + 1) / 60_000);
            let missing = cut(&bytes[..data + blocks + rows * (row + 1) + row / 2], &samples, row);
            assert_eq!(missing, height - rows as u32);
        }
        assert!(refusal(&bytes[..data + 20]).contains("no row can be read"));
    }
}

#[test]
fn rows_before_corrupt_data_are_kept() {
    let (row, height) = (300, 150);
    let samples = noise(row * height);
    let mut bytes = file((100, 150), 8, RGB, 0, &[], &with_filters(&samples, row));
    // An invalid filter in row 100; the checksum is corrected.
    let place = 8 + 25 + 8 + 2 + 5 + 100 * (row + 1);
    assert_eq!(bytes[place], 0);
    bytes[place] = 99;
    let end = bytes.len() - 12 - 4;
    let sum = crc(&bytes[8 + 25 + 4..end]);
    bytes[end..end + 4].copy_from_slice(&sum.to_be_bytes());
    let picture = decode(&bytes).expect("decodes in part");
    assert_eq!(picture.info.damage.as_ref().map(|damage| damage.missing_rows), Some(50));
    assert_eq!(shallow(&picture).1[..100 * row], samples[..100 * row]);
    assert!(shallow(&picture).1[100 * row..].iter().all(|sample| *sample == 128));
}

#[test]
fn only_wrong_data_checksums_are_damage() {
    let samples = noise(60 * 20);
    let time = chunk(b"tIME", &[7, 0xe8, 1, 1, 0, 0, 0]);
    let mut bytes = file((20, 20), 8, RGB, 0, &[time], &with_filters(&samples, 60));
    bytes[8 + 25 + 8 + 6] ^= 1;
    assert_eq!(shallow(&decode_intact(&bytes)).1, samples);
    let sample = bytes.len() - 12 - 4 - 4 - 1;
    bytes[sample] ^= 1;
    let picture = decode(&bytes).expect("decodes");
    let damage = picture.info.damage.clone().expect("is damaged");
    assert_eq!((damage.missing_rows, damage.rows), (0, 20));
    assert!(damage.reason.contains("checksum"), "{}", damage.reason);
    assert_eq!(shallow(&picture).1[..60 * 19], samples[..60 * 19]);
}

#[test]
fn file_without_end_chunk_has_all_rows() {
    let samples = noise(60 * 20);
    let bytes = file((20, 20), 8, RGB, 0, &[], &with_filters(&samples, 60));
    assert_eq!(shallow(&decode_intact(&bytes[..bytes.len() - 12])).1, samples);
}

#[test]
fn first_frame_of_an_animation_is_decoded() {
    let control = |number: u32| {
        let mut data = number.to_be_bytes().to_vec();
        for value in [2_u32, 1, 0, 0] {
            data.extend_from_slice(&value.to_be_bytes());
        }
        data.extend_from_slice(&[0, 1, 0, 10, 0, 0]);
        chunk(b"fcTL", &data)
    };
    let animation = chunk(b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]);
    let mut bytes = file((2, 1), 8, GREY, 0, &[animation, control(0)], &[0, 10, 20]);
    bytes.truncate(bytes.len() - 12);
    bytes.extend(control(1));
    let mut second = 2_u32.to_be_bytes().to_vec();
    second.extend(stored(&[0, 90, 91]));
    bytes.extend(chunk(b"fdAT", &second));
    bytes.extend(chunk(b"IEND", &[]));
    let picture = decode_intact(&bytes);
    assert_eq!(shallow(&picture), (Channels::L, &[10, 20][..]));
    assert_eq!(picture.info.note, Some(outcome::PictureNote::FirstFrame));
}

/// 128 bytes that are accepted as the header of a profile with this colour space.
fn profile(space: &[u8; 4]) -> Vec<u8> {
    let mut profile = vec![0; 128];
    profile[16..20].copy_from_slice(space);
    profile
}

fn profile_chunk(space: &[u8; 4]) -> Vec<u8> {
    let mut data = b"name\0\0".to_vec();
    data.extend(stored(&profile(space)));
    chunk(b"iCCP", &data)
}

#[test]
fn colour_chunks_have_a_precedence() {
    let read = |color: u8, extra: &[Vec<u8>]| {
        let row: &[u8] = if color == GREY { &[0, 1] } else { &[0, 1, 2, 3] };
        decode_intact(&file((1, 1), 8, color, 0, extra, row)).info.icc_profile.map(|profile| profile.to_vec())
    };
    let gamma = |gamma: u32| chunk(b"gAMA", &gamma.to_be_bytes());
    let srgb = || chunk(b"sRGB", &[0]);
    assert_eq!(read(RGB, &[profile_chunk(b"RGB ")]), Some(profile(b"RGB ")));
    assert_eq!(read(GREY, &[profile_chunk(b"GRAY")]), Some(profile(b"GRAY")));
    assert_eq!(read(GREY, &[profile_chunk(b"RGB ")]), None, "a colour profile does not apply to grey");
    assert_eq!(read(RGB, &[profile_chunk(b"RGB "), srgb(), gamma(100_000)]), Some(profile(b"RGB ")));
    assert_eq!(read(RGB, &[srgb(), gamma(100_000)]), None, "sRGB takes precedence over gamma");
    assert_eq!(read(RGB, &[gamma(45_455)]), None, "the gamma of sRGB is sRGB");
    let code_points = |primaries, transfer| chunk(b"cICP", &[primaries, transfer, 0, 1]);
    assert_eq!(
        read(RGB, &[code_points(1, 13), profile_chunk(b"RGB ")]),
        None,
        "code points take precedence over a profile"
    );
    assert_eq!(read(RGB, &[code_points(2, 2), profile_chunk(b"RGB ")]), Some(profile(b"RGB ")));
}

#[test]
fn profile_that_cannot_be_decompressed_is_ignored() {
    let mut data = b"name\0\0".to_vec();
    data.extend(stored(&profile(b"RGB ")));
    data.truncate(80);
    let picture = decode_intact(&file((1, 1), 8, RGB, 0, &[chunk(b"iCCP", &data)], &[0, 1, 2, 3]));
    assert_eq!(picture.info.icc_profile, None);
}
