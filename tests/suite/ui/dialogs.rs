//! Missing file dialogs, and the path fields that replace them.

use std::path::{MAIN_SEPARATOR, PathBuf};

use egui::{Key, Role};
use egui_kittest::kittest::Queryable;

use batch::worker::{Event, FilesRequest, Request, SessionRequest};
use import::{PathCompletions, PathEntry, PathKind, PathQuery};
use iron_cropper::ui::PickerKind;

use super::script::{Window, two_faces};

fn query(request: &Request) -> Option<PathQuery> {
    if let Request::Files(FilesRequest::CompletePath(query)) = request { Some(query.clone()) } else { None }
}

fn entry(text: &str, is_folder: bool) -> PathEntry {
    let name = text.trim_end_matches(MAIN_SEPARATOR).rsplit(MAIN_SEPARATOR).next().unwrap_or_default().to_owned();
    PathEntry { text: text.to_owned(), name, is_folder }
}

fn value(window: &Window, name: &str) -> String {
    window.harness.get_by_role_and_label(Role::TextInput, name).value().unwrap_or_default()
}

#[test]
fn a_second_dialog_is_rejected_with_a_message() {
    let mut window = Window::open();
    window.dialog.busy.set(true);
    window.click("Add files…");
    assert!(window.shows("Another file dialog is open"));
}

#[test]
fn a_path_is_completed_while_typing() {
    let mut window = Window::open();
    let folder = format!("{MAIN_SEPARATOR}photos{MAIN_SEPARATOR}Anna{MAIN_SEPARATOR}");
    let typed = format!("{MAIN_SEPARATOR}photos{MAIN_SEPARATOR}an");
    window.harness.get_by_role_and_label(Role::TextInput, "Path to add").focus();
    window.steps(2);
    window.type_text(&typed);
    let requests: Vec<_> = window.sent().into_iter().filter_map(|(id, request)| Some((id, query(&request)?))).collect();
    let (id, last) = requests.last().expect("requested").clone();
    assert_eq!(last.typed, typed);
    assert!(matches!(last.want, PathKind::Files(extensions) if extensions.contains(&"jpg")));
    let entries = vec![entry(&folder, true), entry(&format!("{typed}na.jpg"), false)];
    window.answer(id, Event::PathCompleted(PathCompletions { typed: typed.clone(), entries, more: 0 }));
    window.steps(2);
    assert!(window.has(&format!("Anna{MAIN_SEPARATOR}")) && window.has("anna.jpg"));

    window.press(Key::Tab);
    assert_eq!(value(&window, "Path to add"), folder);
    let (id, next) = window.sent_one(query);
    assert_eq!(next.typed, folder, "the contents of the folder are requested at once");
    assert!(!window.has("anna.jpg"), "outdated completions are not offered");

    // An outdated answer changes nothing.
    window.type_text("x");
    let found = PathCompletions { typed: folder.clone(), entries: vec![entry(&folder, true)], more: 0 };
    window.answer(id, Event::PathCompleted(found));
    assert!(window.script.cancelled.borrow().contains(&id));
    assert!(!window.has(&format!("Anna{MAIN_SEPARATOR}")));
}

#[test]
fn a_missing_dialog_is_replaced_by_a_page() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.ctrl_shift(Key::L);
    window.click("Use another model…");
    assert_eq!(*window.dialog.opened.borrow(), [PickerKind::Model]);
    window.pick_nothing(PickerKind::Model, "The file dialog did not open.");
    assert!(window.has("Choose a YuNet model") && window.shows("The file dialog did not open. Type the path"));
    assert!(window.harness.get_by_role_and_label(Role::TextInput, "Path").is_focused());
    window.type_text("model");
    assert!(window.has("Enter a full path."));
    window.harness.get_by_role_and_label(Role::TextInput, "Path").set_text_value_accesskit("");
    window.steps(2);
    let path = std::env::temp_dir().join("model.onnx");
    window.harness.get_by_role_and_label(Role::TextInput, "Path").focus();
    window.steps(2);
    window.ctrl(Key::A);
    window.type_text(&path.display().to_string());
    window.sent();
    window.press(Key::Enter);
    assert!(!window.has("Choose a YuNet model"), "the page is gone");
    window.steps(8);
    let (_, model) = window.sent_one(|request| match request {
        Request::Session(SessionRequest::OpenRuntime { model, .. }) => Some(model.clone()),
        _ => None,
    });
    assert_eq!(model, Some(path));
}

#[test]
fn a_cancelled_dialog_changes_nothing() {
    let mut window = Window::open();
    window.click("Add files…");
    window.pick(PickerKind::Files, Vec::<PathBuf>::new());
    assert!(!window.shows("dialog") && !window.has("Dismiss this message"));
}
