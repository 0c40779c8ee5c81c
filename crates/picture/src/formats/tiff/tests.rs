//! Tests with TIFF files assembled entry by entry, and files from the encoder.

use std::io::Cursor;

use tiff::encoder::{Compression, Predictor, TiffEncoder, colortype};

use outcome::Channels;

use crate::formats::testing::{decode, decode_intact, deep, noise, refusal, refused_cuts, shallow};

/// A directory entry: tag and values; those below 65,536 are SHORT, others LONG.
type Entry = (u16, Vec<u32>);
type Entries = Vec<Entry>;

/// A file of one page: `entries` without offsets and lengths of the data, which is `strips`.
fn file(entries: &[Entry], strips: &[&[u8]]) -> Vec<u8> {
    let mut bytes = b"II\x2a\0\0\0\0\0".to_vec();
    page(&mut bytes, 4, entries, strips);
    bytes
}

/// Appends a page to `bytes` and writes its offset at `link`; returns the position of the link to the next one.
fn page(bytes: &mut Vec<u8>, link: usize, entries: &[Entry], strips: &[&[u8]]) -> usize {
    let mut entries = entries.to_vec();
    let tiled = entries.iter().any(|(tag, _)| *tag == 322);
    let mut places = Vec::new();
    for strip in strips {
        places.push(u32::try_from(bytes.len()).expect("short"));
        bytes.extend_from_slice(strip);
        bytes.resize(bytes.len().next_multiple_of(2), 0);
    }
    entries.push((if tiled { 324 } else { 273 }, places));
    let lengths = strips.iter().map(|strip| u32::try_from(strip.len()).expect("short")).collect();
    entries.push((if tiled { 325 } else { 279 }, lengths));
    entries.sort();
    let directory = bytes.len();
    let here = u32::try_from(directory).expect("short").to_le_bytes();
    bytes[link..link + 4].copy_from_slice(&here);
    let mut outside = directory + 2 + entries.len() * 12 + 4;
    let mut values = Vec::new();
    bytes.extend_from_slice(&u16::try_from(entries.len()).expect("few").to_le_bytes());
    for (tag, list) in &entries {
        let short = list.iter().all(|value| *value < 65_536);
        let mut data: Vec<u8> = if short {
            list.iter().flat_map(|value| (*value as u16).to_le_bytes()).collect()
        } else {
            list.iter().flat_map(|value| value.to_le_bytes()).collect()
        };
        bytes.extend_from_slice(&tag.to_le_bytes());
        bytes.extend_from_slice(&(if short { 3_u16 } else { 4 }).to_le_bytes());
        bytes.extend_from_slice(&u32::try_from(list.len()).expect("few").to_le_bytes());
        if data.len() > 4 {
            bytes.extend_from_slice(&u32::try_from(outside).expect("short").to_le_bytes());
            outside += data.len();
            values.extend(data);
        } else {
            data.resize(4, 0);
            bytes.extend_from_slice(&data);
        }
    }
    let next = bytes.len();
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend(values);
    next
}

/// Entries of an uncompressed page with one strip.
fn plain(width: u32, height: u32, photometric: u32, bits: u32, samples: u32) -> Vec<Entry> {
    vec![
        (256, vec![width]),
        (257, vec![height]),
        (258, vec![bits; samples as usize]),
        (259, vec![1]),
        (262, vec![photometric]),
        (277, vec![samples]),
        (278, vec![height]),
    ]
}

fn with(mut entries: Vec<Entry>, more: &[Entry]) -> Vec<Entry> {
    entries.retain(|(tag, _)| more.iter().all(|(other, _)| other != tag));
    entries.extend_from_slice(more);
    entries
}

