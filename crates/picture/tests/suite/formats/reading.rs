//! Decoded features of each format.

use image::{DynamicImage, ImageFormat};

use geometry::{PixelRect, Size};
use outcome::{Channels, DecodeError, PictureFormat};
use picture::{DecodeRequest, Metadata, Pixels, decode_bytes};
use recipe::DecodeLimits;

use super::{Cell, Row, assert_metadata, assert_p3, cell, decoded, header};
use crate::pictures::{
    self, Extras, IPTC, P3_COLOUR, XMP, avif, bmp_with_profile, deep_photo, exif, gif_with_profile, jpeg, p3, photo,
    plain, png, quadrants, raw, test_file, tiff, webp, with_alpha, written,
};

pub(super) const COLUMNS: [&str; 8] =
    ["orientation", "colour profile", "depth", "grey", "alpha", "metadata", "truncated file", "partial decoding"];

type Make = fn(&DynamicImage, &Extras) -> Vec<u8>;

pub(super) fn rows() -> Vec<Row<8>> {
    let mut rows = vec![of_jpeg(), of_png(), of_webp(), of_gif(), of_bmp(), of_tiff()];
    rows.extend([of_avif(), of_heic(), of_jxl(), of_raw(), of_qoi(), of_pnm(), of_tga(), of_ico()]);
    rows
}

fn of_jpeg() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Jpeg;
    let cells = [
        orientation("yes: EXIF", FORMAT, |picture, value| jpeg(picture, &exif_extras(value))),
        profile(FORMAT, jpeg),
        cell("8 bits; 12-bit and lossless JPEG are rejected", || {
            let mut bytes = jpeg(&small(), &Extras::default());
            let frame = bytes.windows(2).position(|marker| marker == [0xff, 0xc0]).expect("a frame header");
            bytes[frame + 4] = 12;
            assert_refused(&bytes, "12 bits");
        }),
        grey(FORMAT, |picture| jpeg(picture, &Extras::default())),
        never(FORMAT, "no: the format has none", |_| jpeg(&small(), &Extras::default())),
        metadata(FORMAT, "EXIF, XMP, IPTC", jpeg, true, true),
        rows_kept(FORMAT, || jpeg(&small(), &Extras::default())),
        in_part(FORMAT, || jpeg(&large(), &Extras::default())),
    ];
    Row { format: "JPEG", cells }
}

fn of_png() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Png;
    let cells = [
        orientation("yes: EXIF", FORMAT, |picture, value| png(picture, &exif_extras(value))),
        profile(FORMAT, png),
        deep(FORMAT, || png(&deep_photo(40, 30), &Extras::default())),
        grey(FORMAT, |picture| png(picture, &Extras::default())),
        alpha(FORMAT, || png(&with_alpha(&photo(40, 30)), &Extras::default())),
        metadata(FORMAT, "EXIF, XMP, IPTC", png, true, true),
        rows_kept(FORMAT, || png(&small(), &Extras::default())),
        whole(FORMAT, || png(&large(), &Extras::default())),
    ];
    Row { format: "PNG", cells }
}

fn of_webp() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::WebP;
    let cells = [
        orientation("yes: EXIF", FORMAT, |picture, value| webp(picture, &exif_extras(value))),
        profile(FORMAT, webp),
        shallow("8 bits", FORMAT, || webp(&small(), &Extras::default())),
        always_colour("no: the format has none", FORMAT, || webp(&small().to_luma8().into(), &Extras::default())),
        alpha(FORMAT, || webp(&with_alpha(&photo(40, 30)), &Extras::default())),
        metadata(FORMAT, "EXIF, XMP", webp, true, false),
        refused(FORMAT, || webp(&small(), &Extras::default())),
        whole(FORMAT, || webp(&large(), &Extras::default())),
    ];
    Row { format: "WebP", cells }
}

