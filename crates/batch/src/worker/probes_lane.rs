//! The lane that tests runtimes and models.

use std::path::Path;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use inference::ModelBytes;
use inference::onnx::ModelSummary;
use outcome::BackendError;
use recipe::{ModelKind, RuntimeOptions};

use super::faults::DescribeError;
use super::lane::answer_each;
use super::mailbox::Mailbox;
use super::outbox::Outbox;
use super::pending::Queued;
use super::{Event, ModelPage, ProbesRequest};
use crate::diagnostics::gather;
use crate::latency::{Loads, MODEL_INPUT, kind_of_model, try_loading, try_loading_all, try_runtimes};
use crate::platform::Folders;

/// How long photos of the list wait for the tests of the runtimes, whose times would otherwise be those of a busy machine.
const QUIET_TIME: Duration = Duration::from_secs(10);

/// Answers requests until the lane is closed. While runtimes are tested, `session` holds the photos of the list back.
#[deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants,
    reason = "every request must be handled"
)]
pub(super) fn run(inbox: &Receiver<Queued<ProbesRequest>>, outbox: &Outbox, session: &Mailbox) {
    answer_each(inbox, outbox, |_, request, _| match request {
        ProbesRequest::TryRuntimes { model, options, afresh } => {
            let folders = Folders::find();
            session.hold_index_requests(QUIET_TIME);
            let table = try_runtimes(model.as_deref(), &options, folders.as_ref(), afresh);
            session.release_index_requests();
            Event::RuntimesTried(table)
        }
        ProbesRequest::DescribeModel { model, face_models, options } => {
            Event::ModelDescribed(describe(model.as_deref(), face_models, &options))
        }
        ProbesRequest::Diagnose(spec) => Event::Diagnosed(Box::new(gather(&spec))),
    });
}

/// Describes the model file, and the models that describe faces if `face_models`.
fn describe(
    model: Option<&Path>,
    face_models: bool,
    options: &RuntimeOptions,
) -> Vec<Result<ModelPage, DescribeError>> {
    let folders = Folders::find();
    let mut pages = vec![read(ModelBytes::read_or_bundled(model))];
    if face_models {
        pages.extend(ModelKind::OF_FACES.map(|kind| read(ModelBytes::for_faces(kind, options))));
    }
    // A file that cannot be read is loaded all the same if there are others.
    let input = pages[0].as_ref().map_or(MODEL_INPUT, |page| page.input);
    let loads = if face_models {
        let (detector, of_faces) = try_loading_all(model, input, options, folders.as_ref());
        std::iter::once(detector).chain(of_faces).collect()
    } else if pages[0].is_ok() {
        vec![try_loading(model, input, options, folders.as_ref())]
    } else {
        Vec::new()
    };
    for (page, loads) in pages.iter_mut().zip(loads) {
        if let Ok(page) = page {
            page.loads = loads;
        }
    }
    pages
}

/// The page of a model without the runtimes that load it.
fn read(bytes: Result<ModelBytes, BackendError>) -> Result<ModelPage, DescribeError> {
    let bytes = bytes.map_err(DescribeError::File)?;
    let summary = ModelSummary::read(bytes.as_bytes())
        .map_err(|error| DescribeError::NotOnnx { name: bytes.name.clone(), error })?;
    let kind = kind_of_model(&summary);
    // The detector's inner shapes are ignored: it runs at other sizes than its own.
    let own = summary.fixed_input().filter(|_| kind != Some(ModelKind::Detector));
    Ok(ModelPage { name: bytes.name, kind, input: own.unwrap_or(MODEL_INPUT), summary, loads: Loads::new() })
}

#[cfg(test)]
mod tests {
    use geometry::Size;

    use super::*;

    #[test]
    fn models_have_their_own_input_size() {
        for (kind, side) in [
            (ModelKind::Detector, 640),
            (ModelKind::Landmarks, 192),
            (ModelKind::Eyelids, 64),
            (ModelKind::Person, 256),
        ] {
            let page = read(Ok(ModelBytes::bundled_for(kind))).expect("a page");
            assert_eq!((page.kind, page.input), (Some(kind), Size::new(side, side)));
        }
        let freed = inference::onnx::free_input_size(ModelBytes::bundled().as_bytes()).expect("freed");
        let page = read(Ok(ModelBytes::from_bytes("freed", freed))).expect("a page");
        assert_eq!((page.kind, page.input), (Some(ModelKind::Detector), MODEL_INPUT));
    }

    #[cfg(feature = "tract")]
    #[test]
    fn every_model_is_described_and_a_file_alone_only_itself() {
        let pages = describe(None, true, &RuntimeOptions::default());
        assert_eq!(pages.len(), 4);
        for page in pages {
            let page = page.expect("a page");
            for kind in [recipe::BackendKind::Builtin, recipe::BackendKind::Tract] {
                let loads = page.loads.iter().find(|(of, _)| *of == kind).expect("tested");
                assert_eq!(loads.1, Ok(()), "{kind}: {}", page.name);
            }
        }
        let folder = tempfile::tempdir().expect("folder");
        let file = folder.path().join("mine.onnx");
        std::fs::write(&file, ModelBytes::bundled_for(ModelKind::Person).as_bytes()).expect("written");
        let pages = describe(Some(&file), false, &RuntimeOptions::default());
        let [Ok(page)] = pages.as_slice() else { panic!("{pages:?}") };
        assert_eq!(page.kind, Some(ModelKind::Person));
        assert_eq!(page.loads.first(), Some(&(recipe::BackendKind::Builtin, Ok(()))));
    }
}
