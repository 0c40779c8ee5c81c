//! `iron-cropper runtimes`, and the hidden subcommand that probes one of them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use serde::Serialize;

use batch::latency::{AutoChoice, LibrarySearch, RuntimeTable, choose, end_with_parent, measure};
use batch::worker::{Event, ProbesRequest, WorkerHandle, spawn_named};
use outcome::{Device, ModelReport, RuntimeReport, RuntimeState, device_lines};
use recipe::RuntimeLibrary;

use super::ask::ask;
use super::runtime_args::{MeasureArgs, RuntimesArgs, TrialArgs};
use super::{Exit, columns, print};

/// Raised if a field changes its meaning or is removed; new fields do not raise it.
const SCHEMA: u32 = 1;

/// The line of a runtime; times are in milliseconds.
#[derive(Serialize)]
struct Line<'a> {
    schema: u32,
    name: &'static str,
    state: &'static str,
    reason: Option<String>,
    version: Option<&'a str>,
    library: Option<String>,
    device: Option<&'a str>,
    /// The devices that `--device` can choose.
    devices: &'a [Device],
    load_ms: Option<f64>,
    warm_ms: Option<f64>,
    /// Time of a photo with one face.
    photo_ms: Option<f64>,
    models: Vec<ModelEntry>,
    agrees: Option<bool>,
    auto: bool,
}

/// A model that describes faces, on a runtime.
#[derive(Serialize)]
struct ModelEntry {
    name: &'static str,
    warm_ms: Option<f64>,
    reason: Option<String>,
}

/// Probes every runtime, or uses the cached results, and prints each.
pub(super) fn run(args: &RuntimesArgs, verbose: u8) -> anyhow::Result<Exit> {
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let TrialArgs { afresh, model, session } = &args.trial;
    let request = ProbesRequest::TryRuntimes { model: model.clone(), options: session.options(), afresh: *afresh };
    let table = ask(&worker, request, |event| match event {
        Event::RuntimesTried(table) => Ok(Some(table)),
        _ => Ok(None),
    })?;
    let auto = choose(&table);
    let lines = if args.json { json(&table, auto.as_ref())? } else { as_text(&table, auto.as_ref(), verbose) };
    for line in lines {
        if print::line(&line)?.is_closed() {
            break;
        }
    }
    Ok(Exit::Done)
}

/// Longer than any parent waits.
const MEASURE_LIMIT: Duration = Duration::from_secs(60);

/// Measures one runtime in this process, which its parent has started for that, and prints the report.
pub(super) fn run_measure(args: &MeasureArgs) -> anyhow::Result<Exit> {
    // The parent may have exited; a library that hangs must not outlive it forever.
    end_with_parent();
    spawn_named("watchdog", || {
        std::thread::sleep(MEASURE_LIMIT);
        std::process::abort();
    })?;
    let report = measure(&args.request());
    // A library may have printed without a final line break.
    let _ = print::line(&format!("\n{}{}", args.mark, serde_json::to_string(&report)?))?;
    Ok(Exit::Done)
}

fn json(table: &RuntimeTable, auto: Option<&AutoChoice>) -> serde_json::Result<Vec<String>> {
    let rounded = |ms: f64| (ms * 1e3).round() / 1e3;
    let model = |model: &ModelReport| ModelEntry {
        name: model.model.id(),
        warm_ms: model.warm_ms.map(rounded),
        reason: model.fault.as_ref().map(ToString::to_string),
    };
    let line = |report: &RuntimeReport| {
        serde_json::to_string(&Line {
            schema: SCHEMA,
            name: report.kind.id(),
            state: report.state.id(),
            reason: report.fault.as_ref().map(ToString::to_string),
            version: report.version.as_deref(),
            library: report.library.as_deref().map(|path| path.to_string_lossy().into_owned()),
            device: report.device.as_deref(),
            devices: &report.devices,
            load_ms: report.load_ms.map(rounded),
            warm_ms: report.warm_ms.map(rounded),
            photo_ms: report.photo_ms().map(rounded),
            models: report.models.iter().map(model).collect(),
            agrees: report.agrees,
            auto: auto.is_some_and(|auto| auto.kind == report.kind),
        })
    };
    table.reports.iter().map(line).collect()
}

fn as_text(table: &RuntimeTable, auto: Option<&AutoChoice>, verbose: u8) -> Vec<String> {
    let head = ["runtime", "state", "photo ms", "warm ms", "load ms", "version", "device"].map(str::to_owned);
    let mut rows = vec![head.to_vec()];
    for report in &table.reports {
        let ms = |ms: Option<f64>| ms.map(|ms| format!("{ms:.1}")).unwrap_or_default();
        let mut row = vec![report.kind.id().to_owned(), report.state.id().to_owned()];
        if report.state == RuntimeState::Ready {
            row.extend([ms(report.photo_ms()), ms(report.warm_ms), ms(report.load_ms)]);
            row.extend([&report.version, &report.device].map(|text| text.clone().unwrap_or_default()));
            if report.agrees == Some(false) {
                row.push("disagrees with the reference: never selected by auto".to_owned());
            }
        } else {
            row.extend([const { String::new() }; 5]);
        }
        rows.push(row);
    }
    let mut lines = columns::lines(&rows, &[2, 3, 4]);
    lines.extend(reasons(&table.reports));
    lines.extend(device_lines(table.reports.iter().map(|report| (report.kind.id(), &*report.devices))));
    for library in RuntimeLibrary::ALL {
        let ready = |report: &&RuntimeReport| report.state == RuntimeState::Ready;
        let mut loaded = table.reports.iter().filter(|report| report.kind.library() == Some(library)).filter(ready);
        if let Some(path) = loaded.find_map(|report| report.library.as_deref()) {
            lines.push(format!("{library} is loaded from {}", print::path(path)));
        }
    }
    if verbose > 0 {
        lines.extend(table.searches.iter().flat_map(search_steps));
    }
    lines.extend(auto.map(|auto| format!("auto selects {}: {}", auto.kind.id(), auto.why)));
    lines
}

