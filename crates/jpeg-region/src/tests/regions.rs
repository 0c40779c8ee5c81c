//! Tests of regions and reduced images against the whole image.

use super::*;

/// Compares `count` random regions of a file at every scale with the same part of the whole image.
fn check(name: &str, bytes: &[u8], seed: u64, count: usize) {
    let size = size_of(bytes);
    let mut random = Random(seed);
    for scale in Scale::ALL {
        let reduction = scale.reduction();
        let all = read(bytes, whole(size, scale)).expect("decodes");
        assert_eq!((all.left, all.top, all.scale, all.damage), (0, 0, scale, None), "{name}");
        let full = (size.width.div_ceil(reduction), size.height.div_ceil(reduction));
        assert_eq!((all.width, all.height), full, "{name} at 1/{reduction}");
        for _ in 0..count {
            let (x, y) = (random.below(size.width as usize) as u32, random.below(size.height as usize) as u32);
            let width = 1 + random.below((size.width - x) as usize) as u32;
            let height = 1 + random.below((size.height - y) as usize) as u32;
            let request = DecodeRequest::new(x, y, width, height, scale);
            let part = read(bytes, request).expect("decodes");
            let what = format!("{name}, {request:?}: {} x {} at {}, {}", part.width, part.height, part.left, part.top);
            assert_eq!((part.scale, part.damage, part.format), (scale, None, all.format), "{what}");
            let (left, top) = (part.left, part.top);
            assert!(left % reduction == 0 && top % reduction == 0 && left <= x && top <= y, "{what}");
            assert!(
                left + part.width * reduction >= x + width && top + part.height * reduction >= y + height,
                "{what}"
            );
            // Pixels that intersect the region.
            let columns = x / reduction..(x + width).div_ceil(reduction);
            for row in y / reduction..(y + height).div_ceil(reduction) {
                assert_eq!(
                    row_of(&part, row, columns.clone()),
                    row_of(&all, row, columns.clone()),
                    "{what}: row {row}"
                );
            }
        }
    }
}

#[test]
fn regions_are_exact_for_every_subsampling() {
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
    check("grey", &encode_grey(Size::new(211, 173), |encoder| encoder), 9, 6);
}

#[test]
fn regions_are_exact_with_restart_markers() {
    let size = Size::new(211, 173);
    for subsampling in [Subsampling::S420, Subsampling::S444] {
        check("each row", &encode(size, subsampling, |encoder| encoder.restart_rows(1)), 1, 8);
        check("every two rows", &encode(size, subsampling, |encoder| encoder.restart_rows(2)), 2, 8);
        check("every five MCUs", &encode(size, subsampling, |encoder| encoder.restart_blocks(5)), 3, 8);
    }
}

#[test]
fn regions_are_exact_for_other_coding_processes() {
    let size = Size::new(211, 173);
    check("progressive", &encode(size, Subsampling::S420, |encoder| encoder.progressive(true)), 4, 6);
    check("arithmetic", &encode(size, Subsampling::S420, |encoder| encoder.arithmetic(true)), 5, 6);
    check("tiny", &encode(Size::new(3, 1), Subsampling::S420, |encoder| encoder), 6, 3);
}

fn luminance(rgb: &[u8]) -> Vec<u8> {
    let luma = |rgb: &[u8]| (u32::from(rgb[0]) * 77 + u32::from(rgb[1]) * 150 + u32::from(rgb[2]) * 29) / 256;
    rgb.chunks_exact(3).map(|pixel| luma(pixel) as u8).collect()
}

/// The mean of each square of `reduction` samples of an image of `width`.
fn averaged(luminance: &[u8], width: usize, reduction: usize) -> Vec<u8> {
    let rows: Vec<&[u8]> = luminance.chunks_exact(width).collect();
    let mean = |rows: &[&[u8]], x: usize| {
        let sum: usize = rows.iter().flat_map(|row| &row[x..x + reduction]).map(|sample| usize::from(*sample)).sum();
        (sum / reduction.pow(2)) as u8
    };
    let squares = |rows: &[&[u8]]| (0..width).step_by(reduction).map(|x| mean(rows, x)).collect::<Vec<u8>>();
    rows.chunks_exact(reduction).flat_map(squares).collect()
}

#[test]
fn reduced_images_are_not_shifted() {
    // A reduced image is close to box averages of the full-size image: no shift, no change of brightness.
    let size = Size::new(320, 240);
    for subsampling in [Subsampling::S444, Subsampling::S420, Subsampling::S411] {
        let bytes = encode(size, subsampling, |encoder| encoder);
        let all = luminance(&read_whole(&bytes).samples);
        for scale in [Scale::Half, Scale::Quarter, Scale::Eighth] {
            let reduced = read(&bytes, whole(size, scale)).expect("decodes");
            let expected = averaged(&all, size.width as usize, scale.reduction() as usize);
            // Like the file, the reduced image may have fewer chroma samples than pixels.
            let (_, mean) = differences(&luminance(&reduced.samples), &expected);
            assert!(mean < 2.0, "{subsampling:?} at {scale:?}: {mean}");
        }
    }
}

#[test]
fn regions_are_clipped_to_the_image() {
    let size = Size::new(64, 48);
    let bytes = encode(size, Subsampling::S444, |encoder| encoder);
    let corner = read(&bytes, DecodeRequest::new(60, 40, u32::MAX, 100, Scale::Full)).expect("decodes");
    assert_eq!((corner.left + corner.width, corner.top + corner.height), (size.width, size.height));
    for request in
        [DecodeRequest::new(500, 500, 10, 10, Scale::Full), DecodeRequest::new(u32::MAX, 0, 0, 0, Scale::Half)]
    {
        let outside = read(&bytes, request).expect("decodes");
        assert!(
            outside.left + outside.width <= size.width && outside.top + outside.height <= size.height,
            "{request:?}"
        );
    }
}
