//! Tests of the pixels in each format.

use outcome::PictureFormat;
use recipe::DecodeLimits;

use super::*;
use crate::{decode_bytes, from_srgb, to_srgb};

/// `image` as pixels.
fn pixels_of(image: &DynamicImage) -> Pixels {
    let size = Size::new(image.width(), image.height());
    let (channels, samples) = match image.clone() {
        DynamicImage::ImageLuma8(image) => (Channels::L, Samples::U8(image.into_raw())),
        DynamicImage::ImageLumaA8(image) => (Channels::La, Samples::U8(image.into_raw())),
        DynamicImage::ImageRgb8(image) => (Channels::Rgb, Samples::U8(image.into_raw())),
        DynamicImage::ImageRgba8(image) => (Channels::Rgba, Samples::U8(image.into_raw())),
        DynamicImage::ImageLuma16(image) => (Channels::L, Samples::U16(image.into_raw())),
        DynamicImage::ImageLumaA16(image) => (Channels::La, Samples::U16(image.into_raw())),
        DynamicImage::ImageRgb16(image) => (Channels::Rgb, Samples::U16(image.into_raw())),
        DynamicImage::ImageRgba16(image) => (Channels::Rgba, Samples::U16(image.into_raw())),
        other => panic!("{:?}", other.color()),
    };
    Pixels::new(size, channels, samples).expect("fits")
}

/// The maximum difference of 8-bit samples.
fn difference(a: &Pixels, b: &Pixels) -> u8 {
    assert_eq!((a.size(), a.layout()), (b.size(), b.layout()));
    let pairs = a.as_u8().expect("8 bits").iter().zip(b.as_u8().expect("8 bits"));
    pairs.map(|(a, b)| a.abs_diff(*b)).max().expect("not empty")
}

#[test]
fn png_and_tiff_are_lossless_at_every_compression() {
    for format in [OutputFormat::Png, OutputFormat::Tiff] {
        for compression in Compression::ALL {
            for (channels, deep) in KINDS.into_iter().chain([(Channels::La, true)]) {
                let crop = slope(channels, deep);
                let encoded = encode(&crop, &EncodeSpec { compression, ..spec(format) });
                let back = if format == OutputFormat::Tiff {
                    tiff_pixels(&encoded.bytes)
                } else {
                    pixels_of(&read(&encoded.bytes))
                };
                assert!(back == crop.pixels, "{} {compression:?} {channels:?} {deep}", format.name());
                assert_eq!(messages(&encoded.notes), [""; 0]);
            }
        }
    }
}

fn tiff_pixels(file: &[u8]) -> Pixels {
    let mut decoder = ::tiff::decoder::Decoder::new(Cursor::new(file)).expect("a TIFF");
    let (width, height) = decoder.dimensions().expect("has a size");
    let channels = match decoder.colortype().expect("known") {
        ::tiff::ColorType::Gray(_) => Channels::L,
        ::tiff::ColorType::GrayA(_) | ::tiff::ColorType::Multiband { num_samples: 2, .. } => Channels::La,
        ::tiff::ColorType::RGB(_) => Channels::Rgb,
        ::tiff::ColorType::RGBA(_) => Channels::Rgba,
        other => panic!("{other:?}"),
    };
    let extra = decoder.find_tag(::tiff::tags::Tag::ExtraSamples).expect("readable");
    assert_eq!(extra.map(|extra| extra.into_u16().expect("a number")), channels.has_alpha().then_some(2));
    let samples = match decoder.read_image().expect("decodes") {
        ::tiff::decoder::DecodingResult::U8(samples) => Samples::U8(samples),
        ::tiff::decoder::DecodingResult::U16(samples) => Samples::U16(samples),
        _ => panic!("neither 8 nor 16 bits"),
    };
    Pixels::new(Size::new(width, height), channels, samples).expect("fits")
}

#[test]
fn lossless_webp_loses_only_depth_and_grey() {
    for compression in Compression::ALL {
        for (channels, deep) in KINDS {
            let crop = slope(channels, deep);
            let encoded = encode(&crop, &EncodeSpec { compression, ..spec(OutputFormat::WebP) });
            let expected = crop.pixels.clone().into_8_bits().into_channels(channels.in_colour());
            assert!(pixels_of(&read(&encoded.bytes)) == expected, "{compression:?} {channels:?} {deep}");
            assert_eq!(messages(&encoded.notes), if deep { vec!["16 bits reduced to 8"] } else { vec![] });
        }
    }
    let hidden = flat(Channels::Rgba, &[200, 100, 50, 0]);
    for compression in Compression::ALL {
        let file = encode(&hidden, &EncodeSpec { compression, ..spec(OutputFormat::WebP) }).bytes;
        assert!(pixels_of(&read(&file)) == hidden.pixels, "{compression:?}");
    }
}

