//! The one resampling of a crop.

use std::sync::Arc;

use super::{Crop, RenderError};
use crate::decode::{Channels, Filter, Picture, Pixels, Samples, SourceBox, from_srgb, resize, to_srgb};
use crate::geometry::{PixelRect, Size};
use crate::plan::{PlannedCrop, RenderSpec};

/// Renders `planned` from the pixels of `picture`, `planned.output` pixels large, as `spec` says.
///
/// # Errors
/// The frame shows no part of the picture, or the resizer refused.
pub fn render_crop(picture: &Picture, planned: &PlannedCrop, spec: &RenderSpec) -> Result<Crop, RenderError> {
    let outside = || RenderError::OutsidePicture { frame: planned.frame, picture: picture.size() };
    let window = Window::new(planned.frame, planned.output, picture.size()).ok_or_else(outside)?;
    let size = Size::new(window.columns.length, window.rows.length);
    let source = picture.source_box(window.source);
    if source.width <= 0.0 || source.height <= 0.0 {
        return Err(outside());
    }
    let mut shown =
        resize(&picture.pixels, source, size, Filter::Lanczos3).map_err(|reason| RenderError::Resize { reason })?;
    // What the photo hides beneath transparency is nobody's to find in the crop.
    shown.clear_hidden_colour();
    let mut icc_profile = picture.info.icc_profile.clone();
    if size != planned.output {
        let [red, green, blue] = spec.fill.rgb;
        if shown.channels().is_grey() {
            // A grey profile says nothing of colour; with the curve of sRGB, grey is grey in colour as well.
            shown = to_srgb(shown, icc_profile.take().as_deref());
            if red != green || green != blue {
                let in_colour = shown.channels().in_colour();
                shown = shown.into_channels(in_colour);
            }
        }
        let fill = from_srgb(spec.fill.rgb, icc_profile.as_deref());
        shown = window.padded(&shown, planned.output, fill).ok_or_else(outside)?;
    }
    Ok(Crop { pixels: shown, icc_profile, metadata: Arc::clone(&picture.info.metadata) })
}

/// Output pixels along one side that show the picture.
#[derive(Clone, Copy)]
struct Run {
    start: u32,
    length: u32,
}

/// The part of the output that shows the picture, and the part of the picture it shows.
struct Window {
    columns: Run,
    rows: Run,
    source: SourceBox,
}

impl Window {
    fn new(frame: PixelRect, output: Size, picture: Size) -> Option<Self> {
        let (columns, x, width) = visible(frame.x, frame.width, output.width, picture.width)?;
        let (rows, y, height) = visible(frame.y, frame.height, output.height, picture.height)?;
        Some(Self { columns, rows, source: SourceBox { x, y, width, height } })
    }

    /// `shown` in its place, `fill` around it: three samples of 16 bits, of which grey takes the first.
    fn padded(&self, shown: &Pixels, output: Size, fill: [u16; 3]) -> Option<Pixels> {
        let channels = shown.channels();
        let samples = match shown.samples() {
            Samples::U8(samples) => {
                let pixel = fill_pixel(channels, fill.map(to_8_bits), u8::MAX);
                Samples::U8(self.padded_as(samples, channels.count(), output, &pixel))
            }
            Samples::U16(samples) => {
                let pixel = fill_pixel(channels, fill, u16::MAX);
                Samples::U16(self.padded_as(samples, channels.count(), output, &pixel))
            }
        };
        Pixels::new(output, channels, samples)
    }

    fn padded_as<T: Copy>(&self, shown: &[T], count: usize, output: Size, pixel: &[T]) -> Vec<T> {
        let row_samples = output.width as usize * count;
        let mut samples = pixel.repeat(output.pixels() as usize);
        let start = self.columns.start as usize * count;
        let length = self.columns.length as usize * count;
        let rows = samples.chunks_exact_mut(row_samples).skip(self.rows.start as usize);
        for (row, shown) in rows.zip(shown.chunks_exact(length)) {
            row[start..start + length].copy_from_slice(shown);
        }
        samples
    }
}

/// 0 to 65,535 as 0 to 255, rounded.
fn to_8_bits(sample: u16) -> u8 {
    ((u32::from(sample) + 128) / 257) as u8
}

fn fill_pixel<T: Copy>(channels: Channels, fill: [T; 3], opaque: T) -> Vec<T> {
    let mut pixel = fill[..channels.without_alpha().count()].to_vec();
    if channels.has_alpha() {
        pixel.push(opaque);
    }
    pixel
}

