//! Comparing runtimes: trying each in a process of its own, choosing one for Auto, and timing them side by side.

mod agreement;
mod auto;
mod cache;
mod child;
mod comparison;
mod export;
mod measure;
mod open;
mod outputs_file;
mod statistics;
mod surroundings;
mod trial;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use engines::probe::end_with_parent;
pub use engines::{Found, LibrarySearch, Place, SearchStep, offered_runtimes};

pub use auto::{AutoChoice, choose};
pub use comparison::{Comparison, Step};
pub use export::{difference, to_csv, to_json, to_markdown};
pub use measure::{MEASURE_SUBCOMMAND, MeasureRequest, PROBE_PICTURE, measure};
pub use open::{OpenedRuntime, open_another, open_chosen};
pub use statistics::Statistics;
pub use trial::{RuntimeTable, is_quantised, try_loading, try_runtimes};

use geometry::Size;
use outcome::{DecodeError, RuntimeFault, RuntimeState};
use recipe::{BackendKind, DecodeLimits, DetectSpec, RuntimeOptions};

/// The side the model's input is fitted to: what the published YuNet file is made for.
pub const MODEL_INPUT: Size = Size::new(640, 640);

/// How long a runtime named may take to be tried.
const TRY_LIMIT: Duration = Duration::from_secs(20);

/// How long the library may take for its first try.
const LIBRARY_LIMIT: Duration = Duration::from_secs(8);

/// What is compared.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareSpec {
    /// The photos every runtime looks at.
    pub photos: Vec<PathBuf>,
    /// The runtimes, in the order of the rows.
    pub runtimes: Vec<BackendKind>,
    /// Runs of each runtime on each photo before its times count.
    pub warmup: u32,
    /// Runs of each runtime on each photo whose times count.
    pub repeats: u32,
    /// How sessions are opened.
    pub options: RuntimeOptions,
    /// The model file; `None` for the bundled one.
    pub model: Option<PathBuf>,
    /// How faces are found.
    pub detect: DetectSpec,
    /// How large photos may be.
    pub limits: DecodeLimits,
}

/// One timed look at one photo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Index into [`CompareSpec::photos`].
    pub photo: usize,
    /// Milliseconds to fit the photo into the model's input.
    pub preprocess_ms: f64,
    /// Milliseconds of the engine's run.
    pub inference_ms: f64,
    /// Milliseconds to read the heads and suppress overlaps.
    pub postprocess_ms: f64,
}

impl Sample {
    /// Milliseconds of the whole look.
    pub fn total_ms(&self) -> f64 {
        self.preprocess_ms + self.inference_ms + self.postprocess_ms
    }
}

/// What comparing has shown of one runtime so far.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareRow {
    /// The runtime.
    pub kind: BackendKind,
    /// Whether it could be used.
    pub state: RuntimeState,
    /// Why not.
    pub fault: Option<RuntimeFault>,
    /// The engine's own version.
    pub version: Option<String>,
    /// Milliseconds to load library and model in a fresh process.
    pub cold_ms: Option<f64>,
    /// Milliseconds of the first run in a fresh process.
    pub first_ms: Option<f64>,
    /// Megabytes (10^6 bytes) that a fresh process grew by at its peak.
    pub peak_memory_mb: Option<f64>,
    /// Times that count, in the order they were taken.
    pub samples: Vec<Sample>,
    /// Faces found on all photos together, at the least score of 0.6.
    pub faces: Option<usize>,
    /// The largest difference of any output from the reference's, over all photos; the reference is tract, else the first
    /// runtime that works.
    pub max_difference: Option<f64>,
}

/// A comparison as it stands: one row a runtime, in the order asked for.
#[derive(Clone, Debug, Default)]
pub struct ComparisonTable {
    /// The rows.
    pub rows: Vec<CompareRow>,
    /// Looks done.
    pub done: usize,
    /// Looks to do, once every runtime has been opened.
    pub total: usize,
    /// Photos that gave no picture, and why.
    pub problems: Vec<(PathBuf, Arc<DecodeError>)>,
}
