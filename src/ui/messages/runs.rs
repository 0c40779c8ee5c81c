//! Errors of journals, reports, projects, settings and text files, and notes on a batch.

use std::path::Path;

use batch::journal::{HistoryError, JournalError};
use batch::project::{ProjectError, ProjectForm};
use batch::report::ReportError;
use batch::settings::{SettingsError, SettingsFault, SettingsNotice};
use batch::worker::{DescribeError, PasteError, ProjectFault, RunNote, StopReason, TextError, WatchProblem};
use import::WalkProblem;

use super::super::language::{count, say, tr};
use super::super::state::{BatchEnd, Counts};
use super::errors::encode_error;
use super::faults::{backend_error, model_fault};
use super::packages::package_note;
use super::parts::{listed, shown};

/// Why a path cannot be imported.
pub(crate) fn walk_problem(problem: &WalkProblem) -> String {
    match problem {
        WalkProblem::NotThere => tr("there is no such file or folder").to_owned(),
        WalkProblem::NoPermission => tr("no permission to read it").to_owned(),
        WalkProblem::Unreadable(source) => say!("it cannot be read: {reason}", reason = source.to_string()),
        WalkProblem::Loop { folder } => {
            say!("this link leads back to its parent folder {folder} and was not followed", folder = shown(folder))
        }
    }
}

/// Why a folder is no longer watched.
pub(crate) fn watch_problem(problem: &WatchProblem) -> String {
    match problem {
        WatchProblem::Gone { folder } => say!("{path} no longer exists.", path = shown(folder)),
        WatchProblem::Unreadable { folder, source } => unreadable(folder, source) + ".",
    }
}

/// Why a pasted image was not written.
pub(crate) fn paste_error(error: &PasteError) -> String {
    match error {
        PasteError::NoFolder => tr("this system has no pictures folder").to_owned(),
        PasteError::NoPicture(message) => message.clone(),
        PasteError::Make { folder, source } => {
            say!("{path} cannot be created: {reason}", path = shown(folder), reason = source.to_string())
        }
        PasteError::NamesTaken { folder } => say!("every file name in {path} is already in use", path = shown(folder)),
        PasteError::Write(error) => encode_error(error),
    }
}

/// How an export ended.
pub(crate) fn export_end(end: BatchEnd) -> &'static str {
    match end {
        BatchEnd::Completed => tr("Export finished"),
        BatchEnd::Cancelled => tr("Export cancelled"),
        BatchEnd::Stopped => tr("Export stopped"),
        BatchEnd::Broken => tr("Export interrupted"),
    }
}

/// The results of an export in numbers.
pub(crate) fn export_counts(counts: Counts) -> String {
    let mut phrases = vec![
        count!(counts.files, "{n} file written", "{n} files written"),
        count!(counts.skipped, "{n} skipped", "{n} skipped"),
        count!(counts.no_face, "{n} without a face", "{n} without a face"),
        count!(counts.failed, "{n} failed", "{n} failed"),
    ];
    if counts.cards > 0 {
        phrases.push(count!(counts.cards, "{n} card", "{n} cards"));
    }
    if counts.excluded > 0 {
        phrases.push(count!(counts.excluded, "{n} excluded", "{n} excluded"));
    }
    if counts.damaged > 0 {
        phrases.push(count!(counts.damaged, "{n} damaged, skipped", "{n} damaged, skipped"));
    }
    if counts.before > 0 {
        phrases.push(count!(counts.before, "{n} written before", "{n} written before"));
    }
    listed(&phrases)
}

/// Why a text file was not read or written.
pub(crate) fn text_error(error: &TextError) -> String {
    match error {
        TextError::Read { path, source } => unreadable(path, source),
        TextError::NotAFile { path } => say!("{path} is not a file", path = shown(path)),
        TextError::TooLong { path, bytes } => {
            say!("{path} is larger than {bytes} bytes", path = shown(path), bytes = *bytes)
        }
        TextError::NotText { path } => say!("{path} is not a text file", path = shown(path)),
        TextError::Taken { path } => say!("{path} already exists; choose another name", path = shown(path)),
        TextError::Write(error) => encode_error(error),
    }
}

