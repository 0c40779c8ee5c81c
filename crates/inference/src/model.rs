//! The model file in memory.

use std::path::Path;
use std::sync::Arc;

use outcome::BackendError;

/// Displayed name of the model compiled into the program.
pub const BUNDLED_MODEL_NAME: &str = "face_detection_yunet_2023mar.onnx (bundled)";

/// Maximum size of a model file in bytes. A face detector of this architecture has some hundred kilobytes; nothing a
/// thousand times larger is read into memory.
const MAX_MODEL_BYTES: u64 = 1 << 30;

static BUNDLED: &[u8] = include_bytes!("../../../models/face_detection_yunet_2023mar.onnx");

/// An ONNX model in memory; clones share the bytes.
#[derive(Clone)]
pub struct ModelBytes {
    /// Displayed name: a path, or [`BUNDLED_MODEL_NAME`].
    pub name: String,
    bytes: Arc<[u8]>,
}

impl ModelBytes {
    /// The model compiled into the program: YuNet 2023mar.
    pub fn bundled() -> Self {
        Self { name: BUNDLED_MODEL_NAME.to_owned(), bytes: BUNDLED.into() }
    }

    /// Reads a model file.
    ///
    /// # Errors
    /// The file cannot be read, is not a regular file (reading a device would never end), or is far too large for a
    /// model.
    pub fn read(path: &Path) -> Result<Self, BackendError> {
        let unreadable = |source| BackendError::ModelUnreadable { path: path.to_owned(), source };
        let metadata = std::fs::metadata(path).map_err(unreadable)?;
        if !metadata.is_file() || metadata.len() > MAX_MODEL_BYTES {
            return Err(BackendError::NotAModel { path: path.to_owned() });
        }
        let bytes = std::fs::read(path).map_err(unreadable)?;
        Ok(Self { name: path.display().to_string(), bytes: bytes.into() })
    }

    /// The model at `path`, or the bundled one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read_or_bundled(path: Option<&Path>) -> Result<Self, BackendError> {
        path.map_or_else(|| Ok(Self::bundled()), Self::read)
    }

    /// A model from bytes in memory, called `name` in messages.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }

    /// The ONNX file's bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl std::fmt::Debug for ModelBytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ModelBytes({}, {} bytes)", self.name, self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::ModelBytes;

    #[test]
    fn a_folder_is_not_a_model() {
        let refused = ModelBytes::read(std::env::temp_dir().as_path());
        assert!(matches!(refused, Err(outcome::BackendError::NotAModel { .. })));
    }

    #[test]
    fn the_bundled_model_is_the_published_file() {
        use sha2::{Digest, Sha256};
        let digest: String =
            Sha256::digest(ModelBytes::bundled().as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4");
    }
}
