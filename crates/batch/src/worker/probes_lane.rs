//! The lane that tests runtimes and models.

use std::path::Path;
use std::sync::mpsc::Receiver;

use inference::ModelBytes;
use inference::onnx::ModelSummary;
use recipe::RuntimeOptions;

use super::faults::DescribeError;
use super::lane::answer_each;
use super::outbox::Outbox;
use super::pending::Queued;
use super::{Event, ModelPage, ProbesRequest};
use crate::diagnostics::gather;
use crate::latency::{try_loading, try_runtimes};
use crate::platform::Folders;

/// Answers requests until the lane is closed.
#[deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants,
    reason = "every request must be handled"
)]
pub(super) fn run(inbox: &Receiver<Queued<ProbesRequest>>, outbox: &Outbox) {
    answer_each(inbox, outbox, |request, _| match request {
        ProbesRequest::TryRuntimes { model, options, afresh } => {
            let folders = Folders::find();
            Event::RuntimesTried(try_runtimes(model.as_deref(), &options, folders.as_ref(), afresh))
        }
        ProbesRequest::DescribeModel { model, options } => {
            Event::ModelDescribed(describe(model.as_deref(), &options).map(Box::new))
        }
        ProbesRequest::Diagnose(spec) => Event::Diagnosed(Box::new(gather(&spec))),
    });
}

fn describe(model: Option<&Path>, options: &RuntimeOptions) -> Result<ModelPage, DescribeError> {
    let bytes = ModelBytes::read_or_bundled(model).map_err(DescribeError::File)?;
    let summary = ModelSummary::read(bytes.as_bytes())
        .map_err(|error| DescribeError::NotOnnx { name: bytes.name.clone(), error })?;
    let folders = Folders::find();
    Ok(ModelPage { name: bytes.name, summary, loads: try_loading(model, options, folders.as_ref()) })
}
