//! Every runtime a person can be offered, and opening the one they chose.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Backend, BackendError, ModelBytes, Session, SessionInfo, SessionOptions, tract};

/// An inference engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BackendKind {
    /// tract: pure Rust, on the CPU.
    Tract,
    /// rten: pure Rust, on the CPU.
    Rten,
    /// ONNX Runtime.
    Ort,
}

impl BackendKind {
    /// Every engine, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Tract, Self::Rten, Self::Ort];

    /// The name used on the command line, in settings and in JSON.
    pub fn id(self) -> &'static str {
        match self {
            Self::Tract => "tract",
            Self::Rten => "rten",
            Self::Ort => "ort",
        }
    }

    /// The name the window shows.
    pub fn title(self) -> &'static str {
        match self {
            Self::Tract => "tract",
            Self::Rten => "rten",
            Self::Ort => "ONNX Runtime",
        }
    }

    fn backend(self) -> Option<&'static dyn Backend> {
        match self {
            Self::Tract => Some(&tract::TRACT),
            Self::Rten | Self::Ort => None,
        }
    }
}

impl fmt::Display for BackendKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

/// The runtime a person asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum RuntimeChoice {
    /// Whichever usable engine comes first; the one taken is always named.
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
#[error("'{text}' is not a runtime; known are auto, tract, rten and ort")]
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
        let found = BackendKind::ALL.into_iter().find(|kind| kind.id() == text);
        found.map(Self::Named).ok_or_else(|| RuntimeChoiceError { text: text.to_owned() })
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
}

/// One line of the list of runtimes.
#[derive(Debug)]
pub struct RuntimeEntry {
    /// The engine.
    pub kind: BackendKind,
    /// `Ok` where it can be used, else why not.
    pub state: Result<(), BackendError>,
}

/// Every engine with its state on this machine, in the order they are offered. Quick: opens nothing.
pub fn runtimes() -> Vec<RuntimeEntry> {
    BackendKind::ALL.into_iter().map(|kind| RuntimeEntry { kind, state: check(kind) }).collect()
}

fn check(kind: BackendKind) -> Result<(), BackendError> {
    kind.backend().ok_or(BackendError::NotIncluded { kind })?.check()
}

/// Opens the runtime `choice` asks for. [`RuntimeChoice::Auto`] takes the first that opens; a named one never falls back.
///
/// # Errors
/// The named engine's failure, or under Auto that of the first engine tried when none opens.
pub fn open_runtime(
    choice: RuntimeChoice,
    model: &ModelBytes,
    options: &SessionOptions,
) -> Result<Box<dyn Session>, BackendError> {
    let open = |kind: BackendKind| {
        let backend = kind.backend().ok_or(BackendError::NotIncluded { kind })?;
        backend.check()?;
        backend.open(model, options)
    };
    match choice {
        RuntimeChoice::Named(kind) => open(kind),
        RuntimeChoice::Auto => {
            let mut first_failure = None;
            for kind in BackendKind::ALL.into_iter().filter(|kind| kind.backend().is_some()) {
                match open(kind) {
                    Ok(session) => return Ok(session),
                    Err(error) => {
                        tracing::warn!(runtime = kind.id(), %error, "auto passes over a runtime");
                        first_failure.get_or_insert(error);
                    }
                }
            }
            Err(first_failure.unwrap_or(BackendError::NotIncluded { kind: BackendKind::Tract }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_back() {
        for kind in BackendKind::ALL {
            assert_eq!(kind.id().parse(), Ok(RuntimeChoice::Named(kind)));
        }
        assert_eq!("auto".parse(), Ok(RuntimeChoice::Auto));
        assert!("gpu".parse::<RuntimeChoice>().is_err());
    }

    #[test]
    fn tract_is_ready_and_an_engine_not_built_in_says_so() {
        let list = runtimes();
        assert!(list[0].kind == BackendKind::Tract && list[0].state.is_ok());
        let options = SessionOptions { input: crate::geometry::Size::new(320, 320) };
        let refused = open_runtime(RuntimeChoice::Named(BackendKind::Ort), &ModelBytes::bundled(), &options);
        assert!(matches!(refused.err(), Some(BackendError::NotIncluded { kind: BackendKind::Ort })));
    }
}