#[test]
fn lossy_webp_is_close_with_exact_alpha() {
    for (channels, deep) in KINDS {
        let crop = slope(channels, deep);
        let file = encode(&crop, &EncodeSpec { lossless: false, ..spec(OutputFormat::WebP) }).bytes;
        let expected = crop.pixels.clone().into_8_bits().into_channels(channels.in_colour());
        let back = pixels_of(&read(&file));
        assert!(difference(&back, &expected) <= 14, "{channels:?} {deep}: {}", difference(&back, &expected));
        if channels.has_alpha() {
            let alpha = |pixels: &Pixels| -> Vec<u8> {
                pixels.as_u8().expect("8 bits").iter().skip(3).step_by(4).copied().collect()
            };
            assert_eq!(alpha(&back), alpha(&expected));
        }
        let smaller = encode(&crop, &EncodeSpec { lossless: false, quality: 30, ..spec(OutputFormat::WebP) }).bytes;
        assert!(smaller.len() < file.len());
    }
}

#[test]
fn jpeg_is_close_to_the_flattened_crop_and_keeps_grey() {
    let fill = Color { rgb: [200; 3] };
    for (channels, deep) in KINDS {
        let crop = slope(channels, deep);
        for (progressive, subsampling) in
            [(false, Subsampling::Full), (true, Subsampling::Full), (false, Subsampling::Half)]
        {
            let spec = EncodeSpec { progressive, subsampling, ..spec(OutputFormat::Jpeg) };
            let file = encode_crop(&crop, &spec, fill).expect("encodes").bytes;
            let expected = on_fill(&crop.pixels, 200);
            let worst = difference(&pixels_of(&read(&file)), &expected);
            assert!(worst <= 8, "{channels:?} {deep} {subsampling:?}: {worst}");
            let frame =
                segments(&file).into_iter().find(|(marker, _)| matches!(marker, 0xC0..=0xC2)).expect("has a frame");
            assert_eq!(frame.0, if progressive { 0xC2 } else { 0xC0 });
            let sampling = if channels.is_grey() || subsampling == Subsampling::Full { 0x11 } else { 0x22 };
            assert_eq!(
                (frame.1[5], frame.1[7]),
                (channels.in_colour().without_alpha().count() as u8 - if channels.is_grey() { 2 } else { 0 }, sampling)
            );
        }
    }
}

/// `pixels` composited over a grey fill of 8 bits, calculated in floating point.
fn on_fill(pixels: &Pixels, fill: u8) -> Pixels {
    let channels = pixels.channels();
    let flat = channels.without_alpha().count();
    let real: Vec<f64> = match pixels.samples() {
        Samples::U8(samples) => samples.iter().map(|sample| f64::from(*sample) / 255.0).collect(),
        Samples::U16(samples) => samples.iter().map(|sample| f64::from(*sample) / 65_535.0).collect(),
    };
    let mixed = real.chunks_exact(channels.count()).flat_map(|pixel| {
        let alpha = if channels.has_alpha() { pixel[flat] } else { 1.0 };
        let below = f64::from(fill) / 255.0;
        pixel[..flat].iter().map(move |above| ((above * alpha + below * (1.0 - alpha)) * 255.0).round() as u8)
    });
    Pixels::from_u8(pixels.size(), channels.without_alpha(), mixed.collect()).expect("fits")
}

#[test]
fn low_quality_jpegs_are_baseline() {
    let file = encode(&slope(Channels::Rgb, false), &EncodeSpec { quality: 3, ..spec(OutputFormat::Jpeg) }).bytes;
    assert!(segments(&file).iter().any(|(marker, _)| *marker == 0xC0));
}

