//! Probe results of each runtime on this machine.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use recipe::{BackendKind, ModelKind};

use crate::{Device, FaceModelFault, RuntimeFault};

/// Whether a runtime can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuntimeState {
    /// A session was opened and one run finished.
    Ready,
    /// Its library is missing or unusable.
    Missing,
    /// It is available but opening or the first run failed.
    Failed,
    /// It is not part of this build, of the ONNX Runtime library, or of this operating system.
    Unsupported,
}

impl RuntimeState {
    /// The name used in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Missing => "missing",
            Self::Failed => "failed",
            Self::Unsupported => "unsupported",
        }
    }
}

/// The result of probing one runtime in a separate process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuntimeReport {
    pub kind: BackendKind,
    /// Whether it can be used.
    pub state: RuntimeState,
    /// The reason; `None` if it is ready.
    pub fault: Option<RuntimeFault>,
    /// The engine's version.
    pub version: Option<String>,
    /// The library file it was loaded from.
    pub library: Option<PathBuf>,
    /// The device it computes on.
    pub device: Option<String>,
    /// The devices it can compute on; empty if it cannot choose one or they are unknown.
    #[serde(default)]
    pub devices: Vec<Device>,
    /// Milliseconds to load library and model in a new process.
    pub load_ms: Option<f64>,
    /// Milliseconds of the first run in a new process.
    pub first_ms: Option<f64>,
    /// Median milliseconds of a few further runs of the detector.
    pub warm_ms: Option<f64>,
    /// The models that describe faces; empty if they were not tested.
    #[serde(default)]
    pub models: Vec<ModelReport>,
    /// Peak memory growth of the process since before loading, in megabytes (10^6 bytes).
    pub peak_memory_mb: Option<f64>,
    /// Whether its outputs on the probe image agree with tract's; `None` if they were not compared.
    pub agrees: Option<bool>,
    /// The largest difference of any output from tract's on the probe image.
    pub max_difference: Option<f64>,
    /// For ONNX Runtime's CPU provider: the runtimes that its library includes; `None` if unknown.
    #[serde(default)]
    pub in_library: Option<Vec<BackendKind>>,
}

/// The result of probing a model that describes faces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelReport {
    pub model: ModelKind,
    /// Median milliseconds of a few runs after the first; `None` if it was not timed.
    pub warm_ms: Option<f64>,
    /// Why it cannot be used.
    pub fault: Option<RuntimeFault>,
}

/// How often each model runs for a photo with one face: the landmarks are found in two cuts, and each eye has its own.
const RUNS: [(ModelKind, f64); 3] = [(ModelKind::Landmarks, 2.0), (ModelKind::Eyelids, 2.0), (ModelKind::Person, 1.0)];

impl RuntimeReport {
    /// A report with only a state and its reason.
    pub fn new(kind: BackendKind, state: RuntimeState, fault: Option<RuntimeFault>) -> Self {
        Self {
            kind,
            state,
            fault,
            version: None,
            library: None,
            device: None,
            devices: Vec::new(),
            load_ms: None,
            first_ms: None,
            warm_ms: None,
            models: Vec::new(),
            peak_memory_mb: None,
            agrees: None,
            max_difference: None,
            in_library: None,
        }
    }

    /// Milliseconds of the whole work of a photo with one face: detector, landmarks, eyelids and person mask. Models that
    /// cannot be used are not included. `None` if the detector was not timed.
    pub fn photo_ms(&self) -> Option<f64> {
        let of = |kind: ModelKind| self.models.iter().find(|report| report.model == kind)?.warm_ms;
        let models: f64 = RUNS.into_iter().map(|(kind, runs)| runs * of(kind).unwrap_or_default()).sum();
        Some(self.warm_ms? + models)
    }

    /// The models that cannot be used, although the detector may be.
    pub fn model_faults(&self) -> impl Iterator<Item = FaceModelFault> {
        self.models
            .iter()
            .filter_map(|report| Some(FaceModelFault { model: report.model, fault: report.fault.clone()? }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(models: &[(ModelKind, Option<f64>)]) -> RuntimeReport {
        let model = |(model, warm_ms): &(ModelKind, Option<f64>)| ModelReport {
            model: *model,
            warm_ms: *warm_ms,
            fault: warm_ms.is_none().then_some(RuntimeFault::Unknown),
        };
        RuntimeReport {
            warm_ms: Some(10.0),
            models: models.iter().map(model).collect(),
            ..RuntimeReport::new(BackendKind::Tract, RuntimeState::Ready, None)
        }
    }

    #[test]
    fn the_time_of_a_photo_includes_every_run_of_each_model() {
        let all = [(ModelKind::Landmarks, Some(3.0)), (ModelKind::Eyelids, Some(1.0)), (ModelKind::Person, Some(20.0))];
        assert_eq!((report(&all).photo_ms(), report(&all).model_faults().count()), (Some(38.0), 0));
        let two = [all[0], all[1], (ModelKind::Person, None)];
        assert_eq!(report(&two).photo_ms(), Some(18.0));
        let faults: Vec<_> = report(&two).model_faults().collect();
        assert_eq!(faults, [FaceModelFault { model: ModelKind::Person, fault: RuntimeFault::Unknown }]);
        assert_eq!(RuntimeReport { warm_ms: None, ..report(&all) }.photo_ms(), None, "it was only loaded");
    }
}
