//! Tests of whole crops.

mod background;
mod edges;
mod finish;
mod rotated;

use geometry::{PixelRect, Size};
use outcome::{Channels, PictureFormat};
use picture::{Filter, PictureInfo, Place, SourceBox, resize, to_srgb};
use recipe::{Adjust, Background, Color, FinishSpec, Shape};

use super::*;

const PLAIN: FinishSpec = FinishSpec {
    shape: Shape::Rectangle,
    fill_outside: false,
    soft_edge: 0.0,
    adjust: NO_ADJUST,
    background: Background::Keep,
};
const NO_ADJUST: Adjust = Adjust { exposure: 0.0, contrast: 0.0, white_balance: false, sharpen: 0.0 };

/// Low-frequency waves, which resampling preserves: the value at a point, 0 to 1 per colour channel.
fn wave(x: f64, y: f64) -> [f64; 3] {
    let (across, down) = ((x / 40.0).sin(), (y / 30.0).cos());
    [0.5 + 0.2 * across + 0.2 * down, 0.5 + 0.3 * (x / 50.0 + y / 60.0).sin(), 0.5 + 0.3 * down * across]
}

/// An image of [`wave`] with the given channels and depth; alpha increases to the right.
fn waves(size: Size, channels: Channels, deep: bool) -> Picture {
    let max = if deep { 65_535.0 } else { 255.0 };
    let mut samples = Vec::new();
    for y in 0..size.height {
        for x in 0..size.width {
            let shown = wave(f64::from(x) + 0.5, f64::from(y) + 0.5);
            samples.extend(shown[..channels.without_alpha().count()].iter().map(|share| share * max));
            if channels.has_alpha() {
                samples.push(alpha_at(f64::from(x) + 0.5, size) * max);
            }
        }
    }
    let pixels = if deep {
        Pixels::from_u16(size, channels, samples.iter().map(|sample| sample.round() as u16).collect())
    } else {
        Pixels::from_u8(size, channels, samples.iter().map(|sample| sample.round() as u8).collect())
    };
    of_pixels(pixels.expect("fits"))
}

fn alpha_at(x: f64, size: Size) -> f64 {
    0.3 + 0.6 * x / f64::from(size.width)
}

fn of_pixels(pixels: Pixels) -> Picture {
    Picture::whole(PictureInfo::plain(pixels.size(), PictureFormat::Png, pixels.layout()), pixels)
}

/// `picture` at half its size, like the output of a scaled decode.
fn halved(picture: &Picture) -> Picture {
    let Size { width, height } = picture.size();
    let half = Size::new(width / 2, height / 2);
    let pixels = resize(&picture.pixels, picture.whole_box(), half, Filter::Area).expect("resizes");
    Picture { pixels, place: Place { x: 0, y: 0, reduction: 2 }, ..picture.clone() }
}

/// The samples of a pixel, 0 to 1 each.
fn shares_at(pixels: &Pixels, x: u32, y: u32) -> Vec<f64> {
    let count = pixels.channels().count();
    let at = (y as usize * pixels.size().width as usize + x as usize) * count;
    match (pixels.as_u8(), pixels.as_u16()) {
        (Some(samples), _) => samples[at..at + count].iter().map(|sample| f64::from(*sample) / 255.0).collect(),
        (_, Some(samples)) => samples[at..at + count].iter().map(|sample| f64::from(*sample) / 65_535.0).collect(),
        _ => Vec::new(),
    }
}

fn each_pixel(size: Size) -> impl Iterator<Item = (u32, u32)> {
    (0..size.height).flat_map(move |y| (0..size.width).map(move |x| (x, y)))
}

/// The maximum difference of a sample, in levels of 256, and its position.
fn max_difference(a: &Pixels, b: &Pixels) -> (f64, (u32, u32)) {
    assert_eq!((a.size(), a.layout()), (b.size(), b.layout()));
    let differences = each_pixel(a.size()).map(|(x, y)| {
        let pairs = shares_at(a, x, y).into_iter().zip(shares_at(b, x, y));
        (pairs.map(|(a, b)| (a - b).abs() * 255.0).fold(0.0, f64::max), (x, y))
    });
    differences.fold((0.0, (0, 0)), |max, now| if now.0 > max.0 { now } else { max })
}

/// Red increases to the right by 1 per pixel, green downwards; blue is constant.
fn ramp(size: Size) -> Picture {
    let samples = (0..size.height).flat_map(|y| (0..size.width).flat_map(move |x| [x as u8, y as u8, 77]));
    picture(size, Channels::Rgb, samples.collect())
}

fn picture(size: Size, channels: Channels, samples: Vec<u8>) -> Picture {
    of_pixels(Pixels::from_u8(size, channels, samples).expect("fits"))
}

fn planned(frame: PixelRect, output: Size) -> PlannedCrop {
    PlannedCrop::upright(frame, output)
}

fn filled(rgb: [u8; 3]) -> RenderSpec {
    RenderSpec { edge: EdgePolicy::Pad, fill: Color { rgb }, finish: PLAIN }
}

fn render(frame: PixelRect, output: Size) -> Crop {
    render_crop(&ramp(Size::new(200, 100)), &planned(frame, output), &filled([1, 2, 3]), None).expect("renders")
}

