//! The command palette: finding actions, presets and photos by name.

use egui::{Key, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use super::script::{Window, two_faces};

fn is_open(window: &Window) -> bool {
    window.harness.query_by_role(Role::SearchInput).is_some()
}

/// The name of the selected row.
fn chosen(window: &Window) -> String {
    let list = window.harness.get_by_role_and_label(Role::ListBox, "Search results");
    let mut rows = list.children_recursive().filter(|row| row.accesskit_node().role() == Role::ListBoxOption);
    let chosen = rows.find(|row| row.accesskit_node().is_selected() == Some(true));
    chosen.and_then(|row| row.accesskit_node().label()).unwrap_or_default()
}

fn open() -> Window {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    window
}

#[test]
fn an_action_is_found_and_run_and_the_focus_returns() {
    let mut window = open();
    window.harness.get_by_role_and_label(Role::TextInput, "Path to add").focus();
    window.steps(2);
    window.ctrl(Key::K);
    // The field has the focus; the selected row is announced.
    assert!(is_open(&window) && window.harness.get_by_label("Add files…, File, Ctrl+O").is_focused());
    window.type_text("show faces");
    assert_eq!(chosen(&window), "Show faces, View, B, on");
    window.press(Key::Enter);
    assert!(!is_open(&window) && !window.shows("Face 1"), "the faces are hidden");
    assert!(window.harness.get_by_role_and_label(Role::TextInput, "Path to add").is_focused());
}

#[test]
fn a_setting_is_found_opened_and_focused() {
    let mut window = open();
    for (query, found, role, control) in [
        ("eye line", "Position by, Settings", Role::ComboBox, "Position by"),
        ("head height", "Head height, Settings", Role::Slider, "Head height"),
        ("level the eyes", "Tilt, Alignment and edges", Role::CheckBox, "Level the eyes"),
        ("white bal", "Colour cast, Finish", Role::CheckBox, "White balance"),
        ("read cards", "Cards, Names", Role::CheckBox, "Read cards"),
        ("zip", "Archive, Package", Role::CheckBox, "Zip file"),
        ("paper", "Paper, Print sheet", Role::ComboBox, "Paper"),
        ("metadata", "Metadata, Settings", Role::ComboBox, "Metadata"),
        ("format", "Format, Settings", Role::ComboBox, "Format"),
    ] {
        window.ctrl(Key::K);
        window.type_text(query);
        assert_eq!(chosen(&window), found);
        window.press(Key::Enter);
        window.steps(12);
        let node = window.harness.get_by_role_and_label(role, control);
        assert!(node.is_focused(), "{query}");
        let inside = egui::Rect::from_min_size(egui::Pos2::ZERO, window.harness.ctx.content_rect().size());
        assert!(inside.contains_rect(node.rect()), "{query}: {:?}", node.rect());
    }
    assert!(!is_open(&window));
}

#[test]
fn arrow_keys_select_and_escape_closes() {
    let mut window = open();
    window.ctrl_shift(Key::P);
    let first = chosen(&window);
    window.press(Key::ArrowDown);
    window.press(Key::ArrowDown);
    let third = chosen(&window);
    window.press(Key::ArrowUp);
    let second = chosen(&window);
    assert!(first != second && second != third && first != third, "{first} {second} {third}");
    window.press(Key::PageDown);
    window.press(Key::PageUp);
    window.press(Key::PageUp);
    assert_eq!(chosen(&window), first, "not beyond the first");
    // The field handles letters, even those that are shortcuts elsewhere.
    window.press(Key::B);
    window.type_text("b");
    window.press(Key::Escape);
    assert!(!is_open(&window) && window.shows("Face 1"));
    window.ctrl(Key::K);
    assert_eq!(
        window.harness.get_by_role(Role::SearchInput).value().unwrap_or_default(),
        "",
        "the query is empty again"
    );
    window.ctrl(Key::K);
    assert!(!is_open(&window), "its key closes it as well");
}

#[test]
fn photos_and_presets_are_found_and_clickable() {
    let mut window = open();
    window.ctrl(Key::K);
    window.type_text("ben");
    window.click("ben.jpg, Photo");
    assert!(window.shows("Photo ben.jpg") && !is_open(&window));

    let shown =
        |window: &Window| window.harness.get_by_role_and_label(Role::ComboBox, "Preset").value().unwrap_or_default();
    let before = shown(&window);
    window.ctrl(Key::K);
    window.type_text("preset passport");
    let name = chosen(&window);
    assert!(name.starts_with("Preset: ") && name.ends_with(", Preset"), "{name}");
    window.press(Key::Enter);
    assert_ne!(shown(&window), before);
    assert_eq!(format!("Preset: {}, Preset", shown(&window)), name);
}

#[test]
fn the_enter_of_an_input_method_is_not_a_shortcut() {
    let mut window = open();
    window.ctrl(Key::K);
    let text = "はい".to_owned();
    window.harness.event(egui::Event::Ime(egui::ImeEvent::Preedit { text: text.clone(), active_range_chars: None }));
    window.press(Key::Enter);
    assert!(is_open(&window));
    window.harness.event(egui::Event::Ime(egui::ImeEvent::Commit(text)));
    window.steps(2);
    assert_eq!(window.harness.get_by_role(Role::SearchInput).value().unwrap_or_default(), "はい");
    window.press(Key::Escape);
    assert!(!is_open(&window));
}

#[test]
fn disabled_actions_are_shown_and_not_run() {
    let mut window = Window::open();
    window.ctrl(Key::K);
    window.type_text("export all");
    assert_eq!(chosen(&window), "Export all, File, Ctrl+Shift+E, unavailable");
    window.press(Key::Enter);
    assert!(is_open(&window), "it stays, so that something else can be chosen");
    window.type_text("xyzxyz");
    assert!(window.shows("No results."));
    window.press(Key::Enter);
    window.press(Key::Escape);
    window.harness.run();
    let output = &window.harness.output().viewport_output[&egui::ViewportId::ROOT];
    assert_eq!(output.repaint_delay, std::time::Duration::MAX, "closed, it draws nothing");
}
