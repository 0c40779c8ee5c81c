//! Measurements of the astronaut's face: blurred, exposed, and in every pixel layout.

use geometry::{Face, FaceMeasures, Point, Rect, Size};
use outcome::{Channels, PictureFormat};
use picture::{Filter, Picture, PictureInfo, Pixels, Place, SourceBox, decode_file, resize};
use recipe::DecodeLimits;

use super::measure_faces;

fn astronaut() -> Picture {
    let path = test_support::portrait();
    decode_file(&path, &DecodeLimits::default()).expect("decodes")
}

/// YuNet's result for it.
fn face() -> Face {
    let points = [(200.12, 101.82), (247.13, 102.62), (220.37, 124.54), (198.61, 142.77), (239.67, 143.64)];
    Face::new(Rect::new(178.17, 62.91, 89.9, 113.33), points.map(|(x, y)| Point::new(x, y)), 0.93)
}

fn picture(size: Size, channels: Channels, samples: Vec<u8>) -> Picture {
    let pixels = Pixels::from_u8(size, channels, samples).expect("fits");
    Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels)
}

fn bytes(picture: &Picture) -> &[u8] {
    picture.pixels.as_u8().expect("8 bits")
}

/// The image with `change` applied to each sample.
fn changed(from: &Picture, change: impl Fn(f32) -> f32) -> Picture {
    let samples = bytes(from).iter().map(|&v| change(f32::from(v)).clamp(0.0, 255.0) as u8).collect();
    picture(from.size(), from.pixels.channels(), samples)
}

/// The image blurred by three box filters, close to a Gaussian; `reach` is half a box's width in pixels.
fn blurred(source: &Picture, reach: usize) -> Picture {
    let (width, height) = (source.size().width as usize, source.size().height as usize);
    let mut samples: Vec<f32> = bytes(source).iter().map(|&v| f32::from(v)).collect();
    for (step, lines, length, line_step) in [(3, height, width, width * 3), (width * 3, width, height, 3)].repeat(3) {
        for channel in 0..3 {
            for line in 0..lines {
                let start = line * line_step + channel;
                let values: Vec<f32> = (0..length).map(|i| samples[start + i * step]).collect();
                for i in 0..length {
                    let part = &values[i.saturating_sub(reach)..(i + reach + 1).min(length)];
                    samples[start + i * step] = part.iter().sum::<f32>() / part.len() as f32;
                }
            }
        }
    }
    picture(source.size(), Channels::Rgb, samples.into_iter().map(|v| v.round() as u8).collect())
}

fn measured(picture: &Picture, face: Face) -> (Face, FaceMeasures) {
    let mut faces = [face];
    measure_faces(picture, &mut faces);
    (faces[0], faces[0].measures.expect("measured"))
}

fn sharpness(picture: &Picture) -> f32 {
    measured(picture, face()).1.sharpness.expect("large enough")
}

#[test]
fn sharpness_falls_with_blur() {
    let sharp = astronaut();
    let all: Vec<f32> = [1, 2, 3, 5].map(|reach| sharpness(&blurred(&sharp, reach))).to_vec();
    assert!(sharpness(&sharp) > 0.85, "{}", sharpness(&sharp));
    let falls = |pair: &[f32]| pair[1] < pair[0];
    assert!(all[0] < sharpness(&sharp) && all.windows(2).all(falls), "{all:?}");
    assert!(all[3] < 0.2, "{all:?}");
}

#[test]
fn an_upscaled_tiny_face_is_not_sharp() {
    let source = astronaut();
    let small =
        resize(&source.pixels, SourceBox::whole(source.size()), Size::new(140, 140), Filter::Area).expect("resizes");
    let back = resize(&small, SourceBox::whole(small.size()), source.size(), Filter::Lanczos3).expect("resizes");
    let enlarged = Picture { pixels: back, ..source.clone() };
    assert!(sharpness(&enlarged) < 0.6 * sharpness(&source), "{}", sharpness(&enlarged));
}

