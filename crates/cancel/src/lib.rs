//! Cancelling and pausing running work.
//!
//! A [`CancelToken`] is passed along with a request. Workers check it between stages and between photos, and decoders check
//! it on every read, so a cancellation never waits in a queue behind the work that it ends. A [`PauseToken`] pauses a
//! batch: no new photo is started while it is set. A [`Generation`] numbers the requests a front end makes for the photo on
//! its canvas, so that stale answers can be recognised and dropped.
//!
//! Clones share one atomic flag; there is no lock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A cancellation flag shared by the requester and the worker; clones share the flag.
///
/// Checked between stages and between photos. Inference is never interrupted.
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    flag: Arc<AtomicBool>,
}

impl CancelToken {
    /// A token that has not been cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the work to stop at its next cancellation point; cannot be undone.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Release);
    }

    /// True once [`CancelToken::cancel`] has been called on any clone.
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }
}

/// A pause switch shared by the requester and the worker: while it is on, no new photo is started. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct PauseToken {
    flag: Arc<AtomicBool>,
}

impl PauseToken {
    /// Pauses or resumes the work.
    pub fn set(&self, paused: bool) {
        self.flag.store(paused, Ordering::Release);
    }

    /// True while the work is paused.
    pub fn is_paused(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }
}

/// A counter carried by requests about the current photo and by their answers: an answer with an old generation is stale.
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
        let clone = token.clone();
        assert!(!clone.is_cancelled());
        token.cancel();
        assert!(clone.is_cancelled());
    }
}
