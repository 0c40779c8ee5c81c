//! File errors, in English as on the command line and in the other languages.

use std::io;
use std::path::PathBuf;

use batch::worker::PackageNote;
use outcome::EncodeError;

use super::super::super::language::{Language, set_current};
use super::*;

fn path() -> PathBuf {
    "/some/where".into()
}

fn io() -> io::Error {
    io::Error::other("a reason")
}

fn message() -> String {
    "a reason".to_owned()
}

/// Each with the text of the command line.
fn files() -> Vec<(String, String)> {
    let walks = [
        WalkProblem::NotThere,
        WalkProblem::NoPermission,
        WalkProblem::Unreadable(io()),
        WalkProblem::Loop { folder: path() },
    ];
    let watches = [WatchProblem::Gone { folder: path() }, WatchProblem::Unreadable { folder: path(), source: io() }];
    let pastes = [
        PasteError::NoFolder,
        PasteError::Make { folder: path(), source: io() },
        PasteError::NamesTaken { folder: path() },
    ];
    let texts = [
        TextError::Read { path: path(), source: io() },
        TextError::NotAFile { path: path() },
        TextError::TooLong { path: path(), bytes: 400 },
        TextError::NotText { path: path() },
        TextError::Taken { path: path() },
    ];
    let settings = [SettingsError::NoFolder, SettingsError::Write { path: path(), source: io() }];
    let mut all: Vec<(String, String)> = Vec::new();
    all.extend(walks.iter().map(|problem| (walk_problem(problem), problem.to_string())));
    all.extend(watches.iter().map(|problem| (watch_problem(problem), problem.to_string())));
    all.extend(pastes.iter().map(|error| (paste_error(error), error.to_string())));
    all.extend(texts.iter().map(|error| (text_error(error), error.to_string())));
    all.extend(settings.iter().map(|error| (settings_error(error), error.to_string())));
    all
}

fn kept() -> Vec<(String, String)> {
    let notices = [
        SettingsNotice::Unreadable { path: path(), reason: message() },
        SettingsNotice::Unusable { path: path(), fault: SettingsFault::NotText, kept: Ok(path()) },
        SettingsNotice::Unusable {
            path: path(),
            fault: SettingsFault::Newer { version: "9".to_owned() },
            kept: Err(message()),
        },
    ];
    let forms = [
        ProjectForm::NotText,
        ProjectForm::NoLayout,
        ProjectForm::Settings,
        ProjectForm::Photos,
        ProjectForm::TooManyPhotos { max: 100 },
        ProjectForm::NoPath { place: 3 },
        ProjectForm::Photo { place: 3, reason: message() },
        ProjectForm::Line { line: 3, reason: message() },
        ProjectForm::TooLong,
    ];
    let projects = forms.map(|reason| ProjectError::NotUnderstood { path: path(), reason }).into_iter().chain([
        ProjectError::Read { path: path(), source: io() },
        ProjectError::TooLong { path: path(), limit: 64_000_000 },
        ProjectError::Newer { path: path(), version: 9 },
        ProjectError::Write { path: path(), source: io() },
    ]);
    let damaged = ProjectError::NotUnderstood { path: path(), reason: ProjectForm::NotText };
    let faults = projects.map(ProjectFault::Project).chain([
        ProjectFault::Damaged { error: damaged, previous: path() },
        ProjectFault::WrittenSince { path: path() },
        ProjectFault::NoPlace(io()),
        ProjectFault::Remove { path: path(), source: io() },
    ]);
    let mut all: Vec<(String, String)> = Vec::new();
    all.extend(notices.iter().map(|notice| (settings_notice(notice), notice.to_string())));
    all.extend(faults.map(|fault| (project_fault(&fault), fault.to_string())));
    all
}

fn runs() -> Vec<(String, String)> {
    let histories = [
        HistoryError::NoHeader,
        HistoryError::Empty,
        HistoryError::NoRun,
        HistoryError::Later { program: "Iron Cropper 9".to_owned() },
    ];
    let journals = || {
        [
            JournalError::Unusable { path: path(), source: io() },
            JournalError::InUse { path: path() },
            JournalError::Exists { path: path() },
            JournalError::IsOriginal { path: path() },
            JournalError::NotAJournal { path: path(), reason: HistoryError::NoHeader },
        ]
    };
    let reports = histories
        .map(|source| ReportError::Journal { path: path(), source })
        .into_iter()
        .chain([ReportError::Format { path: path() }, ReportError::Taken { path: path() }]);
    let stops = journals().map(StopReason::NoJournal).into_iter().chain([
        StopReason::NoThread(io()),
        StopReason::DiskFull { path: path(), reason: message() },
        StopReason::Journal { path: path(), reason: message() },
    ]);
    let notes = journals().map(RunNote::NoJournal).into_iter().chain([
        RunNote::AlreadyDone { photos: 3 },
        RunNote::Removed { files: 2 },
        RunNote::Untouched { files: vec![path(), path()], more: true },
    ]);
    let packages = [
        PackageNote::Written { path: path(), crops: 1 },
        PackageNote::Written { path: path(), crops: 30 },
        PackageNote::OtherName { taken: path(), path: path() },
        PackageNote::Failed(EncodeError::FileExists { path: path() }),
        PackageNote::OnlyIndex,
        PackageNote::Changed { crops: 2 },
        PackageNote::Unrecorded { photos: 3 },
        PackageNote::Unreadable { path: path(), error: HistoryError::NoHeader },
        PackageNote::NotAscii { crops: 4 },
        PackageNote::NoImageFolder { crops: 5 },
        PackageNote::NoPicture { crops: 6 },
        PackageNote::Undrawn { names: vec!["\u{10fffd}".to_owned(), "\u{10fffe}".to_owned()] },
    ];
    let notes = notes.chain(packages.map(RunNote::Package));
    let mut all: Vec<(String, String)> = Vec::new();
    all.extend(reports.map(|error| (report_error(&error), error.to_string())));
    all.extend(stops.map(|reason| (stop_reason(&reason), reason.to_string())));
    all.extend(notes.map(|note| (run_note(&note), note.to_string())));
    all
}

fn all() -> Vec<(String, String)> {
    [files(), kept(), runs()].concat()
}

#[test]
fn english_texts_match_the_command_line() {
    for (text, expected) in all() {
        assert_eq!(text, expected);
    }
}

#[test]
fn every_file_error_is_translated() {
    for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
        set_current(language);
        for (text, expected) in all() {
            assert_ne!(text, expected, "{language:?}");
            // A field of a name template is part of one text.
            assert!(!text.replace("{name}", "").contains('{'), "{language:?}: {text}");
        }
    }
    set_current(Language::German);
    let damaged = ProjectError::NotUnderstood { path: path(), reason: ProjectForm::NotText };
    let text = project_fault(&ProjectFault::Damaged { error: damaged, previous: "/old".into() });
    set_current(Language::English);
    assert!(text.contains("/old") && text.contains("es ist kein Text"), "{text}");
}