#[test]
fn sharpness_does_not_depend_on_exposure_and_contrast() {
    let plain = astronaut();
    for other in [changed(&plain, |v| v * 0.35), changed(&plain, |v| 70.0 + v * 0.5)] {
        assert!((sharpness(&other) - sharpness(&plain)).abs() < 0.1, "{}", sharpness(&other));
    }
}

#[test]
fn a_face_of_few_pixels_has_lightness_but_no_sharpness() {
    let whole = astronaut();
    let half = resize(&whole.pixels, whole.whole_box(), Size::new(256, 256), Filter::Area).expect("resizes");
    let reduced = Picture { pixels: half, place: Place { x: 0, y: 0, reduction: 2 }, ..whole.clone() };
    let (_, there) = measured(&whole, face());
    let (_, here) = measured(&reduced, face());
    assert_eq!(here.sharpness, None);
    assert!((here.lightness - there.lightness).abs() < 0.01, "{} {}", here.lightness, there.lightness);
}

#[test]
fn underexposed_and_overexposed_faces_are_reported() {
    let plain = astronaut();
    let (_, well_lit) = measured(&plain, face());
    assert!((0.6..0.8).contains(&well_lit.lightness) && well_lit.underexposed < 0.02 && well_lit.overexposed < 0.02);
    let (_, dark) = measured(&changed(&plain, |v| v * 0.1), face());
    assert!(dark.lightness < 0.1 && dark.underexposed > 0.3, "{dark:?}");
    let (_, bright) = measured(&changed(&plain, |v| v * 1.8), face());
    assert!(bright.lightness > 0.9 && bright.overexposed > 0.3, "{bright:?}");
}

#[test]
fn every_pixel_layout_gives_the_same_measures() {
    let source = astronaut();
    let (_, plain) = measured(&source, face());
    let deep = bytes(&source).iter().map(|&v| u16::from(v) * 257).collect();
    let deep = Pixels::from_u16(source.size(), Channels::Rgb, deep).expect("fits");
    let alpha = source.pixels.clone().into_channels(Channels::Rgba);
    let grey = bytes(&source).as_chunks::<3>().0.iter();
    let grey =
        grey.map(|&[r, g, b]| ((u32::from(r) * 54 + u32::from(g) * 183 + u32::from(b) * 19) / 256) as u8).collect();
    let grey = Pixels::from_u8(source.size(), Channels::L, grey).expect("fits");
    let grey_alpha = grey.clone().into_channels(Channels::La);
    for pixels in [deep, alpha, grey, grey_alpha] {
        let layout = pixels.layout();
        let info = PictureInfo::plain(source.size(), PictureFormat::Png, layout);
        let (_, measures) = measured(&Picture::whole(info, pixels), face());
        assert!((measures.lightness - plain.lightness).abs() < 0.02, "{layout:?}: {measures:?}");
        let [a, b] = [measures, plain].map(|measures| measures.sharpness.expect("exists"));
        assert!((a - b).abs() < 0.08, "{layout:?}: {measures:?}");
    }
}

#[test]
fn unusable_faces_and_faces_outside_the_image_get_no_measures() {
    let source = astronaut();
    let plain = face();
    let at = |x: f32, y: f32, side: f32| {
        let points = [(0.3, 0.4), (0.7, 0.4), (0.5, 0.6), (0.35, 0.8), (0.65, 0.8)];
        Face::new(Rect::new(x, y, side, side), points.map(|(dx, dy)| Point::new(x + side * dx, y + side * dy)), 0.9)
    };
    let mut faces = [
        Face { bbox: Rect::new(f32::NAN, 0.0, 10.0, 10.0), ..plain },
        Face { bbox: Rect::new(0.0, 0.0, 0.0, 10.0), ..plain },
        at(-900.0, 10.0, 100.0),
        at(1e9, -1e9, 1e9),
        at(-1e30, -1e30, 2e30),
        at(100.0, 100.0, 1e-6),
        at(-40.0, 480.0, 90.0),
    ];
    measure_faces(&source, &mut faces);
    assert!(faces[..3].iter().all(|face| face.measures.is_none()));
    let corner = faces[6].measures.expect("a part exists");
    assert!(corner.lightness.is_finite());
    measure_faces(&picture(Size::new(1, 1), Channels::L, vec![9]), &mut faces);
}
