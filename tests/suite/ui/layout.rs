//! Small windows and large text: every control stays inside the window, in every language.

use egui::Role;
use egui_kittest::kittest::{NodeT, Queryable};

use batch::settings::{LanguageChoice, Settings};
use iron_cropper::ui::WindowOptions;

use super::script::{Window, two_faces};

/// A small screen, in pixels.
const SCREEN: [f32; 2] = [1024.0, 700.0];

const LANGUAGES: [LanguageChoice; 5] = [
    LanguageChoice::English,
    LanguageChoice::German,
    LanguageChoice::French,
    LanguageChoice::Spanish,
    LanguageChoice::Japanese,
];

const CONTROLS: [Role; 8] = [
    Role::Button,
    Role::CheckBox,
    Role::ComboBox,
    Role::RadioButton,
    Role::Slider,
    Role::SpinButton,
    Role::TextInput,
    Role::MenuItem,
];

/// A window with 120 photos.
fn open(language: LanguageChoice, scale: f32) -> Window {
    let mut settings = Settings::default();
    settings.window.language = language;
    let options = WindowOptions { settings, ..WindowOptions::default() };
    let mut window = Window::open_with(options, SCREEN.map(|side| side / scale), scale);
    window.runtime_ready();
    let paths: Vec<String> = (0..120).map(|photo| format!("/photos/a name of usual length {photo}.jpg")).collect();
    window.add(&paths.iter().map(String::as_str).collect::<Vec<_>>(), &two_faces());
    window.harness.run_steps(4);
    window
}

/// The controls with their names and places, in points.
fn controls(window: &Window) -> Vec<(String, egui::Rect)> {
    let nodes = CONTROLS.iter().flat_map(|role| window.harness.query_all_by_role(*role));
    let named = nodes.map(|node| {
        let name = node.accesskit_node().label().or_else(|| node.accesskit_node().value()).unwrap_or_default();
        (name, node.rect())
    });
    named.collect()
}

/// The controls that reach beyond the window's left or right edge.
fn cut(window: &Window, scale: f32) -> Vec<(String, egui::Rect)> {
    let width = SCREEN[0] / scale;
    let is_cut = |rect: &egui::Rect| rect.left() < -0.5 || rect.right() > width + 0.5;
    controls(window).into_iter().filter(|(_, rect)| is_cut(rect)).collect()
}

#[track_caller]
fn assert_inside(window: &Window, scale: f32, what: &str, names: &[&str]) {
    let [width, height] = SCREEN.map(|side| side / scale);
    let inside = egui::Rect::from_min_max(egui::Pos2::ZERO, egui::pos2(width, height)).expand(0.5);
    let found = cut(window, scale);
    assert!(found.is_empty(), "{what}: {found:?}");
    let mut places = Vec::new();
    for name in names {
        // Labels of rows have the name of their control.
        let found = window.harness.query_all_by_label(name).find(|node| node.accesskit_node().role() != Role::Label);
        let rect = found.unwrap_or_else(|| panic!("{what}: no {name}")).rect();
        assert!(inside.contains_rect(rect) && rect.is_positive(), "{what}: {name} at {rect:?}");
        places.push((name, rect));
    }
    for (at, (name, rect)) in places.iter().enumerate() {
        let over = places[at + 1..].iter().find(|(_, other)| other.shrink(1.0).intersects(*rect));
        assert!(over.is_none(), "{what}: {name} at {rect:?} is over {over:?}");
    }
}

#[test]
fn every_control_is_inside_the_window_in_every_language_and_size_of_text() {
    for language in LANGUAGES {
        for scale in [1.0, 1.5, 2.0] {
            let what = format!("{language:?} at {scale}");
            let mut window = open(language, scale);
            let found = cut(&window, scale);
            assert!(found.is_empty(), "{what}: {found:?}");
            // The list, if only one side has room.
            window.press(egui::Key::F8);
            let found = cut(&window, scale);
            assert!(found.is_empty(), "{what}, with the list: {found:?}");
        }
    }
}

#[test]
fn small_windows_keep_lists_tools_and_export_in_reach() {
    let export =
        ["Output folder", "Browse…", "Format", "Template of the file names", "Insert a field", "Export all (120)"];
    let settings = ["Hide settings"];
    let list =
        ["Hide list", "Sort and filter", "Contact sheet", "Find by name", "Add files…", "Add folder…", "Path to add"];
    let menus = ["File", "Edit", "Photo", "Faces", "View", "Help"];
    for scale in [1.0, 1.5, 2.0] {
        let what = format!("at {scale}");
        let mut window = open(LanguageChoice::English, scale);
        let both = scale < 1.5;
        let tools: &[&str] = if both { &["Fit", "100 %", "Preview"] } else { &["More tools"] };
        assert_inside(&window, scale, &what, &[&export[..], &settings, &menus, tools].concat());
        if !both {
            window.click("Show list");
        }
        assert_inside(&window, scale, &what, &[&list[..], &menus].concat());
        assert_eq!(window.has("Export all (120)"), both, "{what}");
        if !both {
            window.click("Show settings");
            assert_inside(&window, scale, &what, &[&export[..], &settings].concat());
        }
    }
}

