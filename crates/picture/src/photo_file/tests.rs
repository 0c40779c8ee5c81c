//! Tests of encoded files: formats, orientations, damage, rejection.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};

use outcome::{Channels, PixelLayout};

use super::*;

fn encode(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("encodes");
    bytes.into_inner()
}

fn gradient(width: u32, height: u32) -> DynamicImage {
    image::RgbImage::from_fn(width, height, |x, y| image::Rgb([(x * 4) as u8, (y * 4) as u8, 90])).into()
}

fn decode(bytes: &[u8]) -> Result<Picture, DecodeError> {
    decode_bytes(bytes, &DecodeLimits::default())
}

fn bytes_of(picture: &Picture) -> &[u8] {
    picture.pixels.as_u8().expect("8 bits")
}

#[test]
fn every_format_is_detected_by_content() {
    let formats = [
        (ImageFormat::Jpeg, PictureFormat::Jpeg),
        (ImageFormat::Png, PictureFormat::Png),
        (ImageFormat::WebP, PictureFormat::WebP),
        (ImageFormat::Bmp, PictureFormat::Bmp),
        (ImageFormat::Tiff, PictureFormat::Tiff),
        (ImageFormat::Gif, PictureFormat::Gif),
        (ImageFormat::Qoi, PictureFormat::Qoi),
        (ImageFormat::Pnm, PictureFormat::Pnm),
        (ImageFormat::Tga, PictureFormat::Tga),
        (ImageFormat::Ico, PictureFormat::Ico),
    ];
    for (written, read) in formats {
        let needs_alpha = matches!(written, ImageFormat::Gif | ImageFormat::Ico);
        let source = if needs_alpha { gradient(40, 30).into_rgba8().into() } else { gradient(40, 30) };
        let picture = decode(&encode(&source, written)).expect("decodes");
        assert_eq!((picture.info.format, picture.size()), (read, Size::new(40, 30)));
        assert_eq!(picture.pixels.size(), Size::new(40, 30));
        assert_eq!(picture.info.damage, None);
        let [red, green] = [bytes_of(&picture)[0], bytes_of(&picture)[1]];
        assert!(red < 12 && green < 12, "{written:?}: the top left is dark, got {red} {green}");
    }
}

#[test]
fn depth_grey_and_transparency_are_kept() {
    let deep = image::ImageBuffer::from_fn(4, 4, |_, _| image::Rgb([0xffff_u16, 0x8000, 0]));
    let picture = decode(&encode(&DynamicImage::ImageRgb16(deep), ImageFormat::Png)).expect("decodes");
    assert_eq!(picture.pixels.as_u16().expect("deep")[..3], [0xffff, 0x8000, 0]);
    let gray = DynamicImage::ImageLuma8(image::GrayImage::from_pixel(3, 3, image::Luma([77])));
    let picture = decode(&encode(&gray, ImageFormat::Png)).expect("decodes");
    assert_eq!((picture.pixels.channels(), bytes_of(&picture)), (Channels::L, &[77; 9][..]));
    let clear = DynamicImage::ImageRgba8(image::RgbaImage::from_pixel(3, 3, image::Rgba([9, 8, 7, 6])));
    let picture = decode(&encode(&clear, ImageFormat::Png)).expect("decodes");
    assert_eq!((picture.info.layout, &bytes_of(&picture)[..4]), (PixelLayout::RGBA8, &[9, 8, 7, 6][..]));
}

/// A PNG whose header declares `width` x `height` RGB pixels, with next to no data.
fn bomb(width: u32, height: u32) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend_from_slice(&width.to_be_bytes());
    header.extend_from_slice(&height.to_be_bytes());
    header.extend_from_slice(&[8, 2, 0, 0, 0]);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for chunk in [header, b"IDAT\x78\x9c".to_vec()] {
        bytes.extend_from_slice(&u32::try_from(chunk.len() - 4).expect("short").to_be_bytes());
        bytes.extend_from_slice(&chunk);
        bytes.extend_from_slice(&crc(&chunk).to_be_bytes());
    }
    bytes
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[test]
fn decompression_bomb_is_rejected_from_its_header() {
    let refused = decode(&bomb(30_000, 30_000));
    assert!(matches!(refused, Err(DecodeError::TooManyPixels { size: Size { width: 30_000, .. }, .. })), "{refused:?}");
    assert!(refused.expect_err("refused").to_string().contains("900 megapixels"));
}

