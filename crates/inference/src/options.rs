//! How sessions are opened.

use std::path::PathBuf;

use geometry::Size;
use recipe::RuntimeOptions;

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
