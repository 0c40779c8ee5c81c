//! Tests which runtimes can load a model.

use std::path::Path;

use engines::offered_runtimes;
use geometry::Size;
use outcome::{RuntimeFault, RuntimeReport, RuntimeState};
use recipe::{BackendKind, ModelKind, Provider, RuntimeOptions};

use super::LIBRARY_LIMIT;
use super::child::{MeasureOptions, MeasureSetup};
use crate::platform::Folders;

/// Whether a model can be loaded by each built-in runtime and by ONNX Runtime's CPU provider.
pub type Loads = Vec<(BackendKind, Result<(), RuntimeFault>)>;

/// Tests which runtimes can load the model file `model` (`None` for the bundled detector) for an input of `input` pixels.
pub fn try_loading(model: Option<&Path>, input: Size, options: &RuntimeOptions, folders: Option<&Folders>) -> Loads {
    let setup = MeasureSetup::new(model, options, folders).with_input(input).detector_only();
    reports(&setup).into_iter().map(of_detector).collect()
}

/// The same for the detector `model` and for the models that describe faces, in the order of [`ModelKind::OF_FACES`].
pub fn try_loading_all(
    model: Option<&Path>,
    input: Size,
    options: &RuntimeOptions,
    folders: Option<&Folders>,
) -> (Loads, [Loads; ModelKind::OF_FACES.len()]) {
    let reports = reports(&MeasureSetup::new(model, options, folders).with_input(input));
    let of_faces = ModelKind::OF_FACES.map(|kind| reports.iter().map(|report| of_model(report, kind)).collect());
    (reports.into_iter().map(of_detector).collect(), of_faces)
}

fn reports(setup: &MeasureSetup) -> Vec<RuntimeReport> {
    let is_tested = |kind: &BackendKind| !matches!(kind, BackendKind::Ort(provider) if *provider != Provider::Cpu);
    let load = |kind| setup.measure(kind, MeasureOptions { warm_runs: None, outputs: None, limit: LIBRARY_LIMIT });
    offered_runtimes().into_iter().filter(is_tested).map(load).collect()
}

fn of_detector(report: RuntimeReport) -> (BackendKind, Result<(), RuntimeFault>) {
    let loads = match report.state {
        RuntimeState::Ready => Ok(()),
        _ => Err(report.fault.unwrap_or(RuntimeFault::Unknown)),
    };
    (report.kind, loads)
}

/// If the model was not tested, the runtime itself cannot be used.
fn of_model(report: &RuntimeReport, kind: ModelKind) -> (BackendKind, Result<(), RuntimeFault>) {
    let loads = match report.models.iter().find(|tested| tested.model == kind) {
        Some(tested) => tested.fault.clone().map_or(Ok(()), Err),
        None => Err(report.fault.clone().unwrap_or(RuntimeFault::Unknown)),
    };
    (report.kind, loads)
}

#[cfg(test)]
mod tests {
    use outcome::ModelReport;

    use super::*;

    #[test]
    fn each_model_has_its_own_reason_unless_the_runtime_cannot_be_used() {
        let fault = |reason: &str| RuntimeFault::Other(reason.to_owned());
        let models = vec![
            ModelReport { model: ModelKind::Landmarks, warm_ms: None, fault: None },
            ModelReport { model: ModelKind::Person, warm_ms: None, fault: Some(fault("an operator")) },
        ];
        let broken = RuntimeReport {
            models,
            ..RuntimeReport::new(BackendKind::Rten, RuntimeState::Failed, Some(fault("the detector")))
        };
        let loads = |kind| of_model(&broken, kind).1;
        assert_eq!(loads(ModelKind::Landmarks), Ok(()), "only the detector fails");
        assert_eq!(loads(ModelKind::Person), Err(fault("an operator")));
        assert_eq!(loads(ModelKind::Eyelids), Err(fault("the detector")));
        assert_eq!(of_detector(broken), (BackendKind::Rten, Err(fault("the detector"))));
    }
}