#[test]
fn sixteen_bit_images_count_by_their_bytes() {
    let deep = image::ImageBuffer::from_pixel(100, 100, image::Rgba([1_u16, 2, 3, 4]));
    let bytes = encode(&DynamicImage::ImageRgba16(deep), ImageFormat::Png);
    let limits = DecodeLimits { memory_budget: 48_000, ..DecodeLimits::default() };
    let refused = decode_bytes(&bytes, &limits);
    assert!(matches!(refused, Err(DecodeError::TooMuchMemory { bytes: 80_000, limit: 48_000 })), "{refused:?}");
}

#[test]
fn oversized_animation_frame_is_rejected_before_allocation() {
    // A screen of 64 x 64 pixels, then a frame that declares 65535 x 65535: 17 GB.
    let mut gif = b"GIF89a\x40\0\x40\0\x80\0\0\0\0\0\xff\xff\xff".to_vec();
    gif.extend_from_slice(b"\x2c\0\0\0\0\xff\xff\xff\xff\0\x02\x02\x44\x01\0\x3b");
    let refused = decode(&gif).expect_err("refused").to_string();
    assert!(refused.contains("memory"), "{refused}");
}

#[test]
fn unsupported_content_is_reported_by_name() {
    let found = |bytes: &[u8]| match decode(bytes) {
        Err(DecodeError::UnknownFormat { found }) => found,
        other => panic!("{other:?}"),
    };
    assert!(matches!(decode(b""), Err(DecodeError::Empty)));
    assert_eq!(found(b"just some words\n"), Some("text"));
    assert_eq!(found(b"\0\0\0\x10ftypisom\0\0\0\0"), Some("a video or another ISO media file"));
    assert_eq!(found(&[0, 1, 2, 3]), None);
}

#[test]
fn truncated_files_are_damaged_or_rejected() {
    let photo = image::RgbImage::from_fn(200, 200, |x, y| image::Rgb([(x * y) as u8, (x ^ y) as u8, (x + y) as u8]));
    let jpeg = encode(&photo.clone().into(), ImageFormat::Jpeg);
    assert_eq!(decode(&jpeg).expect("decodes").info.damage, None);
    assert!(decode(&jpeg[..jpeg.len() * 6 / 10]).expect("decodes in part").info.damage.is_some());
    assert!(matches!(decode(&jpeg[..120]), Err(DecodeError::Broken { format: "JPEG", .. })));
    let png = encode(&photo.into(), ImageFormat::Png);
    let cut = decode(&png[..png.len() / 2]).expect("decodes in part").info.damage.expect("is damaged");
    assert!(cut.missing_rows > 0 && cut.missing_rows < cut.rows, "{cut:?}");
    assert!(matches!(decode(&png[..40]), Err(DecodeError::Broken { format: "PNG", .. })));
}

#[test]
fn folders_and_missing_and_large_files_have_different_errors() {
    let folder = tempfile::tempdir().expect("created");
    let limits = DecodeLimits { max_file_bytes: 3, ..DecodeLimits::default() };
    assert!(matches!(decode_file(folder.path(), &limits), Err(DecodeError::NotAFile)));
    let file = folder.path().join("a.jpg");
    assert!(matches!(decode_file(&file, &limits), Err(DecodeError::Unreadable(_))));
    std::fs::write(&file, b"four").expect("written");
    assert!(matches!(decode_file(&file, &limits), Err(DecodeError::FileTooLarge { bytes: 4, limit: 3 })));
}

/// A JPEG whose EXIF block has one SHORT entry, orientation `value`.
fn with_orientation(jpeg: &[u8], value: u16) -> Vec<u8> {
    let mut exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01".to_vec();
    exif.extend_from_slice(&value.to_be_bytes());
    exif.extend_from_slice(&[0, 0, 0, 0, 0, 0]);
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xe1];
    bytes.extend_from_slice(&u16::try_from(exif.len() + 2).expect("short").to_be_bytes());
    bytes.extend_from_slice(&exif);
    bytes.extend_from_slice(&jpeg[2..]);
    bytes
}

