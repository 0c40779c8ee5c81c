//! Copies of a crop on white paper.

use std::sync::Arc;

use geometry::PixelRect;
use outcome::{Channels, RenderError};
use recipe::{Color, SheetLayout};

use crate::{Crop, Pixels, Samples, from_srgb, over_fill};

/// The grey of cut marks: visible on white paper, and faint enough if a cut leaves a trace of one.
const MARK_COLOR: Color = Color { rgb: [128; 3] };

/// Places copies of `crop` on white paper according to `layout`, with cut marks.
///
/// Paper and marks are white and grey in the crop's own profile, so that the copies are bit-exact; transparent pixels
/// show the paper. The photo's metadata is dropped: a sheet is for paper.
///
/// # Errors
/// The layout is for crops of another size.
pub fn render_sheet(crop: &Crop, layout: &SheetLayout) -> Result<Crop, RenderError> {
    let not_of_sheet = || RenderError::NotOfSheet { crop: crop.size(), place: layout.copy_size() };
    if crop.size() != layout.copy_size() {
        return Err(not_of_sheet());
    }
    let profile = crop.icc_profile.as_deref();
    let flat = crop.pixels.channels().has_alpha().then(|| over_fill(crop.pixels.clone(), Color::WHITE, profile));
    let copy = flat.as_ref().unwrap_or(&crop.pixels);
    let [paper, mark] = [Color::WHITE, MARK_COLOR].map(|color| from_srgb(color.rgb, profile));
    let samples = match copy.samples() {
        Samples::U8(samples) => {
            let [paper, mark] = [paper, mark].map(|numbers| numbers.map(to_8_bits));
            Samples::U8(placed(samples, copy.channels(), layout, paper, mark))
        }
        Samples::U16(samples) => Samples::U16(placed(samples, copy.channels(), layout, paper, mark)),
    };
    let pixels = Pixels::new(layout.size(), copy.channels(), samples).ok_or_else(not_of_sheet)?;
    Ok(Crop { pixels, icc_profile: crop.icc_profile.clone(), metadata: Arc::default() })
}

/// The sheet's samples: `copy` at each of its positions. Grey uses the first of the three values.
fn placed<T: Copy>(copy: &[T], channels: Channels, layout: &SheetLayout, paper: [T; 3], mark: [T; 3]) -> Vec<T> {
    let count = channels.count();
    let row_samples = layout.size().width as usize * count;
    let mut sheet = paper[..count].repeat(layout.size().pixels() as usize);
    for place in layout.marks() {
        let line = mark[..count].repeat(place.width as usize);
        put(&mut sheet, row_samples, count, place, std::iter::repeat(&line[..]));
    }
    for place in layout.copies() {
        put(&mut sheet, row_samples, count, place, copy.chunks_exact(place.width as usize * count));
    }
    sheet
}

/// Writes `rows` at `place`; a layout keeps within its paper, so the copy never exceeds the sheet.
fn put<'a, T: Copy + 'a>(
    sheet: &mut [T],
    row_samples: usize,
    count: usize,
    place: &PixelRect,
    rows: impl Iterator<Item = &'a [T]>,
) {
    let start = place.x.max(0) as usize * count;
    let below = sheet.chunks_exact_mut(row_samples).skip(place.y.max(0) as usize).take(place.height as usize);
    for (under, row) in below.zip(rows) {
        under[start..start + row.len()].copy_from_slice(row);
    }
}

/// Converts 0 to 65,535 to 0 to 255, rounded.
fn to_8_bits(sample: u16) -> u8 {
    ((u32::from(sample) + 128) / 257) as u8
}

#[cfg(test)]
mod tests {
    use geometry::Size;
    use recipe::{Paper, SheetFormat, SheetSpec};

    use super::*;
    use crate::to_srgb;

    const SIZE: Size = Size::new(30, 40);

    /// Five copies on small paper, so that the last row has an empty position.
    fn layout() -> SheetLayout {
        let spec =
            SheetSpec { paper: Paper::Photo4x6, copies: Some(5), format: SheetFormat::Png, ..SheetSpec::default() };
        spec.layout(SIZE, 25).expect("fits")
    }

    fn crop(channels: Channels, deep: bool, icc_profile: Option<Arc<[u8]>>) -> Crop {
        let samples = (0..SIZE.pixels() as u32 * channels.count() as u32).map(|at| (at * 7919) as u16);
        let pixels = Pixels::from_u16(SIZE, channels, samples.collect()).expect("fits");
        let pixels = if deep { pixels } else { pixels.into_8_bits() };
        let metadata = Arc::new(crate::Metadata { exif: Some(vec![1].into()), ..Default::default() });
        Crop { pixels, icc_profile, metadata }
    }

