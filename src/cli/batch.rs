//! Shared by `crop` and `detect`: opens the runtime, finds the inputs, sends the job to the worker and reports the results.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};

use batch::worker::{
    Event, ExportItem, ExportJob, ItemId, PhotoRef, Reply, RequestId, RunNote, SessionRequest, StopReason,
    WorkerHandle, WorkerPort, end_at_once, package_files,
};
use naming::PhotoName;
use outcome::ItemReport;
use recipe::{Depth, FaceChoice, OutputSpec, Recipe, RuntimeChoice, Thoroughness};

use super::ask::{WORKER_EXITED, ask};
use super::crop_args::InputArgs;
use super::inputs::{Inputs, below_root, find_inputs, roots, skip_output, skip_paired};
use super::naming::{Cards, Corrections, Named, NamedPhoto, Naming, Outcome};
use super::project_arg::ProjectPhotos;
use super::report::LineFormat;
use super::report::Reporter;
use super::{Exit, RunArgs, cards, names_preview, package_args, print, report_file};

/// Poll interval for interrupts.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A run over photos.
pub(super) struct Batch<'a> {
    pub(super) input: &'a InputArgs,
    pub(super) recipe: Recipe,
    pub(super) output: OutputSpec,
    /// The photos of a project, instead of the paths of `input`.
    pub(super) project_photos: Option<ProjectPhotos>,
    pub(super) depth: Depth,
    pub(super) run: RunArgs,
    /// How crops are named; `None` if nothing is written.
    pub(super) naming: Option<Naming<'a>>,
    pub(super) verbose: u8,
}

/// Runs to the end and reports every input.
///
/// # Errors
/// Nothing could be done: the runtime does not open, there is no input, or the worker has exited.
pub(super) fn run(mut batch: Batch<'_>) -> anyhow::Result<Exit> {
    let requested = batch.input.runtime.choice()?.unwrap_or_default();
    let roots = roots(batch.input)?;
    let corrections = batch.project_photos.as_mut().map(|photos| std::mem::take(&mut photos.corrections));
    let corrections = corrections.unwrap_or_default();
    // The folders of a project take the place of paths; none of its photos is from a list of paths.
    let of_project = batch.project_photos.as_mut().map(|photos| std::mem::take(&mut photos.roots));
    let listed_from = if of_project.is_some() { usize::MAX } else { batch.input.paths.len() };
    let named_below = of_project.as_deref().unwrap_or(&roots);
    if let Some(naming) = batch.naming.as_ref().filter(|naming| naming.args.names_preview) {
        let named = Named { roots: named_below, listed_from, corrections: &corrections, cards: &Cards::default() };
        return preview(naming, named, &batch);
    }
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let opening = open(&worker, batch.input, requested);
    let interrupted = listen_for_interrupts();
    let mut inputs = inputs(&batch, &roots);
    let mut ignored = Vec::new();
    if batch.depth != Depth::Detect && batch.project_photos.is_none() {
        ignored = skip_output(&mut inputs.photos, &roots, &batch.output.folder);
    }
    let originals = originals(&batch, &roots, &inputs);
    skip_paired(&mut inputs.photos, &batch.recipe.paired);
    let cards = read_cards(&batch, &inputs.photos, &corrections)?;
    let named = Named { roots: named_below, listed_from, corrections: &corrections, cards: &cards };
    let mut outcome = match &batch.naming {
        Some(naming) => naming.name(inputs.photos, named)?,
        None => Outcome::unnamed(inputs.photos),
    };
    let all_match = batch.depth != Depth::Plan || outcome.is_complete();
    wait_for_runtime(&worker, opening)?;
    if outcome.photos.is_empty() && inputs.problems.is_empty() {
        match batch.project_photos {
            Some(_) => bail!("every photo of the project is excluded"),
            None => bail!("no photos found in the given paths"),
        }
    }

    if let Some(shard) = batch.run.shard {
        // Names were planned for all photos, so that shards do not use each other's names.
        outcome.photos.retain(|photo| shard.holds(below_root(&photo.path, &roots)));
        inputs.problems.retain(|(path, _)| shard.holds(below_root(path, &roots)));
    }
    let total = outcome.photos.len();
    if let (0, true, Some(shard)) = (total, inputs.problems.is_empty(), batch.run.shard) {
        print::note(&format!("shard {shard} contains no photos"));
        return Ok(Exit::Done);
    }
    let form = if batch.input.json { LineFormat::Json } else { LineFormat::Text };
    let mut reporter = Reporter::new(form, batch.depth, requested, Some(total), batch.verbose);
    for (path, reason) in &inputs.problems {
        if reporter.problem(path, reason)?.is_closed() {
            return Ok(Exit::SomeFailed);
        }
    }
    let mut end = RunEnd::default();
    let mut thoroughness = None;
    if total > 0 {
        let mut job = job(&mut batch, outcome.photos, originals);
        job.ignored = ignored;
        thoroughness = job.items.first().map(|item| item.photo.detect.thoroughness);
        end = export(&worker, job, &mut reporter, &interrupted, &mut |_| {})?;
        if end.reader_gone {
            return Ok(Exit::SomeFailed);
        }
    }
    let _ = reporter.summary(&batch.output.folder)?;
    if thoroughness.is_some_and(|thoroughness| thoroughness != Thoroughness::Thorough)
        && reporter.has_inputs_without_face()
    {
        print::note(
            "if no face was found, --thoroughness thorough runs more detection passes, also for small sideways faces",
        );
    }
    end.report(total);
    if batch.depth == Depth::Plan
        && let Some(note) = package_args::planned(&batch.recipe, &batch.output.folder)
    {
        print::note(&note);
    }
    if let (Some(report), Some(journal)) = (&batch.run.report, &end.journal) {
        report_file::write(&worker, std::slice::from_ref(journal), report)?;
    }
    // Inputs left count as failed.
    Ok(if end.done < total || !all_match || end.has_failed_package() { Exit::SomeFailed } else { reporter.exit() })
}

