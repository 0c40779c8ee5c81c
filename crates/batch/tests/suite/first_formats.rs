//! Files that programs before 1.0 wrote with other names are still read: tests/data/first-formats.

use std::fs;
use std::path::{Path, PathBuf};

use batch::journal::{StoredPath, read_history};
use batch::project::Project;
use batch::settings::{Guides, Settings};
use recipe::{AllowedRange, Expected, PresetGroup, presets_from_toml};

fn file(name: &str) -> PathBuf {
    test_support::root().join("tests/data/first-formats").join(name)
}

/// A copy of a file in a folder of its own, since reading settings may move a broken file aside.
fn copy(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("created");
    let path = folder.path().join(name);
    fs::copy(file(name), &path).expect("copied");
    (folder, path)
}

#[test]
fn journals_keep_their_outcomes_stages_and_warnings() {
    let history = read_history(&file("journal.jsonl")).expect("read");
    let photo = |name: &str| {
        let key = StoredPath::of(Path::new(&format!("/home/anna/photos/{name}")));
        history.photos.get(&key).unwrap_or_else(|| panic!("{name}"))
    };
    let outcomes = ["anna.png", "near_the_edge.jpg", "sideways.jpg"].map(|name| photo(name).outcome.as_str());
    assert_eq!(outcomes, ["cropped", "excluded", "already_done"]);
    let anna = photo("anna.png");
    assert_eq!(anna.needs_review.len(), 1);
    let stages: Vec<&str> = anna.stages_ms.keys().map(String::as_str).collect();
    assert_eq!(stages, ["decode", "encode", "inference", "plan", "postprocess", "preprocess", "render"]);
    assert!(history.end.is_some_and(|end| end.is_complete()));
}

#[test]
fn projects_keep_every_decision() {
    let (_folder, path) = copy("school.ironcrop");
    let opened = Project::read(&path).expect("read");
    assert_eq!((opened.settings_lost.len(), opened.edits_lost), (0, 0));
    let settings = &opened.project.settings;
    assert_eq!((settings.detect.score_threshold, settings.detect.nms_threshold), (0.25, 0.35));
    assert_eq!(settings.recipe.crop.expected, Expected { min: Some(1), max: Some(2) });
    let rules = settings.recipe.crop.rules.as_ref().expect("rules");
    assert_eq!((rules.min_pixels, rules.max_pixels), (Some([600, 600]), Some([1200, 1200])));
    assert_eq!(rules.head, Some(AllowedRange { min: 0.5, max: 0.69 }));
    let [anna, astronaut, sideways] = &opened.project.photos[..] else { panic!("{:?}", opened.project.photos) };
    assert!(anna.edits.accepted && astronaut.edits.excluded);
    assert_eq!(anna.edits.reviewed_warnings, ["blurred", "sideways", "rule"]);
    let overrides = sideways.edits.overrides.as_ref().expect("overrides");
    assert_eq!((overrides.preset.as_deref(), overrides.crop.output.width), (Some("avatar"), 90));
    assert_eq!(overrides.crop.expected.max, Some(3));
    let again = path.with_file_name("again.ironcrop");
    opened.project.write(&again).expect("written");
    assert_eq!(Project::read(&again).expect("read").project.settings, opened.project.settings);
    let text = fs::read_to_string(&again).expect("text");
    for old in ["left_out", ".seen", "edits.own", "least", "most", "score_floor", "max_overlap"] {
        assert!(!text.contains(old), "{old}: {text}");
    }
}

#[test]
fn settings_keep_every_value() {
    let (_folder, path) = copy("settings.toml");
    let (settings, notice) = Settings::load(&path);
    assert_eq!(notice, None);
    assert_eq!((settings.detect.score_threshold, settings.detect.nms_threshold), (0.25, 0.35));
    assert_eq!(settings.quarantined, [PathBuf::from("/home/anna/broken.jpg")]);
    assert_eq!(settings.recipe.crop.expected, Expected { min: Some(1), max: Some(2) });
    assert!(settings.window.reduce_motion && settings.window.guides == Guides::Document);
}

#[test]
fn preset_files_keep_group_description_and_rules() {
    let text = fs::read_to_string(file("presets.toml")).expect("text");
    let presets = presets_from_toml(&text).expect("presets");
    let [preset] = &presets[..] else { panic!("{presets:?}") };
    assert!(preset.group == PresetGroup::Custom && preset.description.starts_with("Head 25 to 35 mm"));
    let rules = preset.rules.as_ref().expect("rules");
    let expected = Some(AllowedRange { min: 0.56, max: 0.69 });
    assert_eq!((rules.eye_line, rules.max_pixels), (expected, Some([1200, 1200])));
}
