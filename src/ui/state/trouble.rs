//! Why something that the window asked for is not there.

use std::sync::Arc;

use outcome::StageError;

/// Why a photo is not shown.
#[derive(Clone, Debug)]
pub(crate) enum PhotoFailure {
    /// It was being read when the program ended, and nobody has said that it may be read again.
    Quarantined,
    /// Its file was not there when its project was opened.
    Missing,
    /// It cannot be read or looked at.
    Failed(Arc<StageError>),
}

/// Why a request has no answer.
#[derive(Clone, Debug)]
pub(crate) enum Unanswered {
    /// It failed.
    Failed(Arc<StageError>),
    /// It was dropped before it was begun, or the worker is gone.
    Dropped,
}

/// Why something is not there: the answer says it, or there is no answer.
#[derive(Debug)]
pub(crate) enum Trouble<E> {
    Answer(E),
    Unanswered(Unanswered),
}
