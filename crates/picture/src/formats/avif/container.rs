//! The container of an AVIF file.

use geometry::{Orientation, PixelRect, Size};
use outcome::{DecodeError, PictureNote};

use super::coding::Coding;
use super::{broken, unsupported};
use crate::formats::isobmff::{Item, Items};
use crate::formats::parts::{FIRST_FRAME, STILL_PICTURE};
use crate::iso_boxes::{IsoBox, Reader, brands};
use crate::{Pixels, Samples};

/// Maximum number of tiles of a grid.
const MAX_TILES: usize = 1024;

/// An image that consists of one or more AV1 images of equal size.
#[derive(Debug)]
pub(super) struct Source {
    /// Its total size.
    pub(super) size: Size,
    pub(super) tile_size: Size,
    pub(super) columns: u32,
    /// The items of the tiles, row by row.
    pub(super) tiles: Vec<u32>,
}

/// Properties from the container.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub(super) items: Items<'a>,
    pub(super) picture: Source,
    /// Alpha, and whether the image is premultiplied.
    pub(super) alpha: Option<(Source, bool)>,
    pub(super) crop: Option<PixelRect>,
    pub(super) orientation: Orientation,
    pub(super) icc_profile: Option<&'a [u8]>,
    pub(super) coding: Option<Coding>,
    pub(super) is_grey: bool,
    /// True for more than 8 bits per sample, of colour or alpha.
    pub(super) is_deep: bool,
    /// The note for an image of an animation.
    pub(super) note: Option<PictureNote>,
}

impl<'a> Container<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let is_animation = brands(bytes).next() == Some(*b"avis");
        let (items, is_still) = match Items::read(bytes) {
            Some(items) if items.primary().is_some() => (items, true),
            // An animation may lack a still image.
            read => (
                Items::of_sequence(bytes).or(read).ok_or_else(|| broken("its list of contents cannot be read"))?,
                false,
            ),
        };
        let primary = items.primary().ok_or_else(|| broken("it contains no image"))?;
        let picture = source(&items, primary)?;
        let (is_grey, mut is_deep) = kind_of(&items, &picture)?;
        let alpha = items.referring(primary.id, *b"auxl").find(|id| is_alpha(&items, *id));
        let alpha = match alpha.and_then(|id| items.item(id)) {
            None => None,
            Some(item) => {
                let source = source(&items, item)?;
                is_deep |= kind_of(&items, &source)?.1;
                Some((source, items.referred(primary.id, b"prem").contains(&item.id)))
            }
        };
        let (icc_profile, coding) = super::colour(&items, primary.id, is_grey);
        let crop = items.property(primary.id, b"clap").and_then(|clap| crop(clap.content, picture.size));
        let orientation = orientation(items.properties(primary.id));
        let note = if is_still { is_animation.then_some(STILL_PICTURE) } else { Some(FIRST_FRAME) };
        Ok(Self { picture, alpha, crop, orientation, icc_profile, coding, is_grey, is_deep, note, items })
    }
}

/// The part of `pixels` inside `crop`.
pub(super) fn cropped(pixels: &Pixels, crop: PixelRect) -> Option<Pixels> {
    fn part<T: Copy>(samples: &[T], width: usize, count: usize, crop: PixelRect) -> Option<Vec<T>> {
        let mut kept = Vec::with_capacity(crop.width as usize * crop.height as usize * count);
        for row in samples.chunks_exact(width * count).skip(crop.y as usize).take(crop.height as usize) {
            let start = crop.x as usize * count;
            kept.extend_from_slice(row.get(start..start + crop.width as usize * count)?);
        }
        Some(kept)
    }
    let (width, count) = (pixels.size().width as usize, pixels.channels().count());
    let samples = match pixels.samples() {
        Samples::U8(samples) => Samples::U8(part(samples, width, count, crop)?),
        Samples::U16(samples) => Samples::U16(part(samples, width, count, crop)?),
    };
    Pixels::new(Size::new(crop.width, crop.height), pixels.channels(), samples)
}

/// The tiles of an image.
fn source(items: &Items<'_>, item: Item<'_>) -> Result<Source, DecodeError> {
    let size = size(items, item.id)?;
    match &item.kind {
        b"av01" => Ok(Source { size, tile_size: size, columns: 1, tiles: vec![item.id] }),
        b"grid" => grid(items, item, size),
        kind => Err(unsupported(format!("an image of type \"{}\"", kind.escape_ascii()))),
    }
}

