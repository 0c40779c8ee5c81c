//! Journals, reports, projects, settings and text files that are not read or written, and what became of a batch.

use std::path::Path;

use batch::journal::{HistoryError, JournalError};
use batch::project::{ProjectError, ProjectForm};
use batch::report::ReportError;
use batch::settings::{SettingsError, SettingsFault, SettingsNotice};
use batch::worker::{DescribeError, PasteError, ProjectFault, RunNote, StopReason, TextError, WatchProblem};
use import::WalkProblem;

use super::super::language::{say, tr};
use super::errors::encode_error;
use super::faults::{backend_error, model_fault};
use super::parts::{listed, shown};

/// Something that cannot be imported.
pub(crate) fn walk_problem(problem: &WalkProblem) -> String {
    match problem {
        WalkProblem::NotThere => tr("there is no such file or folder").to_owned(),
        WalkProblem::NoPermission => tr("no permission to read it").to_owned(),
        WalkProblem::Unreadable(source) => say!("it cannot be read: {reason}", reason = source.to_string()),
        WalkProblem::Loop { folder } => {
            say!("this link leads back to {folder}, which it lies in; it was not followed", folder = shown(folder))
        }
    }
}

/// A folder that is no longer watched.
pub(crate) fn watch_problem(problem: &WatchProblem) -> String {
    match problem {
        WatchProblem::Gone { folder } => say!("{path} is not there any more.", path = shown(folder)),
        WatchProblem::Unreadable { folder, source } => unreadable(folder, source) + ".",
    }
}

/// A pasted picture that was not written.
pub(crate) fn paste_error(error: &PasteError) -> String {
    match error {
        PasteError::NoFolder => tr("this system names no folder for pictures").to_owned(),
        PasteError::NoPicture(words) => words.clone(),
        PasteError::Make { folder, source } => {
            say!("{path} cannot be made: {reason}", path = shown(folder), reason = source.to_string())
        }
        PasteError::NamesTaken { folder } => say!("every name in {path} is taken", path = shown(folder)),
        PasteError::Write(error) => encode_error(error),
    }
}

/// A text file that was not read or written.
pub(crate) fn text_error(error: &TextError) -> String {
    match error {
        TextError::Read { path, source } => unreadable(path, source),
        TextError::NotAFile { path } => say!("{path} is not a file", path = shown(path)),
        TextError::TooLong { path, bytes } => {
            say!("{path} is longer than {bytes} bytes", path = shown(path), bytes = *bytes)
        }
        TextError::NotText { path } => say!("{path} is not a text file", path = shown(path)),
        TextError::Taken { path } => say!("{path} is there already; choose another name", path = shown(path)),
        TextError::Write(error) => encode_error(error),
    }
}

/// A model that cannot be summed up.
pub(crate) fn describe_error(error: &DescribeError) -> String {
    match error {
        DescribeError::File(error) => backend_error(error),
        DescribeError::NotOnnx { name, error } => format!("{name}: {}", model_fault(&(*error).into())),
    }
}

/// Settings that were not saved.
pub(crate) fn settings_error(error: &SettingsError) -> String {
    match error {
        SettingsError::NoFolder => tr("this system names no folder for settings").to_owned(),
        SettingsError::Write { path, source } => say!(
            "the settings file {path} cannot be written ({reason})",
            path = shown(path),
            reason = source.to_string()
        ),
        SettingsError::Serialize(error) => {
            say!("the settings cannot be put into words: {reason}", reason = error.to_string())
        }
    }
}

/// Settings that were not read: the defaults are used.
pub(crate) fn settings_notice(notice: &SettingsNotice) -> String {
    match notice {
        SettingsNotice::Unreadable { path, reason } => say!(
            "The settings file {path} cannot be read ({reason}). Defaults are used.",
            path = shown(path),
            reason = reason
        ),
        SettingsNotice::Unusable { path, fault, kept: Ok(kept) } => say!(
            "The settings file {path} could not be used: {fault}. It was kept as {kept}. Defaults are used.",
            path = shown(path),
            fault = settings_fault(fault),
            kept = shown(kept)
        ),
        SettingsNotice::Unusable { path, fault, kept: Err(reason) } => say!(
            "The settings file {path} could not be used: {fault}. It could not be put aside either ({reason}). Defaults are used.",
            path = shown(path),
            fault = settings_fault(fault),
            reason = reason
        ),
    }
}

fn settings_fault(fault: &SettingsFault) -> String {
    match fault {
        SettingsFault::NotText => tr("it is not text").to_owned(),
        SettingsFault::Newer { version } => {
            say!("its layout {version} is that of a newer program", version = version)
        }
        SettingsFault::Form(words) => words.clone(),
    }
}

/// A project or a kept list that was not read, written or removed.
pub(crate) fn project_fault(fault: &ProjectFault) -> String {
    match fault {
        ProjectFault::Project(error) => project_error(error),
        ProjectFault::Damaged { error, previous } => say!(
            "{what}. The version before it is there: open {previous}.",
            what = project_error(error),
            previous = shown(previous)
        ),
        ProjectFault::WrittenSince { path } => say!(
            "{path} was written by another window or program since; open it again, or save under another name",
            path = shown(path)
        ),
        ProjectFault::NoPlace(source) => say!("no list can be kept: {reason}", reason = source.to_string()),
        ProjectFault::Remove { path, source } => {
            say!("{path} cannot be removed: {reason}", path = shown(path), reason = source.to_string())
        }
    }
}

