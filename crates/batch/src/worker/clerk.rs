//! Threads for errands: walking folders and writing settings on one, trying runtimes and models on another, finding
//! thumbnails on a third, so that none of them waits for a photo or makes one wait.

use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use cancel::CancelToken;
use import::{WalkProblem, WalkSummary, complete_path, walk};
use inference::ModelBytes;
use inference::onnx::ModelSummary;
use outcome::{DisplayCopy, EncodeError, Stage, StageError};
use picture::write_new;
use pipeline::{embedded_thumbnail, panic_message};
use recipe::RuntimeOptions;

use super::earlier::find_run;
use super::faults::{DescribeError, TextError};
use super::handle::Outbox;
use super::projects::ProjectClerk;
use super::thumbnails::ThumbnailStore;
use super::watching::Watches;
use super::{Event, ModelPage, PhotoRef, Request, RequestId, pasted};
use crate::diagnostics::gather;
use crate::latency::{try_loading, try_runtimes};
use crate::platform;
use crate::platform::Folders;
use crate::report::write_report;
use crate::settings::{Settings, SettingsError};

/// A request for the clerk.
pub(super) struct Errand {
    pub(super) id: RequestId,
    pub(super) request: Request,
    pub(super) cancel: CancelToken,
}

pub(super) struct Clerk {
    inbox: Receiver<Errand>,
    outbox: Outbox,
    thumbnails: Option<ThumbnailStore>,
    projects: ProjectClerk,
    watches: Watches,
}

impl Clerk {
    pub(super) fn new(inbox: Receiver<Errand>, outbox: Outbox, thumbnails: Option<ThumbnailStore>) -> Self {
        Self { inbox, outbox, thumbnails, projects: ProjectClerk::default(), watches: Watches::default() }
    }

    /// Runs errands in order until the handle is dropped; what was sent before that is still done.
    pub(super) fn run(mut self) {
        while let Some(errand) = self.next() {
            let Errand { id, request, cancel } = errand;
            // It goes on until it is cancelled: its terminal event comes then.
            if let Request::Watch(spec) = request {
                self.watches.add(id, spec, cancel, &mut |id, event| self.outbox.send(id, event));
                continue;
            }
            let event = catch_unwind(AssertUnwindSafe(|| match request {
                Request::Import { roots } => self.import(id, &roots, &cancel),
                Request::Project(errand) => Event::Project(self.projects.run(errand, &cancel)),
                Request::WritePasted(picture) => Event::PastedWritten(pasted::write(&picture)),
                Request::SaveSettings(settings) => Event::SettingsSaved(save(&settings)),
                Request::SaveText { path, text, replace } => Event::TextSaved(save_text(&path, &text, replace)),
                Request::WriteReport { journals, output } => {
                    Event::ReportWritten(write_report(&journals, output.as_deref()).map(Box::new))
                }
                Request::FindRun(query) => Event::RunFound(find_run(&query).map(Box::new)),
                Request::LoadText { path, most_bytes } => Event::TextLoaded(load(&path, most_bytes)),
                Request::CompletePath(query) if !cancel.is_cancelled() => {
                    Event::PathCompleted(complete_path(&query, &cancel))
                }
                Request::TryRuntimes { model, options, afresh } => {
                    let folders = Folders::find();
                    Event::RuntimesTried(try_runtimes(model.as_deref(), &options, folders.as_ref(), afresh))
                }
                Request::DescribeModel { model, options } => {
                    Event::ModelDescribed(describe(model.as_deref(), &options).map(Box::new))
                }
                Request::Diagnose(spec) => Event::Diagnosed(Box::new(gather(&spec))),
                Request::FindThumbnail { photo, side } if !cancel.is_cancelled() => {
                    Event::ThumbnailFound { item: photo.item, thumbnail: self.thumbnail(&photo, side) }
                }
                _ => Event::Superseded,
            }));
            let event = event.unwrap_or_else(|panic| {
                let error = StageError::Panicked { stage: Stage::Import, message: panic_message(&*panic) };
                Event::Failed { item: None, error }
            });
            self.outbox.send(id, event);
        }
    }

