//! Tests with generated BMP, QOI, PNM, TGA and icon files.

use image::{DynamicImage, ImageFormat};

use outcome::Channels;

use crate::formats::testing::{decode_intact, deep, noise, refusal, refused_cuts, shallow};

fn encode(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("encodes");
    bytes.into_inner()
}

fn rgb(samples: &[u8], width: u32, height: u32) -> DynamicImage {
    image::RgbImage::from_raw(width, height, samples.to_vec()).expect("fits").into()
}

fn rgba(samples: &[u8], width: u32, height: u32) -> DynamicImage {
    image::RgbaImage::from_raw(width, height, samples.to_vec()).expect("fits").into()
}

/// A BMP with an information header of `header` bytes; masks and palette are in `between`.
fn bmp(size: (i32, i32), bits: u16, compression: u32, header: u32, between: &[u8], data: &[u8]) -> Vec<u8> {
    let mut bytes = b"BM".to_vec();
    let offset = 14 + header as usize + between.len() - if header > 40 { 16.min(between.len()) } else { 0 };
    bytes.extend_from_slice(&[0; 8]);
    bytes.extend_from_slice(&u32::try_from(offset).expect("short").to_le_bytes());
    bytes.extend_from_slice(&header.to_le_bytes());
    bytes.extend_from_slice(&size.0.to_le_bytes());
    bytes.extend_from_slice(&size.1.to_le_bytes());
    bytes.extend_from_slice(&[1, 0]);
    bytes.extend_from_slice(&bits.to_le_bytes());
    bytes.extend_from_slice(&compression.to_le_bytes());
    bytes.extend_from_slice(&[0; 20]);
    bytes.extend_from_slice(between);
    bytes.resize(offset, 0);
    bytes.extend_from_slice(data);
    bytes
}

fn colours(count: u8) -> Vec<u8> {
    // Blue, green, red.
    (0..count).flat_map(|index| [index, index + 100, index + 200, 0]).collect()
}

#[test]
fn every_bmp_depth_is_decoded() {
    let table = |bits: u32| {
        let mut table = colours(16);
        table.resize(4 << bits, 0);
        table
    };
    let masks = |values: [u32; 4]| values.iter().flat_map(|mask| mask.to_le_bytes()).collect::<Vec<u8>>();
    let version_4 = masks([0xff_0000, 0xff00, 0xff, 0xff00_0000]);
    let color = |index: u8| [index + 200, index + 100, index];
    let cases: Vec<(Vec<u8>, Channels, Vec<u8>)> = vec![
        (bmp((2, 1), 1, 0, 40, &table(1), &[0b0100_0000, 0, 0, 0]), Channels::Rgb, [color(0), color(1)].concat()),
        (bmp((2, 1), 4, 0, 40, &table(4), &[0x3a, 0, 0, 0]), Channels::Rgb, [color(3), color(10)].concat()),
        (bmp((2, 1), 8, 0, 40, &table(8), &[3, 10, 0, 0]), Channels::Rgb, [color(3), color(10)].concat()),
        (bmp((1, 1), 24, 0, 40, &[], &[1, 2, 3, 0]), Channels::Rgb, vec![3, 2, 1]),
        (bmp((1, 1), 32, 0, 40, &[], &[1, 2, 3, 99]), Channels::Rgb, vec![3, 2, 1]),
        (bmp((1, 1), 16, 0, 40, &[], &[0x1f, 0x7c, 0, 0]), Channels::Rgb, vec![255, 0, 255]),
        (
            bmp((1, 1), 16, 3, 40, &masks([0xf800, 0x7e0, 0x1f, 0])[..12], &[0xe0, 0x07, 0, 0]),
            Channels::Rgb,
            vec![0, 255, 0],
        ),
        (bmp((1, 1), 32, 3, 108, &version_4, &[1, 2, 3, 99]), Channels::Rgba, vec![3, 2, 1, 99]),
        (bmp((1, 1), 32, 3, 108, &version_4, &[1, 2, 3, 0]), Channels::Rgba, vec![3, 2, 1, 255]),
        // Bottom row first, or with a negative height top row first.
        (bmp((1, 2), 24, 0, 40, &[], &[1, 2, 3, 0, 4, 5, 6, 0]), Channels::Rgb, vec![6, 5, 4, 3, 2, 1]),
        (bmp((1, -2), 24, 0, 40, &[], &[1, 2, 3, 0, 4, 5, 6, 0]), Channels::Rgb, vec![3, 2, 1, 6, 5, 4]),
        // Three of colour 2; end of line; one single, then (padded) two of 5 and 7; end.
        (
            bmp((3, 2), 8, 1, 40, &table(8), &[3, 2, 0, 0, 0, 3, 1, 5, 7, 0, 0, 1]),
            Channels::Rgb,
            [color(1), color(5), color(7), color(2), color(2), color(2)].concat(),
        ),
        (
            bmp((3, 1), 4, 2, 40, &table(4), &[3, 0x12, 0, 0, 0, 1]),
            Channels::Rgb,
            [color(1), color(2), color(1)].concat(),
        ),
    ];
    for (index, (bytes, channels, samples)) in cases.into_iter().enumerate() {
        assert_eq!(shallow(&decode_intact(&bytes)), (channels, &samples[..]), "case {index}");
    }
    assert!(refusal(&bmp((1, 1), 0, 4, 40, &[], &[0; 4])).contains("not supported"));
}

