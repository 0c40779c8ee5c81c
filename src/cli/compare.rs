//! `iron-cropper compare`.

use std::io;
use std::io::IsTerminal;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressDrawTarget};

use batch::latency::{
    CompareRow, CompareSpec, ComparisonTable, difference, is_quantised, to_csv, to_json, to_markdown,
};
use batch::worker::{Event, ModelBytes, ModelSummary, ProbesRequest, SessionRequest, WorkerHandle};
use outcome::RuntimeState;
use recipe::{BackendKind, DecodeLimits, DetectSpec, RuntimeChoice};

use super::ask::ask;
use super::inputs::find_inputs;
use super::runtime_args::{CompareArgs, Precision};
use super::{Exit, columns, print};

/// Runs the comparison and prints the table.
pub(super) fn run(args: &CompareArgs, verbose: u8) -> anyhow::Result<Exit> {
    if let Some(precision) = args.precision {
        check_precision(args, precision)?;
    }
    let inputs = find_inputs(&args.paths);
    for (path, reason) in &inputs.problems {
        print::note(&format!("{}: failed: {reason}", print::path(path)));
    }
    ensure!(!inputs.photos.is_empty(), "no photos found in the given paths");

    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let spec = CompareSpec {
        runtimes: runtimes(args, &worker)?,
        photos: inputs.photos,
        warmup: args.warmup,
        repeats: args.repeats,
        options: args.session.options(),
        model: args.model.clone(),
        detect: DetectSpec::default(),
        limits: DecodeLimits::default(),
    };
    let shown = verbose == 0 && io::stderr().is_terminal();
    let bar = ProgressBar::with_draw_target(
        None,
        if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() },
    );
    let table = ask(&worker, SessionRequest::Compare(Arc::new(spec)), |event| match event {
        Event::CompareProgress(table) => {
            bar.set_length(table.total as u64);
            bar.set_position(table.done as u64);
            Ok(None)
        }
        Event::CompareFinished { table, .. } => Ok(Some(table)),
        _ => Ok(None),
    });
    bar.finish_and_clear();
    let table = table?;

    for (path, reason) in &table.problems {
        print::note(&format!("{}: failed: {reason}", print::path(path)));
    }
    let text = match args {
        CompareArgs { json: true, .. } => to_json(&table),
        CompareArgs { csv: true, .. } => to_csv(&table),
        CompareArgs { markdown: true, .. } => to_markdown(&table),
        _ => as_text(&table),
    };
    let _ = print::line(text.trim_end())?;
    let all_well = inputs.problems.is_empty()
        && table.problems.is_empty()
        && table.rows.iter().all(|row| row.state == RuntimeState::Ready);
    Ok(if all_well { Exit::Done } else { Exit::SomeFailed })
}

/// Checks that the model has the expected precision.
fn check_precision(args: &CompareArgs, precision: Precision) -> anyhow::Result<()> {
    let model = ModelBytes::read_or_bundled(args.model.as_deref())?;
    let summary = ModelSummary::read(model.as_bytes()).with_context(|| model.name.clone())?;
    let quantised = is_quantised(&summary);
    match precision {
        Precision::Int8 if !quantised => bail!(
            "{} computes in 32-bit floats: it has no quantised operators; use a quantised model with --model, or omit \
             --precision int8",
            model.name
        ),
        Precision::Fp32 if quantised => {
            bail!("{} has quantised operators; omit --precision fp32", model.name)
        }
        _ => Ok(()),
    }
}

