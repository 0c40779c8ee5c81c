//! Opens the chosen runtime: exactly the named one, or under Auto the fastest that works.

use std::path::Path;
use std::sync::Arc;

use faces::{Detector, YunetDetector};
use geometry::{Face, RotatedSquare};
use inference::ModelBytes;
use outcome::{
    AutoReason, BackendError, DetectError, Detection, Device, FaceModelFault, OpenError, PersonMask, RuntimeFault,
    RuntimeReport, RuntimeState, SessionInfo,
};
use picture::Picture;
use recipe::{BackendKind, DetectSpec, DeviceChoice, Provider, RuntimeChoice, RuntimeOptions};

use super::auto::ranking;
use super::cache::CacheKey;
use super::child::{MeasureOptions, MeasureSetup};
use super::trial::{is_quantised_model, try_with_setup};
use super::{LIBRARY_LIMIT, TRY_LIMIT, cache, choose};
use crate::platform::Folders;

/// An open detector.
pub struct OpenedRuntime {
    /// The detector; its session info names the actual runtime.
    pub detector: Box<dyn Detector>,
    /// Why this runtime was chosen; `None` unless under Auto.
    pub why: Option<AutoReason>,
}

/// Opens the runtime of `choice` with `model` (`None` for the bundled one).
///
/// A named runtime is opened or is an error; there is no fallback. If it needs a library, it is first tested
/// in a child process unless the cache shows that it works, and only then is the library loaded into this process. Auto
/// chooses the fastest runtime that agrees with the reference, testing all of them if there are no cached results, and the
/// next one if it cannot be opened.
///
/// # Errors
/// Fails if the model cannot be read or is not a face detector, or if the runtime (under Auto, every runtime) cannot be used.
pub fn open_chosen(
    choice: RuntimeChoice,
    model: Option<&Path>,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
) -> Result<OpenedRuntime, OpenError> {
    let bytes = ModelBytes::read_or_bundled(model)?;
    match choice {
        RuntimeChoice::Named(kind) if let (false, Some(name)) = (kind.chooses_device(), named(options)) => {
            Err(OpenError::NoChoiceOfDevices { kind, name: name.to_owned() })
        }
        RuntimeChoice::Named(kind) if kind.library().is_some() => {
            let setup = MeasureSetup::new(model, options, folders);
            test_in_child(&setup, kind, &bytes, options, folders)?;
            Ok(OpenedRuntime { detector: open(&setup, kind, &bytes)?, why: None })
        }
        RuntimeChoice::Named(kind) => {
            let setup = MeasureSetup::without_library(model, options, folders);
            Ok(OpenedRuntime { detector: open(&setup, kind, &bytes)?, why: None })
        }
        RuntimeChoice::Auto => open_best(model, &bytes, options, folders),
    }
}

/// Tests a runtime of the library in a child process, unless it is known to work.
fn test_in_child(
    setup: &MeasureSetup,
    kind: BackendKind,
    model: &ModelBytes,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
) -> Result<(), OpenError> {
    let key = CacheKey::new(model, options, &setup.searches);
    let cache_dir = folders.map(|folders| folders.cache_dir.as_path());
    if cache_dir.is_some_and(|folder| cache::is_known_good(folder, &key, kind)) {
        return Ok(());
    }
    let is_short = matches!(kind, BackendKind::Litert | BackendKind::Ort(Provider::Cpu));
    let limit = if is_short { LIBRARY_LIMIT } else { TRY_LIMIT };
    let report = setup.measure(kind, MeasureOptions { warm_runs: Some(0), outputs: None, limit });
    if report.state == RuntimeState::Ready {
        if let Some(Err(error)) = cache_dir.map(|folder| cache::store_report(folder, key, report)) {
            tracing::warn!(%error, "the result of the runtime test cannot be stored");
        }
        return Ok(());
    }
    let fault = report.fault.unwrap_or(RuntimeFault::Unknown);
    Err(OpenError::Tried { kind, state: report.state, fault })
}

/// Opens another session of a runtime that is already open in this process, without testing it.
///
/// # Errors
/// Fails if the model cannot be read or the session cannot be opened.
pub fn open_another(
    kind: BackendKind,
    model: Option<&Path>,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
) -> Result<OpenedRuntime, OpenError> {
    let bytes = ModelBytes::read_or_bundled(model)?;
    let setup = match kind.library() {
        Some(_) => MeasureSetup::new(model, options, folders),
        None => MeasureSetup::without_library(model, options, folders),
    };
    Ok(OpenedRuntime { detector: open(&setup, kind, &bytes)?, why: None })
}

/// Opens a built-in runtime for Auto until the runtimes have been tested, which takes seconds; `why` says so. `None` if there
/// are cached results, if no built-in runtime can be opened, or if a device is named, which built-in ones do not have.
pub fn open_untested(
    model: Option<&Path>,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
) -> Option<OpenedRuntime> {
    let bytes = ModelBytes::read_or_bundled(model).ok().filter(|_| named(options).is_none())?;
    let setup = MeasureSetup::new(model, options, folders);
    let key = CacheKey::new(&bytes, options, &setup.searches);
    if cache::load_table(folders?.cache_dir.as_path(), &key).is_some() {
        return None;
    }
    let detector = BUILT_IN.into_iter().find_map(|kind| open(&setup, kind, &bytes).ok())?;
    Some(OpenedRuntime { detector, why: Some(AutoReason { is_untested: true, ..AutoReason::default() }) })
}

/// The runtimes that need no library.
const BUILT_IN: [BackendKind; 3] = [BackendKind::Builtin, BackendKind::Tract, BackendKind::Rten];

