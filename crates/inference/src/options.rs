//! Options for opening a session.

use std::path::PathBuf;

use geometry::Size;
use recipe::RuntimeOptions;

/// Options for opening a session.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SessionOptions {
    /// Input size of the model in pixels; multiples of 32 for YuNet.
    pub input: Size,
    /// The user's runtime options.
    pub runtime: RuntimeOptions,
    /// Folder for graphs compiled by engines; `None` disables the cache.
    pub cache_dir: Option<PathBuf>,
}

impl SessionOptions {
    /// Default options for inputs of `input` pixels, without a cache.
    pub fn new(input: Size) -> Self {
        Self { input, runtime: RuntimeOptions::default(), cache_dir: None }
    }
}
