//! Reads the codes of cards that a photo shows.

use cancel::CancelToken;
use outcome::{CardCode, DecodeError, Stage, StageError};
use picture::{DecodeRequest, Picture, begin_decode};

use crate::options::{PhotoSource, ReserveMemory};
use crate::runner::StageRunner;

/// Minimum longer sides of the images that are decoded for codes, one after the other until one shows a code. A code needs 1.3
/// to 2 pixels for each of its modules.
const LONG_SIDES: [u32; 2] = [1500, 3000];

/// Reads the codes of cards in a photo: decodes it at a reduced size, and at a larger one if that shows no code. The largest
/// code comes first; a photo without a code yields none. `None` once cancelled.
///
/// # Errors
/// Fails with the error of the stage that failed.
pub fn read_cards(
    source: PhotoSource<'_>,
    reserve: ReserveMemory<'_>,
    cancel: &CancelToken,
) -> Result<Option<Vec<CardCode>>, StageError> {
    let _scope = begin_decode(source.limits, cancel);
    let mut runner = StageRunner::new(source.path, None);
    match runner.read_cards(source, reserve, cancel) {
        Err(StageError::Decode(DecodeError::Cancelled)) => Ok(None),
        read => read,
    }
}

impl StageRunner<'_> {
    fn read_cards(
        &mut self,
        source: PhotoSource<'_>,
        reserve: ReserveMemory<'_>,
        cancel: &CancelToken,
    ) -> Result<Option<Vec<CardCode>>, StageError> {
        let file = self.open(source)?;
        let mut searched = 0;
        // A format that is always decoded whole is decoded once.
        let long_sides = if file.decodes_in_part() { &LONG_SIDES[..] } else { &LONG_SIDES[1..] };
        for &long_side in long_sides {
            if searched >= long_side.min(file.size().long_side()) {
                continue;
            }
            if cancel.is_cancelled() {
                return Ok(None);
            }
            let picture = self.decode(&file, &DecodeRequest::LongSide(long_side), reserve)?;
            match self.search_cards(&picture, searched, cancel)? {
                Some(codes) if codes.is_empty() => searched = picture.pixels.size().long_side(),
                found => return Ok(found),
            }
        }
        Ok(Some(Vec::new()))
    }

    fn search_cards(
        &mut self,
        picture: &Picture,
        searched: u32,
        cancel: &CancelToken,
    ) -> Result<Option<Vec<CardCode>>, StageError> {
        self.run_stage(Stage::Codes, || Ok::<_, StageError>(cards::read(picture, searched, cancel)))
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use image::{GrayImage, Luma};
    use outcome::CodeKind;
    use recipe::{DecodeLimits, DetectSpec};

    use super::*;

    /// Widths of the bars and spaces of a Code 128 of the text S-04711, made by python-barcode.
    const CODE: &str = "2112142131131221321131411213221221141141311232213121312331112";

    /// A photo in a folder of its own.
    struct Photo {
        path: PathBuf,
        _folder: tempfile::TempDir,
    }

    impl Photo {
        /// A wall of 3200 x 2400 pixels with a white card; its code has modules of `module` pixels. 0 is no card.
        fn new(name: &str, module: f32) -> Self {
            let mut wall = GrayImage::from_fn(3200, 2400, |x, y| Luma([(90 + (x / 80 + y / 90) % 9) as u8]));
            let (left, top) = (1200.0, 900.0);
            let mut fill = |from: f32, to: f32, rows: (f32, f32), level| {
                for y in (top + rows.0 * module) as u32..(top + rows.1 * module) as u32 {
                    for x in (left + from * module).round() as u32..(left + to * module).round() as u32 {
                        wall.put_pixel(x, y, Luma([level]));
                    }
                }
            };
            fill(-12.0, 124.0, (-12.0, 52.0), 240);
            let mut column = 0.0;
            for (index, width) in CODE.bytes().map(|width| f32::from(width - b'0')).enumerate() {
                if index % 2 == 0 {
                    fill(column, column + width, (0.0, 40.0), 20);
                }
                column += width;
            }
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join(name);
            wall.save(&path).expect("saved");
            Self { path, _folder: folder }
        }

        /// What is read, and the number of decodes.
        fn read(&self, cancel: &CancelToken) -> (Result<Option<Vec<CardCode>>, StageError>, usize) {
            let (limits, detect) = (DecodeLimits::default(), DetectSpec::default());
            let source = PhotoSource { path: &self.path, limits: &limits, detect: &detect };
            let mut decodes = 0;
            let read = read_cards(source, &mut |_| decodes += 1, cancel);
            (read, decodes)
        }

        /// The texts that are read, and the number of decodes.
        fn texts(&self) -> (Vec<String>, usize) {
            let (read, decodes) = self.read(&CancelToken::new());
            let codes = read.expect("read").expect("not cancelled");
            (codes.into_iter().map(|code| code.text).collect(), decodes)
        }
    }

    #[test]
    fn a_large_code_needs_one_reduced_decode_and_a_small_one_two() {
        let large = Photo::new("large.jpg", 4.0);
        assert_eq!(large.texts(), (vec!["S-04711".to_owned()], 1));
        let small = Photo::new("small.jpg", 1.8);
        assert_eq!(small.texts(), (vec!["S-04711".to_owned()], 2));
        let (read, _) = large.read(&CancelToken::new());
        let codes = read.expect("read").expect("not cancelled");
        assert_eq!(codes[0].kind, CodeKind::Code128);
        assert!(codes[0].region.contains(geometry::Point::new(1424.0, 980.0)), "{:?}", codes[0].region);
    }

    #[test]
    fn a_photo_without_a_code_has_none() {
        assert_eq!(Photo::new("none.jpg", 0.0).texts(), (vec![], 2));
    }

    #[test]
    fn a_format_that_is_always_decoded_whole_is_decoded_once() {
        assert_eq!(Photo::new("small.png", 1.8).texts(), (vec!["S-04711".to_owned()], 1));
    }

    #[test]
    fn cancelled_reads_have_no_result_and_broken_files_an_error() {
        let photo = Photo::new("photo.jpg", 4.0);
        let cancel = CancelToken::new();
        cancel.cancel();
        assert!(matches!(photo.read(&cancel).0, Ok(None)));
        std::fs::write(&photo.path, "no photo").expect("written");
        assert!(matches!(photo.read(&CancelToken::new()).0, Err(StageError::Decode(_))));
    }
}
