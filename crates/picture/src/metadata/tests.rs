//! Tests of metadata in every container, valid and malicious.

use std::io::Write;

use super::exif_block::{Entry, Exif};
use super::*;
use crate::tiff_directory::ByteOrder;

const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];
const PACKET: &[u8] = b"<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>";
const DATASETS: &[u8] = b"\x1c\x02\x50\0\x04Anna";

fn short(tag: u16, order: ByteOrder, value: u16) -> Entry<'static> {
    Entry::new(tag, Kind::SHORT, order.bytes_of_u16(value).to_vec())
}

fn text(tag: u16, text: &str) -> Entry<'static> {
    Entry::new(tag, Kind::ASCII, [text.as_bytes(), b"\0"].concat())
}

/// A block with `orientation` and an author.
fn block(order: ByteOrder, orientation: Entry<'static>) -> Vec<u8> {
    let exif = Exif { primary: vec![orientation, text(0x013b, "Anna Author")], ..Exif::empty(order) };
    exif.write().expect("short")
}

fn turned(order: ByteOrder, value: u16) -> Vec<u8> {
    block(order, short(tags::ORIENTATION, order, value))
}

fn orientation_of(block: &[u8]) -> Orientation {
    Metadata { exif: Some(block.into()), ..Metadata::default() }.orientation()
}

fn exif(found: &Metadata) -> &[u8] {
    found.exif.as_deref().expect("a block")
}

#[test]
fn orientations_are_read_in_both_byte_orders() {
    for order in ORDERS {
        for value in 1..=8 {
            assert_eq!(orientation_of(&turned(order, value)), Orientation::from_exif(value));
        }
    }
}

#[test]
fn invalid_orientation_is_upright() {
    for order in ORDERS {
        for value in [0, 9, 65535] {
            assert_eq!(orientation_of(&turned(order, value)), Orientation::Upright, "{value}");
        }
        let long = Entry::new(tags::ORIENTATION, Kind::LONG, order.bytes_of_u32(6).to_vec());
        let byte = Entry::new(tags::ORIENTATION, Kind::BYTE, vec![6]);
        let none = Entry::new(tags::ORIENTATION, Kind::SHORT, Vec::new());
        for wrong in [long, byte, none] {
            assert_eq!(orientation_of(&block(order, wrong.clone())), Orientation::Upright, "{wrong:?}");
        }
    }
    assert_eq!(orientation_of(b"text"), Orientation::Upright);
}

#[test]
fn the_capture_time_is_read_with_its_fraction() {
    let taken = |entries: &[(u16, &str)]| {
        let exif = entries.iter().map(|(tag, value)| text(*tag, value)).collect();
        let block = Exif { exif, ..Exif::empty(ByteOrder::Little) }.write().expect("short");
        Metadata { exif: Some(block.into()), ..Metadata::default() }.taken()
    };
    let (date, unset) = ("2024:05:17 10:20:30", "0000:00:00 00:00:00");
    let moment = Moment::from_exif(date).expect("a date");
    assert_eq!(taken(&[(tags::DATE_TAKEN, date), (tags::FRACTION_TAKEN, "25")]), Some(moment.with_fraction("25")));
    assert_eq!(taken(&[(tags::DATE_TAKEN, date), (tags::FRACTION_DIGITIZED, "25")]), Some(moment));
    let digitized = [(tags::DATE_TAKEN, unset), (tags::DATE_DIGITIZED, date), (tags::FRACTION_DIGITIZED, "5")];
    assert_eq!(taken(&digitized), Some(moment.with_fraction("5")));
    assert_eq!(taken(&[(tags::DATE_TAKEN, unset)]), None);
    assert_eq!(Metadata::default().taken(), None);
}

#[test]
fn truncated_block_keeps_a_complete_orientation() {
    let whole = turned(ByteOrder::Big, 6);
    // Header, count of entries, one row.
    let end_of_row = 8 + 2 + 12;
    for end in 0..whole.len() {
        let expected = if end < end_of_row { Orientation::Upright } else { Orientation::QuarterClockwise };
        assert_eq!(orientation_of(&whole[..end]), expected, "cut at {end}");
    }
}

