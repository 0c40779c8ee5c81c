//! Which inference runtime is asked for, and how it runs.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Provider;

/// A runtime: an inference engine, with its execution provider where it has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum BackendKind {
    /// tract: pure Rust, on the CPU.
    Tract,
    /// rten: pure Rust, on the CPU.
    Rten,
    /// ONNX Runtime with one of its execution providers.
    Ort(Provider),
    /// candle: pure Rust, on the CPU; part of a build only on request, and offered only there.
    Candle,
    /// Burn: pure Rust, on the CPU, with the bundled model alone; part of a build only on request, and offered only there.
    Burn,
}

impl BackendKind {
    /// The name used on the command line, in settings and in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::Tract => "tract",
            Self::Rten => "rten",
            Self::Ort(provider) => provider.id(),
            Self::Candle => "candle",
            Self::Burn => "burn",
        }
    }

    /// The name the window shows.
    pub fn title(self) -> &'static str {
        match self {
            Self::Tract => "tract",
            Self::Rten => "rten",
            Self::Ort(provider) => provider.title(),
            Self::Candle => "candle",
            Self::Burn => "Burn",
        }
    }

    /// The runtime called `id`, whether this build has it or not; `ort` alone means its CPU.
    fn from_id(id: &str) -> Option<Self> {
        let engines = [Self::Tract, Self::Rten, Self::Candle, Self::Burn];
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

/// The runtime a person asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum RuntimeChoice {
    /// The fastest runtime that works here and agrees with tract; the one taken is always named.
    #[default]
    Auto,
    /// This engine and no other: if it cannot be used, that is an error.
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

/// The text names no runtime.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a runtime; known are auto, tract, rten, ort, and ort:PROVIDER such as ort:cuda")]
pub struct RuntimeChoiceError {
    /// What was given.
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

/// How much an engine rewrites the model's graph before running it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimization {
    /// Not at all.
    Off,
    /// What keeps the graph the same on every machine.
    Basic,
    /// Fused operators as well.
    Extended,
    /// Everything, layouts for this machine among it.
    #[default]
    All,
}

/// What a person may say of runtimes; kept in the settings.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RuntimeOptions {
    /// Threads an engine may use for one run; 0 leaves it to the engine.
    pub threads: usize,
    /// How much the graph is rewritten; engines without a choice always do everything.
    pub optimization: Optimization,
    /// The ONNX Runtime library, or the folder it is in; `None` looks in the documented places.
    pub library: Option<PathBuf>,
    /// Which device of a provider that has several, counted from 0.
    pub device: u32,
}

impl RuntimeOptions {
    /// Most threads of one run; far more than any processor this network could fill.
    pub const MAX_THREADS: usize = 256;
}
