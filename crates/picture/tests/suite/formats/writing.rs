//! Encoded features of each format, verified with other decoders if available.

use std::io::Cursor;
use std::sync::Arc;

use geometry::Size;
use outcome::{Channels, CropNote, EncodeError};
use picture::{Crop, Encoded, Metadata, Pixels, decode_bytes, encode_crop};
use recipe::{Color, DecodeLimits, EncodeSpec, MetadataPolicy, OutputFormat};

use super::{Cell, Row, assert_metadata, assert_p3, cell};
use crate::pictures::{IPTC, P3_COLOUR, XMP, deep_photo, exif, p3, photo};

pub(super) const COLUMNS: [&str; 8] =
    ["orientation", "colour profile", "depth", "grey", "alpha", "metadata", "resolution", "target size"];

const SIZE: Size = Size::new(40, 30);

pub(super) fn rows() -> Vec<Row<8>> {
    OutputFormat::ALL.into_iter().map(row).collect()
}

fn row(format: OutputFormat) -> Row<8> {
    let cells = [
        orientation(format),
        profile(format),
        depth(format),
        grey(format),
        alpha(format),
        metadata(format),
        resolution(format),
        target(format),
    ];
    Row { format: format.name(), cells }
}

/// A file of one Display P3 colour.
pub(super) fn p3_avif() -> Vec<u8> {
    encode(&p3_crop(), &spec(OutputFormat::Avif)).bytes
}

fn p3_crop() -> Crop {
    let pixels = Pixels::from_u8(Size::new(16, 16), Channels::Rgb, P3_COLOUR.repeat(256)).expect("fits");
    Crop { icc_profile: Some(p3().into()), ..crop(pixels) }
}

fn crop(pixels: Pixels) -> Crop {
    Crop { pixels, icc_profile: None, metadata: Arc::default() }
}

fn colour(size: Size) -> Crop {
    crop(Pixels::from_u8(size, Channels::Rgb, photo(size.width, size.height).into_raw()).expect("fits"))
}

fn with_metadata() -> Crop {
    let metadata = Metadata { exif: Some(exif(6).into()), xmp: Some(XMP.as_bytes().into()), iptc: Some(IPTC.into()) };
    Crop { metadata: metadata.into(), ..colour(SIZE) }
}

/// The maximum quality of each, with all of the photo's metadata.
fn spec(format: OutputFormat) -> EncodeSpec {
    let metadata = MetadataPolicy::All;
    EncodeSpec { format, quality: 100, avif_speed: 10, lossless: true, metadata, ..EncodeSpec::default() }
}

fn encode(crop: &Crop, spec: &EncodeSpec) -> Encoded {
    encode_crop(crop, spec, Color::WHITE).expect("encodes")
}

fn back(bytes: &[u8]) -> picture::Picture {
    decode_bytes(bytes, &DecodeLimits::default()).expect("decodes")
}

/// The EXIF fields of a file, by another reader.
fn fields(bytes: &[u8]) -> exif::Exif {
    exif::Reader::new().read_from_container(&mut Cursor::new(bytes)).expect("has EXIF")
}

fn number(fields: &exif::Exif, tag: exif::Tag) -> u32 {
    let field = fields.get_field(tag, exif::In::PRIMARY).unwrap_or_else(|| panic!("no {tag}"));
    match &field.value {
        exif::Value::Rational(ratios) => ratios[0].num / ratios[0].denom,
        value => value.get_uint(0).expect("a number"),
    }
}

fn orientation(format: OutputFormat) -> Cell {
    cell("upright, and marked as upright", move || {
        let file = encode(&with_metadata(), &spec(format)).bytes;
        assert_eq!(back(&file).size(), SIZE);
        assert_eq!(number(&fields(&file), exif::Tag::Orientation), 1);
    })
}

fn profile(format: OutputFormat) -> Cell {
    cell("yes", move || {
        let crop = p3_crop();
        let picture = back(&encode(&crop, &spec(format)).bytes);
        assert!(picture.info.icc_profile == crop.icc_profile, "it is the same profile");
        assert_p3(&picture);
    })
}

