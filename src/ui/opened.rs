//! Files and folders that the system opens with this program while the window is open.
//!
//! macOS does not pass files opened from Finder or dropped on the Dock icon as arguments: it sends an event, both at the
//! start and later.

#[cfg(target_os = "macos")]
mod macos;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use batch::worker::Wake;

#[cfg(target_os = "macos")]
pub(super) use macos::listen;

/// The paths received and not yet taken; clones share them.
#[derive(Clone, Default)]
pub struct OpenedFiles(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    paths: Vec<PathBuf>,
    wake: Option<Wake>,
}

impl OpenedFiles {
    /// Adds `paths`; an open window imports them in its next pass.
    pub fn add(&self, paths: impl IntoIterator<Item = PathBuf>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.paths.extend(paths);
        if let Some(wake) = waiting.wake.clone() {
            drop(waiting);
            wake();
        }
    }

    /// Takes the paths received since the last call.
    pub(super) fn take(&self) -> Vec<PathBuf> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).paths)
    }

    /// Sets a function to be called whenever paths are added.
    pub(super) fn wake_with(&self, wake: Wake) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).wake = Some(wake);
    }
}

impl fmt::Debug for OpenedFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpenedFiles").finish_non_exhaustive()
    }
}
