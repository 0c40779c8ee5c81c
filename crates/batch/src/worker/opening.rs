//! Which runtime is opened, and what opens it.

use std::path::PathBuf;

use outcome::OpenError;
use recipe::{RuntimeChoice, RuntimeOptions};

use crate::latency::{OpenedRuntime, open_another, open_chosen};
use crate::platform::Folders;

/// Which runtime is opened, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenRequest {
    /// The runtime asked for.
    pub choice: RuntimeChoice,
    /// The model file; `None` for the bundled one.
    pub model: Option<PathBuf>,
    /// How its session is opened.
    pub options: RuntimeOptions,
    /// True where this process has the runtime open already, so that it need not be tried first.
    pub is_tried: bool,
}

/// Opens a detector on the runtime asked for.
pub type OpenDetector = Box<dyn FnMut(&OpenRequest) -> Result<OpenedRuntime, OpenError> + Send>;

/// Opens a detector on the real runtimes.
pub(super) fn open_detector(options: &OpenRequest) -> Result<OpenedRuntime, OpenError> {
    let folders = Folders::find();
    if let (true, RuntimeChoice::Named(kind)) = (options.is_tried, options.choice) {
        return open_another(kind, options.model.as_deref(), &options.options, folders.as_ref());
    }
    open_chosen(options.choice, options.model.as_deref(), &options.options, folders.as_ref())
}