#[test]
fn truncated_bmps_are_rejected() {
    let bytes = encode(&rgb(&noise(20 * 12 * 3), 20, 12), ImageFormat::Bmp);
    assert!(refusal(&bytes[..bytes.len() / 2]).contains("the end of the file is missing"));
    // Rows of 60 bytes need no padding.
    assert_eq!(refused_cuts(&bytes, 54), bytes.len() - 54);
    // Run-length encoding: four rows of three pixels, one colour each. The markers after the last pixel may be missing:
    // end of row, end of bitmap.
    let data: Vec<u8> = (1..5).flat_map(|index| [3, index, 0, 0]).chain([0, 1]).collect();
    let mut table = colours(16);
    table.resize(1024, 0);
    let bytes = bmp((3, 4), 8, 1, 40, &table, &data);
    assert_eq!(refused_cuts(&bytes, bytes.len() - data.len()), data.len() - 4);
}

#[test]
fn bmp_profile_is_kept() {
    let mut profile = vec![0; 128];
    profile[16..20].copy_from_slice(b"RGB ");
    let mut bytes = bmp((1, 1), 24, 0, 124, &[], &[1, 2, 3, 0]);
    bytes[14 + 56..14 + 60].copy_from_slice(b"DEBM");
    let place = u32::try_from(bytes.len() - 14).expect("short");
    bytes[14 + 112..14 + 116].copy_from_slice(&place.to_le_bytes());
    bytes[14 + 116..14 + 120].copy_from_slice(&128_u32.to_le_bytes());
    bytes.extend_from_slice(&profile);
    let picture = decode_intact(&bytes);
    assert_eq!((shallow(&picture).1, picture.info.icc_profile.as_deref()), (&[3, 2, 1][..], Some(&profile[..])));
}

#[test]
fn qoi_is_exact_and_rejected_if_truncated() {
    let samples = noise(20 * 10 * 4);
    assert_eq!(
        shallow(&decode_intact(&encode(&rgba(&samples, 20, 10), ImageFormat::Qoi))),
        (Channels::Rgba, &samples[..])
    );
    let samples = noise(20 * 10 * 3);
    let bytes = encode(&rgb(&samples, 20, 10), ImageFormat::Qoi);
    assert_eq!(shallow(&decode_intact(&bytes)), (Channels::Rgb, &samples[..]));
    assert!(refusal(&bytes[..bytes.len() / 2]).contains("the end of the file is missing"));
    // The end marker is required.
    assert_eq!(refused_cuts(&bytes, 14), bytes.len() - 14);
}

