//! Preset files by other programs and people, valid and invalid.

use super::*;
use crate::{AllowedRange, DocumentRules, Position, PresetGroup};

const SOUND: &str = r#"
[[preset]]
id = "club"
name = "Club card"
size = { mm = [30.0, 40.0], dpi = 300 }
head_height = 0.6
position = { kind = "eye-line", from_bottom = 0.6 }
"#;

fn read(text: &str) -> Result<Vec<Preset>, PresetError> {
    presets_from_toml(text)
}

/// The error message of a file in which `from` is replaced by `to`.
#[track_caller]
fn error(from: &str, to: &str) -> String {
    assert!(SOUND.contains(from), "{from} is not in the file");
    read(&SOUND.replace(from, to)).expect_err("is refused").to_string()
}

#[test]
fn written_presets_are_read_back_unchanged() {
    let built_in = built_in_presets();
    let text = presets_to_toml(built_in);
    assert_eq!(read(&text).as_deref(), Ok(built_in));
    assert!(text.contains("head_height = 0.52\n"), "numbers keep their form: {}", &text[..400]);
    let own = read(SOUND).expect("valid");
    assert_eq!((own[0].group, own[0].level, &own[0].rules), (PresetGroup::Custom, false, &None));
    assert_eq!(read(&presets_to_toml(&own)), Ok(own));
}

#[test]
fn unknown_keys_are_reported() {
    for (from, to, key) in [
        ("head_height = 0.6", "head_height = 0.6\nheadheight = 0.6", "headheight"),
        ("dpi = 300", "dpi = 300, colour = 3", "colour"),
        ("from_bottom = 0.6 }", "from_bottom = 0.6, up = 1 }", "up"),
        ("[[preset]]", "version = 3\n[[preset]]", "version"),
        ("head_height = 0.6", "head_height = 0.6\nrules = { smile = true }", "smile"),
        ("head_height = 0.6", "head_height = 0.6\nrules = { head = { min = 0.1, max = 0.2, best = 0.1 } }", "best"),
    ] {
        let message = error(from, to);
        assert!(message.contains(&format!("`{key}`")), "{key} is missing in: {message}");
    }
}

#[test]
fn invalid_numbers_are_reported_with_their_preset() {
    for (from, to, message) in [
        (
            "head_height = 0.6",
            "head_height = nan",
            "the preset 'club' cannot be used: a head height of NaN % is outside",
        ),
        ("head_height = 0.6", "head_height = 60", "a head height of 6000 % is outside 5 to 100 %"),
        ("from_bottom = 0.6", "from_bottom = inf", "an eye line of inf % is outside 0 to 100 %"),
        ("mm = [30.0, 40.0]", "mm = [30.0, nan]", "a printed size of 30 x NaN mm at 300 dpi cannot be used"),
        ("mm = [30.0, 40.0]", "mm = [-30.0, 40.0]", "a printed size of -30 x 40 mm at 300 dpi"),
        ("dpi = 300", "dpi = 0", "at 0 dpi cannot be used"),
        ("mm = [30.0, 40.0]", "mm = [0.001, 40.0]", "the output size 0 x 472 has a side outside 1 to 10000 pixels"),
        ("mm = [30.0, 40.0], dpi = 300", "pixels = [20000, 40]", "20000 x 40 has a side"),
        ("id = \"club\"", "id = \"Club card\"", "an id has 1 to 64 lower-case letters"),
        ("name = \"Club card\"", "name = \"  \"", "the name must be 1 to 100 characters long"),
        ("name = \"Club card\"", "name = \"a\\u0007b\"", "control characters"),
        ("head_height = 0.6", "head_height = 0.6\nrules = { head = { min = 0.8, max = 0.2 } }", "can never be met"),
        (
            "head_height = 0.6",
            "head_height = 0.6\nrules = { head = { min = nan, max = 0.2 } }",
            "the head range of NaN %",
        ),
        ("head_height = 0.6", "head_height = 0.6\nrules = { max_kilobytes = 0 }", "the file size"),
        ("head_height = 0.6", "head_height = 0.6\nrules = { dpi = 0 }", "the resolution"),
        (
            "head_height = 0.6",
            "head_height = 0.6\nrules = { pose = { yaw = 5.0, pitch = nan, roll = 8.0 } }",
            "a limit of the head's rotation of NaN degrees is outside 0 to 90 degrees",
        ),
        (
            "head_height = 0.6",
            "head_height = 0.6\nrules = { pose = { yaw = -5.0, pitch = 5.0, roll = 8.0 } }",
            "a limit of the head's rotation of -5 degrees",
        ),
        ("head_height = 0.6", "head_height = 0.6\nrules = { min_kilobytes = 9, max_kilobytes = 8 }", "the file size"),
        (
            "head_height = 0.6",
            "head_height = 0.6\nrules = { min_pixels = [5, 5], max_pixels = [9, 4] }",
            "the size in pixels",
        ),
    ] {
        let found = error(from, to);
        assert!(found.contains(message), "{to}: {found}");
    }
}

