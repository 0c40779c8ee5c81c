//! Why an engine does not accept a model.

use serde::{Deserialize, Serialize};

/// Why an engine does not accept a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum ModelFault {
    /// The file is no ONNX.
    #[error("the file is not ONNX: its protocol buffer breaks off or is malformed")]
    NotOnnx,
    /// What else stands in the way, in the engine's words.
    #[error("{0}")]
    Engine(String),
}

impl From<String> for ModelFault {
    fn from(words: String) -> Self {
        Self::Engine(words)
    }
}