/// Along one side: the output pixels that lie wholly inside the picture, and where in the picture they begin and how far
/// they reach. At least one pixel where frame and picture overlap at all.
fn visible(frame_start: i32, frame_length: u32, output: u32, picture: u32) -> Option<(Run, f64, f64)> {
    let per_output = f64::from(frame_length) / f64::from(output);
    let first = (-f64::from(frame_start) / per_output).max(0.0);
    let last = ((f64::from(picture) - f64::from(frame_start)) / per_output).min(f64::from(output));
    if !per_output.is_finite() || per_output <= 0.0 || last <= first {
        return None;
    }
    // A hair of tolerance keeps an edge that falls on a whole pixel there in spite of rounding.
    let (mut start, mut end) = ((first - 1e-6).ceil().max(0.0) as u32, (last + 1e-6).floor() as u32);
    if start >= end {
        start = (((first + last) / 2.0) as u32).min(output - 1);
        end = start + 1;
    }
    let from = (f64::from(frame_start) + f64::from(start) * per_output).clamp(0.0, f64::from(picture));
    let to = (f64::from(frame_start) + f64::from(end) * per_output).clamp(from, f64::from(picture));
    (to > from).then(|| (Run { start, length: end - start }, from, to - from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{PictureFormat, PictureInfo, Place};
    use crate::plan::{Color, EdgePolicy, FinishSpec};

    /// Red grows to the right by 1 a pixel, green downwards; blue is constant.
    fn ramp(size: Size) -> Picture {
        let samples = (0..size.height).flat_map(|y| (0..size.width).flat_map(move |x| [x as u8, y as u8, 77]));
        picture(size, Channels::Rgb, samples.collect())
    }

    fn picture(size: Size, channels: Channels, samples: Vec<u8>) -> Picture {
        let pixels = Pixels::from_u8(size, channels, samples).expect("fits");
        Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels)
    }

    fn planned(frame: PixelRect, output: Size) -> PlannedCrop {
        PlannedCrop::upright(frame, output)
    }

    fn filled(rgb: [u8; 3]) -> RenderSpec {
        RenderSpec { edge: EdgePolicy::Pad, fill: Color { rgb }, finish: FinishSpec::default() }
    }

    fn render(frame: PixelRect, output: Size) -> Crop {
        render_crop(&ramp(Size::new(200, 100)), &planned(frame, output), &filled([1, 2, 3])).expect("renders")
    }

    fn at(crop: &Crop, x: u32, y: u32) -> [u8; 3] {
        let at = (y as usize * crop.size().width as usize + x as usize) * 3;
        bytes_of(crop)[at..at + 3].try_into().expect("three")
    }

    fn bytes_of(crop: &Crop) -> &[u8] {
        crop.pixels.as_u8().expect("8 bits")
    }

    #[test]
    fn at_full_scale_the_pixels_are_the_pictures_own() {
        let crop = render(PixelRect::new(30, 10, 40, 50), Size::new(40, 50));
        assert_eq!(at(&crop, 0, 0), [30, 10, 77]);
        assert_eq!(at(&crop, 39, 49), [69, 59, 77]);
    }

    #[test]
    fn shrinking_keeps_the_geometry() {
        let crop = render(PixelRect::new(20, 20, 80, 40), Size::new(20, 10));
        // Output pixel (5, 5) covers source 40..44 x 40..44, in the middle 41.5.
        let [red, green, _] = at(&crop, 5, 5);
        assert!(red.abs_diff(42) <= 1 && green.abs_diff(42) <= 1, "{red} {green}");
    }

    #[test]
    fn what_lies_outside_is_filled_and_the_rest_stays_in_place() {
        let crop = render(PixelRect::new(-20, -10, 40, 40), Size::new(40, 40));
        assert_eq!(at(&crop, 19, 20), [1, 2, 3]);
        assert_eq!(at(&crop, 20, 9), [1, 2, 3]);
        assert_eq!(at(&crop, 20, 10), [0, 0, 77]);
        assert_eq!(at(&crop, 39, 39), [19, 29, 77]);
        let far = render(PixelRect::new(180, 80, 40, 40), Size::new(20, 20));
        assert_eq!(at(&far, 10, 5), [1, 2, 3]);
        assert!(at(&far, 9, 9)[0].abs_diff(198) <= 1, "{:?}", at(&far, 9, 9));
    }

    #[test]
    fn padding_is_opaque_where_the_picture_has_alpha() {
        let picture = picture(Size::new(10, 10), Channels::Rgba, [50, 60, 70, 0].repeat(100));
        let crop =
            render_crop(&picture, &planned(PixelRect::new(-10, 0, 20, 10), Size::new(20, 10)), &filled([255; 3]));
        let crop = crop.expect("renders");
        assert_eq!(bytes_of(&crop)[..4], [255, 255, 255, 255]);
        assert_eq!(bytes_of(&crop)[11 * 4..][..4], [0, 0, 0, 0], "what was hidden is gone");
    }

    #[test]
    fn grey_stays_grey_unless_the_fill_needs_colour() {
        let picture = picture(Size::new(10, 10), Channels::L, vec![90; 100]);
        let beyond = planned(PixelRect::new(-10, 0, 20, 10), Size::new(20, 10));
        let channels = |planned: &PlannedCrop, rgb| {
            let crop = render_crop(&picture, planned, &filled(rgb)).expect("renders");
            crop.pixels.channels()
        };
        assert_eq!(channels(&beyond, [7, 7, 7]), Channels::L);
        assert_eq!(channels(&beyond, [7, 7, 8]), Channels::Rgb);
        assert_eq!(channels(&planned(PixelRect::new(0, 0, 10, 10), Size::new(5, 5)), [7, 7, 8]), Channels::L);
    }

    #[test]
    fn the_fill_is_the_colour_that_was_asked_for_in_the_profile_of_the_picture() {
        let beyond = planned(PixelRect::new(-10, 0, 20, 10), Size::new(20, 10));
        let profiles = [moxcms::ColorProfile::new_display_p3(), moxcms::ColorProfile::new_adobe_rgb()];
        for (deep, profile) in [false, true].into_iter().zip(profiles) {
            let profile: Arc<[u8]> = profile.encode().expect("encodes").into();
            let size = Size::new(10, 10);
            let pixels = if deep {
                Pixels::from_u16(size, Channels::Rgb, vec![9_000; 300])
            } else {
                Pixels::from_u8(size, Channels::Rgb, vec![35; 300])
            };
            let pixels = pixels.expect("fits");
            let mut info = PictureInfo::plain(size, PictureFormat::Png, pixels.layout());
            info.icc_profile = Some(Arc::clone(&profile));
            let picture = Picture::whole(info, pixels);
            for rgb in [[255, 0, 0], [0, 200, 40], [12, 13, 90], [255, 255, 255], [128, 128, 128]] {
                let crop = render_crop(&picture, &beyond, &filled(rgb)).expect("renders");
                assert_eq!(crop.icc_profile.as_ref(), Some(&profile));
                let stored = crop.pixels.clone().into_8_bits();
                let shown = to_srgb(crop.pixels, Some(&profile)).into_8_bits();
                let [stored, shown] = [&stored, &shown].map(|pixels| pixels.as_u8().expect("8 bits")[..3].to_vec());
                assert!(rgb.iter().zip(&shown).all(|(a, b)| a.abs_diff(*b) <= 1), "{rgb:?} became {shown:?}");
                assert!(rgb[0] == rgb[1] || stored != rgb, "{rgb:?} is stored as it is");
            }
        }
    }

    #[test]
    fn a_reduced_part_gives_the_same_crop_as_the_whole() {
        // Slow waves, so that reducing loses nothing.
        let wave = |x: u32, y: u32| 128.0 + 60.0 * (f64::from(x) / 40.0).sin() + 60.0 * (f64::from(y) / 30.0).cos();
        let size = Size::new(400, 240);
        let samples = (0..240).flat_map(|y| (0..400).map(move |x| wave(x, y) as u8)).collect();
        let whole = picture(size, Channels::L, samples);
        let reduced = resize(&whole.pixels, whole.whole_box(), Size::new(200, 120), Filter::Area).expect("resizes");
        let reduced = Picture { pixels: reduced, place: Place { x: 0, y: 0, reduction: 2 }, ..whole.clone() };
        let frame = planned(PixelRect::new(60, 40, 200, 160), Size::new(50, 40));
        let [a, b] =
            [&whole, &reduced].map(|picture| render_crop(picture, &frame, &filled([255; 3])).expect("renders"));
        let pairs = bytes_of(&a).iter().zip(bytes_of(&b));
        assert!(pairs.clone().all(|(a, b)| a.abs_diff(*b) <= 3), "{:?}", pairs.max_by_key(|(a, b)| a.abs_diff(**b)));
    }

    #[test]
    fn a_frame_beside_the_picture_is_refused_and_extremes_do_not_panic() {
        let picture = ramp(Size::new(200, 100));
        let refused =
            render_crop(&picture, &planned(PixelRect::new(300, 0, 10, 10), Size::new(5, 5)), &filled([255; 3]));
        assert!(matches!(refused, Err(RenderError::OutsidePicture { .. })));
        for frame in [PixelRect::new(199, 99, 1, 1), PixelRect::new(-100_000, -100_000, 200_000, 200_000)] {
            assert_eq!(render(frame, Size::new(7, 7)).size(), Size::new(7, 7));
        }
    }
}