#[test]
fn invalid_values_are_reported_with_their_line() {
    let message = error("dpi = 300", "pixels = [3, 4]");
    assert!(
        message.contains("a size has either `mm` and `dpi`, or `pixels`") && message.contains("line 5"),
        "{message}"
    );
    let message = error("kind = \"eye-line\", from_bottom = 0.6", "kind = \"nose\"");
    assert!(message.contains("a position is of the kind"), "{message}");
    let message = error("kind = \"eye-line\", from_bottom = 0.6", "kind = \"middle\", share = 0.1");
    assert!(message.contains("a position is of the kind"), "{message}");
    assert!(matches!(read("this is no TOML"), Err(PresetError::Form { .. })));
    assert_eq!(read(""), Err(PresetError::Empty));
    assert_eq!(read(&format!("{SOUND}{SOUND}")), Err(PresetError::Twice { id: "club".to_owned() }));
    let long = format!("#{}\n{SOUND}", " ".repeat(1 << 18));
    assert!(matches!(read(&long), Err(PresetError::TooLarge { max: 262_144, .. })));
    for depth in [10, 1_000, 100_000] {
        assert!(read(&format!("a = {}", "[".repeat(depth))).is_err(), "deeply nested");
    }
}

#[test]
fn ids_are_derived_from_names_and_unique() {
    let taken = |ids: &[&str]| -> Vec<Preset> {
        ids.iter().map(|id| Preset { id: (*id).to_owned(), ..built_in_presets()[0].clone() }).collect()
    };
    assert_eq!(unused_id("Club card, 30 x 40 mm", &[]), "club-card-30-x-40-mm");
    assert_eq!(unused_id("Club card", &taken(&["club-card", "club-card-2"])), "club-card-3");
    assert_eq!(unused_id("Slack", &[]), "slack-2", "a built-in preset has this id");
    assert_eq!(unused_id("名刺", &[]), "preset");
    assert_eq!(unused_id("--- é! ---", &taken(&["preset"])), "preset-2");
    let long = "long name ".repeat(50);
    for name in ["Club", "名刺", "x", "9", &long] {
        let id = unused_id(name, &[]);
        assert!(is_id(&id) && unused_id(name, &taken(&[&id])) != id, "{id}");
    }
}

#[test]
fn a_preset_with_every_entry_is_read_back_unchanged() {
    let full = Preset {
        description: "Words with \"quotes\" and \u{2026}".to_owned(),
        source: Some("a page".to_owned()),
        check_before_use: true,
        shift_right: -0.125,
        position: Position::Headroom { share: 0.1 },
        rules: Some(DocumentRules {
            min_pixels: Some([1, 2]),
            max_pixels: Some([300, 400]),
            head: Some(AllowedRange { min: 0.1, max: 0.2 }),
            eye_line: Some(AllowedRange { min: 0.3, max: 0.4 }),
            headroom: Some(AllowedRange { min: 0.5, max: 0.6 }),
            background: Some("white".to_owned()),
            min_kilobytes: Some(1),
            max_kilobytes: Some(2),
            jpeg: true,
            unaltered: true,
            ..DocumentRules::default()
        }),
        ..read(SOUND).expect("valid").remove(0)
    };
    assert_eq!(read(&presets_to_toml(std::slice::from_ref(&full))), Ok(vec![full]));
}

#[test]
fn a_long_line_is_not_quoted() {
    let message = |text: &str| read(text).expect_err("refused").to_string();
    assert!(message("[[preset]]\nid = 3\n").contains("2 | id = 3"));
    let long = message(&"[".repeat(100_000));
    assert!(long.len() < 300 && long.starts_with("it is not a preset file: "), "{long}");
}