fn at(crop: &Crop, x: u32, y: u32) -> [u8; 3] {
    let at = (y as usize * crop.size().width as usize + x as usize) * 3;
    bytes_of(crop)[at..at + 3].try_into().expect("three")
}

fn bytes_of(crop: &Crop) -> &[u8] {
    crop.pixels.as_u8().expect("8 bits")
}

#[test]
fn full_scale_crops_copy_the_pixels() {
    let crop = render(PixelRect::new(30, 10, 40, 50), Size::new(40, 50));
    assert_eq!(at(&crop, 0, 0), [30, 10, 77]);
    assert_eq!(at(&crop, 39, 49), [69, 59, 77]);
}

#[test]
fn downscaling_keeps_the_geometry() {
    let crop = render(PixelRect::new(20, 20, 80, 40), Size::new(20, 10));
    // Output pixel (5, 5) covers source 40..44 x 40..44, with its centre at 41.5.
    let [red, green, _] = at(&crop, 5, 5);
    assert!(red.abs_diff(42) <= 1 && green.abs_diff(42) <= 1, "{red} {green}");
}

#[test]
fn pixels_outside_the_photo_are_filled() {
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
fn padding_is_opaque_if_the_image_has_alpha() {
    let picture = picture(Size::new(10, 10), Channels::Rgba, [50, 60, 70, 0].repeat(100));
    let crop =
        render_crop(&picture, &planned(PixelRect::new(-10, 0, 20, 10), Size::new(20, 10)), &filled([255; 3]), None);
    let crop = crop.expect("renders");
    assert_eq!(bytes_of(&crop)[..4], [255, 255, 255, 255]);
    assert_eq!(bytes_of(&crop)[11 * 4..][..4], [0, 0, 0, 0], "hidden colour is removed");
}

#[test]
fn grey_stays_grey_unless_the_fill_needs_colour() {
    let picture = picture(Size::new(10, 10), Channels::L, vec![90; 100]);
    let beyond = planned(PixelRect::new(-10, 0, 20, 10), Size::new(20, 10));
    let channels = |planned: &PlannedCrop, rgb| {
        let crop = render_crop(&picture, planned, &filled(rgb), None).expect("renders");
        crop.pixels.channels()
    };
    assert_eq!(channels(&beyond, [7, 7, 7]), Channels::L);
    assert_eq!(channels(&beyond, [7, 7, 8]), Channels::Rgb);
    assert_eq!(channels(&planned(PixelRect::new(0, 0, 10, 10), Size::new(5, 5)), [7, 7, 8]), Channels::L);
}

#[test]
fn fill_is_converted_to_the_profile_of_the_image() {
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
            let crop = render_crop(&picture, &beyond, &filled(rgb), None).expect("renders");
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
fn reduced_region_renders_the_same_crop_as_the_whole_image() {
    let whole = waves(Size::new(400, 240), Channels::Rgb, false);
    for angle in [0.0, 7.0, 90.0] {
        let frame = PlannedCrop { angle, ..planned(PixelRect::new(60, 40, 160, 160), Size::new(50, 50)) };
        let [a, b] = [&whole, &halved(&whole)]
            .map(|picture| render_crop(picture, &frame, &filled([255; 3]), None).expect("renders"));
        let (max, at) = max_difference(&a.pixels, &b.pixels);
        assert!(max < 2.5, "{angle} degrees: {max} at {at:?}");
    }
}

#[test]
fn unadjusted_crop_equals_the_resampled_image() {
    for (channels, deep) in
        [(Channels::L, false), (Channels::Rgb, false), (Channels::Rgb, true), (Channels::Rgba, true)]
    {
        let picture = waves(Size::new(200, 100), channels, deep);
        let part = SourceBox { x: 13.0, y: 9.0, width: 110.0, height: 66.0 };
        let plain = resize(&picture.pixels, part, Size::new(50, 30), Filter::Lanczos3).expect("resizes");
        for edge in [EdgePolicy::Shrink, EdgePolicy::Pad, EdgePolicy::Extend, EdgePolicy::Blur] {
            let spec = RenderSpec { edge, fill: Color::WHITE, finish: FinishSpec::default() };
            let frame = planned(PixelRect::new(13, 9, 110, 66), Size::new(50, 30));
            let crop = render_crop(&picture, &frame, &spec, None).expect("renders");
            assert!(crop.pixels == plain, "{channels:?} {edge:?}");
        }
    }
}

#[test]
fn frames_outside_the_image_are_rejected_and_extremes_do_not_panic() {
    let picture = ramp(Size::new(200, 100));
    let refused =
        render_crop(&picture, &planned(PixelRect::new(300, 0, 10, 10), Size::new(5, 5)), &filled([255; 3]), None);
    assert!(matches!(refused, Err(RenderError::OutsidePicture { .. })));
    for frame in [PixelRect::new(199, 99, 1, 1), PixelRect::new(-100_000, -100_000, 200_000, 200_000)] {
        assert_eq!(render(frame, Size::new(7, 7)).size(), Size::new(7, 7));
    }
}
