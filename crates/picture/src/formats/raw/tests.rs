//! Tests with minimal raw files around small JPEGs.

use geometry::Size;
use outcome::PictureFormat;

use super::super::isobmff::tests::{boxed, full};
use super::*;
use crate::{Picture, decode_bytes};

fn jpeg(width: u32, height: u32, orientation: Option<u16>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let pixels: Vec<u8> = (0..width * height * 3).map(|index| (index % 199) as u8).collect();
    let encoder = image::codecs::jpeg::JpegEncoder::new(&mut bytes);
    image::ImageEncoder::write_image(encoder, &pixels, width, height, image::ExtendedColorType::Rgb8).expect("encodes");
    let Some(orientation) = orientation else { return bytes };
    let exif = [b"Exif\0\0", &tiff(*b"II*\0", &[Directory::new(&[short(0x0112, orientation)])])[..]].concat();
    let segment = [&[0xff, 0xe1][..], &(exif.len() as u16 + 2).to_be_bytes(), &exif].concat();
    [&bytes[..2], &segment, &bytes[2..]].concat()
}

/// A field: tag, type, values in the file's byte order, or the index of a blob or directory that it points to.
#[derive(Clone)]
enum Field {
    Value(u16, u16, u32, Vec<u8>),
    Blob(u16, Vec<u8>),
    Below(u16, usize),
}

fn short(tag: u16, value: u16) -> Field {
    Field::Value(tag, 3, 1, [value.to_le_bytes(), [0, 0]].concat())
}

fn long(tag: u16, value: u32) -> Field {
    Field::Value(tag, 4, 1, value.to_le_bytes().to_vec())
}

fn text(tag: u16, value: &[u8]) -> Field {
    Field::Value(tag, 2, value.len() as u32, value.to_vec())
}

/// Two fields that reference a JPEG by offset and length.
fn interchange(jpeg: &[u8]) -> [Field; 2] {
    [Field::Blob(0x0201, jpeg.to_vec()), long(0x0202, jpeg.len() as u32)]
}

fn strip(compression: u16, jpeg: &[u8]) -> [Field; 3] {
    [short(0x0103, compression), Field::Blob(0x0111, jpeg.to_vec()), long(0x0117, jpeg.len() as u32)]
}

#[derive(Clone)]
struct Directory {
    fields: Vec<Field>,
    next: usize,
}

impl Directory {
    fn new(fields: &[Field]) -> Self {
        Self { fields: fields.to_vec(), next: 0 }
    }
}

/// A little-endian TIFF of these directories, in order.
fn tiff(magic: [u8; 4], directories: &[Directory]) -> Vec<u8> {
    tiff_with_gap(magic, &[], directories)
}

fn tiff_with_gap(magic: [u8; 4], gap: &[u8], directories: &[Directory]) -> Vec<u8> {
    let mut starts = vec![8 + gap.len()];
    for directory in directories {
        starts.push(starts[starts.len() - 1] + 2 + 12 * directory.fields.len() + 4);
    }
    let mut at = starts[directories.len()];
    let mut bytes = [&magic[..], &(starts[0] as u32).to_le_bytes(), gap].concat();
    let mut blobs = Vec::new();
    for directory in directories {
        bytes.extend((directory.fields.len() as u16).to_le_bytes());
        for field in &directory.fields {
            let (tag, kind, count, value) = match field {
                Field::Value(tag, kind, count, value) => (tag, *kind, *count, value.clone()),
                Field::Below(tag, index) => (tag, 4, 1, (starts[*index] as u32).to_le_bytes().to_vec()),
                Field::Blob(tag, blob) => {
                    let place = (at as u32).to_le_bytes().to_vec();
                    blobs.extend_from_slice(blob);
                    at += blob.len();
                    (tag, 4, 1, place)
                }
            };
            bytes.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
            bytes.extend(count.to_le_bytes());
            if value.len() <= 4 {
                bytes.extend([&value[..], &[0; 4][value.len()..]].concat());
            } else {
                bytes.extend((at as u32).to_le_bytes());
                at += value.len();
                blobs.extend(value);
            }
        }
        let next = if directory.next == 0 { 0 } else { starts[directory.next] };
        bytes.extend((next as u32).to_le_bytes());
    }
    bytes.extend(blobs);
    bytes
}

