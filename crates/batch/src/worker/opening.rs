//! Opening of a runtime: the request and the function that serves it.

use std::path::PathBuf;

use outcome::OpenError;
use recipe::{RuntimeChoice, RuntimeOptions};

use crate::latency::{OpenedRuntime, open_another, open_chosen, open_untested};
use crate::platform::Folders;

/// A request to open a runtime.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenRequest {
    /// The requested runtime.
    pub choice: RuntimeChoice,
    /// The model file; `None` for the bundled one.
    pub model: Option<PathBuf>,
    /// Options for its session.
    pub options: RuntimeOptions,
    /// True if this process has already opened the runtime, so that it is not tested in a child process first.
    pub is_tried: bool,
    /// Under Auto, true to open a built-in runtime if the runtimes have not been tested, instead of testing them first.
    pub at_once: bool,
}

/// Opens a detector on the requested runtime; replaceable in tests.
pub type OpenDetector = Box<dyn FnMut(&OpenRequest) -> Result<OpenedRuntime, OpenError> + Send>;

/// The [`OpenDetector`] for the real runtimes.
pub(super) fn open_detector(options: &OpenRequest) -> Result<OpenedRuntime, OpenError> {
    let folders = Folders::find();
    if let (true, RuntimeChoice::Named(kind)) = (options.is_tried, options.choice) {
        return open_another(kind, options.model.as_deref(), &options.options, folders.as_ref());
    }
    let untested = (options.at_once && options.choice == RuntimeChoice::Auto)
        .then(|| open_untested(options.model.as_deref(), &options.options, folders.as_ref()));
    if let Some(opened) = untested.flatten() {
        return Ok(opened);
    }
    open_chosen(options.choice, options.model.as_deref(), &options.options, folders.as_ref())
}