    /// The next errand; looks at the folders that are watched while there is none. `None` once the handle was dropped.
    fn next(&mut self) -> Option<Errand> {
        loop {
            let Some(wait) = self.watches.wait() else { return self.inbox.recv().ok() };
            match self.inbox.recv_timeout(wait) {
                Ok(errand) => return Some(errand),
                Err(RecvTimeoutError::Timeout) => self.watches.look(&mut |id, event| self.outbox.send(id, event)),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// The copy kept of an earlier look, else the one that the camera put into the file.
    fn thumbnail(&self, photo: &PhotoRef, side: u32) -> Option<DisplayCopy> {
        let _handling = platform::handling(&photo.path);
        let kept = self.thumbnails.as_ref().and_then(|store| store.find(&photo.path, side));
        kept.or_else(|| embedded_thumbnail(&photo.path, side))
    }

    fn import(&self, id: RequestId, roots: &[PathBuf], cancel: &CancelToken) -> Event {
        let mut found = |paths: Vec<PathBuf>| self.outbox.send(id, Event::ImportFound { paths });
        let mut problem = |path: PathBuf, problem: WalkProblem| {
            tracing::warn!(path = %path.display(), reason = %problem, "import problem");
            self.outbox.send(id, Event::ImportProblem { path, problem });
        };
        for folder in roots.iter().filter(|root| root.is_dir()) {
            self.outbox
                .send(id, Event::ImportFolder { path: std::path::absolute(folder).unwrap_or_else(|_| folder.clone()) });
        }
        let WalkSummary { found, passed_over, .. } = walk(roots, &mut found, &mut problem, cancel);
        Event::ImportFinished { found, passed_over }
    }
}

fn describe(model: Option<&Path>, options: &RuntimeOptions) -> Result<ModelPage, DescribeError> {
    let bytes = ModelBytes::read_or_bundled(model).map_err(DescribeError::File)?;
    let summary = ModelSummary::read(bytes.as_bytes())
        .map_err(|error| DescribeError::NotOnnx { name: bytes.name.clone(), error })?;
    let folders = Folders::find();
    Ok(ModelPage { name: bytes.name, summary, loads: try_loading(model, options, folders.as_ref()) })
}

/// The text of a file of at most `most_bytes`.
fn load(path: &Path, most_bytes: u64) -> Result<String, TextError> {
    let path = || path.to_owned();
    let failed = |source: io::Error| TextError::Read { path: path(), source };
    // Opening a pipe would wait for whoever writes into it.
    if !std::fs::metadata(path()).map_err(failed)?.is_file() {
        return Err(TextError::NotAFile { path: path() });
    }
    let file = File::open(path()).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(most_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most_bytes {
        return Err(TextError::TooLong { path: path(), bytes: most_bytes });
    }
    String::from_utf8(bytes).map_err(|_| TextError::NotText { path: path() })
}

fn save_text(path: &Path, text: &str, replace: bool) -> Result<(), TextError> {
    write_new(text.as_bytes(), path, replace).map(drop).map_err(|error| match error {
        EncodeError::NameTaken { path } => TextError::Taken { path },
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
    fn a_text_takes_the_place_of_a_file_only_if_it_may() {
        let folder = tempfile::tempdir().expect("made");
        let path = folder.path().join("anna.jpg");
        std::fs::write(&path, "a photo").expect("written");
        let refused = save_text(&path, "a table", false).expect_err("refused").to_string();
        assert!(refused.ends_with("anna.jpg is there already; choose another name"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).expect("there"), "a photo");
        save_text(&path, "a table", true).expect("written");
        assert_eq!(std::fs::read_to_string(&path).expect("there"), "a table");
    }

    #[test]
    fn a_text_is_read_whole_or_refused_in_words() {
        let folder = tempfile::tempdir().expect("made");
        let path = folder.path().join("a.toml");
        std::fs::write(&path, "short").expect("written");
        assert_eq!(load(&path, 5).expect("read"), "short");
        assert!(load(&path, 4).is_err_and(|error| error.to_string().contains("longer than 4 bytes")));
        std::fs::write(&path, [0xff, 0xfe]).expect("written");
        assert!(load(&path, 5).is_err_and(|error| error.to_string().contains("not a text file")));
        assert!(load(&folder.path().join("none"), 5).is_err_and(|error| error.to_string().contains("cannot be read")));
    }
}
