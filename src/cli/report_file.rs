//! `iron-cropper report`, and the report at the end of a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use batch::worker::{Event, FilesRequest, ReportSummary, WorkerHandle, WorkerPort, check_report_free};

use super::ask::WORKER_EXITED;
use super::print::LinePrinter;
use super::run_args::ReportArgs;
use super::{Exit, print};

/// Merges journals.
pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    args.output.as_deref().map(check_report_free).transpose()?;
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let summary = ask(&worker, &args.journals, args.output.clone())?;
    let mut printer = LinePrinter::default();
    match &args.output {
        Some(_) => _ = printer.line(&as_text(&summary)),
        None => _ = print::line(&as_text(&summary))?,
    }
    let unmade = ["failed", "damaged", "no_face"].iter().any(|outcome| summary.outcomes.contains_key(*outcome));
    Ok(if unmade || summary.done < summary.photos || printer.has_failed() { Exit::SomeFailed } else { Exit::Done })
}

/// Writes a report on journals to a file.
pub(super) fn write(worker: &WorkerHandle, journals: &[PathBuf], output: &Path) -> anyhow::Result<()> {
    ask(worker, journals, Some(output.to_owned())).map(drop)
}

fn ask(worker: &WorkerHandle, journals: &[PathBuf], output: Option<PathBuf>) -> anyhow::Result<ReportSummary> {
    let id = worker.send(FilesRequest::WriteReport { journals: journals.to_vec(), output }.into());
    loop {
        let reply = worker.recv().context(WORKER_EXITED)?;
        match reply.event {
            Event::ReportWritten(written) if reply.id == id => {
                return written.map(|summary| *summary).map_err(anyhow::Error::msg);
            }
            Event::Failed { error, .. } if reply.id == id => bail!(error),
            _ => {}
        }
    }
}

/// The summary as text, one line per topic.
fn as_text(summary: &ReportSummary) -> String {
    let outcomes: Vec<String> =
        summary.outcomes.iter().map(|(name, photos)| format!("{photos} {}", name.replace('_', " "))).collect();
    let mut text = format!("{} of {} photos: {}", summary.done, summary.photos, outcomes.join(", "));
    text.push_str(&format!("\n{} files, {:.1} MB", summary.files, summary.bytes as f64 / 1e6));
    if summary.need_review > 0 {
        text.push_str(&format!("; {} to review", summary.need_review));
    }
    if let Some(rate) = summary.photos_per_s {
        text.push_str(&format!("\n{rate:.1} photos/s, {:.1} s", summary.took_s));
    }
    let stages: Vec<String> =
        summary.stages.iter().map(|(stage, total)| format!("{stage} {:.1}", total.mean_ms)).collect();
    if !stages.is_empty() {
        text.push_str(&format!("\nms per photo: {}", stages.join(", ")));
    }
    let runtimes: Vec<String> = summary.runtimes.iter().map(|(name, photos)| format!("{name} ({photos})")).collect();
    if !runtimes.is_empty() {
        text.push_str(&format!("\nruntime: {}", runtimes.join(", ")));
    }
    summary.ended_early.iter().for_each(|reason| text.push_str(&format!("\n{reason}")));
    text
}