/// The cards that `photos` show, if they are to be read.
fn read_cards(batch: &Batch<'_>, photos: &[PathBuf], corrections: &Corrections) -> anyhow::Result<Cards> {
    let is_wanted = batch.naming.as_ref().is_some_and(|naming| naming.spec.cards);
    let limits = batch.project_photos.as_ref().map_or_else(|| batch.input.limits.limits(), |project| project.limits);
    let excluded = batch.project_photos.as_ref().map_or(&[][..], |project| &project.before_kept);
    if is_wanted { cards::read((photos, excluded), corrections, limits) } else { Ok(Cards::default()) }
}

/// Crops one photo and returns its result.
///
/// # Errors
/// The runtime does not open, or the worker has exited.
pub(super) fn crop_one(mut batch: Batch<'_>, photo: &Path, name: PhotoName) -> anyhow::Result<Arc<ItemReport>> {
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let requested = batch.input.runtime.choice()?.unwrap_or_default();
    let opening = open(&worker, batch.input, requested);
    wait_for_runtime(&worker, opening)?;
    let photos = vec![NamedPhoto { path: photo.to_owned(), name, recipe: None, card: None }];
    let request = SessionRequest::Export(Arc::new(job(&mut batch, photos, Vec::new())));
    ask(&worker, request, |event| match event {
        Event::ExportProgress { report, .. } => Ok(Some(report)),
        _ => Ok(None),
    })
}

/// The photos of the project, or those found below the given paths.
fn inputs(batch: &Batch<'_>, roots: &[PathBuf]) -> Inputs {
    let Some(project_photos) = &batch.project_photos else { return find_inputs(roots) };
    let photos = project_photos.photos.iter().map(|photo| photo.path.clone()).collect();
    Inputs { photos, problems: Vec::new() }
}

