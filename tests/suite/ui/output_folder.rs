//! The output folder: proposed beside the photos until the user sets one.

use std::path::{Path, PathBuf};

use egui::Role;
use egui_kittest::kittest::Queryable;

use batch::settings::Settings;
use batch::worker::{FilesRequest, Request};
use iron_cropper::ui::PickerKind;

use super::export;
use super::script::{Window, two_faces};

/// A folder for photos; as an absolute path it has a drive on Windows.
fn photos() -> PathBuf {
    std::env::temp_dir().join("photos")
}

fn photo(name: &str) -> String {
    photos().join(name).display().to_string()
}

/// Exports with this button, and returns the folder.
#[track_caller]
fn exported_to(window: &mut Window, button: &str) -> PathBuf {
    window.sent();
    window.click(button);
    let (id, job) = window.sent_one(export);
    window.answer(id, super::finished(false, job.items.len(), job.items.len()));
    assert!(window.dialog.opened.borrow().is_empty(), "no question");
    job.output.folder.clone()
}

fn saved(request: &Request) -> Option<Settings> {
    if let Request::Files(FilesRequest::SaveSettings(settings)) = request { Some((**settings).clone()) } else { None }
}

#[test]
fn the_first_export_asks_nothing_and_writes_beside_the_photos() {
    let mut window = Window::open();
    window.add(&[&photo("a.jpg"), &photo("b.jpg")], &two_faces());
    assert_eq!(exported_to(&mut window, "Export all"), photos().join("Crops"));
    assert_eq!(exported_to(&mut window, "Export selected"), photos().join("Crops"));
    window.harness.run_steps(90);
    let kept = window.all_sent().iter().filter_map(saved).next_back();
    assert!(kept.is_none_or(|settings| settings.output_folder.is_none()), "a proposal is not a setting");
}

#[test]
fn the_proposal_follows_the_list_and_is_never_a_folder_with_photos() {
    let mut window = Window::open();
    window.add(&[&photo("class/a.jpg")], &two_faces());
    assert_eq!(exported_to(&mut window, "Export all"), photos().join("class").join("Crops"));
    window.add(&[&photo("other/b.jpg")], &two_faces());
    assert_eq!(exported_to(&mut window, "Export all"), photos().join("Crops"));
    window.add(&[&photo("Crops/c.jpg")], &two_faces());
    assert_eq!(exported_to(&mut window, "Export all"), photos().join("Crops 2"));
}

#[test]
fn the_users_folder_replaces_the_proposal_until_it_is_cleared() {
    let mut window = Window::open();
    window.add(&[&photo("a.jpg")], &two_faces());
    window.click("Browse…");
    window.dialog.opened.borrow_mut().clear();
    let chosen = std::env::temp_dir().join("chosen");
    window.pick(PickerKind::OutputFolder, vec![chosen.clone()]);
    assert_eq!(exported_to(&mut window, "Export all"), chosen);
    window.add(&[&photo("other/b.jpg")], &two_faces());
    assert_eq!(exported_to(&mut window, "Export all"), chosen);
    window.harness.get_by_role_and_label(Role::TextInput, "Output folder").set_text_value_accesskit("");
    window.steps(3);
    assert_eq!(exported_to(&mut window, "Export all"), photos().join("Crops"));
}

#[test]
fn a_project_without_a_folder_writes_beside_its_photos() {
    let mut window = Window::open();
    window.open_project(super::project::opened());
    let folder = Path::new("/photos").join("Crops");
    assert_eq!(exported_to(&mut window, "Export all"), std::path::absolute(folder).expect("a path"));
}
