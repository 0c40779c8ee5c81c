//! Auto's choice of runtime, based on measurements only.

use outcome::{AutoReason, Obstacle, RuntimeReport, RuntimeState};
use recipe::BackendKind;

use super::RuntimeTable;

/// The chosen runtime and the reason.
#[derive(Clone, Debug)]
pub struct AutoChoice {
    pub kind: BackendKind,
    pub why: AutoReason,
}

/// Chooses the fastest runtime that is ready and agrees with the reference, of those that can run every model if there
/// are any; `None` if there is none.
pub fn choose(table: &RuntimeTable) -> Option<AutoChoice> {
    let kind = ranking(&table.reports).first()?.kind;
    Some(AutoChoice { kind, why: why(&table.reports) })
}

/// The eligible runtimes, by the time of a photo with one face: first those that can run every model.
pub(super) fn ranking(reports: &[RuntimeReport]) -> Vec<&RuntimeReport> {
    let is_eligible = |report: &&RuntimeReport| {
        report.state == RuntimeState::Ready && report.agrees == Some(true) && report.warm_ms.is_some()
    };
    let mut ranked: Vec<&RuntimeReport> = reports.iter().filter(is_eligible).collect();
    ranked.sort_by(|a, b| is_complete(b).cmp(&is_complete(a)).then_with(|| photo_ms(a).total_cmp(&photo_ms(b))));
    ranked
}

fn photo_ms(report: &RuntimeReport) -> f64 {
    report.photo_ms().unwrap_or(f64::INFINITY)
}

fn is_complete(report: &RuntimeReport) -> bool {
    report.model_faults().next().is_none()
}

fn why(reports: &[RuntimeReport]) -> AutoReason {
    let (complete, incomplete): (Vec<_>, Vec<_>) = ranking(reports).into_iter().partition(|report| is_complete(report));
    let times = complete.into_iter().map(|report| (report.kind, photo_ms(report))).collect();
    let without = |report: &RuntimeReport| (report.kind, photo_ms(report), report.model_faults().collect());
    let incomplete = incomplete.into_iter().map(without).collect();
    let differs = |report: &&RuntimeReport| report.state == RuntimeState::Ready && report.agrees != Some(true);
    let differ = reports.iter().filter(differs).map(|report| report.kind).collect();
    // Several runtimes share one library, so a shared obstacle is listed once.
    let mut obstacles: Vec<(Obstacle, Vec<BackendKind>)> = Vec::new();
    for report in reports.iter().filter(|report| report.state != RuntimeState::Ready) {
        let obstacle = obstacle(report);
        match obstacles.iter_mut().find(|(known, _)| *known == obstacle) {
            Some((_, kinds)) => kinds.push(report.kind),
            None => obstacles.push((obstacle, vec![report.kind])),
        }
    }
    AutoReason { times, incomplete, differ, obstacles, ..AutoReason::default() }
}

fn obstacle(report: &RuntimeReport) -> Obstacle {
    let in_library = report.library.is_some() && report.state == RuntimeState::Unsupported;
    match &report.fault {
        _ if in_library => Obstacle::NotInLibrary,
        Some(fault) => Obstacle::Fault(fault.clone()),
        None => Obstacle::State(report.state),
    }
}

#[cfg(test)]
mod tests {
    use outcome::{ModelReport, RuntimeFault};
    use recipe::{ModelKind, Provider};

    use super::*;
    use crate::latency::trial::tests::table;

    fn ready(kind: BackendKind, warm_ms: f64, agrees: bool) -> RuntimeReport {
        RuntimeReport {
            warm_ms: Some(warm_ms),
            agrees: Some(agrees),
            ..RuntimeReport::new(kind, RuntimeState::Ready, None)
        }
    }

    const CPU: BackendKind = BackendKind::Ort(Provider::Cpu);
    const CUDA: BackendKind = BackendKind::Ort(Provider::Cuda);
    const WEB_GPU: BackendKind = BackendKind::Ort(Provider::WebGpu);