fn decoded(bytes: &[u8]) -> Picture {
    assert!(is_raw(bytes));
    let picture = decode_bytes(bytes, &DecodeLimits::default()).expect("decodes");
    assert_eq!((picture.info.format, picture.info.note), (PictureFormat::Raw, Some(PictureNote::RawPreview)));
    picture
}

/// Like a Nikon file: small preview in the first directory, large one in a subdirectory, next to the sensor data.
fn nef(orientation: u16) -> Vec<u8> {
    let first = Directory::new(&[
        text(0x010f, b"NIKON CORPORATION\0"),
        short(0x0112, orientation),
        Field::Value(0x014a, 4, 1, Vec::new()),
        Field::Below(0x8769, 3),
    ]);
    let sensor = Directory::new(&[short(0x0103, 34_713), short(0x0106, 32_803)]);
    let large = Directory::new(&interchange(&jpeg(64, 40, None)));
    let exif = Directory::new(&[text(0x9003, b"2024:05:06 07:08:09\0"), text(0x927c, b"the maker's notes")]);
    let mut directories = [first, large, sensor, exif];
    directories[0].fields[2] = Field::Below(0x014a, 1);
    directories[1].next = 2;
    tiff(*b"II*\0", &directories)
}

#[test]
fn largest_preview_is_decoded_upright() {
    let picture = decoded(&nef(6));
    assert_eq!(picture.size(), Size::new(40, 64));
    assert_eq!(decoded(&nef(1)).size(), Size::new(64, 40));
}

#[test]
fn raw_tags_become_exif_without_maker_notes() {
    let (exif, _) = metadata(&nef(8));
    let exif = exif.expect("exists");
    let has = |text: &[u8]| exif.windows(text.len()).any(|part| part == text);
    assert!(has(b"NIKON CORPORATION") && has(b"2024:05:06 07:08:09") && !has(b"the maker's notes"));
    let read = exif::orientation(&Tiff::new(&exif).expect("a TIFF header"));
    assert_eq!(read, Some(8));
    let fields = ::exif::Reader::new().read_raw(exif).expect("another decoder reads it");
    let date = fields.get_field(::exif::Tag::DateTimeOriginal, ::exif::In::PRIMARY).expect("exists");
    assert_eq!(date.display_value().to_string(), "2024-05-06 07:08:09");
}

#[test]
fn preview_orientation_takes_precedence() {
    let first = [short(0x0112, 6), short(0x0106, 32_803)];
    let [place, length] = interchange(&jpeg(48, 32, Some(3)));
    let file = tiff(*b"II*\0", &[Directory::new(&[&first[..], &[place, length]].concat())]);
    assert_eq!(decoded(&file).size(), Size::new(48, 32));
}

#[test]
fn dng_preview_is_read_from_a_strip() {
    let version = Field::Value(0xc612, 1, 4, vec![1, 4, 0, 0]);
    let first = Directory::new(&[vec![version], strip(7, &jpeg(56, 40, None)).to_vec()].concat());
    assert_eq!(decoded(&tiff(*b"II*\0", &[first])).size(), Size::new(56, 40));
}

#[test]
fn jpeg_compressed_sensor_data_is_ignored() {
    let mut lossless = jpeg(640, 400, None);
    let frame = lossless.windows(2).position(|marker| marker == [0xff, 0xc0]).expect("has a frame");
    lossless[frame + 1] = 0xc3;
    let version = Field::Value(0xc612, 1, 4, vec![1, 4, 0, 0]);
    let sensor = |jpeg: &[u8]| [vec![version.clone(), short(0x0106, 32_803)], strip(7, jpeg).to_vec()].concat();
    let refused = decode_bytes(&tiff(*b"II*\0", &[Directory::new(&sensor(&lossless))]), &DecodeLimits::default());
    let refused = refused.expect_err("is refused").to_string();
    assert!(refused.contains("contains no JPEG preview"), "{refused}");
}

#[test]
fn cr2_is_detected_by_its_signature() {
    let first = Directory::new(&strip(6, &jpeg(40, 24, None)));
    let file = tiff_with_gap(*b"II*\0", b"CR\x02\0\0\0\0\0", std::slice::from_ref(&first));
    assert_eq!(decoded(&file).size(), Size::new(40, 24));
    assert!(!is_raw(&tiff(*b"II*\0", &[first])), "the same without the mark is a TIFF");
}

