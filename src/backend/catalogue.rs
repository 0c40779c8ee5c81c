//! Every runtime a person can be offered, and opening the one they chose.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

#[cfg(feature = "burn")]
use super::burn as compiled_in;
#[cfg(feature = "ort")]
use super::ort as onnx_runtime;
#[cfg(feature = "rten")]
use super::rten as pure_rust;
use super::{Backend, BackendError, ModelBytes, Provider, Session, SessionInfo, SessionOptions};

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
    /// Every runtime that can exist on this system, in the order they are offered.
    pub fn offered() -> Vec<Self> {
        let providers = Provider::ALL.into_iter().filter(|provider| provider.can_exist_here()).map(Self::Ort);
        let on_request = [(Self::Candle, cfg!(feature = "candle")), (Self::Burn, cfg!(feature = "burn"))];
        let on_request = on_request.into_iter().filter_map(|(kind, is_included)| is_included.then_some(kind));
        [Self::Tract, Self::Rten].into_iter().chain(on_request).chain(providers).collect()
    }

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

/// Named among the known runtimes where it is one of them.
const CANDLE: &str = if cfg!(feature = "candle") { "candle, " } else { "" };
const BURN: &str = if cfg!(feature = "burn") { "burn, " } else { "" };

/// The text names no runtime.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a runtime; known are auto, tract, rten, {CANDLE}{BURN}ort, and ort:PROVIDER such as ort:cuda")]
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

/// What was asked for and what is running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeInUse {
    /// The person's choice.
    pub requested: RuntimeChoice,
    /// The session that was opened.
    pub actual: SessionInfo,
    /// Under Auto, why this one: the runtimes compared and their times, in words.
    pub why: Option<String>,
}

fn backend_of(kind: BackendKind) -> Result<&'static dyn Backend, BackendError> {
    match kind {
        #[cfg(feature = "tract")]
        BackendKind::Tract => Ok(&super::tract::TRACT),
        #[cfg(feature = "rten")]
        BackendKind::Rten => Ok(&pure_rust::RTEN),
        #[cfg(feature = "ort")]
        BackendKind::Ort(_) => Ok(&onnx_runtime::ORT),
        #[cfg(feature = "candle")]
        BackendKind::Candle => Ok(&super::candle::CANDLE),
        #[cfg(feature = "burn")]
        BackendKind::Burn => Ok(&compiled_in::BURN),
        #[cfg(not(all(feature = "tract", feature = "rten", feature = "ort", feature = "candle", feature = "burn")))]
        _ => Err(BackendError::NotIncluded { kind }),
    }
}

/// Opens a session of `kind` for `model`; never falls back to another.
///
/// ONNX Runtime's library is loaded into this process here: [`probe`](super::probe) tells beforehand, from a process of
/// its own, whether that is safe.
///
/// # Errors
/// The engine is not in this build, its library cannot be used, or it does not take the model.
pub fn open_session(
    kind: BackendKind,
    model: &ModelBytes,
    options: &SessionOptions,
) -> Result<Box<dyn Session>, BackendError> {
    backend_of(kind)?.open(kind, model, options)
}

/// True where `kind` is part of this program.
pub fn is_included(kind: BackendKind) -> bool {
    backend_of(kind).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_back() {
        let offered = BackendKind::offered();
        assert!(offered.contains(&BackendKind::Ort(Provider::Cpu)) && offered[0] == BackendKind::Tract);
        for kind in offered {
            assert_eq!(kind.id().parse(), Ok(RuntimeChoice::Named(kind)));
            assert_eq!(BackendKind::try_from(String::from(kind)), Ok(kind));
        }
        // A setting that names it is read by every build, and only some have it.
        for (name, kind, on) in [
            ("candle", BackendKind::Candle, cfg!(feature = "candle")),
            ("burn", BackendKind::Burn, cfg!(feature = "burn")),
        ] {
            assert_eq!(name.parse(), Ok(RuntimeChoice::Named(kind)));
            assert_eq!((BackendKind::offered().contains(&kind), is_included(kind)), (on, on), "{name}");
        }
        assert_eq!("ort".parse(), Ok(RuntimeChoice::Named(BackendKind::Ort(Provider::Cpu))));
        assert_eq!("auto".parse(), Ok(RuntimeChoice::Auto));
        assert!("gpu".parse::<RuntimeChoice>().is_err() && "ort:".parse::<RuntimeChoice>().is_err());
    }
}
