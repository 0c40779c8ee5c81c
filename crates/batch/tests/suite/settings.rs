//! The settings file: read, edited and damaged.

use std::fs;

use batch::platform::Folders;
use batch::settings::Settings;
use recipe::{Position, Select};
use test_support::folder;

#[test]
fn the_file_can_be_edited_manually() {
    let home = folder();
    let folders = Folders::below(home.path());
    Settings::default().save(&folders.config_file).expect("saved");
    let text = fs::read_to_string(&folders.config_file).expect("exists");
    for entry in ["version = 2", "runtime = \"auto\"", "[crop]", "select = \"largest\"", "kind = \"eye-line\""] {
        assert!(text.contains(entry), "{entry} is missing:\n{text}");
    }
    let edited = text.replace("\"largest\"", "\"all\"").replace("\"eye-line\"", "\"middle\"");
    fs::write(&folders.config_file, edited).expect("written");
    let (settings, notice) = Settings::load(&folders.config_file);
    assert_eq!(
        (settings.recipe.crop.select, settings.recipe.crop.position, notice),
        (Select::All, Position::Middle, None)
    );
}

#[test]
fn a_broken_file_is_moved_aside_and_not_touched_by_saving() {
    let home = folder();
    let folders = Folders::below(home.path());
    fs::write(&folders.config_file, "runtime = 'a machine in the cellar'").expect("created");
    let (settings, notice) = Settings::load(&folders.config_file);
    let notice = notice.expect("a notice");
    let text = notice.to_string();
    assert!(text.contains("a machine in the cellar") && text.contains("settings.broken-1.toml"), "{notice}");
    settings.save(&folders.config_file).expect("saved");
    let kept = fs::read_to_string(home.path().join("settings.broken-1.toml")).expect("kept");
    assert_eq!(kept, "runtime = 'a machine in the cellar'");
    assert_eq!(Settings::load(&folders.config_file), (Settings::default(), None));
}
