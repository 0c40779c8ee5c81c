//! Which runtime Auto takes, and why: by what was measured, never by what is expected.

use std::fmt::Write;

use outcome::{RuntimeReport, RuntimeState};
use recipe::BackendKind;

use super::RuntimeTable;

/// The runtime taken and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutoChoice {
    /// The runtime.
    pub kind: BackendKind,
    /// The times of all, fastest first, and what stands in the way of the rest, in words.
    pub why: String,
}

/// The fastest runtime that is ready and agrees with the reference; `None` where none is.
pub fn choose(table: &RuntimeTable) -> Option<AutoChoice> {
    let kind = ranking(&table.reports).first()?.kind;
    Some(AutoChoice { kind, why: why(&table.reports) })
}

/// The runtimes that may be taken, the fastest first.
pub(super) fn ranking(reports: &[RuntimeReport]) -> Vec<&RuntimeReport> {
    let may_be_taken = |report: &&RuntimeReport| {
        report.state == RuntimeState::Ready && report.agrees == Some(true) && report.warm_ms.is_some()
    };
    let mut ranked: Vec<&RuntimeReport> = reports.iter().filter(may_be_taken).collect();
    let warm_ms = |report: &RuntimeReport| report.warm_ms.unwrap_or(f64::INFINITY);
    ranked.sort_by(|a, b| warm_ms(a).total_cmp(&warm_ms(b)));
    ranked
}

/// `ONNX Runtime, CPU 12.3 ms; tract 42.0 ms; not in this library: CUDA, WebGPU`.
fn why(reports: &[RuntimeReport]) -> String {
    let mut parts: Vec<String> = ranking(reports)
        .into_iter()
        .map(|report| format!("{} {:.1} ms", report.kind, report.warm_ms.unwrap_or_default()))
        .collect();
    for report in reports {
        if report.state == RuntimeState::Ready && report.agrees != Some(true) {
            parts.push(format!("{}: its faces differ from the reference's", report.kind));
        }
    }
    // One library stands behind many rows: what they share is said once.
    let mut obstacles: Vec<(String, Vec<&str>)> = Vec::new();
    for report in reports.iter().filter(|report| report.state != RuntimeState::Ready) {
        let obstacle = obstacle(report);
        let title = report.kind.title();
        match obstacles.iter_mut().find(|(known, _)| *known == obstacle) {
            Some((_, titles)) => titles.push(title.strip_prefix("ONNX Runtime, ").unwrap_or(title)),
            None => obstacles.push((obstacle, vec![title])),
        }
    }
    for (obstacle, titles) in obstacles {
        let mut part = titles.join(", ");
        let _ = write!(part, ": {obstacle}");
        parts.push(part);
    }
    parts.join("; ")
}

fn obstacle(report: &RuntimeReport) -> String {
    let in_library = report.library.is_some() && report.state == RuntimeState::Unsupported;
    match &report.fault {
        _ if in_library => "not in this library".to_owned(),
        Some(fault) => fault.to_string(),
        None => report.state.id().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use outcome::RuntimeFault;
    use recipe::Provider;

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
    fn the_fastest_that_agrees_is_taken_and_the_numbers_are_told() {
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
        assert_eq!(choice.why, expected);
    }

    #[test]
    fn a_runtime_that_disagrees_or_failed_is_never_taken() {
        let failed = RuntimeReport {
            warm_ms: Some(1.0),
            agrees: Some(true),
            ..RuntimeReport::new(CUDA, RuntimeState::Failed, Some(RuntimeFault::Other("no device".to_owned())))
        };
        let unjudged = RuntimeReport { agrees: None, ..ready(BackendKind::Rten, 2.0, true) };
        let reports = vec![ready(BackendKind::Tract, 42.0, true), unjudged, ready(CPU, 3.0, false), failed];
        let choice = choose(&table(reports)).expect("one");
        assert_eq!(choice.kind, BackendKind::Tract);
        assert!(
            choice.why.contains("CPU: its faces differ") && choice.why.ends_with("CUDA: no device"),
            "{}",
            choice.why
        );
    }

    #[test]
    fn nothing_measured_is_nothing_chosen() {
        assert_eq!(choose(&table(Vec::new())), None);
        let failed = RuntimeReport::new(BackendKind::Tract, RuntimeState::Failed, None);
        assert_eq!(choose(&table(vec![failed])), None);
    }
}
