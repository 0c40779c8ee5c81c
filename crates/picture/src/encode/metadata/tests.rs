//! Tests of each metadata policy, verified with another library.

use std::io::Cursor;

use ::exif::experimental::Writer;
use ::exif::{Context, Field, In, Reader, Tag, Value};

use geometry::Orientation;

use super::*;

const SIZE: Size = Size::new(413, 531);
const DPI: u16 = 300;
const THUMBNAIL: &[u8] = b"\xff\xd8\xff\xdb\0\x43the whole photo, small\xff\xd9";
const RAW: Context = Context::Tiff;

fn messages(notes: &[CropNote]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}

fn text(tag: Tag, text: &str) -> Field {
    Field { tag, ifd_num: In::PRIMARY, value: Value::Ascii(vec![text.as_bytes().to_vec()]) }
}

fn bytes(tag: Tag, bytes: &[u8]) -> Field {
    Field { tag, ifd_num: In::PRIMARY, value: Value::Undefined(bytes.to_vec(), 0) }
}

fn short(tag: Tag, value: u16) -> Field {
    Field { tag, ifd_num: In::PRIMARY, value: Value::Short(vec![value]) }
}

fn ratio(tag: Tag, value: u32) -> Field {
    Field { tag, ifd_num: In::PRIMARY, value: Value::Rational(vec![(value, 10).into(); 3]) }
}

/// A block as left by a camera and three programs, with a thumbnail.
fn camera_block(little_endian: bool, maker_note: &[u8]) -> Vec<u8> {
    let fields = [
        text(Tag::Make, "Maker"),
        text(Tag::Model, "Model 1"),
        text(Tag::DateTime, "2024:05:06 07:08:09"),
        text(Tag::Artist, "Anna Author"),
        text(Tag::Copyright, "(c) Anna"),
        text(Tag::ImageDescription, "Berta at home"),
        text(Tag::Software, "Editor 1"),
        short(Tag::Orientation, 6),
        short(Tag::ImageWidth, 6000),
        short(Tag::Compression, 6),
        ratio(Tag::XResolution, 720),
        ratio(Tag::WhitePoint, 3),
        bytes(Tag(RAW, 0x9c9d), b"X\0P\0"),
        bytes(Tag(RAW, 0xfdea), b"private"),
        bytes(Tag(RAW, 0x8649), b"8BIM"),
        bytes(Tag(RAW, 0xfdeb), THUMBNAIL),
        ratio(Tag::ExposureTime, 1),
        text(Tag::DateTimeOriginal, "2024:05:06 07:08:08"),
        text(Tag::OffsetTimeOriginal, "+02:00"),
        text(Tag::SubSecTimeOriginal, "12"),
        text(Tag::LensModel, "50mm"),
        text(Tag::BodySerialNumber, "S1"),
        text(Tag::LensSerialNumber, "S2"),
        text(Tag::CameraOwnerName, "Carla"),
        text(Tag::ImageUniqueID, "0123"),
        bytes(Tag::UserComment, b"ASCII\0\0\0secret"),
        bytes(Tag::MakerNote, maker_note),
        bytes(Tag::ExifVersion, b"0231"),
        short(Tag::ColorSpace, 1),
        short(Tag::PixelXDimension, 6000),
        short(Tag::SubjectArea, 100),
        bytes(Tag(Context::Exif, 0xfde9), b"private"),
        text(Tag::GPSLatitudeRef, "N"),
        ratio(Tag::GPSLatitude, 520),
        text(Tag::InteroperabilityIndex, "R98"),
        short(Tag::RelatedImageWidth, 6000),
    ];
    let mut writer = Writer::new();
    fields.iter().for_each(|field| writer.push_field(field));
    writer.set_jpeg(THUMBNAIL, In::THUMBNAIL);
    let mut block = Cursor::new(Vec::new());
    writer.write(&mut block, little_endian).expect("writes");
    block.into_inner()
}

fn with_exif(block: Vec<u8>) -> Metadata {
    Metadata { exif: Some(block.into()), ..Metadata::default() }
}

fn made(metadata: &Metadata, policy: MetadataPolicy) -> Blocks {
    blocks(metadata, policy, SIZE, DPI, false)
}