fn of_gif() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Gif;
    let file = || written(&small(), ImageFormat::Gif);
    let cells = [
        never(FORMAT, "no: the format has none", move |_| file()),
        cell("yes", || {
            let picture = decoded(&gif_with_profile(&plain(P3_COLOUR), &p3()), FORMAT);
            assert_p3(&picture.expect("decodes"));
        }),
        shallow("8 bits", FORMAT, file),
        always_colour("no: palettes are in colour", FORMAT, || {
            written(&small().grayscale().to_rgb8().into(), ImageFormat::Gif)
        }),
        cell("yes: on or off", || {
            let picture = decoded(&written(&with_alpha(&photo(40, 30)), ImageFormat::Gif), FORMAT).expect("decodes");
            assert_eq!(picture.pixels.channels(), Channels::Rgba);
            let samples = picture.pixels.as_u8().expect("8 bits");
            assert!(samples.chunks_exact(4).all(|pixel| pixel[3] == 0 || pixel[3] == 255) && samples[3] == 0);
        }),
        no_metadata(FORMAT, file),
        refused(FORMAT, file),
        whole(FORMAT, file),
    ];
    Row { format: "GIF", cells }
}

fn of_bmp() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Bmp;
    let file = || written(&small(), ImageFormat::Bmp);
    let cells = [
        never(FORMAT, "no: the format has none", move |_| file()),
        cell("yes", || {
            let picture = decoded(&bmp_with_profile(P3_COLOUR, &p3()), FORMAT);
            assert_p3(&picture.expect("decodes"));
        }),
        shallow("8 bits", FORMAT, file),
        always_colour("no: palettes are in colour", FORMAT, || written(&small().to_luma8().into(), ImageFormat::Bmp)),
        alpha(FORMAT, || written(&with_alpha(&photo(40, 30)), ImageFormat::Bmp)),
        no_metadata(FORMAT, file),
        refused(FORMAT, file),
        whole(FORMAT, file),
    ];
    Row { format: "BMP", cells }
}

fn of_tiff() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Tiff;
    let cells = [
        orientation("yes: its tag", FORMAT, |picture, value| tiff(picture, &Extras::default(), value)),
        profile(FORMAT, |picture, extras| tiff(picture, extras, 1)),
        deep(FORMAT, || written(&deep_photo(40, 30), ImageFormat::Tiff)),
        grey(FORMAT, |picture| tiff(picture, &Extras::default(), 1)),
        alpha(FORMAT, || tiff(&with_alpha(&photo(40, 30)), &Extras::default(), 1)),
        metadata(FORMAT, "EXIF, XMP, IPTC", |picture, extras| tiff(picture, extras, 1), true, true),
        refused(FORMAT, || tiff(&small(), &Extras::default(), 1)),
        whole(FORMAT, || tiff(&large(), &Extras::default(), 1)),
    ];
    Row { format: "TIFF", cells }
}

fn of_avif() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Avif;
    let cells = [
        transposed(FORMAT, "turned.avif"),
        cell("yes", || assert_p3(&decoded(&super::writing::p3_avif(), FORMAT).expect("decodes"))),
        deep(FORMAT, || avif(&photo(40, 30), true)),
        test_file_grey(FORMAT, "grey.avif"),
        test_file_alpha(FORMAT, "premultiplied.avif"),
        test_file_metadata(FORMAT, "turned.avif"),
        test_file_rejected(FORMAT, "420-full.avif"),
        whole(FORMAT, || test_file("420-full.avif")),
    ];
    Row { format: "AVIF", cells }
}

fn of_heic() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Heic;
    let cells = [
        transposed(FORMAT, "turned.heic"),
        test_file_profile(FORMAT, "p3.heic"),
        cell("16 bits", || {
            let Some(picture) = decoded(&test_file("10-bit.heic"), FORMAT) else { return };
            assert!(is_truly_deep(&picture.pixels));
        }),
        test_file_grey(FORMAT, "grey.heic"),
        test_file_alpha(FORMAT, "alpha.heic"),
        test_file_metadata(FORMAT, "turned.heic"),
        test_file_rejected(FORMAT, "10-bit.heic"),
        cell("no", || {
            if decoded(&test_file("grey.heic"), FORMAT).is_some() {
                assert!(!header(test_file("grey.heic"), FORMAT).decodes_in_part());
            }
        }),
    ];
    Row { format: "HEIC, with libheif", cells }
}

