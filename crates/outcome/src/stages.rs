//! The stages of the pipeline and the time spent in each.

use std::time::Instant;

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Finding and opening the file.
    Import,
    /// From file to upright pixels.
    Decode,
    /// From image to the codes of cards.
    Codes,
    /// From image to input tensor.
    Preprocess,
    /// The engine's run.
    Inference,
    /// From output tensors to faces.
    Postprocess,
    /// From faces to landmarks and eyelids.
    Landmarks,
    /// From faces to the person mask.
    Mask,
    /// From faces to crop frames.
    Plan,
    /// From frame to output pixels.
    Render,
    /// From output pixels to a file.
    Encode,
}

impl Stage {
    /// Every stage in pipeline order.
    pub const ALL: [Self; 11] = [
        Self::Import,
        Self::Decode,
        Self::Codes,
        Self::Preprocess,
        Self::Inference,
        Self::Postprocess,
        Self::Landmarks,
        Self::Mask,
        Self::Plan,
        Self::Render,
        Self::Encode,
    ];

    /// The name used in logs and JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Import => "import",
            Self::Decode => "decode",
            Self::Codes => "codes",
            Self::Preprocess => "preprocess",
            Self::Inference => "inference",
            Self::Postprocess => "postprocess",
            Self::Landmarks => "landmarks",
            Self::Mask => "mask",
            Self::Plan => "plan",
            Self::Render => "render",
            Self::Encode => "encode",
        }
    }
}

/// Milliseconds spent in each stage.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct StageTimes {
    ms: [Option<f64>; Stage::ALL.len()],
}

impl StageTimes {
    pub fn add(&mut self, stage: Stage, ms: f64) {
        *self.ms[stage as usize].get_or_insert(0.0) += ms;
    }

    /// Milliseconds spent in `stage`; `None` if it was not run.
    pub fn get(&self, stage: Stage) -> Option<f64> {
        self.ms[stage as usize]
    }

    /// The stages that were run with their milliseconds, in pipeline order.
    pub fn iter(&self) -> impl Iterator<Item = (Stage, f64)> + '_ {
        Stage::ALL.into_iter().filter_map(|stage| Some((stage, self.get(stage)?)))
    }

    /// Runs `work` and adds its duration to `stage`.
    pub fn time<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let product = work();
        self.add(stage, start.elapsed().as_secs_f64() * 1e3);
        product
    }
}
