//! Tests of light, colour and sharpness.

use std::sync::Arc;

use geometry::{PixelRect, Size};
use outcome::PictureFormat;
use picture::{Picture, PictureInfo, to_srgb};
use plan::PlannedCrop;

use super::tone::{balanced, from_light, to_light};
use super::*;

fn grey_ramp() -> Pixels {
    Pixels::from_u8(Size::new(256, 1), Channels::L, (0..=255).collect()).expect("fits")
}

fn ramp_after(adjust: Adjust) -> Vec<u8> {
    adjusted(grey_ramp(), None, &adjust, None, 1.0).as_u8().expect("8 bits").to_vec()
}

fn photo(size: Size, at: impl Fn(u32, u32) -> [u8; 3]) -> Picture {
    let samples = (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y))).flat_map(|(x, y)| at(x, y));
    let pixels = Pixels::from_u8(size, Channels::Rgb, samples.collect()).expect("fits");
    Picture::whole(PictureInfo::plain(size, PictureFormat::Png, pixels.layout()), pixels)
}

fn all_of(picture: &Picture) -> PlannedCrop {
    let Size { width, height } = picture.size();
    PlannedCrop::upright(PixelRect::new(0, 0, width, height), picture.size())
}

#[test]
fn one_stop_doubles_linear_light_and_preserves_white() {
    let after = ramp_after(Adjust { exposure: 1.0, ..Adjust::default() });
    for level in [10usize, 60, 118, 135] {
        let expected = from_light(to_light(level as f64 / 255.0) * 2.0) * 255.0;
        assert!((f64::from(after[level]) - expected).abs() <= 1.0, "{level}: {} in place of {expected}", after[level]);
    }
    assert_eq!((after[0], after[255]), (0, 255));
    // Highlights of fair skin keep their gradation: no two adjacent tones both clip to white.
    assert!(after[240] < 255 && after[230] < after[240] && after.is_sorted(), "{:?}", &after[200..]);
    let darker = ramp_after(Adjust { exposure: -1.0, ..Adjust::default() });
    assert!((f64::from(darker[255]) - from_light(0.5) * 255.0).abs() <= 1.0);
}

#[test]
fn contrast_pivots_at_mid_grey_and_preserves_black_and_white() {
    let more = ramp_after(Adjust { contrast: 1.0, ..Adjust::default() });
    let less = ramp_after(Adjust { contrast: -1.0, ..Adjust::default() });
    assert_eq!((more[0], more[118], more[255]), (0, 118, 255));
    assert!(more[60] < 40 && more[180] > 200 && more.is_sorted());
    assert!(less[0].abs_diff(59) <= 1 && less[118].abs_diff(118) <= 1 && less[255].abs_diff(186) <= 1, "{less:?}");
    for contrast in [-0.001, 0.001] {
        let barely = ramp_after(Adjust { contrast, ..Adjust::default() });
        assert!(barely.iter().zip(0u8..=255).all(|(after, before)| after.abs_diff(before) <= 1), "{contrast}");
    }
}

#[test]
fn unbrightened_inverts_brightened() {
    for step in 0..=100 {
        let light = f64::from(step) / 100.0;
        for gain in [1.1, 1.4, 2.0] {
            let back = balanced(balanced(light, gain), 1.0 / gain);
            assert!((back - light).abs() < 1e-9, "{light} {gain}: {back}");
        }
    }
}

#[test]
fn colour_cast_is_removed() {
    // Greys of all levels and some red, under light that lacks blue.
    let size = Size::new(96, 96);
    let plain = |x: u32, y: u32| -> [u8; 3] { if x < 20 { [170, 60, 50] } else { [(40 + 2 * y) as u8; 3] } };
    let warm = |[red, green, blue]: [u8; 3]| {
        let scaled =
            |sample: u8, gain: f64| (from_light(to_light(f64::from(sample) / 255.0) * gain) * 255.0).round() as u8;
        [scaled(red, 1.1), green, scaled(blue, 0.75)]
    };
    let cast = photo(size, |x, y| warm(plain(x, y)));
    let gains = gains(&cast, &all_of(&cast)).expect("a cast");
    let after = adjusted(cast.pixels.clone(), None, &Adjust::default(), Some(gains), 1.0);
    let grey = &after.as_u8().expect("8 bits")[(50 * 96 + 60) * 3..][..3];
    assert!(grey.iter().all(|sample| sample.abs_diff(grey[1]) <= 3), "{grey:?} {gains:?}");
    let neutral = photo(size, plain);
    let left = super::gains(&neutral, &all_of(&neutral));
    assert!(left.is_none_or(|gains| gains.iter().all(|gain| (gain - 1.0).abs() < 0.03)), "{left:?}");
}

#[test]
fn skin_is_not_treated_as_a_cast() {
    // A fair face that fills most of the frame, dark hair, and a grey wall.
    let size = Size::new(64, 64);
    let portrait = photo(size, |x, y| {
        let shade = |sample: u32| (sample * (200 + x) / 264) as u8;
        if y > 56 {
            [shade(150); 3]
        } else if y < 8 {
            [shade(70), shade(55), shade(50)]
        } else {
            [225, 190, 180].map(shade)
        }
    });
    let gains = gains(&portrait, &all_of(&portrait));
    assert!(gains.is_none_or(|gains| gains.iter().all(|gain| (gain - 1.0).abs() < 0.03)), "{gains:?}");
}

