//! The quick way: which files go it, and that it leads where the other does.

use super::*;
use crate::formats::jpeg::quick::Kept;
use crate::formats::jpeg::structure::Structure;
use crate::formats::jpeg::walk::{Walked, walk};
use crate::formats::jpeg::{first_reader, quick};
use crate::{Filter, SourceBox, resize};

const SUBSAMPLINGS: [Subsampling; 6] =
    [Subsampling::S444, Subsampling::S422, Subsampling::S420, Subsampling::S440, Subsampling::S411, Subsampling::S441];

const SIZE: Size = Size::new(211, 173);

/// What the quick reader makes of a file.
fn quickly(bytes: &[u8], want: StoredWant) -> Option<Decoded> {
    quick::read(bytes, &Structure::read(bytes)?, want, &DecodeLimits::default(), &Kept::default())
}

/// What the library does.
fn slowly(bytes: &[u8], want: StoredWant) -> Decoded {
    let structure = Structure::read(bytes).expect("a header");
    first_reader::read(bytes, &structure, want, &DecodeLimits::default(), Walked::Unknown).expect("decodes")
}

fn middle(reduction: u32) -> StoredWant {
    StoredWant { region: PixelRect::new(60, 50, 70, 60), reduction }
}

/// Every kind of file that cameras and programs write in one pass.
fn plain_files() -> Vec<(String, Vec<u8>)> {
    let mut files = vec![("grey".to_owned(), encode_grey(SIZE))];
    for subsampling in SUBSAMPLINGS {
        files.push((format!("{subsampling:?}"), encode(SIZE, subsampling, |encoder| encoder)));
        files.push((
            format!("{subsampling:?}, own tables"),
            encode(SIZE, subsampling, |encoder| encoder.optimize_huffman(true)),
        ));
        for blocks in [1, 3, 7, 500] {
            files.push((
                format!("{subsampling:?}, {blocks} MCUs"),
                encode(SIZE, subsampling, |encoder| encoder.restart_blocks(blocks)),
            ));
        }
    }
    let flat = vec![90; 3 * 64 * 64];
    // Such a file's own tables have next to no codes.
    let flat = Encoder::new(&flat, 64, 64, PixelFormat::Rgb).optimize_huffman(true).encode().expect("encodes");
    files.push(("flat".to_owned(), flat));
    let first = encode(SIZE, Subsampling::S420, |encoder| encoder);
    files.push(("two pictures in one file".to_owned(), [first, encode_grey(SIZE)].concat()));
    files
}

/// The mean difference between a reduced picture and all of the file's pixels, resampled.
fn off_by(bytes: &[u8], reduced: &Decoded) -> f64 {
    let all = slowly(bytes, whole(read_header(bytes).expect("a header").stored, 1)).pixels;
    // As many whole squares as there are.
    let size = Size::new(all.size().width / reduced.reduction, all.size().height / reduced.reduction);
    let squares = SourceBox::whole(Size::new(size.width * reduced.reduction, size.height * reduced.reduction));
    let expected = resize(&all, squares, size, Filter::Lanczos3).expect("resizes");
    let seen = resize(&reduced.pixels, SourceBox::whole(size), size, Filter::Lanczos3).expect("resizes");
    differences(seen.as_u8().expect("8 bits"), expected.as_u8().expect("8 bits")).1
}

#[test]
fn plain_files_go_the_quick_way_and_come_out_the_same() {
    for (name, bytes) in plain_files() {
        let size = read_header(&bytes).expect("a header").stored;
        for reduction in [1, 2] {
            let region = if name == "flat" { PixelRect::new(20, 20, 9, 9) } else { middle(1).region };
            let want = StoredWant { region, reduction };
            let part = quickly(&bytes, want).unwrap_or_else(|| panic!("{name} at 1/{reduction}"));
            let all = slowly(&bytes, whole(size, reduction));
            let (left, top) = (part.corner.0 / reduction, part.corner.1 / reduction);
            for y in region.y as u32 / reduction..(region.y as u32 + region.height) / reduction {
                let x = region.x as u32 / reduction;
                let row = |of: &Decoded, left: u32, top: u32| {
                    let channels = of.pixels.channels().count() as u32;
                    let start = ((y - top) * of.pixels.size().width + x - left) * channels;
                    samples(of)[start as usize..][..(region.width / reduction * channels) as usize].to_vec()
                };
                assert_eq!(row(&part, left, top), row(&all, 0, 0), "{name} at 1/{reduction}, row {y}");
            }
        }
        for reduction in [4, 8] {
            let small = quickly(&bytes, whole(size, reduction)).unwrap_or_else(|| panic!("{name} at 1/{reduction}"));
            let full = Size::new(size.width.div_ceil(reduction), size.height.div_ceil(reduction));
            assert_eq!((small.corner, small.pixels.size()), ((0, 0), full), "{name} at 1/{reduction}");
            let off = off_by(&bytes, &small);
            assert!(off < if reduction == 4 { 1.4 } else { 2.1 }, "{name} at 1/{reduction}: {off}");
        }
    }
}