/// All files that were named, found or listed, before any are filtered out: no crop may replace them.
fn originals(batch: &Batch<'_>, roots: &[PathBuf], inputs: &Inputs) -> Vec<PathBuf> {
    let names = batch.naming.as_ref().and_then(|naming| Some(&naming.spec.list.as_ref()?.file));
    let lists = [batch.input.files_from.as_ref(), names];
    let unread = inputs.problems.iter().map(|(path, _)| path);
    let excluded = batch.project_photos.iter().flat_map(|project_photos| &project_photos.excluded);
    let given = roots.iter().chain(lists.into_iter().flatten()).chain(&inputs.photos).chain(unread).chain(excluded);
    given.cloned().collect()
}

/// Prints the match of list rows and photos.
fn preview(naming: &Naming<'_>, named: Named<'_>, batch: &Batch<'_>) -> anyhow::Result<Exit> {
    let mut inputs = inputs(batch, named.roots);
    if batch.project_photos.is_none() {
        skip_output(&mut inputs.photos, named.roots, &batch.output.folder);
    }
    skip_paired(&mut inputs.photos, &batch.recipe.paired);
    for (path, reason) in &inputs.problems {
        print::note(&format!("{}: failed: {reason}", print::path(path)));
    }
    let cards = read_cards(batch, &inputs.photos, named.corrections)?;
    let named = Named { cards: &cards, ..named };
    let exit = names_preview::run(naming, &inputs.photos, named, batch.input.json)?;
    Ok(if inputs.problems.is_empty() { exit } else { Exit::SomeFailed })
}

pub(super) fn open(worker: &WorkerHandle, input: &InputArgs, choice: RuntimeChoice) -> RequestId {
    let (model, options) = (input.runtime.model.clone(), input.session.options());
    worker.send(SessionRequest::OpenRuntime { choice, model, options, at_once: false }.into())
}

/// Waits until the requested runtime is open.
///
/// # Errors
/// It does not open, or the worker has exited.
pub(super) fn wait_for_runtime(worker: &WorkerHandle, opening: RequestId) -> anyhow::Result<()> {
    loop {
        let reply = worker.recv().context(WORKER_EXITED)?;
        match reply.event {
            Event::RuntimeReady { .. } if reply.id == opening => return Ok(()),
            Event::RuntimeFailed { requested, error } if reply.id == opening => {
                return Err(error).with_context(|| opening_failed(requested));
            }
            Event::Failed { error, .. } if reply.id == opening => return Err(error.into()),
            _ => {}
        }
    }
}

fn opening_failed(requested: RuntimeChoice) -> String {
    format!("the requested runtime ({requested}) cannot be used")
}

/// The worker's job for `photos`; none of `originals` may be replaced. Moves the photos' edits into the job, so call it
/// once per photo.
pub(super) fn job(batch: &mut Batch<'_>, photos: Vec<NamedPhoto>, mut originals: Vec<PathBuf>) -> ExportJob {
    // The photos of the job are originals anyway.
    let of_job: HashSet<&PathBuf> = photos.iter().map(|photo| &photo.path).collect();
    originals.retain(|path| !of_job.contains(path));
    originals.shrink_to_fit();
    let (mut project_photos, detect, limits) = match batch.project_photos.take() {
        Some(ProjectPhotos { photos, detect, limits, .. }) => {
            (photos.into_iter().map(|photo| (photo.path.clone(), photo)).collect(), detect, limits)
        }
        None => {
            (HashMap::new(), batch.input.find.detect_spec(batch.recipe.crop.min_score), batch.input.limits.limits())
        }
    };
    let items = (0..).map(ItemId).zip(photos).map(|(item, NamedPhoto { path, name, recipe, card })| {
        let project_photos = project_photos.remove(&path);
        let (faces, own) = project_photos.map_or((FaceChoice::BySpec, None), |photo| (photo.faces, photo.overrides));
        // Overrides of a photo take precedence over the name list.
        let recipe = own.map(|own| Arc::new(batch.recipe.with_overrides(&own))).or(recipe);
        ExportItem { photo: PhotoRef { item, path, limits, detect }, faces, name, recipe, card }
    });
    let items: Vec<ExportItem> = items.collect();
    ExportJob {
        workers: batch.run.jobs.map_or(0, usize::from),
        journal: batch.run.journal(items.len(), !package_files(&batch.recipe, &batch.output.folder).is_empty()),
        items,
        depth: batch.depth,
        recipe: batch.recipe.clone(),
        output: batch.output.clone(),
        template: batch.naming.as_ref().map(|naming| naming.template.clone()).unwrap_or_default(),
        originals,
        ignored: Vec::new(),
    }
}