fn open_best(
    model: Option<&Path>,
    bytes: &ModelBytes,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
) -> Result<OpenedRuntime, OpenError> {
    let setup = MeasureSetup::new(model, options, folders);
    let table = try_with_setup(&setup, model, options, folders, false);
    check_device(options, &table.reports)?;
    let mut why = choose(&table).map(|choice| choice.why);
    let mut candidates: Vec<BackendKind> = ranking(&table.reports).iter().map(|report| report.kind).collect();
    if candidates.is_empty() {
        // No runtime passed its test, perhaps because no process could be started: the built-in ones may still work.
        candidates = BUILT_IN.to_vec();
        why = Some(AutoReason::default());
    }
    let mut failures: Vec<OpenError> = Vec::new();
    for kind in candidates {
        match open(&setup, kind, bytes) {
            Ok(detector) => {
                if let Some(why) = &mut why {
                    why.not_opened = failures.into_iter().map(Arc::new).collect();
                }
                return Ok(OpenedRuntime { detector, why });
            }
            // The model is not a face detector, so another runtime would not help.
            Err(error @ OpenError::Detect(_)) => return Err(error),
            Err(error) => {
                tracing::warn!(runtime = kind.id(), %error, "runtime cannot be opened; trying the next one");
                failures.push(error);
            }
        }
    }
    Err(OpenError::NoneWorks { failures })
}

/// The name of the chosen device, unless a number is chosen.
fn named(options: &RuntimeOptions) -> Option<&str> {
    match &options.device {
        DeviceChoice::Number(_) => None,
        DeviceChoice::Named(name) => Some(name),
    }
}

/// Checks that a named device was found by a runtime that works.
fn check_device(options: &RuntimeOptions, reports: &[RuntimeReport]) -> Result<(), OpenError> {
    let Some(name) = named(options) else { return Ok(()) };
    let has_device = |report: &RuntimeReport| report.kind.chooses_device() && report.state == RuntimeState::Ready;
    if reports.iter().any(has_device) {
        return Ok(());
    }
    let mut devices: Vec<Device> = Vec::new();
    for device in reports.iter().flat_map(|report| &report.devices) {
        if !devices.contains(device) {
            devices.push(device.clone());
        }
    }
    Err(OpenError::NoDevice { name: name.to_owned(), devices })
}

fn open(setup: &MeasureSetup, kind: BackendKind, model: &ModelBytes) -> Result<Box<dyn Detector>, OpenError> {
    let options = setup.session_options(kind).map_err(BackendError::from)?;
    let detector = YunetDetector::open(kind, model, &options).map_err(|error| match error {
        DetectError::Backend(error) => OpenError::Backend(error),
        error => OpenError::Detect(error),
    })?;
    Ok(Box::new(Traced { detector, precision: precision(model) }))
}

/// The precision of a model, as used in spans.
pub(super) fn precision(model: &ModelBytes) -> &'static str {
    if is_quantised_model(model) { "int8" } else { "fp32" }
}

/// A detector that records a span for each detection.
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

    fn measure_landmarks(&mut self, picture: &Picture, faces: &mut [Face]) -> Result<(), FaceModelFault> {
        self.detector.measure_landmarks(picture, faces)
    }

    fn measure_masks(
        &mut self,
        picture: &Picture,
        faces: &mut [Face],
        which: &[usize],
        with_background: bool,
    ) -> Result<(), FaceModelFault> {
        self.detector.measure_masks(picture, faces, which, with_background)
    }

    fn person_mask(&mut self, picture: &Picture, square: &RotatedSquare) -> Result<Option<PersonMask>, FaceModelFault> {
        self.detector.person_mask(picture, square)
    }
}

/// The span around the detection on one image.
pub(super) fn inference_span(kind: BackendKind, precision: &'static str) -> tracing::Span {
    let (runtime, provider) = match kind {
        BackendKind::Ort(provider) => ("ort", provider_name(provider)),
        kind => (kind.id(), "cpu"),
    };
    tracing::debug_span!("inference", runtime, provider, precision)
}

/// `cpu` of `ort:cpu`.
fn provider_name(provider: Provider) -> &'static str {
    provider.id().split_once(':').map_or(provider.id(), |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUDA: BackendKind = BackendKind::Ort(Provider::Cuda);

    #[test]
    fn a_named_device_must_be_found_by_a_runtime_that_works() {
        let options = RuntimeOptions { device: DeviceChoice::Named("RTX".to_owned()), ..RuntimeOptions::default() };
        let report = |kind, state| RuntimeReport {
            devices: vec![Device { number: 0, name: "T400".to_owned() }],
            ..RuntimeReport::new(kind, state, None)
        };
        let reports = [
            RuntimeReport::new(BackendKind::Tract, RuntimeState::Ready, None),
            report(CUDA, RuntimeState::Failed),
            report(BackendKind::Ort(Provider::TensorRt), RuntimeState::Failed),
        ];
        let error = check_device(&options, &reports).expect_err("no card").to_string();
        assert_eq!(error, "no usable runtime has a device with 'RTX' in its name; devices found: 0: T400");
        assert!(check_device(&RuntimeOptions::default(), &reports).is_ok(), "a number is not looked up");
        assert!(check_device(&options, &[report(CUDA, RuntimeState::Ready)]).is_ok());
    }

    #[test]
    fn a_named_device_is_rejected_for_a_runtime_without_a_choice() {
        let options = RuntimeOptions { device: DeviceChoice::Named("RTX".to_owned()), ..RuntimeOptions::default() };
        let opened = open_chosen(RuntimeChoice::Named(BackendKind::Tract), None, &options, None);
        let error = opened.err().expect("an error").to_string();
        assert_eq!(error, "tract has no choice of devices; leave out 'RTX', or choose another runtime");
    }
}