#[test]
fn parts_of_very_many_rows_come_out_the_same() {
    let size = Size::new(64, 2400);
    let samples_of = photo(size, 1);
    let bytes = Encoder::new(&samples_of, 64, 2400, PixelFormat::Grayscale).quality(92).encode().expect("encodes");
    let all = slowly(&bytes, whole(size, 1));
    // 290 rows of MCUs.
    let part =
        quickly(&bytes, StoredWant { region: PixelRect::new(0, 20, 20, 2300), reduction: 1 }).expect("reads quickly");
    let width = part.pixels.size().width as usize;
    for y in 20..2320 {
        let seen = &samples(&part)[(y - part.corner.1 as usize) * width..][..20];
        assert_eq!(seen, &samples(&all)[y * 64..][..20], "row {y}");
    }
}

#[test]
fn what_is_kept_of_one_look_serves_the_next() {
    let bytes = encode(SIZE, Subsampling::S420, |encoder| encoder.restart_blocks(7));
    let structure = Structure::read(&bytes).expect("a header");
    let kept = Kept::default();
    let mut wants = vec![middle(1), whole(SIZE, 8), middle(2), whole(SIZE, 4), middle(8), middle(1)];
    for _ in 0..2 {
        for want in &wants {
            let read = |kept: &Kept| {
                let read = quick::read(&bytes, &structure, *want, &DecodeLimits::default(), kept).expect("reads");
                (read.pixels, read.corner)
            };
            assert!(read(&kept) == read(&Kept::default()), "{want:?}");
        }
        wants.reverse();
    }
}

#[test]
fn most_of_a_picture_and_files_of_other_kinds_are_left_to_the_library() {
    let plain = encode(SIZE, Subsampling::S420, |encoder| encoder);
    assert!(quickly(&plain, whole(SIZE, 1)).is_none() && quickly(&plain, whole(SIZE, 2)).is_none());
    let cmyk = Encoder::new(&photo(SIZE, 4), 211, 173, PixelFormat::Cmyk).quality(80).encode().expect("encodes");
    let named = |names: [u8; 3]| {
        let mut bytes = plain.clone();
        let (frame, scan) = (find(&bytes, 0xc0), find(&bytes, 0xda));
        for (index, name) in names.into_iter().enumerate() {
            bytes[frame + 10 + 3 * index] = name;
            bytes[scan + 5 + 2 * index] = name;
        }
        bytes
    };
    let inserted = |segment: &[u8]| [&plain[..2], segment, &plain[2..]].concat();
    for (name, bytes) in [
        ("RGB", named(*b"RGB")),
        ("two starts", inserted(b"\xff\xd8")),
        ("half a restart interval", inserted(b"\xff\xdd\0\x03\0")),
        ("a table of too many codes", inserted(&[b"\xff\xc4\0\x16\x13\x03".as_slice(), &[0; 18]].concat())),
        ("progressive", encode(SIZE, Subsampling::S420, |encoder| encoder.progressive(true))),
        ("arithmetic", encode(SIZE, Subsampling::S420, |encoder| encoder.arithmetic(true))),
        ("CMYK", cmyk),
    ] {
        assert!(quickly(&bytes, middle(1)).is_none(), "{name}");
        assert!(quickly(&bytes, whole(SIZE, 8)).is_none(), "{name}");
    }
}

#[test]
fn colours_of_reduced_pictures_are_right_on_either_way() {
    for subsampling in SUBSAMPLINGS {
        let progressive = encode(SIZE, subsampling, |encoder| encoder.progressive(true));
        for (name, bytes) in [("plain", encode(SIZE, subsampling, |encoder| encoder)), ("progressive", progressive)] {
            for reduction in [2, 4, 8] {
                let reduced = read(&bytes, whole(SIZE, reduction)).expect("reads");
                assert!(reduced.reduction <= reduction);
                let off = off_by(&bytes, &reduced);
                // Halves of pictures with a quarter of the colour are off by 3.4.
                assert!(off < 4.0, "{name} {subsampling:?} at 1/{reduction}: {off}");
            }
        }
    }
}

