//! The lane that walks and watches folders, and reads and writes the user's files.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use cancel::CancelToken;
use import::{WalkProblem, WalkSummary, complete_path, walk};
use outcome::EncodeError;
use picture::write_new;

use super::faults::TextError;
use super::lane::or_failed;
use super::outbox::Outbox;
use super::own_crops::OwnCrops;
use super::pending::{Queued, RequestControl};
use super::previous_runs::find_run;
use super::projects::Projects;
use super::watching::Watches;
use super::{Event, FilesRequest, Namer, RequestId, pasted};
use crate::platform::Folders;
use crate::report::write_report;
use crate::settings::{Settings, SettingsError};

pub(super) struct FilesLane {
    inbox: Receiver<Queued<FilesRequest>>,
    outbox: Outbox,
    projects: Projects,
    watches: Watches,
    namer: Namer,
}

impl FilesLane {
    pub(super) fn new(inbox: Receiver<Queued<FilesRequest>>, outbox: Outbox) -> Self {
        let (projects, watches, namer) = (Projects::default(), Watches::default(), Namer::default());
        Self { inbox, outbox, projects, watches, namer }
    }

    /// Answers requests in order until the lane is closed; requests sent before that are still answered.
    pub(super) fn run(mut self) {
        while let Some(Queued { control, request }) = self.next() {
            let id = control.id;
            if let Some(event) = or_failed(|| self.answer(control, request)) {
                self.outbox.send(id, event);
            }
        }
    }

    /// The terminal event of a request; `None` for a watch, which continues.
    #[deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants,
        reason = "every request must be handled"
    )]
    fn answer(&mut self, control: RequestControl, request: FilesRequest) -> Option<Event> {
        let RequestControl { id, cancel, .. } = control;
        Some(match request {
            FilesRequest::Watch(spec) => {
                self.watches.add(id, spec, cancel, &mut |id, event| self.outbox.send(id, event));
                return None;
            }
            FilesRequest::Import { roots } => self.import(id, &roots, &cancel),
            FilesRequest::Project(task) => Event::Project(self.projects.run(task, &cancel)),
            FilesRequest::WritePasted(picture) => Event::PastedWritten(pasted::write(&picture)),
            FilesRequest::WriteShot(frame) => Event::PastedWritten(pasted::write_shot(&frame)),
            FilesRequest::SaveSettings(settings) => Event::SettingsSaved(save(&settings)),
            FilesRequest::SaveText { path, text, replace } => Event::TextSaved(save_text(&path, &text, replace)),
            FilesRequest::WriteReport { journals, output } => {
                Event::ReportWritten(write_report(&journals, output.as_deref()).map(Box::new))
            }
            FilesRequest::FindRun(query) => Event::RunFound(find_run(&query).map(Box::new)),
            FilesRequest::LoadText { path, max_bytes } => Event::TextLoaded(load(&path, max_bytes)),
            FilesRequest::NamePhotos { query, reread } => Event::PhotosNamed(Box::new(self.namer.name(&query, reread))),
            FilesRequest::FindRows { .. } if cancel.is_cancelled() => Event::Superseded,
            FilesRequest::FindRows { roster, typed, max } => {
                let rows = roster.search(&typed, max);
                Event::RowsFound { typed, rows }
            }
            FilesRequest::CompletePath(_) if cancel.is_cancelled() => Event::Superseded,
            FilesRequest::CompletePath(query) => Event::PathCompleted(complete_path(&query, &cancel)),
        })
    }

    /// The next request; polls the watched folders while there is none. `None` once the lane is closed.
    fn next(&mut self) -> Option<Queued<FilesRequest>> {
        loop {
            let Some(wait) = self.watches.wait() else { return self.inbox.recv().ok() };
            match self.inbox.recv_timeout(wait) {
                Ok(request) => return Some(request),
                Err(RecvTimeoutError::Timeout) => self.watches.poll(&mut |id, event| self.outbox.send(id, event)),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn import(&self, id: RequestId, roots: &[PathBuf], cancel: &CancelToken) -> Event {
        let (mut own_crops, mut own) = (OwnCrops::new(roots), 0);
        let mut found = |mut paths: Vec<PathBuf>| {
            let before = paths.len();
            paths.retain(|path| !own_crops.contains(path));
            own += before - paths.len();
            if !paths.is_empty() {
                self.outbox.send(id, Event::ImportFound { paths });
            }
        };
        let mut problem = |path: PathBuf, problem: WalkProblem| {
            tracing::warn!(path = %path.display(), reason = %problem, "path cannot be imported");
            self.outbox.send(id, Event::ImportProblem { path, problem });
        };
        for folder in roots.iter().filter(|root| root.is_dir()) {
            self.outbox
                .send(id, Event::ImportFolder { path: std::path::absolute(folder).unwrap_or_else(|_| folder.clone()) });
        }
        let WalkSummary { found, ignored, .. } = walk(roots, &mut found, &mut problem, cancel);
        Event::ImportFinished { found: found - own, ignored: ignored + own }
    }
}

/// Reads a text file of at most `max_bytes`.
fn load(path: &Path, max_bytes: u64) -> Result<String, TextError> {
    let path = || path.to_owned();
    let failed = |source: io::Error| TextError::Read { path: path(), source };
    // Opening a pipe would block until it has a writer.
    if !std::fs::metadata(path()).map_err(failed)?.is_file() {
        return Err(TextError::NotAFile { path: path() });
    }
    let file = File::open(path()).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > max_bytes {
        return Err(TextError::TooLong { path: path(), bytes: max_bytes });
    }
    String::from_utf8(bytes).map_err(|_| TextError::NotText { path: path() })
}

fn save_text(path: &Path, text: &str, replace: bool) -> Result<(), TextError> {
    write_new(text.as_bytes(), path, replace).map(drop).map_err(|error| match error {
        EncodeError::FileExists { path } => TextError::Taken { path },
        error => TextError::Write(error),
    })
}

fn save(settings: &Settings) -> Result<(), SettingsError> {
    let folders = Folders::find().ok_or(SettingsError::NoFolder)?;
    settings.save(&folders.config_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_only_if_allowed() {
        let folder = tempfile::tempdir().expect("created");
        let path = folder.path().join("anna.jpg");
        std::fs::write(&path, "a photo").expect("written");
        let refused = save_text(&path, "a table", false).expect_err("refused").to_string();
        assert!(refused.ends_with("anna.jpg already exists; choose another name"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).expect("exists"), "a photo");
        save_text(&path, "a table", true).expect("written");
        assert_eq!(std::fs::read_to_string(&path).expect("exists"), "a table");
    }

    #[test]
    fn a_text_is_read_completely_or_rejected_with_a_reason() {
        let folder = tempfile::tempdir().expect("created");
        let path = folder.path().join("a.toml");
        std::fs::write(&path, "short").expect("written");
        assert_eq!(load(&path, 5).expect("read"), "short");
        assert!(load(&path, 4).is_err_and(|error| error.to_string().contains("larger than 4 bytes")));
        std::fs::write(&path, [0xff, 0xfe]).expect("written");
        assert!(load(&path, 5).is_err_and(|error| error.to_string().contains("not a text file")));
        assert!(load(&folder.path().join("none"), 5).is_err_and(|error| error.to_string().contains("cannot be read")));
    }
}