#[test]
fn every_kind_up_to_eight_bits_is_decoded() {
    let palette: Vec<u32> = [10, 20, 30, 40].into_iter().flat_map(|value| [value << 8; 1]).collect();
    let map: Vec<u32> =
        [palette.clone(), palette.iter().map(|value| value + 256).collect(), vec![0, 0, 65_535, 0]].concat();
    let cases: [(Entries, &[u8], Channels, &[u8]); 12] = [
        (plain(2, 1, 1, 8, 1), &[7, 200], Channels::L, &[7, 200]),
        (plain(2, 1, 0, 8, 1), &[7, 200], Channels::L, &[248, 55]),
        (plain(3, 1, 1, 1, 1), &[0b0110_0000], Channels::L, &[0, 255, 255]),
        (plain(3, 1, 0, 1, 1), &[0b0110_0000], Channels::L, &[255, 0, 0]),
        (plain(3, 1, 1, 4, 1), &[0x2f, 0x10], Channels::L, &[34, 255, 17]),
        (plain(1, 1, 2, 8, 3), &[1, 2, 3], Channels::Rgb, &[1, 2, 3]),
        (plain(1, 1, 2, 8, 4), &[1, 2, 3, 4], Channels::Rgba, &[1, 2, 3, 4]),
        (with(plain(1, 1, 2, 8, 4), &[(338, vec![0])]), &[1, 2, 3, 4], Channels::Rgb, &[1, 2, 3]),
        (with(plain(1, 1, 2, 8, 4), &[(338, vec![1])]), &[10, 50, 0, 100], Channels::Rgba, &[26, 128, 0, 100]),
        (with(plain(2, 1, 1, 8, 2), &[(338, vec![1])]), &[10, 100, 9, 0], Channels::La, &[26, 100, 0, 0]),
        (with(plain(1, 1, 0, 8, 2), &[(338, vec![2])]), &[10, 100], Channels::La, &[245, 100]),
        (
            with(plain(3, 1, 3, 2, 1), &[(320, map)]),
            &[0b0110_1100],
            Channels::Rgb,
            &[20, 21, 0, 30, 31, 255, 40, 41, 0],
        ),
    ];
    for (entries, data, channels, samples) in cases {
        let picture = decode_intact(&file(&entries, &[data]));
        assert_eq!(shallow(&picture), (channels, samples), "{entries:?}");
    }
}

#[test]
fn sixteen_bit_samples_are_kept() {
    let two = |values: &[u16]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let picture = decode_intact(&file(&plain(2, 1, 1, 16, 1), &[&two(&[258, 60_000])]));
    assert_eq!(deep(&picture), (Channels::L, &[258, 60_000][..]));
    let picture = decode_intact(&file(&plain(1, 1, 2, 16, 3), &[&two(&[1, 2, 65_535])]));
    assert_eq!(deep(&picture), (Channels::Rgb, &[1, 2, 65_535][..]));
    let associated = with(plain(1, 1, 2, 16, 4), &[(338, vec![1])]);
    let picture = decode_intact(&file(&associated, &[&two(&[1000, 500, 0, 2000])]));
    assert_eq!(deep(&picture), (Channels::Rgba, &[32_768, 16_384, 0, 2000][..]));
    let four = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let picture = decode_intact(&file(&plain(1, 1, 1, 32, 1), &[&four(&[0x1234_5678])]));
    assert_eq!(deep(&picture), (Channels::L, &[0x1234][..]));
}

#[test]
fn floating_point_out_of_range_is_rejected() {
    let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let entries = with(plain(3, 1, 1, 32, 1), &[(339, vec![3])]);
    let picture = decode_intact(&file(&entries, &[&floats(&[0.0, 0.5, 1.0])]));
    assert_eq!(deep(&picture), (Channels::L, &[0, 32_768, 65_535][..]));
    assert_eq!(picture.info.note, Some(outcome::PictureNote::FloatSamples));
    for bad in [1.5, -0.2, f32::NAN, f32::INFINITY] {
        assert!(refusal(&file(&entries, &[&floats(&[0.0, bad, 1.0])])).contains("outside 0 to 1"));
    }
}

