//! Files and folders that the system hands over while the window is open.
//!
//! macOS does not put into the arguments what is opened with an application, from Finder or by dropping it on the Dock: it
//! tells of it by an event, at the start and later alike.

#[cfg(target_os = "macos")]
mod macos;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use batch::worker::Wake;

#[cfg(target_os = "macos")]
pub(super) use macos::listen;

/// The paths handed over and not yet taken; copies share them.
#[derive(Clone, Default)]
pub struct OpenedFiles(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    paths: Vec<PathBuf>,
    wake: Option<Wake>,
}

impl OpenedFiles {
    /// Hands `paths` over; the window, where there is one by now, adds them in its next pass.
    pub fn add(&self, paths: impl IntoIterator<Item = PathBuf>) {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.paths.extend(paths);
        if let Some(wake) = waiting.wake.clone() {
            drop(waiting);
            wake();
        }
    }

    /// What was handed over since the last time.
    pub(super) fn take(&self) -> Vec<PathBuf> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).paths)
    }

    /// Has `wake` called whenever something is handed over.
    pub(super) fn wake_with(&self, wake: Wake) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).wake = Some(wake);
    }
}

impl fmt::Debug for OpenedFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OpenedFiles").finish_non_exhaustive()
    }
}
