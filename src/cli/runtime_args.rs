//! Arguments for runtimes and models.

use std::path::PathBuf;

use clap::Args;

use batch::latency::MeasureRequest;
use geometry::Size;
use recipe::{BackendKind, DeviceChoice, Optimization, RuntimeChoice, RuntimeOptions};

use super::numbers::{one_of, whole_from};

/// Environment variable that selects the runtime if no flag does.
pub const RUNTIME_VARIABLE: &str = "IRON_CROPPER_RUNTIME";

const OPTIMIZATIONS: &[(&str, Optimization)] = &[
    ("off", Optimization::Off),
    ("basic", Optimization::Basic),
    ("extended", Optimization::Extended),
    ("all", Optimization::All),
];

/// The runtime and the model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Runtime")]
pub struct RuntimeArgs {
    /// Inference runtime: auto, builtin, tract, rten, litert, ort, or ort:PROVIDER such as ort:cuda. If a named one cannot be used, the run
    /// fails; without this option, the environment variable IRON_CROPPER_RUNTIME is used
    #[arg(long, value_name = "NAME")]
    pub runtime: Option<RuntimeChoice>,

    /// YuNet model file to use instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
}

impl RuntimeArgs {
    /// The runtime requested by the flag or else by the environment variable.
    ///
    /// # Errors
    /// The variable names no runtime.
    pub fn choice(&self) -> anyhow::Result<Option<RuntimeChoice>> {
        if self.runtime.is_some() {
            return Ok(self.runtime);
        }
        let Some(named) = std::env::var_os(RUNTIME_VARIABLE).filter(|named| !named.is_empty()) else { return Ok(None) };
        let choice = named.to_string_lossy().parse().map_err(|error| anyhow::anyhow!("{RUNTIME_VARIABLE}: {error}"))?;
        Ok(Some(choice))
    }
}

/// Options for opening sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Runtime")]
pub struct SessionArgs {
    /// Threads per inference run; 0 lets the runtime choose [default: 0]
    #[arg(long, value_name = "N", value_parser = whole_from::<usize>(0, RuntimeOptions::MAX_THREADS as u64), allow_negative_numbers = true)]
    pub threads: Option<usize>,

    /// Graph optimisation level [default: all]
    #[arg(long, value_parser = one_of(OPTIMIZATIONS))]
    pub optimization: Option<Optimization>,

    /// Graphics card, for runtimes with a choice: its number, from 0, or a part of its name that no other card has; the
    /// command runtimes lists both [default: 0]
    #[arg(long, value_name = "NUMBER_OR_NAME", allow_negative_numbers = true)]
    pub device: Option<DeviceChoice>,

    /// ONNX Runtime library file, or the folder that contains it
    #[arg(long, value_name = "FILE_OR_DIR")]
    pub onnxruntime: Option<PathBuf>,

    /// LiteRT library file, or the folder that contains it
    #[arg(long, value_name = "FILE_OR_DIR")]
    pub litert: Option<PathBuf>,

    /// Folder with face_landmark.onnx, iris_landmark.onnx and person.onnx to use instead of the built-in ones
    #[arg(long, value_name = "FOLDER")]
    pub face_models: Option<PathBuf>,
}

impl SessionArgs {
    /// The defaults, overridden by the flags.
    pub fn options(&self) -> RuntimeOptions {
        let base = RuntimeOptions::default();
        RuntimeOptions {
            threads: self.threads.unwrap_or(base.threads),
            optimization: self.optimization.unwrap_or(base.optimization),
            library: self.onnxruntime.clone(),
            litert: self.litert.clone(),
            device: self.device.clone().unwrap_or(base.device),
            face_models: self.face_models.clone(),
        }
    }
}

/// Options for testing all runtimes, shared by `runtimes` and `doctor`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct TrialArgs {
    /// Test every runtime again and ignore cached results
    #[arg(long)]
    pub afresh: bool,

    /// YuNet model file to test the runtimes with, instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    #[command(flatten)]
    pub session: SessionArgs,
}

/// Arguments of `runtimes`.
#[derive(Clone, Debug, Args)]
pub struct RuntimesArgs {
    /// Print JSON lines, one object per runtime
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub trial: TrialArgs,
}