fn of_jxl() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Jxl;
    let cells = [
        transposed(FORMAT, "transposed.jxl"),
        test_file_profile(FORMAT, "p3.jxl"),
        deep(FORMAT, || test_file("grey-16.jxl")),
        test_file_grey(FORMAT, "grey-16.jxl"),
        test_file_alpha(FORMAT, "alpha.jxl"),
        test_file_metadata(FORMAT, "turned.jxl"),
        refused(FORMAT, || test_file("lossless.jxl")),
        whole(FORMAT, || test_file("lossless.jxl")),
    ];
    Row { format: "JPEG XL", cells }
}

fn of_raw() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Raw;
    let file = || raw(&jpeg(&small(), &Extras::default()), 1);
    let cells = [
        orientation("yes: the preview's, or the file's", FORMAT, |picture, value| {
            raw(&jpeg(picture, &Extras::default()), value)
        }),
        profile(FORMAT, |picture, extras| raw(&jpeg(picture, extras), 1)),
        shallow("8 bits: the preview's", FORMAT, file),
        grey(FORMAT, |picture| raw(&jpeg(picture, &Extras::default()), 1)),
        never(FORMAT, "no: previews have none", move |_| file()),
        metadata(
            FORMAT,
            "EXIF, XMP",
            |picture, extras| {
                let preview = Extras { iptc: extras.iptc, ..Extras::default() };
                raw(&jpeg(picture, &preview), 1)
            },
            true,
            false,
        ),
        rows_kept(FORMAT, file),
        in_part(FORMAT, || raw(&jpeg(&large(), &Extras::default()), 1)),
    ];
    Row { format: "raw, its preview", cells }
}

fn of_qoi() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Qoi;
    let file = || written(&small(), ImageFormat::Qoi);
    let cells = [
        never(FORMAT, "no: the format has none", move |_| file()),
        no_profile("no: the format has none", FORMAT, file),
        shallow("8 bits", FORMAT, file),
        always_colour("no: the format has none", FORMAT, file),
        alpha(FORMAT, || written(&with_alpha(&photo(40, 30)), ImageFormat::Qoi)),
        no_metadata(FORMAT, file),
        refused(FORMAT, file),
        whole(FORMAT, file),
    ];
    Row { format: "QOI", cells }
}

fn of_pnm() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Pnm;
    let file = || written(&small(), ImageFormat::Pnm);
    let cells = [
        never(FORMAT, "no: the format has none", move |_| file()),
        no_profile("no: the format has none", FORMAT, file),
        deep(FORMAT, || {
            let deep = deep_photo(40, 30).into_rgb16();
            let samples = deep.iter().flat_map(|sample| sample.to_be_bytes());
            b"P6 40 30 65535\n".iter().copied().chain(samples).collect()
        }),
        grey(FORMAT, |picture| written(picture, ImageFormat::Pnm)),
        alpha(FORMAT, || written(&with_alpha(&photo(40, 30)), ImageFormat::Pnm)),
        no_metadata(FORMAT, file),
        refused(FORMAT, file),
        whole(FORMAT, file),
    ];
    Row { format: "PNM", cells }
}

fn of_tga() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Tga;
    let file = || written(&small(), ImageFormat::Tga);
    let cells = [
        never(FORMAT, "no: the format has none", move |_| file()),
        no_profile("no: the format has none", FORMAT, file),
        shallow("8 bits", FORMAT, file),
        grey(FORMAT, |picture| written(picture, ImageFormat::Tga)),
        alpha(FORMAT, || written(&with_alpha(&photo(40, 30)), ImageFormat::Tga)),
        no_metadata(FORMAT, file),
        refused(FORMAT, file),
        whole(FORMAT, file),
    ];
    Row { format: "TGA", cells }
}

