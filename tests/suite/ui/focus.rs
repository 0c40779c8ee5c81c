//! The window by keyboard alone: where the focus goes, that it is in sight, and the whole job.

use std::collections::BTreeSet;

use egui::{Id, Key, Modifiers, Rect, Role};
use egui_kittest::kittest::{NodeT, Queryable};

use batch::settings::Settings;
use batch::worker::{Event, FilesRequest, PhotoRef, Request, SessionRequest};
use iron_cropper::ui::WindowOptions;
use outcome::OutcomeKind;

use super::review::portrait;
use super::script::{Window, face, finished, photo_indexed, photo_opened, two_faces};

use super::{export, progress, report};

/// What has the focus: role and name.
fn focused(window: &Window) -> Option<(Role, String)> {
    let node = window.harness.root().children_recursive().find(|node| node.accesskit_node().is_focused())?;
    let node = node.accesskit_node();
    Some((node.role(), node.label().unwrap_or_default()))
}

fn focused_id(window: &Window) -> Option<Id> {
    window.harness.ctx.memory(egui::Memory::focused)
}

/// Bounds of the focused control, and the part of them that is in sight.
fn focused_place(window: &Window) -> Option<(Rect, Rect)> {
    let response = window.harness.ctx.read_response(focused_id(window)?)?;
    Some((response.rect, response.interact_rect))
}

#[track_caller]
fn check_in_sight(window: &Window, step: &str) {
    let Some((whole, seen)) = focused_place(window) else { return };
    let room = window.harness.ctx.content_rect();
    let is_seen = seen.is_positive() && seen.height() > whole.height().min(24.0) - 1.0 && room.intersects(seen);
    assert!(is_seen, "{step}: {:?} at {whole:?}, in sight {seen:?}", focused(window));
}

/// Presses Tab until a control with this name has the focus.
#[track_caller]
fn walk_to(window: &mut Window, name: &str) {
    let mut passed = Vec::new();
    for _ in 0..120 {
        window.press(Key::Tab);
        check_in_sight(window, name);
        match focused(window) {
            Some((_, at)) if at.starts_with(name) => return,
            at => passed.push(at),
        }
    }
    panic!("{name} is not reached: {passed:?}");
}

