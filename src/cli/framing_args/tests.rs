//! Tests of the framing flags.

use recipe::find_preset;

use super::*;
use crate::cli::{Arguments, Command};

fn args(extra: &str) -> Result<FramingArgs, clap::Error> {
    let given = ["iron-cropper", "crop", "photos", "-o", "out"].into_iter().chain(extra.split_whitespace());
    match Arguments::read(given)?.command {
        Some(Command::Crop(args)) => Ok(args.framing),
        other => panic!("{other:?}"),
    }
}

fn spec(extra: &str) -> CropSpec {
    let mut spec = CropSpec::default();
    args(extra).expect("valid").apply_to(&mut spec);
    spec
}

#[test]
fn each_flag_changes_the_spec() {
    let given = "--head-height 37.5% --position headroom=10 --shift-right -5 --keep-hair off --level --level-limit 20° \
                 --rotation keep --edge blur --max-padding 25 --fill #102030";
    let expected = CropSpec {
        head_height: 0.375,
        position: Position::Headroom { share: 0.1 },
        shift_right: -0.05,
        keep_hair: false,
        level: true,
        level_limit: 20.0,
        turn_upright: false,
        edge: EdgePolicy::Blur,
        max_padding: 0.25,
        fill: Color { rgb: [16, 32, 48] },
        ..CropSpec::default()
    };
    assert_eq!(spec(given), expected);
    assert_eq!(spec(""), CropSpec::default());
    assert_eq!(spec("--position eye-line=60%").position, Position::EyeLine { from_bottom: 0.6 });
    assert!(spec("--turn upright").turn_upright);
}

#[test]
fn levelling_follows_the_preset_unless_a_flag_is_given() {
    let levels = |flags: &str, preset: bool| {
        let mut spec = CropSpec { level: preset, ..CropSpec::default() };
        args(flags).expect("valid").apply_to(&mut spec);
        spec.level
    };
    for preset in [true, false] {
        assert_eq!(levels("", preset), preset);
        assert!(levels("--level", preset) && !levels("--no-level", preset));
        // The last flag wins, so that an alias can be overridden.
        assert!(levels("--no-level --level", preset) && !levels("--level --no-level", preset));
    }
}

#[test]
fn hair_is_kept_as_in_the_preset_unless_a_flag_is_given() {
    let keeps = |flags: &str, preset: bool| {
        let mut spec = CropSpec { keep_hair: preset, ..CropSpec::default() };
        args(flags).expect("valid").apply_to(&mut spec);
        spec.keep_hair
    };
    for preset in [true, false] {
        assert_eq!(keeps("", preset), preset);
        assert!(keeps("--keep-hair on", preset) && !keeps("--keep-hair off", preset));
        assert!(keeps("--follow-hair", preset), "the former name");
        assert!(keeps("--keep-hair off --follow-hair", preset) && !keeps("--follow-hair --keep-hair off", preset));
    }
}

#[test]
fn sizes_need_a_unit() {
    for (text, expected) in [
        ("35x45mm", RequestedSize::Millimetres([35.0, 45.0])),
        ("3.5 x 4.5cm", RequestedSize::Millimetres([35.0, 45.0])),
        ("2×2in", RequestedSize::Millimetres([50.8, 50.8])),
        ("600x750px", RequestedSize::Pixels(Size::new(600, 750))),
    ] {
        assert_eq!(parse_requested_size(text), Ok(expected), "{text}");
    }
    for wrong in ["35x45", "35mm", "x45mm", "0x45mm", "nanx45mm", "infx1in", "-35x45mm", "35x45m", "600x750 pixels", ""]
    {
        assert!(parse_requested_size(wrong).is_err_and(|message| message.contains("35x45mm")), "{wrong}");
    }
    assert!(parse_requested_size("600x0px").is_err_and(|message| message.contains("from 1 to 10000")));
}

#[test]
fn invalid_values_are_rejected() {
    for wrong in [
        "--size 35x45mm --width 300",
        "--no-level --level-limit 5",
        "--position left",
        "--position eye-line=high",
        "--rotation 90",
        "--keep-hair yes",
        "--edge mirror",
        "--width -1",
        "--width 0",
        "--height 10001",
        "--head-height tall",
        "--shift-right left",
        "--level-limit steep",
    ] {
        assert_eq!(args(wrong).expect_err("refused").exit_code(), 2, "{wrong}");
    }
}

#[test]
fn flags_without_effect_are_reported() {
    let notes = |given: &str| args(given).expect("valid").ignored(&spec(given));
    for idle in ["--level-limit 10", "--max-padding 5"] {
        assert_eq!(notes(idle).len(), 1, "{idle}");
    }
    let useful = "--keep-hair on --level --level-limit 10 --edge pad --max-padding 5";
    assert!(notes(useful).is_empty());
}

#[test]
fn a_printed_preset_keeps_its_printed_size() {
    let preset = find_preset("document-35x45").expect("exists");
    let one = |flags: &str, dpi| args(flags).expect("valid").size_and_dpi(preset, dpi);
    assert_eq!(one("", None), (Size::new(413, 531), Some(300)));
    assert_eq!(one("", Some(600)), (Size::new(827, 1063), Some(600)));
    assert_eq!(one("--height 1063", None), (Size::new(827, 1063), Some(600)));
    assert_eq!(one("--height 1063", Some(72)), (Size::new(827, 1063), Some(72)));
    assert_eq!(one("--height 1 --width 1", None), (Size::new(1, 1), Some(300)));
    assert_eq!(one("--size 10x10mm", Some(254)), (Size::new(100, 100), Some(254)));
}