/// The fields of a block, sorted by name. Panics on an invalid block.
fn fields(block: &[u8]) -> Vec<(String, Field)> {
    let read = Reader::new().read_raw(block.to_vec()).expect("valid");
    let mut fields: Vec<_> = read.fields().map(|field| (field.tag.to_string(), field.clone())).collect();
    fields.sort_by(|(one, _), (other, _)| one.cmp(other));
    assert!(fields.iter().all(|(_, field)| field.ifd_num == In::PRIMARY), "no directory of a thumbnail");
    fields
}

#[test]
fn srgb_crops_have_the_srgb_color_space_tag() {
    let uncalibrated = Field { tag: Tag::ColorSpace, ifd_num: In::PRIMARY, value: Value::Short(vec![65_535]) };
    let mut writer = Writer::new();
    writer.push_field(&uncalibrated);
    let mut block = Cursor::new(Vec::new());
    writer.write(&mut block, false).expect("writes");
    let metadata = with_exif(block.into_inner());
    for (is_srgb, expected) in [(false, 65_535), (true, 1)] {
        let made = blocks(&metadata, MetadataPolicy::Safe, SIZE, DPI, is_srgb).exif.expect("a block");
        let (_, field) = fields(&made).into_iter().find(|(name, _)| name == "ColorSpace").expect("kept");
        assert_eq!(field.value.get_uint(0), Some(expected));
    }
}

fn names(block: &[u8]) -> Vec<String> {
    fields(block).into_iter().map(|(name, _)| name).collect()
}

fn number(block: &[u8], name: &str) -> u32 {
    let fields = fields(block);
    let (_, field) = fields.iter().find(|(found, _)| found == name).unwrap_or_else(|| panic!("no {name}"));
    match &field.value {
        Value::Rational(ratios) => (ratios[0].num / ratios[0].denom) * u32::from(ratios.len() == 1),
        value => value.get_uint(0).expect("a number"),
    }
}

fn holds(block: &[u8], part: &[u8]) -> bool {
    block.windows(part.len()).any(|bytes| bytes == part)
}

fn assert_corrected(block: &[u8]) {
    assert_eq!(number(block, "Orientation"), 1);
    assert_eq!((number(block, "PixelXDimension"), number(block, "PixelYDimension")), (413, 531));
    assert_eq!((number(block, "XResolution"), number(block, "YResolution")), (300, 300));
    assert_eq!(number(block, "ResolutionUnit"), 2);
    assert_eq!(with_exif(block.to_vec()).orientation(), Orientation::Upright);
    assert_eq!(with_exif(block.to_vec()).thumbnail(), None);
    assert!(!holds(block, b"\xff\xd8\xff"), "no picture inside");
}

#[test]
fn safe_keeps_dates_camera_author_and_copyright() {
    for little_endian in [true, false] {
        let made = made(&with_exif(camera_block(little_endian, b"note")), MetadataPolicy::Safe);
        let block = made.exif.expect("a block");
        let kept = [
            "Artist",
            "ColorSpace",
            "Copyright",
            "DateTime",
            "DateTimeOriginal",
            "ExifVersion",
            "ExposureTime",
            "LensModel",
            "Make",
            "Model",
            "OffsetTimeOriginal",
            "Orientation",
            "PixelXDimension",
            "PixelYDimension",
            "ResolutionUnit",
            "SubSecTimeOriginal",
            "XResolution",
            "YResolution",
        ];
        assert_eq!(names(&block), kept);
        assert_corrected(&block);
        for private in [&b"S1\0"[..], b"S2\0", b"Carla", b"secret", b"Berta", b"private", b"note"] {
            assert!(!holds(&block, private), "{}", String::from_utf8_lossy(private));
        }
        assert!(holds(&block, b"Anna Author") && holds(&block, b"0231"));
        assert_eq!(messages(&made.notes), [""; 0]);
    }
}