#[test]
fn tools_without_room_are_in_a_menu() {
    let mut window = open(LanguageChoice::English, 2.0);
    assert!(!window.has("Before and after"));
    window.click("More tools");
    window.click("Before and after");
    assert!(window.shows("After: crop 1"));
}

#[test]
fn the_fields_of_the_frame_fold_in_a_small_window() {
    let mut window = open(LanguageChoice::English, 2.0);
    assert!(!window.has("Width of the frame, in photo pixels"));
    window.click("Frame…");
    assert!(window.has("Width of the frame, in photo pixels") && window.has("Free aspect ratio"));
}

#[test]
fn panels_fold_to_a_strip_and_stay_folded_in_the_next_session() {
    let mut window = open(LanguageChoice::English, 1.0);
    window.click("Hide settings");
    assert!(!window.has("Export all (120)") && window.has("Show settings"));
    window.click("Hide list");
    assert!(!window.has("Sort and filter"));
    window.harness.run_steps(90);
    let saved = window.all_sent().into_iter().rev().find_map(|request| match request {
        batch::worker::Request::Files(batch::worker::FilesRequest::SaveSettings(settings)) => Some(settings),
        _ => None,
    });
    let saved = saved.expect("saved");
    assert!(saved.window.fold_list && saved.window.fold_settings);
    window.click("Show settings");
    window.click("Show list");
    assert!(window.has("Export all (120)") && window.has("Sort and filter"));
}

#[test]
fn the_preview_folds_and_leaves_its_warning() {
    let mut window = open(LanguageChoice::English, 1.0);
    assert!(window.shows("Preview of crop 1 of 1"));
    window.click("Preview");
    assert!(!window.shows("Preview of crop") && !window.has("Crop preview"));
    window.click("Preview");
    assert!(window.shows("Preview of crop 1 of 1"));
}

#[test]
fn searching_shows_a_folded_list() {
    let mut window = open(LanguageChoice::English, 1.0);
    window.click("Hide list");
    window.ctrl(egui::Key::F);
    assert!(window.has("Hide list") && window.has("Close search"));
}

#[test]
fn warnings_do_not_move_the_settings() {
    let mut window = Window::open();
    let place = |window: &Window| window.harness.get_by_role_and_label(Role::ComboBox, "Preset").rect();
    window.add(&["/photos/anna.jpg"], &two_faces());
    let before = place(&window);
    window.slide("Head height", 20.0);
    assert!(window.shows("To review: "));
    assert_eq!(place(&window), before);
    window.add(&["/photos/nobody.jpg"], &[]);
    window.press(egui::Key::ArrowDown);
    assert_eq!(place(&window), before, "while the photo is being read");
    window.answer_detection(&[]);
    assert!(window.shows("No face to crop") && !window.shows("To review: "));
    assert_eq!(place(&window), before);
}

#[test]
fn messages_do_not_move_the_photo() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    let place = |window: &Window| window.harness.get_by_label("Face 1, score 0.93, included").rect();
    let before = place(&window);
    window.drop_files(&["/"]);
    assert!(window.shows("Whole disks are not searched") && window.has("Dismiss this message"));
    assert_eq!(place(&window), before);
}

#[test]
fn a_page_covers_the_window_and_a_click_beside_it_closes_it() {
    let mut window = open(LanguageChoice::English, 1.0);
    window.press(egui::Key::F1);
    assert!(window.has("Keyboard shortcuts") && window.has("Close page"));
    let preview = window.harness.get_by_label("Preview").rect();
    window.sent();
    window.click("Export all (120)");
    assert!(!window.has("Close page") && window.harness.get_by_label("Preview").rect() == preview);
    assert!(window.sent().iter().all(|(_, request)| super::export(request).is_none()), "the page was in front");
}

#[test]
fn in_a_narrow_window_the_key_opens_the_panel_that_has_no_room() {
    let mut window = Window::open_with(WindowOptions::default(), [720.0, 600.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    assert!(window.has("Show list") && window.has("Hide settings"), "only one has room");
    window.press(egui::Key::F7);
    assert!(window.has("Hide list") && window.has("Show settings"));
    window.press(egui::Key::F8);
    assert!(window.has("Show list") && window.has("Hide settings"));
}