fn grid(items: &Items<'_>, item: Item<'_>, declared: Size) -> Result<Source, DecodeError> {
    let cut = || broken("its grid of tiles is cut off");
    let data = items.data(item.id).map_err(broken)?;
    let mut data = Reader(&data);
    let _version = data.u8().ok_or_else(cut)?;
    let wide = data.u8().ok_or_else(cut)? & 1 != 0;
    let rows = u32::from(data.u8().ok_or_else(cut)?) + 1;
    let columns = u32::from(data.u8().ok_or_else(cut)?) + 1;
    let mut side = || if wide { data.u32() } else { data.u16().map(u32::from) }.ok_or_else(cut);
    let size = Size::new(side()?, side()?);
    let tiles = items.referred(item.id, b"dimg").to_vec();
    if tiles.len() > MAX_TILES {
        return Err(unsupported(format!("more than {MAX_TILES} tiles")));
    }
    let Some(first) = tiles.first().copied().filter(|_| tiles.len() as u64 == u64::from(rows) * u64::from(columns))
    else {
        return Err(broken("the number of its tiles does not match its grid"));
    };
    let tile_size = self::size(items, first)?;
    let reaches = |tile: u32, count: u32, side: u32| {
        let (tile, side) = (u64::from(tile), u64::from(side));
        // Subsampled chroma of inner tiles must end with the tile.
        tile * u64::from(count) >= side && tile * u64::from(count - 1) < side && (count == 1 || tile % 2 == 0)
    };
    let fits = reaches(tile_size.width, columns, size.width) && reaches(tile_size.height, rows, size.height);
    let all_alike = tiles.iter().all(|tile| {
        items.item(*tile).is_some_and(|item| item.kind == *b"av01")
            && self::size(items, *tile).is_ok_and(|size| size == tile_size)
    });
    if size != declared || !fits || !all_alike {
        return Err(broken("its tiles do not fit its grid"));
    }
    Ok(Source { size, tile_size, columns, tiles })
}

fn size(items: &Items<'_>, id: u32) -> Result<Size, DecodeError> {
    let read = || {
        if let Some(size) = items.property(id, b"ispe") {
            let mut rest = Reader(size.full()?.2);
            return Some(Size::new(rest.u32()?, rest.u32()?));
        }
        // For a frame of an animation, the sample entry of its track has the size.
        let mut rest = Reader(items.property(id, b"av01")?.content.get(24..)?);
        Some(Size::new(rest.u16()?.into(), rest.u16()?.into()))
    };
    read().filter(|size| size.pixels() > 0).ok_or_else(|| broken("its size is missing"))
}

/// Whether the AV1 data is monochrome, and whether it has more than 8 bits per sample.
fn kind_of(items: &Items<'_>, source: &Source) -> Result<(bool, bool), DecodeError> {
    let configuration = source.tiles.first().and_then(|tile| items.property(*tile, b"av1C"));
    let bits = configuration.and_then(|configuration| configuration.content.get(2).copied());
    let bits = bits.ok_or_else(|| broken("its AV1 configuration is missing"))?;
    Ok((bits & 0x10 != 0, bits & 0x40 != 0))
}

