//! Checks the accessibility tree in each state of the window: every reachable widget has a name and a role.

use std::collections::BTreeSet;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use batch::worker::{Event, FilesRequest, Request};
use import::WalkProblem;
use iron_cropper::ui::{PickerKind, WindowOptions};
use outcome::OutcomeKind;
use recipe::BackendKind;

use super::script::{Window, face, finished, ready, two_faces};
use super::{open_with_output_folder, progress, report, start_export};

/// Accessibility errors in the current window, one line each.
fn faults(window: &Window) -> BTreeSet<String> {
    let mut faults = BTreeSet::new();
    for node in window.harness.root().children_recursive() {
        let node = node.accesskit_node();
        let (role, data) = (node.role(), node.data());
        let clicked = data.supports_action(egui::accesskit::Action::Click);
        let focused = data.supports_action(egui::accesskit::Action::Focus);
        if !clicked && !focused && !egui::accessibility::is_input(role) {
            continue;
        }
        let name = node.label().filter(|name| !name.trim().is_empty());
        let name = name.or_else(|| (role == Role::Label).then(|| node.value()).flatten());
        let name = name.or_else(|| data.placeholder().map(str::to_owned));
        let (behind, bounds) = (node.parent().and_then(|parent| parent.label()), node.bounding_box());
        let place = bounds.map(|at| format!("{:.0},{:.0} to {:.0},{:.0}", at.x0, at.y0, at.x1, at.y1));
        let what = format!(
            "{role:?} {:?} at {} in {:?}",
            name.as_deref().unwrap_or_default(),
            place.unwrap_or_default(),
            behind.unwrap_or_default()
        );
        // A scroll bar is announced as part of its scroll area.
        let needs_none = is_surface(role, focused) || role == Role::ScrollBar;
        if name.is_none_or(|name| name.trim().is_empty()) && !needs_none {
            faults.insert(format!("no name: {what}"));
        }
        if focused && matches!(role, Role::Unknown | Role::GenericContainer) {
            faults.insert(format!("no role: {what}"));
        }
    }
    faults
}

/// A background that only catches clicks, and cannot have the focus.
fn is_surface(role: Role, focused: bool) -> bool {
    !focused && matches!(role, Role::GenericContainer | Role::Window | Role::Pane | Role::Dialog | Role::ScrollView)
}

#[track_caller]
fn check(window: &Window, state: &str) {
    let faults = faults(window);
    assert!(faults.is_empty(), "{state}:\n{}", faults.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_empty_window_and_its_pages_are_accessible() {
    let mut window = Window::open();
    check(&window, "empty");
    for (key, state) in [(Key::R, "runtimes"), (Key::L, "model"), (Key::M, "messages")] {
        window.ctrl_shift(key);
        check(&window, state);
        window.press(Key::Escape);
    }
    window.press(Key::F1);
    check(&window, "shortcuts");
    window.press(Key::Escape);
    window.ctrl(Key::K);
    check(&window, "palette");
    window.press(Key::Escape);
    for menu in ["File", "Edit", "Photo", "View", "Help"] {
        window.click(menu);
        check(&window, menu);
        window.press(Key::Escape);
    }
}

#[test]
fn photos_and_all_settings_are_accessible() {
    let options = WindowOptions::default();
    let mut window = Window::open_with(options, [1280.0, 2400.0], 1.0);
    window.runtime_ready();
    window.probes_finished(&[ready(BackendKind::Tract, 40.0), ready(BackendKind::Rten, 60.0)]);
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    check(&window, "photos");
    for section in ["This face", "Alignment and edges", "Finish", "Print sheet", "Limits"] {
        window.click(section);
    }
    window.steps(4);
    check(&window, "every section open");
    window.choose("Background", "Other colour");
    check(&window, "a background colour");
    window.open_runtimes();
    check(&window, "the list of runtimes");
    window.press(Key::Escape);
    window.harness.get_by_role_and_label(Role::ComboBox, "Preset").click();
    window.steps(3);
    check(&window, "the list of presets");
    window.press(Key::Escape);
    window.click("Manage presets");
    check(&window, "the menu of presets");
    window.click("Save as preset…");
    check(&window, "naming a preset");
    window.ctrl_shift(Key::R);
    check(&window, "the page of runtimes");
    window.press(Key::Escape);
    window.ctrl_shift(Key::C);
    check(&window, "comparing");
}

#[test]
fn exports_messages_and_the_path_page_are_accessible() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg", "/photos/carl.jpg"], &[face(300.0, 300.0, 0.8)]);
    let (id, items) = start_export(&mut window);
    window.answer(id, progress(items[0], 1, report("anna.jpg", OutcomeKind::Cropped)));
    check(&window, "exporting");
    window.answer(id, progress(items[1], 2, report("ben.jpg", OutcomeKind::Failed)));
    window.answer(id, progress(items[2], 3, report("carl.jpg", OutcomeKind::NoFace)));
    window.answer(id, finished(false, 3, 3));
    check(&window, "exported");

    window.drop_files(&["/more"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    for folder in ["a", "b"] {
        window.answer(import, Event::ImportProblem { path: folder.into(), problem: WalkProblem::NoPermission });
    }
    window.click("Details");
    check(&window, "messages");

    window.pick_nothing(PickerKind::SaveCsv, "The file dialog did not open.");
    assert!(window.has("Save comparison"));
    check(&window, "a page for a path");
}
