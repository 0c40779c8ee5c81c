//! The items of a file: images, parts of images and metadata, with their relations.

use std::borrow::Cow;

use crate::iso_boxes::{IsoBox, Reader, boxes, find};

/// Maximum number of items and of references in a file.
const MAX_ITEMS: usize = 4096;

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Item<'a> {
    pub(in super::super) id: u32,
    /// The four-character type: `av01`, `grid`, `Exif`, `mime`, ..
    pub(in super::super) kind: [u8; 4],
    /// Its MIME type, if its type is `mime`.
    pub(in super::super) content_type: &'a [u8],
}

#[derive(Debug)]
pub(super) struct Location {
    pub(super) item: u32,
    pub(super) method: u8,
    pub(super) extents: Vec<(u64, u64)>,
}

#[derive(Debug)]
pub(super) struct Reference {
    pub(super) kind: [u8; 4],
    pub(super) from: u32,
    pub(super) to: Vec<u32>,
}

/// The items of a file, parsed from its `meta` box.
#[derive(Debug, Default)]
pub(in super::super) struct Items<'a> {
    pub(super) file: &'a [u8],
    pub(super) idat: &'a [u8],
    pub(super) primary: u32,
    pub(super) items: Vec<Item<'a>>,
    pub(super) locations: Vec<Location>,
    pub(super) references: Vec<Reference>,
    pub(super) properties: Vec<IsoBox<'a>>,
    /// Item and 1-based index of a property, in the order of application.
    pub(super) associations: Vec<(u32, usize)>,
}

impl<'a> Items<'a> {
    /// Parses the items of `file`; `None` if there are none or the structure is invalid.
    pub(in super::super) fn read(file: &'a [u8]) -> Option<Self> {
        let (_, _, meta) = find(file, b"meta")?.full()?;
        let idat = find(meta, b"idat").map_or(&[][..], |idat| idat.content);
        let mut items = Self { file, idat, ..Self::default() };
        for inner in boxes(meta) {
            match &inner.kind {
                b"pitm" => {
                    let (version, _, rest) = inner.full()?;
                    items.primary = Reader(rest).number(if version == 0 { 2 } else { 4 })? as u32;
                }
                b"iinf" => items.read_infos(inner)?,
                b"iloc" => items.read_locations(inner)?,
                b"iref" => items.read_references(inner)?,
                b"iprp" => items.read_properties(inner)?,
                _ => {}
            }
        }
        Some(items)
    }