#[test]
fn cmyk_is_converted_to_rgb() {
    let picture = decode_intact(&file(&plain(3, 1, 5, 8, 4), &[&[0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 255]]));
    let (channels, samples) = shallow(&picture);
    assert_eq!((channels, picture.info.icc_profile.as_deref()), (Channels::Rgb, None));
    assert!(samples[..3].iter().all(|sample| *sample > 250), "no ink is white: {samples:?}");
    assert!(samples[3..].iter().all(|sample| *sample < 60), "all ink is black: {samples:?}");
    let extra = with(plain(1, 1, 5, 8, 5), &[(338, vec![2])]);
    let picture = decode_intact(&file(&extra, &[&[0, 0, 0, 0, 77]]));
    assert_eq!((shallow(&picture).0, shallow(&picture).1[3]), (Channels::Rgba, 77));
}

#[test]
fn ycbcr_is_converted_to_rgb() {
    let entries = with(plain(2, 1, 6, 8, 3), &[(530, vec![1, 1])]);
    let picture = decode_intact(&file(&entries, &[&[100, 128, 128, 76, 85, 255]]));
    assert_eq!(shallow(&picture), (Channels::Rgb, &[100, 100, 100, 254, 0, 0][..]));
    assert!(refusal(&file(&plain(2, 1, 6, 8, 3), &[&[100, 128, 128, 76, 85, 255]])).contains("YCbCr"));
}

#[test]
fn tiles_and_planes_are_assembled() {
    let (width, height) = (37_usize, 21_usize);
    let samples = noise(width * height * 3);
    let at = |x: usize, y: usize, channel: usize| {
        if x < width && y < height { samples[(y * width + x) * 3 + channel] } else { 9 }
    };
    let corners: Vec<(usize, usize)> = (0..2).flat_map(|y| (0..3).map(move |x| (x * 16, y * 16))).collect();
    let tile = |left: usize, top: usize, channels: &[usize]| -> Vec<u8> {
        let places = (0..256).map(|index| (left + index % 16, top + index / 16));
        places.flat_map(|(x, y)| channels.iter().map(move |channel| at(x, y, *channel))).collect()
    };
    let size = [(322, vec![16]), (323, vec![16])];
    let entries = with(plain(37, 21, 2, 8, 3), &size);
    let tiles: Vec<Vec<u8>> = corners.iter().map(|(x, y)| tile(*x, *y, &[0, 1, 2])).collect();
    let tiles: Vec<&[u8]> = tiles.iter().map(Vec::as_slice).collect();
    assert!(shallow(&decode_intact(&file(&entries, &tiles))).1 == samples);
    let planar = with(entries, &[(284, vec![2])]);
    let planes = (0..3).flat_map(|channel| corners.iter().map(move |corner| (channel, corner)));
    let tiles: Vec<Vec<u8>> = planes.map(|(channel, (x, y))| tile(*x, *y, &[channel])).collect();
    let tiles: Vec<&[u8]> = tiles.iter().map(Vec::as_slice).collect();
    assert!(shallow(&decode_intact(&file(&planar, &tiles))).1 == samples);
    let strips: Vec<Vec<u8>> =
        (0..3).map(|channel| samples.iter().skip(channel).step_by(3).copied().collect()).collect();
    let strips: Vec<&[u8]> = strips.iter().map(Vec::as_slice).collect();
    let planar = with(plain(37, 21, 2, 8, 3), &[(284, vec![2])]);
    assert!(shallow(&decode_intact(&file(&planar, &strips))).1 == samples);
}

fn encoded(compression: Compression, predictor: Predictor, samples: &[u16], big: bool) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    if big {
        let encoder = TiffEncoder::new_big(&mut bytes).expect("begins").with_compression(compression);
        let mut encoder = encoder.with_predictor(predictor);
        encoder.write_image::<colortype::RGB16>(40, 30, samples).expect("encodes");
    } else {
        let encoder = TiffEncoder::new(&mut bytes).expect("begins").with_compression(compression);
        let mut encoder = encoder.with_predictor(predictor);
        let mut image = encoder.new_image::<colortype::RGB16>(40, 30).expect("begins");
        image.rows_per_strip(30).expect("set");
        image.write_data(samples).expect("encodes");
    }
    bytes.into_inner()
}