fn depth(format: OutputFormat) -> Cell {
    let text = match format {
        OutputFormat::Png | OutputFormat::Tiff => "16 bits",
        OutputFormat::Avif => "8 bits, stored as 10: 16 are reduced with a note",
        OutputFormat::Jpeg | OutputFormat::WebP => "8 bits: 16 are reduced with a note",
    };
    cell(text, move || {
        let deep = Pixels::from_u16(SIZE, Channels::Rgb, deep_photo(40, 30).into_rgb16().into_raw()).expect("fits");
        let encoded = encode(&crop(deep.clone()), &spec(format));
        let read = back(&encoded.bytes).pixels;
        if format.is_deep() {
            assert!(read == deep && encoded.notes.is_empty(), "the same samples and no notes");
        } else {
            assert_eq!(encoded.notes, [CropNote::EightBits]);
            assert_eq!(read.layout().deep, format == OutputFormat::Avif);
        }
    })
}

fn grey(format: OutputFormat) -> Cell {
    let text = if format.has_grey() { "yes" } else { "no: converted to RGB" };
    cell(text, move || {
        let samples: Vec<u8> = photo(40, 30).pixels().map(|pixel| pixel[1]).collect();
        let grey = Pixels::from_u8(SIZE, Channels::L, samples).expect("fits");
        let read = back(&encode(&crop(grey.clone()), &spec(format)).bytes).pixels;
        let expected = if format.has_grey() { grey } else { grey.into_channels(Channels::Rgb) };
        assert_eq!(read.channels(), expected.channels());
        let (read, expected) = (read.into_8_bits(), expected);
        let (read, expected) = (read.as_u8().expect("8 bits"), expected.as_u8().expect("8 bits"));
        assert!(read.iter().zip(expected).all(|(a, b)| a.abs_diff(*b) <= 12), "the same grey");
    })
}

fn alpha(format: OutputFormat) -> Cell {
    let text = if format.has_alpha() { "yes" } else { "no: the fill colour is used" };
    cell(text, move || {
        let samples: Vec<u8> =
            (0..16 * 16).flat_map(|index| [200, 60, 60, if index % 16 < 8 { 0 } else { 255 }]).collect();
        let clear = Pixels::from_u8(Size::new(16, 16), Channels::Rgba, samples).expect("fits");
        let read = back(&encode(&crop(clear), &spec(format)).bytes).pixels;
        assert_eq!(read.channels().has_alpha(), format.has_alpha());
        let read = read.into_8_bits();
        let samples = read.as_u8().expect("8 bits");
        if format.has_alpha() {
            assert!(samples[3] < 8 && samples[15 * 4 + 3] > 247);
        } else {
            assert!(samples[..3].iter().all(|sample| *sample > 240), "white: {:?}", &samples[..3]);
        }
    })
}

fn metadata(format: OutputFormat) -> Cell {
    let (text, xmp, iptc, count) = match format {
        OutputFormat::Jpeg | OutputFormat::Tiff => ("EXIF, XMP, IPTC", true, true, 0),
        OutputFormat::Png | OutputFormat::WebP => ("EXIF, XMP; a note for IPTC", true, false, 1),
        OutputFormat::Avif => ("EXIF; a note for XMP and IPTC", false, false, 2),
    };
    cell(text, move || {
        let Encoded { bytes, notes } = encode(&with_metadata(), &spec(format));
        assert!(fields(&bytes).get_field(exif::Tag::Artist, exif::In::PRIMARY).is_some());
        assert_metadata(&back(&bytes).info.metadata, xmp, iptc);
        assert_eq!(notes.len(), count, "{notes:?}");
        let stripped = encode(&with_metadata(), &EncodeSpec { metadata: MetadataPolicy::Strip, ..spec(format) }).bytes;
        let left = Arc::unwrap_or_clone(back(&stripped).info.metadata);
        // The tags of a TIFF file may be returned as an EXIF block.
        let exif = left.exif.is_some_and(|block| block.windows(6).any(|part| part == b"person"));
        assert_eq!((exif, left.xmp, left.iptc), (false, None, None));
    })
}

