//! Tests of resolution and metadata in each format.

use exif::experimental::Writer;
use exif::{Exif, Field, In, Rational, Reader, Tag, Value};

use recipe::MetadataPolicy;

use super::*;

const XMP: &[u8] = "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">Ana Ñandú</x:xmpmeta>".as_bytes();
const IPTC: &[u8] = b"\x1c\x02\x50\x00\x03Ana";

fn exif_block() -> Vec<u8> {
    let text =
        |tag, text: &str| Field { tag, ifd_num: In::PRIMARY, value: Value::Ascii(vec![text.as_bytes().to_vec()]) };
    let resolution =
        |tag| Field { tag, ifd_num: In::PRIMARY, value: Value::Rational(vec![Rational { num: 240, denom: 1 }]) };
    let place = vec![Rational { num: 48, denom: 1 }, Rational { num: 30, denom: 1 }, Rational { num: 1, denom: 3 }];
    let fields = [
        text(Tag::Make, "Iron"),
        text(Tag::Copyright, "Ana"),
        text(Tag::DateTimeOriginal, "2024:05:06 07:08:09"),
        Field { tag: Tag::PhotographicSensitivity, ifd_num: In::PRIMARY, value: Value::Short(vec![1_600]) },
        Field { tag: Tag::MakerNote, ifd_num: In::PRIMARY, value: Value::Undefined(vec![1, 2, 3, 4, 5], 0) },
        Field { tag: Tag::GPSLatitude, ifd_num: In::PRIMARY, value: Value::Rational(place) },
        text(Tag::InteroperabilityIndex, "R98"),
        resolution(Tag::XResolution),
        resolution(Tag::YResolution),
        Field { tag: Tag::ResolutionUnit, ifd_num: In::PRIMARY, value: Value::Short(vec![2]) },
        Field { tag: Tag::Orientation, ifd_num: In::PRIMARY, value: Value::Short(vec![1]) },
    ];
    let mut writer = Writer::new();
    fields.iter().for_each(|field| writer.push_field(field));
    let mut block = Cursor::new(Vec::new());
    // Big-endian, to detect a TIFF file that copies instead of converting.
    writer.write(&mut block, false).expect("written");
    block.into_inner()
}

fn full() -> Blocks {
    Blocks { exif: Some(exif_block()), xmp: Some(XMP.to_vec()), iptc: Some(IPTC.to_vec()), notes: Vec::new() }
}

fn encode_with(blocks: &Blocks, format: OutputFormat, lossless: bool) -> Encoded {
    let crop = Crop { icc_profile: Some(display_p3()), ..slope(Channels::Rgba, false) };
    let spec = EncodeSpec { lossless, dpi: 240, ..spec(format) };
    encode_with_blocks(&crop, &spec, Color::WHITE, blocks).expect("encodes")
}

fn check_exif(exif: &Exif, name: &str) {
    let shown = |tag| exif.get_field(tag, In::PRIMARY).map(|field| field.display_value().to_string());
    assert_eq!(shown(Tag::Make).as_deref(), Some("\"Iron\""), "{name}");
    assert_eq!(shown(Tag::Copyright).as_deref(), Some("\"Ana\""), "{name}");
    assert_eq!(shown(Tag::DateTimeOriginal).as_deref(), Some("2024-05-06 07:08:09"), "{name}");
    assert_eq!(shown(Tag::PhotographicSensitivity).as_deref(), Some("1600"), "{name}");
    assert_eq!(shown(Tag::GPSLatitude).as_deref(), Some("48 deg 30 min 0.3333333333333333 sec"), "{name}");
    assert_eq!(shown(Tag::InteroperabilityIndex).as_deref(), Some("\"R98\""), "{name}");
    let note = exif.get_field(Tag::MakerNote, In::PRIMARY).map(|field| field.value.clone());
    assert!(matches!(note, Some(Value::Undefined(bytes, _)) if bytes == [1, 2, 3, 4, 5]), "{name}");
    assert_eq!(shown(Tag::XResolution).as_deref(), Some("240"), "{name}");
    assert_eq!(shown(Tag::YResolution).as_deref(), Some("240"), "{name}");
    assert_eq!(shown(Tag::ResolutionUnit).as_deref(), Some("inch"), "{name}");
    assert_eq!(
        exif.get_field(Tag::Orientation, In::PRIMARY).and_then(|field| field.value.get_uint(0)),
        Some(1),
        "{name}"
    );
}