#[test]
fn every_pnm_kind_is_decoded() {
    let cases: [(&[u8], Channels, &[u8]); 8] = [
        (b"P1\n# words\n3 2\n0 1 0\n110", Channels::L, &[255, 0, 255, 0, 0, 255]),
        (b"P2 2 1 15\n0 15", Channels::L, &[0, 255]),
        (b"P3 1 2 255\n1 2 3\n4 5 6\n", Channels::Rgb, &[1, 2, 3, 4, 5, 6]),
        (b"P4 3 2\n\x40\xc0", Channels::L, &[255, 0, 255, 0, 0, 255]),
        (b"P5 2 1 255\n\x07\xc8", Channels::L, &[7, 200]),
        (b"P6 1 1 255\n\x01\x02\x03", Channels::Rgb, &[1, 2, 3]),
        (
            b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n\x01\x02\x03\x04",
            Channels::Rgba,
            &[1, 2, 3, 4],
        ),
        (
            b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\x01\x02",
            Channels::La,
            &[1, 2],
        ),
    ];
    for (bytes, channels, samples) in cases {
        assert_eq!(shallow(&decode_intact(bytes)), (channels, samples), "{}", bytes.escape_ascii());
    }
    assert_eq!(deep(&decode_intact(b"P5 2 1 65535\n\x01\x02\xff\xfe")), (Channels::L, &[0x102, 0xfffe][..]));
    assert_eq!(
        deep(&decode_intact(b"P6 1 1 65535\n\x01\x02\x03\x04\x05\x06")),
        (Channels::Rgb, &[0x102, 0x304, 0x506][..])
    );
}

#[test]
fn truncated_pnms_are_rejected() {
    let cases: [(&[u8], usize); 6] = [
        (b"P5 3 3 255\n\x01\x02\x03\x04\x05\x06\x07\x08\x09", 11),
        (b"P5 1 2 65535\n\x01\x02\x03\x04", 13),
        (b"P6 1 2 255\n\x01\x02\x03\x04\x05\x06", 11),
        (b"P2 3 3 255\n1 2 3 4 5 6 7 8 9", 11),
        (b"P1 3 3\n010101011", 7),
        (b"P4 9 2\n\x80\x00\x00\x80", 7),
    ];
    for (bytes, data) in cases {
        assert_eq!(refused_cuts(bytes, data), bytes.len() - data, "{}", bytes.escape_ascii());
    }
    assert!(refusal(b"P5 3 3 255\n\x01").contains("the end of the file is missing"));
    // The last line of the header is unterminated.
    let open = b"P7\nWIDTH 40\nHEIGHT 30\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR";
    assert!(refusal(open).contains("PNM"));
    assert!(refusal(b"P5 3").contains("PNM"));
}

/// A TGA of 3 x 4 pixels with this image type and depth; bottom row first.
fn tga(kind: u8, depth: u8, descriptor: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 4, 0, depth, descriptor];
    bytes.extend_from_slice(data);
    bytes
}

#[test]
fn every_tga_kind_is_decoded() {
    let samples = noise(3 * 4 * 3);
    let stored: Vec<u8> =
        samples.chunks(9).rev().flat_map(|row| row.chunks(3).flat_map(|p| [p[2], p[1], p[0]])).collect();
    let bytes = tga(2, 24, 0, &stored);
    assert_eq!(shallow(&decode_intact(&bytes)), (Channels::Rgb, &samples[..]));
    assert!(refusal(&bytes[..40]).contains("the end of the file is missing"));
    assert_eq!(refused_cuts(&bytes, 18), 36);
    // A packet of three equal pixels per row.
    let packed: Vec<u8> = (0..4).flat_map(|row| [0x82, row, 50, 100]).collect();
    let expected: Vec<u8> = (0..4).rev().flat_map(|row| [100, 50, row].repeat(3)).collect();
    let bytes = tga(10, 24, 0, &packed);
    assert_eq!(shallow(&decode_intact(&bytes)), (Channels::Rgb, &expected[..]));
    assert_eq!(refused_cuts(&bytes, 18), 16);
    let grey = noise(12);
    let bytes = tga(3, 8, 0x20, &grey);
    assert_eq!(shallow(&decode_intact(&bytes)), (Channels::L, &grey[..]));
    assert_eq!(refused_cuts(&bytes, 18), 12);
    let alpha: Vec<u8> = (0..12).flat_map(|index| [index, 2, 3, 200 + index]).collect();
    let expected: Vec<u8> = (0..12).flat_map(|index| [3, 2, index, 200 + index]).collect();
    assert_eq!(shallow(&decode_intact(&tga(2, 32, 0x28, &alpha))), (Channels::Rgba, &expected[..]));
    let unused: Vec<u8> = (0..12).flat_map(|index| [index, 2, 3, 0]).collect();
    assert!(shallow(&decode_intact(&tga(2, 32, 0x28, &unused))).1.chunks(4).all(|pixel| pixel[3] == 255));
    let mut mapped = vec![0, 1, 1, 0, 0, 2, 0, 24, 0, 0, 0, 0, 2, 0, 1, 0, 8, 0x20, 1, 2, 3, 4, 5, 6];
    mapped.extend_from_slice(&[1, 0]);
    assert_eq!(shallow(&decode_intact(&mapped)), (Channels::Rgb, &[6, 5, 4, 3, 2, 1][..]));
}

