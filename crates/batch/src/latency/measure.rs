//! The measurement in a child process: loads one runtime, runs it on the probe image, and measures times and memory.

use std::ffi::OsString;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Instant;

use engines::{devices, open_session, runtimes_in_library};
use faces::{InputTensor, Letterbox, preprocess};
use geometry::Size;
use inference::{ModelBytes, Outputs, Session, SessionOptions};
use outcome::{BackendError, Device, RuntimeFault, RuntimeReport, RuntimeState};
use picture::{Picture, decode_bytes};
use pipeline::panic_message;
use recipe::{BackendKind, DecodeLimits, Optimization, Provider, RuntimeOptions};

use super::process_snapshot::ProcessSnapshot;
use super::{Statistics, face_models, outputs_file};

/// Name of the hidden subcommand that starts a measurement in a child process.
pub const MEASURE_SUBCOMMAND: &str = "measure-runtime";

/// The probe image: a portrait of 320 x 320 pixels, cropped and reduced from the astronaut sample.
pub static PROBE_PICTURE: &[u8] = include_bytes!("../../../../assets/probe.jpg");

/// A measurement request to a child process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureRequest {
    pub kind: BackendKind,
    /// The model file; `None` for the bundled one.
    pub model: Option<PathBuf>,
    /// Options for the session.
    pub options: RuntimeOptions,
    /// Size of the model's input in pixels.
    pub input: Size,
    /// Folder where engines may cache compiled models.
    pub cache_dir: Option<PathBuf>,
    /// True to load the models without running them.
    pub load_only: bool,
    /// True to leave out the models that describe faces.
    pub detector_only: bool,
    /// Number of runs after the first, whose median is reported.
    pub runs: u32,
    /// File for the outputs of the last run.
    pub outputs: Option<PathBuf>,
    /// Marker at the start of the line with the report, so that no output of a library is mistaken for it.
    pub mark: String,
}

impl MeasureRequest {
    /// The request as arguments of a child process, [`MEASURE_SUBCOMMAND`] first.
    pub fn arguments(&self) -> Vec<OsString> {
        let optimization = match self.options.optimization {
            Optimization::Off => "off",
            Optimization::Basic => "basic",
            Optimization::Extended => "extended",
            Optimization::All => "all",
        };
        let mut arguments: Vec<OsString> = vec![MEASURE_SUBCOMMAND.into(), self.kind.id().into()];
        let mut flag = |name: &str, value: OsString| arguments.extend([name.into(), value]);
        flag("--threads", self.options.threads.to_string().into());
        flag("--optimization", optimization.into());
        flag("--device", self.options.device.to_string().into());
        flag("--input", format!("{}x{}", self.input.width, self.input.height).into());
        flag("--runs", self.runs.to_string().into());
        flag("--mark", self.mark.clone().into());
        let files = [
            ("--model", &self.model),
            ("--face-models", &self.options.face_models),
            ("--library", &self.options.library),
            ("--litert", &self.options.litert),
            ("--cache", &self.cache_dir),
            ("--outputs", &self.outputs),
        ];
        for (name, file) in files {
            if let Some(file) = file {
                flag(name, file.into());
            }
        }
        for (name, is_set) in [("--load-only", self.load_only), ("--detector-only", self.detector_only)] {
            if is_set {
                arguments.push(name.into());
            }
        }
        arguments
    }

    /// The options for a session of the detector.
    pub(super) fn session_options(&self) -> SessionOptions {
        SessionOptions { input: self.input, runtime: self.options.clone(), cache_dir: self.cache_dir.clone() }
    }
}

/// Measures a runtime in this process; failures are part of the report.
///
/// `load_ms` is the time to open a session, including loading the library, if any, and the model. `first_ms` and `warm_ms`
/// are inference times of the detector on the probe image; `models` has those of the other models. `peak_memory_mb` is the difference of the process's peak resident size (`VmHWM`,
/// Linux only) and its resident size before loading, so it is meaningful only in a new process; `None` on other systems.
pub fn measure(request: &MeasureRequest) -> RuntimeReport {
    let mut report = RuntimeReport::new(request.kind, RuntimeState::Failed, None);
    let library = request.kind.library();
    report.library = library.and_then(|library| request.options.path_of(library)).map(Path::to_owned);
    let before = library.map(|_| ProcessSnapshot::now());
    match catch_unwind(AssertUnwindSafe(|| run(request, &mut report))) {
        Ok(Ok(())) => match before.and_then(|before| before.changed()) {
            None => report.state = RuntimeState::Ready,
            Some(what) => {
                let message = format!("the library changed {what}; use another version of it");
                report.fault = Some(RuntimeFault::Other(message));
            }
        },
        Ok(Err(error)) => {
            report.state = error.state;
            report.fault = Some(error.fault);
        }
        Err(panic) => report.fault = Some(RuntimeFault::Panicked { message: panic_message(&*panic) }),
    }
    add_devices(&mut report, devices);
    if request.kind == BackendKind::Ort(Provider::Cpu) && report.state == RuntimeState::Ready {
        report.in_library = runtimes_in_library();
    }
    report
}

