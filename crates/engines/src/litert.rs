//! LiteRT, formerly TensorFlow Lite, through its shared library: loaded once, from an absolute path. It runs the bundled models
//! only, on the CPU with XNNPACK.
//!
//! The library does not tell its version, and in other versions functions of the same names have other parameters: only a
//! file with a known SHA-256 is loaded (`litert_api.rs`).

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use ndarray::ArrayView4;

use inference::onnx::ModelSummary;
use inference::{Backend, ModelBytes, Outputs, Session, SessionOptions, fixed_input, input_values};
use outcome::{BackendError, LibraryError, OutputInfo, SessionInfo};
use recipe::{BackendKind, ModelKind, RuntimeLibrary};

use super::litert_api::{Functions, Network, VERSION, load};
use super::locate::library_of;

pub(super) static LITERT: Litert = Litert;

pub(super) struct Litert;

/// The models as TFLite files, by `models/convert_tflite.py`, with the inputs and outputs of the ONNX files.
#[repr(C, align(16))]
struct Aligned<B: ?Sized>(B);

static DETECTOR: &Aligned<[u8]> =
    &Aligned(*include_bytes!("../../../models/tflite/face_detection_yunet_2023mar.tflite"));
static LANDMARKS: &Aligned<[u8]> = &Aligned(*include_bytes!("../../../models/tflite/face_landmark.tflite"));
static EYELIDS: &Aligned<[u8]> = &Aligned(*include_bytes!("../../../models/tflite/iris_landmark.tflite"));
static PERSON: &Aligned<[u8]> = &Aligned(*include_bytes!("../../../models/tflite/person.tflite"));

fn tflite(kind: ModelKind) -> &'static [u8] {
    match kind {
        ModelKind::Detector => &DETECTOR.0,
        ModelKind::Landmarks => &LANDMARKS.0,
        ModelKind::Eyelids => &EYELIDS.0,
        ModelKind::Person => &PERSON.0,
    }
}

/// Multiple that the sides of the detector's input must have: the network halves it five times and adds upsampled levels.
const COARSEST: u32 = 32;

impl Backend for Litert {
    fn open(
        &self,
        kind: BackendKind,
        model: &ModelBytes,
        options: &SessionOptions,
    ) -> Result<Box<dyn Session>, BackendError> {
        let functions = load_library(&library_of(&options.runtime, RuntimeLibrary::LiteRt)?)?;
        let load_error = |reason| BackendError::Load { kind, model: model.name.clone(), reason };
        let refused = |reason: String| load_error(reason.into());
        let summary = ModelSummary::read(model.as_bytes()).map_err(|error| load_error(error.into()))?;
        let Some(bundled) = model.bundled_kind() else {
            return Err(refused("it has the bundled models compiled in and cannot load others".to_owned()));
        };
        let input = options.input;
        match fixed_input(bundled) {
            Some(side) if (input.width, input.height) != (side, side) => {
                return Err(refused(format!("its input must be {side} x {side} pixels")));
            }
            None if [input.width, input.height].iter().any(|side| *side == 0 || side % COARSEST != 0) => {
                return Err(refused(format!("its input must be a multiple of {COARSEST} wide and high")));
            }
            _ => {}
        }
        let threads = match options.runtime.threads {
            0 => available_parallelism().map_or(1, NonZeroUsize::get),
            threads => threads,
        };
        let names: Vec<String> = summary.outputs.into_iter().map(|output| output.name).collect();
        let network = Network::new(functions, tflite(bundled), input.height, input.width, names.len(), threads)
            .map_err(|failure| refused(failure.to_string()))?;
        let outputs = names.into_iter().zip(network.outputs());
        let outputs = outputs.map(|(name, (shape, _))| OutputInfo { name, shape: Some(shape.to_vec()) }).collect();
        let info =
            SessionInfo { kind, version: VERSION.to_owned(), device: "CPU".to_owned(), input: options.input, outputs };
        let shape = [1, 3, input.height as usize, input.width as usize];
        Ok(Box::new(LitertSession { info, shape, network }))
    }
}

/// The library loaded into this process.
static LOADED: Mutex<Option<(PathBuf, &'static Functions)>> = Mutex::new(None);

/// Loads the library at `path`, unless it is loaded already.
fn load_library(path: &Path) -> Result<&'static Functions, LibraryError> {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, functions)) = &*loaded {
        if known != path {
            return Err(LibraryError::RestartToApply { path: path.to_owned(), loaded: known.clone() });
        }
        return Ok(functions);
    }
    let functions = load(path)?;
    *loaded = Some((path.to_owned(), functions));
    Ok(functions)
}

struct LitertSession {
    info: SessionInfo,
    shape: [usize; 4],
    network: Network,
}

impl Session for LitertSession {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn run(&mut self, input: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError> {
        self.network.input().copy_from_slice(&input_values(&input, self.shape)?);
        let kind = self.info.kind;
        self.network.run().map_err(|failure| BackendError::Run { kind, reason: failure.to_string() })?;
        for (index, (info, (shape, values))) in self.info.outputs.iter().zip(self.network.outputs()).enumerate() {
            outputs.set(index, &info.name, shape, values.iter().copied());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_models_are_the_files_on_the_models_page() {
        let page = include_str!("../../../models/README.md");
        for kind in ModelKind::ALL {
            let digest: String = Sha256::digest(tflite(kind)).iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(page.contains(&digest), "{kind}: {digest}");
            assert_eq!(tflite(kind).as_ptr().addr() % 16, 0, "{kind}: the library reads numbers in place");
        }
    }

    #[test]
    fn another_library_is_not_loaded() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("libLiteRt.so");
        std::fs::write(&path, "another version").expect("written");
        let refused = load_library(&path).err().expect("refused");
        assert_eq!(refused, LibraryError::OtherVersion { path, needed: VERSION.to_owned() });
        assert!(refused.to_string().ends_with("run installer/onnxruntime/fetch.py --flavour litert"), "{refused}");
    }
}