#[test]
fn nothing_is_read_quickly_of_which_a_bit_is_missing_or_too_many() {
    let restarts = encode(SIZE, Subsampling::S420, |encoder| encoder.restart_blocks(5));
    for bytes in [encode(SIZE, Subsampling::S420, |encoder| encoder), restarts] {
        let refuses = |what: &str, bytes: &[u8]| {
            assert!(quickly(bytes, middle(1)).is_none(), "{what}");
            assert!(quickly(bytes, whole(SIZE, 8)).is_none(), "{what}");
            // It is read all the same.
            assert!(read(bytes, whole(SIZE, 8)).is_ok(), "{what}");
        };
        let end = bytes.len() - 2;
        refuses("no end", &bytes[..end]);
        refuses("a byte less", &[&bytes[..end - 1], b"\xff\xd9"].concat());
        refuses("cut", &[&bytes[..end / 2], b"\xff\xd9"].concat());
        refuses("two bytes more", &[&bytes[..end], b"\x12\x34\xff\xd9"].concat());
        let mut taller = bytes.clone();
        let height = find(&taller, 0xc0) + 5;
        taller[height + 1] += 16;
        refuses("taller", &taller);
    }
    let mut moved = encode(SIZE, Subsampling::S420, |encoder| encoder.restart_blocks(5));
    let marker = find(&moved, 0xd3);
    moved[marker + 1] = 0xd4;
    assert!(quickly(&moved, middle(1)).is_none(), "a marker out of order");
}

#[test]
fn the_first_scan_of_a_progressive_file_is_sound_only_where_the_library_sees_no_damage() {
    let mut random = Seeded(5);
    let (mut sound, mut broken) = (0, 0);
    let grey = photo(SIZE, 1);
    let grey = Encoder::new(&grey, 211, 173, PixelFormat::Grayscale).progressive(true).encode().expect("encodes");
    let restarts = |encoder: Encoder<'_>| encoder.progressive(true).restart_blocks(5).encode().expect("encodes");
    let colour = photo(SIZE, 3);
    for bytes in [
        encode(SIZE, Subsampling::S420, |encoder| encoder.progressive(true)),
        encode(SIZE, Subsampling::S422, |encoder| encoder.progressive(true)),
        restarts(Encoder::new(&colour, 211, 173, PixelFormat::Rgb)),
        grey,
    ] {
        let structure = Structure::read(&bytes).expect("a header");
        assert!(walk(&bytes, &structure, 1) == Walked::Sound);
        let data = structure.scans[0].data.clone();
        for _ in 0..200 {
            let mut bytes = bytes.clone();
            let at = data.start + random.below(data.len());
            if random.below(3) == 0 {
                bytes.drain(at..at + 1 + random.below(3));
            } else {
                bytes[at] ^= 1 << random.below(8);
            }
            let Some(structure) = Structure::read(&bytes) else { continue };
            if walk(&bytes, &structure, 1) != Walked::Sound {
                broken += 1;
                continue;
            }
            sound += 1;
            let seen = first_reader::judge_first_scan(&bytes, &structure, &DecodeLimits::default());
            assert_eq!(seen, None, "byte {at}");
        }
    }
    assert!(sound > 20 && broken > 100, "{sound}, {broken}");
}

#[test]
fn very_many_short_restart_intervals_are_left_to_the_library() {
    let size = Size::new(2080, 2080);
    let grey = photo(size, 1);
    let file = |blocks: u16| {
        let encoder = Encoder::new(&grey, 2080, 2080, PixelFormat::Grayscale).restart_blocks(blocks);
        quickly(&encoder.encode().expect("encodes"), whole(size, 8)).is_some()
    };
    assert!(!file(1) && file(2) && file(8));
}

#[test]
fn corrupt_data_is_read_quickly_only_where_the_library_sees_no_damage_either() {
    let mut random = Seeded(3);
    let mut read = 0;
    for bytes in [encode(SIZE, Subsampling::S420, |encoder| encoder), encode_grey(SIZE)] {
        let data = find(&bytes, 0xda) + 20;
        for _ in 0..300 {
            let mut bytes = bytes.clone();
            let at = data + random.below(bytes.len() - 2 - data);
            bytes[at] ^= 1 << random.below(8);
            let Some(quick) = quickly(&bytes, whole(SIZE, 8)) else { continue };
            read += 1;
            let slow = slowly(&bytes, whole(SIZE, 8));
            assert_eq!((&slow.damage, &quick.damage), (&None, &None), "byte {at}");
            assert!(differences(samples(&quick), samples(&slow)).1 < 3.0, "byte {at}");
        }
    }
    assert!(read > 20, "{read}");
}
