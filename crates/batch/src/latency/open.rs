//! Opening the runtime a person chose: a named one or none, and under Auto the fastest that works.

use std::path::Path;
use std::sync::Arc;

use faces::{Detector, YunetDetector};
use inference::ModelBytes;
use outcome::{AutoWhy, BackendError, DetectError, Detection, OpenError, RuntimeFault, RuntimeState, SessionInfo};
use picture::Picture;
use recipe::{BackendKind, DetectSpec, Provider, RuntimeChoice, RuntimeOptions};

use super::auto::ranking;
use super::cache::CacheKey;
use super::child::{Ask, Subject};
use super::trial::{is_quantised_model, try_subject};
use super::{LIBRARY_LIMIT, TRY_LIMIT, cache, choose};
use crate::platform::Folders;

/// A detector that is open.
pub struct OpenedRuntime {
    /// The detector; its session says what runs.
    pub detector: Box<dyn Detector>,
    /// Under Auto, why this one.
    pub why: Option<AutoWhy>,
}

/// Opens the runtime of `choice` with `model` (`None` for the bundled one).
///
/// A named runtime is that one or an error. Where it needs the library, it is tried in a process of its own first,
/// unless it is known to be good: only then is the library loaded here. Auto takes the fastest that agrees, trying all
/// of them where that was not done yet, and the next where one fails to open all the same.
///
/// # Errors
/// The model cannot be read or is no face detector, or the runtime, under Auto every runtime, cannot be used.
pub fn open_chosen(
    choice: RuntimeChoice,
    model: Option<&Path>,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
) -> Result<OpenedRuntime, OpenError> {
    let bytes = ModelBytes::read_or_bundled(model)?;
    match choice {
        RuntimeChoice::Named(kind @ BackendKind::Ort(_)) => {
            let subject = Subject::new(model, options, folders);
            try_first(&subject, kind, &bytes, options, folders)?;
            Ok(OpenedRuntime { detector: open(&subject, kind, &bytes)?, why: None })
        }
        RuntimeChoice::Named(kind) => {
            let subject = Subject::without_library(model, options, folders);
            Ok(OpenedRuntime { detector: open(&subject, kind, &bytes)?, why: None })
        }
        RuntimeChoice::Auto => open_best(model, &bytes, options, folders),
    }
}

/// Makes sure that a runtime of the library does no harm.
fn try_first(
    subject: &Subject,
    kind: BackendKind,
    model: &ModelBytes,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
) -> Result<(), OpenError> {
    let key = CacheKey::new(model, options, &subject.search);
    let cache_dir = folders.map(|folders| folders.cache_dir.as_path());
    if cache_dir.is_some_and(|folder| cache::is_known_good(folder, &key, kind)) {
        return Ok(());
    }
    let limit = if kind == BackendKind::Ort(Provider::Cpu) { LIBRARY_LIMIT } else { TRY_LIMIT };
    let report = subject.measure(kind, Ask { warm_runs: Some(0), outputs: None, limit });
    if report.state == RuntimeState::Ready {
        if let Some(Err(error)) = cache_dir.map(|folder| cache::store_report(folder, key, report)) {
            tracing::warn!(%error, "that the runtime works cannot be kept");
        }
        return Ok(());
    }
    let fault = report.fault.unwrap_or(RuntimeFault::Unknown);
    Err(OpenError::Tried { kind, state: report.state, fault })
}

/// Opens a runtime that is open in this process already once more, without trying it first.
///
/// # Errors
/// The model cannot be read, or the runtime does not open a second time.
pub fn open_another(
    kind: BackendKind,
    model: Option<&Path>,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
) -> Result<OpenedRuntime, OpenError> {
    let bytes = ModelBytes::read_or_bundled(model)?;
    let subject = match kind {
        BackendKind::Ort(_) => Subject::new(model, options, folders),
        _ => Subject::without_library(model, options, folders),
    };
    Ok(OpenedRuntime { detector: open(&subject, kind, &bytes)?, why: None })
}

fn open_best(
    model: Option<&Path>,
    bytes: &ModelBytes,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
) -> Result<OpenedRuntime, OpenError> {
    let subject = Subject::new(model, options, folders);
    let table = try_subject(&subject, model, options, folders, false);
    let mut why = choose(&table).map(|choice| choice.why);
    let mut candidates: Vec<BackendKind> = ranking(&table.reports).iter().map(|report| report.kind).collect();
    if candidates.is_empty() {
        // Trying gave nothing, perhaps because no process could be started: what is part of the program may still open.
        candidates = vec![BackendKind::Tract, BackendKind::Rten];
        why = Some(AutoWhy::default());
    }
    let mut failures: Vec<OpenError> = Vec::new();
    for kind in candidates {
        match open(&subject, kind, bytes) {
            Ok(detector) => {
                if let Some(why) = &mut why {
                    why.not_opened = failures.into_iter().map(Arc::new).collect();
                }
                return Ok(OpenedRuntime { detector, why });
            }
            // Another runtime would not make a face detector of it.
            Err(error @ OpenError::Detect(_)) => return Err(error),
            Err(error) => {
                tracing::warn!(runtime = kind.id(), %error, "runtime does not open, the next is taken");
                failures.push(error);
            }
        }
    }
    Err(OpenError::NoneWorks { failures })
}

fn open(subject: &Subject, kind: BackendKind, model: &ModelBytes) -> Result<Box<dyn Detector>, OpenError> {
    let options = subject.session_options(kind).map_err(BackendError::from)?;
    let detector = YunetDetector::open(kind, model, &options).map_err(|error| match error {
        DetectError::Backend(error) => OpenError::Backend(error),
        error => OpenError::Detect(error),
    })?;
    Ok(Box::new(Traced { detector, precision: precision(model) }))
}

/// The precision a model computes in, as spans name it.
pub(super) fn precision(model: &ModelBytes) -> &'static str {
    if is_quantised_model(model) { "int8" } else { "fp32" }
}

/// A detector whose looks are spans of the log and the trace.
struct Traced {
    detector: YunetDetector,
    precision: &'static str,
}

impl Detector for Traced {
    fn info(&self) -> &SessionInfo {
        self.detector.info()
    }

    fn long_side(&self) -> u32 {
        self.detector.long_side()
    }

    fn detect(&mut self, picture: &Picture, spec: &DetectSpec) -> Result<Detection, DetectError> {
        let kind = self.info().kind;
        let _inside = inference_span(kind, self.precision).entered();
        self.detector.detect(picture, spec)
    }

    fn refine(&mut self, picture: &Picture, spec: &DetectSpec, first: Detection) -> Result<Detection, DetectError> {
        let kind = self.info().kind;
        let _inside = inference_span(kind, self.precision).entered();
        self.detector.refine(picture, spec, first)
    }
}

/// The span around the looks at one picture.
pub(super) fn inference_span(kind: BackendKind, precision: &'static str) -> tracing::Span {
    let (runtime, provider) = match kind {
        BackendKind::Tract | BackendKind::Rten | BackendKind::Candle | BackendKind::Burn => (kind.id(), "cpu"),
        BackendKind::Ort(provider) => ("ort", provider_name(provider)),
    };
    tracing::debug_span!("inference", runtime, provider, precision)
}

/// `cpu` of `ort:cpu`.
fn provider_name(provider: Provider) -> &'static str {
    provider.id().split_once(':').map_or(provider.id(), |(_, name)| name)
}