/// Adds the devices of a runtime that this build and library have: whether it works with the chosen one or not.
fn add_devices(report: &mut RuntimeReport, list: impl Fn(BackendKind) -> Vec<Device>) {
    if matches!(report.state, RuntimeState::Ready | RuntimeState::Failed) {
        report.devices = list(report.kind);
    }
}

/// Why a runtime was not measured.
struct MeasureError {
    state: RuntimeState,
    fault: RuntimeFault,
}

impl From<BackendError> for MeasureError {
    fn from(error: BackendError) -> Self {
        Self { state: state_of(&error), fault: RuntimeFault::of(&error) }
    }
}

impl From<RuntimeFault> for MeasureError {
    fn from(fault: RuntimeFault) -> Self {
        Self { state: RuntimeState::Failed, fault }
    }
}

fn run(request: &MeasureRequest, report: &mut RuntimeReport) -> Result<(), MeasureError> {
    // `None` if the models are only loaded.
    let probe = if request.load_only { None } else { Some(probe_picture()?) };
    let packed = probe.as_ref().map(|picture| pack_probe(picture, request.input)).transpose()?;
    let before_mb = memory_mb("VmRSS:");
    let mut outputs = Outputs::new();
    // All sessions stay open, as they are while photos are processed.
    let detector = measure_detector(request, packed.as_ref(), report, &mut outputs);
    let _sessions = if !request.detector_only && (detector.is_ok() || request.load_only) {
        face_models::measure(request, probe.as_ref(), &mut report.models, &mut outputs)
    } else {
        Vec::new()
    };
    let _detector = detector?;
    if let Some(path) = request.outputs.as_ref().filter(|_| !request.load_only) {
        outputs_file::write(path, &outputs)
            .map_err(|error| other(&format!("its outputs cannot be written to {}: {error}", path.display())))?;
    }
    let peak_mb = memory_mb("VmHWM:");
    report.peak_memory_mb = before_mb.zip(peak_mb).map(|(before, peak)| (peak - before).max(0.0));
    Ok(())
}

/// Opens the detector and runs it on `packed`, unless that is `None`.
fn measure_detector(
    request: &MeasureRequest,
    packed: Option<&InputTensor>,
    report: &mut RuntimeReport,
    outputs: &mut Outputs,
) -> Result<Box<dyn Session>, MeasureError> {
    let model = ModelBytes::read_or_bundled(request.model.as_deref())?;
    let start = Instant::now();
    let mut session = open_session(request.kind, &model, &request.session_options())?;
    report.load_ms = Some(elapsed_ms(start));
    report.version = Some(session.info().version.clone());
    report.device = Some(session.info().device.clone());
    if let Some(packed) = packed {
        report.first_ms = Some(timed_run(&mut *session, packed, outputs)?);
        report.warm_ms = warm_run(&mut *session, packed, request.runs, outputs)?;
    }
    Ok(session)
}

/// The median milliseconds of `runs` runs; `None` for 0.
pub(super) fn warm_run(
    session: &mut dyn Session,
    packed: &InputTensor,
    runs: u32,
    outputs: &mut Outputs,
) -> Result<Option<f64>, BackendError> {
    let warm: Vec<f64> = (0..runs).map(|_| timed_run(session, packed, outputs)).collect::<Result<_, _>>()?;
    Ok(Statistics::of(warm).map(|figures| figures.median))
}

pub(super) fn timed_run(
    session: &mut dyn Session,
    packed: &InputTensor,
    outputs: &mut Outputs,
) -> Result<f64, BackendError> {
    let start = Instant::now();
    session.run(packed.view(), outputs)?;
    Ok(elapsed_ms(start))
}

