//! Messages: they do not take the focus, success messages expire, and all are in the log.

use std::time::Duration;

use egui::{Key, Role};
use egui_kittest::kittest::Queryable;

use batch::worker::{Event, FilesRequest, Request};

use super::script::{Window, two_faces};

/// An import without results, which is reported.
fn nothing_found(window: &mut Window) {
    window.drop_files(&["/empty"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(import, Event::ImportFinished { found: 0, ignored: 0 });
}

fn delay(window: &Window) -> Duration {
    window.harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay
}

#[test]
fn info_messages_expire_without_repaints() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.harness.get_by_role_and_label(Role::TextInput, "Path to add").focus();
    window.steps(2);
    nothing_found(&mut window);
    assert!(window.shows("No photos found."));
    let field = window.harness.get_by_role_and_label(Role::TextInput, "Path to add");
    assert!(field.is_focused(), "the message does not receive the focus");
    // A cursor blinks; without one nothing is repainted until the message expires.
    window.press(Key::Escape);
    window.harness.run();
    assert!(delay(&window) > Duration::from_secs(1), "{:?}", delay(&window));
    assert!(window.shows("No photos found."));
    window.steps(48);
    assert!(!window.shows("No photos found."));
    window.harness.run();
    assert_eq!(delay(&window), Duration::MAX);

    window.ctrl_shift(Key::M);
    assert!(window.shows("No photos found."), "the log has it");
}

#[test]
fn errors_stay_and_name_their_kind() {
    let mut window = Window::open();
    window.dialog.missing.set(true);
    window.click("Add files…");
    window.steps(60);
    assert!(window.shows("No file dialog is available. Drop files on the window") && window.has("Warning"));
}
