//! Tests of conversions against LittleCMS, and of malicious profiles.

use moxcms::{ColorProfile, LocalizableString, ProfileText, ToneReprCurve};

use geometry::Size;

use super::reference::*;
use super::test_profiles::{bytes, press, scanner};
use super::*;
use crate::Samples;

fn pixels8(channels: Channels, samples: &[u8]) -> Pixels {
    let width = (samples.len() / channels.count()) as u32;
    Pixels::from_u8(Size::new(width, 1), channels, samples.to_vec()).expect("fits")
}

fn pixels16(channels: Channels, samples: &[u16]) -> Pixels {
    let width = (samples.len() / channels.count()) as u32;
    Pixels::from_u16(Size::new(width, 1), channels, samples.to_vec()).expect("fits")
}

fn srgb8(channels: Channels, samples: &[u8], profile: &[u8]) -> Vec<u8> {
    to_srgb(pixels8(channels, samples), Some(profile)).as_u8().expect("8 bits").to_vec()
}

fn srgb16(channels: Channels, samples: &[u16], profile: &[u8]) -> Vec<u16> {
    to_srgb(pixels16(channels, samples), Some(profile)).as_u16().expect("16 bits").to_vec()
}

fn deep(samples: &[u8]) -> Vec<u16> {
    samples.iter().map(|sample| u16::from(*sample) * 257).collect()
}

fn shallow(samples: &[u16]) -> Vec<u8> {
    samples.iter().map(|sample| ((u32::from(*sample) + 128) / 257) as u8).collect()
}

/// Asserts that two slices of samples differ by at most `levels`.
fn assert_near(actual: &[u8], reference: &[u8], levels: u8, what: &str) {
    assert_eq!(actual.len(), reference.len());
    let worst = actual.iter().zip(reference).enumerate().max_by_key(|(_, (a, b))| a.abs_diff(**b));
    let (at, (a, b)) = worst.expect("samples");
    assert!(a.abs_diff(*b) <= levels, "{what}: sample {at} is {a}, LittleCMS has {b}");
}

fn assert_as_littlecms(profile: &[u8], reference: &[[u8; 3]], levels: u8, what: &str) {
    let (colours, reference) = (COLOURS.as_flattened(), reference.as_flattened());
    assert_ne!(colours, reference);
    assert_near(&srgb8(Channels::Rgb, colours, profile), reference, levels, what);
    assert_near(&shallow(&srgb16(Channels::Rgb, &deep(colours), profile)), reference, levels, what);
}

#[test]
fn display_profiles_match_littlecms() {
    assert_as_littlecms(&bytes(&ColorProfile::new_display_p3()), &DISPLAY_P3, 1, "Display P3");
    assert_as_littlecms(&bytes(&ColorProfile::new_adobe_rgb()), &ADOBE_RGB, 1, "Adobe RGB");
    assert_as_littlecms(&bytes(&ColorProfile::new_pro_photo_rgb()), &PROPHOTO, 2, "ProPhoto RGB");
    assert_as_littlecms(&bytes(&ColorProfile::new_bt2020()), &BT2020, 1, "BT.2020");
}

#[test]
fn table_profiles_match_littlecms_with_black_point_compensation() {
    assert_as_littlecms(&scanner(), &SCANNER, 1, "scanner");
    let actual = cmyk_to_rgb(INKS.as_flattened(), Some(&press()));
    assert_near(&actual, PRESS.as_flattened(), 2, "press");
    assert_eq!(actual[..3], [255, 255, 255]);
    assert!(actual[6..9].iter().all(|sample| *sample <= 2), "{:?}", &actual[6..9]);
}

#[test]
fn sixteen_bit_conversion_keeps_precision() {
    let profile = bytes(&ColorProfile::new_display_p3());
    let greys: Vec<u16> = (0..=u16::MAX).step_by(7).flat_map(|grey| [grey; 3]).collect();
    let actual = srgb16(Channels::Rgb, &greys, &profile);
    let worst = actual.iter().zip(&greys).map(|(a, b)| a.abs_diff(*b)).max().expect("samples");
    assert!(worst <= 24, "grey of Display P3 is grey of sRGB, off by {worst} of 65,535");
}

