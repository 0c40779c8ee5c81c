//! What `crop` and `detect` share: open the runtime, walk the paths, have the worker do the rest, tell of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use super::args::InputArgs;
use super::ask::DIED;
use super::project_arg::{Decided, DecidedPhoto};
use super::report::{Form, Reporter};
use super::{Exit, print};
use crate::backend::RuntimeChoice;
use crate::cancel::CancelToken;
use crate::encode::{EncodeSpec, OnConflict, OutputSpec};
use crate::import::walk;
use crate::pipeline::{Depth, FaceChoice};
use crate::plan::{CropSpec, FinishSpec, SheetSpec};
use crate::worker::{Event, ExportItem, ExportJob, ItemId, PhotoRef, Request, RequestId, WorkerHandle, WorkerPort};

/// A run over photos.
pub(super) struct Batch<'a> {
    pub(super) input: &'a InputArgs,
    pub(super) crop: CropSpec,
    pub(super) finish: FinishSpec,
    pub(super) sheet: Option<SheetSpec>,
    pub(super) encode: EncodeSpec,
    pub(super) include_damaged: bool,
    pub(super) output: OutputSpec,
    /// The photos of a project, in place of the paths of `input`.
    pub(super) decided: Option<Decided>,
    pub(super) depth: Depth,
    pub(super) verbose: u8,
}

/// The inputs that paths come to.
pub(super) struct Inputs {
    pub(super) photos: Vec<PathBuf>,
    pub(super) problems: Vec<(PathBuf, String)>,
}

/// Runs to the end and tells of every input.
///
/// # Errors
/// Nothing could be done: the runtime does not open, there is no input, or the worker died.
pub(super) fn run(batch: Batch<'_>) -> anyhow::Result<Exit> {
    let requested = batch.input.runtime.choice()?.unwrap_or_default();
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let opening = worker.send(Request::OpenRuntime {
        choice: requested,
        model: batch.input.runtime.model.clone(),
        options: batch.input.session.options(),
    });
    let mut inputs = match &batch.decided {
        Some(decided) => {
            let photos = decided.photos.iter().map(|photo| photo.path.clone()).collect();
            Inputs { photos, problems: Vec::new() }
        }
        None => find_inputs(&batch.input.paths),
    };
    let mut originals = Vec::new();
    if batch.depth != Depth::Detect && batch.decided.is_none() {
        let passed_over = pass_over_output(&mut inputs.photos, &batch.input.paths, &batch.output.folder);
        // Under the other policies nothing is replaced; skipping what an earlier run wrote is what a second run is for.
        if batch.output.on_conflict == OnConflict::Overwrite {
            originals = passed_over;
        }
    }
    wait_for_runtime(&worker, opening)?;
    if inputs.photos.is_empty() && inputs.problems.is_empty() {
        bail!("there is no picture in what was named");
    }

    let form = if batch.input.json { Form::Json } else { Form::Words };
    let total = inputs.photos.len();
    let reporter = Reporter::new(form, batch.depth, requested, total, batch.verbose);
    let mut reporter = reporter.with_rules(batch.crop.rules.clone());
    for (path, reason) in &inputs.problems {
        if reporter.problem(path, reason)?.is_closed() {
            return Ok(Exit::SomeFailed);
        }
    }
    let folder = batch.output.folder.clone();
    if total > 0 && !export(&worker, job(batch, inputs.photos, originals), &mut reporter)? {
        return Ok(Exit::SomeFailed);
    }
    let _ = reporter.summary(&folder)?;
    Ok(reporter.exit())
}

/// Walks the paths that were named.
pub(super) fn find_inputs(paths: &[PathBuf]) -> Inputs {
    let mut inputs = Inputs { photos: Vec::new(), problems: Vec::new() };
    let mut found = |paths: Vec<PathBuf>| inputs.photos.extend(paths);
    let mut problem = |path: PathBuf, reason: String| inputs.problems.push((path, reason));
    let loops = walk(paths, &mut found, &mut problem, &CancelToken::new()).loops;
    // Nothing is missed by a link that leads back: worth a word, not a failure.
    inputs.problems.retain(|(path, reason)| {
        let harmless = loops.contains(path);
        if harmless {
            print::note(&format!("note: {}: {reason}", print::path(path)));
        }
        !harmless
    });
    inputs
}