fn resolution(format: OutputFormat) -> Cell {
    let text = match format {
        OutputFormat::Jpeg => "JFIF and EXIF",
        OutputFormat::Png => "pHYs and EXIF",
        OutputFormat::Tiff => "its tags",
        OutputFormat::WebP | OutputFormat::Avif => "EXIF; none if metadata is stripped",
    };
    cell(text, move || {
        let spec = EncodeSpec { dpi: 350, ..spec(format) };
        let file = encode(&colour(SIZE), &spec).bytes;
        let read = fields(&file);
        let tags = [exif::Tag::XResolution, exif::Tag::YResolution, exif::Tag::ResolutionUnit];
        assert_eq!(tags.map(|tag| number(&read, tag)), [350, 350, 2]);
        let stripped = encode(&colour(SIZE), &EncodeSpec { metadata: MetadataPolicy::Strip, ..spec }).bytes;
        match format {
            OutputFormat::Jpeg => assert_eq!(stripped[6..18], *b"JFIF\0\x01\x01\x01\x01\x5e\x01\x5e"),
            OutputFormat::Png => {
                let reader = png::Decoder::new(Cursor::new(&stripped)).read_info().expect("reads");
                let dimensions = reader.info().pixel_dims.expect("a pHYs chunk");
                assert_eq!((dimensions.xppu, dimensions.yppu, dimensions.unit), (13_780, 13_780, png::Unit::Meter));
            }
            OutputFormat::Tiff => assert_eq!(number(&fields(&stripped), exif::Tag::XResolution), 350),
            OutputFormat::WebP | OutputFormat::Avif => {
                assert!(exif::Reader::new().read_from_container(&mut Cursor::new(&stripped)).is_err());
            }
        }
    })
}

fn target(format: OutputFormat) -> Cell {
    let text = match format {
        OutputFormat::Jpeg | OutputFormat::Avif => "by quality",
        OutputFormat::WebP => "by quality; lossless: stronger compression",
        OutputFormat::Png | OutputFormat::Tiff => "stronger compression, else rejected",
    };
    cell(text, move || {
        if format != OutputFormat::Png && format != OutputFormat::Tiff {
            // Noise, so that quality makes a difference.
            let samples = (0..96 * 96 * 3_u32).map(|index| (index.wrapping_mul(0x9e37_79b9) >> 24) as u8).collect();
            let crop = crop(Pixels::from_u8(Size::new(96, 96), Channels::Rgb, samples).expect("fits"));
            let free = EncodeSpec { lossless: false, ..spec(format) };
            let length = encode(&crop, &free).bytes.len() as u32;
            let limit = length * 3 / 5 / 1000;
            let fitted = encode(&crop, &EncodeSpec { max_kilobytes: Some(limit), ..free });
            assert!(limit > 0 && fitted.bytes.len() as u32 <= limit * 1000, "{length}, then {}", fitted.bytes.len());
            assert!(
                fitted.notes.iter().any(|note| matches!(note, CropNote::Quality { asked: 100, .. })),
                "{:?}",
                fitted.notes
            );
        }
        if matches!(format, OutputFormat::Jpeg | OutputFormat::Avif) {
            return;
        }
        let crop = colour(Size::new(192, 192));
        let length = encode(&crop, &spec(format)).bytes.len() as u32;
        let fitted = encode(&crop, &EncodeSpec { max_kilobytes: Some((length - 1) / 1000), ..spec(format) });
        assert!((fitted.bytes.len() as u32) < length / 1000 * 1000, "{length}, then {}", fitted.bytes.len());
        let noise = colour(Size::new(64, 64));
        let refused = encode_crop(&noise, &EncodeSpec { max_kilobytes: Some(1), ..spec(format) }, Color::WHITE);
        assert!(matches!(refused, Err(EncodeError::TooLarge { .. })));
    })
}
