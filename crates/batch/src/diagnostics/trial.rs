//! A test crop: a small built-in image is cropped with the bundled model.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use engines::probe;
use engines::probe::{ChildError, run_child};
use outcome::RuntimeState;
use recipe::{BackendKind, RuntimeOptions};

use super::redact::Redactor;
use crate::latency::{PROBE_PICTURE, RuntimeTable, choose};

/// Timeout for one crop, including the start of the process and the runtime.
const CROP_LIMIT: Duration = Duration::from_secs(20);

/// Maximum number of runtimes to try.
const MAX: usize = 3;

/// Why a runtime produced no crop.
#[derive(Debug, thiserror::Error)]
enum TrialError {
    #[error("{0}")]
    NoFolder(io::Error),
    #[error("no temporary file can be written: {0}")]
    NoFile(io::Error),
    #[error("the test process {0}")]
    Child(ChildError),
    #[error("the test process did not answer")]
    NoAnswer,
    #[error("{outcome} instead of a crop")]
    OtherOutcome { outcome: String },
    #[error("the crop is missing")]
    NoCrop,
}

/// The result of the test crop.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CropTrial {
    /// The last runtime used; `None` if none works.
    pub runtime: Option<&'static str>,
    /// True if a crop was written.
    pub cropped: bool,
    /// Number of faces detected.
    pub faces: Option<u64>,
    /// Duration of the whole process in milliseconds.
    pub took_ms: Option<f64>,
    /// Why there is no crop, with one reason per runtime.
    pub reasons: Vec<String>,
}

/// Crops the built-in image with the working runtimes, starting with Auto's choice, until one succeeds. Runs this program
/// as a child process with a temporary output folder.
pub(super) fn crop(table: &RuntimeTable, options: &RuntimeOptions, redactor: &Redactor) -> CropTrial {
    let mut trial = CropTrial { runtime: None, cropped: false, faces: None, took_ms: None, reasons: Vec::new() };
    let Some(program) = probe::program() else {
        trial.reasons.push("the path of the program is unknown".to_owned());
        return trial;
    };
    let ready = table.reports.iter().filter(|report| report.state == RuntimeState::Ready).map(|report| report.kind);
    let mut kinds: Vec<BackendKind> = choose(table).map(|auto| auto.kind).into_iter().collect();
    kinds.extend(ready.filter(|kind| !kinds.contains(kind)).collect::<Vec<_>>());
    if kinds.is_empty() {
        trial.reasons.push("no runtime works here".to_owned());
    }
    for kind in kinds.into_iter().take(MAX) {
        let start = Instant::now();
        trial.runtime = Some(kind.id());
        match crop_with(program, kind, options) {
            Ok(faces) => {
                (trial.cropped, trial.faces) = (true, Some(faces));
                trial.took_ms = Some((start.elapsed().as_secs_f64() * 1e4).round() / 10.0);
                break;
            }
            Err(error) => trial.reasons.push(format!("{}: {}", kind.id(), redactor.redact_paths(&error.to_string()))),
        }
    }
    trial
}

/// Runs the test crop on `kind` and returns the number of faces detected.
fn crop_with(program: &Path, kind: BackendKind, options: &RuntimeOptions) -> Result<u64, TrialError> {
    let folder = tempfile::Builder::new().prefix("iron-cropper-doctor-").tempdir().map_err(TrialError::NoFolder)?;
    let (photo, output) = (folder.path().join("probe.jpg"), folder.path().join("out"));
    std::fs::write(&photo, PROBE_PICTURE).map_err(TrialError::NoFile)?;
    let mut arguments: Vec<OsString> = vec!["crop".into(), photo.into(), "-o".into(), output.clone().into()];
    arguments.extend(["--json", "--runtime", kind.id(), "--threads"].map(OsString::from));
    arguments.push(options.threads.to_string().into());
    if let Some((library, path)) = kind.library().and_then(|library| Some((library, options.path_of(library)?))) {
        arguments.extend([library.option().into(), path.into()]);
    }
    if kind.chooses_device() {
        arguments.extend(["--device".into(), options.device.to_string().into()]);
    }
    let answer = run_child(program, &arguments, CROP_LIMIT).map_err(TrialError::Child)?;
    read(&answer, &output)
}

fn read(answer: &str, output: &Path) -> Result<u64, TrialError> {
    let last = answer.lines().last().ok_or(TrialError::NoAnswer)?;
    let line: Value = serde_json::from_str(last).map_err(|_| TrialError::NoAnswer)?;
    let outcome = line["outcome"].as_str().unwrap_or_default();
    if outcome != "cropped" {
        return Err(TrialError::OtherOutcome { outcome: outcome.to_owned() });
    }
    let written = line["crops"][0]["written"].as_str().map(Path::new);
    if written.is_none_or(|path| !path.starts_with(output) || !path.is_file()) {
        return Err(TrialError::NoCrop);
    }
    Ok(line["faces"].as_array().map_or(0, Vec::len) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_existing_crop_counts() {
        let folder = tempfile::tempdir().expect("created");
        let file = folder.path().join("probe.jpg");
        let line = |outcome: &str| {
            let crops = serde_json::json!([{ "written": file }]);
            serde_json::json!({ "outcome": outcome, "faces": [1, 2], "crops": crops }).to_string()
        };
        assert!(matches!(read(&line("cropped"), folder.path()), Err(TrialError::NoCrop)));
        std::fs::write(&file, "x").expect("written");
        assert_eq!(read(&line("cropped"), folder.path()).expect("a crop"), 2);
        assert!(read(&line("cropped"), Path::new("/elsewhere")).is_err());
        assert!(read(&line("no-face"), folder.path()).is_err_and(|error| error.to_string().starts_with("no-face")));
        assert!(read("text", folder.path()).is_err() && read("", folder.path()).is_err());
    }
}
