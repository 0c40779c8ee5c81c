//! What is known of the runtimes as plain text, for a message to those who help: in English whatever the window speaks.

use std::fmt::Write;

use super::state::{AppState, RuntimeStatus};
use crate::backend::{BackendKind, Optimization, RuntimeReport};

/// Everything about the runtimes, a line each.
pub(crate) fn diagnostics(state: &AppState) -> String {
    let mut lines = vec![
        format!("Iron Cropper {}", env!("CARGO_PKG_VERSION")),
        format!("System: {} {}", std::env::consts::OS, std::env::consts::ARCH),
        format!("Model: {}", state.model.as_ref().map_or("bundled".to_owned(), |path| path.display().to_string())),
        options(state),
    ];
    match &state.runtime {
        RuntimeStatus::Opening { .. } => lines.push(format!("Opening: {}", state.runtime_choice)),
        RuntimeStatus::Failed { requested, reason } => lines.push(format!("Failed: {requested}: {reason}")),
        RuntimeStatus::Ready { runtime, load_ms } => {
            let actual = &runtime.actual;
            lines.push(format!("Asked for: {}", runtime.requested));
            lines.push(format!(
                "In use: {} {} on {}, ready after {}",
                actual.kind.id(),
                actual.version,
                actual.device,
                ms(*load_ms)
            ));
            lines.extend(runtime.why.as_ref().map(|why| format!("Why: {why}")));
        }
    }
    lines.push(String::new());
    lines.push("Runtimes:".to_owned());
    lines.extend(BackendKind::offered().into_iter().map(|kind| runtime(kind, state.known.report(kind))));
    if let Some(table) = &state.known.table {
        lines.push(String::new());
        lines.push("The library was looked for in:".to_owned());
        for step in &table.search.steps {
            let path = step.path.as_ref().map(|path| format!(" {}", path.display())).unwrap_or_default();
            lines.push(format!("  {}{path}: {}", step.place, step.found));
        }
        lines.extend(table.search.problem.as_ref().map(|problem| format!("  {problem}")));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn options(state: &AppState) -> String {
    let options = &state.runtime_options;
    let library = options.library.as_ref().map_or("not set".to_owned(), |path| path.display().to_string());
    format!(
        "Options: threads {}, optimise {}, device {}, library {library}",
        options.threads,
        optimization(options.optimization),
        options.device
    )
}

const fn optimization(level: Optimization) -> &'static str {
    match level {
        Optimization::Off => "off",
        Optimization::Basic => "basic",
        Optimization::Extended => "extended",
        Optimization::All => "everything",
    }
}

fn ms(milliseconds: f64) -> String {
    if milliseconds < 10.0 { format!("{milliseconds:.1} ms") } else { format!("{milliseconds:.0} ms") }
}

fn runtime(kind: BackendKind, report: Option<&RuntimeReport>) -> String {
    let mut text = format!("  {}: ", kind.id());
    let Some(report) = report else { return text + "not tried yet" };
    text.push_str(report.state.id());
    for (name, value) in [
        ("version", report.version.clone()),
        ("device", report.device.clone()),
        ("library", report.library.as_ref().map(|path| path.display().to_string())),
        ("load", report.load_ms.map(ms)),
        ("first run", report.first_ms.map(ms)),
        ("warm run", report.warm_ms.map(ms)),
        ("agrees", report.agrees.map(|agrees| if agrees { "yes" } else { "no" }.to_owned())),
        ("reason", report.reason.clone()),
    ] {
        if let Some(value) = value {
            let _ = write!(text, ", {name} {value}");
        }
    }
    text
}