/// The named runtimes, or all that are ready.
fn runtimes(args: &CompareArgs, worker: &WorkerHandle) -> anyhow::Result<Vec<BackendKind>> {
    let mut kinds: Vec<BackendKind> = Vec::new();
    for choice in &args.runtimes {
        match choice {
            RuntimeChoice::Auto => bail!("auto selects a runtime and cannot be compared; name the runtimes to compare"),
            RuntimeChoice::Named(kind) if !kinds.contains(kind) => kinds.push(*kind),
            RuntimeChoice::Named(_) => {}
        }
    }
    if !kinds.is_empty() {
        return Ok(kinds);
    }
    let request =
        ProbesRequest::TryRuntimes { model: args.model.clone(), options: args.session.options(), afresh: false };
    let table = ask(worker, request, |event| match event {
        Event::RuntimesTried(table) => Ok(Some(table)),
        _ => Ok(None),
    })?;
    let ready: Vec<BackendKind> =
        table.reports.iter().filter(|report| report.state == RuntimeState::Ready).map(|report| report.kind).collect();
    if ready.is_empty() {
        let fault = table.reports.first().and_then(|report| report.fault.as_ref());
        let reason = fault.map_or_else(|| "none is included".to_owned(), ToString::to_string);
        bail!("no runtime works on this machine: {reason}");
    }
    Ok(ready)
}

fn as_text(table: &ComparisonTable) -> String {
    let head = [
        "runtime",
        "median ms",
        "p95 ms",
        "min ms",
        "detection ms",
        "landmarks ms",
        "mask ms",
        "runs/s",
        "cold load ms",
        "first run ms",
        "peak MB",
        "faces",
        "difference",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(table.rows.iter().map(row_text));
    let mut lines = columns::lines(&rows, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    let without = table.rows.iter().filter(|row| row.state == RuntimeState::Ready);
    lines.extend(without.filter_map(|row| Some(format!("{}: {}", row.kind.id(), row.reason()?))));
    lines.push(
        "times are whole runs (detection, landmarks, mask of the largest face); difference is the detector's largest of any \
         output from the reference"
            .to_owned(),
    );
    lines.join("\n")
}

fn row_text(row: &CompareRow) -> Vec<String> {
    let number = |value: Option<f64>| value.map(|value| format!("{value:.1}")).unwrap_or_default();
    let figures = row.statistics();
    let mut cells = vec![
        row.kind.id().to_owned(),
        number(figures.map(|figures| figures.median)),
        number(figures.map(|figures| figures.p95)),
        number(figures.map(|figures| figures.min)),
        number(row.median_of(|sample| Some(sample.detect_ms()))),
        number(row.median_of(|sample| sample.landmarks_ms)),
        number(row.median_of(|sample| sample.mask_ms)),
        number(figures.map(|figures| figures.per_second())),
        number(row.cold_ms),
        number(row.first_ms),
        number(row.peak_memory_mb),
        row.faces.map(|faces| faces.to_string()).unwrap_or_default(),
        row.max_difference.map(difference).unwrap_or_default(),
    ];
    if row.state != RuntimeState::Ready {
        let reason = row.fault.as_ref().map(ToString::to_string).unwrap_or_default();
        cells.push(format!("{}: {reason}", row.state.id()));
    }
    cells
}

#[cfg(test)]
mod tests {
    use batch::latency::Sample;
    use outcome::{FaceModelFault, RuntimeFault};
    use recipe::ModelKind;

    use super::*;

    #[test]
    fn a_row_without_a_model_keeps_its_times_and_has_the_reason_below() {
        let sample = Sample {
            photo: 0,
            preprocess_ms: 1.0,
            inference_ms: 40.0,
            postprocess_ms: 0.5,
            landmarks_ms: Some(6.25),
            mask_ms: None,
        };
        let row = CompareRow {
            kind: BackendKind::Rten,
            state: RuntimeState::Ready,
            fault: None,
            model_faults: vec![FaceModelFault { model: ModelKind::Person, fault: RuntimeFault::Unknown }],
            version: None,
            cold_ms: None,
            first_ms: None,
            peak_memory_mb: None,
            samples: vec![sample],
            faces: Some(1),
            max_difference: None,
        };
        let text = as_text(&ComparisonTable { rows: vec![row], ..ComparisonTable::default() });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4, "{text}");
        for figure in ["47.8", "41.5", "6.2"] {
            assert!(lines[1].contains(figure), "{figure}: {text}");
        }
        assert_eq!(lines[2], "rten: without person mask (failed)");
    }
}