/// Where the output folder lies inside a folder that was named, the crops of earlier runs are no photos to crop. Gives
/// back what was passed over: it may hold originals too, so nothing of it is replaced.
fn pass_over_output(photos: &mut Vec<PathBuf>, named: &[PathBuf], output: &Path) -> Vec<PathBuf> {
    let Ok(output) = fs::canonicalize(output) else { return Vec::new() };
    let named: Vec<PathBuf> = named.iter().filter_map(|path| fs::canonicalize(path).ok()).collect();
    let lies_inside = named.iter().any(|path| output.starts_with(path));
    if lies_inside && named.contains(&output) {
        print::note("note: crops go into a folder of photos that was named; the next run over it will crop them too");
    }
    if !lies_inside || named.iter().any(|path| path.starts_with(&output)) {
        return Vec::new();
    }
    let is_outside = |photo: &PathBuf| !fs::canonicalize(photo).is_ok_and(|photo| photo.starts_with(&output));
    let (outside, passed_over) = std::mem::take(photos).into_iter().partition::<Vec<_>, _>(is_outside);
    *photos = outside;
    if !passed_over.is_empty() {
        let (count, output) = (passed_over.len(), print::path(&output));
        print::note(&format!(
            "note: {count} of the pictures lie in the output folder {output}: they are passed over and never replaced"
        ));
    }
    passed_over
}

fn wait_for_runtime(worker: &WorkerHandle, opening: RequestId) -> anyhow::Result<()> {
    loop {
        let reply = worker.recv().context(DIED)?;
        match reply.event {
            Event::RuntimeReady { .. } if reply.id == opening => return Ok(()),
            Event::RuntimeFailed { requested, error } if reply.id == opening => {
                return Err(error).with_context(|| refusal(requested));
            }
            Event::Failed { error, .. } if reply.id == opening => return Err(error.into()),
            _ => {}
        }
    }
}

fn refusal(requested: RuntimeChoice) -> String {
    format!("the runtime asked for ({requested}) cannot be used")
}

fn job(batch: Batch<'_>, photos: Vec<PathBuf>, originals: Vec<PathBuf>) -> ExportJob {
    let undecided = |path| DecidedPhoto { path, faces: FaceChoice::BySpec, own: None };
    let Decided { photos, detect, limits } = batch.decided.unwrap_or_else(|| Decided {
        photos: photos.into_iter().map(undecided).collect(),
        detect: batch.input.find.detect_spec(batch.crop.min_score),
        limits: batch.input.limits.limits(),
    });
    let items = (0..).map(ItemId).zip(photos).map(|(item, DecidedPhoto { path, faces, own })| ExportItem {
        photo: PhotoRef { item, path, limits, detect },
        faces,
        own,
    });
    ExportJob {
        items: items.collect(),
        depth: batch.depth,
        crop: batch.crop,
        finish: batch.finish,
        sheet: batch.sheet,
        encode: batch.encode,
        include_damaged: batch.include_damaged,
        output: batch.output,
        originals,
    }
}

/// Has the worker do the job and tells of each input; false where nobody reads standard output any more.
fn export(worker: &WorkerHandle, job: ExportJob, reporter: &mut Reporter) -> anyhow::Result<bool> {
    let export = worker.send(Request::Export(Arc::new(job)));
    loop {
        let reply = worker.recv().context(DIED)?;
        match reply.event {
            Event::ExportProgress { report, .. } if reply.id == export => {
                let reader = reporter.item(&report)?;
                if reader.is_closed() {
                    worker.cancel(export);
                    return Ok(false);
                }
            }
            Event::ExportFinished { .. } if reply.id == export => return Ok(true),
            Event::Failed { error, .. } if reply.id == export => return Err(error.into()),
            _ => {}
        }
    }
}
