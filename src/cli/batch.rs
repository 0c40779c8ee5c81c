//! What `crop` and `detect` share: open the runtime, walk the paths, have the worker do the rest, tell of it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};

use batch::worker::{
    Event, ExportItem, ExportJob, ItemId, PhotoRef, Reply, RequestId, RunNote, SessionRequest, StopReason,
    WorkerHandle, WorkerPort, end_at_once,
};
use naming::PhotoName;
use outcome::ItemReport;
use recipe::{Depth, FaceChoice, OutputSpec, Recipe, RuntimeChoice, Thoroughness};

use super::ask::{DIED, ask};
use super::crop_args::InputArgs;
use super::inputs::{Inputs, below_root, find_inputs, pass_over_output, roots};
use super::naming::{Named, NamedPhoto, Naming, Outcome};
use super::project_arg::Decided;
use super::report::Form;
use super::report::Reporter;
use super::{Exit, RunArgs, names_preview, print, report_file};

/// How often interrupts are looked for.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// A run over photos.
pub(super) struct Batch<'a> {
    pub(super) input: &'a InputArgs,
    pub(super) recipe: Recipe,
    pub(super) output: OutputSpec,
    /// The photos of a project, in place of the paths of `input`.
    pub(super) decided: Option<Decided>,
    pub(super) depth: Depth,
    pub(super) run: RunArgs,
    /// How crops are named; `None` where nothing is written.
    pub(super) naming: Option<Naming<'a>>,
    pub(super) verbose: u8,
}

/// Runs to the end and tells of every input.
///
/// # Errors
/// Nothing could be done: the runtime does not open, there is no input, or the worker died.
pub(super) fn run(mut batch: Batch<'_>) -> anyhow::Result<Exit> {
    let requested = batch.input.runtime.choice()?.unwrap_or_default();
    let roots = roots(batch.input)?;
    let named = Named { roots: &roots, listed_from: batch.input.paths.len() };
    if let Some(naming) = batch.naming.as_ref().filter(|naming| naming.args.names_preview) {
        return preview(naming, named, &batch);
    }
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let opening = open(&worker, batch.input, requested);
    let interrupted = listen_for_interrupts();
    let mut inputs = match &batch.decided {
        Some(decided) => {
            let photos = decided.photos.iter().map(|photo| photo.path.clone()).collect();
            Inputs { photos, problems: Vec::new() }
        }
        None => find_inputs(&roots),
    };
    let mut passed_over = Vec::new();
    if batch.depth != Depth::Detect && batch.decided.is_none() {
        passed_over = pass_over_output(&mut inputs.photos, &roots, &batch.output.folder);
    }
    let originals = originals(&batch, &roots, &inputs);
    let mut outcome = match &batch.naming {
        Some(naming) => naming.name(inputs.photos, named)?,
        None => Outcome::unnamed(inputs.photos),
    };
    let all_match = batch.depth != Depth::Plan || outcome.is_whole;
    wait_for_runtime(&worker, opening)?;
    if outcome.photos.is_empty() && inputs.problems.is_empty() {
        match batch.decided {
            Some(_) => bail!("the project has no photo that is not left out"),
            None => bail!("there is no picture in what was named"),
        }
    }

    if let Some(shard) = batch.run.shard {
        // Names were planned for all, so that shards do not take each other's.
        outcome.photos.retain(|photo| shard.holds(below_root(&photo.path, &roots)));
        inputs.problems.retain(|(path, _)| shard.holds(below_root(path, &roots)));
    }
    let total = outcome.photos.len();
    if let (0, true, Some(shard)) = (total, inputs.problems.is_empty(), batch.run.shard) {
        print::note(&format!("part {shard} has none of the photos"));
        return Ok(Exit::Done);
    }
    let form = if batch.input.json { Form::Json } else { Form::Words };
    let mut reporter = Reporter::new(form, batch.depth, requested, Some(total), batch.verbose);
    for (path, reason) in &inputs.problems {
        if reporter.problem(path, reason)?.is_closed() {
            return Ok(Exit::SomeFailed);
        }
    }
    let mut end = Ending::default();
    let mut passes = None;
    if total > 0 {
        let mut job = job(&mut batch, outcome.photos, originals);
        job.passed_over = passed_over;
        passes = job.items.first().map(|item| item.photo.detect.thoroughness);
        end = export(&worker, job, &mut reporter, &interrupted, &mut |_| {})?;
        if end.nobody_reads {
            return Ok(Exit::SomeFailed);
        }
    }
    let _ = reporter.summary(&batch.output.folder)?;
    if passes.is_some_and(|passes| passes != Thoroughness::Thorough) && reporter.misses_faces() {
        print::note("where no face was found, --thoroughness thorough looks longer, also for small faces that lie");
    }
    end.report(total);
    if let (Some(report), Some(journal)) = (&batch.run.report, &end.journal) {
        report_file::write(&worker, std::slice::from_ref(journal), report)?;
    }
    // What was not reached is as good as failed.
    Ok(if end.done < total || !all_match { Exit::SomeFailed } else { reporter.exit() })
}

