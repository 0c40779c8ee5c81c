//! Detects changes that a library makes to global state of the process.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// A snapshot of environment, working folder and standard streams.
pub(super) struct ProcessSnapshot {
    variables: BTreeMap<OsString, OsString>,
    folder: Option<PathBuf>,
    streams: usize,
}

impl ProcessSnapshot {
    pub(super) fn now() -> Self {
        Self { variables: std::env::vars_os().collect(), folder: std::env::current_dir().ok(), streams: open_streams() }
    }

    /// Describes what has changed since. New variables are ignored, since libraries use them to communicate with each other.
    pub(super) fn changed(&self) -> Option<String> {
        let now = Self::now();
        let changed = self.variables.iter().filter(|(name, value)| now.variables.get(*name) != Some(*value));
        let names: Vec<_> = changed.map(|(name, _)| name.to_string_lossy()).collect();
        if !names.is_empty() {
            Some(format!("the environment ({})", names.join(", ")))
        } else if now.folder != self.folder {
            Some("the working folder".to_owned())
        } else if now.streams < self.streams {
            Some("the standard streams (it closed one)".to_owned())
        } else {
            None
        }
    }
}

/// The number of open standard streams. The next file opened would get the descriptor of a closed one, so that a message
/// could end up in a crop.
fn open_streams() -> usize {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let is_open = |stream: &dyn AsFd| stream.as_fd().try_clone_to_owned().is_ok();
        let streams: [&dyn AsFd; 3] = [&std::io::stdin(), &std::io::stdout(), &std::io::stderr()];
        streams.into_iter().filter(|stream| is_open(*stream)).count()
    }
    #[cfg(not(unix))]
    3
}