/// Arguments of `compare`.
#[derive(Clone, Debug, Args)]
pub struct CompareArgs {
    /// Photos and folders; folders are searched recursively, hidden files are ignored
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Runtimes to compare, such as tract,rten,ort:cpu [default: every runtime that works on this machine]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub runtimes: Vec<RuntimeChoice>,

    /// Warm-up runs of each runtime on each photo, not measured
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = whole_from::<u32>(0, 10_000))]
    pub warmup: u32,

    /// Measured runs of each runtime on each photo
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole_from::<u32>(1, 10_000))]
    pub repeats: u32,

    /// Fail unless the model computes in this precision; int8 means that it contains quantised operators
    #[arg(long, value_parser = one_of(&[("fp32", Precision::Fp32), ("int8", Precision::Int8)]))]
    pub precision: Option<Precision>,

    /// YuNet model file to use instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,

    #[command(flatten)]
    pub session: SessionArgs,

    /// Print JSON lines, one object per runtime, and nothing else
    #[arg(long, conflicts_with_all = ["csv", "markdown"])]
    pub json: bool,

    /// Print comma-separated values
    #[arg(long, conflicts_with = "markdown")]
    pub csv: bool,

    /// Print a Markdown table
    #[arg(long)]
    pub markdown: bool,
}

/// Precision of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floats.
    Fp32,
    /// 8-bit whole numbers, at least in part.
    Int8,
}

/// Arguments of `model`.
#[derive(Clone, Debug, Args)]
pub struct ModelArgs {
    /// The model file [default: every model in use]
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// Input size in pixels for which multiply-adds are counted [default: the model's own, 640x640 for the detector]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub input: Option<Size>,

    /// Print JSON lines, one object per model
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub session: SessionArgs,
}

/// Arguments of the hidden subcommand that measures a runtime.
#[derive(Clone, Debug, Args)]
pub struct MeasureArgs {
    /// The runtime
    #[arg(value_parser = parse_kind)]
    pub kind: BackendKind,

    /// The model file
    #[arg(long)]
    pub model: Option<PathBuf>,

    /// Folder with the models that describe faces
    #[arg(long)]
    pub face_models: Option<PathBuf>,

    /// ONNX Runtime's library file
    #[arg(long)]
    pub library: Option<PathBuf>,

    /// LiteRT's library file
    #[arg(long)]
    pub litert: Option<PathBuf>,

    /// Folder for compiled models
    #[arg(long)]
    pub cache: Option<PathBuf>,

    /// Threads per run
    #[arg(long, default_value_t = 0)]
    pub threads: usize,

    /// Graph optimisation level
    #[arg(long, default_value = "all", value_parser = one_of(OPTIMIZATIONS))]
    pub optimization: Optimization,

    /// Number or name of the device
    #[arg(long, default_value_t)]
    pub device: DeviceChoice,

    /// Input size in pixels
    #[arg(long, default_value = "640x640", value_parser = parse_size)]
    pub input: Size,

    /// Runs after the first
    #[arg(long, default_value_t = 7)]
    pub runs: u32,

    /// Only load the models
    #[arg(long)]
    pub load_only: bool,

    /// Leave out the models that describe faces
    #[arg(long)]
    pub detector_only: bool,

    /// File for the outputs
    #[arg(long)]
    pub outputs: Option<PathBuf>,

    /// Prefix of the line with the report
    #[arg(long, default_value = "")]
    pub mark: String,
}

impl MeasureArgs {
    pub fn request(&self) -> MeasureRequest {
        let options = RuntimeOptions {
            threads: self.threads,
            optimization: self.optimization,
            library: self.library.clone(),
            litert: self.litert.clone(),
            device: self.device.clone(),
            face_models: self.face_models.clone(),
        };
        MeasureRequest {
            kind: self.kind,
            model: self.model.clone(),
            options,
            input: self.input,
            cache_dir: self.cache.clone(),
            load_only: self.load_only,
            detector_only: self.detector_only,
            runs: self.runs,
            outputs: self.outputs.clone(),
            mark: self.mark.clone(),
        }
    }
}

fn parse_kind(text: &str) -> Result<BackendKind, String> {
    BackendKind::try_from(text.to_owned()).map_err(|error| error.to_string())
}

