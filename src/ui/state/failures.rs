//! Why a requested result is missing.

use std::sync::Arc;

use outcome::StageError;

/// Why a photo is not shown.
#[derive(Clone, Debug)]
pub(crate) enum PhotoFailure {
    /// It was being read when the program crashed, and the user has not confirmed opening it.
    Quarantined,
    /// Its file was missing when the project was opened.
    Missing,
    /// It could not be read or processed.
    Failed(Arc<StageError>),
}

/// Why a request has no answer.
#[derive(Clone, Debug)]
pub(crate) enum Unanswered {
    Failed(Arc<StageError>),
    /// It was dropped before it was started, or the worker has exited.
    Dropped,
}

/// Why a result is missing: the answer is an error, or there is no answer.
#[derive(Debug)]
pub(crate) enum Unavailable<E> {
    Answer(E),
    Unanswered(Unanswered),
}
