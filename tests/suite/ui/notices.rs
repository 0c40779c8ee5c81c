//! Messages: they come without taking the focus, good news goes by itself, all of it stays in the log.

use std::time::Duration;

use egui::{Key, Role};
use egui_kittest::kittest::Queryable;

use batch::worker::{Event, FilesRequest, Request};

use super::script::{Window, two_faces};

/// An import that brings nothing, which is told.
fn nothing_found(window: &mut Window) {
    window.drop_files(&["/empty"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    window.answer(import, Event::ImportFinished { found: 0, passed_over: 0 });
}

fn delay(window: &Window) -> Duration {
    window.harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay
}

#[test]
fn good_news_goes_by_itself_without_drawing_in_between() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.harness.get_by_role_and_label(Role::TextInput, "Path to add").focus();
    window.steps(2);
    nothing_found(&mut window);
    assert!(window.shows("No photos were found there."));
    let field = window.harness.get_by_role_and_label(Role::TextInput, "Path to add");
    assert!(field.is_focused(), "it does not take the focus");
    // A cursor blinks; without one the window rests until the message goes.
    window.press(Key::Escape);
    window.harness.run();
    assert!(delay(&window) > Duration::from_secs(1), "{:?}", delay(&window));
    assert!(window.shows("No photos were found there."));
    window.steps(48);
    assert!(!window.shows("No photos were found there."));
    window.harness.run();
    assert_eq!(delay(&window), Duration::MAX);

    window.ctrl_shift(Key::M);
    assert!(window.shows("No photos were found there."), "the log has it");
}

#[test]
fn bad_news_stays_and_says_its_kind_in_words() {
    let mut window = Window::open();
    window.dialog.missing.set(true);
    window.click("Add files…");
    window.steps(60);
    assert!(window.shows("No file dialog is available here. Drop files on the window") && window.has("Warning"));
}