fn probe_picture() -> Result<Picture, RuntimeFault> {
    decode_bytes(PROBE_PICTURE, &DecodeLimits::default()).map_err(|error| other(&error))
}

/// The probe image as the detector's input tensor.
fn pack_probe(picture: &Picture, input: Size) -> Result<InputTensor, RuntimeFault> {
    let fit =
        Letterbox::new(picture.size(), input).ok_or_else(|| other(&format!("an input of {input} pixels is empty")))?;
    let mut packed = InputTensor::new(input);
    preprocess(picture, &fit, &mut packed).map_err(|error| other(&error))?;
    Ok(packed)
}

pub(super) fn other(what: &dyn ToString) -> RuntimeFault {
    RuntimeFault::Other(what.to_string())
}

/// The state of a runtime after an error.
pub(super) fn state_of(error: &BackendError) -> RuntimeState {
    match error {
        BackendError::NotIncluded { .. } | BackendError::NotInLibrary { .. } => RuntimeState::Unsupported,
        BackendError::Library(_) => RuntimeState::Missing,
        _ => RuntimeState::Failed,
    }
}

/// A field of `/proc/self/status` in megabytes (10^6 bytes); `None` on other systems than Linux.
fn memory_mb(field: &str) -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix(field))?.trim().strip_suffix("kB")?;
    Some(kibibytes.trim().parse::<f64>().ok()? * 1024.0 / 1e6)
}

