//! Reasons for which an engine rejects a model.

use serde::{Deserialize, Serialize};

/// Why an engine rejects a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ModelFault {
    #[error("not an ONNX file: its protocol buffer is truncated or malformed")]
    NotOnnx,
    /// Any other reason, as the engine's message.
    #[error("{0}")]
    Engine(String),
}

impl From<String> for ModelFault {
    fn from(message: String) -> Self {
        Self::Engine(message)
    }
}