fn of_ico() -> Row<8> {
    const FORMAT: PictureFormat = PictureFormat::Ico;
    let file = || written(&small(), ImageFormat::Ico);
    let cells = [
        cell("no: EXIF in icons is ignored", || {
            let picture = decoded(&icon(&png(&small(), &exif_extras(6))), FORMAT).expect("decodes");
            assert_eq!((picture.size(), &*picture.info.metadata), (Size::new(40, 30), &Metadata::default()));
        }),
        cell("yes: from an embedded PNG", || {
            let inside = png(&plain(P3_COLOUR), &Extras { profile: Some(p3()), ..Extras::default() });
            assert_p3(&decoded(&icon(&inside), FORMAT).expect("decodes"));
        }),
        deep(FORMAT, || icon(&png(&deep_photo(40, 30), &Extras::default()))),
        grey(FORMAT, |picture| icon(&png(picture, &Extras::default()))),
        alpha(FORMAT, || written(&with_alpha(&photo(40, 30)), ImageFormat::Ico)),
        no_metadata(FORMAT, file),
        cell("rejected", || {
            assert_refused_cut(FORMAT, &icon(&png(&small(), &Extras::default())));
            assert_refused_cut(FORMAT, &icon(&written(&small(), ImageFormat::Bmp)[14..]));
        }),
        whole(FORMAT, file),
    ];
    Row { format: "ICO", cells }
}

fn small() -> DynamicImage {
    photo(40, 30).into()
}

fn large() -> DynamicImage {
    photo(320, 240).into()
}

fn exif_extras(orientation: u16) -> Extras {
    Extras { exif: Some(exif(orientation)), ..Extras::default() }
}

/// An icon with one image: a PNG, or a bitmap without its file header.
fn icon(picture: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 0, 1, 0, 1, 0, 40, 30, 0, 0, 1, 0, 24, 0];
    bytes.extend((picture.len() as u32).to_le_bytes());
    bytes.extend(22_u32.to_le_bytes());
    bytes.extend(picture);
    bytes
}

/// An image with any of the eight orientations is decoded upright.
fn orientation(text: &'static str, format: PictureFormat, make: fn(&DynamicImage, u16) -> Vec<u8>) -> Cell {
    cell(text, move || {
        // The inverse of each orientation: quarter turns invert one another.
        for (value, undo) in (1..).zip([1, 2, 3, 4, 5, 8, 7, 6]) {
            let mut stored = DynamicImage::from(quadrants(96, 64));
            stored.apply_orientation(image::metadata::Orientation::from_exif(undo).expect("one of eight"));
            let picture = decoded(&make(&stored, value), format).expect("decodes");
            assert_eq!(picture.size(), Size::new(96, 64), "orientation {value}");
            let samples = picture.pixels.as_u8().expect("8 bits");
            let brightest = |x: usize, y: usize| {
                let pixel = &samples[(y * 96 + x) * 3..][..3];
                pixel.iter().map(|sample| *sample > 128).collect::<Vec<_>>()
            };
            assert_eq!(brightest(20, 15), [true, false, false], "red for {value}");
            assert_eq!(brightest(75, 15), [false, true, false], "green for {value}");
            assert_eq!(brightest(20, 48), [false, false, true], "blue for {value}");
        }
    })
}

/// A stored test image with a transpose is decoded upright.
fn transposed(format: PictureFormat, name: &'static str) -> Cell {
    cell("yes: the format's own", move || {
        let Some(picture) = decoded(&test_file(name), format) else { return };
        let face = image::load_from_memory(&test_file("face.png")).expect("decodes").to_rgb8();
        let (width, height) = face.dimensions();
        assert_eq!(picture.size(), Size::new(height, width));
        let samples = picture.pixels.as_u8().expect("8 bits");
        let difference: u32 = face
            .enumerate_pixels()
            .map(|(x, y, pixel)| {
                let rotated = &samples[((x * height + y) * 3) as usize..][..3];
                pixel.0.iter().zip(rotated).map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>()
            })
            .sum();
        assert!(difference < width * height * 3 * 8, "{difference}");
    })
}

/// Formats without orientation or transparency return neither.
fn never(format: PictureFormat, text: &'static str, make: impl Fn(&DynamicImage) -> Vec<u8> + 'static) -> Cell {
    cell(text, move || {
        let picture = decoded(&make(&small()), format).expect("decodes");
        assert_eq!((picture.size(), picture.pixels.channels().has_alpha()), (Size::new(40, 30), false));
    })
}