/// How the worker's part of the run ended.
#[derive(Debug, Default)]
pub(super) struct RunEnd {
    pub(super) done: usize,
    /// True if standard output has no reader any more.
    pub(super) reader_gone: bool,
    pub(super) cancelled: bool,
    pub(super) stopped: Option<Arc<StopReason>>,
    pub(super) notes: Arc<[RunNote]>,
    pub(super) journal: Option<PathBuf>,
}

impl RunEnd {
    /// True if an index, a zip file or a contact sheet was not written.
    pub(super) fn has_failed_package(&self) -> bool {
        self.notes.iter().any(RunNote::is_failure)
    }

    /// Prints notes, an early end and inputs left to standard error.
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
            let resume = if self.journal.is_some() { "; --resume continues the run" } else { "" };
            print::note(&format!("{left} of {total} photos left; files already written are kept{resume}"));
        }
    }
}

/// A flag that is set once the user or the system asks the program to end. On the first interrupt, running work is finished
/// and recorded; on the second, the program exits at once.
pub(super) fn listen_for_interrupts() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let listening = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::SeqCst) {
            // The exit code of an interrupted program, as shells define it.
            end_at_once(130);
        }
        print::note("stopping; interrupt again to stop at once");
    });
    if let Err(error) = listening {
        tracing::debug!(%error, "the interrupt handler cannot be installed; interrupts end the program at once");
    }
    flag
}

/// Sends the job to the worker and reports each input. Every reply that arrives meanwhile is passed to `on_reply` first.
///
/// # Errors
/// The worker has exited, or standard output cannot be written.
pub(super) fn export(
    worker: &WorkerHandle,
    job: ExportJob,
    reporter: &mut Reporter,
    interrupted: &AtomicBool,
    on_reply: &mut dyn FnMut(&Reply),
) -> anyhow::Result<RunEnd> {
    let job = Arc::new(job);
    let export = worker.send(SessionRequest::Export(Arc::clone(&job)).into());
    let mut end = RunEnd::default();
    loop {
        if interrupted.load(Ordering::SeqCst) && !end.cancelled {
            end.cancelled = true;
            worker.cancel(export);
        }
        let Some(reply) = worker.recv_for(POLL_INTERVAL) else {
            anyhow::ensure!(worker.is_alive(), WORKER_EXITED);
            continue;
        };
        on_reply(&reply);
        match reply.event {
            Event::ExportProgress { report, item, .. } if reply.id == export => {
                // Item ids are indices into the job.
                let own = usize::try_from(item.0).ok().and_then(|at| job.items.get(at)?.recipe.as_deref());
                reporter.set_outputs(own.unwrap_or(&job.recipe));
                if !end.reader_gone && reporter.item(&report)?.is_closed() {
                    // The journal is still completed.
                    end.reader_gone = true;
                    worker.cancel(export);
                }
            }
            Event::ExportFinished { done, cancelled, stopped, notes, journal, .. } if reply.id == export => {
                return Ok(RunEnd { done, cancelled, stopped, notes, journal, ..end });
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
    fn shards_depend_on_the_path_below_the_root_only() {
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
