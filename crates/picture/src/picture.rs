//! Decoded, upright pixels and their position in the photo.

use std::sync::Arc;

use geometry::{PixelRect, Size};
use outcome::{Damage, PhotoInfo, PictureFormat, PictureNote, PixelLayout};

use super::{DecodeRequest, Metadata, Pixels, SourceBox};

/// Properties of an image apart from its pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureInfo {
    /// Upright size of the whole image in pixels.
    pub size: Size,
    /// File format, detected by content.
    pub format: PictureFormat,
    /// The pixel layout of the file, as far as it is preserved.
    pub layout: PixelLayout,
    /// Damage of a truncated or corrupt file.
    pub damage: Option<Damage>,
    /// The ICC profile of the samples: RGB for colour images, grey for grey ones. `None` for sRGB (or its tone curve,
    /// for grey).
    pub icc_profile: Option<Arc<[u8]>>,
    /// The metadata of the file.
    pub metadata: Arc<Metadata>,
    /// A note for the user about the source of the pixels, such as "the preview inside a raw file".
    pub note: Option<PictureNote>,
}

impl PictureInfo {
    /// An undamaged sRGB image without metadata.
    pub fn plain(size: Size, format: PictureFormat, layout: PixelLayout) -> Self {
        let metadata = Arc::new(Metadata::default());
        Self { size, format, layout, damage: None, icc_profile: None, metadata, note: None }
    }

    /// The properties that user interfaces show.
    pub fn facts(&self) -> PhotoInfo {
        PhotoInfo {
            size: self.size,
            format: self.format,
            layout: self.layout,
            damage: self.damage.clone(),
            note: self.note,
            taken: self.metadata.taken(),
        }
    }
}

/// The position of pixels in the whole upright image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The left edge of the leftmost pixels, in pixels of the whole image; negative if they extend beyond it.
    pub x: i32,
    /// The top edge of the topmost pixels, likewise.
    pub y: i32,
    /// Pixels of the whole image per decoded pixel along each axis: 1, 2, 4 or 8.
    pub reduction: u32,
}

impl Place {
    /// The whole image at full size.
    pub const WHOLE: Self = Self { x: 0, y: 0, reduction: 1 };
}

/// An upright image in memory: the whole or a region, at full or reduced size.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Properties of the whole image.
    pub info: PictureInfo,
    pub pixels: Pixels,
    pub place: Place,
}

impl Picture {
    /// A whole image at full size.
    pub fn whole(info: PictureInfo, pixels: Pixels) -> Self {
        Self { info, pixels, place: Place::WHOLE }
    }

    /// Upright size of the whole image in pixels, regardless of the decoded region.
    pub fn size(&self) -> Size {
        self.info.size
    }

    /// Memory of its pixels in bytes.
    pub fn byte_size(&self) -> usize {
        self.pixels.byte_size()
    }

    /// The decoded region, in pixels of the whole image.
    pub fn covered(&self) -> PixelRect {
        let Size { width, height } = self.pixels.size();
        let reach = |pixels: u32| pixels.saturating_mul(self.place.reduction);
        let all = PixelRect::new(self.place.x, self.place.y, reach(width), reach(height));
        all.clipped_to(self.info.size).unwrap_or(PixelRect::new(0, 0, 0, 0))
    }

    /// Converts `part` from pixels of the whole image to decoded pixels, clipped to the decoded region.
    pub fn source_box(&self, part: SourceBox) -> SourceBox {
        let Size { width, height } = self.pixels.size();
        let reduction = f64::from(self.place.reduction.max(1));
        let along = |start: f64, length: f64, origin: i32, end: u32| {
            let from = ((start - f64::from(origin)) / reduction).clamp(0.0, f64::from(end));
            let to = ((start + length - f64::from(origin)) / reduction).clamp(from, f64::from(end));
            (from, to - from)
        };
        let (x, width) = along(part.x, part.width, self.place.x, width);
        let (y, height) = along(part.y, part.height, self.place.y, height);
        SourceBox { x, y, width, height }
    }

    /// True if the decoded pixels satisfy `request` as well as a new decode would.
    pub fn satisfies(&self, request: &DecodeRequest) -> bool {
        let (part, reduction) = request.part_of(self.info.size);
        let here = self.covered();
        let reaches = |start: i32, length: u32, here_start: i32, here_length: u32| {
            here_start <= start
                && i64::from(start) + i64::from(length) <= i64::from(here_start) + i64::from(here_length)
        };
        self.place.reduction <= reduction
            && reaches(part.x, part.width, here.x, here.width)
            && reaches(part.y, part.height, here.y, here.height)
    }

    /// The whole image, in decoded pixels.
    pub fn whole_box(&self) -> SourceBox {
        self.source_box(SourceBox::whole(self.info.size))
    }
}

#[cfg(test)]
mod tests {
    use outcome::Channels;

    use super::*;

    /// The right half of an image of 800 x 400 pixels, at half its size.
    fn half() -> Picture {
        let pixels = Pixels::from_u8(Size::new(200, 200), Channels::L, vec![0; 40_000]).expect("fits");
        let info = PictureInfo::plain(Size::new(800, 400), PictureFormat::Jpeg, pixels.layout());
        Picture { info, pixels, place: Place { x: 400, y: 0, reduction: 2 } }
    }

    #[test]
    fn partial_decode_satisfies_requests_it_covers() {
        let half = half();
        assert_eq!(half.covered(), PixelRect::new(400, 0, 400, 400));
        let frame = |x, side| DecodeRequest::Frames(vec![(PixelRect::new(x, 100, 200, 200), Size::new(side, side))]);
        assert!(half.satisfies(&frame(500, 100)));
        assert!(!half.satisfies(&frame(500, 150)), "more pixels than there are");
        assert!(!half.satisfies(&frame(300, 100)), "beyond the left edge");
        assert!(!half.satisfies(&DecodeRequest::LongSide(10)) && !half.satisfies(&DecodeRequest::Full));
    }

    #[test]
    fn source_boxes_are_in_decoded_pixels() {
        let part = SourceBox { x: 500.0, y: 10.0, width: 100.0, height: 50.0 };
        let expected = SourceBox { x: 50.0, y: 5.0, width: 50.0, height: 25.0 };
        assert_eq!(half().source_box(part), expected);
        assert_eq!(half().whole_box(), SourceBox::whole(Size::new(200, 200)));
    }
}