#[test]
fn all_drops_only_file_specific_tags() {
    for little_endian in [true, false] {
        let source = camera_block(little_endian, b"maker's note");
        let made = made(&with_exif(source.clone()), MetadataPolicy::All);
        let block = made.exif.expect("a block");
        assert_corrected(&block);
        let gone = ["Compression", "ImageWidth", "RelatedImageWidth", "SubjectArea", "WhitePoint"];
        let private = [Tag(RAW, 0x8649), Tag(RAW, 0xfdeb)].map(|tag| tag.to_string());
        let thumbnails = ["JPEGInterchangeFormat", "JPEGInterchangeFormatLength"];
        let read = Reader::new().read_raw(source).expect("valid");
        let mut expected: Vec<String> = read.fields().map(|field| field.tag.to_string()).collect();
        expected.retain(|name| !gone.contains(&&**name) && !private.contains(name) && !thumbnails.contains(&&**name));
        expected.extend(["PixelYDimension", "ResolutionUnit", "YResolution"].map(str::to_owned));
        expected.sort();
        assert_eq!(names(&block), expected);
        for kept in [&b"S1\0"[..], b"Carla", b"secret", b"Berta", b"maker's note", b"Editor 1"] {
            assert!(holds(&block, kept), "{}", String::from_utf8_lossy(kept));
        }
        let latitude = fields(&block).into_iter().find(|(name, _)| name == "GPSLatitude").expect("kept").1;
        assert!(matches!(latitude.value, Value::Rational(ratios) if ratios.len() == 3 && ratios[0].num == 520));
        assert_eq!(made.notes.len(), 1, "the private tag with a picture: {:?}", made.notes);
    }
}

#[test]
fn maker_notes_with_a_preview_are_dropped() {
    for preview in [THUMBNAIL, b"\x02\xd8\xff\xdb\0\x43one byte spoilt"] {
        let note = [b"Maker\0", preview].concat();
        let made = made(&with_exif(camera_block(true, &note)), MetadataPolicy::All);
        assert!(!names(made.exif.as_deref().expect("a block")).contains(&"MakerNote".to_owned()));
        assert!(made.notes.iter().any(|note| note.to_string().contains("maker")), "{:?}", made.notes);
    }
}

#[test]
fn strip_removes_all_metadata() {
    let mut metadata = with_exif(camera_block(true, b"note"));
    metadata.xmp = Some(b"<x/>"[..].into());
    metadata.iptc = Some(b"\x1c\x02\x50\0\x04Anna"[..].into());
    assert_eq!(made(&metadata, MetadataPolicy::Strip), Blocks::default());
}

#[test]
fn photos_without_metadata_get_resolution_and_size() {
    for policy in [MetadataPolicy::Safe, MetadataPolicy::All] {
        let made = made(&Metadata::default(), policy);
        let block = made.exif.expect("a block");
        assert_eq!(names(&block).len(), 7);
        assert_corrected(&block);
        assert_eq!((made.xmp, made.iptc, made.notes.len()), (None, None, 0));
    }
}

#[test]
fn oversized_values_are_not_safe() {
    let fields = [
        bytes(Tag::Artist, b"not a text"),
        text(Tag::Copyright, &"long ".repeat(1000)),
        Field { tag: Tag::Make, ifd_num: In::PRIMARY, value: Value::Ascii(vec![THUMBNAIL[..4].to_vec()]) },
        text(Tag::ExposureTime, "not a number"),
        bytes(Tag::FileSource, &[3; 65]),
        bytes(Tag::ExifVersion, b"?!?!"),
        text(Tag::Model, "Model 1"),
    ];
    let mut writer = Writer::new();
    fields.iter().for_each(|field| writer.push_field(field));
    let mut block = Cursor::new(Vec::new());
    writer.write(&mut block, true).expect("writes");
    let block = made(&with_exif(block.into_inner()), MetadataPolicy::Safe).exif.expect("a block");
    let corrected = names(&made(&Metadata::default(), MetadataPolicy::Safe).exif.expect("a block"));
    let mut expected = [corrected, vec!["Model".to_owned()]].concat();
    expected.sort();
    assert_eq!(names(&block), expected);
    assert!(holds(&block, b"0232") && !holds(&block, b"?!?!"));
}