fn profile(format: PictureFormat, make: Make) -> Cell {
    cell("yes", move || {
        let extras = Extras { profile: Some(p3()), ..Extras::default() };
        let picture = decoded(&make(&plain(P3_COLOUR), &extras), format).expect("decodes");
        assert!(picture.info.icc_profile == extras.profile.map(Into::into), "it is the same profile");
        assert_p3(&picture);
    })
}

fn test_file_profile(format: PictureFormat, name: &'static str) -> Cell {
    cell("yes", move || {
        if let Some(picture) = decoded(&test_file(name), format) {
            assert_p3(&picture);
        }
    })
}

fn no_profile(text: &'static str, format: PictureFormat, make: fn() -> Vec<u8>) -> Cell {
    cell(text, move || assert_eq!(decoded(&make(), format).expect("decodes").info.icc_profile, None))
}

/// 16 bits are preserved, not 8 bits repeated.
fn deep(format: PictureFormat, make: fn() -> Vec<u8>) -> Cell {
    cell("16 bits", move || {
        let pixels = decoded(&make(), format).expect("decodes").pixels;
        assert!(is_truly_deep(&pixels), "more than eight bits of it");
    })
}

fn is_truly_deep(pixels: &Pixels) -> bool {
    pixels.as_u16().is_some_and(|samples| samples.iter().any(|sample| sample % 257 != 0))
}

fn shallow(text: &'static str, format: PictureFormat, make: impl Fn() -> Vec<u8> + 'static) -> Cell {
    cell(text, move || assert!(decoded(&make(), format).expect("decodes").pixels.as_u8().is_some()))
}

fn grey(format: PictureFormat, make: fn(&DynamicImage) -> Vec<u8>) -> Cell {
    cell("yes", move || {
        let picture = decoded(&make(&small().to_luma8().into()), format).expect("decodes");
        assert_eq!(picture.pixels.channels(), Channels::L);
    })
}

fn test_file_grey(format: PictureFormat, name: &'static str) -> Cell {
    cell("yes", move || {
        let Some(picture) = decoded(&test_file(name), format) else { return };
        assert_eq!(picture.pixels.channels(), Channels::L);
    })
}

fn always_colour(text: &'static str, format: PictureFormat, make: fn() -> Vec<u8>) -> Cell {
    cell(text, move || assert!(!decoded(&make(), format).expect("decodes").pixels.channels().is_grey()))
}

/// Alpha goes from 0 at the top to 255 at the bottom, and colours are not premultiplied.
fn alpha(format: PictureFormat, make: fn() -> Vec<u8>) -> Cell {
    cell("yes", move || {
        let pixels = decoded(&make(), format).expect("decodes").pixels;
        assert_eq!(pixels.channels(), Channels::Rgba);
        let (samples, expected) = (pixels.as_u8().expect("8 bits"), with_alpha(&photo(40, 30)));
        assert!(samples == expected.as_bytes(), "the written samples");
    })
}

fn test_file_alpha(format: PictureFormat, name: &'static str) -> Cell {
    cell("yes", move || {
        let Some(picture) = decoded(&test_file(name), format) else { return };
        let samples = picture.pixels.as_u8().expect("8 bits");
        assert_eq!(picture.pixels.channels(), Channels::Rgba);
        assert!(samples[3] < 20 && samples[samples.len() - 1] > 235, "a ramp of alpha");
    })
}

fn metadata(format: PictureFormat, text: &'static str, make: Make, xmp: bool, iptc: bool) -> Cell {
    cell(text, move || {
        let extras = Extras { exif: Some(exif(1)), xmp: Some(XMP), iptc: Some(IPTC), ..Extras::default() };
        let file = header(make(&small(), &extras), format);
        assert_metadata(&file.info().metadata, xmp, iptc);
    })
}

fn test_file_metadata(format: PictureFormat, name: &'static str) -> Cell {
    cell("EXIF, XMP", move || {
        let Some(picture) = decoded(&test_file(name), format) else { return };
        assert_metadata(&picture.info.metadata, true, false);
    })
}

