//! The one resampling of a crop.

use super::{Crop, RenderError};
use crate::decode::{Filter, Picture, SourceBox, resize};
use crate::geometry::{PixelRect, Size};
use crate::plan::{Color, PlannedCrop};

/// Renders `planned` from the pixels of `picture`, `planned.output` pixels large; what lies outside the picture is `fill`.
///
/// # Errors
/// The frame shows no part of the picture, or the resizer refused.
pub fn render_crop(picture: &Picture, planned: &PlannedCrop, fill: Color) -> Result<Crop, RenderError> {
    let outside = || RenderError::OutsidePicture { frame: planned.frame, picture: picture.size() };
    let window = Window::new(planned.frame, planned.output, picture.size()).ok_or_else(outside)?;
    let shown = resize(
        &picture.pixels,
        picture.layout,
        picture.size(),
        window.source,
        Size::new(window.columns.length, window.rows.length),
        Filter::Lanczos3,
    )
    .map_err(|reason| RenderError::Resize { reason })?;
    let icc_profile = picture.info.icc_profile.clone();
    let pixels = if Size::new(window.columns.length, window.rows.length) == planned.output {
        shown
    } else {
        window.padded(&shown, picture.layout.channels(), planned.output, fill)
    };
    Ok(Crop { size: planned.output, layout: picture.layout, pixels, icc_profile })
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

    fn padded(&self, shown: &[u8], channels: usize, output: Size, fill: Color) -> Vec<u8> {
        let [red, green, blue] = fill.rgb;
        let pixel = [red, green, blue, 255];
        let row_bytes = output.width as usize * channels;
        let mut pixels = pixel[..channels].repeat(output.pixels() as usize);
        let start = self.columns.start as usize * channels;
        let shown_bytes = self.columns.length as usize * channels;
        let rows = pixels.chunks_exact_mut(row_bytes).skip(self.rows.start as usize);
        for (row, shown) in rows.zip(shown.chunks_exact(shown_bytes)) {
            row[start..start + shown_bytes].copy_from_slice(shown);
        }
        pixels
    }
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
    use crate::decode::{PictureFormat, PictureInfo, PixelLayout};

    /// Red grows to the right by 1 a pixel, green downwards; blue is constant.
    fn ramp(size: Size) -> Picture {
        let pixels = (0..size.height).flat_map(|y| (0..size.width).flat_map(move |x| [x as u8, y as u8, 77])).collect();
        let info = PictureInfo { size, format: PictureFormat::Png, damaged: false, icc_profile: None };
        Picture { info, layout: PixelLayout::Rgb8, pixels }
    }

    fn planned(frame: PixelRect, output: Size) -> PlannedCrop {
        PlannedCrop { face_index: 0, frame, output, padding_share: 0.0 }
    }

    fn render(frame: PixelRect, output: Size) -> Crop {
        let fill = Color { rgb: [1, 2, 3] };
        render_crop(&ramp(Size::new(200, 100)), &planned(frame, output), fill).expect("renders")
    }

    fn at(crop: &Crop, x: u32, y: u32) -> [u8; 3] {
        let at = (y as usize * crop.size.width as usize + x as usize) * 3;
        [crop.pixels[at], crop.pixels[at + 1], crop.pixels[at + 2]]
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
        let mut picture = ramp(Size::new(10, 10));
        picture.layout = PixelLayout::Rgba8;
        picture.pixels = [50, 60, 70, 0].repeat(100);
        let crop = render_crop(&picture, &planned(PixelRect::new(-10, 0, 20, 10), Size::new(20, 10)), Color::WHITE);
        let crop = crop.expect("renders");
        assert_eq!(crop.pixels[..4], [255, 255, 255, 255]);
        assert_eq!(crop.pixels[11 * 4 + 3], 0);
    }

    #[test]
    fn a_frame_beside_the_picture_is_refused_and_extremes_do_not_panic() {
        let picture = ramp(Size::new(200, 100));
        let refused = render_crop(&picture, &planned(PixelRect::new(300, 0, 10, 10), Size::new(5, 5)), Color::WHITE);
        assert!(matches!(refused, Err(RenderError::OutsidePicture { .. })));
        for frame in [PixelRect::new(199, 99, 1, 1), PixelRect::new(-100_000, -100_000, 200_000, 200_000)] {
            assert_eq!(render(frame, Size::new(7, 7)).pixels.len(), 7 * 7 * 3);
        }
    }
}