/// Why a model cannot be summarised.
pub(crate) fn describe_error(error: &DescribeError) -> String {
    match error {
        DescribeError::File(error) => backend_error(error),
        DescribeError::NotOnnx { name, error } => format!("{name}: {}", model_fault(&(*error).into())),
    }
}

/// Why settings were not saved.
pub(crate) fn settings_error(error: &SettingsError) -> String {
    match error {
        SettingsError::NoFolder => tr("this system has no settings folder").to_owned(),
        SettingsError::Write { path, source } => say!(
            "the settings file {path} cannot be written ({reason})",
            path = shown(path),
            reason = source.to_string()
        ),
        SettingsError::Serialize(error) => {
            say!("the settings cannot be serialised: {reason}", reason = error.to_string())
        }
    }
}

/// Why settings were not read; the defaults are used.
pub(crate) fn settings_notice(notice: &SettingsNotice) -> String {
    match notice {
        SettingsNotice::Unreadable { path, reason } => say!(
            "The settings file {path} cannot be read ({reason}). Defaults are used.",
            path = shown(path),
            reason = reason
        ),
        SettingsNotice::Unusable { path, fault, kept: Ok(kept) } => say!(
            "The settings file {path} cannot be used: {fault}. It was renamed to {kept}. Defaults are used.",
            path = shown(path),
            fault = settings_fault(fault),
            kept = shown(kept)
        ),
        SettingsNotice::Unusable { path, fault, kept: Err(reason) } => say!(
            "The settings file {path} cannot be used: {fault}. It could not be renamed either ({reason}). Defaults are used.",
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
            say!("its format version {version} is from a newer program", version = version)
        }
        SettingsFault::Form(message) => message.clone(),
    }
}

/// Why a project or an autosaved list was not read, written or removed.
pub(crate) fn project_fault(fault: &ProjectFault) -> String {
    match fault {
        ProjectFault::Project(error) => project_error(error),
        ProjectFault::Damaged { error, previous } => say!(
            "{what}. The previous version is available: open {previous}.",
            what = project_error(error),
            previous = shown(previous)
        ),
        ProjectFault::WrittenSince { path } => say!(
            "{path} was changed by another window or program; open it again, or save under another name",
            path = shown(path)
        ),
        ProjectFault::NoPlace(source) => {
            say!("the list cannot be saved for recovery: {reason}", reason = source.to_string())
        }
        ProjectFault::Remove { path, source } => {
            say!("{path} cannot be removed: {reason}", path = shown(path), reason = source.to_string())
        }
    }
}

fn project_error(error: &ProjectError) -> String {
    match error {
        ProjectError::Read { path, source } => unreadable(path, source),
        ProjectError::TooLong { path, limit } => {
            say!("{path} is larger than {limit} MB and is not a project", path = shown(path), limit = limit / 1_000_000)
        }
        ProjectError::Newer { path, version } => say!(
            "{path} was saved by a newer Iron Cropper (format {version}); open it with that version",
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
            say!("the project cannot be serialised: {reason}", reason = error.to_string())
        }
    }
}

fn project_form(form: &ProjectForm) -> String {
    match form {
        ProjectForm::NotText => tr("it is not text").to_owned(),
        ProjectForm::NoLayout => tr("its format version is missing (version = 1)").to_owned(),
        ProjectForm::Settings => tr("its settings are not a table").to_owned(),
        ProjectForm::Photos => tr("its photos are not a list").to_owned(),
        ProjectForm::TooManyPhotos { max } => say!("it contains more than {max} photos", max = *max),
        ProjectForm::NoPath { place } => say!("photo {place} has no path", place = *place),
        ProjectForm::Photo { place, reason } => say!("photo {place}: {reason}", place = *place, reason = reason),
        ProjectForm::Line { line, reason } => say!("line {line}: {reason}", line = *line, reason = reason),
        ProjectForm::Toml(message) => message.clone(),
        ProjectForm::TooLong => {
            tr("it is not in the layout this program writes, and it is too large to be read in any other").to_owned()
        }
    }
}