#[test]
fn alpha_is_unchanged_by_conversions() {
    for profile in [bytes(&ColorProfile::new_display_p3()), scanner()] {
        // More pixels than one conversion step.
        let samples: Vec<u8> = (0..10_000_u32).flat_map(|i| [200, 120, 60, (i * 7) as u8]).collect();
        let actual = srgb8(Channels::Rgba, &samples, &profile);
        let reference = srgb8(Channels::Rgb, &[200, 120, 60], &profile);
        assert_ne!(reference, [200, 120, 60]);
        for (actual, original) in actual.chunks_exact(4).zip(samples.chunks_exact(4)) {
            assert_eq!((&actual[..3], actual[3]), (&reference[..], original[3]));
        }
        let actual = srgb16(Channels::Rgba, &[60_000, 9, 5_000, 1_234], &profile);
        assert_eq!(actual[3], 1_234);
        assert_ne!(actual[..3], [60_000, 9, 5_000]);
    }
}

#[test]
fn from_srgb_supports_grey_profiles() {
    let profile = bytes(&ColorProfile::new_gray_with_gamma(1.0));
    for level in [0, 30, 128, 200, 255] {
        let [grey, ..] = from_srgb([level; 3], Some(&profile));
        let back = to_srgb(pixels16(Channels::L, &[grey]), Some(&profile)).into_8_bits();
        let back = back.as_u8().expect("8 bits")[0];
        assert!(back.abs_diff(level) <= 1, "{level} became {back}");
        assert!(level == 0 || level == 255 || grey.abs_diff(u16::from(level) * 257) > 1000, "{level}: {grey}");
    }
}

#[test]
fn grey_is_converted_to_the_srgb_curve() {
    let profile = profile_from_gamma(1.0 / 1.8, None, true).expect("not sRGB");
    let levels: Vec<u8> = (0..=255).step_by(15).collect();
    // From LittleCMS, as in the reference.
    let reference = [0, 18, 40, 59, 77, 93, 109, 124, 139, 153, 167, 180, 193, 206, 219, 231, 243, 255];
    assert_near(&srgb8(Channels::L, &levels, &profile), &reference, 2, "grey");
    assert_near(&shallow(&srgb16(Channels::L, &deep(&levels), &profile)), &reference, 2, "deep grey");
    assert_eq!(srgb8(Channels::La, &[90, 7, 255, 0], &profile), [109, 7, 255, 0]);
    // The sRGB curve as a grey profile changes nothing, unlike gamma 2.2.
    let mut grey = ColorProfile::new_gray_with_gamma(2.2);
    grey.gray_trc = ColorProfile::new_srgb().red_trc;
    assert_eq!(srgb8(Channels::L, &levels, &bytes(&grey)), levels);
    assert_ne!(srgb8(Channels::L, &levels, &bytes(&ColorProfile::new_gray_with_gamma(2.2))), levels);
}

#[test]
fn unusable_profiles_are_ignored() {
    let p3 = bytes(&ColorProfile::new_display_p3());
    let mut large = p3.clone();
    large.resize(MAX_PROFILE_BYTES + 1, 0);
    let mut flat = ColorProfile::new_display_p3();
    flat.blue_colorant = flat.red_colorant;
    let mut wild = ColorProfile::new_display_p3();
    wild.green_trc = Some(ToneReprCurve::Parametric(vec![2.4, -9.0, 0.5, 1.0, 0.04]));
    let grey = bytes(&ColorProfile::new_gray_with_gamma(1.0));
    let sample = [200, 120, 60, 9];
    assert_ne!(srgb8(Channels::Rgb, &sample[..3], &p3), sample[..3]);
    for profile in [&b""[..], b"profile", &p3[..200], &large, &bytes(&flat), &bytes(&wild), &grey, &press()] {
        assert_eq!(srgb8(Channels::Rgb, &sample[..3], profile), sample[..3]);
        assert_eq!(srgb8(Channels::Rgba, &sample, profile), sample);
        assert_eq!(from_srgb([200, 120, 60], Some(profile)), [200, 120, 60].map(|sample| sample * 257));
    }
    assert_eq!(srgb8(Channels::L, &sample, &p3), sample);
    assert_eq!(to_srgb(pixels8(Channels::L, &sample), None).as_u8(), Some(&sample[..]));
}

