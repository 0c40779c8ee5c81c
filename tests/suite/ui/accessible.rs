//! Checks the accessibility tree in each state of the window: every reachable widget has a name and a role.

use std::collections::BTreeSet;

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use batch::worker::{Event, FilesRequest, Request};
use import::WalkProblem;
use iron_cropper::ui::{PickerKind, SystemWishes, WindowOptions, Wishes};
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

/// What the tree says wrongly, or not at all, of nodes that need not be reachable.
fn semantic_faults(window: &Window) -> BTreeSet<String> {
    let mut faults = BTreeSet::new();
    for node in window.harness.root().children_recursive() {
        let node = node.accesskit_node();
        let (role, data) = (node.role(), node.data());
        let what = format!("{role:?} {:?}", node.label().or_else(|| node.value()).unwrap_or_default());
        let mut fault = |is_wrong: bool, fault: &str| _ = is_wrong && faults.insert(format!("{fault}: {what}"));
        fault(role == Role::Unknown, "no role");
        let bounds = [data.min_numeric_value(), data.max_numeric_value()];
        let is_finite = |bound: &Option<f64>| bound.is_some_and(|bound| bound.abs() < 1e7);
        fault(data.numeric_value().is_some() && !bounds.iter().all(is_finite), "no range");
        fault(role == Role::ComboBox && data.value().is_none_or(str::is_empty), "no value");
        fault(
            role == Role::ComboBox
                && !data.description().is_some_and(|text| text.contains(data.value().unwrap_or_default())),
            "the value is not said on Linux",
        );
        fault(
            role == Role::DisclosureTriangle && (data.is_expanded().is_none() || data.toggled().is_none()),
            "open or closed",
        );
        fault(
            matches!(role, Role::Dialog | Role::ListBox | Role::Menu | Role::MenuBar | Role::Region)
                && node.label().is_none(),
            "no name",
        );
        fault(role == Role::Pane && node.label().is_none(), "no name");
        fault(role == Role::Label && data.value().is_none_or(|text| text.trim().is_empty()), "no text");
        fault(role == Role::ListBoxOption && data.is_selected().is_none(), "selected or not");
        let menu = node.parent().is_some_and(|parent| matches!(parent.role(), Role::Menu | Role::MenuBar));
        fault(menu && matches!(role, Role::Button | Role::CheckBox | Role::RadioButton), "no item of its menu");
    }
    faults
}

/// A background that only catches clicks, and cannot have the focus.
fn is_surface(role: Role, focused: bool) -> bool {
    !focused && matches!(role, Role::GenericContainer | Role::Window | Role::Pane | Role::Dialog | Role::ScrollView)
}

#[track_caller]
fn check(window: &Window, state: &str) {
    let mut faults = faults(window);
    faults.extend(semantic_faults(window));
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
    window.ctrl(Key::G);
    check(&window, "the contact sheet");
    window.ctrl(Key::G);
    for _ in 0..2 {
        window.press(Key::F7);
        window.press(Key::F8);
        check(&window, "the panels folded, and open again");
    }
    window.click("Sort and filter");
    check(&window, "the menu of the list");
    window.press(Key::Escape);
    window.harness.get_by_label_contains("anna.jpg, 2 faces").click_secondary();
    window.steps(3);
    check(&window, "the menu of a photo");
    window.press(Key::Escape);
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

#[test]
fn the_list_says_how_many_photos_it_has_and_which_is_selected_and_why_it_needs_review() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg", "/photos/carl.jpg"], &[]);
    window.click("ben.jpg, no face");
    let list = window.harness.get_by_role_and_label(Role::ListBox, "List of photos");
    let data = list.accesskit_node().data().clone();
    assert_eq!((data.size_of_set(), data.is_multiselectable()), (Some(3), true));
    let rows: Vec<_> = list.query_all_by_role(Role::ListBoxOption).collect();
    assert_eq!(rows.len(), 3, "rows are within the list");
    for (place, row) in rows.iter().enumerate() {
        let row = row.accesskit_node();
        let data = row.data();
        assert_eq!(data.position_in_set(), Some(place));
        assert_eq!(data.is_selected(), Some(place == 1));
        let about = data.description().unwrap_or_default();
        assert!(about.contains("needs review: no face was found"), "{about}");
    }
    let active = list.accesskit_node().active_descendant().map(|row| row.id());
    assert_eq!(active, Some(rows[1].accesskit_node().id()), "with the focus on the list, this photo is announced");
}

#[test]
fn the_window_has_its_title_as_its_name() {
    let window = open_with_output_folder();
    assert!(window.harness.root().accesskit_node().label().expect("a name").contains("Iron Cropper"));
}

#[test]
fn the_systems_wishes_are_followed_while_the_theme_is_left_to_the_system() {
    let wishes = SystemWishes::default();
    let options = WindowOptions { wishes: wishes.clone(), ..WindowOptions::default() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    let look = |window: &Window| {
        let style = window.harness.ctx.global_style();
        (style.visuals.panel_fill == egui::Color32::BLACK, style.animation_time > 0.0)
    };
    for (wish, looks) in [
        (Wishes { high_contrast: false, less_motion: true }, (false, false)),
        (Wishes { high_contrast: true, less_motion: false }, (true, true)),
        (Wishes { high_contrast: true, less_motion: true }, (true, false)),
    ] {
        wishes.set(wish);
        window.steps(2);
        assert_eq!(look(&window), looks, "{wish:?}");
    }
    let mut choose = |theme: &str| {
        window.ctrl(Key::K);
        window.type_text(theme);
        window.press(Key::Enter);
        look(&window)
    };
    assert_eq!(choose("Theme: dark"), (false, false), "a chosen theme is kept");
    assert_eq!(choose("Theme: high contrast"), (true, false));
}
