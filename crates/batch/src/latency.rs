//! Testing and comparing runtimes.
//!
//! - `trial` tests every runtime in a child process (`child`, `measure`, `face_models`), checks its outputs against tract's
//!   (`agreement`), and caches the results (`cache`); `loading` only loads models.
//! - `auto` chooses the fastest runtime that agrees; `open` opens the chosen one.
//! - `comparison` benchmarks runtimes side by side, also with the whole work of a photo (`whole_photo`); `statistics`,
//!   `ranking` and `export` summarise the times.

mod agreement;
mod auto;
mod cache;
mod child;
mod comparison;
mod export;
mod face_models;
mod loading;
mod measure;
mod open;
mod outputs_file;
mod process_snapshot;
mod ranking;
mod statistics;
mod trial;
mod whole_photo;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use engines::probe::end_with_parent;
pub use engines::{Found, LibrarySearch, Place, SearchStep, offered_runtimes};

pub use agreement::kind_of_model;
pub use auto::{AutoChoice, choose};
pub use comparison::{Comparison, Step};
pub use export::{difference, inputs, times, to_csv, to_json, to_markdown};
pub use loading::{Loads, try_loading, try_loading_all};
pub use measure::{MEASURE_SUBCOMMAND, MeasureRequest, PROBE_PICTURE, measure};
pub use open::{OpenedRuntime, open_another, open_chosen, open_untested};
pub use ranking::is_about_equal;
pub use statistics::Statistics;
pub use trial::{RuntimeTable, is_quantised, try_runtimes};

use geometry::Size;
use outcome::{DecodeError, FaceModelFault, RuntimeFault, RuntimeState, StageTimes};
use recipe::{BackendKind, DecodeLimits, DetectSpec, Recipe, RuntimeOptions};

/// The size of the detector's input: that of the published YuNet model.
pub const MODEL_INPUT: Size = Size::new(640, 640);

/// Timeout for testing a runtime with all models, which some providers compile first.
const TRY_LIMIT: Duration = Duration::from_secs(40);

/// Timeout for the first test of a library.
const LIBRARY_LIMIT: Duration = Duration::from_secs(8);

/// The specification of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareSpec {
    /// The photos, which every runtime processes.
    pub photos: Vec<PathBuf>,
    /// The runtimes, in the order in which they take turns.
    pub runtimes: Vec<BackendKind>,
    /// Warm-up runs of each runtime on each photo.
    pub warmup: u32,
    /// Measured runs of each runtime on each photo.
    pub repeats: u32,
    /// Options for the sessions.
    pub options: RuntimeOptions,
    /// The model file; `None` for the bundled one.
    pub model: Option<PathBuf>,
    pub detect: DetectSpec,
    pub limits: DecodeLimits,
    /// What is cropped from each photo; the crops are not written.
    pub recipe: Recipe,
}

/// The times of one measured run on one photo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Index into [`CompareSpec::photos`].
    pub photo: usize,
    /// Milliseconds of the first pass: preprocessing.
    pub preprocess_ms: f64,
    /// Milliseconds of its inference.
    pub inference_ms: f64,
    /// Milliseconds of its postprocessing: decoding the outputs and suppressing overlaps.
    pub postprocess_ms: f64,
    /// Milliseconds of the landmarks and eyelids of all faces; `None` if a model cannot be used.
    pub landmarks_ms: Option<f64>,
    /// Milliseconds of the person mask of the largest face; `None` if the model cannot be used.
    pub mask_ms: Option<f64>,
    /// Milliseconds of the whole work of the photo, from its file to its encoded crops.
    pub photo_ms: f64,
    /// The stages of that work.
    pub stages: StageTimes,
}

impl Sample {
    /// Milliseconds of the first pass, the landmarks and the mask.
    pub fn total_ms(&self) -> f64 {
        self.detect_ms() + self.landmarks_ms.unwrap_or_default() + self.mask_ms.unwrap_or_default()
    }

    /// Milliseconds of the first pass.
    pub fn detect_ms(&self) -> f64 {
        self.preprocess_ms + self.inference_ms + self.postprocess_ms
    }
}

/// The results of one runtime so far.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareRow {
    pub kind: BackendKind,
    pub state: RuntimeState,
    /// Why it cannot be used.
    pub fault: Option<RuntimeFault>,
    /// The models that it cannot run, although it detects faces.
    pub model_faults: Vec<FaceModelFault>,
    /// The engine's own version.
    pub version: Option<String>,
    /// Milliseconds to load library and model in a new process.
    pub cold_ms: Option<f64>,
    /// Milliseconds of the first run in a new process.
    pub first_ms: Option<f64>,
    /// Peak memory growth of a new process in megabytes (10^6 bytes).
    pub peak_memory_mb: Option<f64>,
    /// Whether its outputs on the probe image agree with tract's; `None` if they were not compared.
    pub agrees: Option<bool>,
    /// The inputs of the first pass on these photos.
    pub inputs: Vec<Size>,
    /// The measured runs, in order.
    pub samples: Vec<Sample>,
    /// Total number of faces detected, with a minimum score of 0.6.
    pub faces: Option<usize>,
    /// The largest difference of any output of the detector from the reference, over all photos; the reference is tract, else the first
    /// runtime that works.
    pub max_difference: Option<f64>,
}

/// The state of a comparison: one row per runtime, in the requested order; [`ComparisonTable::ranked`] sorts them.
#[derive(Clone, Debug, Default)]
pub struct ComparisonTable {
    pub rows: Vec<CompareRow>,
    /// Runs done.
    pub done: usize,
    /// Total number of runs, known once every runtime has been opened.
    pub total: usize,
    /// Photos that could not be decoded, and why.
    pub problems: Vec<(PathBuf, Arc<DecodeError>)>,
}
