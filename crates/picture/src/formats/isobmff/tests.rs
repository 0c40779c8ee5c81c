//! Builders of box files for tests, and tests of the parser.

use super::*;
use crate::iso_boxes::boxes;

pub(in crate::formats) fn boxed(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len() + 8).expect("short");
    [&length.to_be_bytes()[..], kind, content].concat()
}

pub(in crate::formats) fn full(kind: &[u8; 4], version: u8, content: &[u8]) -> Vec<u8> {
    boxed(kind, &[&[version, 0, 0, 0][..], content].concat())
}

/// The description of a HEIF file to build.
#[derive(Clone, Default)]
pub(in crate::formats) struct HeifBuilder {
    /// The major brand.
    pub(in crate::formats) brand: [u8; 4],
    /// Type, data and 0-based indices of properties. Item numbers start at 1; the first item is the image.
    pub(in crate::formats) items: Vec<([u8; 4], Vec<u8>, Vec<u8>)>,
    /// Complete boxes.
    pub(in crate::formats) properties: Vec<Vec<u8>>,
    /// Type, from, to.
    pub(in crate::formats) references: Vec<([u8; 4], u16, Vec<u16>)>,
}

impl HeifBuilder {
    pub(in crate::formats) fn file(&self) -> Vec<u8> {
        let ftyp = boxed(b"ftyp", &[&self.brand[..], &[0; 4], b"miaf"].concat());
        let start = ftyp.len() + self.meta(0).len() + 8;
        let data: Vec<u8> = self.items.iter().flat_map(|(_, data, _)| data.clone()).collect();
        [ftyp, self.meta(u32::try_from(start).expect("short")), boxed(b"mdat", &data)].concat()
    }

    fn meta(&self, mut at: u32) -> Vec<u8> {
        let count = (self.items.len() as u16).to_be_bytes();
        let (mut infos, mut places) = (count.to_vec(), [&[0x44, 0][..], &count].concat());
        let mut associations = u32::from(self.items.len() as u16).to_be_bytes().to_vec();
        for (index, (kind, data, properties)) in self.items.iter().enumerate() {
            let id = (index as u16 + 1).to_be_bytes();
            let mime: &[u8] = if kind == b"mime" { b"application/rdf+xml\0" } else { b"" };
            infos.extend(full(b"infe", 2, &[&id[..], &[0, 0], kind, b"\0", mime].concat()));
            places.extend([&id[..], &[0, 0, 0, 1], &at.to_be_bytes(), &(data.len() as u32).to_be_bytes()].concat());
            at += data.len() as u32;
            associations.extend([&id[..], &[properties.len() as u8]].concat());
            associations.extend(properties.iter().map(|index| index + 1));
        }
        let references = self.references.iter().flat_map(|(kind, from, to)| {
            let to: Vec<u8> = to.iter().flat_map(|id| id.to_be_bytes()).collect();
            boxed(kind, &[&from.to_be_bytes()[..], &((to.len() / 2) as u16).to_be_bytes(), &to].concat())
        });
        let parts = [
            full(b"pitm", 0, &[0, 1]),
            full(b"iinf", 0, &infos),
            full(b"iloc", 0, &places),
            full(b"iref", 0, &references.collect::<Vec<_>>()),
            boxed(b"iprp", &[boxed(b"ipco", &self.properties.concat()), full(b"ipma", 0, &associations)].concat()),
        ];
        full(b"meta", 0, &parts.concat())
    }
}

#[test]
fn boxes_are_consecutive_and_end_with_the_file() {
    let long = [&[0, 0, 0, 1][..], b"long", &20_u64.to_be_bytes(), b"four"].concat();
    let last = [&[0, 0, 0, 0][..], b"last", b"to the end"].concat();
    let bytes = [boxed(b"free", b"abc"), long, last].concat();
    let found: Vec<_> = boxes(&bytes).map(|found| (found.kind, found.content)).collect();
    assert_eq!(found, [(*b"free", &b"abc"[..]), (*b"long", b"four"), (*b"last", b"to the end")]);
    // Truncated in the middle of the first, and a length shorter than the box header.
    assert_eq!(boxes(&bytes[..9]).map(|found| found.content.len()).collect::<Vec<_>>(), [1]);
    assert_eq!(boxes(b"\0\0\0\x04free").count(), 0);
}

#[test]
fn metadata_belongs_to_the_primary_item() {
    let exif = b"\0\0\0\x06Exif\0\0II*\0\x08\0\0\0";
    let mut builder = HeifBuilder { brand: *b"avif", ..HeifBuilder::default() };
    builder.items = vec![
        (*b"av01", b"picture".to_vec(), vec![]),
        (*b"Exif", b"\0\0\0\0MM\0*of another".to_vec(), vec![]),
        (*b"Exif", exif.to_vec(), vec![]),
        (*b"mime", b"<xmp/>".to_vec(), vec![]),
    ];
    builder.references = vec![(*b"cdsc", 2, vec![9]), (*b"cdsc", 3, vec![1]), (*b"cdsc", 4, vec![1])];
    let file = builder.file();
    let items = Items::read(&file).expect("reads");
    assert_eq!(items.metadata(), (Some(b"II*\0\x08\0\0\0".to_vec()), Some(b"<xmp/>".to_vec())));
    assert_eq!(items.data(1).as_deref(), Ok(&b"picture"[..]));
    let cut = &file[..file.len() - 1];
    assert_eq!(Items::read(cut).expect("reads").data(4), Err("the end of the file is missing"));
}

#[test]
fn exif_is_read_with_and_without_offset() {
    for block in [&b"\0\0\0\0II*\0rest"[..], b"\0\0\0\x06Exif\0\0II*\0rest", b"\0\0\0\0Exif\0\0II*\0rest", b"II*\0rest"]
    {
        assert_eq!(from_tiff_header(block).as_deref(), Some(&b"II*\0rest"[..]), "{block:?}");
    }
    for block in [&b"\0\0\0\0PNG"[..], b"\xff\xff\xff\xffII*\0", b"\0"] {
        assert_eq!(from_tiff_header(block), None, "{block:?}");
    }
}

#[test]
fn items_with_repeated_extents_are_rejected() {
    let extents: u16 = 3;
    let mut places = [&[0x44, 0, 0, 1, 0, 1, 0, 0][..], &extents.to_be_bytes()].concat();
    for _ in 0..extents {
        places.extend([0_u32.to_be_bytes(), 60_u32.to_be_bytes()].concat());
    }
    let file = [full(b"meta", 0, &full(b"iloc", 0, &places)), vec![0; 40]].concat();
    assert_eq!(Items::read(&file).expect("reads").data(1), Err("an item is larger than the file"));
}
