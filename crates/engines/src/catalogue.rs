//! Every runtime a person can be offered, and opening the one they chose.

use inference::{Backend, ModelBytes, Session, SessionOptions};
use outcome::BackendError;
use recipe::{BackendKind, Provider};

/// Every runtime that can exist on this system, in the order they are offered.
pub fn offered_runtimes() -> Vec<BackendKind> {
    let providers = Provider::ALL.into_iter().filter(|provider| provider.can_exist_here()).map(BackendKind::Ort);
    let on_request = [(BackendKind::Candle, cfg!(feature = "candle")), (BackendKind::Burn, cfg!(feature = "burn"))];
    let on_request = on_request.into_iter().filter_map(|(kind, is_included)| is_included.then_some(kind));
    [BackendKind::Tract, BackendKind::Rten].into_iter().chain(on_request).chain(providers).collect()
}

fn backend_of(kind: BackendKind) -> Result<&'static dyn Backend, BackendError> {
    match kind {
        #[cfg(feature = "tract")]
        BackendKind::Tract => Ok(&crate::tract::TRACT),
        #[cfg(feature = "rten")]
        BackendKind::Rten => Ok(&crate::rten::RTEN),
        #[cfg(feature = "ort")]
        BackendKind::Ort(_) => Ok(&crate::ort::ORT),
        #[cfg(feature = "candle")]
        BackendKind::Candle => Ok(&engine_candle::CANDLE),
        #[cfg(feature = "burn")]
        BackendKind::Burn => Ok(&engine_burn::BURN),
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
    use recipe::RuntimeChoice;

    use super::*;

    #[test]
    fn ids_are_read_back() {
        let offered = offered_runtimes();
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
            assert_eq!((offered_runtimes().contains(&kind), is_included(kind)), (on, on), "{name}");
        }
        assert_eq!("ort".parse(), Ok(RuntimeChoice::Named(BackendKind::Ort(Provider::Cpu))));
        assert_eq!("auto".parse(), Ok(RuntimeChoice::Auto));
        assert!("gpu".parse::<RuntimeChoice>().is_err() && "ort:".parse::<RuntimeChoice>().is_err());
    }
}