#[test]
fn tiff_variants_are_detected_as_raw() {
    let preview = jpeg(40, 24, None);
    let olympus = tiff(*b"IIRO", &[Directory::new(&[text(0x010f, b"OLYMPUS\0")])]);
    // Its preview is referenced only in the maker notes.
    let olympus = [olympus, vec![0xff, 0xd8, 0xff], jpeg(16, 16, None), preview.clone(), vec![0; 99]].concat();
    assert_eq!(decoded(&olympus).size(), Size::new(40, 24));
    let panasonic = Directory::new(&[Field::Value(0x002e, 7, preview.len() as u32, preview.clone()), short(0x0112, 8)]);
    assert_eq!(decoded(&tiff(*b"IIU\0", &[panasonic])).size(), Size::new(24, 40));
}

#[test]
fn raf_preview_is_referenced_by_its_header() {
    let preview = jpeg(40, 24, Some(6));
    let mut file = [FUJI, &[b' '; 69]].concat();
    file.extend([148_u32, preview.len() as u32].iter().flat_map(|number| number.to_be_bytes()));
    file.resize(148, 0);
    file.extend(&preview);
    file.extend([0xaa; 50]);
    assert_eq!(decoded(&file).size(), Size::new(24, 40));
    assert!(metadata(&file).0.is_some_and(|exif| exif.starts_with(b"II*\0")));
}

#[test]
fn cr3_preview_is_in_the_first_track() {
    let (small, large) = (jpeg(24, 16, None), jpeg(48, 32, None));
    let file = |offset: u32| {
        let sizes = [0, 1, large.len() as u32].map(u32::to_be_bytes).concat();
        let offsets = [&1_u32.to_be_bytes()[..], &u64::from(offset).to_be_bytes()].concat();
        let stbl = boxed(b"stbl", &[full(b"stsz", 0, &sizes), full(b"co64", 0, &offsets)].concat());
        let trak = boxed(b"trak", &boxed(b"mdia", &boxed(b"minf", &stbl)));
        let first = tiff(*b"II*\0", &[Directory::new(&[text(0x0110, b"Canon EOS R\0"), short(0x0112, 8)])]);
        let thumbnail = boxed(b"THMB", &[&[0; 16][..], &small].concat());
        let own = boxed(b"uuid", &[&[7; 16][..], &boxed(b"CMT1", &first), &thumbnail].concat());
        let head = [boxed(b"ftyp", b"crx \0\0\0\x01crx isom"), boxed(b"moov", &[own, trak].concat())].concat();
        let length = head.len() as u32 + 8;
        (length, [head, boxed(b"mdat", &large)].concat())
    };
    let (offset, _) = file(0);
    let (_, whole) = file(offset);
    assert_eq!(decoded(&whole).size(), Size::new(32, 48));
    let exif = metadata(&whole).0.expect("exists");
    assert!(exif.windows(11).any(|part| part == b"Canon EOS R"));
    // If its track is invalid, the file is searched; if it is missing too, the thumbnail remains.
    let (_, lost) = file(u32::MAX);
    assert_eq!(decoded(&lost).size(), Size::new(32, 48));
    let lost = &lost[..lost.len() - large.len()];
    assert_eq!(preview::largest(lost).map(|preview| preview.bytes.starts_with(&small)), Some(true));
}

#[test]
fn plain_tiff_is_not_detected_as_raw() {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(9, 7).write_to(&mut bytes, image::ImageFormat::Tiff).expect("encodes");
    assert!(!is_raw(bytes.get_ref()));
    let camera = [text(0x010f, b"Canon\0"), short(0x0103, 1), short(0x0106, 2)];
    assert!(!is_raw(&tiff(*b"II*\0", &[Directory::new(&camera)])));
}

#[test]
fn cyclic_directories_terminate() {
    let mut directory = Directory::new(&[Field::Below(0x014a, 0), Field::Below(0x8769, 1)]);
    directory.next = 1;
    let ring = tiff(*b"II*\0", &[directory.clone(), directory]);
    assert!(!is_raw(&ring));
    assert!(preview::largest(&ring).is_none());
    let itself = Directory { fields: vec![short(0x0106, 32_803)], next: 0 };
    let mut file = tiff(*b"II*\0", &[itself]);
    let end = file.len() - 4;
    file[end..].copy_from_slice(&8_u32.to_le_bytes());
    assert!(is_raw(&file));
}

#[test]
fn truncated_preview_is_damaged() {
    let file = nef(1);
    let picture = decoded(&file[..file.len() - 60]);
    assert!(picture.info.damage.is_some_and(|damage| damage.reason.contains("missing") || damage.missing_rows > 0));
}
