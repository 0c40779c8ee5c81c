//! `iron-cropper compare`.

use std::io;
use std::io::IsTerminal;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use indicatif::{ProgressBar, ProgressDrawTarget};

use batch::latency::{
    CompareRow, CompareSpec, ComparisonTable, difference, inputs, is_about_equal, is_quantised, times, to_csv, to_json,
    to_markdown,
};
use batch::worker::{Event, ModelBytes, ModelSummary, ProbesRequest, SessionRequest, WorkerHandle};
use outcome::RuntimeState;
use recipe::{BackendKind, DecodeLimits, DetectSpec, Recipe, RuntimeChoice};

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
        recipe: Recipe::default(),
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
        "photo ms",
        "times",
        "p95 ms",
        "first pass ms",
        "input",
        "landmarks ms",
        "mask ms",
        "cold start ms",
        "peak MB",
        "faces",
        "difference",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(table.ranked().into_iter().map(|row| row_text(table, row)));
    let mut lines: Vec<String> = summary(table).into_iter().collect();
    lines.extend(columns::lines(&rows, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]));
    let without = table.rows.iter().filter(|row| row.state == RuntimeState::Ready);
    lines.extend(without.filter_map(|row| Some(format!("{}: {}", row.kind.id(), row.reason()?))));
    let differ = table.rows.iter().filter(|row| row.agrees == Some(false));
    lines.extend(
        differ.map(|row| format!("{}: its results differ from the reference, so it is not ranked", row.kind.id())),
    );
    lines.push(
        "ordered by the median of a photo: decoding, detection, landmarks, and crops of the default settings, encoded but not \
         written; cold start is loading and the first run in a new process, peak the growth of its memory; difference is the \
         detector's largest of any output from the reference"
            .to_owned(),
    );
    lines.join("\n")
}

/// The fastest runtime and the next one, in a sentence each; `None` without a fastest one.
fn summary(table: &ComparisonTable) -> Option<String> {
    let fastest = table.fastest()?;
    let mut text = format!("{} is the fastest: {:.0} ms per photo.", fastest.kind.id(), fastest.photo()?.median);
    if let Some((next, times)) = table.ranked().get(1).and_then(|next| Some((next, table.times_fastest(next)?))) {
        let name = next.kind.id();
        text.push_str(&match is_about_equal(times) {
            true => format!(" {name} is about as fast."),
            false => format!(" {name} takes {times:.1} times as long."),
        });
    }
    Some(text)
}

fn row_text(table: &ComparisonTable, row: &CompareRow) -> Vec<String> {
    let number = |value: Option<f64>| value.map(|value| format!("{value:.1}")).unwrap_or_default();
    let photo = row.photo();
    let mut cells = vec![
        row.kind.id().to_owned(),
        number(photo.map(|photo| photo.median)),
        times(table, row),
        number(photo.map(|photo| photo.p95)),
        number(row.first_pass_ms()),
        inputs(row),
        number(row.median_of(|sample| sample.landmarks_ms)),
        number(row.median_of(|sample| sample.mask_ms)),
        number(row.cold_start_ms()),
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
    use geometry::Size;
    use outcome::{FaceModelFault, RuntimeFault, StageTimes};
    use recipe::ModelKind;

    use super::*;

    #[test]
    fn rows_are_ranked_and_those_that_are_not_have_the_reason_below() {
        let sample = Sample {
            photo: 0,
            preprocess_ms: 1.0,
            inference_ms: 40.0,
            postprocess_ms: 0.5,
            landmarks_ms: Some(6.25),
            mask_ms: None,
            photo_ms: 147.75,
            stages: StageTimes::default(),
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
            agrees: Some(true),
            inputs: vec![Size::new(640, 448)],
            samples: vec![sample],
            faces: Some(1),
            max_difference: None,
        };
        let fast = |kind, photo_ms| CompareRow {
            kind,
            model_faults: Vec::new(),
            cold_ms: Some(60.0),
            first_ms: Some(20.0),
            samples: vec![Sample { photo_ms, ..sample }],
            ..row.clone()
        };
        let differs = CompareRow { agrees: Some(false), ..fast(BackendKind::Candle, 1.0) };
        let rows = vec![row.clone(), differs, fast(BackendKind::Tract, 110.0), fast(BackendKind::Builtin, 100.0)];
        let text = as_text(&ComparisonTable { rows, ..ComparisonTable::default() });
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 9, "{text}");
        assert_eq!(lines[0], "builtin is the fastest: 100 ms per photo. tract takes 1.1 times as long.");
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(lines[2])[..4], ["builtin", "100.0", "fastest", "100.0"], "{text}");
        assert_eq!(words(lines[3])[..5], ["tract", "110.0", "1.1", "x", "110.0"], "{text}");
        assert!(lines[4].starts_with("candle") && lines[5].starts_with("rten"), "{text}");
        for figure in ["147.8", "41.5", "640x448", "6.2"] {
            assert!(lines[5].contains(figure), "{figure}: {text}");
        }
        assert_eq!(lines[6], "rten: without person mask (failed)");
        assert_eq!(lines[7], "candle: its results differ from the reference, so it is not ranked");
    }
}
