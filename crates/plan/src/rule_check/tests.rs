//! Expected measures and messages.

use geometry::PixelRect;
use recipe::find_preset;

use super::*;
use crate::RuleKind;

/// A crop of 1000 x 1000 pixels, twice the size of its frame.
fn crop(angle: f32) -> PlannedCrop {
    let frame = PixelRect::new(100, 200, 500, 500);
    PlannedCrop { angle, ..PlannedCrop::upright(frame, Size::new(1000, 1000)) }
}

fn head(x: f32, y: f32, roll: f32) -> Head {
    Head { eyes: Point::new(x, y), eyes_to_crown: 185.0, eyes_to_chin: 185.0, roll }
}

fn us() -> DocumentRules {
    find_preset("us-passport").expect("exists").spec().rules.expect("rules")
}

fn messages(checks: &[RuleCheck]) -> Vec<String> {
    checks.iter().map(ToString::to_string).collect()
}

#[test]
fn a_head_that_is_too_high_is_reported_in_percent_and_millimetres() {
    // The eyes are 215 of 500 pixels below the top.
    let checks = check_rules(&crop(0.0), &head(350.0, 415.0, 0.0), &us());
    let expected = [
        "head 74 %, allowed 50 to 69 % (37.6 mm, allowed 25.4 to 35.1 mm)",
        "eye line 57 %, allowed 56 to 69 % (29 mm, allowed 28.4 to 35.1 mm)",
        "size 1000 x 1000 pixels, as required",
    ];
    assert_eq!(messages(&checks), expected);
    assert_eq!(checks.iter().map(|check| check.met).collect::<Vec<_>>(), [false, true, true]);
    assert_eq!(checks[0].in_range().map(|found| found.range), Some(AllowedRange { min: 0.5, max: 0.69 }));
    assert!((checks[0].in_range().expect("measured").measured - 0.74).abs() < 1e-4);
}

#[test]
fn message_and_verdict_agree_at_the_ends_of_a_range() {
    let rules = DocumentRules { head: Some(AllowedRange { min: 0.5, max: 0.7 }), ..DocumentRules::default() };
    let check = |height: f32| {
        let head = Head { eyes_to_crown: height / 2.0, eyes_to_chin: height / 2.0, ..head(350.0, 450.0, 0.0) };
        check_rules(&crop(0.0), &head, &rules).remove(0)
    };
    for (height, met, message) in [
        (250.0, true, "head 50 %, allowed 50 to 70 %"),
        (249.8, true, "head 50 %, allowed 50 to 70 %"),
        (249.5, false, "head 49.9 %, allowed 50 to 70 %"),
        (350.2, true, "head 70 %, allowed 50 to 70 %"),
        (350.5, false, "head 70.1 %, allowed 50 to 70 %"),
    ] {
        assert_eq!((check(height).met, check(height).to_string()), (met, message.to_owned()), "{height}");
    }
}

#[test]
fn a_rotated_crop_measures_a_rotated_head_like_an_upright_one() {
    let upright = head_in_crop(&crop(0.0), &head(350.0, 450.0, 0.0)).expect("inside");
    for angle in [-170.0, -90.0, -30.0, 12.0, 90.0, 180.0] {
        // The eyes are at the center of the frame's rotation.
        let rotated = head_in_crop(&crop(angle), &head(350.0, 450.0, angle)).expect("inside");
        let apart =
            [rotated.crown - upright.crown, rotated.eyes - 0.5, rotated.chin - upright.chin, rotated.height - 0.74];
        assert!(apart.iter().all(|apart| apart.abs() < 1e-4), "{angle}: {rotated:?}");
    }
}

#[test]
fn drawn_ranges_end_at_the_limits_of_the_rules() {
    let rules = DocumentRules { headroom: Some(AllowedRange { min: 0.1, max: 0.2 }), ..us() };
    let lines = HeadInCrop { crown: 0.06, eyes: 0.43, chin: 0.8, height: 0.74 };
    let drawn = range_lines(&lines, &rules);
    let near = |range: Option<AllowedRange>, min: f32, max: f32| {
        let AllowedRange { min: a, max: b } = range.expect("a range");
        assert!((a - min).abs() < 1e-5 && (b - max).abs() < 1e-5, "{a} to {b}, not {min} to {max}");
    };
    near(drawn.crown_by_head, 0.8 - 0.69, 0.8 - 0.5);
    near(drawn.eyes, 1.0 - 0.69, 1.0 - 0.56);
    near(drawn.crown_by_headroom, 0.1, 0.2);
    // Tilted by 60 degrees, the crown is half as far above the chin.
    let tilted = HeadInCrop { crown: 0.43, ..lines };
    near(range_lines(&tilted, &rules).crown_by_head, 0.8 - 0.345, 0.8 - 0.25);
    assert_eq!(range_lines(&lines, &DocumentRules::default()), RangeLines::default());
}

