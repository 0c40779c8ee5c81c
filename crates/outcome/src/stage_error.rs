//! Errors of the pipeline's stages.

use std::path::PathBuf;
use std::sync::Arc;

use geometry::Size;
use recipe::SheetError;

use crate::{DecodeError, DetectError, EncodeError, OpenError, RenderError, RuntimeFault, Stage};

/// Why no runtime is open.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoRuntime {
    /// No runtime was selected.
    #[error("none has been chosen")]
    NotChosen,
    /// The selected runtime has not been opened yet.
    #[error("none has been opened yet")]
    NotOpened,
    /// The selected runtime cannot be used.
    #[error("{0}")]
    Failed(Arc<OpenError>),
}

/// Why the background of a crop cannot be replaced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackgroundFault {
    /// The person model cannot be used.
    #[error("the person model cannot be used: {0}; use another model or runtime, or keep the photo's background")]
    Model(RuntimeFault),
    /// The mask shows nobody in the crop.
    #[error("no person was recognised in the crop; keep the photo's background")]
    NoPerson,
}

/// Why a file paired with a photo cannot be cropped.
#[derive(Debug, thiserror::Error)]
pub enum PairedFault {
    /// It does not show the same area as the photo.
    #[error("it has {paired} pixels, which is another aspect ratio than the photo's {photo}")]
    AspectRatio {
        /// Size of the paired file.
        paired: Size,
        /// Size of the photo.
        photo: Size,
    },
    /// A part of the image is missing, and damaged photos are not included.
    #[error("it is damaged")]
    Damaged,
    /// A stage failed.
    #[error("{0}")]
    Failed(Box<StageError>),
}

/// Why an input failed.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// The file cannot be decoded.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// Detection failed.
    #[error(transparent)]
    Detect(#[from] DetectError),
    /// Rendering the crop failed.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The background cannot be replaced; the crop is not written with the photo's own.
    #[error("the background cannot be replaced: {0}")]
    Background(#[from] BackgroundFault),
    /// Writing the crop failed.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The crops do not fit the print sheet; nothing was written.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// A file paired with the photo cannot be cropped; the photo's own crops are written.
    #[error("the paired file {} cannot be cropped: {fault}", path.display())]
    Paired { path: PathBuf, fault: PairedFault },
    /// No runtime is open.
    #[error("no runtime is open: {0}")]
    NoRuntime(NoRuntime),
    /// A stage panicked on this file; the other files are processed.
    #[error("internal error while processing this file ({stage}): {message}; please report it", stage = stage.id())]
    Panicked {
        /// The stage that panicked.
        stage: Stage,
        /// The panic's message.
        message: String,
    },
}
