//! Texts about models. The English texts are those of `outcome`.

use outcome::{FaceModelFault, RuntimeReport};
use recipe::{BackendKind, ModelKind};

use super::super::language::{decimal, say, tr};
use super::faults::runtime_fault;
use super::parts::listed;

/// What a model is for.
pub(crate) fn model_title(kind: ModelKind) -> &'static str {
    match kind {
        ModelKind::Detector => tr("face detection"),
        ModelKind::Landmarks => tr("face landmarks"),
        ModelKind::Eyelids => tr("eyelids"),
        ModelKind::Person => tr("person mask"),
    }
}

/// The models that a runtime cannot use, each with the reason.
pub(crate) fn without_models(faults: &[FaceModelFault]) -> String {
    say!("without {models}", models = models(faults))
}

/// A runtime that cannot use some models, with the time of the others.
pub(super) fn incomplete_runtime(kind: BackendKind, photo_ms: f64, faults: &[FaceModelFault]) -> String {
    let time = decimal(photo_ms, 1);
    say!("{runtime} {time} ms, without {models}", runtime = kind, time = time, models = models(faults))
}

fn models(faults: &[FaceModelFault]) -> String {
    let one = |fault: &FaceModelFault| format!("{} ({})", model_title(fault.model), runtime_fault(&fault.fault));
    listed(&faults.iter().map(one).collect::<Vec<_>>())
}

/// The time of each model of a runtime, for hover texts; `None` if they were not timed.
pub(crate) fn model_times(report: &RuntimeReport) -> Option<String> {
    let time = |kind: ModelKind, ms: Option<f64>| Some(format!("{} {}", model_title(kind), super::ms(ms?)));
    let detector = time(ModelKind::Detector, report.warm_ms)?;
    let models = report.models.iter().filter_map(|model| time(model.model, model.warm_ms));
    let all: Vec<String> = std::iter::once(detector).chain(models).collect();
    (all.len() > 1).then(|| say!("Time of one run: {times}", times = listed(&all)))
}

#[cfg(test)]
mod tests {
    use outcome::RuntimeFault;

    use super::super::super::language::{Language, set_current};
    use super::*;

    fn fault(model: ModelKind) -> FaceModelFault {
        FaceModelFault { model, fault: RuntimeFault::Run { reason: "no memory".to_owned() } }
    }

    #[test]
    fn english_texts_match_the_command_line() {
        for kind in ModelKind::ALL {
            assert_eq!(model_title(kind), outcome::model_title(kind));
            assert_eq!(without_models(&[fault(kind)]), format!("without {}", fault(kind)));
        }
    }

    #[test]
    fn every_model_has_a_name_in_every_language() {
        for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
            set_current(language);
            let titles = ModelKind::ALL.map(|kind| (model_title(kind), kind));
            let text = without_models(&[fault(ModelKind::Person)]);
            set_current(Language::English);
            for (title, kind) in titles {
                assert_ne!(title, outcome::model_title(kind), "{language:?}");
            }
            assert!(!text.contains('{') && text.contains("no memory"), "{language:?}: {text}");
        }
    }
}