#[test]
fn a_wrong_size_is_reported() {
    let size_of = |preset: &str, width: u32, height: u32| {
        let rules = find_preset(preset).expect("exists").spec().rules.expect("rules");
        let crop = PlannedCrop::upright(PixelRect::new(0, 0, 100, 100), Size::new(width, height));
        let check = check_rules(&crop, &head(50.0, 50.0, 0.0), &rules).pop().expect("a size");
        assert_eq!(check.rule(), RuleKind::Size);
        (check.met, check.to_string())
    };
    let met = |preset: &str, width, height| size_of(preset, width, height).0;
    assert!(
        met("document-35x45", 413, 531) && met("document-35x45", 827, 1063),
        "the same print at a higher resolution"
    );
    assert!(!met("document-35x45", 400, 514) && !met("document-35x45", 531, 531));
    assert!(met("us-passport", 600, 600) && met("us-passport", 1200, 1200));
    assert!(!met("us-passport", 599, 599) && !met("us-passport", 1201, 1201) && !met("us-passport", 700, 600));
    assert!(met("us-diversity-visa", 600, 600) && !met("us-diversity-visa", 1200, 1200));
    assert!(met("microsoft-365", 648, 648) && met("microsoft-365", 360, 360), "the size is recommended");
    assert!(!met("microsoft-365", 648, 500) && !met("bamboohr", 149, 149) && met("bamboohr", 700, 700));
    let expected = "size 300 x 300 pixels, must have the aspect ratio of 35 x 45 mm for ICAO portrait 35 x 45 mm";
    assert_eq!(size_of("document-35x45", 300, 300).1, expected);
    let expected = "size 500 x 500 pixels, must be 600 x 600 pixels for US Diversity Visa 600 x 600";
    assert_eq!(size_of("us-diversity-visa", 500, 500).1, expected);
}

#[test]
fn nothing_is_measured_without_a_head_or_a_rule() {
    let broken = Head { roll: f32::NAN, ..head(350.0, 450.0, 0.0) };
    let left: Vec<RuleKind> = check_rules(&crop(0.0), &broken, &us()).iter().map(RuleCheck::rule).collect();
    assert_eq!(left, [RuleKind::Size]);
    assert!(check_rules(&crop(0.0), &head(350.0, 450.0, 0.0), &DocumentRules::default()).is_empty());
    let none = PlannedCrop::upright(PixelRect::new(0, 0, 0, 0), Size::new(0, 0));
    assert_eq!(head_in_crop(&none, &head(0.0, 0.0, 0.0)), None);
    let far = Head { eyes_to_crown: f32::MAX, eyes_to_chin: f32::MAX, ..head(f32::MAX, f32::MAX, 45.0) };
    assert!(check_rules(&crop(33.0), &far, &us()).iter().all(|check| !check.met || check.rule() == RuleKind::Size));
}

#[test]
fn a_file_is_checked_against_its_limits() {
    let rules =
        DocumentRules { min_kilobytes: Some(20), max_kilobytes: Some(50), jpeg: true, ..DocumentRules::default() };
    assert!(check_file(&rules, 20_000, true).is_empty() && check_file(&rules, 50_000, true).is_empty());
    let faults = |bytes, is_jpeg| -> Vec<String> {
        check_file(&rules, bytes, is_jpeg).iter().map(ToString::to_string).collect()
    };
    assert_eq!(faults(12_300, true), ["file size 12.3 kB, must be at least 20 kB"]);
    assert_eq!(faults(50_100, false), ["file size 50.1 kB, must be at most 50 kB", "the file must be a JPEG"]);
    assert!(check_file(&DocumentRules::default(), 0, false).is_empty());
}
