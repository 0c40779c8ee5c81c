//! Parts and reduced pictures are what the whole picture has there.

use super::*;
use crate::{Filter, Pixels, SourceBox, resize};

/// Checks `count` random regions of a file at every reduction against the same part of all of it.
fn check(name: &str, bytes: &[u8], seed: u64, count: usize) {
    let size = read_header(bytes).expect("a header").stored;
    let mut random = Seeded(seed);
    for reduction in [1, 2, 4, 8] {
        let all = read(bytes, whole(size, reduction)).expect("decodes");
        assert_eq!((all.corner, all.reduction, &all.damage), ((0, 0), reduction, &None), "{name}");
        let full = Size::new(size.width.div_ceil(reduction), size.height.div_ceil(reduction));
        assert_eq!(all.pixels.size(), full, "{name} at 1/{reduction}");
        for _ in 0..count {
            let (x, y) = (random.below(size.width as usize) as u32, random.below(size.height as usize) as u32);
            let width = 1 + random.below((size.width - x) as usize) as u32;
            let height = 1 + random.below((size.height - y) as usize) as u32;
            let region = PixelRect::new(x as i32, y as i32, width, height);
            let part = read(bytes, StoredWant { region, reduction }).expect("decodes");
            let what = format!("{name} at 1/{reduction}, {region:?}: {:?} at {:?}", part.pixels, part.corner);
            assert_eq!(part.reduction, reduction, "{what}");
            assert_eq!(part.damage, None, "{what}");
            let (left, top) = part.corner;
            assert!(left % reduction == 0 && top % reduction == 0 && left <= x && top <= y, "{what}");
            let Size { width: columns, height: rows } = part.pixels.size();
            assert!(left + columns * reduction >= x + width && top + rows * reduction >= y + height, "{what}");
            // Pixels that touch the region.
            let channels = all.pixels.channels().count();
            for row in y / reduction..(y + height).div_ceil(reduction) {
                let cut = |of: &Decoded, left: u32, top: u32| {
                    let start = (row - top) * of.pixels.size().width + x / reduction - left;
                    let length = (x + width).div_ceil(reduction) - x / reduction;
                    samples(of)[start as usize * channels..][..length as usize * channels].to_vec()
                };
                let (most, _) = differences(&cut(&part, left / reduction, top / reduction), &cut(&all, 0, 0));
                assert_eq!(most, 0, "{what}: row {row}");
            }
        }
    }
}

#[test]
fn parts_of_every_subsampling_are_exact() {
    for (name, subsampling) in [
        ("4:4:4", Subsampling::S444),
        ("4:2:2", Subsampling::S422),
        ("4:2:0", Subsampling::S420),
        ("4:4:0", Subsampling::S440),
        ("4:1:1", Subsampling::S411),
        ("4:4:1", Subsampling::S441),
    ] {
        check(name, &encode(Size::new(211, 173), subsampling, |encoder| encoder), 7, 6);
        check(name, &encode(Size::new(160, 96), subsampling, |encoder| encoder), 8, 3);
    }
    check("grey", &encode_grey(Size::new(211, 173)), 9, 6);
}

#[test]
fn parts_of_files_with_restart_markers_are_exact() {
    let size = Size::new(211, 173);
    for subsampling in [Subsampling::S420, Subsampling::S444] {
        check("each row", &encode(size, subsampling, |encoder| encoder.restart_rows(1)), 1, 8);
        check("every two rows", &encode(size, subsampling, |encoder| encoder.restart_rows(2)), 2, 8);
        check("every five MCUs", &encode(size, subsampling, |encoder| encoder.restart_blocks(5)), 3, 8);
    }
}

#[test]
fn parts_of_other_codings_are_exact() {
    let size = Size::new(211, 173);
    check("progressive", &encode(size, Subsampling::S420, |encoder| encoder.progressive(true)), 4, 6);
    check("arithmetic", &encode(size, Subsampling::S420, |encoder| encoder.arithmetic(true)), 5, 6);
    check("tiny", &encode(Size::new(3, 1), Subsampling::S420, |encoder| encoder), 6, 3);
}

fn light(rgb: &[u8]) -> Vec<u8> {
    let weighed = |rgb: &[u8]| (u32::from(rgb[0]) * 77 + u32::from(rgb[1]) * 150 + u32::from(rgb[2]) * 29) / 256;
    rgb.chunks_exact(3).map(|pixel| weighed(pixel) as u8).collect()
}

#[test]
fn reduced_pictures_lie_where_the_whole_one_does() {
    // A reduced picture is close to the whole one averaged over squares: no shift, no other brightness.
    let size = Size::new(320, 240);
    for subsampling in [Subsampling::S444, Subsampling::S420, Subsampling::S411] {
        let bytes = encode(size, subsampling, |encoder| encoder);
        let all = read_whole(&bytes);
        for reduction in [2, 4, 8] {
            let reduced = read(&bytes, whole(size, reduction)).expect("decodes");
            let to = Size::new(size.width / reduction, size.height / reduction);
            let averaged: Pixels = resize(&all.pixels, SourceBox::whole(size), to, Filter::Area).expect("resizes");
            // Of colour, a reduced picture has as few samples as the file has beside its own pixels.
            let (_, mean) = differences(&light(samples(&reduced)), &light(averaged.as_u8().expect("8 bits")));
            assert!(mean < 2.0, "{subsampling:?} at 1/{reduction}: {mean}");
        }
    }
}