#[test]
fn variants_of_srgb_are_recognised() {
    let mut by_steps = ColorProfile::new_srgb();
    let steps = |count: u32| {
        let light = |step| curve::srgb_to_light(f64::from(step) / f64::from(count - 1)) * 65_535.0;
        Some(ToneReprCurve::Lut((0..count).map(|step| light(step).round() as u16).collect()))
    };
    for count in [1024, 42, 26] {
        (by_steps.red_trc, by_steps.green_trc, by_steps.blue_trc) = (steps(count), steps(count), steps(count));
        by_steps.red_colorant.x += 0.0003;
        let profile = bytes(&by_steps);
        assert!(is_srgb(&profile), "{count} steps");
        assert_eq!(srgb8(Channels::Rgb, COLOURS.as_flattened(), &profile), COLOURS.as_flattened());
    }
    assert!(is_srgb(&bytes(&ColorProfile::new_srgb())));
    let mut gamma = ColorProfile::new_srgb();
    gamma.green_trc = Some(ToneReprCurve::Parametric(vec![2.2]));
    for other in [gamma, ColorProfile::new_display_p3(), ColorProfile::new_adobe_rgb(), ColorProfile::new_bt2020()] {
        assert!(!is_srgb(&bytes(&other)));
    }
    assert!(!is_srgb(&scanner()) && !is_srgb(b"sRGB"));
}

#[test]
fn from_srgb_inverts_to_srgb() {
    let screens = [ColorProfile::new_display_p3(), ColorProfile::new_adobe_rgb(), ColorProfile::new_pro_photo_rgb()];
    for profile in screens.iter().map(bytes) {
        for rgb in COLOURS {
            let device = from_srgb(rgb, Some(&profile));
            assert_near(&shallow(&srgb16(Channels::Rgb, &device, &profile)), &rgb, 1, "there and back");
        }
    }
    // A scanner profile has no inverse table; the colour is found nevertheless.
    for rgb in [[146, 111, 103], [103, 114, 98], [128, 99, 83], [255, 255, 255], [0, 0, 0]] {
        let device = from_srgb(rgb, Some(&scanner()));
        assert_near(&shallow(&srgb16(Channels::Rgb, &device, &scanner())), &rgb, 1, "scanner");
    }
    assert_eq!(from_srgb([1, 2, 255], None), [257, 514, 65_535]);
}

#[test]
fn cmyk_without_profile_uses_the_simple_formula() {
    let inks = [0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255, 100, 50, 0, 55, 1, 2];
    let naive = [255, 255, 255, 0, 255, 255, 0, 0, 0, 122, 161, 200];
    assert_eq!(cmyk_to_rgb(&inks, None), naive);
    for unusable in [&b"profile"[..], &bytes(&ColorProfile::new_display_p3()), &press()[..5_000]] {
        assert_eq!(cmyk_to_rgb(&inks, Some(unusable)), naive);
    }
    assert!(cmyk_to_rgb(&[], Some(&press())).is_empty());
}

#[test]
fn profiles_must_match_the_colour_space_of_the_pixels() {
    let (colour, grey) = (bytes(&ColorProfile::new_srgb()), bytes(&ColorProfile::new_gray_with_gamma(2.2)));
    assert!(describes(&colour, Channels::Rgba) && !describes(&colour, Channels::L));
    assert!(describes(&grey, Channels::La) && !describes(&grey, Channels::Rgb));
    assert!(!describes(&press(), Channels::Rgb) && !describes(b"", Channels::L));
}

#[test]
fn cicp_profiles_match_littlecms() {
    let made = |primaries, transfer, full| profile_from_cicp(primaries, transfer, full).expect("not sRGB");
    assert_as_littlecms(&made(12, 13, true), &CICP_P3, 1, "Display P3");
    assert_as_littlecms(&made(9, 14, true), &CICP_BT2020, 1, "BT.2020");
    assert_as_littlecms(&made(1, 8, true), &CICP_LINEAR, 1, "linear");
    assert_as_littlecms(&made(9, 16, true), &CICP_PQ, 2, "PQ");
    assert_as_littlecms(&made(1, 13, false), &CICP_NARROW, 1, "narrow range");
    for (primaries, transfer) in [(1, 13), (1, 1), (1, 6), (2, 2), (0, 0), (1, 255), (255, 13)] {
        assert_eq!(profile_from_cicp(primaries, transfer, true), None, "{primaries}, {transfer}");
    }
    assert_eq!(made(9, 15, true), made(9, 1, true));
    assert!(
        (0..=u8::MAX).all(|code| profile_from_cicp(code, 16, true).is_some_and(|profile| read(&profile).is_some()))
    );
}

