//! The inference runtime and its options.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{DeviceChoice, Provider};

/// A runtime: an inference engine, for ONNX Runtime with an execution provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum BackendKind {
    /// The built-in engine: the bundled models in plain Rust, on the CPU.
    Builtin,
    /// tract: pure Rust, on the CPU.
    Tract,
    /// rten: pure Rust, on the CPU.
    Rten,
    /// ONNX Runtime with one of its execution providers.
    Ort(Provider),
    /// LiteRT, formerly TensorFlow Lite: its library, with XNNPACK on the CPU, only for the bundled models.
    Litert,
    /// candle: pure Rust, on the CPU; an optional feature of the build.
    Candle,
    /// Burn: pure Rust, on the CPU, only for the bundled model; an optional feature of the build.
    Burn,
}

impl BackendKind {
    /// The name used on the command line, in settings and in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Tract => "tract",
            Self::Rten => "rten",
            Self::Ort(provider) => provider.id(),
            Self::Litert => "litert",
            Self::Candle => "candle",
            Self::Burn => "burn",
        }
    }

    /// The name displayed by the window.
    pub fn title(self) -> &'static str {
        match self {
            Self::Builtin => "Built-in",
            Self::Tract => "tract",
            Self::Rten => "rten",
            Self::Ort(provider) => provider.title(),
            Self::Litert => "LiteRT",
            Self::Candle => "candle",
            Self::Burn => "Burn",
        }
    }

    /// The library it is loaded from; `None` if it is compiled into the program.
    pub const fn library(self) -> Option<RuntimeLibrary> {
        match self {
            Self::Ort(_) => Some(RuntimeLibrary::OnnxRuntime),
            Self::Litert => Some(RuntimeLibrary::LiteRt),
            Self::Builtin | Self::Tract | Self::Rten | Self::Candle | Self::Burn => None,
        }
    }

    /// True if it computes on the device of [`RuntimeOptions::device`].
    pub const fn chooses_device(self) -> bool {
        matches!(self, Self::Ort(provider) if provider.chooses_device())
    }

    /// True if a session for another input size opens in a time that a few photos of that shape save; see
    /// `docs/dev/detection.md`. The others compile the model for a device, or take longer.
    pub const fn opens_inputs_quickly(self) -> bool {
        matches!(self, Self::Builtin | Self::Tract | Self::Rten | Self::Ort(Provider::Cpu) | Self::Litert)
    }

    /// The runtime with the id `id`, whether or not this build has it; `ort` means `ort:cpu`.
    fn from_id(id: &str) -> Option<Self> {
        let engines = [Self::Builtin, Self::Tract, Self::Rten, Self::Litert, Self::Candle, Self::Burn];
        let mut every = engines.into_iter().chain(Provider::ALL.into_iter().map(Self::Ort));
        if id == "ort" { Some(Self::Ort(Provider::Cpu)) } else { every.find(|kind| kind.id() == id) }
    }
}

impl fmt::Display for BackendKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

impl TryFrom<String> for BackendKind {
    type Error = RuntimeChoiceError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::from_id(&text).ok_or(RuntimeChoiceError { text })
    }
}

impl From<BackendKind> for String {
    fn from(kind: BackendKind) -> Self {
        kind.id().to_owned()
    }
}

/// A library from which runtimes are loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuntimeLibrary {
    /// ONNX Runtime, with its execution providers.
    #[default]
    OnnxRuntime,
    /// LiteRT.
    LiteRt,
}

impl RuntimeLibrary {
    /// Every library, in display order.
    pub const ALL: [Self; 2] = [Self::OnnxRuntime, Self::LiteRt];

    /// The displayed name.
    pub const fn title(self) -> &'static str {
        match self {
            Self::OnnxRuntime => "ONNX Runtime",
            Self::LiteRt => "LiteRT",
        }
    }

    /// The option of the command line for its path.
    pub const fn option(self) -> &'static str {
        match self {
            Self::OnnxRuntime => "--onnxruntime",
            Self::LiteRt => "--litert",
        }
    }

    /// The command that fetches it.
    pub const fn fetched_by(self) -> &'static str {
        match self {
            Self::OnnxRuntime => "installer/onnxruntime/fetch.py",
            Self::LiteRt => "installer/onnxruntime/fetch.py --flavour litert",
        }
    }
}