fn no_metadata(format: PictureFormat, make: impl Fn() -> Vec<u8> + 'static) -> Cell {
    cell("no", move || assert_eq!(*header(make(), format).info().metadata, Metadata::default()))
}

/// In a truncated file the rows before the cut are correct, and the number of missing rows is reported.
fn rows_kept(format: PictureFormat, make: impl Fn() -> Vec<u8> + 'static) -> Cell {
    cell("intact rows are kept", move || {
        let bytes = make();
        let intact = decoded(&bytes, format).expect("decodes").pixels;
        let picture = decode_bytes(&bytes[..bytes.len() * 7 / 10], &DecodeLimits::default()).expect("decodes in part");
        let damage = picture.info.damage.expect("reported");
        assert_eq!((damage.rows, picture.pixels.size()), (30, intact.size()));
        assert!((1..30).contains(&damage.missing_rows), "{damage}");
        let (samples, intact) = (picture.pixels.as_u8().expect("8 bits"), intact.as_u8().expect("8 bits"));
        let read = intact.len() / 30 * (30 - damage.missing_rows) as usize;
        assert!(samples[..read] == intact[..read], "rows before the cut are right");
    })
}

/// A truncated file is rejected with a reason.
fn refused(format: PictureFormat, make: impl Fn() -> Vec<u8> + 'static) -> Cell {
    cell("rejected", move || assert_refused_cut(format, &make()))
}

fn test_file_rejected(format: PictureFormat, name: &'static str) -> Cell {
    cell("rejected", move || {
        let bytes = test_file(name);
        if decoded(&bytes, format).is_some() {
            assert_refused_cut(format, &bytes);
        }
    })
}

#[track_caller]
fn assert_refused_cut(format: PictureFormat, bytes: &[u8]) {
    assert!(decoded(bytes, format).is_some());
    for length in [bytes.len() / 2, bytes.len() * 9 / 10] {
        let refused = decode_bytes(&bytes[..length], &DecodeLimits::default());
        assert!(matches!(refused, Err(DecodeError::Broken { .. })), "{length} of {}: {refused:?}", bytes.len());
    }
}

/// A reduced image and a region cost less than the whole.
fn in_part(format: PictureFormat, make: fn() -> Vec<u8>) -> Cell {
    cell("at 1/2, 1/4, 1/8, and parts", move || {
        let file = header(make(), format);
        assert!(file.decodes_in_part());
        for (side, reduction) in [(160, 2), (80, 4), (40, 8)] {
            let picture = file.decode(&DecodeRequest::LongSide(side)).expect("decodes");
            assert_eq!((picture.place.reduction, picture.pixels.size().width), (reduction, side));
        }
        let frame = (PixelRect::new(100, 80, 40, 40), Size::new(40, 40));
        let part = file.decode(&DecodeRequest::Frames(vec![frame])).expect("decodes");
        assert!(part.pixels.size().pixels() < 320 * 240 / 4, "{}", part.pixels.size());
    })
}

fn whole(format: PictureFormat, make: impl Fn() -> Vec<u8> + 'static) -> Cell {
    cell("no", move || {
        let file = header(make(), format);
        let picture = file.decode(&DecodeRequest::LongSide(1)).expect("decodes");
        assert_eq!((file.decodes_in_part(), picture.pixels.size()), (false, file.size()));
    })
}

fn assert_refused(bytes: &[u8], reason: &str) {
    match decode_bytes(bytes, &DecodeLimits::default()) {
        Err(error @ DecodeError::Unsupported { .. }) => assert!(error.to_string().contains(reason), "{error}"),
        other => panic!("{other:?}"),
    }
}

/// Every supported input format has a row, and a seed for the corruption test.
#[test]
fn every_format_has_a_row_and_a_seed() {
    use std::collections::BTreeSet;
    let named: BTreeSet<&str> = pictures::seeds().iter().map(|(format, _)| format.name()).collect();
    let rows = rows();
    let formats: BTreeSet<&str> = rows.iter().filter_map(|row| row.format.split(',').next()).collect();
    assert_eq!(named, formats);
    assert_eq!(formats.len(), 14);
}
