//! The catalogue of runtimes, and opening a session of one.

use inference::{Backend, ModelBytes, Session, SessionOptions};
use outcome::{BackendError, Device};
use recipe::{BackendKind, Provider};

/// Every runtime available for this system, in display order.
pub fn offered_runtimes() -> Vec<BackendKind> {
    let providers =
        Provider::ALL.into_iter().filter(|provider| provider.is_available_on_this_system()).map(BackendKind::Ort);
    let optional = [(BackendKind::Candle, cfg!(feature = "candle")), (BackendKind::Burn, cfg!(feature = "burn"))];
    let optional = optional.into_iter().filter_map(|(kind, is_included)| is_included.then_some(kind));
    let compiled_in = [BackendKind::Builtin, BackendKind::Tract, BackendKind::Rten].into_iter().chain(optional);
    compiled_in.chain([BackendKind::Litert]).chain(providers).collect()
}

fn backend_of(kind: BackendKind) -> Result<&'static dyn Backend, BackendError> {
    match kind {
        BackendKind::Builtin => Ok(&engine_builtin::BUILTIN),
        #[cfg(feature = "tract")]
        BackendKind::Tract => Ok(&crate::tract::TRACT),
        #[cfg(feature = "rten")]
        BackendKind::Rten => Ok(&crate::rten::RTEN),
        #[cfg(feature = "ort")]
        BackendKind::Ort(_) => Ok(&crate::ort::ORT),
        #[cfg(feature = "litert")]
        BackendKind::Litert => Ok(&crate::litert::LITERT),
        #[cfg(feature = "candle")]
        BackendKind::Candle => Ok(&engine_candle::CANDLE),
        #[cfg(feature = "burn")]
        BackendKind::Burn => Ok(&engine_burn::BURN),
        #[cfg(not(all(
            feature = "tract",
            feature = "rten",
            feature = "ort",
            feature = "litert",
            feature = "candle",
            feature = "burn"
        )))]
        _ => Err(BackendError::NotIncluded { kind }),
    }
}

/// Opens a session of `kind` for `model`; there is no fallback to another runtime.
///
/// This loads the runtime's library into the process, if it has one: [`probe`](super::probe) checks beforehand, in a separate
/// process, whether that is safe.
///
/// # Errors
/// The engine is not in this build, its library cannot be used, or it rejects the model.
pub fn open_session(
    kind: BackendKind,
    model: &ModelBytes,
    options: &SessionOptions,
) -> Result<Box<dyn Session>, BackendError> {
    backend_of(kind)?.open(kind, model, options)
}

/// True if `kind` is part of this build.
pub fn is_included(kind: BackendKind) -> bool {
    backend_of(kind).is_ok()
}

/// The runtimes that the loaded ONNX Runtime library includes, by its own list; `None` if none is loaded.
pub fn runtimes_in_library() -> Option<Vec<BackendKind>> {
    #[cfg(feature = "ort")]
    let included = crate::ort_providers::providers_in_library();
    #[cfg(not(feature = "ort"))]
    let included: Option<Vec<Provider>> = None;
    Some(included?.into_iter().map(BackendKind::Ort).collect())
}

/// The devices that `kind` can compute on, with its own numbers; empty if it cannot choose one, or if they are unknown.
///
/// This may load a graphics driver, which can crash or hang: call it in a process started by [`probe`](super::probe).
pub fn devices(kind: BackendKind) -> Vec<Device> {
    match kind {
        #[cfg(feature = "ort")]
        BackendKind::Ort(provider) => crate::devices::list(provider),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use recipe::RuntimeChoice;

    use super::*;

    #[test]
    fn ids_are_parsed_back() {
        let offered = offered_runtimes();
        assert!(offered.contains(&BackendKind::Ort(Provider::Cpu)) && offered.contains(&BackendKind::Litert));
        assert_eq!(offered[0], BackendKind::Builtin);
        for kind in offered {
            assert_eq!(kind.id().parse(), Ok(RuntimeChoice::Named(kind)));
            assert_eq!(BackendKind::try_from(String::from(kind)), Ok(kind));
        }
        // Every build can parse the setting, but only some include the runtime.
        for (name, kind, on) in [
            ("candle", BackendKind::Candle, cfg!(feature = "candle")),
            ("burn", BackendKind::Burn, cfg!(feature = "burn")),
        ] {
            assert_eq!(name.parse(), Ok(RuntimeChoice::Named(kind)));
            assert_eq!((offered_runtimes().contains(&kind), is_included(kind)), (on, on), "{name}");
        }
        assert_eq!("ort".parse(), Ok(RuntimeChoice::Named(BackendKind::Ort(Provider::Cpu))));
        assert_eq!("auto".parse(), Ok(RuntimeChoice::Auto));
        assert!("gpu".parse::<RuntimeChoice>().is_err() && "ort:".parse::<RuntimeChoice>().is_err());
    }
}