#[test]
fn single_colour_photos_are_not_balanced() {
    let size = Size::new(64, 64);
    for colour in [[200, 120, 90], [200, 180, 160], [30, 60, 200], [0, 0, 0], [255, 255, 255], [128, 128, 128]] {
        let even = photo(size, |_, _| colour);
        assert_eq!(gains(&even, &all_of(&even)), None, "{colour:?}");
        // The same colour, lighter and darker.
        let shaded = photo(size, |x, _| colour.map(|sample| (u32::from(sample) * (64 + x) / 128) as u8));
        assert_eq!(gains(&shaded, &all_of(&shaded)), None, "shaded {colour:?}");
    }
}

#[test]
fn balance_is_limited_and_uses_only_the_frame() {
    let size = Size::new(128, 64);
    let greys = |x: u32, y: u32| -> [u8; 3] { [(60 + x % 64 + y) as u8; 3] };
    let half = photo(size, |x, y| if x < 64 { greys(x, y) } else { [greys(x, y)[0], 60 + (y * 2) as u8, 90] });
    let frame = PlannedCrop::upright(PixelRect::new(0, 0, 64, 64), Size::new(64, 64));
    assert_eq!(gains(&half, &frame), None, "the left half is grey");
    let rotated = PlannedCrop { angle: 45.0, ..PlannedCrop::upright(PixelRect::new(9, 9, 45, 45), Size::new(45, 45)) };
    assert_eq!(gains(&half, &rotated), None);
    let strong = photo(size, |x, y| [(90 + x) as u8, (60 + y) as u8, (40 + (x + y) / 4) as u8]);
    if let Some(gains) = gains(&strong, &all_of(&strong)) {
        assert!(gains.iter().all(|gain| (0.74..=1.34).contains(gain)), "{gains:?}");
    }
}

#[test]
fn adjustments_work_in_other_profiles() {
    // The effect of an adjustment on greys does not depend on their profile.
    let adjust = Adjust { exposure: 0.7, contrast: 0.4, ..Adjust::default() };
    let plain = ramp_after(adjust);
    let profiles = [
        moxcms::ColorProfile::new_display_p3(),
        moxcms::ColorProfile::new_adobe_rgb(),
        moxcms::ColorProfile::new_pro_photo_rgb(),
    ];
    for profile in profiles {
        let profile: Arc<[u8]> = profile.encode().expect("encodes").into();
        for grey in [20u8, 90, 160, 230] {
            let stored = picture::from_srgb([grey; 3], Some(&profile));
            let pixels = Pixels::from_u16(Size::new(1, 1), Channels::Rgb, stored.to_vec()).expect("fits");
            let after = to_srgb(adjusted(pixels, Some(&profile), &adjust, None, 1.0), Some(&profile)).into_8_bits();
            let after = after.as_u8().expect("8 bits");
            assert!(after.iter().all(|sample| sample.abs_diff(plain[usize::from(grey)]) <= 1), "{grey}: {after:?}");
        }
        // Colours outside sRGB are preserved, not clipped to it.
        let green = Pixels::from_u16(Size::new(1, 1), Channels::Rgb, vec![0, 50_000, 0]).expect("fits");
        let after = adjusted(green, Some(&profile), &adjust, None, 1.0);
        let samples = after.as_u16().expect("16 bits");
        assert!(samples[0] == 0 && samples[2] == 0 && samples[1] > 50_000, "{samples:?}");
    }
}

#[test]
fn sixteen_bit_gradients_keep_their_steps() {
    let samples: Vec<u16> = (0..1000).map(|step| 30_000 + step).collect();
    let pixels = Pixels::from_u16(Size::new(1000, 1), Channels::L, samples).expect("fits");
    let after = adjusted(pixels, None, &Adjust { exposure: 0.5, ..Adjust::default() }, None, 1.0);
    let after = after.as_u16().expect("16 bits");
    assert!(after.windows(2).all(|pair| pair[1] > pair[0] && pair[1] - pair[0] <= 2), "{:?}", &after[..10]);
}

#[test]
fn sharpening_affects_edges_but_not_flat_areas_or_colours() {
    let size = Size::new(40, 20);
    let edge = photo(size, |x, _| if x < 20 { [100, 60, 40] } else { [180, 120, 90] });
    let sharp = adjusted(edge.pixels.clone(), None, &Adjust { sharpen: 1.0, ..Adjust::default() }, None, 1.0);
    let sharp = sharp.as_u8().expect("8 bits");
    let at = |x: usize| &sharp[(10 * 40 + x) * 3..][..3];
    assert_eq!((at(5), at(35)), (&[100, 60, 40][..], &[180, 120, 90][..]));
    assert!(at(19)[0] < 90 && at(20)[0] > 190, "{:?} {:?}", at(19), at(20));
    let moved = [100 - at(19)[0], 60 - at(19)[1], 40 - at(19)[2]];
    assert!(moved.iter().all(|by| by.abs_diff(moved[0]) <= 1), "all colours alike: {moved:?}");
    // At half the size, the same edge is sharpened with half the radius.
    let small = adjusted(edge.pixels, None, &Adjust { sharpen: 1.0, ..Adjust::default() }, None, 0.5);
    let small = small.as_u8().expect("8 bits")[(10 * 40 + 19) * 3];
    assert!(small < 100 && small > at(19)[0], "{small}");
}

#[test]
fn sharpening_ignores_transparent_pixels() {
    let size = Size::new(20, 3);
    let samples = (0..60).flat_map(|i| if i % 20 < 10 { [120, 120, 120, 255] } else { [0, 0, 0, 0] }).collect();
    let pixels = Pixels::from_u8(size, Channels::Rgba, samples).expect("fits");
    let sharp = adjusted(pixels.clone(), None, &Adjust { sharpen: 1.0, ..Adjust::default() }, None, 1.0);
    assert!(sharp == pixels, "no halo along transparent pixels");
}
