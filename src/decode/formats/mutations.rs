//! Files of every format here with bytes changed, cut and put in: none may panic in this program's code or take long.

use std::panic::{AssertUnwindSafe, catch_unwind};

use image::{DynamicImage, ImageFormat};

use super::testing::{decode, noise};

fn encode(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("encodes");
    bytes.into_inner()
}

/// A small file of each format, the richer ones by several routes.
fn seeds() -> Vec<Vec<u8>> {
    let colour: DynamicImage = image::RgbImage::from_raw(17, 13, noise(17 * 13 * 3)).expect("fits").into();
    let alpha: DynamicImage = image::RgbaImage::from_raw(17, 13, noise(17 * 13 * 4)).expect("fits").into();
    let mut seeds = Vec::new();
    for format in [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Tiff, ImageFormat::WebP, ImageFormat::Qoi] {
        seeds.push(encode(&colour, format));
        seeds.push(encode(&alpha, format));
    }
    seeds.push(encode(&colour.to_luma16().into(), ImageFormat::Png));
    seeds.push(encode(&colour, ImageFormat::Pnm));
    seeds.push(encode(&colour, ImageFormat::Tga));
    seeds.push(encode(&alpha, ImageFormat::Gif));
    seeds.push(encode(&alpha, ImageFormat::Ico));
    seeds.push(webp::Encoder::from_rgb(&noise(17 * 13 * 3), 17, 13).encode(80.0).to_vec());
    for compression in [tiff::encoder::Compression::Lzw, tiff::encoder::Compression::Packbits] {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let mut encoder = tiff::encoder::TiffEncoder::new(&mut bytes).expect("begins").with_compression(compression);
        encoder.write_image::<tiff::encoder::colortype::Gray8>(17, 13, &noise(17 * 13)).expect("encodes");
        seeds.push(bytes.into_inner());
    }
    seeds
}

#[test]
fn changed_files_never_panic_here() {
    const ROUNDS: usize = 20;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let (mut pictures, mut panics) = (0, Vec::new());
    for (kind, seed) in seeds().into_iter().enumerate() {
        for round in 0..ROUNDS {
            let mut bytes = seed.clone();
            for _ in 0..=next(4) {
                // Mostly in the header, where bytes mean most.
                let reach = if next(3) > 0 { bytes.len().min(160) } else { bytes.len() };
                let at = next(reach);
                match next(6) {
                    0 => bytes.truncate(at.max(1)),
                    1 => bytes.insert(at, next(256) as u8),
                    2 => {
                        bytes.remove(at);
                    }
                    3 => bytes[at] = 0xff,
                    _ => bytes[at] ^= 1 << next(8),
                }
                if bytes.is_empty() {
                    bytes.push(0);
                }
            }
            match catch_unwind(AssertUnwindSafe(|| decode(&bytes).is_ok())) {
                Ok(is_picture) => pictures += usize::from(is_picture),
                Err(_) => panics.push((kind, round)),
            }
        }
    }
    assert!(pictures > 50, "many changes harm little: {pictures}");
    assert!(panics.is_empty(), "{panics:?}");
}