#[test]
fn exif_is_readable_in_every_format() {
    for format in OutputFormat::ALL {
        for lossless in [true, false] {
            let file = encode_with(&full(), format, lossless).bytes;
            let exif = Reader::new().read_from_container(&mut Cursor::new(&file)).expect("has EXIF");
            check_exif(&exif, format.name());
        }
    }
}

#[test]
fn jpeg_segments_are_in_order() {
    let file = encode_with(&full(), OutputFormat::Jpeg, false);
    let segments = segments(&file.bytes);
    let markers: Vec<u8> = segments.iter().map(|(marker, _)| *marker).take(5).collect();
    assert_eq!(markers, [0xE0, 0xE1, 0xE1, 0xED, 0xE2]);
    assert_eq!(segments[0].1[..12], *b"JFIF\0\x01\x01\x01\0\xf0\0\xf0");
    assert_eq!(segments[1].1, [b"Exif\0\0", exif_block().as_slice()].concat());
    assert_eq!(segments[2].1, [b"http://ns.adobe.com/xap/1.0/\0", XMP].concat());
    assert_eq!(segments[3].1, [b"Photoshop 3.0\08BIM\x04\x04\0\0\0\0\0\x08", IPTC].concat());
    assert_eq!(messages(&file.notes), [""; 0]);
}

#[test]
fn odd_iptc_is_padded() {
    let iptc = Some(b"\x1c\x02\x50\x00\x02An".to_vec());
    let file = encode_with(&Blocks { iptc, ..Blocks::default() }, OutputFormat::Jpeg, false);
    let segments = segments(&file.bytes);
    assert_eq!(segments[1].1[22..], *b"\0\0\0\x07\x1c\x02\x50\x00\x02An\0");
}

#[test]
fn png_has_metadata_chunks_and_resolution() {
    let file = encode_with(&full(), OutputFormat::Png, true);
    let per_metre = 9_449_u32.to_be_bytes();
    assert_eq!(png_chunk(&file.bytes, *b"pHYs"), Some([&per_metre[..], &per_metre, &[1]].concat()));
    assert_eq!(png_chunk(&file.bytes, *b"eXIf"), Some(exif_block()));
    assert_eq!(png_chunk(&file.bytes, *b"iTXt"), Some([b"XML:com.adobe.xmp\0\0\0\0\0", XMP].concat()));
    assert_eq!(messages(&file.notes), ["IPTC was not written: it is not supported in PNG"]);
}

#[test]
fn webp_has_metadata_chunks_and_flags() {
    for lossless in [true, false] {
        let file = encode_with(&full(), OutputFormat::WebP, lossless);
        assert_eq!(webp_chunk(&file.bytes, *b"EXIF"), Some(exif_block()));
        assert_eq!(webp_chunk(&file.bytes, *b"XMP "), Some(XMP.to_vec()));
        assert_eq!(webp_chunk(&file.bytes, *b"ICCP").as_deref(), Some(&*display_p3()));
        assert_eq!(webp_chunk(&file.bytes, *b"VP8X"), Some(vec![0x3C, 0, 0, 0, 39, 0, 0, 23, 0, 0]));
        assert_eq!(messages(&file.notes), ["IPTC was not written: it is not supported in WebP"]);
        assert!(read(&file.bytes).color().has_alpha());
        let plain = EncodeSpec { lossless, metadata: MetadataPolicy::Strip, ..spec(OutputFormat::WebP) };
        let plain = encode(&slope(Channels::Rgb, false), &plain).bytes;
        assert_eq!(webp_chunk(&plain, *b"VP8X"), None, "nothing to embed");
    }
    let opaque = Crop { icc_profile: Some(display_p3()), ..flat(Channels::Rgb, &[1, 2, 3]) };
    let spec = EncodeSpec { metadata: MetadataPolicy::Strip, ..spec(OutputFormat::WebP) };
    let file = encode(&opaque, &spec).bytes;
    assert_eq!(webp_chunk(&file, *b"VP8X").map(|header| header[0]), Some(0x20));
}