    /// Samples converted to 16 bits.
    fn samples(pixels: &Pixels) -> Vec<u16> {
        match pixels.samples() {
            Samples::U8(samples) => samples.iter().map(|sample| u16::from(*sample)).collect(),
            Samples::U16(samples) => samples.clone(),
        }
    }

    fn pixel(sheet: &Pixels, x: i32, y: i32) -> Vec<u16> {
        let at = (y as usize * sheet.size().width as usize + x as usize) * sheet.channels().count();
        samples(sheet)[at..at + sheet.channels().count()].to_vec()
    }

    fn part(sheet: &Pixels, place: &PixelRect) -> Vec<u16> {
        let count = sheet.channels().count();
        let all = samples(sheet);
        let rows = all.chunks_exact(sheet.size().width as usize * count);
        let rows = rows.skip(place.y as usize).take(place.height as usize);
        rows.flat_map(|row| row[place.x as usize * count..][..place.width as usize * count].to_vec()).collect()
    }

    #[test]
    fn copies_are_bit_exact_on_paper_with_marks() {
        let layout = layout();
        for (channels, deep) in
            [(Channels::Rgb, false), (Channels::Rgb, true), (Channels::L, false), (Channels::L, true)]
        {
            let crop = crop(channels, deep, None);
            let sheet = render_sheet(&crop, &layout).expect("renders");
            assert_eq!((sheet.size(), sheet.pixels.layout()), (layout.size(), crop.pixels.layout()));
            assert!(*sheet.metadata == crate::Metadata::default(), "no metadata of the photo");
            for place in layout.copies() {
                assert_eq!(part(&sheet.pixels, place), samples(&crop.pixels), "{channels:?} {deep}");
            }
            let one = if deep { 257 } else { 1 };
            for place in layout.marks() {
                assert!(part(&sheet.pixels, place).iter().all(|sample| *sample == 128 * one));
            }
            let inked: u64 = layout.copies().iter().chain(layout.marks()).map(|place| place.size().pixels()).sum();
            let white = samples(&sheet.pixels)
                .chunks_exact(channels.count())
                .filter(|pixel| pixel.iter().all(|sample| *sample == 255 * one))
                .count() as u64;
            assert!(white >= layout.size().pixels() - inked, "{white}");
            assert_eq!(pixel(&sheet.pixels, 0, 0), vec![255 * one; channels.count()]);
        }
    }

    #[test]
    fn paper_and_marks_use_the_profile_of_the_crop() {
        let profile: Arc<[u8]> = moxcms::ColorProfile::new_adobe_rgb().encode().expect("encodes").into();
        let layout = layout();
        let sheet = render_sheet(&crop(Channels::Rgb, false, Some(Arc::clone(&profile))), &layout).expect("renders");
        assert_eq!(sheet.icc_profile.as_ref(), Some(&profile));
        let shown = to_srgb(sheet.pixels.clone(), Some(&profile));
        assert_eq!(pixel(&shown, 0, 0), [255; 3]);
        let mark = layout.marks()[0];
        let stored = pixel(&sheet.pixels, mark.x, mark.y);
        assert!(stored != [128; 3] && pixel(&shown, mark.x, mark.y).iter().all(|sample| sample.abs_diff(128) <= 1));
    }

    #[test]
    fn transparent_pixels_show_the_paper() {
        for (channels, left) in [(Channels::Rgba, Channels::Rgb), (Channels::La, Channels::L)] {
            let mut clear = crop(channels, false, None);
            let count = channels.count();
            if let crate::SamplesMut::U8(samples) = clear.pixels.samples_mut() {
                samples.chunks_exact_mut(count).for_each(|pixel| pixel[count - 1] = 0);
            }
            let sheet = render_sheet(&clear, &layout()).expect("renders");
            assert_eq!(sheet.pixels.channels(), left);
            let place = layout().copies()[4];
            assert!(part(&sheet.pixels, &place).iter().all(|sample| *sample == 255));
        }
    }

    #[test]
    fn crop_of_another_size_is_rejected() {
        let other = SheetSpec::default().layout(Size::new(31, 40), 25).expect("fits");
        assert!(matches!(render_sheet(&crop(Channels::L, false, None), &other), Err(RenderError::NotOfSheet { .. })));
    }
}