fn with_photos(count: usize) -> Window {
    let mut window = Window::open();
    let paths: Vec<String> = (0..count).map(|index| format!("/photos/{index:03}.jpg")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    window.add(&paths, &[face(300.0, 300.0, 0.9)]);
    window
}

#[test]
fn the_photos_are_one_tab_stop_with_arrows_inside() {
    for grid in [false, true] {
        let mut window = with_photos(9);
        if grid {
            window.ctrl(Key::G);
        }
        let mut stops = 0;
        for _ in 0..100 {
            window.press(Key::Tab);
            stops += usize::from(focused(&window).is_some_and(|(role, _)| role == Role::ListBoxOption));
            if stops > 0 {
                break;
            }
        }
        assert_eq!(stops, 1, "the list is reached, grid {grid}");
        let current = || focused(&window).expect("a focus").1;
        assert!(current().starts_with("000.jpg"), "{}", current());
        window.press(Key::ArrowRight);
        assert!(focused(&window).expect("a focus").1.starts_with("001.jpg"), "the focus moves with the arrows");
        window.press(Key::End);
        assert!(focused(&window).expect("a focus").1.starts_with("008.jpg"));
        window.press(Key::Home);
        window.press(Key::Tab);
        assert!(focused(&window).is_none_or(|(role, _)| role != Role::ListBoxOption), "one Tab leaves the list");
    }
}

#[test]
fn f6_goes_from_panel_to_panel_and_back() {
    let mut window = with_photos(3);
    let mut visit = |modifiers: Modifiers| {
        window.press_with(modifiers, Key::F6);
        check_in_sight(&window, "F6");
        focused(&window).expect("a focus")
    };
    let forward: Vec<_> = (0..5).map(|_| visit(Modifiers::NONE)).collect();
    assert_eq!(forward[0].1, "File", "the menu bar");
    assert_eq!(forward[1].0, Role::ListBoxOption, "the list");
    assert_eq!(forward[2].0, Role::Image, "the photo: {forward:?}");
    assert_eq!(forward[3], (Role::ComboBox, "Preset".to_owned()), "the first setting: {forward:?}");
    assert_eq!(forward[4].1, "File", "nothing in the status bar can have the focus: {forward:?}");
    let back: Vec<_> = (0..4).map(|_| visit(Modifiers::SHIFT)).collect();
    assert_eq!(back, forward[..4].iter().rev().cloned().collect::<Vec<_>>());
}

#[test]
fn the_focus_is_always_in_sight() {
    for size in [[1280.0, 800.0], [1024.0, 560.0]] {
        let mut window = Window::open_with(WindowOptions::default(), size, 1.0);
        window.runtime_ready();
        window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
        for section in ["Alignment and edges", "Finish", "Names", "Limits"] {
            window.harness.get_by_role_and_label(Role::DisclosureTriangle, section).click_accesskit();
            window.steps(3);
        }
        for _ in 0..2 {
            window.press(Key::F6);
        }
        let mut visited = BTreeSet::new();
        for step in 0..180 {
            window.press(Key::Tab);
            check_in_sight(&window, &format!("{size:?}, step {step}"));
            visited.extend(focused(&window).map(|(role, name)| format!("{role:?} {name}")));
        }
        assert!(visited.len() > 60, "{visited:?}");
        assert!(visited.iter().any(|name| name.contains("If the file exists")), "the last settings: {visited:?}");
        for step in 0..60 {
            window.press_with(Modifiers::SHIFT, Key::Tab);
            check_in_sight(&window, &format!("{size:?}, {step} back"));
        }
    }
}

#[test]
fn pages_keep_the_focus_and_give_it_back() {
    let mut window = with_photos(3);
    walk_to(&mut window, "Head height");
    let before = focused_id(&window);
    window.ctrl_shift(Key::R);
    window.steps(4);
    let layer = |window: &Window| {
        let id = focused_id(window).expect("a focus");
        window.harness.ctx.viewport(|viewport| viewport.prev_pass.widgets.get(id).map(|widget| widget.layer_id))
    };
    let page = layer(&window);
    assert_ne!(focused_id(&window), before, "the page has the focus");
    for _ in 0..30 {
        window.press(Key::Tab);
        if focused_id(&window).is_some() {
            assert_eq!(layer(&window), page, "the focus stays within the page");
        }
    }
    window.press(Key::Escape);
    window.steps(6);
    assert_eq!(focused_id(&window), before, "the page gives it back");
}

#[test]
fn a_menu_gives_the_focus_back() {
    let mut window = with_photos(3);
    walk_to(&mut window, "Faces to crop");
    let before = focused_id(&window);
    window.press(Key::Enter);
    window.press(Key::ArrowDown);
    assert_ne!(focused_id(&window), before, "in the list");
    window.press(Key::Escape);
    window.steps(4);
    assert_eq!(focused_id(&window), before, "after Esc");
    window.press(Key::Enter);
    window.press(Key::ArrowDown);
    window.press(Key::ArrowDown);
    window.press(Key::Enter);
    window.steps(4);
    assert_eq!(focused_id(&window), before, "after a choice");
}

/// Drop, faces, preset, review, folder and export, by nothing but keys after the drop.
#[test]
fn the_whole_job_can_be_done_by_keyboard_alone() {
    let mut window = Window::open();
    window.drop_files(&["/photos"]);
    let (import, ()) =
        window.sent_one(|request| matches!(request, Request::Files(FilesRequest::Import { .. })).then_some(()));
    let paths: Vec<_> = (0..6).map(|index| format!("/photos/{index:03}.jpg").into()).collect();
    window.answer(import, Event::ImportFound { paths });
    window.answer(import, Event::ImportFinished { found: 6, ignored: 0 });
    // The third photo has no face, and on the fourth one is uncertain.
    let faces = |photo: &PhotoRef| match photo.path.file_stem().and_then(|name| name.to_str()) {
        Some("002") => vec![],
        Some("003") => vec![portrait(380.0, 0.7)],
        _ => vec![portrait(380.0, 0.93)],
    };
    let found = |window: &mut Window| {
        for (id, request) in window.sent() {
            match request {
                Request::Session(SessionRequest::IndexPhoto { photo, .. }) => {
                    window.answer(id, photo_indexed(photo.item, &faces(&photo)));
                }
                Request::Session(SessionRequest::OpenPhoto { photo, generation }) => {
                    window.answer(id, photo_opened(photo.item, generation, &faces(&photo)));
                }
                _ => {}
            }
        }
    };
    found(&mut window);
    found(&mut window);

    walk_to(&mut window, "Preset");
    window.press(Key::Enter);
    while focused(&window).is_none_or(|(_, name)| name != "Square avatar") {
        window.press(Key::ArrowDown);
    }
    window.press(Key::Enter);
    window.steps(4);
    assert_eq!(focused(&window), Some((Role::ComboBox, "Preset".to_owned())), "the focus is back");

    // Out of the settings, to the list.
    while focused(&window).is_none_or(|(role, _)| role != Role::ListBoxOption) {
        window.press(Key::F6);
    }
    window.press(Key::Home);
    window.press(Key::N);
    found(&mut window);
    assert!(focused(&window).expect("a photo").1.starts_with("002.jpg"), "the first photo to review");
    window.press(Key::X);
    found(&mut window);
    if !focused(&window).expect("a photo").1.starts_with("003.jpg") {
        window.press(Key::N);
    }
    window.press(Key::A);
    found(&mut window);

    walk_to(&mut window, "Output folder");
    let folder = std::env::temp_dir().join("crops");
    window.ctrl(Key::A);
    window.type_text(&folder.display().to_string());
    window.press(Key::Enter);
    walk_to(&mut window, "Export all");
    window.press(Key::Space);
    let (id, job) = window.sent_one(export);
    assert_eq!(job.items.len(), 5, "all but the one left out");
    assert!(window.describes("002.jpg is excluded"));
    assert_eq!(job.output.folder, folder);
    assert_ne!(job.recipe.crop, Settings::default().recipe.crop, "the preset");
    for (done, item) in job.items.iter().enumerate() {
        window.answer(id, progress(item.photo.item, done + 1, report("000.jpg", OutcomeKind::Cropped)));
    }
    window.answer(id, finished(false, 5, 5));
}

#[test]
fn a_field_that_was_left_does_not_get_the_focus_back() {
    let mut window = with_photos(2);
    window.harness.get_by_role_and_label(Role::Slider, "Head height").focus();
    window.steps(3);
    assert!(focused_id(&window).is_some());
    window.press(Key::Escape);
    assert_eq!(focused(&window), None);
    window.ctrl(Key::K);
    window.press(Key::Escape);
    assert!(focused(&window).is_none_or(|(role, _)| role != Role::Slider), "{:?}", focused(&window));
    window.press(Key::ArrowDown);
    assert!(window.shows("Photo 001.jpg"), "the key moves through the list");
}