    pub(in super::super) fn primary(&self) -> Option<Item<'a>> {
        self.item(self.primary)
    }

    pub(in super::super) fn item(&self, id: u32) -> Option<Item<'a>> {
        self.items.iter().find(|item| item.id == id).copied()
    }

    /// The properties of an item, in the order of application.
    pub(in super::super) fn properties(&self, id: u32) -> impl Iterator<Item = IsoBox<'a>> + '_ {
        let of_item = self.associations.iter().filter(move |(item, _)| *item == id);
        of_item.filter_map(|(_, index)| self.properties.get(index.checked_sub(1)?).copied())
    }

    pub(in super::super) fn property(&self, id: u32, kind: &[u8; 4]) -> Option<IsoBox<'a>> {
        self.properties(id).find(|property| property.kind == *kind)
    }

    /// The items that `from` refers to with references of type `kind`.
    pub(in super::super) fn referred(&self, from: u32, kind: &[u8; 4]) -> &[u32] {
        let reference = self.references.iter().find(|found| found.from == from && found.kind == *kind);
        reference.map_or(&[], |reference| &reference.to)
    }

    /// Items that refer to `to` with references of type `kind`.
    pub(in super::super) fn referring(&self, to: u32, kind: [u8; 4]) -> impl Iterator<Item = u32> + '_ {
        let found = self.references.iter().filter(move |found| found.kind == kind && found.to.contains(&to));
        found.map(|found| found.from)
    }

    /// The bytes of an item; an error message if they are incomplete.
    pub(in super::super) fn data(&self, id: u32) -> Result<Cow<'a, [u8]>, &'static str> {
        let location =
            self.locations.iter().find(|found| found.item == id).ok_or("an item has no location in the file")?;
        let from = match location.method {
            0 => self.file,
            1 => self.idat,
            _ => return Err("an item is stored in another item"),
        };
        let mut parts = Vec::with_capacity(location.extents.len());
        for (offset, length) in &location.extents {
            let start = usize::try_from(*offset).unwrap_or(usize::MAX);
            let rest = from.get(start..).ok_or("the end of the file is missing")?;
            // A length of 0 extends to the end.
            let length = if *length == 0 { rest.len() } else { usize::try_from(*length).unwrap_or(usize::MAX) };
            parts.push(rest.get(..length).ok_or("the end of the file is missing")?);
        }
        let total: usize = parts.iter().map(|part| part.len()).sum();
        if total > self.file.len() {
            return Err("an item is larger than the file");
        }
        Ok(if let [part] = parts[..] { Cow::Borrowed(part) } else { Cow::Owned(parts.concat()) })
    }

    /// The EXIF block of the image from its TIFF header on, and its XMP packet.
    pub(in super::super) fn metadata(&self) -> (Option<Vec<u8>>, Option<Vec<u8>>) {
        let of_picture = |wanted: &dyn Fn(&Item<'_>) -> bool| {
            let describes = |item: &&Item<'_>| self.referred(item.id, b"cdsc").contains(&self.primary);
            let mut found = self.items.iter().filter(|item| wanted(item));
            let item = found.clone().find(describes).or_else(|| found.next())?;
            self.data(item.id).ok()
        };
        let exif = of_picture(&|item| item.kind == *b"Exif").and_then(|block| from_tiff_header(&block));
        let xmp = of_picture(&|item| item.kind == *b"mime" && item.content_type == b"application/rdf+xml");
        (exif, xmp.map(Cow::into_owned))
    }

    fn read_infos(&mut self, infos: IsoBox<'a>) -> Option<()> {
        let (version, _, mut rest) = infos.full()?;
        rest = rest.get(if version == 0 { 2 } else { 4 }..)?;
        for info in boxes(rest).filter(|inner| inner.kind == *b"infe").take(MAX_ITEMS) {
            let (version, _, rest) = info.full()?;
            if version < 2 {
                continue; // Versions without item types.
            }
            let mut rest = Reader(rest);
            let id = rest.number(if version == 2 { 2 } else { 4 })? as u32;
            let _protection = rest.u16()?;
            let kind = *rest.take(4)?.first_chunk()?;
            let _name = rest.text();
            let content_type = if kind == *b"mime" { rest.text().unwrap_or_default() } else { &[] };
            self.items.push(Item { id, kind, content_type });
        }
        Some(())
    }

    fn read_locations(&mut self, iloc: IsoBox<'a>) -> Option<()> {
        let (version, _, rest) = iloc.full()?;
        let mut rest = Reader(rest);
        let (sizes, more) = (rest.u8()?, rest.u8()?);
        let (offset_size, length_size) = (usize::from(sizes >> 4), usize::from(sizes & 15));
        let (base_size, index_size) = (usize::from(more >> 4), if version == 0 { 0 } else { usize::from(more & 15) });
        if [offset_size, length_size, base_size, index_size].into_iter().any(|size| size > 8) {
            return None;
        }
        let count = rest.number(if version < 2 { 2 } else { 4 })?;
        let mut total = 0;
        for _ in 0..count {
            let item = rest.number(if version < 2 { 2 } else { 4 })? as u32;
            let method = if version == 0 { 0 } else { (rest.u16()? & 15) as u8 };
            let _data_reference = rest.u16()?;
            let base = rest.number(base_size)?;
            let extents = rest.u16()?;
            let mut location = Location { item, method, extents: Vec::new() };
            for _ in 0..extents {
                let _index = rest.number(index_size)?;
                let offset = base.checked_add(rest.number(offset_size)?)?;
                location.extents.push((offset, rest.number(length_size)?));
                total += 1;
                if total > 4 * MAX_ITEMS {
                    return None;
                }
            }
            self.locations.push(location);
            if self.locations.len() > MAX_ITEMS {
                return None;
            }
        }
        Some(())
    }

    fn read_references(&mut self, iref: IsoBox<'a>) -> Option<()> {
        let (version, _, rest) = iref.full()?;
        let id_size = if version == 0 { 2 } else { 4 };
        let mut total = 0;
        for reference in boxes(rest) {
            let mut rest = Reader(reference.content);
            let from = rest.number(id_size)? as u32;
            let count = rest.u16()?;
            total += 1 + usize::from(count);
            if total > 2 * MAX_ITEMS {
                return None;
            }
            let to = (0..count).map(|_| rest.number(id_size).map(|id| id as u32)).collect::<Option<_>>()?;
            self.references.push(Reference { kind: reference.kind, from, to });
        }
        Some(())
    }

    fn read_properties(&mut self, iprp: IsoBox<'a>) -> Option<()> {
        self.properties.extend(boxes(find(iprp.content, b"ipco")?.content).take(MAX_ITEMS));
        for ipma in boxes(iprp.content).filter(|inner| inner.kind == *b"ipma") {
            let (version, flags, rest) = ipma.full()?;
            let mut rest = Reader(rest);
            for _ in 0..rest.u32()? {
                let item = rest.number(if version == 0 { 2 } else { 4 })? as u32;
                for _ in 0..rest.u8()? {
                    // The highest bit marks the property as essential.
                    let index = if flags & 1 == 0 { u16::from(rest.u8()? & 0x7f) } else { rest.u16()? & 0x7fff };
                    self.associations.push((item, usize::from(index)));
                    if self.associations.len() > 8 * MAX_ITEMS {
                        return None;
                    }
                }
            }
        }
        Some(())
    }
}

/// Skips the offset at the start of an EXIF item; some writers omit the offset.
pub(in super::super) fn from_tiff_header(block: &[u8]) -> Option<Vec<u8>> {
    let is_tiff = |bytes: &[u8]| bytes.starts_with(b"II*\0") || bytes.starts_with(b"MM\0*");
    if is_tiff(block) {
        return Some(block.to_vec());
    }
    let (offset, rest) = block.split_first_chunk::<4>()?;
    let tiff = rest.get(u32::from_be_bytes(*offset) as usize..)?;
    // Some writers do not count the preceding "Exif" prefix.
    let tiff = tiff.strip_prefix(b"Exif\0\0").unwrap_or(tiff);
    is_tiff(tiff).then(|| tiff.to_vec())
}
