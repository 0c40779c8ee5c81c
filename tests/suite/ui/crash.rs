//! After a window that ended without closing: it is told once, and what it was reading is not read again unasked.

use std::path::{Path, PathBuf};

use egui::Key;
use egui_kittest::kittest::{NodeT, Queryable};

use batch::settings::Settings;
use batch::worker::{
    EndedBefore, Event, FilesRequest, LostList, ProjectEvent, ProjectTask, Request, RequestId, SessionRequest,
    ThumbnailsRequest,
};
use iron_cropper::ui::WindowOptions;
use recipe::RuntimeChoice;

use super::script::{Window, runtime, two_faces};
use super::{export, with_output_folder};

/// A path that is whole on every system.
fn photo(name: &str) -> PathBuf {
    std::env::temp_dir().join(name)
}

fn looked_at(request: &Request) -> Option<PathBuf> {
    match request {
        Request::Session(SessionRequest::IndexPhoto { photo, .. })
        | Request::Session(SessionRequest::OpenPhoto { photo, .. })
        | Request::Thumbnails(ThumbnailsRequest::FindThumbnail { photo, .. }) => Some(photo.path.clone()),
        _ => None,
    }
}

fn ended(files: &[&str]) -> EndedBefore {
    let log = Some("/state/logs/iron-cropper.log.1".into());
    EndedBefore { files: files.iter().map(|name| photo(name)).collect(), age_s: 300, log }
}

impl Window {
    /// Opens after a window that ended at these files.
    fn open_after(files: &[&str]) -> (Self, RequestId) {
        let mut window = Self::open_with(with_output_folder(), [1280.0, 800.0], 1.0);
        let begun = window.sent();
        let find = |wanted: fn(&ProjectTask) -> bool| {
            let is = |request: &Request| matches!(request, Request::Files(FilesRequest::Project(task)) if wanted(task));
            begun.iter().position(|(_, request)| is(request)).expect("asked")
        };
        let (begin, lost) = (
            find(|task| matches!(task, ProjectTask::BeginSession)),
            find(|task| matches!(task, ProjectTask::FindLost)),
        );
        assert!(begin < lost, "what is held back is known before anything is opened");
        let reported = (!files.is_empty()).then(|| ended(files));
        window.answer(begun[begin].0, Event::Project(ProjectEvent::SessionBegun(reported)));
        let opening = begun
            .iter()
            .find(|(_, request)| matches!(request, Request::Session(SessionRequest::OpenRuntime { .. })))
            .expect("asked")
            .0;
        window.answer(opening, Event::RuntimeReady { runtime: runtime(RuntimeChoice::Auto), load_ms: 12.0 });
        (window, begun[lost].0)
    }

    fn add_these(&mut self, names: &[&str]) {
        let paths: Vec<String> = names.iter().map(|name| photo(name).to_string_lossy().into_owned()).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        self.add(&paths, &two_faces());
    }

    fn ever_looked_at(&self, name: &str) -> bool {
        self.ever_sent().iter().filter_map(looked_at).any(|path| path == photo(name))
    }
}

#[test]
fn a_normal_end_is_not_spoken_of() {
    let (window, _) = Window::open_after(&[]);
    assert!(!window.shows("without closing"));
}

#[test]
fn the_photo_at_hand_is_excluded_until_a_person_says_otherwise() {
    let (mut window, _) = Window::open_after(&["bad.jpg"]);
    assert!(window.shows("Iron Cropper ended without closing 5 minutes ago."));
    assert!(window.shows("It was reading bad.jpg, which is left out until you say otherwise."));
    assert!(window.shows("/state/logs/iron-cropper.log.1"));
    window.add_these(&["bad.jpg", "good.jpg"]);
    window.steps(4);
    assert!(window.ever_looked_at("good.jpg") && !window.ever_looked_at("bad.jpg"));
    assert!(window.shows("it was being read when the program ended without closing"), "the list says why");

    // The list without it is exported.
    window.ctrl_shift(Key::E);
    let (_, job) = window.sent_one(export);
    let paths: Vec<&Path> = job.items.iter().map(|item| item.photo.path.as_path()).collect();
    assert_eq!(paths, [photo("good.jpg")]);

    window.click("Leave it out");
    assert!(!window.shows("ended without closing 5"), "told once");
    window.steps(4);
    assert!(!window.ever_looked_at("bad.jpg"));
    let saved = window.ever_sent().into_iter().rev().find_map(|request| match request {
        Request::Files(FilesRequest::SaveSettings(settings)) => Some(settings),
        _ => None,
    });
    assert_eq!(saved.expect("saved").quarantined, [photo("bad.jpg")], "also for the next start");
}

#[test]
fn reading_it_after_all_reads_it_at_once_and_from_then_on() {
    let (mut window, _) = Window::open_after(&["bad.jpg"]);
    window.add_these(&["bad.jpg"]);
    assert!(!window.ever_looked_at("bad.jpg"));
    window.click("Read it after all");
    window.answer_looks(&two_faces());
    assert!(window.ever_looked_at("bad.jpg"));
    assert!(window.has("bad.jpg, 2 faces") && !window.shows("without closing"));
}

#[test]
fn what_an_earlier_start_held_back_is_still_held_back_and_read_by_the_menu() {
    let settings = Settings { quarantined: vec![photo("bad.jpg")], ..Settings::default() };
    let mut window = Window::open_with(WindowOptions { settings, ..WindowOptions::default() }, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.add_these(&["bad.jpg"]);
    assert!(!window.ever_looked_at("bad.jpg"), "dropped again");
    window.click("Photo");
    window.click("Read it after all");
    window.answer_looks(&two_faces());
    assert!(window.ever_looked_at("bad.jpg") && window.has("bad.jpg, 2 faces"));
    window.click("Photo");
    assert!(window.harness.get_by_label("Read it after all").accesskit_node().is_disabled());
}

#[test]
fn one_crash_is_one_message_with_the_list_it_kept() {
    let (mut window, lost) = Window::open_after(&["a.jpg", "b.jpg"]);
    let list = LostList { path: "/state/autosave/1.ironcrop".into(), state_of: None, photos: 12, age_s: 300 };
    window.answer(lost, Event::Project(ProjectEvent::Lost(vec![list])));
    assert!(window.shows("A list of 12 photos was kept 5 minutes ago."));
    assert!(window.shows("It was reading 2 photos, which are left out until you say otherwise: a.jpg, b.jpg."));
    assert_eq!(window.harness.get_all_by_label("Recover").count(), 1);
    window.click("Discard");
    assert!(!window.shows("without closing"));
    let (_, ()) = window.sent_one(|request| {
        matches!(request, Request::Files(FilesRequest::Project(ProjectTask::ForgetLost(_)))).then_some(())
    });
    window.add_these(&["a.jpg"]);
    assert!(!window.ever_looked_at("a.jpg"), "it stays left out");
}
