//! What a library shares with the program that loads it, and must leave as it was.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

/// Environment, working folder and standard streams of this process, as they were.
pub(super) struct Surroundings {
    variables: BTreeMap<OsString, OsString>,
    folder: Option<PathBuf>,
    streams: usize,
}

impl Surroundings {
    /// As they are now.
    pub(super) fn now() -> Self {
        Self { variables: std::env::vars_os().collect(), folder: std::env::current_dir().ok(), streams: open_streams() }
    }

    /// What was changed since, in words. A variable that is new does no harm: libraries speak with each other that way.
    pub(super) fn changed(&self) -> Option<String> {
        let now = Self::now();
        let changed = self.variables.iter().filter(|(name, value)| now.variables.get(*name) != Some(*value));
        let names: Vec<_> = changed.map(|(name, _)| name.to_string_lossy()).collect();
        if !names.is_empty() {
            Some(format!("the environment ({})", names.join(", ")))
        } else if now.folder != self.folder {
            Some("the working folder".to_owned())
        } else if now.streams < self.streams {
            Some("the standard streams, of which it closed one".to_owned())
        } else {
            None
        }
    }
}

/// How many of standard input, standard output and standard error are open. What is opened next takes the number of one that is
/// not, so that a message could end up in a crop.
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