#[test]
fn cyclic_directories_are_read_once() {
    let order = ByteOrder::Little;
    let mut exif = Exif::empty(order);
    exif.primary = vec![short(tags::ORIENTATION, order, 6)];
    exif.gps = vec![text(1, "N")];
    let mut block = exif.write().expect("short");
    // The pointer of the GPS directory, the second row, leads back to the first directory, and so does the chain.
    block[8 + 2 + 12 + 8..][..4].copy_from_slice(&8_u32.to_le_bytes());
    block[8 + 2 + 24..][..4].copy_from_slice(&8_u32.to_le_bytes());
    let read = Exif::parse(&block).expect("read");
    assert_eq!((read.primary.len(), read.gps.len(), read.thumbnail.len()), (1, 2, 2));
}

#[test]
fn missing_directory_is_reported() {
    let order = ByteOrder::Big;
    let mut exif = Exif::empty(order);
    exif.gps = vec![text(1, "N")];
    let mut block = exif.write().expect("short");
    block[8 + 2 + 8..][..4].copy_from_slice(&0xffff_0000_u32.to_be_bytes());
    assert_eq!(Exif::parse(&block).expect("read").unreadable, [tags::GPS_DIRECTORY]);
}

/// A block with a thumbnail directory of `offset` and `length`, followed by `data`.
fn with_thumbnail(order: ByteOrder, offset: u32, length: u32, data: &[u8]) -> Vec<u8> {
    let mut block = turned(order, 1);
    block.resize(block.len().next_multiple_of(2), 0);
    let at = block.len() as u32;
    // The pointer to the next directory follows the two rows of the first.
    block[8 + 2 + 24..][..4].copy_from_slice(&order.bytes_of_u32(at));
    block.extend_from_slice(&order.bytes_of_u16(2));
    for (tag, value) in [(tags::THUMBNAIL_OFFSET, offset), (tags::THUMBNAIL_LENGTH, length)] {
        block.extend_from_slice(&order.bytes_of_u16(tag));
        block.extend_from_slice(&order.bytes_of_u16(4));
        block.extend_from_slice(&order.bytes_of_u32(1));
        block.extend_from_slice(&order.bytes_of_u32(value));
    }
    block.extend_from_slice(&[0; 4]);
    block.extend_from_slice(data);
    block
}

#[test]
fn complete_thumbnails_are_found() {
    let jpeg = b"\xff\xd8\xff\xdbsmall\xff\xd9";
    for order in ORDERS {
        let at = with_thumbnail(order, 0, 0, b"").len() as u32;
        let thumbnail = |offset, length, data: &[u8]| {
            let exif = Some(with_thumbnail(order, offset, length, data).into());
            Metadata { exif, ..Metadata::default() }.thumbnail().map(<[u8]>::to_vec)
        };
        assert_eq!(thumbnail(at, 11, jpeg).as_deref(), Some(&jpeg[..]));
        assert_eq!(thumbnail(at, 12, jpeg), None, "one byte is missing");
        assert_eq!(thumbnail(at, u32::MAX, jpeg), None);
        assert_eq!(thumbnail(u32::MAX, 11, jpeg), None);
        assert_eq!(thumbnail(at, 11, b"no picture!"), None);
        assert_eq!(thumbnail(at, 0, jpeg), None);
    }
    assert_eq!(Metadata::default().thumbnail(), None);
}

#[test]
fn letterboxed_thumbnails_do_not_fit() {
    let fits = |thumbnail: (u32, u32), picture: (u32, u32)| {
        Metadata::thumbnail_fits(Size::new(thumbnail.0, thumbnail.1), Size::new(picture.0, picture.1))
    };
    assert!(fits((160, 120), (4000, 3000)));
    assert!(fits((160, 107), (6000, 4000)));
    assert!(fits((107, 160), (4000, 6000)));
    assert!(!fits((160, 120), (6000, 4000)));
    assert!(!fits((160, 120), (3000, 4000)));
    assert!(fits((98, 100), (1000, 1000)) && !fits((97, 100), (1000, 1000)));
    assert!(!fits((0, 120), (4000, 3000)) && !fits((160, 120), (0, 0)));
    assert!(fits((u32::MAX, u32::MAX), (u32::MAX, u32::MAX)));
}