#[test]
fn hidden_colour_never_leaks_into_a_jpeg() {
    let fill = Color { rgb: [0, 90, 255] };
    for deep in [false, true] {
        for channels in [Channels::Rgba, Channels::La] {
            let count = channels.count();
            let noise = (0..SIZE.pixels() as usize * count).map(|at| {
                if at % count == count - 1 { 0 } else { (at as u32).wrapping_mul(2_654_435_761).to_le_bytes()[3] }
            });
            let noise: Vec<u8> = noise.collect();
            let pixels = if deep {
                Pixels::from_u16(SIZE, channels, noise.iter().map(|sample| u16::from(*sample) * 257).collect())
            } else {
                Pixels::from_u8(SIZE, channels, noise)
            };
            let file =
                encode_crop(&crop_of(pixels.expect("fits")), &spec(OutputFormat::Jpeg), fill).expect("encodes").bytes;
            for pixel in read(&file).to_rgb8().pixels() {
                let worst = pixel.0.iter().zip(fill.rgb).map(|(got, fill)| got.abs_diff(fill)).max();
                assert!(worst <= Some(2), "{pixel:?}");
            }
        }
    }
}

#[test]
fn fill_is_an_srgb_colour_for_every_profile() {
    let fill = Color { rgb: [255, 0, 0] };
    let profile = display_p3();
    let clear = Crop { icc_profile: Some(Arc::clone(&profile)), ..flat(Channels::Rgba, &[0, 255, 0, 0]) };
    let file = encode_crop(&clear, &spec(OutputFormat::Jpeg), fill).expect("encodes").bytes;
    let numbers = from_srgb(fill.rgb, Some(&profile)).map(|sample| (sample / 257) as u8);
    assert!(numbers != fill.rgb, "the profile makes a difference");
    let pixel = read(&file).to_rgb8().get_pixel(9, 9).0;
    assert!(pixel.iter().zip(numbers).all(|(got, expected)| got.abs_diff(expected) <= 2), "{pixel:?} {numbers:?}");
    assert_eq!(profile_of(&file).as_deref(), Some(&*profile));
}

#[test]
fn profiles_are_embedded_unchanged() {
    let long: Arc<[u8]> = (0..200_000_u32).map(|i| (i.wrapping_mul(i) >> 3) as u8).collect();
    for format in [OutputFormat::Jpeg, OutputFormat::Png, OutputFormat::WebP, OutputFormat::Tiff] {
        for profile in [display_p3(), Arc::clone(&long)] {
            for lossless in [true, false] {
                let crop = Crop { icc_profile: Some(Arc::clone(&profile)), ..slope(Channels::Rgba, false) };
                let encoded = encode(&crop, &EncodeSpec { lossless, ..spec(format) });
                assert!(profile_of(&encoded.bytes).as_deref() == Some(&*profile), "{}", format.name());
                assert_eq!(messages(&encoded.notes), [""; 0]);
            }
        }
    }
}

#[test]
fn grey_profiles_are_converted_only_if_grey_becomes_colour() {
    let profile = grey_gamma(1.0);
    let crop = Crop { icc_profile: Some(Arc::clone(&profile)), ..flat(Channels::L, &[60]) };
    for format in [OutputFormat::Jpeg, OutputFormat::Png, OutputFormat::Tiff] {
        let encoded = encode(&crop, &spec(format));
        assert_eq!(profile_of(&encoded.bytes).as_deref(), Some(&*profile), "{}", format.name());
        assert_eq!(messages(&encoded.notes), [""; 0]);
    }
    let encoded = encode(&crop, &spec(OutputFormat::Avif));
    assert!(!contains(&encoded.bytes, b"colrprof"));
    assert_eq!(
        messages(&encoded.notes),
        ["colours were converted to sRGB: AVIF has no greyscale, so a grey profile cannot be used"]
    );
    let encoded = encode(&crop, &spec(OutputFormat::WebP));
    let expected = to_srgb(crop.pixels.clone(), Some(&profile)).as_u8().expect("8 bits")[0];
    assert!(expected > 100, "the profile makes a difference");
    assert_eq!(read(&encoded.bytes).to_rgb8().get_pixel(3, 3).0, [expected; 3]);
    assert_eq!(profile_of(&encoded.bytes), None);
    assert_eq!(
        messages(&encoded.notes),
        ["colours were converted to sRGB: WebP has no greyscale, so a grey profile cannot be used"]
    );
    // On a coloured fill, grey becomes colour.
    let clear = Crop { icc_profile: Some(profile), ..flat(Channels::La, &[60, 0]) };
    let encoded = encode_crop(&clear, &spec(OutputFormat::Jpeg), Color { rgb: [0, 0, 255] }).expect("encodes");
    assert_eq!(profile_of(&encoded.bytes), None);
    assert_eq!(
        messages(&encoded.notes),
        ["colours were converted to sRGB: the fill is coloured, so a grey profile cannot be used"]
    );
}