impl fmt::Display for RuntimeLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// The user's choice of a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum RuntimeChoice {
    /// The fastest usable runtime that agrees with tract; the choice is always reported.
    #[default]
    Auto,
    /// This runtime; if it cannot be used, that is an error.
    Named(BackendKind),
}

impl RuntimeChoice {
    /// The name used on the command line, in settings and in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Named(kind) => kind.id(),
        }
    }
}

impl fmt::Display for RuntimeChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The text is not a runtime.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a runtime; use auto, builtin, tract, rten, litert, ort, or ort:PROVIDER such as ort:cuda")]
pub struct RuntimeChoiceError {
    /// The rejected text.
    pub text: String,
}

impl FromStr for RuntimeChoice {
    type Err = RuntimeChoiceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        BackendKind::from_id(text).map(Self::Named).ok_or_else(|| RuntimeChoiceError { text: text.to_owned() })
    }
}

impl TryFrom<String> for RuntimeChoice {
    type Error = RuntimeChoiceError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<RuntimeChoice> for String {
    fn from(choice: RuntimeChoice) -> Self {
        choice.id().to_owned()
    }
}

/// Graph optimisation level of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimization {
    /// No optimisation.
    Off,
    /// Optimisations that do not depend on the machine.
    Basic,
    /// Also fused operators.
    Extended,
    /// Everything, including machine-specific layouts.
    #[default]
    All,
}

/// The user's runtime options; saved in the settings.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RuntimeOptions {
    /// Threads for one run; 0 for the engine's default.
    pub threads: usize,
    /// Graph optimisation level; engines without levels always optimise fully.
    pub optimization: Optimization,
    /// The ONNX Runtime library or its folder; `None` searches the documented places.
    pub library: Option<PathBuf>,
    /// The LiteRT library or its folder; `None` searches the documented places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub litert: Option<PathBuf>,
    /// The device, for runtimes that [choose one](BackendKind::chooses_device).
    pub device: DeviceChoice,
    /// A folder with `face_landmark.onnx`, `iris_landmark.onnx` and `person.onnx`, used instead of the bundled files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub face_models: Option<PathBuf>,
}

impl RuntimeOptions {
    /// Maximum threads of one run; far more than this network can use.
    pub const MAX_THREADS: usize = 256;

    /// These options, with those that differ between `from` and `to` taken from `to`.
    #[must_use]
    pub fn with_changes(&self, from: &Self, to: &Self) -> Self {
        fn changed<T: Clone + PartialEq>(own: &T, from: &T, to: &T) -> T {
            if from == to { own.clone() } else { to.clone() }
        }
        Self {
            threads: changed(&self.threads, &from.threads, &to.threads),
            optimization: changed(&self.optimization, &from.optimization, &to.optimization),
            library: changed(&self.library, &from.library, &to.library),
            litert: changed(&self.litert, &from.litert, &to.litert),
            device: changed(&self.device, &from.device, &to.device),
            face_models: changed(&self.face_models, &from.face_models, &to.face_models),
        }
    }

    /// The path of `library`: a file or folder.
    pub fn path_of(&self, library: RuntimeLibrary) -> Option<&Path> {
        match library {
            RuntimeLibrary::OnnxRuntime => self.library.as_deref(),
            RuntimeLibrary::LiteRt => self.litert.as_deref(),
        }
    }

    /// The place of the path of `library`.
    pub fn path_of_mut(&mut self, library: RuntimeLibrary) -> &mut Option<PathBuf> {
        match library {
            RuntimeLibrary::OnnxRuntime => &mut self.library,
            RuntimeLibrary::LiteRt => &mut self.litert,
        }
    }
}
