//! The Burn engine: pure Rust, on the CPU; included for comparisons. Optional feature `burn`. The bundled model is
//! compiled in, and no other model can be loaded.

use burn_core::tensor::{Device, Tensor, TensorData};
use burn_store::{BurnpackStore, ModuleSnapshot};
use ndarray::ArrayView4;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sha2::{Digest, Sha256};

use inference::onnx::ModelSummary;
use inference::{Backend, ModelBytes, Outputs, Session, SessionOptions, input_values, one_line};
use outcome::{BackendError, OutputInfo, SessionInfo};
use recipe::BackendKind;

// Generated together with the weights, in the same folder as the script that does it.
#[path = "../../../models/burn/network.rs"]
mod network;

use network::{MODEL_SHA256, Network};

/// Version of Burn, as in Cargo.lock; checked by a test.
const VERSION: &str = "0.22.1";

/// Bytes with the alignment that Burn's weights need: they are read in place as 32-bit floats, each tensor at a
/// multiple of 256 bytes from the file's start. With another alignment the first run panics.
#[repr(C, align(256))]
struct Aligned<B: ?Sized>(B);

static WEIGHTS: &Aligned<[u8]> = &Aligned(*include_bytes!("../../../models/burn/weights.bpk"));

/// Multiple that input width and height must have, the coarsest stride: the network halves its input five times and
/// adds upsampled levels.
const COARSEST: usize = 32;

/// The engine.
pub static BURN: Burn = Burn;

/// Opens sessions of the bundled model only.
#[derive(Debug)]
pub struct Burn;

impl Backend for Burn {
    fn open(
        &self,
        _: BackendKind,
        model: &ModelBytes,
        options: &SessionOptions,
    ) -> Result<Box<dyn Session>, BackendError> {
        let load = |reason| BackendError::Load { kind: BackendKind::Burn, model: model.name.clone(), reason };
        let refused = |error: &dyn std::fmt::Display| load(one_line(error).into());
        let digest: String = Sha256::digest(model.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        if digest != MODEL_SHA256 {
            return Err(refused(&"it has the bundled model compiled in and cannot load another"));
        }
        let shape = [1, 3, options.input.height as usize, options.input.width as usize];
        // Otherwise a run would panic, while other engines report an error when loading.
        if shape[2..].iter().any(|side| *side == 0 || !side.is_multiple_of(COARSEST)) {
            return Err(refused(&format!("its input must be a multiple of {COARSEST} wide and high")));
        }
        let device = Device::flex();
        let mut network = Network::new(&device);
        network.load_from(&mut BurnpackStore::from_static(&WEIGHTS.0)).map_err(|error| refused(&error))?;
        let threads = options.runtime.threads;
        let pool = (threads > 0).then(|| ThreadPoolBuilder::new().num_threads(threads).build());
        // The generated source has the order of the outputs, but not their names.
        let summary = ModelSummary::read(model.as_bytes()).map_err(|error| load(error.into()))?;
        let outputs = summary.outputs.into_iter().map(|output| OutputInfo { name: output.name, shape: None }).collect();
        let info = SessionInfo {
            kind: BackendKind::Burn,
            version: VERSION.to_owned(),
            device: "CPU".to_owned(),
            input: options.input,
            outputs,
        };
        let pool = pool.transpose().map_err(|error| refused(&error))?;
        Ok(Box::new(BurnSession { info, shape, network, device, pool }))
    }
}

struct BurnSession {
    info: SessionInfo,
    shape: [usize; 4],
    network: Network,
    device: Device,
    /// Thread pool of this session; `None` for the engine's default.
    pool: Option<ThreadPool>,
}

impl Session for BurnSession {
    fn info(&self) -> &SessionInfo {
        &self.info
    }

    fn run(&mut self, input: ArrayView4<'_, f32>, outputs: &mut Outputs) -> Result<(), BackendError> {
        let values = input_values(&input, self.shape)?.into_owned();
        let (network, device) = (&self.network, &self.device);
        let run = || {
            let tensor = Tensor::<4>::from_data(TensorData::new(values, self.shape), device);
            network.forward(tensor).map(Tensor::try_into_data)
        };
        let results = match &self.pool {
            Some(pool) => pool.install(run),
            None => run(),
        };
        for (index, (info, result)) in self.info.outputs.iter().zip(results).enumerate() {
            let data = result.map_err(|error| run_error(&error))?;
            let values = data.as_slice::<f32>().map_err(|error| run_error(&error))?;
            outputs.set(index, &info.name, data.shape(), values.iter().copied());
        }
        Ok(())
    }
}

fn run_error(error: &dyn std::fmt::Display) -> BackendError {
    BackendError::Run { kind: BackendKind::Burn, reason: one_line(error) }
}

#[cfg(test)]
mod tests {
    use geometry::Size;

    use super::*;

    #[test]
    fn the_version_matches_the_lock_file() {
        let lock = include_str!("../../../Cargo.lock");
        for name in ["burn-core", "burn-flex", "burn-nn", "burn-store"] {
            assert!(lock.contains(&format!("name = \"{name}\"\nversion = \"{VERSION}\"")), "{name}");
        }
    }

    #[test]
    fn the_weights_are_aligned_for_floats() {
        assert_eq!((WEIGHTS.0.as_ptr().addr() % 256, WEIGHTS.0.len() > 200_000), (0, true));
    }

    #[test]
    fn another_model_is_rejected_with_a_message() {
        let bundled = ModelBytes::bundled();
        let other = ModelBytes::from_bytes("other.onnx", [bundled.as_bytes(), b"\0"].concat());
        let options = SessionOptions::new(Size::new(64, 64));
        let refused = BURN.open(BackendKind::Burn, &other, &options).err().expect("refused");
        assert!(matches!(refused, BackendError::Load { .. }));
        let message =
            "Burn cannot load the model other.onnx: it has the bundled model compiled in and cannot load another";
        assert_eq!(refused.to_string(), message);
        // A copy of the bundled file is accepted.
        let copy = ModelBytes::from_bytes("copy.onnx", bundled.as_bytes());
        assert!(BURN.open(BackendKind::Burn, &copy, &options).is_ok());
    }

    #[test]
    fn an_input_that_is_not_a_multiple_of_32_is_rejected() {
        for (width, height) in [(0, 32), (32, 0), (48, 64), (64, 33)] {
            let options = SessionOptions::new(Size::new(width, height));
            let refused = BURN.open(BackendKind::Burn, &ModelBytes::bundled(), &options).err().expect("refused");
            assert!(refused.to_string().contains("multiple of 32"), "{refused}");
        }
    }
}