fn segment(marker: u8, parts: &[&[u8]]) -> Vec<u8> {
    let data = parts.concat();
    let length = (data.len() as u16 + 2).to_be_bytes();
    [&[0xff, marker], &length[..], &data].concat()
}

fn resource(id: u16, data: &[u8]) -> Vec<u8> {
    let mut bytes = [b"8BIM", &id.to_be_bytes()[..], b"\x03abc", &(data.len() as u32).to_be_bytes(), data].concat();
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    bytes
}

fn jpeg(segments: &[Vec<u8>]) -> Vec<u8> {
    [b"\xff\xd8".to_vec(), segments.concat(), segment(0xda, &[b"\0"]), vec![1, 2, 3, 0xff, 0xd9]].concat()
}

const XMP_NAME: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";

#[test]
fn jpeg_blocks_are_found_among_other_segments() {
    let good = turned(ByteOrder::Big, 8);
    let resources = [resource(0x040c, b"thumbnail\xff\xd8"), resource(0x0404, DATASETS)].concat();
    let (first, second) = resources.split_at(30);
    let file = jpeg(&[
        segment(0xe0, &[b"JFIF\0"]),
        vec![0xff, 0xff],
        segment(0xe1, &[b"Exif\0\0", b"nothing of the sort"]),
        segment(0xe1, &[b"Exif\0\0", b"II\x2a\0\xff\xff\xff\xff"]),
        segment(0xe1, &[XMP_NAME, PACKET]),
        segment(0xe1, &[b"Exif\0\0", &good]),
        segment(0xe1, &[b"Exif\0\0", &turned(ByteOrder::Little, 3)]),
        segment(0xe1, &[XMP_NAME, b"a second packet"]),
        segment(0xe1, &[b"http://ns.adobe.com/xmp/extension/\0", b"more"]),
        segment(0xed, &[b"Photoshop 3.0\0", first]),
        segment(0xed, &[b"Photoshop 3.0\0", second]),
    ]);
    let found = read(PictureFormat::Jpeg, &file);
    assert_eq!(exif(&found), good, "the first that can be read");
    assert_eq!(found.xmp.as_deref(), Some(PACKET));
    assert_eq!(found.iptc.as_deref(), Some(DATASETS));
    assert_eq!(found.orientation(), Orientation::QuarterCounterClockwise);
}

#[test]
fn damaged_block_is_kept_if_it_is_the_only_one() {
    let file = jpeg(&[segment(0xe1, &[b"Exif\0\0", b"II\x2a\0\xff\xff\xff\xff"])]);
    assert!(read(PictureFormat::Jpeg, &file).exif.is_some(), "so that its loss can be reported");
}

#[test]
fn jpeg_pixel_data_is_not_searched() {
    let mut file = jpeg(&[]);
    file.extend(segment(0xe1, &[b"Exif\0\0", &turned(ByteOrder::Big, 8)]));
    assert_eq!(read(PictureFormat::Jpeg, &file), Metadata::default());
}

fn chunk(name: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let data = parts.concat();
    [&(data.len() as u32).to_be_bytes(), &name[..], &data, b"crc!"].concat()
}

fn png(chunks: &[Vec<u8>]) -> Vec<u8> {
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IDAT", &[b"pixels"]), chunks.concat(), chunk(b"IEND", &[])].concat()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("packs");
    encoder.finish().expect("packs")
}

fn raw_profile(name: &str, bytes: &[u8]) -> Vec<u8> {
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let lines: Vec<String> = hex.chunks(36).map(<[String]>::concat).collect();
    format!("\n{name}\n{:8}\n{}\n", bytes.len(), lines.join("\n")).into_bytes()
}

