//! The model file in memory.

use std::path::Path;
use std::sync::Arc;

use outcome::BackendError;
use recipe::{ModelKind, RuntimeOptions};

/// Displayed name of the model compiled into the program.
pub const BUNDLED_MODEL_NAME: &str = "face_detection_yunet_2023mar.onnx (bundled)";

/// Maximum size of a model file in bytes. A face detector of this architecture has some hundred kilobytes; nothing a
/// thousand times larger is read into memory.
const MAX_MODEL_BYTES: u64 = 1 << 30;

static DETECTOR: &[u8] = include_bytes!("../../../models/face_detection_yunet_2023mar.onnx");
static LANDMARKS: &[u8] = include_bytes!("../../../models/face_landmark.onnx");
static EYELIDS: &[u8] = include_bytes!("../../../models/iris_landmark.onnx");
static PERSON: &[u8] = include_bytes!("../../../models/person.onnx");

/// Name of the bundled model file for `kind`.
pub const fn file_name(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Detector => "face_detection_yunet_2023mar.onnx",
        ModelKind::Landmarks => "face_landmark.onnx",
        ModelKind::Eyelids => "iris_landmark.onnx",
        ModelKind::Person => "person.onnx",
    }
}

/// Input side in pixels of the bundled model for `kind`; `None` for the detector, which has no fixed input.
pub const fn fixed_input(kind: ModelKind) -> Option<u32> {
    match kind {
        ModelKind::Detector => None,
        ModelKind::Landmarks => Some(192),
        ModelKind::Eyelids => Some(64),
        ModelKind::Person => Some(256),
    }
}

const fn bundled_bytes(kind: ModelKind) -> &'static [u8] {
    match kind {
        ModelKind::Detector => DETECTOR,
        ModelKind::Landmarks => LANDMARKS,
        ModelKind::Eyelids => EYELIDS,
        ModelKind::Person => PERSON,
    }
}

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
        Self { name: BUNDLED_MODEL_NAME.to_owned(), bytes: DETECTOR.into() }
    }

    /// The model compiled into the program for `kind`.
    pub fn bundled_for(kind: ModelKind) -> Self {
        Self { name: format!("{} (bundled)", file_name(kind)), bytes: bundled_bytes(kind).into() }
    }

    /// What the model compiled into the program with the same bytes is for; `None` for any other model.
    pub fn bundled_kind(&self) -> Option<ModelKind> {
        ModelKind::ALL.into_iter().find(|kind| bundled_bytes(*kind) == &*self.bytes)
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

    /// The model for `kind`, which describes faces: from the folder in `options`, or the bundled one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn for_faces(kind: ModelKind, options: &RuntimeOptions) -> Result<Self, BackendError> {
        let folder = options.face_models.as_ref();
        folder.map_or_else(|| Ok(Self::bundled_for(kind)), |folder| Self::read(&folder.join(file_name(kind))))
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
    use super::{ModelBytes, ModelKind};

    #[test]
    fn a_folder_is_not_a_model() {
        let refused = ModelBytes::read(std::env::temp_dir().as_path());
        assert!(matches!(refused, Err(outcome::BackendError::NotAModel { .. })));
    }

    #[test]
    fn the_bundled_models_are_the_published_files() {
        use sha2::{Digest, Sha256};
        // The digests in models/README.md.
        for (kind, published) in [
            (ModelKind::Detector, "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4"),
            (ModelKind::Landmarks, "245049d0be78b2fcdac01674196744828ebf0558f79c07885eb9f822313eaecb"),
            (ModelKind::Eyelids, "967a6c7b9b45040fd274142750abe1ccc7ef824259d57f44b59180260aef2639"),
            (ModelKind::Person, "6b0301c36665f10720c7486331213076fae70b8e33d17736686cf770ec89feda"),
        ] {
            let model = ModelBytes::bundled_for(kind);
            let digest: String = Sha256::digest(model.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(digest, published, "{}", model.name);
        }
    }
}
