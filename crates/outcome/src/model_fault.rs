//! Reasons for which an engine rejects a model, and what models are for.

use recipe::ModelKind;
use serde::{Deserialize, Serialize};

/// What a model is for, in English.
pub const fn model_title(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Detector => "face detection",
        ModelKind::Landmarks => "face landmarks",
        ModelKind::Eyelids => "eyelids",
        ModelKind::Person => "person mask",
    }
}

/// Why an engine rejects a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ModelFault {
    #[error("not an ONNX file: its protocol buffer is truncated or malformed")]
    NotOnnx,
    /// It has other inputs or outputs than the program expects.
    #[error("it has another layout: {0}")]
    Layout(String),
    /// Any other reason, as the engine's message.
    #[error("{0}")]
    Engine(String),
}

impl From<String> for ModelFault {
    fn from(message: String) -> Self {
        Self::Engine(message)
    }
}