/// An icon file with these images, each with its side.
fn icon(pictures: &[(u8, u16, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = vec![0, 0, 1, 0, pictures.len() as u8, 0];
    let mut offset = 6 + 16 * pictures.len();
    for (side, bits, data) in pictures {
        bytes.extend_from_slice(&[*side, *side, 0, 0, 1, 0, *bits as u8, 0]);
        bytes.extend_from_slice(&u32::try_from(data.len()).expect("short").to_le_bytes());
        bytes.extend_from_slice(&u32::try_from(offset).expect("short").to_le_bytes());
        offset += data.len();
    }
    pictures.iter().for_each(|(_, _, data)| bytes.extend_from_slice(data));
    bytes
}

#[test]
fn largest_icon_is_decoded() {
    let png = |side: u32| encode(&rgb(&noise((side * side * 3) as usize), side, side), ImageFormat::Png);
    // Two by two pixels of 32 bits, then a mask that hides the bottom left one.
    let mut bitmap = bmp((2, 4), 32, 0, 40, &[], &[])[14..].to_vec();
    for index in 0..4 {
        bitmap.extend_from_slice(&[index, 10, 20, 200]);
    }
    bitmap.extend_from_slice(&[0x80, 0, 0, 0, 0, 0, 0, 0]);
    let picture = decode_intact(&icon(&[(2, 32, bitmap.clone())]));
    assert_eq!(picture.info.note, None);
    let expected = [20, 10, 2, 200, 20, 10, 3, 200, 20, 10, 0, 0, 20, 10, 1, 200];
    assert_eq!(shallow(&picture), (Channels::Rgba, &expected[..]));
    // A PNG without alpha, larger but with fewer bits.
    let picture = decode_intact(&icon(&[(2, 32, bitmap), (16, 24, png(16)), (8, 32, png(8))]));
    assert_eq!(shallow(&picture), (Channels::Rgb, &noise(16 * 16 * 3)[..]));
    assert_eq!(picture.info.note, Some(outcome::PictureNote::LargestIcon));
    assert!(refusal(&icon(&[(16, 24, png(16)[..4].to_vec())])).contains("the end of the file"));
    // The last pixel is followed by two checksums and PNG's last chunk, of twelve bytes.
    let whole = icon(&[(16, 24, png(16))]);
    assert!(refused_cuts(&whole, 22 + 33) >= whole.len() - 22 - 33 - 24);
}

#[test]
fn bmp_without_its_last_padding_is_complete() {
    // Rows of 9 bytes, padded to 12.
    let samples = noise(3 * 3 * 2);
    let bytes = encode(&rgb(&samples, 3, 2), ImageFormat::Bmp);
    for lacking in 1..=3 {
        assert_eq!(shallow(&decode_intact(&bytes[..bytes.len() - lacking])).1, samples, "without {lacking}");
    }
    for lacking in 4..=12 {
        assert!(
            refusal(&bytes[..bytes.len() - lacking]).contains("the end of the file is missing"),
            "without {lacking}"
        );
    }
    // Run-length encoding without the marker after the last row.
    let whole = bmp((2, 1), 8, 1, 40, &[colours(16), vec![0; 960]].concat(), &[2, 3, 0, 0, 0, 1]);
    let expected = decode_intact(&whole);
    assert_eq!(shallow(&decode_intact(&whole[..whole.len() - 4])), shallow(&expected));
}