#[test]
fn all_orientations_are_decoded_upright() {
    // Upright: red top left, green top right, blue bottom left, white bottom right.
    let upright = image::RgbImage::from_fn(96, 64, |x, y| match (x < 48, y < 32) {
        (true, true) => image::Rgb([255, 0, 0]),
        (false, true) => image::Rgb([0, 255, 0]),
        (true, false) => image::Rgb([0, 0, 255]),
        (false, false) => image::Rgb([255, 255, 255]),
    });
    let undone = [1_u8, 2, 3, 4, 5, 8, 7, 6]; // The inverse of each: quarter turns invert one another.
    for value in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 65_535] {
        let mut stored = DynamicImage::from(upright.clone());
        let as_meant = if (1..=8).contains(&value) { value } else { 1 };
        let undo = undone[usize::from(as_meant) - 1];
        stored.apply_orientation(image::metadata::Orientation::from_exif(undo).expect("one of eight"));
        let picture = decode(&with_orientation(&encode(&stored, ImageFormat::Jpeg), value)).expect("decodes");
        assert_eq!(picture.size(), Size::new(96, 64), "orientation {value}");
        let at = |x: usize, y: usize| &bytes_of(&picture)[(y * 96 + x) * 3..][..3];
        assert!(at(10, 10)[0] > 200 && at(10, 10)[1] < 60, "red at the top left for {value}: {:?}", at(10, 10));
        assert!(at(80, 10)[1] > 200 && at(80, 10)[0] < 60, "green at the top right for {value}: {:?}", at(80, 10));
        assert!(at(10, 55)[2] > 200 && at(10, 55)[0] < 60, "blue at the bottom left for {value}: {:?}", at(10, 55));
    }
}

#[test]
fn partial_decodes_match_the_whole_image_for_all_orientations() {
    use crate::{Filter, SourceBox, resize};

    // Waves and an edge, without mirror symmetry.
    let (width, height) = (400_u32, 304_u32);
    let wave = |at: f32| (at.sin() * 90.0 + 128.0) as u8;
    let photo: Vec<u8> = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x as f32, y as f32)))
        .flat_map(|(x, y)| [wave(x / 19.0 + y / 50.0), wave(y / 27.0), if x > 2.0 * y { 200 } else { 90 }])
        .collect();
    let encoder = libjpeg_turbo_rs::Encoder::new(&photo, 400, 304, libjpeg_turbo_rs::PixelFormat::Rgb).quality(90);
    for jpeg in [encoder.encode(), encoder.restart_rows(1).encode()] {
        let jpeg = jpeg.expect("encodes");
        for value in 1..=8 {
            let file = PhotoFile::from_bytes(with_orientation(&jpeg, value), &DecodeLimits::default()).expect("reads");
            let whole = file.decode(&DecodeRequest::Full).expect("decodes");
            assert!(file.decodes_in_part() && whole.place == Place::WHOLE);
            for (x, y, side, output) in [(150, 90, 100, 100), (90, 140, 120, 60), (17, 33, 97, 97), (-40, -30, 160, 40)]
            {
                let frame = PixelRect::new(x, y, side, side);
                let output = Size::new(output, output);
                let part = file.decode(&DecodeRequest::Frames(vec![(frame, output)])).expect("decodes");
                let what = format!("orientation {value}, {frame:?}: {:?} at {:?}", part.pixels, part.place);
                assert_eq!(part.place.reduction, side / output.width, "{what}");
                assert!(part.pixels.size().pixels() * 2 < whole.pixels.size().pixels(), "{what}");
                assert_eq!(part.size(), whole.size());
                let visible = frame.clipped_to(part.size()).expect("inside");
                let area = SourceBox {
                    x: f64::from(visible.x),
                    y: f64::from(visible.y),
                    width: f64::from(visible.width),
                    height: f64::from(visible.height),
                };
                let to = Size::new(visible.width / part.place.reduction, visible.height / part.place.reduction);
                let render = |picture: &Picture, filter| {
                    let crop = resize(&picture.pixels, picture.source_box(area), to, filter).expect("resizes");
                    crop.as_u8().expect("8 bits").to_vec()
                };
                // Reduced by the decoder or by averaging: the same except for rounding and slight differences in
                // sharpness at edges.
                let (max, mean) = if part.place.reduction == 1 { (1, 0.1) } else { (40, 1.5) };
                let pairs: Vec<u8> = render(&part, Filter::Area)
                    .iter()
                    .zip(render(&whole, Filter::Area))
                    .map(|(part, whole)| part.abs_diff(whole))
                    .collect();
                let average = pairs.iter().copied().map(f64::from).sum::<f64>() / pairs.len() as f64;
                assert!(
                    pairs.iter().all(|pair| *pair <= max) && average <= mean,
                    "{what}: {:?} {average}",
                    pairs.iter().max()
                );
            }
            let small = file.decode(&DecodeRequest::LongSide(100)).expect("decodes");
            let shown = Size::new(whole.size().width / 4, whole.size().height / 4);
            assert_eq!((small.place.reduction, small.pixels.size()), (4, shown), "orientation {value}");
            let average = resize(&whole.pixels, whole.whole_box(), shown, Filter::Area).expect("resizes");
            let pairs = bytes_of(&small).iter().zip(average.as_u8().expect("8 bits"));
            let mean = pairs.map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / (shown.pixels() * 3) as f64;
            assert!(mean < 2.0, "orientation {value}: {mean}");
        }
    }
}
