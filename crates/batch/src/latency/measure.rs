//! The measurement in a child process: loads one runtime, runs it on the probe image, and measures times and memory.

use std::ffi::OsString;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

use engines::open_session;
use faces::{InputTensor, Letterbox, preprocess};
use geometry::Size;
use inference::{ModelBytes, Outputs, Session, SessionOptions};
use outcome::{BackendError, RuntimeFault, RuntimeReport, RuntimeState};
use picture::decode_bytes;
use pipeline::panic_message;
use recipe::{BackendKind, DecodeLimits, Optimization, RuntimeOptions};

use super::process_snapshot::ProcessSnapshot;
use super::{Statistics, outputs_file};

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
    /// True to load the model without running it.
    pub load_only: bool,
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
            ("--library", &self.options.library),
            ("--cache", &self.cache_dir),
            ("--outputs", &self.outputs),
        ];
        for (name, file) in files {
            if let Some(file) = file {
                flag(name, file.into());
            }
        }
        if self.load_only {
            arguments.push("--load-only".into());
        }
        arguments
    }
}

/// Measures a runtime in this process; failures are part of the report.
///
/// `load_ms` is the time to open a session, including loading the library, if any, and the model. `first_ms` and `warm_ms`
/// are inference times on the probe image. `peak_memory_mb` is the difference of the process's peak resident size (`VmHWM`,
/// Linux only) and its resident size before loading, so it is meaningful only in a new process; `None` on other systems.
pub fn measure(request: &MeasureRequest) -> RuntimeReport {
    let mut report = RuntimeReport::new(request.kind, RuntimeState::Failed, None);
    if matches!(request.kind, BackendKind::Ort(_)) {
        report.library.clone_from(&request.options.library);
    }
    let before = matches!(request.kind, BackendKind::Ort(_)).then(ProcessSnapshot::now);
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
    report
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
    let model = ModelBytes::read_or_bundled(request.model.as_deref())?;
    let packed = pack_probe(request.input)?;
    let options =
        SessionOptions { input: request.input, runtime: request.options.clone(), cache_dir: request.cache_dir.clone() };

    let before_mb = memory_mb("VmRSS:");
    let start = Instant::now();
    let mut session = open_session(request.kind, &model, &options)?;
    report.load_ms = Some(elapsed_ms(start));
    report.version = Some(session.info().version.clone());
    report.device = Some(session.info().device.clone());
    if !request.load_only {
        let mut outputs = Outputs::new();
        report.first_ms = Some(timed_run(&mut *session, &packed, &mut outputs)?);
        let warm: Vec<f64> =
            (0..request.runs).map(|_| timed_run(&mut *session, &packed, &mut outputs)).collect::<Result<_, _>>()?;
        report.warm_ms = Statistics::of(warm).map(|figures| figures.median);
        if let Some(path) = &request.outputs {
            outputs_file::write(path, &outputs)
                .map_err(|error| other(&format!("its outputs cannot be written to {}: {error}", path.display())))?;
        }
    }
    let peak_mb = memory_mb("VmHWM:");
    report.peak_memory_mb = before_mb.zip(peak_mb).map(|(before, peak)| (peak - before).max(0.0));
    Ok(())
}

fn timed_run(session: &mut dyn Session, packed: &InputTensor, outputs: &mut Outputs) -> Result<f64, BackendError> {
    let start = Instant::now();
    session.run(packed.view(), outputs)?;
    Ok(elapsed_ms(start))
}

/// The probe image as the model's input tensor.
fn pack_probe(input: Size) -> Result<InputTensor, RuntimeFault> {
    let picture = decode_bytes(PROBE_PICTURE, &DecodeLimits::default()).map_err(|error| other(&error))?;
    let fit =
        Letterbox::new(picture.size(), input).ok_or_else(|| other(&format!("an input of {input} pixels is empty")))?;
    let mut packed = InputTensor::new(input);
    preprocess(&picture, &fit, &mut packed).map_err(|error| other(&error))?;
    Ok(packed)
}

fn other(what: &dyn ToString) -> RuntimeFault {
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

    use super::*;

    #[test]
    fn the_probe_image_is_small_and_fits_the_input() {
        assert!(PROBE_PICTURE.len() < 25_000);
        let packed = pack_probe(Size::new(640, 640)).expect("packs");
        assert!(packed.view()[[0, 0, 319, 319]] > 0.0 && packed.view()[[0, 0, 320, 320]] == 0.0);
    }

    #[cfg(feature = "tract")]
    #[test]
    fn a_runtime_is_measured_and_its_outputs_are_written() {
        let folder = tempfile::tempdir().expect("folder");
        let request = MeasureRequest {
            kind: BackendKind::Tract,
            model: None,
            options: RuntimeOptions::default(),
            input: Size::new(320, 320),
            cache_dir: None,
            load_only: false,
            runs: 3,
            outputs: Some(folder.path().join("outputs")),
            mark: String::new(),
        };
        let report = measure(&request);
        assert_eq!((report.state, &report.fault), (RuntimeState::Ready, &None));
        assert!(report.load_ms > Some(0.0) && report.first_ms > Some(0.0) && report.warm_ms > Some(0.0), "{report:?}");
        assert_eq!(report.peak_memory_mb.is_some(), cfg!(target_os = "linux"));
        let outputs = outputs_file::read(&folder.path().join("outputs")).expect("written");
        assert_eq!(outputs.get("kps_32").map(|output| output.values.len()), Some(1000));

        let loaded = measure(&MeasureRequest { load_only: true, outputs: None, ..request.clone() });
        assert!(loaded.state == RuntimeState::Ready && loaded.load_ms.is_some() && loaded.first_ms.is_none());
        let unread = measure(&MeasureRequest { model: Some("/no/such.onnx".into()), ..request });
        let reason = unread.fault.expect("a reason").to_string();
        assert!(unread.state == RuntimeState::Failed && reason.contains("/no/such.onnx"), "{reason}");
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
        let library = BackendError::Library(LibraryError::NotFound);
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
