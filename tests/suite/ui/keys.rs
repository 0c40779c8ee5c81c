//! Keyboard shortcuts, and when a field handles the keys instead.

use egui::{Event as Input, ImeEvent, Key, Role};
use egui_kittest::kittest::Queryable;

use batch::settings::Settings;
use batch::worker::{FilesRequest, Request};
use iron_cropper::ui::WindowOptions;

use super::script::{Window, two_faces};
use super::{export, open_with_output_folder};

fn focus_path_field(window: &mut Window) {
    window.harness.get_by_role_and_label(Role::TextInput, "Path to add").focus();
    window.steps(2);
}

fn path_field(window: &Window) -> String {
    window.harness.get_by_role_and_label(Role::TextInput, "Path to add").value().unwrap_or_default()
}

#[test]
fn the_shortcuts_page_lists_menus_and_gestures() {
    let mut window = Window::open();
    for key in [Key::Questionmark, Key::F1] {
        window.press(key);
        assert!(window.has("Find an action…") && window.has("Ctrl+K, Ctrl+Shift+P"), "{key:?}");
        assert!(window.has("Gestures") && window.has("Zoom at the pointer"));
        window.press(Key::Escape);
        assert!(!window.has("Gestures"));
    }
}

#[test]
fn arrow_keys_navigate_unless_a_control_has_the_focus() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    window.press(Key::ArrowRight);
    assert!(window.shows("Photo ben.jpg"));
    window.press(Key::ArrowLeft);
    assert!(window.shows("Photo anna.jpg"));
    window.harness.get_by_role_and_label(Role::Slider, "Head height").focus();
    window.steps(2);
    window.press(Key::ArrowRight);
    assert!(window.shows("Photo anna.jpg"), "the slider handles the key");
}

#[test]
fn in_a_field_only_unused_shortcuts_work() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg"], &two_faces());
    focus_path_field(&mut window);
    window.sent();
    window.ctrl(Key::E);
    assert!(window.sent().iter().any(|(_, request)| export(request).is_some()), "Ctrl+E exports");

    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.click("Face 2, score 0.70, not included");
    focus_path_field(&mut window);
    window.ctrl(Key::Z);
    assert!(window.has("Face 2, score 0.70, included"), "the field handles Ctrl+Z");
    window.press(Key::Questionmark);
    window.type_text("?");
    assert!(!window.has("Gestures") && path_field(&window) == "?");
    window.press(Key::F1);
    assert!(window.has("Gestures"), "a function key does not edit text");
}

#[test]
fn while_an_input_method_composes_no_shortcut_works() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    let preedit = |text: &str| Input::Ime(ImeEvent::Preedit { text: text.to_owned(), active_range_chars: None });
    window.harness.event(preedit("にほ"));
    window.steps(2);
    window.press(Key::B);
    window.ctrl(Key::K);
    assert!(window.shows("Face 1") && window.harness.query_by_role(Role::SearchInput).is_none());

    // The key that ends composition is not a shortcut either.
    let key =
        Input::Key { key: Key::B, physical_key: None, pressed: true, repeat: false, modifiers: Default::default() };
    window.harness.input_mut().events.extend([Input::Ime(ImeEvent::Commit("日本".to_owned())), key]);
    window.steps(2);
    assert!(window.shows("Face 1"));
    window.press(Key::B);
    assert!(!window.shows("Face 1"), "now it acts");

    window.harness.event(preedit("に"));
    window.harness.event(preedit(""));
    window.steps(2);
    window.press(Key::B);
    assert!(window.shows("Face 1"), "given up");
}

#[test]
fn the_text_scale_is_changed_by_keys_and_saved() {
    let mut window = Window::open();
    window.ctrl(Key::Plus);
    window.ctrl(Key::Equals);
    assert_eq!(window.harness.ctx.zoom_factor(), 1.2);
    window.ctrl(Key::Minus);
    window.steps(8);
    let saved = window.sent().into_iter().filter_map(|(_, request)| match request {
        Request::Files(FilesRequest::SaveSettings(settings)) => Some(settings.window.text_scale),
        _ => None,
    });
    assert_eq!(saved.last(), Some(1.1));
    window.ctrl(Key::Num0);
    assert_eq!(window.harness.ctx.zoom_factor(), 1.0);

    let mut settings = Settings::default();
    settings.window.text_scale = 1.5;
    let options = WindowOptions { settings, ..WindowOptions::default() };
    let window = Window::open_with(options, [1280.0, 800.0], 1.0);
    assert_eq!(window.harness.ctx.zoom_factor(), 1.5);
}

#[test]
fn with_reduced_motion_spinners_do_not_repaint() {
    // The runtime is being opened.
    let mut window = Window::open_with(WindowOptions::default(), [1280.0, 800.0], 1.0);
    for reduce_motion in [true, false] {
        window.ctrl(Key::K);
        window.type_text("reduce motion");
        window.press(Key::Enter);
        assert!(window.has("Busy"));
        let delay = window.harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
        assert_eq!(delay > std::time::Duration::from_secs(1), reduce_motion, "{delay:?}");
        assert_eq!(window.harness.ctx.global_style().animation_time == 0.0, reduce_motion);
    }
}
