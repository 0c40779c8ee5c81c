//! What happens in the child process: one runtime is loaded, run on the probe picture, timed and weighed.

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

use super::surroundings::Surroundings;
use super::{Statistics, outputs_file};

/// Name of the hidden subcommand that a child process is started with.
pub const MEASURE_SUBCOMMAND: &str = "measure-runtime";

/// A portrait of 320 x 320 pixels: the astronaut of the samples, cut and made smaller.
pub static PROBE_PICTURE: &[u8] = include_bytes!("../../../../assets/probe.jpg");

/// What a child process is to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureRequest {
    /// The runtime.
    pub kind: BackendKind,
    /// The model file; `None` for the bundled one.
    pub model: Option<PathBuf>,
    /// How the session is opened.
    pub options: RuntimeOptions,
    /// Pixels of the model's input.
    pub input: Size,
    /// Where engines may keep what they compiled.
    pub cache_dir: Option<PathBuf>,
    /// True to load the model and not run it.
    pub load_only: bool,
    /// Runs after the first, of which the median is told.
    pub runs: u32,
    /// The file the outputs of the last run are written to.
    pub outputs: Option<PathBuf>,
    /// What the line with the report begins with, so that nothing a library prints is taken for it.
    pub mark: String,
}

impl MeasureRequest {
    /// The order as the arguments of a child process, [`MEASURE_SUBCOMMAND`] first.
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

/// Measures a runtime in this very process; failures are told in the report.
///
/// `load_ms` is the time from nothing to an open session: the library, where there is one, and the model. `first_ms`
/// and `warm_ms` are the engine's run alone, on the probe picture. `peak_memory_mb` is what the process's largest
/// resident size (Linux's `VmHWM`) lies above its size before loading, so that it only means something in a fresh
/// process; elsewhere it is `None`.
pub fn measure(request: &MeasureRequest) -> RuntimeReport {
    let mut report = RuntimeReport::new(request.kind, RuntimeState::Failed, None);
    if matches!(request.kind, BackendKind::Ort(_)) {
        report.library.clone_from(&request.options.library);
    }
    let before = matches!(request.kind, BackendKind::Ort(_)).then(Surroundings::now);
    match catch_unwind(AssertUnwindSafe(|| run(request, &mut report))) {
        Ok(Ok(())) => match before.and_then(|before| before.changed()) {
            None => report.state = RuntimeState::Ready,
            Some(what) => {
                let words = format!("the library changed {what}; use another version of it");
                report.fault = Some(RuntimeFault::Other(words));
            }
        },
        Ok(Err(trouble)) => {
            report.state = trouble.state;
            report.fault = Some(trouble.fault);
        }
        Err(panic) => report.fault = Some(RuntimeFault::Panicked { message: panic_message(&*panic) }),
    }
    report
}

/// Why a runtime was not measured.
struct Trouble {
    state: RuntimeState,
    fault: RuntimeFault,
}

impl From<BackendError> for Trouble {
    fn from(error: BackendError) -> Self {
        Self { state: state_of(&error), fault: RuntimeFault::of(&error) }
    }
}

impl From<RuntimeFault> for Trouble {
    fn from(fault: RuntimeFault) -> Self {
        Self { state: RuntimeState::Failed, fault }
    }
}

fn run(request: &MeasureRequest, report: &mut RuntimeReport) -> Result<(), Trouble> {
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

/// The probe picture as the model's input.
fn pack_probe(input: Size) -> Result<InputTensor, RuntimeFault> {
    let picture = decode_bytes(PROBE_PICTURE, &DecodeLimits::default()).map_err(|error| other(&error))?;
    let fit = Letterbox::new(picture.size(), input)
        .ok_or_else(|| other(&format!("an input of {input} pixels holds nothing")))?;
    let mut packed = InputTensor::new(input);
    preprocess(&picture, &fit, &mut packed).map_err(|error| other(&error))?;
    Ok(packed)
}

fn other(what: &dyn ToString) -> RuntimeFault {
    RuntimeFault::Other(what.to_string())
}

/// What a failure says of the runtime.
pub(super) fn state_of(error: &BackendError) -> RuntimeState {
    match error {
        BackendError::NotIncluded { .. } | BackendError::NotInLibrary { .. } => RuntimeState::Unsupported,
        BackendError::Library(_) => RuntimeState::Missing,
        _ => RuntimeState::Failed,
    }
}

/// A figure of this process's memory in megabytes (10^6 bytes), as Linux tells it; `None` elsewhere.
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
    fn the_probe_picture_is_small_and_packs() {
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
        let said = |error: BackendError| RuntimeFault::of(&error).to_string();
        assert_eq!(said(BackendError::NotIncluded { kind }), "not included in this build");
        let error = BackendError::Load { kind, model: "m".to_owned(), reason: "no".to_owned().into() };
        assert_eq!(said(error), "cannot load the model m: no");
        let source = std::io::Error::other("denied");
        let error = BackendError::ModelUnreadable { path: "m".into(), source };
        assert_eq!(said(error), "the model file m cannot be read: denied");
    }

    #[test]
    fn failures_say_what_to_do_about_the_runtime() {
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