#[test]
fn png_blocks_are_found_plain_and_compressed() {
    let exif_block = turned(ByteOrder::Little, 6);
    let keyword = b"XML:com.adobe.xmp\0";
    let plain = png(&[chunk(b"eXIf", &[&exif_block]), chunk(b"iTXt", &[keyword, b"\0\0\0\0", PACKET])]);
    let found = read(PictureFormat::Png, &plain);
    assert_eq!((exif(&found), found.xmp.as_deref()), (&exif_block[..], Some(PACKET)));
    let file = png(&[chunk(b"iTXt", &[keyword, b"\x01\0en\0\0", &packed(PACKET)])]);
    assert_eq!(read(PictureFormat::Png, &file).xmp.as_deref(), Some(PACKET));
}

#[test]
fn imagemagick_text_profiles_are_read() {
    let exif_block = turned(ByteOrder::Little, 6);
    let exif_profile = raw_profile("exif", &[b"Exif\0\0", &exif_block[..]].concat());
    let file = png(&[
        chunk(b"zTXt", &[b"Raw profile type exif\0\0", &packed(&exif_profile)]),
        chunk(b"tEXt", &[b"Raw profile type iptc\0", &raw_profile("iptc", &resource(0x0404, DATASETS))]),
        chunk(b"zTXt", &[b"Raw profile type xmp\0\0", &packed(&raw_profile("xmp", PACKET))]),
    ]);
    let found = read(PictureFormat::Png, &file);
    assert_eq!(exif(&found), exif_block);
    assert_eq!((found.xmp.as_deref(), found.iptc.as_deref()), (Some(PACKET), Some(DATASETS)));
}

#[test]
fn png_keywords_become_a_packet_if_there_is_none() {
    let chunks = [
        chunk(b"tEXt", &[b"Author\0Ann\xe9 <A&B>"]),
        chunk(b"iTXt", &[b"Copyright\0\x01\0en\0\0", &packed("\u{a9} An\u{0}n\u{e9}".as_bytes())]),
        chunk(b"tEXt", &[b"Creation Time\0 2024-05-06T07:08:09+02:00"]),
    ];
    let found = read(PictureFormat::Png, &png(&chunks)).xmp.expect("a packet");
    let found = std::str::from_utf8(&found).expect("UTF-8");
    for part in
        ["<rdf:li>Ann\u{e9} &lt;A&amp;B&gt;</rdf:li>", ">\u{a9} Ann\u{e9}<", "e>2024-05-06T07:08:09+02:00</xmp:"]
    {
        assert!(found.contains(part), "{part} in {found}");
    }
    // A packet takes precedence, regardless of its position.
    let both = [&chunks[..], &[chunk(b"iTXt", &[b"XML:com.adobe.xmp\0\0\0\0\0", PACKET])]].concat();
    assert_eq!(read(PictureFormat::Png, &png(&both)).xmp.as_deref(), Some(PACKET));
    // Invalid dates, long texts and other keywords are ignored.
    for date in ["", "6 May 2024", "2024-05-06 07:08", "2024-5-6", "2024-05-06T07:08:09+2", "2024-05-06T07"] {
        let file = png(&[chunk(b"tEXt", &[b"Creation Time\0", date.as_bytes()])]);
        assert_eq!(read(PictureFormat::Png, &file), Metadata::default(), "{date}");
    }
    for date in ["2024", "2024-05", "2024-05-06", "2024-05-06T07:08", "2024-05-06T07:08Z", "2024-05-06T07:08:09.25Z"] {
        let file = png(&[chunk(b"tEXt", &[b"Creation Time\0", date.as_bytes()])]);
        assert!(read(PictureFormat::Png, &file).xmp.is_some(), "{date}");
    }
    let file = png(&[chunk(b"tEXt", &[b"Author\0", &[b'a'; 5000]]), chunk(b"tEXt", &[b"Software\0x"])]);
    assert_eq!(read(PictureFormat::Png, &file), Metadata::default());
}

