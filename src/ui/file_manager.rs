//! Shows files in the system's file manager.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

use egui::Context;

use batch::worker::spawn_named;

use super::language::say;

/// Shows a file or folder in the file manager, with the file selected where it can; the error is the reason.
pub type ShowInFolder = fn(&Path) -> Result<(), String>;

/// The system's file manager.
///
/// # Errors
/// There is none, or it did not answer.
pub fn show_in_system_folder(path: &Path) -> Result<(), String> {
    opener::reveal(path).map_err(|error| error.to_string())
}

/// A path that could not be shown, and the reason.
type Failure = (PathBuf, String);

/// Asks the file manager on a thread of its own: it may take seconds to start.
pub(crate) struct FileManager {
    show: ShowInFolder,
    failures: (Sender<Failure>, Receiver<Failure>),
}

impl FileManager {
    pub(crate) fn new(show: ShowInFolder) -> Self {
        Self { show, failures: channel() }
    }

    pub(crate) fn show(&self, ctx: &Context, path: PathBuf) {
        let (show, failures, ctx) = (self.show, self.failures.0.clone(), ctx.clone());
        let for_failure = (path.clone(), self.failures.0.clone());
        let started = spawn_named("file-manager", move || {
            if let Err(reason) = show(&path) {
                // The window may have closed.
                let _ = failures.send((path, reason));
                ctx.request_repaint();
            }
        });
        if let Err(error) = started {
            let (path, failures) = for_failure;
            let _ = failures.send((path, error.to_string()));
        }
    }

    /// The text of a notice about the next path that could not be shown.
    pub(crate) fn next_failure(&self) -> Option<String> {
        let (path, reason) = self.failures.1.try_recv().ok()?;
        let path = path.display().to_string();
        Some(say!("{path} cannot be shown in its folder: {reason}", path = path, reason = reason))
    }
}
