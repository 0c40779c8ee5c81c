//! After a crash of the window: it is reported once, and the files it was reading are quarantined.

use std::path::{Path, PathBuf};

use egui::Key;
use egui_kittest::kittest::{NodeT, Queryable};

use batch::settings::Settings;
use batch::worker::{
    CrashedSessions, Event, FilesRequest, ProjectEvent, ProjectTask, RecoverableList, Request, RequestId,
    SessionRequest, ThumbnailsRequest,
};
use iron_cropper::ui::WindowOptions;
use recipe::RuntimeChoice;

use super::script::{Window, runtime, two_faces};
use super::{export, with_output_folder};

/// A path that is absolute on every system.
fn photo(name: &str) -> PathBuf {
    std::env::temp_dir().join(name)
}

fn detected(request: &Request) -> Option<PathBuf> {
    match request {
        Request::Session(SessionRequest::IndexPhoto { photo, .. })
        | Request::Session(SessionRequest::OpenPhoto { photo, .. })
        | Request::Thumbnails(ThumbnailsRequest::FindThumbnail { photo, .. }) => Some(photo.path.clone()),
        _ => None,
    }
}

fn ended(files: &[&str]) -> CrashedSessions {
    let log = Some("/state/logs/iron-cropper.log.1".into());
    CrashedSessions { files: files.iter().map(|name| photo(name)).collect(), age_s: 300, log }
}

impl Window {
    /// Opens a window after a crash while reading these files.
    fn open_after(files: &[&str]) -> (Self, RequestId) {
        let mut window = Self::open_with(with_output_folder(), [1280.0, 800.0], 1.0);
        let begun = window.sent();
        let find = |wanted: fn(&ProjectTask) -> bool| {
            let is = |request: &Request| matches!(request, Request::Files(FilesRequest::Project(task)) if wanted(task));
            begun.iter().position(|(_, request)| is(request)).expect("requested")
        };
        let (begin, lost) = (
            find(|task| matches!(task, ProjectTask::BeginSession)),
            find(|task| matches!(task, ProjectTask::FindRecoverable)),
        );
        assert!(begin < lost, "the quarantine is set before anything is opened");
        let crashed = (!files.is_empty()).then(|| ended(files));
        window.answer(begun[begin].0, Event::Project(ProjectEvent::SessionStarted(crashed)));
        let opening = begun
            .iter()
            .find(|(_, request)| matches!(request, Request::Session(SessionRequest::OpenRuntime { .. })))
            .expect("requested")
            .0;
        window.answer(opening, Event::RuntimeReady { runtime: runtime(RuntimeChoice::Auto), load_ms: 12.0 });
        (window, begun[lost].0)
    }

    fn add_these(&mut self, names: &[&str]) {
        let paths: Vec<String> = names.iter().map(|name| photo(name).to_string_lossy().into_owned()).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        self.add(&paths, &two_faces());
    }

    fn ever_detected(&self, name: &str) -> bool {
        self.all_sent().iter().filter_map(detected).any(|path| path == photo(name))
    }
}

#[test]
fn a_normal_exit_is_not_reported() {
    let (window, _) = Window::open_after(&[]);
    assert!(!window.shows("ended unexpectedly"));
}

#[test]
fn the_photo_being_read_is_quarantined_until_confirmed() {
    let (mut window, _) = Window::open_after(&["bad.jpg"]);
    assert!(window.shows("Iron Cropper ended unexpectedly 5 minutes ago."));
    assert!(window.shows("It was reading bad.jpg, which is quarantined until you choose to open it."));
    assert!(window.shows("/state/logs/iron-cropper.log.1"));
    window.add_these(&["bad.jpg", "good.jpg"]);
    window.steps(4);
    assert!(window.ever_detected("good.jpg") && !window.ever_detected("bad.jpg"));
    assert!(window.shows("it was being read when the program ended unexpectedly"), "the list shows the reason");

    // The list without it is exported.
    window.ctrl_shift(Key::E);
    let (_, job) = window.sent_one(export);
    let paths: Vec<&Path> = job.items.iter().map(|item| item.photo.path.as_path()).collect();
    assert_eq!(paths, [photo("good.jpg")]);

    window.click("Keep quarantined");
    assert!(!window.shows("ended unexpectedly 5"), "reported once");
    window.steps(4);
    assert!(!window.ever_detected("bad.jpg"));
    let saved = window.all_sent().into_iter().rev().find_map(|request| match request {
        Request::Files(FilesRequest::SaveSettings(settings)) => Some(settings),
        _ => None,
    });
    assert_eq!(saved.expect("saved").quarantined, [photo("bad.jpg")], "also for the next start");
}

#[test]
fn open_anyway_lifts_the_quarantine() {
    let (mut window, _) = Window::open_after(&["bad.jpg"]);
    window.add_these(&["bad.jpg"]);
    assert!(!window.ever_detected("bad.jpg"));
    window.click("Open anyway");
    window.answer_detection(&two_faces());
    assert!(window.ever_detected("bad.jpg"));
    assert!(window.has("bad.jpg, 2 faces") && !window.shows("ended unexpectedly"));
}

#[test]
fn the_quarantine_persists_and_can_be_lifted_by_the_menu() {
    let settings = Settings { quarantined: vec![photo("bad.jpg")], ..Settings::default() };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.add_these(&["bad.jpg"]);
    assert!(!window.ever_detected("bad.jpg"), "dropped again");
    window.click("Photo");
    window.click("Open anyway");
    window.answer_detection(&two_faces());
    assert!(window.ever_detected("bad.jpg") && window.has("bad.jpg, 2 faces"));
    window.click("Photo");
    assert!(window.harness.get_by_label("Open anyway").accesskit_node().is_disabled());
}

#[test]
fn a_crash_is_one_message_with_the_autosaved_list() {
    let (mut window, lost) = Window::open_after(&["a.jpg", "b.jpg"]);
    let list = RecoverableList { path: "/state/autosave/1.ironcrop".into(), state_of: None, photos: 12, age_s: 300 };
    window.answer(lost, Event::Project(ProjectEvent::Recoverable(vec![list])));
    assert!(
        window.shows(
            "Iron Cropper ended unexpectedly. A list of 12 photos was not saved. It was backed up 5 minutes ago."
        )
    );
    assert!(
        window.shows("It was reading 2 photos, which are quarantined until you choose to open them: a.jpg, b.jpg.")
    );
    assert_eq!(window.harness.get_all_by_label("Recover").count(), 1);
    window.click("Discard");
    assert!(!window.shows("ended unexpectedly"));
    let (_, ()) = window.sent_one(|request| {
        matches!(request, Request::Files(FilesRequest::Project(ProjectTask::DeleteRecoverable(_)))).then_some(())
    });
    window.add_these(&["a.jpg"]);
    assert!(!window.ever_detected("a.jpg"), "it stays excluded");
}
