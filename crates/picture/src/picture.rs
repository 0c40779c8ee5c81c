//! Decoded pixels, upright, and where in the photo they lie.

use std::sync::Arc;

use geometry::{PixelRect, Size};
use outcome::{Damage, PhotoInfo, PictureFormat, PictureNote, PixelLayout};

use super::{DecodeRequest, Metadata, Pixels, SourceBox};

/// What is known of a picture beside its pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureInfo {
    /// Upright size of the whole picture in pixels.
    pub size: Size,
    /// File format, by content.
    pub format: PictureFormat,
    /// What one pixel of the file is made of, as far as it is kept here.
    pub layout: PixelLayout,
    /// What is missing, where the file is cut or corrupt.
    pub damage: Option<Damage>,
    /// The ICC profile that says what the numbers mean: of RGB where the picture is in colour, of grey where it is grey.
    /// `None` for sRGB (or its tone curve, for grey).
    pub icc_profile: Option<Arc<[u8]>>,
    /// What the file carries beside pixels and profile.
    pub metadata: Arc<Metadata>,
    /// What a person should know of how the picture was got, such as "the preview inside a raw file".
    pub note: Option<PictureNote>,
}

impl PictureInfo {
    /// A sound sRGB picture that says nothing of itself.
    pub fn plain(size: Size, format: PictureFormat, layout: PixelLayout) -> Self {
        let metadata = Arc::new(Metadata::default());
        Self { size, format, layout, damage: None, icc_profile: None, metadata, note: None }
    }

    /// What front ends show of it.
    pub fn facts(&self) -> PhotoInfo {
        PhotoInfo {
            size: self.size,
            format: self.format,
            layout: self.layout,
            damage: self.damage.clone(),
            note: self.note,
        }
    }
}

/// Where pixels lie in the whole upright picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The left edge of the leftmost pixels, in pixels of the whole picture; below 0 where the leftmost pixels are partly
    /// beyond it.
    pub x: i32,
    /// The top edge of the topmost pixels, likewise.
    pub y: i32,
    /// Pixels of the whole picture along each side of one pixel: 1, 2, 4 or 8.
    pub reduction: u32,
}

impl Place {
    /// All of the picture at its full size.
    pub const WHOLE: Self = Self { x: 0, y: 0, reduction: 1 };
}

/// An upright picture in memory: all of it or a part, at full size or reduced.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Size, format and what else the file said, of the whole picture.
    pub info: PictureInfo,
    /// The pixels that were decoded.
    pub pixels: Pixels,
    /// Where they lie.
    pub place: Place,
}

impl Picture {
    /// All of a picture at its full size.
    pub fn whole(info: PictureInfo, pixels: Pixels) -> Self {
        Self { info, pixels, place: Place::WHOLE }
    }

    /// Upright size of the whole picture in pixels, however much of it is here.
    pub fn size(&self) -> Size {
        self.info.size
    }

    /// Bytes of memory its pixels take.
    pub fn byte_size(&self) -> usize {
        self.pixels.byte_size()
    }

    /// The part of the whole picture that is here, in its pixels.
    pub fn covered(&self) -> PixelRect {
        let Size { width, height } = self.pixels.size();
        let reach = |pixels: u32| pixels.saturating_mul(self.place.reduction);
        let all = PixelRect::new(self.place.x, self.place.y, reach(width), reach(height));
        all.clipped_to(self.info.size).unwrap_or(PixelRect::new(0, 0, 0, 0))
    }

    /// `part`, given in pixels of the whole picture, in pixels of those that are here. Cut off where they end.
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

    /// True where the pixels here serve `want` as well as a fresh decode would.
    pub fn serves(&self, request: &DecodeRequest) -> bool {
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

    /// All of the whole picture, in pixels of those that are here.
    pub fn whole_box(&self) -> SourceBox {
        self.source_box(SourceBox::whole(self.info.size))
    }
}

#[cfg(test)]
mod tests {
    use outcome::Channels;

    use super::*;

    /// The right half of a picture of 800 x 400 pixels, at half its size.
    fn half() -> Picture {
        let pixels = Pixels::from_u8(Size::new(200, 200), Channels::L, vec![0; 40_000]).expect("fits");
        let info = PictureInfo::plain(Size::new(800, 400), PictureFormat::Jpeg, pixels.layout());
        Picture { info, pixels, place: Place { x: 400, y: 0, reduction: 2 } }
    }

    #[test]
    fn a_part_serves_what_it_covers_at_the_size_it_has() {
        let half = half();
        assert_eq!(half.covered(), PixelRect::new(400, 0, 400, 400));
        let frame = |x, side| DecodeRequest::Frames(vec![(PixelRect::new(x, 100, 200, 200), Size::new(side, side))]);
        assert!(half.serves(&frame(500, 100)));
        assert!(!half.serves(&frame(500, 150)), "more pixels than there are");
        assert!(!half.serves(&frame(300, 100)), "beyond the left edge");
        assert!(!half.serves(&DecodeRequest::LongSide(10)) && !half.serves(&DecodeRequest::Full));
    }

    #[test]
    fn boxes_are_counted_in_the_pixels_that_are_here() {
        let part = SourceBox { x: 500.0, y: 10.0, width: 100.0, height: 50.0 };
        let expected = SourceBox { x: 50.0, y: 5.0, width: 50.0, height: 25.0 };
        assert_eq!(half().source_box(part), expected);
        assert_eq!(half().whole_box(), SourceBox::whole(Size::new(200, 200)));
    }
}