/// Each reason once, with the runtimes it applies to: why they cannot be used, or a model on them.
fn reasons(reports: &[RuntimeReport]) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for report in reports {
        let without = report.model_faults().map(|fault| format!("without {fault}"));
        for reason in report.fault.as_ref().map(ToString::to_string).into_iter().chain(without) {
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, names)) => names.push(report.kind.id()),
                None => reasons.push((reason, vec![report.kind.id()])),
            }
        }
    }
    let line = |(reason, names): (String, Vec<&str>)| format!("{}: {reason}", names.join(", "));
    reasons.into_iter().map(line).collect()
}

fn search_steps(search: &LibrarySearch) -> Vec<String> {
    let mut lines = vec![format!("The {} library was searched for in this order:", search.name)];
    for step in &search.steps {
        let path = step.path.as_deref().map(|path: &Path| format!(" {}", print::path(path))).unwrap_or_default();
        lines.push(format!("    {}{path}: {}", step.place, step.found));
    }
    lines
}

#[cfg(test)]
mod tests {
    use outcome::RuntimeFault;
    use recipe::{BackendKind, ModelKind, Provider};

    use super::*;

    fn table() -> RuntimeTable {
        let model = |model, warm_ms: Option<f64>| ModelReport {
            model,
            warm_ms,
            fault: warm_ms.is_none().then(|| RuntimeFault::Run { reason: "no memory".to_owned() }),
        };
        let report = |kind| RuntimeReport {
            warm_ms: Some(10.0),
            agrees: Some(true),
            models: vec![model(ModelKind::Landmarks, Some(2.5)), model(ModelKind::Person, None)],
            ..RuntimeReport::new(kind, RuntimeState::Ready, None)
        };
        RuntimeTable {
            reports: vec![report(BackendKind::Tract), report(BackendKind::Rten)],
            searches: vec![LibrarySearch::default()],
        }
    }

    #[test]
    fn a_model_that_a_runtime_cannot_use_is_reported_with_the_reason() {
        let table = table();
        let lines = as_text(&table, choose(&table).as_ref(), 0);
        assert!(lines[1].contains("tract") && lines[1].contains("15.0") && lines[1].contains("10.0"), "{lines:?}");
        let reason = "without person mask (failed while running the model: no memory)";
        assert!(lines.contains(&format!("tract, rten: {reason}")), "{lines:?}");
        assert_eq!(
            lines.last().map(String::as_str),
            Some(format!("auto selects tract: tract 15.0 ms, {reason}; rten 15.0 ms, {reason}").as_str())
        );
        let lines = json(&table, None).expect("JSON");
        let line: serde_json::Value = serde_json::from_str(&lines[0]).expect("JSON");
        assert_eq!((&line["photo_ms"], &line["warm_ms"]), (&15.0.into(), &10.0.into()));
        let landmarks = serde_json::json!({ "name": "landmarks", "warm_ms": 2.5, "reason": null });
        assert_eq!(line["models"][0], landmarks);
        assert_eq!(line["models"][1]["reason"], "failed while running the model: no memory");
    }

    #[test]
    fn devices_are_listed_by_number_and_name_for_the_runtimes_that_have_them() {
        let devices: Vec<Device> =
            [(0, "RTX 4070"), (1, "T400")].map(|(number, name)| Device { number, name: name.to_owned() }).to_vec();
        let mut table = table();
        for provider in [Provider::Cuda, Provider::TensorRt] {
            let report = RuntimeReport::new(BackendKind::Ort(provider), RuntimeState::Failed, None);
            table.reports.push(RuntimeReport { devices: devices.clone(), ..report });
        }
        let lines = as_text(&table, None, 0);
        assert!(lines.contains(&"devices of ort:cuda, ort:tensorrt: 0: RTX 4070; 1: T400".to_owned()), "{lines:?}");
        let lines = json(&table, None).expect("JSON");
        let listed = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["devices"].clone();
        assert_eq!(listed(&lines[0]), serde_json::json!([]));
        let expected = [
            serde_json::json!({ "number": 0, "name": "RTX 4070" }),
            serde_json::json!({ "number": 1, "name": "T400" }),
        ];
        assert_eq!(listed(&lines[2]), serde_json::json!(expected));
    }
}