fn project_error(error: &ProjectError) -> String {
    match error {
        ProjectError::Read { path, source } => unreadable(path, source),
        ProjectError::TooLong { path, limit } => {
            say!("{path} is longer than {limit} MB and is no project", path = shown(path), limit = limit / 1_000_000)
        }
        ProjectError::Newer { path, version } => say!(
            "{path} was written by a newer Iron Cropper (layout {version}); open it with that",
            path = shown(path),
            version = *version
        ),
        ProjectError::NotUnderstood { path, reason } => {
            let reason = project_form(reason);
            say!("{path} is not a project, or is damaged: {reason}", path = shown(path), reason = reason)
        }
        ProjectError::Write { path, source } => {
            say!("{path} cannot be written: {reason}", path = shown(path), reason = source.to_string())
        }
        ProjectError::Serialize(error) => {
            say!("the project cannot be put into words: {reason}", reason = error.to_string())
        }
    }
}

fn project_form(form: &ProjectForm) -> String {
    match form {
        ProjectForm::NotText => tr("it is not text").to_owned(),
        ProjectForm::NoLayout => tr("it names no layout (version = 1)").to_owned(),
        ProjectForm::Settings => tr("its settings are no table").to_owned(),
        ProjectForm::Photos => tr("its photos are no list").to_owned(),
        ProjectForm::TooManyPhotos { max } => say!("it names more than {max} photos", max = *max),
        ProjectForm::NoPath { place } => say!("photo {place} names no path", place = *place),
        ProjectForm::Photo { place, reason } => say!("photo {place}: {reason}", place = *place, reason = reason),
        ProjectForm::Line { line, reason } => say!("line {line}: {reason}", line = *line, reason = reason),
        ProjectForm::Toml(words) => words.clone(),
        ProjectForm::TooLong => tr("it is not laid out as this program writes it, and too long for that").to_owned(),
    }
}

/// A report that was not written.
pub(crate) fn report_error(error: &ReportError) -> String {
    match error {
        ReportError::Journal { path, source } => {
            say!("the journal {path} cannot be read ({reason})", path = shown(path), reason = history_error(source))
        }
        ReportError::Format { path } => say!("{path} does not end in .html, .csv or .json", path = shown(path)),
        ReportError::Taken { path } => {
            say!("{path} is there already and is no report of Iron Cropper; name another file", path = shown(path))
        }
        ReportError::Write(error) => encode_error(error),
    }
}

fn history_error(error: &HistoryError) -> String {
    match error {
        HistoryError::Unreadable(source) => source.to_string(),
        HistoryError::NotBegun => tr("it does not begin with the line of a run").to_owned(),
        HistoryError::Empty => tr("no run has written into it").to_owned(),
        HistoryError::NoRun => tr("its first line does not say which run it is of").to_owned(),
        HistoryError::Line { number, error } => {
            say!("line {line}: {reason}", line = *number, reason = error.to_string())
        }
        HistoryError::Later { program } => say!("it was written by a later version ({program})", program = program),
    }
}

fn journal_error(error: &JournalError) -> String {
    match error {
        JournalError::Unusable { path, source } => say!(
            "the journal {path} cannot be made or read ({reason}); name another with --journal, or leave it out",
            path = shown(path),
            reason = source.to_string()
        ),
        JournalError::InUse { path } => {
            say!("another run is writing the journal {path}; wait for its end", path = shown(path))
        }
        JournalError::Exists { path } => {
            say!("the journal {path} is there already; take it up with --resume or name another", path = shown(path))
        }
        JournalError::IsOriginal { path } => say!(
            "{path} is a photo or a list of this run and cannot be its journal; name another file with --journal",
            path = shown(path)
        ),
        JournalError::NotOurs { path, reason } => say!(
            "{path} is no journal that can be taken up: {reason}",
            path = shown(path),
            reason = history_error(reason)
        ),
    }
}

/// Why a batch ended early by itself.
pub(crate) fn stop_reason(reason: &StopReason) -> String {
    match reason {
        StopReason::NoThread(source) => say!("no thread could be started: {reason}", reason = source.to_string()),
        StopReason::NoJournal(error) => journal_error(error),
        StopReason::DiskFull { path, reason } => say!(
            "the disk is full: {file} was not written ({reason}); make room and run again",
            file = shown(path),
            reason = reason
        ),
        StopReason::Journal { path, reason } => say!(
            "the journal {path} cannot be written ({reason}); make room or leave the journal out",
            path = shown(path),
            reason = reason
        ),
    }
}

/// What else is worth knowing of a batch.
pub(crate) fn run_note(note: &RunNote) -> String {
    match note {
        RunNote::AlreadyDone { photos } => say!("{done} of the photos were done before", done = *photos),
        RunNote::Removed { files } => {
            say!("{files} half-written files of a broken run were removed", files = *files)
        }
        RunNote::LeftAlone { files, more } => {
            let mut names: Vec<String> = files.iter().map(|path| shown(path)).collect();
            names.extend(more.then(|| "…".to_owned()));
            say!(
                "files that the journal names but that have changed or are not crops in the output folder were left alone: {files}",
                files = listed(&names)
            )
        }
        RunNote::NoJournal(error) => {
            say!("no journal is kept, so that this run cannot be resumed: {reason}", reason = journal_error(error))
        }
    }
}

fn unreadable(path: &Path, source: &std::io::Error) -> String {
    say!("{path} cannot be read: {reason}", path = shown(path), reason = source.to_string())
}

#[cfg(test)]
mod tests;
