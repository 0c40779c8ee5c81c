//! Reports on exports, and interrupted exports from before the window was opened.

use std::path::{Path, PathBuf};

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

use batch::report::ReportError;
use batch::worker::{Event, FilesRequest, JournalPlace, PreviousRun, Request, RequestId, RunQuery, RunsOf};
use iron_cropper::ui::{PickerKind, ShowInFolder, WindowOptions};
use outcome::OutcomeKind;

use super::script::{Window, finished, two_faces};
use super::{export, open_with_output_folder, progress, report, start_export, with_output_folder};

/// Steps until the list is stable.
const REST: usize = 60;

fn end(window: &mut Window, journal: Option<&str>) {
    let (id, items) = start_export(window);
    window.answer(id, progress(items[0], 1, report("anna.jpg", OutcomeKind::Cropped)));
    let journal = journal.map(PathBuf::from);
    let (stopped, notes) = (None, [].into());
    window.answer(id, Event::ExportFinished { cancelled: false, done: 1, total: 1, stopped, notes, journal });
}

fn written(request: &Request) -> Option<(Vec<PathBuf>, Option<PathBuf>)> {
    match request {
        Request::Files(FilesRequest::WriteReport { journals, output }) => Some((journals.clone(), output.clone())),
        _ => None,
    }
}

#[test]
fn a_report_on_an_export_is_saved_to_the_picked_file() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg"], &two_faces());
    end(&mut window, Some("/out/.iron-cropper/journal-1.jsonl"));
    let journals = vec![PathBuf::from("/out/.iron-cropper/journal-1.jsonl")];
    let folder = std::env::temp_dir();
    for (picked, output) in [("report.csv", "report.csv"), ("report", "report.html"), ("report.txt", "report.txt")] {
        window.click("Save report…");
        assert_eq!(window.dialog.opened.borrow().last(), Some(&PickerKind::SaveReport));
        window.sent();
        window.pick(PickerKind::SaveReport, vec![folder.join(picked)]);
        let (id, request) = window.sent_one(written);
        assert_eq!(request, (journals.clone(), Some(folder.join(output))));
        let (event, text) = match output {
            "report.txt" => (
                Event::ReportWritten(Err(ReportError::Format { path: "/r.txt".into() })),
                "Could not save the report: /r.txt does not end in .html, .csv or .json",
            ),
            _ => (Event::ReportWritten(Ok(Box::default())), "Report saved."),
        };
        window.answer(id, event);
        assert!(window.has(text), "{text}");
        window.click("Dismiss this message");
    }
    window.dialog.missing.set(true);
    window.click("Save report…");
    assert!(window.has("Save report") && window.shows("Type the path instead."), "without a dialog the path is typed");
}

#[test]
fn crops_and_saved_files_are_shown_in_their_folder() {
    // It answers with an error, which the window shows.
    let refuse: ShowInFolder = |path| Err(format!("refused {}", path.display()));
    let options = WindowOptions { show_in_folder: refuse, ..with_output_folder() };
    let mut window = Window::open_with(options, [1280.0, 800.0], 1.0);
    window.runtime_ready();
    window.add(&["/photos/anna.jpg"], &two_faces());
    let refused = |window: &mut Window, path: &Path| {
        let text = format!("refused {}", path.display());
        let shown = (0..200).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            window.steps(1);
            window.shows(&text)
        });
        assert!(shown, "{text}");
    };
    window.press_with(Modifiers::COMMAND | Modifiers::ALT, Key::R);
    refused(&mut window, Path::new("/photos/anna.jpg"));

    let (id, items) = start_export(&mut window);
    window.answer(id, progress(items[0], 1, report("anna.jpg", OutcomeKind::Cropped)));
    window.answer(id, finished(false, 1, 1));
    window.press_with(Modifiers::COMMAND | Modifiers::ALT, Key::R);
    refused(&mut window, Path::new("/out/anna_1.jpg"));
    assert!(window.harness.query_all_by_label("Show in folder").count() == 2, "of the summary and of its line");
}

#[test]
fn without_a_journal_there_is_no_report() {
    let mut window = open_with_output_folder();
    window.add(&["/photos/anna.jpg"], &two_faces());
    end(&mut window, None);
    assert!(window.has("Export finished") && !window.has("Save report…"));
}

fn run_query(window: &mut Window) -> (RequestId, RunQuery) {
    window.steps(REST);
    window.sent_one(
        |request| if let Request::Files(FilesRequest::FindRun(query)) = request { Some(query.clone()) } else { None },
    )
}

fn found(photos: &[&str]) -> Event {
    let photos = photos.iter().enumerate().map(|(index, path)| (PathBuf::from(path), index)).collect();
    Event::RunFound(Some(Box::new(PreviousRun { journal: "/out/j".into(), photos })))
}

const PHOTOS: [&str; 3] = ["/photos/anna.jpg", "/photos/ben.jpg", "/photos/carl.jpg"];

#[test]
fn an_interrupted_export_can_be_resumed() {
    let mut window = open_with_output_folder();
    window.add(&PHOTOS, &two_faces());
    let (id, query) = run_query(&mut window);
    assert_eq!(query.output, std::env::temp_dir().join("crops"));
    assert_eq!(query.place, JournalPlace::Beside { shard: None });
    assert_eq!(query.of, RunsOf::Photos(PHOTOS.iter().map(PathBuf::from).collect()));
    window.answer(id, found(&PHOTOS[..2]));
    assert!(window.shows("was interrupted: 2 photos of 3 are done. Resume continues it."));
    window.click("Resume");
    let (_, job) = window.sent_one(export);
    assert_eq!(job.items.len(), 3);
    assert!(job.journal.as_ref().is_some_and(|journal| journal.resume));
    assert!(!window.shows("was interrupted"));
}

#[test]
fn dismissed_or_outdated_offers_are_not_shown() {
    let mut window = open_with_output_folder();
    window.add(&PHOTOS, &two_faces());
    let (id, _) = run_query(&mut window);
    window.answer(id, found(&PHOTOS));
    assert!(!window.shows("was interrupted"), "nothing is left to do");
    window.add(&["/photos/dora.jpg"], &two_faces());
    let (id, _) = run_query(&mut window);
    window.answer(id, found(&PHOTOS));
    assert!(window.shows("was interrupted: 3 photos of 4 are done"));
    window.click("Not now");
    assert!(!window.shows("was interrupted"));
    window.add(&["/photos/emil.jpg"], &two_faces());
    window.steps(REST);
    let is_query = |(_, request): &(RequestId, Request)| matches!(request, Request::Files(FilesRequest::FindRun(_)));
    assert!(!window.sent().iter().any(is_query), "the user has answered");

    let mut window = open_with_output_folder();
    window.add(&PHOTOS, &two_faces());
    let (id, _) = run_query(&mut window);
    start_export(&mut window);
    window.answer(id, found(&PHOTOS[..1]));
    assert!(!window.shows("was interrupted"), "an export has begun meanwhile");
}

#[test]
fn the_texts_of_the_worker_are_translated() {
    let path = Path::new("report.txt");
    let refused = batch::report::write_report(&[], Some(path)).expect_err("refused").to_string();
    assert_eq!(refused, "report.txt does not end in .html, .csv or .json");
}
