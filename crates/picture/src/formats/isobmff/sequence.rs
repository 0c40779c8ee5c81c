//! The first frame of an image sequence as items, so that an animation without a still image is decoded like a still
//! one.

use super::items::{Item, Items, Location, Reference};
use crate::iso_boxes::{IsoBox, Reader, boxes, find};

/// Maximum number of tracks.
const MAX_TRACKS: usize = 16;

/// Bytes of a visual sample entry before its boxes.
const SAMPLE_ENTRY_BYTES: usize = 78;

/// Item numbers of the first frame of the image track, and of the alpha track.
const PICTURE: u32 = 1;
const ALPHA: u32 = 2;

/// The first sample of a track.
struct Track<'a> {
    is_auxiliary: bool,
    is_premultiplied: bool,
    /// The sample entry; its type is that of the data.
    entry: IsoBox<'a>,
    offset: u64,
    length: u64,
}

impl<'a> Items<'a> {
    /// The first frames of the tracks of `file`; `None` if there are none.
    pub(in super::super) fn of_sequence(file: &'a [u8]) -> Option<Self> {
        let moov = find(file, b"moov")?;
        let tracks = boxes(moov.content).filter(|inner| inner.kind == *b"trak").take(MAX_TRACKS);
        let tracks: Vec<Track<'a>> = tracks.filter_map(|track| Track::read(track.content)).collect();
        let picture = tracks.iter().find(|track| !track.is_auxiliary)?;
        let mut items = Self { file, primary: PICTURE, ..Self::default() };
        items.add_frame(PICTURE, picture);
        if let Some(alpha) = tracks.iter().find(|track| track.is_auxiliary) {
            items.add_frame(ALPHA, alpha);
            items.references.push(Reference { kind: *b"auxl", from: ALPHA, to: vec![PICTURE] });
            if picture.is_premultiplied {
                items.references.push(Reference { kind: *b"prem", from: PICTURE, to: vec![ALPHA] });
            }
        }
        Some(items)
    }

    fn add_frame(&mut self, id: u32, track: &Track<'a>) {
        self.items.push(Item { id, kind: track.entry.kind, content_type: &[] });
        self.locations.push(Location { item: id, method: 0, extents: vec![(track.offset, track.length)] });
        let inside = track.entry.content.get(SAMPLE_ENTRY_BYTES..).unwrap_or_default();
        for property in [track.entry].into_iter().chain(boxes(inside).take(64)) {
            self.properties.push(property);
            self.associations.push((id, self.properties.len()));
        }
    }
}

impl<'a> Track<'a> {
    fn read(track: &'a [u8]) -> Option<Self> {
        let media = find(track, b"mdia")?.content;
        let (_, _, handler) = find(media, b"hdlr")?.full()?;
        let samples = find(find(media, b"minf")?.content, b"stbl")?.content;
        let (_, _, descriptions) = find(samples, b"stsd")?.full()?;
        let entry = boxes(descriptions.get(4..)?).next()?;
        let (_, _, sizes) = find(samples, b"stsz")?.full()?;
        let mut sizes = Reader(sizes);
        let (each, count) = (sizes.u32()?, sizes.u32()?);
        let length = if each == 0 { sizes.u32()? } else { each };
        let (wide, offsets) = match find(samples, b"co64") {
            Some(offsets) => (8, offsets),
            None => (4, find(samples, b"stco")?),
        };
        let (_, _, offsets) = offsets.full()?;
        let mut offsets = Reader(offsets);
        let _count = offsets.u32()?;
        let offset = offsets.number(wide)?;
        let is_premultiplied = find(track, b"tref").is_some_and(|tref| find(tref.content, b"prem").is_some());
        let is_auxiliary = handler.get(4..8) == Some(b"auxv");
        (count > 0 && length > 0).then_some(Self {
            is_auxiliary,
            is_premultiplied,
            entry,
            offset,
            length: length.into(),
        })
    }
}
