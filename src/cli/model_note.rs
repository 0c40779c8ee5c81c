//! Notes about models that cannot be used.

use outcome::{FaceModelFault, RuntimeInUse};
use recipe::ModelKind;

/// The note on standard error: the model, the reason and the effect.
pub(super) fn of(fault: &FaceModelFault, runtime: Option<&RuntimeInUse>) -> String {
    let (model, effect) = match fault.model {
        ModelKind::Detector => ("face detector", "no faces are found"),
        ModelKind::Landmarks => ("face landmark model", "heads are estimated from five points"),
        ModelKind::Eyelids => ("eyelid model", "closed eyes are not reported"),
        ModelKind::Person => ("person model", "hair and background are not measured"),
    };
    let with = runtime.map_or_else(String::new, |runtime| format!(" with {}", runtime.actual.kind.id()));
    format!("note: the {model} cannot be used{with}: {}; {effect}", fault.fault)
}

#[cfg(test)]
mod tests {
    use outcome::RuntimeFault;
    use plan::WarningKind;

    use super::*;

    #[test]
    fn a_note_states_model_reason_and_effect() {
        let fault = |model| FaceModelFault { model, fault: RuntimeFault::Run { reason: "no memory".to_owned() } };
        assert_eq!(
            of(&fault(ModelKind::Landmarks), None),
            "note: the face landmark model cannot be used: failed while running the model: no memory; heads are \
             estimated from five points"
        );
        // The window has the same words.
        for model in ModelKind::ALL {
            let reason = ": failed while running the model: no memory; ";
            let note = of(&fault(model), None).replace(reason, ", so ");
            assert_eq!(note, format!("note: {}", WarningKind::NoModel { model }));
        }
    }
}
