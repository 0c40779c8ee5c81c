//! The system's request to end, notifications of the desktop, and open file dialogs.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use eframe::App;
use egui::{Key, Modifiers, ViewportCommand};

use batch::project::Project;
use batch::settings::{Settings, WindowSettings};
use batch::worker::{Event, FilesRequest, ProjectEvent, ProjectTask, Request, RequestId, SessionRequest};
use iron_cropper::ui::{EndRequest, PickerKind, WindowOptions};
use recipe::BackendKind;

use super::script::{Window, finished, ready, runtime, two_faces};
use super::{export, with_output_folder};

fn autosave(request: &Request) -> Option<Arc<Project>> {
    match request {
        Request::Files(FilesRequest::Project(ProjectTask::Autosave(project))) => Some(Arc::clone(project)),
        _ => None,
    }
}

fn deletes_autosave(request: &Request) -> bool {
    matches!(request, Request::Files(FilesRequest::Project(ProjectTask::DeleteAutosave)))
}

/// A window whose runtime is open and whose requests of the start are answered.
fn started(options: WindowOptions) -> Window {
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    for (id, request) in window.sent() {
        match request {
            Request::Session(SessionRequest::OpenRuntime { choice, .. }) => {
                window.answer(id, Event::RuntimeReady { runtime: runtime(choice), load_ms: 12.0 });
            }
            Request::Files(FilesRequest::Project(ProjectTask::BeginSession)) => {
                window.answer(id, Event::Project(ProjectEvent::SessionStarted(None)));
            }
            Request::Files(FilesRequest::Project(ProjectTask::FindRecoverable)) => {
                window.answer(id, Event::Project(ProjectEvent::Recoverable(Vec::new())));
            }
            _ => {}
        }
    }
    window
}

/// A window with an edited photo, and the system's request.
fn edited() -> (Window, EndRequest) {
    let ending = EndRequest::default();
    let options = WindowOptions { ending: ending.clone(), ..with_output_folder() };
    let mut window = started(options);
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.click("Face 2, score 0.70, not included");
    // The debounced requests are sent and answered.
    window.steps(12);
    for (id, request) in window.sent() {
        match request {
            Request::Files(FilesRequest::SaveSettings(_)) => window.answer(id, Event::SettingsSaved(Ok(()))),
            Request::Files(FilesRequest::Project(ProjectTask::Autosave(_))) => {
                window.answer(id, Event::Project(ProjectEvent::Autosaved(Ok(()))));
            }
            _ => {}
        }
    }
    (window, ending)
}

fn closes(window: &mut Window, steps: usize) -> bool {
    window.window_commands(steps).contains(&ViewportCommand::Close)
}

fn autosaved(window: &mut Window, id: RequestId) {
    window.script_reply(id, Event::Project(ProjectEvent::Autosaved(Ok(()))));
}

#[test]
fn the_systems_request_to_end_stores_the_list_and_asks_nothing() {
    let (mut window, ending) = edited();
    ending.request();
    assert!(!closes(&mut window, 3), "the list is not stored yet");
    let (id, list) = window.sent_one(autosave);
    assert!(list.photos[0].edits.chosen.is_some());
    assert!(!window.shows("are not saved"));
    autosaved(&mut window, id);
    assert!(closes(&mut window, 3));
    window.harness.state_mut().on_exit(None);
    assert!(!window.sent().iter().any(|(_, request)| deletes_autosave(request)), "it is offered at the next start");
}

#[test]
fn a_saved_list_leaves_nothing_behind() {
    let ending = EndRequest::default();
    let options = WindowOptions { ending: ending.clone(), ..WindowOptions::default() };
    let mut window = started(options);
    ending.request();
    assert!(closes(&mut window, 4));
    window.harness.state_mut().on_exit(None);
    assert!(window.sent().iter().any(|(_, request)| deletes_autosave(request)));
}

#[test]
fn an_export_is_cancelled_before_the_window_ends() {
    let (mut window, ending) = edited();
    window.click("Export all");
    let (run, _) = window.sent_one(export);
    ending.request();
    window.steps(2);
    let (id, _) = window.sent_one(autosave);
    autosaved(&mut window, id);
    assert!(!closes(&mut window, 3), "a crop may be in progress");
    assert!(window.script.cancelled.borrow().contains(&run));
    window.script_reply(run, finished(true, 0, 1));
    assert!(closes(&mut window, 3));
}

#[test]
fn a_worker_that_does_not_answer_is_waited_for_only_for_seconds() {
    let (mut window, ending) = edited();
    ending.request();
    let start = Instant::now();
    while !closes(&mut window, 1) {
        assert!(start.elapsed() < Duration::from_secs(30), "it never ends");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(start.elapsed() >= Duration::from_secs(4), "{:?}", start.elapsed());
}

#[test]
fn an_open_dialog_takes_the_keys_and_is_named() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg", "/photos/ben.jpg"], &two_faces());
    window.ctrl(Key::O);
    assert_eq!(window.dialog.opened.borrow().last(), Some(&PickerKind::Files));
    assert!(window.shows("The dialog “Add photos” is open."));
    window.press(Key::X);
    window.press(Key::Delete);
    window.type_text("x");
    assert!(
        window.has("anna.jpg, 2 faces") && window.has("ben.jpg, 2 faces"),
        "a path typed into the window changes nothing"
    );
    window.pick(PickerKind::Files, Vec::new());
    assert!(!window.shows("is open."));
    window.press(Key::X);
    assert!(window.has("anna.jpg, 2 faces, excluded"));
}

#[test]
fn a_dialog_that_cannot_be_found_can_be_left() {
    let mut window = Window::open();
    window.add(&["/photos/anna.jpg"], &two_faces());
    window.press_with(Modifiers::COMMAND, Key::S);
    assert!(window.shows("The dialog “Save project” is open."));
    window.click("Continue without it");
    assert!(!window.shows("is open."));
    window.press(Key::X);
    assert!(window.has("anna.jpg, 2 faces, excluded"));
}

static NOTIFIED: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn note_notification(title: &str, text: &str) -> Result<(), String> {
    NOTIFIED.lock().expect("not poisoned").push(format!("{title}: {text}"));
    Ok(())
}

#[test]
fn the_end_of_a_comparison_is_notified_only_if_wished_and_another_window_is_in_front() {
    let compared = |notify: bool, focused: bool| {
        let window = WindowSettings { notify, ..WindowSettings::default() };
        let settings = Settings { window, ..Settings::default() };
        let options = WindowOptions { settings, notify: note_notification, ..WindowOptions::default() };
        let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
        window.runtime_ready();
        window.probes_finished(&[ready(BackendKind::Tract, 83.0)]);
        window.add(&["/photos/anna.jpg"], &two_faces());
        window.ctrl_shift(Key::C);
        let (id, _) = super::compare::start(&mut window);
        window.harness.input_mut().focused = focused;
        window.answer(id, Event::CompareFinished { table: Arc::default(), cancelled: false });
        std::thread::sleep(Duration::from_millis(100));
        std::mem::take(&mut *NOTIFIED.lock().expect("not poisoned"))
    };
    assert_eq!(compared(false, false), [""; 0]);
    assert_eq!(compared(true, true), [""; 0]);
    let shown = compared(true, false);
    assert_eq!(shown, ["Comparison finished: The results are in the window."]);
}