pub(super) fn elapsed_ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use outcome::LibraryError;
    #[cfg(feature = "tract")]
    use recipe::ModelKind;

    use recipe::RuntimeLibrary;

    use super::*;

    #[test]
    fn the_probe_image_is_small_and_fits_the_input() {
        assert!(PROBE_PICTURE.len() < 25_000);
        let packed = pack_probe(&probe_picture().expect("decodes"), Size::new(640, 640)).expect("packs");
        assert!(packed.view()[[0, 0, 319, 319]] > 0.0 && packed.view()[[0, 0, 320, 320]] == 0.0);
    }

    #[test]
    fn the_devices_of_a_runtime_are_listed_if_the_library_has_it() {
        let list = |kind| vec![Device { number: 1, name: format!("a card of {kind}") }];
        for (state, expected) in [
            (RuntimeState::Ready, 1),
            (RuntimeState::Failed, 1),
            (RuntimeState::Unsupported, 0),
            (RuntimeState::Missing, 0),
        ] {
            let mut report = RuntimeReport::new(BackendKind::Rten, state, None);
            add_devices(&mut report, list);
            assert_eq!(report.devices.len(), expected, "{state:?}");
        }
    }

    #[cfg(feature = "tract")]
    fn request(folder: &Path) -> MeasureRequest {
        MeasureRequest {
            kind: BackendKind::Tract,
            model: None,
            options: RuntimeOptions::default(),
            input: Size::new(320, 320),
            cache_dir: None,
            load_only: false,
            detector_only: false,
            runs: 3,
            outputs: Some(folder.join("outputs")),
            mark: String::new(),
        }
    }

    #[cfg(feature = "tract")]
    #[test]
    fn a_runtime_is_measured_and_its_outputs_are_written() {
        let folder = tempfile::tempdir().expect("folder");
        let request = request(folder.path());
        let report = measure(&request);
        assert_eq!((report.state, &report.fault), (RuntimeState::Ready, &None));
        assert!(report.load_ms > Some(0.0) && report.first_ms > Some(0.0) && report.warm_ms > Some(0.0), "{report:?}");
        assert_eq!(report.peak_memory_mb.is_some(), cfg!(target_os = "linux"));
        assert_eq!(report.models.iter().map(|model| model.model).collect::<Vec<_>>(), ModelKind::OF_FACES);
        assert!(report.models.iter().all(|model| model.warm_ms > Some(0.0) && model.fault.is_none()), "{report:?}");
        assert!(report.photo_ms() > report.warm_ms);

        let outputs = outputs_file::read(&folder.path().join("outputs")).expect("written");
        let values = |name: &str| outputs.get(name).map(|output| output.values.as_slice()).expect(name);
        assert_eq!(values("kps_32").len(), 1000);
        assert!(values("presence")[0] > 2.0, "the cut shows the face: {:?}", values("presence"));
        let [chin, forehead] = [152, 10].map(|landmark| values("landmarks")[3 * landmark + 1]);
        assert!(forehead > 10.0 && chin - forehead > 90.0 && chin < 190.0, "{forehead} to {chin}");
        assert_eq!((values("eye").len(), values("iris").len(), values("person").len()), (213, 15, 256 * 256));
        let person = values("person").iter().filter(|value| **value > 0.5).count() as f32 / (256.0 * 256.0);
        assert!((0.15..0.9).contains(&person), "{person}");
    }

    #[cfg(feature = "tract")]
    #[test]
    fn models_are_loaded_without_runs_and_a_broken_detector_does_not_hide_the_others() {
        let folder = tempfile::tempdir().expect("folder");
        let load = MeasureRequest { load_only: true, outputs: None, ..request(folder.path()) };
        let loaded = measure(&load);
        assert!(loaded.state == RuntimeState::Ready && loaded.load_ms.is_some() && loaded.first_ms.is_none());
        let is_loaded = |report: &RuntimeReport| report.models.iter().all(|model| model.fault.is_none());
        assert!(loaded.models.len() == 3 && is_loaded(&loaded) && loaded.models[0].warm_ms.is_none(), "{loaded:?}");
        let alone = measure(&MeasureRequest { detector_only: true, ..load.clone() });
        assert!(alone.state == RuntimeState::Ready && alone.models.is_empty());

        let unread = measure(&MeasureRequest { model: Some("/no/such.onnx".into()), ..load.clone() });
        let reason = unread.fault.as_ref().expect("a reason").to_string();
        assert!(unread.state == RuntimeState::Failed && reason.contains("/no/such.onnx"), "{reason}");
        assert!(unread.models.len() == 3 && is_loaded(&unread));
    }

    #[cfg(feature = "tract")]
    #[test]
    fn unusable_face_models_have_a_reason_each_and_the_runtime_is_ready() {
        let folder = tempfile::tempdir().expect("folder");
        let own = |kind| folder.path().join(inference::file_name(kind));
        fs::write(own(ModelKind::Landmarks), "no weights").expect("written");
        let eyelids = ModelBytes::bundled_for(ModelKind::Eyelids);
        fs::write(own(ModelKind::Eyelids), eyelids.as_bytes()).expect("written");
        let mut request = request(folder.path());
        request.options.face_models = Some(folder.path().to_owned());
        let report = measure(&request);
        assert_eq!(report.state, RuntimeState::Ready);
        let faults: Vec<_> = report.model_faults().collect();
        assert_eq!(
            faults.iter().map(|fault| fault.model).collect::<Vec<_>>(),
            [ModelKind::Landmarks, ModelKind::Person]
        );
        assert!(matches!(faults[0].fault, RuntimeFault::Load { .. }), "{faults:?}");
        assert!(matches!(faults[1].fault, RuntimeFault::ModelUnreadable { .. }), "{faults:?}");
        let outputs = outputs_file::read(&folder.path().join("outputs")).expect("written");
        assert!(outputs.get("eye").is_some() && outputs.get("person").is_none() && outputs.get("landmarks").is_none());
    }

    #[test]
    fn reasons_do_not_repeat_the_runtimes_name() {
        let kind = BackendKind::Rten;
        let message = |error: BackendError| RuntimeFault::of(&error).to_string();
        assert_eq!(message(BackendError::NotIncluded { kind }), "not included in this build");
        let error = BackendError::Load { kind, model: "m".to_owned(), reason: "no".to_owned().into() };
        assert_eq!(message(error), "cannot load the model m: no");
        let source = std::io::Error::other("denied");
        let error = BackendError::ModelUnreadable { path: "m".into(), source };
        assert_eq!(message(error), "the model file m cannot be read: denied");
    }

    #[test]
    fn errors_map_to_runtime_states() {
        let library = BackendError::Library(LibraryError::NotFound { library: RuntimeLibrary::LiteRt });
        let kind = BackendKind::Rten;
        for (error, state) in [
            (library, RuntimeState::Missing),
            (BackendError::NotIncluded { kind }, RuntimeState::Unsupported),
            (BackendError::NotInLibrary { kind }, RuntimeState::Unsupported),
            (BackendError::Run { kind, reason: String::new() }, RuntimeState::Failed),
        ] {
            assert_eq!(state_of(&error), state);
        }
    }
}