#[test]
fn tiff_directory_has_metadata_and_resolution() {
    use ::tiff::tags::Tag;
    let file = encode_with(&full(), OutputFormat::Tiff, true);
    let mut decoder = ::tiff::decoder::Decoder::new(Cursor::new(&file.bytes)).expect("a TIFF");
    let mut bytes = |tag| decoder.get_tag(Tag::Unknown(tag)).expect("exists").into_u8_vec().expect("bytes");
    assert_eq!(bytes(700), XMP);
    assert_eq!(bytes(33_723), IPTC);
    assert_eq!(decoder.get_tag(Tag::ResolutionUnit).expect("exists").into_u16().expect("a number"), 2);
    assert_eq!(messages(&file.notes), [""; 0]);
}

#[test]
fn avif_reports_dropped_metadata() {
    let file = encode_with(&full(), OutputFormat::Avif, false);
    assert_eq!(
        messages(&file.notes),
        ["XMP was not written: it is not supported in AVIF", "IPTC was not written: it is not supported in AVIF",]
    );
}

#[test]
fn jpeg_drops_oversized_blocks_with_a_note() {
    let long = |over: usize| Blocks {
        notes: Vec::new(),
        exif: Some(vec![b'e'; jpeg::MAX_EXIF + over]),
        xmp: Some(vec![b'x'; jpeg::MAX_XMP + over]),
        iptc: Some(vec![b'i'; jpeg::MAX_IPTC + over]),
    };
    let file = encode_with(&long(0), OutputFormat::Jpeg, false);
    assert_eq!(messages(&file.notes), [""; 0]);
    read(&file.bytes);
    let segments = segments(&file.bytes);
    assert_eq!([1, 2, 3].map(|at| segments[at].1.len()), [65_533, 65_531, 65_532]);
    let file = encode_with(&long(1), OutputFormat::Jpeg, false);
    assert_eq!(
        messages(&file.notes),
        ["EXIF", "XMP", "IPTC"].map(|name| format!("{name} was not written: it is too long for JPEG"))
    );
    assert!(file.bytes.len() < 20_000);
}

#[test]
fn unreadable_blocks_are_dropped_with_a_note() {
    let broken = Blocks { exif: Some(b"II nothing".to_vec()), xmp: Some(vec![0xFF; 4]), iptc: None, notes: Vec::new() };
    assert_eq!(
        messages(&encode_with(&broken, OutputFormat::Tiff, true).notes),
        ["EXIF was not written: it cannot be read"]
    );
    assert_eq!(
        messages(&encode_with(&broken, OutputFormat::Png, true).notes),
        ["XMP was not written: it cannot be read"]
    );
    let empty = Blocks { exif: Some(Vec::new()), xmp: Some(Vec::new()), iptc: Some(Vec::new()), notes: Vec::new() };
    let spec = EncodeSpec { metadata: MetadataPolicy::Strip, ..spec(OutputFormat::Png) };
    let crop = slope(Channels::Rgb, false);
    let file = encode_with_blocks(&crop, &spec, Color::WHITE, &empty).expect("encodes");
    assert!(file.bytes == encode(&crop, &spec).bytes && file.notes.is_empty());
}

#[test]
fn resolution_is_the_same_in_all_formats() {
    let crop = slope(Channels::Rgb, false);
    for dpi in [1, 72, 300, 10_000] {
        let file = |format| encode(&crop, &EncodeSpec { dpi, ..spec(format) }).bytes;
        let jfif = segments(&file(OutputFormat::Jpeg))[0].1.clone();
        assert_eq!(
            (jfif[7], u16::from_be_bytes([jfif[8], jfif[9]]), u16::from_be_bytes([jfif[10], jfif[11]])),
            (1, dpi, dpi)
        );
        let png = png_chunk(&file(OutputFormat::Png), *b"pHYs").expect("exists");
        let per_metre = u32::from_be_bytes([png[0], png[1], png[2], png[3]]);
        assert_eq!((f64::from(per_metre) * 0.0254).round(), f64::from(dpi));
        let tiff = file(OutputFormat::Tiff);
        let mut decoder = ::tiff::decoder::Decoder::new(Cursor::new(&tiff)).expect("a TIFF");
        for tag in [::tiff::tags::Tag::XResolution, ::tiff::tags::Tag::YResolution] {
            assert_eq!(decoder.get_tag_u32_vec(tag).expect("exists"), [u32::from(dpi), 1]);
        }
    }
}
