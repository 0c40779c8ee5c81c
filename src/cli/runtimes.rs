//! `iron-cropper runtimes`, and the hidden subcommand that probes one of them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use serde::Serialize;

use batch::latency::{AutoChoice, LibrarySearch, RuntimeTable, choose, end_with_parent, measure};
use batch::worker::{Event, ProbesRequest, WorkerHandle, spawn_named};
use outcome::{RuntimeReport, RuntimeState};

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
    load_ms: Option<f64>,
    warm_ms: Option<f64>,
    agrees: Option<bool>,
    auto: bool,
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
    let line = |report: &RuntimeReport| {
        serde_json::to_string(&Line {
            schema: SCHEMA,
            name: report.kind.id(),
            state: report.state.id(),
            reason: report.fault.as_ref().map(ToString::to_string),
            version: report.version.as_deref(),
            library: report.library.as_deref().map(|path| path.to_string_lossy().into_owned()),
            device: report.device.as_deref(),
            load_ms: report.load_ms.map(rounded),
            warm_ms: report.warm_ms.map(rounded),
            agrees: report.agrees,
            auto: auto.is_some_and(|auto| auto.kind == report.kind),
        })
    };
    table.reports.iter().map(line).collect()
}

fn as_text(table: &RuntimeTable, auto: Option<&AutoChoice>, verbose: u8) -> Vec<String> {
    let head = ["runtime", "state", "warm ms", "load ms", "version", "device"].map(str::to_owned);
    let mut rows = vec![head.to_vec()];
    for report in &table.reports {
        let ms = |ms: Option<f64>| ms.map(|ms| format!("{ms:.1}")).unwrap_or_default();
        let mut row = vec![report.kind.id().to_owned(), report.state.id().to_owned()];
        if report.state == RuntimeState::Ready {
            row.extend([ms(report.warm_ms), ms(report.load_ms)]);
            row.extend([&report.version, &report.device].map(|text| text.clone().unwrap_or_default()));
            if report.agrees == Some(false) {
                row.push("disagrees with the reference: never selected by auto".to_owned());
            }
        } else {
            row.extend([const { String::new() }; 4]);
        }
        rows.push(row);
    }
    let mut lines = columns::lines(&rows, &[2, 3]);
    lines.extend(reasons(&table.reports));
    let library = table.reports.iter().filter(|report| report.state == RuntimeState::Ready);
    if let Some(path) = library.filter_map(|report| report.library.as_deref()).next() {
        lines.push(format!("ONNX Runtime is loaded from {}", print::path(path)));
    }
    if verbose > 0 {
        lines.extend(search_steps(&table.search));
    }
    lines.extend(auto.map(|auto| format!("auto selects {}: {}", auto.kind.id(), auto.why)));
    lines
}

/// Each reason once, with the runtimes it applies to.
fn reasons(reports: &[RuntimeReport]) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for report in reports {
        let Some(reason) = report.fault.as_ref().map(ToString::to_string) else { continue };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(report.kind.id()),
            None => reasons.push((reason, vec![report.kind.id()])),
        }
    }
    let line = |(reason, names): (String, Vec<&str>)| format!("{}: {reason}", names.join(", "));
    reasons.into_iter().map(line).collect()
}

fn search_steps(search: &LibrarySearch) -> Vec<String> {
    let mut lines = vec!["The ONNX Runtime library was searched for in this order:".to_owned()];
    for step in &search.steps {
        let path = step.path.as_deref().map(|path: &Path| format!(" {}", print::path(path))).unwrap_or_default();
        lines.push(format!("    {}{path}: {}", step.place, step.found));
    }
    lines
}