#[test]
fn hdr_curves_keep_midtones_and_compress_highlights() {
    // Grey at a fifth of reference white is the same as in sRGB, reference white is bright but not white, 1,000 cd/m2
    // is white. In PQ 40.6, 203 and 1,000 cd/m2 are 0.4207, 0.5807 and 0.7518; in HLG 0.4558, 0.7500 and 1.
    for (transfer, levels) in [(16, [27_569, 38_055, 49_271]), (18, [29_871, 49_143, 65_535])] {
        let profile = profile_from_cicp(9, transfer, true).expect("not sRGB");
        let shown = shallow(&srgb16(Channels::L.in_colour(), &levels.map(|level| [level; 3]).concat(), &profile));
        assert!(shown[0].abs_diff(124) <= 2 && (215..=235).contains(&shown[3]) && shown[6] >= 254, "{shown:?}");
    }
}

#[test]
fn gamma_and_chromaticities_yield_a_profile_unless_they_are_srgb() {
    let srgb = [0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06];
    let adobe = [0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06];
    for gamma in [0.45455, 0.4545, 0.45] {
        for chromaticities in [None, Some(srgb)] {
            assert_eq!(profile_from_gamma(gamma, chromaticities, false), None);
        }
        assert_eq!(profile_from_gamma(gamma, Some(adobe), true), None);
    }
    let made = profile_from_gamma(0.45455, Some(adobe), false).expect("not sRGB");
    assert_as_littlecms(&made, &GAMMA_ADOBE, 1, "Adobe RGB by chromaticities");
    assert!(profile_from_gamma(1.0, None, false).is_some() && profile_from_gamma(0.5, None, true).is_some());
    for gamma in [0.0, -0.45, f64::NAN, f64::INFINITY, 1e-9, 100.0] {
        assert_eq!(profile_from_gamma(gamma, Some(adobe), false), None, "{gamma}");
    }
    for (at, value) in [(1, 0.0), (0, 0.9), (2, 0.2), (5, f64::NAN), (7, 1e9)] {
        let mut broken = adobe;
        broken[at] = value;
        assert_eq!(profile_from_gamma(0.5, Some(broken), false), None, "{broken:?}");
    }
    assert_eq!(profile_from_gamma(0.5, Some([0.3; 8]), false), None);
}

#[test]
fn text_and_repeated_tags_are_not_parsed() {
    let mut profile = ColorProfile::new_display_p3();
    let text = LocalizableString::new("en".to_owned(), "US".to_owned(), "x".repeat(3_000));
    profile.description = Some(ProfileText::Localizable(vec![text]));
    let parsed = read(&bytes(&profile)).expect("reads");
    assert!(parsed.description.is_none() && parsed.copyright.is_none());
    // The second red curve is outside the file.
    let mut twice = bytes(&profile);
    let count = u32::from_be_bytes(twice[128..132].try_into().expect("four"));
    let text_entry =
        (0..count as usize).map(|tag| 132 + 12 * tag).find(|at| &twice[*at..at + 4] == b"desc").expect("has");
    twice[text_entry..text_entry + 12].copy_from_slice(b"rTRC\xFF\xFF\xFF\x00\x00\x00\x00\x20");
    assert_eq!(read(&twice).expect("reads").red_trc, parsed.red_trc);
}

#[test]
fn mutated_profiles_are_harmless() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below
    };
    let grey = profile_from_gamma(0.6, None, true).expect("not sRGB");
    let curved = profile_from_cicp(9, 16, true).expect("not sRGB");
    let seeds = [(bytes(&ColorProfile::new_display_p3()), 100), (curved, 30), (grey, 60), (scanner(), 6), (press(), 6)];
    for (seed, rounds) in &seeds {
        for _ in 0..*rounds {
            let mut profile = seed.clone();
            for _ in 0..=random(6) {
                // Mostly in the structural parts: header, directory, and the beginnings of tags.
                let reach = if random(3) == 0 { profile.len() } else { profile.len().min(700) };
                let value = [0, 0xFF, 0x7F, 0x80, 1, random(256) as u8][random(6)];
                let at = random(reach);
                profile[at] = value;
            }
            if random(6) == 0 {
                profile.truncate(random(profile.len()));
            }
            let colour = to_srgb(pixels8(Channels::Rgba, &[200, 120, 60, 77]), Some(&profile));
            assert_eq!(colour.as_u8().expect("8 bits")[3], 77);
            let grey = to_srgb(pixels16(Channels::La, &[9_000, 5]), Some(&profile)).into_samples();
            assert!(matches!(grey, Samples::U16(samples) if samples[1] == 5));
            assert_eq!(cmyk_to_rgb(&[9, 90, 200, 30], Some(&profile)).len(), 3);
            let _ = from_srgb([10, 200, 30], Some(&profile));
        }
    }
}