#[test]
fn decompression_bombs_in_text_are_ignored() {
    let packed = packed(&vec![b' '; MAX_BLOCK + 1]);
    assert!(packed.len() < 200_000);
    let file = png(&[chunk(b"iTXt", &[b"XML:com.adobe.xmp\0\x01\0\0\0", &packed])]);
    assert_eq!(read(PictureFormat::Png, &file), Metadata::default());
}

fn webp(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut file = b"RIFF\0\0\0\0WEBP".to_vec();
    for (name, data) in chunks {
        file.extend_from_slice(*name);
        file.extend_from_slice(&(data.len() as u32).to_le_bytes());
        file.extend_from_slice(data);
        file.resize(file.len().next_multiple_of(2), 0);
    }
    file
}

#[test]
fn webp_blocks_are_found_with_and_without_jpeg_prefix() {
    let exif_block = turned(ByteOrder::Big, 5);
    for prefix in [&b""[..], b"Exif\0\0"] {
        let with_prefix = [prefix, &exif_block].concat();
        let file = webp(&[(b"VP8X", b"odd"), (b"EXIF", &with_prefix), (b"XMP ", PACKET)]);
        let found = read(PictureFormat::WebP, &file);
        assert_eq!((exif(&found), found.xmp.as_deref()), (&exif_block[..], Some(PACKET)));
        assert_eq!(found.orientation(), Orientation::Transposed);
    }
}

#[test]
fn oversized_blocks_are_ignored() {
    let mut long = turned(ByteOrder::Big, 5);
    long.resize(MAX_BLOCK, 0);
    let file = |block: &[u8]| webp(&[(b"EXIF", block)]);
    assert!(read(PictureFormat::WebP, &file(&long)).exif.is_some());
    long.push(0);
    assert_eq!(read(PictureFormat::WebP, &file(&long)), Metadata::default());
}

/// The tags of a TIFF file apart from those of its pixels: the first page, EXIF, GPS.
fn tiff(order: ByteOrder, iptc: &[u8]) -> Vec<u8> {
    let mut exif = Exif::empty(order);
    let strip = Entry::new(0x0111, Kind::LONG, order.bytes_of_u32(8).to_vec());
    exif.primary = vec![
        short(0x0100, order, 640),
        strip,
        short(tags::ORIENTATION, order, 3),
        text(0x013b, "Anna Author"),
        Entry::new(tags::XMP, Kind::BYTE, PACKET.to_vec()),
        Entry::new(tags::IPTC, Kind::LONG, iptc.to_vec()),
        Entry::new(0xfde8, Kind::UNDEFINED, vec![7; 2 << 20]),
    ];
    exif.exif = vec![text(0x9003, "2024:05:06 07:08:09")];
    exif.gps = vec![text(1, "N")];
    exif.write().expect("short")
}

#[test]
fn tiff_tags_become_a_block_without_pixel_tags() {
    for order in ORDERS {
        let datasets = b"\x1c\x02\x50\0\x04Anna\0\0\0";
        let mut swapped = datasets.to_vec();
        swapped.chunks_exact_mut(4).for_each(<[u8]>::reverse);
        for iptc in [&datasets[..], &swapped] {
            let found = read(PictureFormat::Tiff, &tiff(order, iptc));
            assert_eq!(found.xmp.as_deref(), Some(PACKET));
            assert_eq!(found.iptc.as_deref(), Some(&datasets[..]));
            assert_eq!(found.orientation(), Orientation::HalfTurn);
            let block = exif(&found);
            assert!(block.len() < 300, "the private tag of two megabytes is left: {}", block.len());
            // Read with another library than the writer.
            let read = ::exif::Reader::new().read_raw(block.to_vec()).expect("valid");
            let mut names: Vec<String> = read.fields().map(|field| field.tag.to_string()).collect();
            names.sort();
            assert_eq!(names, ["Artist", "DateTimeOriginal", "GPSLatitudeRef", "Orientation"]);
        }
    }
}

#[test]
fn tiff_without_metadata_has_no_block() {
    let order = ByteOrder::Little;
    let file = Exif { primary: vec![short(0x0100, order, 640)], ..Exif::empty(order) }.write().expect("short");
    assert_eq!(read(PictureFormat::Tiff, &file), Metadata::default());
}