#[test]
fn losses_are_reported_if_the_policy_would_keep_the_value() {
    let notes = |block: &[u8], policy| made(&with_exif(block.to_vec()), policy).notes.len();
    let sound = camera_block(true, b"note");
    assert_eq!(notes(&sound, MetadataPolicy::Safe), 0);
    let broken = b"II\x2a\0\xff\xff\xff\xff";
    assert_eq!(notes(broken, MetadataPolicy::Safe), 1);
    assert_eq!(notes(broken, MetadataPolicy::All), 1);
    // A serial number with an offset beyond the end is lost under All only; the author is lost under both.
    for (tag, kept_by_safe) in [(0xa431_u16, 0), (0x013b, 1)] {
        let mut block = sound.clone();
        let row = [&tag.to_le_bytes()[..], &[2, 0]].concat();
        let at = block.windows(4).position(|bytes| bytes == row).expect("its row");
        block[at + 4..at + 12].copy_from_slice(&[9, 0, 0, 0, 0, 0, 0, 9]);
        assert_eq!(notes(&block, MetadataPolicy::Safe), kept_by_safe, "{tag:#x}");
        assert_eq!(notes(&block, MetadataPolicy::All), notes(&sound, MetadataPolicy::All) + 1, "{tag:#x}");
    }
}

#[test]
fn rewriting_a_block_is_idempotent() {
    for policy in [MetadataPolicy::Safe, MetadataPolicy::All] {
        let first = made(&with_exif(camera_block(false, b"note")), policy).exif.expect("a block");
        assert_eq!(made(&with_exif(first.clone()), policy).exif, Some(first));
    }
}

#[test]
fn overlapping_values_are_bounded() {
    // A thousand tags that share the same sixty thousand bytes.
    let mut block = b"II\x2a\0\x08\0\0\0\xe8\x03".to_vec();
    for tag in 0..1000_u16 {
        block.extend_from_slice(&(0xf000 + tag).to_le_bytes());
        block.extend_from_slice(&[7, 0, 0x60, 0xea, 0, 0, 8, 0, 0, 0]);
    }
    block.resize(8 + 60_000, 0);
    let made = made(&with_exif(block.clone()), MetadataPolicy::All);
    assert!(made.exif.is_some_and(|made| made.len() < block.len() + 500));
    assert_eq!(made.notes.len(), 1);
}

#[test]
fn mutated_blocks_yield_valid_blocks() {
    let source = camera_block(false, &[b"note", THUMBNAIL].concat());
    let mut state = 0x2545_f491_4f6c_dd1d;
    for turn in 0..400 {
        let mut block = source.clone();
        for _ in 0..=next(&mut state) % 8 {
            let at = next(&mut state) % block.len();
            block[at] = [0, 0xff, next(&mut state) as u8, block[at] ^ 1][next(&mut state) % 4];
        }
        block.truncate(block.len() - if turn % 3 == 0 { next(&mut state) % block.len() } else { 0 });
        for policy in [MetadataPolicy::Safe, MetadataPolicy::All] {
            let exif = made(&with_exif(block.clone()), policy).exif.expect("a block");
            assert_corrected(&exif);
            assert!(!holds(&exif, b"the whole photo") || policy == MetadataPolicy::All, "turn {turn}");
        }
    }
}

/// A deterministic pseudorandom generator.
pub(super) fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as usize
}

#[test]
fn png_keywords_are_kept() {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 1, 1);
    for (keyword, text) in [("Author", "Ann <A&B>"), ("Copyright", "\u{a9} Ann"), ("Creation Time", "2024-05-06")] {
        encoder.add_text_chunk(keyword.to_owned(), text.to_owned()).expect("fits");
    }
    encoder.write_header().expect("writes").write_image_data(&[7]).expect("writes");
    let picture = crate::decode_bytes(&file, &recipe::DecodeLimits::default()).expect("decodes");
    for policy in [MetadataPolicy::Safe, MetadataPolicy::All] {
        let made = made(&picture.info.metadata, policy);
        let packet = String::from_utf8(made.xmp.expect("a packet")).expect("UTF-8");
        for part in ["<rdf:li>Ann &lt;A&amp;B&gt;</rdf:li>", ">\u{a9} Ann<", "<xmp:CreateDate>2024-05-06</xmp:"] {
            assert!(packet.contains(part), "{part} in {packet}");
        }
        assert_eq!(messages(&made.notes), [""; 0]);
    }
}
