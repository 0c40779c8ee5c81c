//! How sessions are opened.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::geometry::Size;

/// How much an engine rewrites the model's graph before running it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimization {
    /// Not at all.
    Off,
    /// What keeps the graph the same on every machine.
    Basic,
    /// Fused operators as well.
    Extended,
    /// Everything, layouts for this machine among it.
    #[default]
    All,
}

/// What a person may say of runtimes; kept in the settings.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RuntimeOptions {
    /// Threads an engine may use for one run; 0 leaves it to the engine.
    pub threads: usize,
    /// How much the graph is rewritten; engines without a choice always do everything.
    pub optimization: Optimization,
    /// The ONNX Runtime library, or the folder it is in; `None` looks in the documented places.
    pub library: Option<PathBuf>,
    /// Which device of a provider that has several, counted from 0.
    pub device: u32,
}

impl RuntimeOptions {
    /// Most threads of one run; far more than any processor this network could fill.
    pub const MAX_THREADS: usize = 256;
}

/// How one session is opened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionOptions {
    /// Pixels of the model's input; multiples of 32 for YuNet.
    pub input: Size,
    /// What the person says.
    pub runtime: RuntimeOptions,
    /// Where engines may keep what they compiled; `None` keeps nothing.
    pub cache_dir: Option<PathBuf>,
}

impl SessionOptions {
    /// A session for inputs of `input` pixels with everything else as usual, and nothing kept on disk.
    pub fn new(input: Size) -> Self {
        Self { input, runtime: RuntimeOptions::default(), cache_dir: None }
    }
}