/// Parses `640x480`.
fn parse_size(text: &str) -> Result<Size, String> {
    let wrong = || format!("'{text}' is not a size; write it as 640x480, sides 1 to 16384");
    let (width, height) = text.split_once('x').ok_or_else(wrong)?;
    let side = |side: &str| side.parse().ok().filter(|side| (1..=16_384).contains(side)).ok_or_else(wrong);
    Ok(Size::new(side(width)?, side(height)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Arguments, Command};

    fn command(given: &[&str]) -> Result<Command, clap::Error> {
        let arguments = Arguments::read(["iron-cropper"].iter().chain(given))?;
        Ok(arguments.command.expect("a subcommand"))
    }

    #[test]
    fn a_child_process_parses_its_arguments() {
        let request = MeasureRequest {
            kind: "ort:cuda".to_owned().try_into().expect("a runtime"),
            model: Some("models/a model.onnx".into()),
            options: RuntimeOptions {
                threads: 3,
                optimization: Optimization::Extended,
                library: Some("/lib/libonnxruntime.so".into()),
                litert: Some("/lib/libLiteRt.so".into()),
                device: DeviceChoice::Named("RTX 4070".to_owned()),
                face_models: Some("my models".into()),
            },
            input: Size::new(320, 640),
            cache_dir: Some("/cache".into()),
            load_only: true,
            detector_only: true,
            runs: 4,
            outputs: Some("-o".into()),
            mark: "5eed:".to_owned(),
        };
        for request in [
            MeasureRequest { outputs: None, ..request.clone() },
            MeasureRequest { load_only: false, detector_only: false, ..request },
        ] {
            let request = MeasureRequest { outputs: request.outputs.map(|_| "/tmp/out".into()), ..request };
            let given: Vec<_> = std::iter::once("iron-cropper".into()).chain(request.arguments()).collect();
            match Arguments::read(given).expect("valid").command {
                Some(Command::Measure(args)) => assert_eq!(args.request(), request),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn runtimes_and_doctor_have_the_same_probe_flags() {
        let flags = ["--afresh", "--model", "m.onnx", "--threads", "2", "--device", "1", "--face-models", "mine"];
        let given = |name| command(&[&[name][..], &flags].concat()).expect("valid");
        let (Command::Runtimes(runtimes), Command::Doctor(doctor)) = (given("runtimes"), given("doctor")) else {
            panic!("others")
        };
        assert_eq!(runtimes.trial, doctor.trial);
        assert!(doctor.trial.afresh && doctor.trial.session.options().device == DeviceChoice::Number(1));
        assert_eq!(doctor.trial.session.options().face_models, Some("mine".into()));
        let help = |name: &str| {
            let text = command(&[name, "--help"]).expect_err("help").to_string();
            let text = text.split("\nExit codes").next().unwrap_or_default();
            text[text.find("--afresh").expect("listed")..].trim_end().to_owned()
        };
        assert_eq!(help("runtimes"), help("doctor"));
        assert!(help("doctor").find("Runtime:") < help("doctor").find("--threads"));
    }

    #[test]
    fn compare_flags_are_parsed() {
        let given =
            ["compare", "a.jpg", "--runtimes", "tract,ort:cpu", "--repeats", "3", "--precision", "int8", "--csv"];
        let Ok(Command::Compare(args)) = command(&given) else { panic!("no comparison") };
        assert_eq!(args.runtimes.iter().map(|choice| choice.id()).collect::<Vec<_>>(), ["tract", "ort:cpu"]);
        assert_eq!((args.warmup, args.repeats, args.precision), (2, 3, Some(Precision::Int8)));
        assert!(args.csv && !args.json);
        for wrong in [
            &["compare"][..],
            &["compare", "a.jpg", "--json", "--csv"],
            &["compare", "a.jpg", "--repeats", "0"],
            &["compare", "a.jpg", "--runtimes", "gpu"],
            &["compare", "a.jpg", "--precision", "fp16"],
            &["model", "--input", "640"],
            &["model", "--input", "0x640"],
        ] {
            assert_eq!(command(wrong).expect_err("refused").exit_code(), 2, "{wrong:?}");
        }
    }
}