    #[test]
    fn the_fastest_runtime_that_agrees_is_chosen_and_the_times_reported() {
        let absent = |kind| RuntimeReport {
            library: Some("/lib/libonnxruntime.so".into()),
            ..RuntimeReport::new(kind, RuntimeState::Unsupported, Some(RuntimeFault::NotInLibrary))
        };
        let reports = vec![
            ready(BackendKind::Tract, 42.04, true),
            ready(BackendKind::Rten, 74.0, true),
            ready(CPU, 12.34, true),
            absent(CUDA),
            absent(WEB_GPU),
        ];
        let choice = choose(&table(reports)).expect("one");
        assert_eq!(choice.kind, CPU);
        let expected = "ONNX Runtime, CPU 12.3 ms; tract 42.0 ms; rten 74.0 ms; \
                        ONNX Runtime, CUDA, WebGPU: not in this library";
        assert_eq!(choice.why.to_string(), expected);
    }

    /// A runtime that takes `detector_ms` for the detector and these times for landmarks, eyelids and person mask; a model
    /// without a time cannot be used.
    fn with_models(kind: BackendKind, detector_ms: f64, models: [Option<f64>; 3]) -> RuntimeReport {
        let model = |(model, warm_ms): (ModelKind, Option<f64>)| ModelReport {
            model,
            warm_ms,
            fault: warm_ms.is_none().then(|| RuntimeFault::Run { reason: "no memory".to_owned() }),
        };
        let models = ModelKind::OF_FACES.into_iter().zip(models).map(model).collect();
        RuntimeReport { models, ..ready(kind, detector_ms, true) }
    }

    #[test]
    fn the_whole_work_of_a_photo_is_ranked() {
        let reports = vec![
            with_models(BackendKind::Rten, 10.0, [Some(20.0), Some(5.0), Some(30.0)]),
            with_models(BackendKind::Tract, 40.0, [Some(4.0), Some(1.0), Some(10.0)]),
        ];
        let choice = choose(&table(reports)).expect("one");
        assert_eq!(choice.kind, BackendKind::Tract, "its detector is slower, but not the whole");
        assert_eq!(choice.why.to_string(), "tract 60.0 ms; rten 90.0 ms");
    }

    #[test]
    fn a_runtime_without_a_model_comes_last_and_the_reason_is_reported() {
        let reports = vec![
            with_models(BackendKind::Rten, 1.0, [Some(1.0), Some(1.0), None]),
            with_models(BackendKind::Tract, 40.0, [Some(4.0), Some(1.0), Some(10.0)]),
            with_models(CPU, 300.0, [Some(4.0), Some(1.0), Some(10.0)]),
        ];
        let ranked: Vec<BackendKind> = ranking(&reports).iter().map(|report| report.kind).collect();
        assert_eq!(ranked, [BackendKind::Tract, CPU, BackendKind::Rten]);
        let without = "rten 5.0 ms, without person mask (failed while running the model: no memory)";
        let expected = format!("tract 60.0 ms; ONNX Runtime, CPU 320.0 ms; {without}");
        assert_eq!(choose(&table(reports.clone())).expect("one").why.to_string(), expected);
        let alone = choose(&table(reports[..1].to_vec())).expect("better than none");
        assert_eq!((alone.kind, alone.why.to_string().as_str()), (BackendKind::Rten, without));
    }

    #[test]
    fn a_runtime_that_disagrees_or_failed_is_never_chosen() {
        let failed = RuntimeReport {
            warm_ms: Some(1.0),
            agrees: Some(true),
            ..RuntimeReport::new(CUDA, RuntimeState::Failed, Some(RuntimeFault::Other("no device".to_owned())))
        };
        let unjudged = RuntimeReport { agrees: None, ..ready(BackendKind::Rten, 2.0, true) };
        let reports = vec![ready(BackendKind::Tract, 42.0, true), unjudged, ready(CPU, 3.0, false), failed];
        let choice = choose(&table(reports)).expect("one");
        assert_eq!(choice.kind, BackendKind::Tract);
        let why = choice.why.to_string();
        assert!(why.contains("CPU: results differ") && why.ends_with("CUDA: no device"), "{why}");
    }

    #[test]
    fn without_measurements_nothing_is_chosen() {
        assert!(choose(&table(Vec::new())).is_none());
        let failed = RuntimeReport::new(BackendKind::Tract, RuntimeState::Failed, None);
        assert!(choose(&table(vec![failed])).is_none());
    }
}