#[test]
fn srgb_conversion_uses_full_depth_and_embeds_no_profile() {
    let profile = display_p3();
    let crop = Crop { icc_profile: Some(Arc::clone(&profile)), ..slope(Channels::Rgb, true) };
    let srgb = to_srgb(crop.pixels.clone(), Some(&profile));
    for format in [OutputFormat::Png, OutputFormat::Tiff, OutputFormat::WebP] {
        let encoded = encode(&crop, &EncodeSpec { color: ColorPolicy::Srgb, ..spec(format) });
        let expected = if format.is_deep() { srgb.clone() } else { srgb.clone().into_8_bits() };
        assert!(pixels_of(&read(&encoded.bytes)) == expected, "{}", format.name());
        assert_eq!(profile_of(&encoded.bytes), None);
        assert_eq!(png_srgb(format, &encoded.bytes), format == OutputFormat::Png);
    }
    let kept = encode(&crop, &spec(OutputFormat::Png)).bytes;
    assert!(!png_srgb(OutputFormat::Png, &kept));
}

fn png_srgb(format: OutputFormat, file: &[u8]) -> bool {
    format == OutputFormat::Png && png_chunk(file, *b"sRGB").is_some()
}

#[test]
fn colour_is_cleared_if_alpha_rounds_to_zero() {
    let samples = [65_535, 0, 65_535, 100].repeat(SIZE.pixels() as usize);
    let pixels = Pixels::from_u16(SIZE, Channels::Rgba, samples).expect("fits");
    let crop = Crop { pixels, icc_profile: None, metadata: Arc::default() };
    let encoded = encode(&crop, &EncodeSpec { lossless: true, ..spec(OutputFormat::WebP) });
    let read = pixels_of(&read(&encoded.bytes));
    assert_eq!(read.as_u8().expect("8 bits")[..4], [0, 0, 0, 0]);
}

#[test]
fn avif_round_trip_is_close() {
    for (channels, deep) in KINDS {
        let crop = slope(channels, deep);
        let encoded = encode(&crop, &EncodeSpec { quality: 95, ..spec(OutputFormat::Avif) });
        let picture = decode_bytes(&encoded.bytes, &DecodeLimits::default()).expect("decodes");
        assert_eq!((picture.info.format, picture.size()), (PictureFormat::Avif, SIZE));
        let expected = crop.pixels.clone().into_8_bits().into_channels(channels.in_colour());
        assert_eq!(picture.pixels.channels(), expected.channels());
        let read = picture.pixels.into_8_bits();
        let pairs = read.as_u8().expect("8 bits").iter().zip(expected.as_u8().expect("8 bits"));
        let difference: u32 = pairs.map(|(read, written)| u32::from(read.abs_diff(*written))).sum();
        assert!(difference < expected.byte_size() as u32 * 4, "{channels:?}: {difference} in all");
        assert_eq!(messages(&encoded.notes), if deep { vec!["16 bits reduced to 8"] } else { vec![] });
    }
}

fn contains(file: &[u8], part: &[u8]) -> bool {
    file.windows(part.len()).any(|window| window == part)
}

#[test]
fn avif_with_profile_is_decodable() {
    let profile = display_p3();
    for channels in [Channels::Rgb, Channels::Rgba] {
        let plain = slope(channels, false);
        let crop = Crop { icc_profile: Some(Arc::clone(&profile)), ..plain.clone() };
        let exif = Blocks { exif: Some(b"II*\0\x08\0\0\0\0\0\0\0\0\0".to_vec()), ..Blocks::default() };
        let file = |crop| encode_with_blocks(crop, &spec(OutputFormat::Avif), Color::WHITE, &exif).expect("encodes");
        let (with, without) = (file(&crop), file(&plain));
        assert_eq!(messages(&with.notes), [""; 0]);
        assert!(contains(&with.bytes, &[b"colrprof", &*profile].concat()));
        assert_eq!(with.bytes.len(), without.bytes.len() + 12 + profile.len() + 1);
        let read = |file: &Encoded| decode_bytes(&file.bytes, &DecodeLimits::default()).expect("decodes");
        let (with, without) = (read(&with), read(&without));
        assert!(with.pixels == without.pixels, "the same pixels");
        assert!(with.info.icc_profile.as_deref() == Some(&*profile) && without.info.icc_profile.is_none());
    }
}