/// Why a report was not written.
pub(crate) fn report_error(error: &ReportError) -> String {
    match error {
        ReportError::Journal { path, source } => {
            say!("the journal {path} cannot be read ({reason})", path = shown(path), reason = history_error(source))
        }
        ReportError::Format { path } => say!("{path} does not end in .html, .csv or .json", path = shown(path)),
        ReportError::Taken { path } => {
            say!("{path} already exists and is not an Iron Cropper report; choose another file", path = shown(path))
        }
        ReportError::Write(error) => encode_error(error),
    }
}

pub(super) fn history_error(error: &HistoryError) -> String {
    match error {
        HistoryError::Unreadable(source) => source.to_string(),
        HistoryError::NoHeader => tr("it does not begin with a run record").to_owned(),
        HistoryError::Empty => tr("it contains no run").to_owned(),
        HistoryError::NoRun => tr("its first line does not identify the run").to_owned(),
        HistoryError::Line { number, error } => {
            say!("line {line}: {reason}", line = *number, reason = error.to_string())
        }
        HistoryError::Later { program } => say!("it was written by a newer version ({program})", program = program),
    }
}

fn journal_error(error: &JournalError) -> String {
    match error {
        JournalError::Unusable { path, source } => say!(
            "the journal {path} cannot be created or read ({reason}); choose another with --journal, or run without one",
            path = shown(path),
            reason = source.to_string()
        ),
        JournalError::InUse { path } => {
            say!("another run is writing the journal {path}; wait until it has finished", path = shown(path))
        }
        JournalError::Exists { path } => {
            say!("the journal {path} already exists; continue it with --resume, or choose another", path = shown(path))
        }
        JournalError::IsOriginal { path } => say!(
            "{path} is a photo or a list of this run and cannot be its journal; choose another file with --journal",
            path = shown(path)
        ),
        JournalError::NotAJournal { path, reason } => say!(
            "{path} is not a journal that can be resumed: {reason}",
            path = shown(path),
            reason = history_error(reason)
        ),
    }
}

/// Why a batch stopped early.
pub(crate) fn stop_reason(reason: &StopReason) -> String {
    match reason {
        StopReason::NoThread(source) => say!("no thread could be started: {reason}", reason = source.to_string()),
        StopReason::NoJournal(error) => journal_error(error),
        StopReason::DiskFull { path, reason } => say!(
            "the disk is full: {file} was not written ({reason}); free some space and run again",
            file = shown(path),
            reason = reason
        ),
        StopReason::Journal { path, reason } => say!(
            "the journal {path} cannot be written ({reason}); free some space, or run without a journal",
            path = shown(path),
            reason = reason
        ),
    }
}

/// A note on a batch.
pub(crate) fn run_note(note: &RunNote) -> String {
    match note {
        RunNote::AlreadyDone { photos } => say!("{done} of the photos are already done", done = *photos),
        RunNote::Removed { files } => {
            say!("{files} partial files of an interrupted run were removed", files = *files)
        }
        RunNote::Untouched { files, more } => {
            let mut names: Vec<String> = files.iter().map(|path| shown(path)).collect();
            names.extend(more.then(|| "…".to_owned()));
            say!(
                "files in the journal that have changed or are not crops in the output folder were not touched: {files}",
                files = listed(&names)
            )
        }
        RunNote::NoJournal(error) => {
            say!("no journal is written, so this run cannot be resumed: {reason}", reason = journal_error(error))
        }
        RunNote::Package(note) => package_note(note),
    }
}

fn unreadable(path: &Path, source: &std::io::Error) -> String {
    say!("{path} cannot be read: {reason}", path = shown(path), reason = source.to_string())
}

#[cfg(test)]
mod tests;
