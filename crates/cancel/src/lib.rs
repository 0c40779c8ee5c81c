//! Telling running work that nobody waits for it any more.
//!
//! A [`CancelToken`] is handed along with a request. Whoever works looks at it between stages and between photos, and decoders look at
//! it whenever they ask for bytes; cancelling is never queued behind the work that it ends. A [`PauseToken`] does the same for
//! a batch that is to begin no new photo. A [`Generation`] numbers what a front end asks about the photo on its canvas, so that a
//! late answer is recognised and dropped.
//!
//! Clones share one flag; setting it needs no lock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag shared between who asks for work and who does it; clones share the flag.
///
/// Work looks at it between rooms and between pictures. An engine's run is never interrupted.
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    flag: Arc<AtomicBool>,
}

impl CancelToken {
    /// A token that has not been cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop at its next look; cannot be undone.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Release);
    }

    /// True once anybody has called [`CancelToken::cancel`].
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }
}

/// A switch shared between who asks for work and who does it: while it is on, nothing new is begun. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct PauseToken {
    flag: Arc<AtomicBool>,
}

impl PauseToken {
    /// Asks the work to rest, or to go on.
    pub fn set(&self, paused: bool) {
        self.flag.store(paused, Ordering::Release);
    }

    /// True while the work is to rest.
    pub fn is_paused(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }
}

/// Counts what a picture-bound answer was asked for: an answer with an old generation is out of date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Generation(pub u64);

impl Generation {
    /// The generation after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::CancelToken;

    #[test]
    fn clones_share_the_flag() {
        let token = CancelToken::new();
        let seen_by_worker = token.clone();
        assert!(!seen_by_worker.is_cancelled());
        token.cancel();
        assert!(seen_by_worker.is_cancelled());
    }
}