/// Crops one photo and gives back what became of it.
///
/// # Errors
/// The runtime does not open, or the worker died.
pub(super) fn crop_one(mut batch: Batch<'_>, photo: &Path, name: PhotoName) -> anyhow::Result<Arc<ItemReport>> {
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let requested = batch.input.runtime.choice()?.unwrap_or_default();
    let opening = open(&worker, batch.input, requested);
    wait_for_runtime(&worker, opening)?;
    let photos = vec![NamedPhoto { path: photo.to_owned(), name, recipe: None }];
    let request = SessionRequest::Export(Arc::new(job(&mut batch, photos, Vec::new())));
    ask(&worker, request, |event| match event {
        Event::ExportProgress { report, .. } => Ok(Some(report)),
        _ => Ok(None),
    })
}

/// Everything that was named, found or listed, before anything is left out of it: no crop may take its place.
fn originals(batch: &Batch<'_>, roots: &[PathBuf], inputs: &Inputs) -> Vec<PathBuf> {
    let lists = [batch.input.files_from.as_ref(), batch.naming.as_ref().and_then(|naming| naming.args.names.as_ref())];
    let unread = inputs.problems.iter().map(|(path, _)| path);
    let excluded = batch.decided.iter().flat_map(|decided| &decided.excluded);
    let given = roots.iter().chain(lists.into_iter().flatten()).chain(&inputs.photos).chain(unread).chain(excluded);
    given.cloned().collect()
}

/// Prints which row of the name list belongs to which photo.
fn preview(naming: &Naming<'_>, named: Named<'_>, batch: &Batch<'_>) -> anyhow::Result<Exit> {
    let mut inputs = find_inputs(named.roots);
    pass_over_output(&mut inputs.photos, named.roots, &batch.output.folder);
    for (path, reason) in &inputs.problems {
        print::note(&format!("{}: failed: {reason}", print::path(path)));
    }
    let exit = names_preview::run(naming, &inputs.photos, named, batch.input.json)?;
    Ok(if inputs.problems.is_empty() { exit } else { Exit::SomeFailed })
}

pub(super) fn open(worker: &WorkerHandle, input: &InputArgs, choice: RuntimeChoice) -> RequestId {
    let (model, options) = (input.runtime.model.clone(), input.session.options());
    worker.send(SessionRequest::OpenRuntime { choice, model, options }.into())
}