#[test]
fn compressed_files_are_exact_and_rejected_if_truncated() {
    let samples: Vec<u16> = noise(40 * 30 * 3 * 2).chunks(2).map(|two| u16::from_ne_bytes([two[0], two[1]])).collect();
    let kinds = [
        ("LZW", Compression::Lzw, Predictor::None),
        ("LZW with prediction", Compression::Lzw, Predictor::Horizontal),
        ("deflate", Compression::Deflate(tiff::encoder::DeflateLevel::Fast), Predictor::Horizontal),
        ("PackBits", Compression::Packbits, Predictor::None),
        ("none", Compression::Uncompressed, Predictor::None),
    ];
    for (name, compression, predictor) in kinds {
        assert!(deep(&decode_intact(&encoded(compression, predictor, &samples, true))).1 == samples);
        let bytes = encoded(compression, predictor, &samples, false);
        assert!(deep(&decode_intact(&bytes)).1 == samples, "{name}");
        // The only strip follows the header, so it is moved after the directory: to the end of the file.
        let moved = strip_moved_to_end(&bytes);
        assert!(deep(&decode_intact(&moved)).1 == samples);
        assert!(refusal(&moved[..moved.len() - 60]).contains("the end of the file is missing"), "{name}");
        // Checksums and markers after the last sample are short.
        assert!(refused_cuts(&moved, bytes.len()) >= moved.len() - bytes.len() - 9, "{name}");
    }
}

/// The same file with a copy of its strip at the end, which its directory references.
fn strip_moved_to_end(bytes: &[u8]) -> Vec<u8> {
    let short = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let long = |at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().expect("exists")) as usize;
    let directory = long(4);
    let value = |tag: usize| {
        let place = (0..short(directory)).map(|index| directory + 2 + index * 12).find(|at| short(*at) == tag);
        place.expect("has it") + 8
    };
    let (start, length) = (long(value(273)), long(value(279)));
    let mut moved = bytes.to_vec();
    moved[value(273)..value(273) + 4].copy_from_slice(&u32::try_from(bytes.len()).expect("short").to_le_bytes());
    moved.extend_from_slice(&bytes[start..start + length]);
    moved
}

#[test]
fn reduced_first_page_is_skipped() {
    let small = with(plain(1, 1, 1, 8, 1), &[(254, vec![1])]);
    let mut bytes = b"II\x2a\0\0\0\0\0".to_vec();
    let next = page(&mut bytes, 4, &small, &[&[5]]);
    let one = bytes.clone();
    let next = page(&mut bytes, next, &plain(2, 1, 1, 8, 1), &[&[7, 8]]);
    let picture = decode_intact(&bytes);
    assert_eq!((shallow(&picture).1, picture.info.note), (&[7, 8][..], None));
    page(&mut bytes, next, &plain(1, 1, 1, 8, 1), &[&[9]]);
    let picture = decode_intact(&bytes);
    assert_eq!((shallow(&picture).1, picture.info.note), (&[7, 8][..], Some(outcome::PictureNote::FirstPage)));
    assert_eq!(shallow(&decode_intact(&one)).1, [5], "the only page is read whatever its type");
}

#[test]
fn cyclic_pages_terminate() {
    let mut bytes = b"II\x2a\0\0\0\0\0".to_vec();
    let small = with(plain(1, 1, 1, 8, 1), &[(254, vec![1])]);
    let next = page(&mut bytes, 4, &small, &[&[5]]);
    let first = bytes[4..8].to_vec();
    bytes[next..next + 4].copy_from_slice(&first);
    assert!(decode(&bytes).is_ok_and(|picture| shallow(&picture).1 == [5]) || decode(&bytes).is_err());
}