fn is_alpha(items: &Items<'_>, id: u32) -> bool {
    let kind = items.property(id, b"auxC").or_else(|| items.property(id, b"auxi"));
    let kind = kind.and_then(|kind| kind.full()).and_then(|(_, _, rest)| Reader(rest).text());
    matches!(kind, Some(b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha" | b"urn:mpeg:hevc:2015:auxid:1"))
}

pub(super) fn nclx(content: &[u8]) -> Option<Coding> {
    let mut content = Reader(content);
    let mut code = || content.u16().map(|code| u8::try_from(code).unwrap_or(2));
    let (primaries, transfer, matrix) = (code()?, code()?, code()?);
    Some(Coding { primaries, transfer, matrix, full_range: content.u8()? & 0x80 != 0 })
}

/// The part of an image in its clean aperture; `None` if it is not aligned to whole pixels inside the image.
fn crop(content: &[u8], size: Size) -> Option<PixelRect> {
    let mut content = Reader(content);
    let mut fraction = || Some((i64::from(content.u32()? as i32), i64::from(content.u32()?)));
    let (width, height, x, y) = (fraction()?, fraction()?, fraction()?, fraction()?);
    let along = |(length, of): (i64, i64), (offset, offset_of): (i64, i64), side: u32| {
        if of <= 0 || offset_of <= 0 || length % of != 0 {
            return None;
        }
        let length = length / of;
        // `offset` is relative to the image centre.
        let doubled = (2 * offset).checked_div(offset_of).filter(|_| 2 * offset % offset_of == 0)?;
        let start = doubled + i64::from(side) - length;
        let start = (start % 2 == 0).then_some(start / 2)?;
        (length > 0 && start >= 0 && start + length <= i64::from(side)).then_some((start as i32, length as u32))
    };
    let (x, width) = along(width, x, size.width)?;
    let (y, height) = along(height, y, size.height)?;
    Some(PixelRect::new(x, y, width, height))
}

/// The combined rotation and mirroring, in file order.
fn orientation<'a>(properties: impl Iterator<Item = IsoBox<'a>>) -> Orientation {
    // Represented as an optional horizontal mirror, followed by clockwise quarter turns.
    let (mut mirrored, mut quarters) = (false, 0_u8);
    for property in properties {
        let value = property.content.first().copied().unwrap_or(0);
        match &property.kind {
            b"irot" => quarters += 4 - (value & 3), // Counter-clockwise.
            b"imir" => {
                mirrored = !mirrored;
                quarters = 4 - quarters % 4;
                quarters += if value & 1 == 0 { 2 } else { 0 }; // 0 swaps top and bottom.
            }
            _ => {}
        }
        quarters %= 4;
    }
    match (mirrored, quarters) {
        (false, 0) => Orientation::Upright,
        (false, 1) => Orientation::QuarterClockwise,
        (false, 2) => Orientation::HalfTurn,
        (false, _) => Orientation::QuarterCounterClockwise,
        (true, 0) => Orientation::MirroredHorizontally,
        (true, 1) => Orientation::Transversed,
        (true, 2) => Orientation::MirroredVertically,
        (true, _) => Orientation::Transposed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transforms(steps: &[(&[u8; 4], u8)]) -> Orientation {
        let values: Vec<[u8; 1]> = steps.iter().map(|(_, value)| [*value]).collect();
        orientation(steps.iter().zip(&values).map(|((kind, _), value)| IsoBox { kind: **kind, content: value }))
    }

    #[test]
    fn rotations_and_mirrors_are_combined() {
        type Steps = [(&'static [u8; 4], u8)];
        let cases: [(&Steps, Orientation); 9] = [
            (&[], Orientation::Upright),
            (&[(b"irot", 1)], Orientation::QuarterCounterClockwise),
            (&[(b"irot", 2)], Orientation::HalfTurn),
            (&[(b"irot", 3)], Orientation::QuarterClockwise),
            (&[(b"imir", 0)], Orientation::MirroredVertically),
            (&[(b"imir", 1)], Orientation::MirroredHorizontally),
            (&[(b"irot", 1), (b"imir", 1)], Orientation::Transversed.inverse()),
            (&[(b"irot", 1), (b"imir", 0)], Orientation::Transposed),
            (&[(b"irot", 2), (b"imir", 1)], Orientation::MirroredVertically),
        ];
        for (steps, expected) in cases {
            assert_eq!(transforms(steps), expected, "{steps:?}");
        }
    }

    #[test]
    fn clean_aperture_is_applied_if_aligned_to_pixels() {
        let clap = |numbers: [i32; 8]| numbers.map(i32::to_be_bytes).concat();
        let size = Size::new(10, 8);
        let middle = clap([4, 1, 4, 1, 0, 1, 0, 1]);
        assert_eq!(crop(&middle, size), Some(PixelRect::new(3, 2, 4, 4)));
        let corner = clap([3, 1, 2, 1, -7, 2, -3, 1]);
        assert_eq!(crop(&corner, size), Some(PixelRect::new(0, 0, 3, 2)));
        for odd in
            [[3, 1, 4, 1, 0, 1, 0, 1], [12, 1, 4, 1, 0, 1, 0, 1], [4, 0, 4, 1, 0, 1, 0, 1], [4, 1, 4, 1, 9, 1, 0, 1]]
        {
            assert_eq!(crop(&clap(odd), size), None, "{odd:?}");
        }
        assert_eq!(crop(&middle[..20], size), None);
    }
}