/// Waits until the runtime that was asked for is open.
///
/// # Errors
/// It does not open, or the worker died.
pub(super) fn wait_for_runtime(worker: &WorkerHandle, opening: RequestId) -> anyhow::Result<()> {
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

/// What the worker is to do with `photos`, among the `originals` of which none may be replaced. What was decided about the
/// photos is handed on, once.
pub(super) fn job(batch: &mut Batch<'_>, photos: Vec<NamedPhoto>, mut originals: Vec<PathBuf>) -> ExportJob {
    // The photos of the job are originals anyway.
    let of_job: HashSet<&PathBuf> = photos.iter().map(|photo| &photo.path).collect();
    originals.retain(|path| !of_job.contains(path));
    originals.shrink_to_fit();
    let (mut decided, detect, limits) = match batch.decided.take() {
        Some(Decided { photos, detect, limits, .. }) => {
            (photos.into_iter().map(|photo| (photo.path.clone(), photo)).collect(), detect, limits)
        }
        None => {
            (HashMap::new(), batch.input.find.detect_spec(batch.recipe.crop.min_score), batch.input.limits.limits())
        }
    };
    let items = (0..).map(ItemId).zip(photos).map(|(item, NamedPhoto { path, name, recipe })| {
        let decided = decided.remove(&path);
        let (faces, own) = decided.map_or((FaceChoice::BySpec, None), |photo| (photo.faces, photo.overrides));
        // What was decided about a photo goes before what the list of names says of it.
        let recipe = own.map(|own| Arc::new(batch.recipe.with_overrides(&own))).or(recipe);
        ExportItem { photo: PhotoRef { item, path, limits, detect }, faces, name, recipe }
    });
    let items: Vec<ExportItem> = items.collect();
    ExportJob {
        workers: batch.run.jobs.map_or(0, usize::from),
        journal: batch.run.journal(items.len()),
        items,
        depth: batch.depth,
        recipe: batch.recipe.clone(),
        output: batch.output.clone(),
        template: batch.naming.as_ref().map(Naming::template).unwrap_or_default(),
        originals,
        passed_over: Vec::new(),
    }
}

/// How the worker's part ended.
#[derive(Debug, Default)]
pub(super) struct Ending {
    pub(super) done: usize,
    /// True where nobody reads standard output any more.
    pub(super) nobody_reads: bool,
    pub(super) cancelled: bool,
    pub(super) stopped: Option<Arc<StopReason>>,
    pub(super) notes: Arc<[RunNote]>,
    pub(super) journal: Option<PathBuf>,
}

impl Ending {
    /// Says on standard error what is not in the summary.
    fn report(&self, total: usize) {
        for note in &*self.notes {
            print::note(&format!("note: {note}"));
        }
        let left = total - self.done.min(total);
        if let Some(reason) = &self.stopped {
            print::note(&format!("stopped: {reason}"));
        } else if self.cancelled {
            print::note("stopped: interrupted");
        }
        if left > 0 {
            let resume = if self.journal.is_some() { "; --resume goes on there" } else { "" };
            print::note(&format!("{left} of {total} photos were not begun; what was written stays{resume}"));
        }
    }
}

/// A flag that is up once the person or the system wants the program to end. The first time what is under way is finished
/// and noted, the second time the program ends at once.
pub(super) fn listen_for_interrupts() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let listening = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::SeqCst) {
            // What the shell shows of a program that was interrupted.
            end_at_once(130);
        }
        print::note("stopping; once more to stop at once");
    });
    if let Err(error) = listening {
        tracing::debug!(%error, "interrupts end the program at once");
    }
    flag
}

/// Has the worker do the job and tells of each input. Every reply that comes meanwhile is shown to `hear` first.
///
/// # Errors
/// The worker died, or standard output cannot be written.
pub(super) fn export(
    worker: &WorkerHandle,
    job: ExportJob,
    reporter: &mut Reporter,
    interrupted: &AtomicBool,
    hear: &mut dyn FnMut(&Reply),
) -> anyhow::Result<Ending> {
    let job = Arc::new(job);
    let export = worker.send(SessionRequest::Export(Arc::clone(&job)).into());
    let mut end = Ending::default();
    loop {
        if interrupted.load(Ordering::SeqCst) && !end.cancelled {
            end.cancelled = true;
            worker.cancel(export);
        }
        let Some(reply) = worker.recv_for(LOOK_AGAIN) else {
            anyhow::ensure!(worker.is_alive(), DIED);
            continue;
        };
        hear(&reply);
        match reply.event {
            Event::ExportProgress { report, item, .. } if reply.id == export => {
                // Items are numbered as they stand in the job.
                let own = usize::try_from(item.0).ok().and_then(|at| job.items.get(at)?.recipe.as_deref());
                reporter.set_rules(own.unwrap_or(&job.recipe).crop.rules.clone());
                if !end.nobody_reads && reporter.item(&report)?.is_closed() {
                    // The journal is still ended properly.
                    end.nobody_reads = true;
                    worker.cancel(export);
                }
            }
            Event::ExportFinished { done, cancelled, stopped, notes, journal, .. } if reply.id == export => {
                return Ok(Ending { done, cancelled, stopped, notes, journal, ..end });
            }
            Event::Failed { error, .. } if reply.id == export => return Err(error.into()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_of_a_path_that_counts_for_a_shard_is_the_same_wherever_the_photos_lie() {
        let below = |photo: &str, roots: &[&str]| {
            let roots: Vec<PathBuf> = roots.iter().map(PathBuf::from).collect();
            below_root(Path::new(photo), &roots).to_owned()
        };
        assert_eq!(below("/mnt/a/school/1/anna.jpg", &["/mnt/a/school"]), Path::new("1/anna.jpg"));
        assert_eq!(below("school/1/anna.jpg", &["school"]), Path::new("1/anna.jpg"));
        assert_eq!(below("school/1/anna.jpg", &["school", "school/1"]), Path::new("anna.jpg"));
        assert_eq!(below("/mnt/b/anna.jpg", &["/mnt/b/anna.jpg"]), Path::new("anna.jpg"));
    }
}