/// A deterministic pseudorandom generator.
fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 11) as usize
}

#[test]
fn mutated_files_do_not_panic_or_grow() {
    let exif_block = with_thumbnail(ByteOrder::Big, 90, 20, &[0xff; 40]);
    let files = [
        (
            PictureFormat::Jpeg,
            jpeg(&[
                segment(0xe1, &[b"Exif\0\0", &exif_block]),
                segment(0xe1, &[XMP_NAME, PACKET]),
                segment(0xed, &[b"Photoshop 3.0\0", &resource(0x0404, DATASETS)]),
            ]),
        ),
        (
            PictureFormat::Png,
            png(&[
                chunk(b"eXIf", &[&exif_block]),
                chunk(b"iTXt", &[b"XML:com.adobe.xmp\0\x01\0en\0\0", &packed(PACKET)]),
                chunk(b"tEXt", &[b"Raw profile type iptc\0", &raw_profile("iptc", &resource(0x0404, DATASETS))]),
            ]),
        ),
        (PictureFormat::WebP, webp(&[(b"EXIF", &exif_block), (b"XMP ", PACKET)])),
        (
            PictureFormat::Tiff,
            Exif { unreadable: Vec::new(), ..Exif::parse(&exif_block).expect("read") }.write().expect("short"),
        ),
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let mut changed = 0;
    for (format, sound) in &files {
        let honest = read(*format, sound);
        assert!(honest.exif.is_some());
        for _ in 0..300 {
            let mut file = sound.clone();
            for _ in 0..1 + next(&mut state) % 6 {
                let at = next(&mut state) % file.len();
                file[at] = [0, 0xff, 0x7f, next(&mut state) as u8][next(&mut state) % 4];
            }
            file.truncate(
                file.len() - if next(&mut state).is_multiple_of(3) { next(&mut state) % file.len() } else { 0 },
            );
            let found = read(*format, &file);
            let _ = (found.orientation(), found.thumbnail());
            changed += usize::from(found != honest);
            let total: usize =
                [&found.exif, &found.xmp, &found.iptc].into_iter().flatten().map(|block| block.len()).sum();
            assert!(total <= file.len() * 8, "{total} bytes out of {}", file.len());
        }
    }
    assert!(changed > 400, "the mutations hit: {changed}");
}

#[test]
fn xmp_orientation_applies_only_without_exif_orientation() {
    let packet = |inside: &str| {
        format!(
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
             xmlns:tiff='http://ns.adobe.com/tiff/1.0/' xmlns:o='urn:other'>{inside}</rdf:RDF></x:xmpmeta>"
        )
    };
    let of = |exif: Option<Vec<u8>>, xmp: &str| {
        let xmp = Some(xmp.as_bytes().into());
        Metadata { exif: exif.map(Into::into), xmp, ..Metadata::default() }.orientation()
    };
    let attribute = packet("<rdf:Description tiff:Orientation='6'/>");
    let element = packet("<rdf:Description><tiff:Orientation> 6 </tiff:Orientation></rdf:Description>");
    let order = ByteOrder::Big;
    let silent = block(order, text(0x010f, "Maker"));
    for turned_by in [&attribute, &element] {
        assert_eq!(of(None, turned_by), Orientation::QuarterClockwise);
        assert_eq!(of(Some(silent.clone()), turned_by), Orientation::QuarterClockwise);
        assert_eq!(of(Some(turned(order, 1)), turned_by), Orientation::Upright, "EXIF takes precedence");
        assert_eq!(of(Some(turned(order, 3)), turned_by), Orientation::HalfTurn);
    }
    for upright in [
        packet("<rdf:Description tiff:Orientation='9'/>"),
        packet("<rdf:Description o:Orientation='6'/>"),
        packet("<rdf:Description><o:From><rdf:Description tiff:Orientation='6'/></o:From></rdf:Description>"),
        "<not XML tiff:Orientation='6'".to_owned(),
    ] {
        assert_eq!(of(None, &upright), Orientation::Upright, "{upright}");
    }
}