#[test]
fn unsupported_kinds_are_reported() {
    let cases: [(Vec<Entry>, &str); 7] = [
        (plain(1, 1, 8, 8, 3), "Lab"),
        (plain(1, 1, 2, 12, 3), "12 bits"),
        (with(plain(1, 1, 1, 8, 1), &[(339, vec![2])]), "signed"),
        (with(plain(1, 1, 1, 1, 1), &[(259, vec![3])]), "Group 3"),
        (with(plain(1, 1, 1, 1, 1), &[(266, vec![2])]), "reverse order"),
        (with(plain(1, 1, 5, 8, 4), &[(332, vec![2])]), "inks"),
        (with(plain(1, 1, 1, 8, 1), &[(259, vec![50_000])]), "Zstandard"),
    ];
    for (entries, word) in cases {
        let refused = refusal(&file(&entries, &[&[0; 8]]));
        assert!(refused.contains("not supported") && refused.contains(word), "{refused}");
    }
}

#[test]
fn oversized_strips_and_jpegs_are_rejected_before_allocation() {
    // A JPEG header of 65,000 x 65,000 pixels in a strip of an image of 8 x 8.
    let jpeg =
        [0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0xfd, 0xe8, 0xfd, 0xe8, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 0xff, 0xd9];
    let refused = refusal(&file(&with(plain(8, 8, 2, 8, 3), &[(259, vec![7])]), &[&jpeg]));
    assert!(refused.contains("does not match the image"), "{refused}");
    let tiles = with(plain(8, 8, 2, 8, 3), &[(322, vec![2_000_000_000]), (323, vec![2_000_000_000])]);
    assert!(decode(&file(&tiles, &[&[0; 8]])).is_err());
}

#[test]
fn matching_profiles_are_kept() {
    let mut profile = vec![0_u8; 128];
    profile[16..20].copy_from_slice(b"RGB ");
    let entry = (34_675, profile.iter().map(|byte| u32::from(*byte)).collect());
    // Written as 16-bit numbers here; the type is set to bytes.
    let mut bytes = file(&with(plain(1, 1, 2, 8, 3), &[entry]), &[&[1, 2, 3]]);
    let place = bytes.windows(4).position(|four| four == [0x73, 0x87, 3, 0]).expect("has it");
    bytes[place + 2] = 1;
    let values = u32::from_le_bytes(*bytes[place + 8..].first_chunk().expect("exists")) as usize;
    bytes.truncate(values);
    bytes.extend_from_slice(&profile);
    assert_eq!(decode_intact(&bytes).info.icc_profile.as_deref(), Some(&profile[..]));
}

/// A zlib stream with a single stored block.
fn stored(samples: &[u8]) -> Vec<u8> {
    let (low, high) = samples.iter().fold((1_u32, 0_u32), |(low, high), sample| {
        let low = (low + u32::from(*sample)) % 65_521;
        (low, (high + low) % 65_521)
    });
    let length = u16::try_from(samples.len()).expect("one block");
    let head = [&[0x78, 1, 1][..], &length.to_le_bytes(), &(!length).to_le_bytes()].concat();
    [&head[..], samples, &(high << 16 | low).to_be_bytes()].concat()
}

#[test]
fn corrupt_deflate_strips_are_rejected() {
    // 32,761 samples, so that the decoder, which takes 32 KiB at a time, has them all before it reaches the checksum.
    let samples = noise(181 * 181);
    let entries = with(plain(181, 181, 1, 8, 1), &[(259, vec![8])]);
    assert_eq!(shallow(&decode_intact(&file(&entries, &[&stored(&samples)]))).1, samples);
    let mut wrong = stored(&samples);
    wrong[100] ^= 1;
    let more = stored(&noise(181 * 182));
    for strip in [wrong, more] {
        let refused = refusal(&file(&entries, &[&strip]));
        assert!(refused.contains("checksum or size"), "{refused}");
    }
}

