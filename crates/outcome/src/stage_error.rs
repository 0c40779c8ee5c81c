//! A room's failure, with the stage it happened in.

use std::sync::Arc;

use recipe::SheetError;

use crate::{DecodeError, DetectError, EncodeError, OpenError, RenderError, Stage};

/// Why no runtime is open.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoRuntime {
    /// Nobody has chosen one.
    #[error("none has been chosen")]
    NotChosen,
    /// None has been opened so far.
    #[error("none has been opened yet")]
    NotOpened,
    /// The one that was chosen cannot be used.
    #[error("{0}")]
    Failed(Arc<OpenError>),
}

/// Why an input failed.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// The file gives no picture.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// Looking for faces failed.
    #[error(transparent)]
    Detect(#[from] DetectError),
    /// The crop could not be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The crop could not be written.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The crops do not fit on the sheet to print as asked; nothing was written.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// No runtime is open.
    #[error("no runtime is open: {0}")]
    NoRuntime(NoRuntime),
    /// A part of the program panicked on this file; the rest goes on.
    #[error("the program met a fault of its own while handling this file ({stage}): {message}; please report it", stage = stage.id())]
    Panicked {
        /// The stage it happened in.
        stage: Stage,
        /// The panic's message.
        message: String,
    },
}
