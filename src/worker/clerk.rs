//! The second thread: walks folders and writes settings, so that neither waits for a photo nor makes one wait.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::Receiver;

use super::handle::Outbox;
use super::{Event, Request, RequestId};
use crate::cancel::CancelToken;
use crate::import::{WalkSummary, walk};
use crate::pipeline::{Stage, StageError, panic_message};
use crate::platform::Folders;
use crate::settings::Settings;

/// A request for the clerk.
pub(super) struct Errand {
    pub(super) id: RequestId,
    pub(super) request: Request,
    pub(super) cancel: CancelToken,
}

pub(super) struct Clerk {
    inbox: Receiver<Errand>,
    outbox: Outbox,
}

impl Clerk {
    pub(super) fn new(inbox: Receiver<Errand>, outbox: Outbox) -> Self {
        Self { inbox, outbox }
    }

    /// Runs errands in order until the handle is dropped; what was sent before that is still done.
    pub(super) fn run(self) {
        for Errand { id, request, cancel } in &self.inbox {
            let event = catch_unwind(AssertUnwindSafe(|| match request {
                Request::Import { roots } => self.import(id, &roots, &cancel),
                Request::SaveSettings(settings) => Event::SettingsSaved(save(&settings)),
                _ => Event::Superseded,
            }));
            let event = event.unwrap_or_else(|panic| {
                let error = StageError::Panicked { stage: Stage::Import, message: panic_message(&*panic) };
                Event::Failed { item: None, error }
            });
            self.outbox.send(id, event);
        }
    }

    fn import(&self, id: RequestId, roots: &[PathBuf], cancel: &CancelToken) -> Event {
        let mut found = |paths: Vec<PathBuf>| self.outbox.send(id, Event::ImportFound { paths });
        let mut problem = |path: PathBuf, reason: String| {
            tracing::warn!(path = %path.display(), reason, "import problem");
            self.outbox.send(id, Event::ImportProblem { path, reason });
        };
        let WalkSummary { found, passed_over, .. } = walk(roots, &mut found, &mut problem, cancel);
        Event::ImportFinished { found, passed_over }
    }
}

fn save(settings: &Settings) -> Result<(), String> {
    let folders = Folders::find().ok_or("this system names no folder for settings")?;
    settings.save(&folders.config_file).map_err(|error| error.to_string())
}