#[test]
fn corrupt_jpeg_strips_are_rejected() {
    let samples = noise(64 * 64);
    let encoder = libjpeg_turbo_rs::Encoder::new(&samples, 64, 64, libjpeg_turbo_rs::PixelFormat::Grayscale);
    let strip = encoder.quality(90).encode().expect("encodes");
    let entries = with(plain(64, 64, 1, 8, 1), &[(259, vec![7])]);
    decode_intact(&file(&entries, &[&strip]));
    // Without its end marker, which is redundant in TIFF.
    decode_intact(&file(&entries, &[&strip[..strip.len() - 2]]));
    // Without the last third of its data, but with the marker.
    let short = [&strip[..strip.len() * 2 / 3], b"\xff\xd9"].concat();
    let refused = refusal(&file(&entries, &[&short]));
    assert!(refused.contains("TIFF data is corrupt"), "{refused}");
    // Truncated with the file: its directory precedes the strip.
    let strip = strip_moved_to_end(&file(&entries, &[&strip]));
    assert!(refusal(&strip[..strip.len() - 1]).contains("the end of the file is missing"));
    assert!(refusal(&strip[..strip.len() - 600]).contains("the end of the file is missing"));
}

#[test]
fn truncated_faxes_are_rejected() {
    // Four rows of eight white pixels: each a vertical code of distance 0, one bit; then an end of block.
    let strip = [0b1111_0000, 0, 0b0001_0000, 0, 0b0001_0000];
    let entries = with(plain(8, 4, 0, 1, 1), &[(259, vec![4])]);
    let bytes = strip_moved_to_end(&file(&entries, &[&strip]));
    assert_eq!(shallow(&decode_intact(&bytes)).1, [255; 32]);
    assert_eq!(refused_cuts(&bytes, bytes.len() - strip.len()), strip.len());
}

/// A file whose first page is a small copy, with its original in a subdirectory.
fn small_copy_first(more: &[Entry]) -> Vec<u8> {
    let small = with(plain(2, 2, 1, 8, 1), &[(254, vec![1]), (330, vec![0x0101_0101])]);
    let mut bytes = file(&small, &[&[1, 2, 3, 4]]);
    let link = bytes.windows(4).position(|four| four == [1, 1, 1, 1]).expect("the entry's value");
    page(&mut bytes, link, &with(plain(3, 2, 1, 8, 1), more), &[&[10, 20, 30, 40, 50, 60]]);
    bytes
}

#[test]
fn original_in_the_subdirectory_of_a_small_copy_is_decoded() {
    let picture = decode_intact(&small_copy_first(&[]));
    assert_eq!(shallow(&picture), (Channels::L, &[10, 20, 30, 40, 50, 60][..]));
    assert_eq!(picture.info.note, None);
    // Its orientation may differ from the first page.
    let turned = decode_intact(&small_copy_first(&[(274, vec![3])]));
    assert_eq!(shallow(&turned).1, [60, 50, 40, 30, 20, 10]);
    // A subdirectory that is also marked as a copy is not selected.
    let copy = decode_intact(&small_copy_first(&[(254, vec![1])]));
    assert_eq!(shallow(&copy).1, [1, 2, 3, 4]);
}

#[test]
fn jpeg_tiles_larger_than_the_image_are_decoded() {
    let (width, height, side) = (40, 20, 64);
    let mut tile = Vec::new();
    let samples = vec![200; side * side];
    let mut encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut tile, 95);
    encoder.encode(&samples, side as u32, side as u32, image::ExtendedColorType::L8).expect("encodes");
    let entries = [
        (256, vec![width]),
        (257, vec![height]),
        (258, vec![8]),
        (259, vec![7]),
        (262, vec![1]),
        (277, vec![1]),
        (322, vec![side as u32]),
        (323, vec![side as u32]),
    ];
    let picture = decode_intact(&file(&entries, &[&tile]));
    let (channels, samples) = shallow(&picture);
    assert_eq!((channels, samples.len()), (Channels::L, (width * height) as usize));
    assert!(samples.iter().all(|sample| sample.abs_diff(200) < 3), "{samples:?}");
}
