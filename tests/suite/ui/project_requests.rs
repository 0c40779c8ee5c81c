//! Requests of a project that the user has not chosen: confirmed before an export, and not saved as the user's settings.

use std::path::PathBuf;

use egui::{Key, Modifiers};

use batch::project::Opened;
use batch::settings::Settings;
use batch::worker::{FilesRequest, Request};
use iron_cropper::ui::PickerKind;
use recipe::OnConflict;

use super::project::opened;
use super::script::Window;
use super::{export, with_output_folder};

const OUTSIDE: &str = "The project writes its crops to";
const REPLACING: &str = "The project replaces existing files with the name of a crop.";

fn theirs() -> PathBuf {
    std::env::temp_dir().join("theirs")
}

/// A project with an output folder outside of its own folder, and with replacement of existing files.
fn asking() -> Opened {
    let mut opened = opened();
    opened.project.settings.output_folder = Some(theirs());
    opened.project.settings.on_conflict = OnConflict::Overwrite;
    Opened { output_outside: true, ..opened }
}

fn open(opened: Opened) -> Window {
    // High enough for all settings to be visible.
    let mut window = Window::open_with(with_output_folder(), [1280.0, 1500.0], 1.0);
    window.runtime_ready();
    window.open_project(opened);
    window.sent();
    window
}

fn saved(request: &Request) -> Option<Settings> {
    if let Request::Files(FilesRequest::SaveSettings(settings)) = request { Some((**settings).clone()) } else { None }
}

#[track_caller]
fn exports_nothing(window: &mut Window) {
    assert!(window.sent().iter().all(|(_, request)| export(request).is_none()));
}

#[test]
fn an_export_asks_to_confirm_the_projects_requests() {
    let mut window = open(asking());
    window.click("Export all");
    exports_nothing(&mut window);
    assert!(window.shows(OUTSIDE) && window.shows(&theirs().display().to_string()) && window.has(REPLACING));
    // Enter presses the button that writes nothing, and the question is asked again.
    window.press(Key::Enter);
    assert!(!window.shows(OUTSIDE));
    window.click("Export all");
    exports_nothing(&mut window);
    window.click("Agree and export");
    let sent = window.sent();
    let job = sent.iter().find_map(|(_, request)| export(request)).expect("exported");
    assert_eq!((&job.output.folder, job.output.on_conflict), (&theirs(), OnConflict::Overwrite));
    let kept = sent.iter().find_map(|(_, request)| saved(request)).expect("confirmed by the user");
    assert_eq!((kept.output_folder, kept.on_conflict), (Some(theirs()), OnConflict::Overwrite));
}

#[test]
fn a_projects_requests_do_not_become_the_users_settings() {
    let mut window = open(asking());
    // Another setting is changed, so that the settings are saved.
    window.slide("Head height", 50.0);
    window.steps(40);
    let (_, kept) = window.sent_one(saved);
    assert_eq!((kept.output_folder, kept.on_conflict), (Some(std::env::temp_dir().join("crops")), OnConflict::Suffix));
    assert_eq!(kept.recipe.crop.head_height, 0.5);
    // Nor in the next project.
    let mut other = opened();
    other.project.settings.output_folder = None;
    let mut window = open(asking());
    window.open_project(other);
    window.sent();
    window.click("Export all");
    let (_, job) = window.sent_one(export);
    assert_eq!(job.output.folder, std::env::temp_dir().join("crops"));
}

#[test]
fn the_users_own_folder_and_policy_are_not_questioned() {
    let mut window = open(asking());
    window.choose("If the file exists", "Add a number");
    window.pick(PickerKind::OutputFolder, vec![theirs()]);
    window.sent();
    window.click("Export all");
    let (_, job) = window.sent_one(export);
    assert_eq!((&job.output.folder, job.output.on_conflict), (&theirs(), OnConflict::Suffix));
    // Undo restores the project's requests, and with them the question.
    let mut window = open(asking());
    window.choose("If the file exists", "Add a number");
    window.press_with(Modifiers::COMMAND, Key::Z);
    window.click("Export all");
    assert!(window.has(REPLACING));
    // Inside its own folder and without replacement, there is no question.
    let mut inside = opened();
    inside.project.settings.output_folder = Some(theirs());
    let mut window = open(inside);
    window.click("Export all");
    window.sent_one(export);
}
