//! `iron-cropper watch`: crops the photos in folders and those added later, until it is interrupted.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};

use ::batch::worker::{
    Event, FilesRequest, JournalPlace, JournalSpec, PackageNote, PreviousRun, Reply, RequestId, RunNote, RunQuery,
    RunsOf, WorkerHandle, WorkerPort,
};
use import::{WatchScope, WatchSpec};
use outcome::OutcomeKind;
use recipe::OnConflict;

use super::ask::{WORKER_EXITED, ask};
use super::batch::{Batch, RunEnd};
use super::naming::{Cards, Corrections, Named, NamedPhoto};
use super::report::LineFormat;
use super::report::Reporter;
use super::watch_args::WatchArgs;
use super::{Exit, batch, crop, print, report_file};

/// Poll interval for interrupts while idle.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Watches until interrupted.
pub(super) fn run(args: &WatchArgs, verbose: u8) -> anyhow::Result<Exit> {
    let given = args.folders()?;
    let output = args.crop.output.as_deref().context("--output is needed")?;
    ensure!(output.as_os_str() != "-", "-o - is only for crop: watch writes many crops");
    ensure!(!args.crop.naming.cards, "--cards is only for crop: the photo of a card may arrive after those it names");
    ensure!(args.crop.paired.is_empty(), "--paired is only for crop: a paired file may arrive after its photo");
    let folders = checked(given, output)?;
    crop::prepare(&args.crop, verbose, |mut batch| watch(args, &folders, &mut batch))
}

fn watch(args: &WatchArgs, folders: &[PathBuf], batch: &mut Batch<'_>) -> anyhow::Result<Exit> {
    let requested = batch.input.runtime.choice()?.unwrap_or_default();
    if let Some(naming) = &batch.naming {
        // Checked now rather than when the first photo arrives.
        naming.listed(&[])?;
    }
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let opening = batch::open(&worker, batch.input, requested);
    let interrupted = batch::listen_for_interrupts();
    batch::wait_for_runtime(&worker, opening)?;
    let form = if batch.input.json { LineFormat::Json } else { LineFormat::Text };
    let mut reporter = Reporter::new(form, batch.depth, requested, None, batch.verbose);
    let mut watcher = Watcher::new(folders, batch, &worker)?;
    for folder in folders {
        let spec = WatchSpec {
            folder: folder.clone(),
            exclude: Some(batch.output.folder.clone()),
            scope: WatchScope::All,
            debounce: args.debounce(),
            interval: args.interval(),
        };
        watcher.watches.push((worker.send(FilesRequest::Watch(spec).into()), folder.clone()));
    }
    let named: Vec<String> = folders.iter().map(|folder| print::path(folder)).collect();
    let output = print::path(&batch.output.folder);
    print::note(&format!("watching {}; crops are written to {output}; stop with Ctrl-C", named.join(", ")));
    let end = watcher.run_rounds(&worker, batch, &mut reporter, &interrupted)?;
    if end == End::ReaderGone {
        return Ok(Exit::SomeFailed);
    }
    let _ = reporter.summary(&batch.output.folder)?;
    let left = watcher.take_queue().len();
    if left > 0 {
        let files = if left == 1 { "1 photo was" } else { &format!("{left} photos were") };
        print::note(&format!("{files} not cropped; the next watch continues there"));
    }
    if let (Some(report), JournalPlace::File(journal)) = (&batch.run.report, &watcher.journal)
        && watcher.has_journal
    {
        report_file::write(&worker, std::slice::from_ref(journal), report)?;
    }
    let is_incomplete = left > 0 || end == End::Stopped || watcher.has_failed_package;
    Ok(if is_incomplete { Exit::SomeFailed } else { reporter.exit() })
}

/// The given folders, without those nested in others.
///
/// # Errors
/// One is not a folder, or crops would be written into it.
fn checked(given: &[PathBuf], output: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let real = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    let output = real(output)?;
    let mut folders: Vec<(PathBuf, &PathBuf)> = Vec::new();
    for folder in given {
        ensure!(folder.is_dir(), "{} is not a folder; watch needs existing folders", print::path(folder));
        let found = real(folder)?;
        ensure!(
            !found.starts_with(&output),
            "crops would be written to {}, which is watched; choose an output folder next to it or a subfolder of it",
            print::path(folder)
        );
        folders.push((found, folder));
    }
    let is_inside = |(at, (real, _)): (usize, &(PathBuf, &PathBuf))| {
        let others = folders.iter().enumerate();
        others.into_iter().any(|(other, (above, _))| {
            let is_same = real == above;
            other != at && real.starts_with(above) && (!is_same || other < at)
        })
    };
    let outermost = folders.iter().enumerate().filter(|folder| !is_inside(*folder));
    Ok(outermost.map(|(_, (_, folder))| (*folder).clone()).collect())
}

/// Why the watch ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Interrupted,
    /// Nothing more can be written.
    Stopped,
    /// Standard output has no reader any more.
    ReaderGone,
}

/// State of the watch.
struct Watcher<'a> {
    folders: &'a [PathBuf],
    watches: Vec<(RequestId, PathBuf)>,
    /// Queue of photos to crop, in order of arrival; one that changes meanwhile is queued again.
    queue: Vec<PathBuf>,
    /// Photos that have arrived since the start, in order.
    arrived: Vec<PathBuf>,
    is_seen: HashSet<PathBuf>,
    /// Index of each photo in the list, from 1, by absolute path: unchanged after a restart.
    places: HashMap<PathBuf, usize>,
    next_place: usize,
    /// The images that were in the output folder at the start, if that is inside a watched folder and files are replaced.
    ignored: Vec<PathBuf>,
    journal: JournalPlace,
    /// True once the journal exists, and with it the output folder.
    has_journal: bool,
    /// True once the missing output folder was reported.
    reported_missing_output: bool,
    /// True if the last index could not be written.
    has_failed_package: bool,
}

impl<'a> Watcher<'a> {
    /// Resumes the previous run, if there was one.
    fn new(folders: &'a [PathBuf], batch: &Batch<'_>, worker: &WorkerHandle) -> anyhow::Result<Self> {
        let base = JournalPlace::Beside { shard: batch.run.shard };
        let place = batch.run.journal.clone().map_or(base, JournalPlace::File);
        let (output, of) = (batch.output.folder.clone(), RunsOf::Folders(folders.to_vec()));
        let query = RunQuery { output, place: place.clone(), of };
        let earlier = ask(worker, FilesRequest::FindRun(query), |event| match event {
            Event::RunFound(found) => Ok(Some(found)),
            _ => Ok(None),
        })?;
        let replaces = batch.output.on_conflict == OnConflict::Overwrite;
        let mut watcher = Self {
            folders,
            watches: Vec::new(),
            queue: Vec::new(),
            arrived: Vec::new(),
            is_seen: HashSet::new(),
            places: HashMap::new(),
            next_place: 1,
            ignored: if replaces { in_output(folders, &batch.output.folder) } else { Vec::new() },
            journal: place,
            has_journal: false,
            reported_missing_output: false,
            has_failed_package: false,
        };
        if let Some(PreviousRun { journal, photos }) = earlier.map(|earlier| *earlier) {
            (watcher.journal, watcher.has_journal) = (JournalPlace::File(journal), true);
            for (photo, index) in photos {
                watcher.places.insert(photo, index + 1);
                watcher.next_place = watcher.next_place.max(index + 2);
            }
        }
        Ok(watcher)
    }

    /// Crops arriving photos, round by round.
    fn run_rounds(
        &mut self,
        worker: &WorkerHandle,
        batch: &mut Batch<'_>,
        reporter: &mut Reporter,
        interrupted: &AtomicBool,
    ) -> anyhow::Result<End> {
        while !interrupted.load(Ordering::SeqCst) {
            match worker.recv_for(POLL_INTERVAL) {
                Some(reply) => self.on_reply(&reply)?,
                None => ensure!(worker.is_alive(), WORKER_EXITED),
            }
            while let Some(reply) = worker.try_recv() {
                self.on_reply(&reply)?;
            }
            if self.queue.is_empty() || self.is_output_missing(&batch.output.folder) {
                continue;
            }
            let end = self.round(worker, batch, reporter, interrupted)?;
            self.has_failed_package = end.has_failed_package();
            // The index is written again after each round.
            let is_written = |note: &&RunNote| matches!(note, RunNote::Package(PackageNote::Written { .. }));
            let notes = end.notes.iter().filter(|note| !is_written(note));
            notes.for_each(|note| print::note(&format!("note: {note}")));
            if end.reader_gone {
                return Ok(End::ReaderGone);
            }
            if let Some(reason) = end.stopped.filter(|_| !self.is_output_missing(&batch.output.folder)) {
                print::note(&format!("stopped: {reason}"));
                return Ok(End::Stopped);
            }
        }
        Ok(End::Interrupted)
    }

    /// Crops the queued photos. Photos left stay in the queue, as do those that could not be written because the output
    /// folder is gone.
    fn round(
        &mut self,
        worker: &WorkerHandle,
        batch: &mut Batch<'_>,
        reporter: &mut Reporter,
        interrupted: &AtomicBool,
    ) -> anyhow::Result<RunEnd> {
        let photos = self.take_queue();
        let named = self.named(&photos, batch)?;
        let mut left: HashSet<PathBuf> = named.iter().map(|photo| photo.path.clone()).collect();
        if named.is_empty() {
            // They belong to another shard, or are not in the name list.
            return Ok(RunEnd::default());
        }
        // Every photo that arrives is an original, whether cropped here or not.
        let list = batch.naming.as_ref().and_then(|naming| Some(naming.spec.list.as_ref()?.file.clone()));
        let originals = self.arrived.iter().cloned().chain(list).collect();
        let mut job = batch::job(batch, named, originals);
        job.ignored.clone_from(&self.ignored);
        // A named journal may exist and belong to other folders.
        let resume = matches!(self.journal, JournalPlace::File(_));
        job.journal = Some(JournalSpec { place: self.journal.clone(), resume });
        let (mut watched, mut failed) = (Ok(()), Vec::new());
        let end = batch::export(worker, job, reporter, interrupted, &mut |reply| {
            if let Event::ExportProgress { report, .. } = &reply.event {
                left.remove(&report.path);
                failed.extend((report.outcome == OutcomeKind::Failed).then(|| report.path.clone()));
            } else if watched.is_ok() {
                watched = self.on_reply(reply);
            }
        })?;
        watched?;
        if let Some(journal) = &end.journal {
            (self.journal, self.has_journal) = (JournalPlace::File(journal.clone()), true);
        }
        if self.has_journal && !batch.output.folder.is_dir() {
            left.extend(failed);
        }
        self.queue.splice(..0, photos.into_iter().filter(|photo| left.contains(photo)));
        Ok(end)
    }

    /// The photos with their names.
    fn named(&mut self, photos: &[PathBuf], batch: &Batch<'_>) -> anyhow::Result<Vec<NamedPhoto>> {
        let Some(naming) = &batch.naming else { return Ok(Vec::new()) };
        let round: HashSet<&PathBuf> = photos.iter().collect();
        let (corrections, cards) = (Corrections::new(), Cards::default());
        let named =
            Named { roots: self.folders, listed_from: self.folders.len(), corrections: &corrections, cards: &cards };
        // Rows are matched with all photos: an ambiguous one matches none.
        let listed = naming.listed(&self.arrived)?;
        let photos = if listed.is_some() { self.arrived.clone() } else { photos.to_vec() };
        let names = naming.named(&photos, named, listed.as_ref())?;
        let mut photos = naming.outcome(photos, names, listed.as_ref(), &cards)?.photos;
        photos.retain(|photo| {
            let shard = batch.run.shard.as_ref();
            round.contains(&photo.path)
                && shard.is_none_or(|shard| shard.holds(super::inputs::below_root(&photo.path, self.folders)))
        });
        for photo in &mut photos {
            photo.name.place = self.place(&photo.path);
        }
        Ok(photos)
    }

    fn place(&mut self, photo: &Path) -> usize {
        let next = self.next_place;
        let place = *self.places.entry(absolute(photo)).or_insert(next);
        self.next_place = next.max(place + 1);
        place
    }

    /// Handles an event of the watch.
    fn on_reply(&mut self, reply: &Reply) -> anyhow::Result<()> {
        let Some((_, folder)) = self.watches.iter().find(|(id, _)| *id == reply.id) else { return Ok(()) };
        let folder = print::path(folder);
        match &reply.event {
            Event::ImportFound { paths } => {
                for path in paths {
                    self.add(path.clone());
                }
            }
            Event::WatchUnavailable { problem: Some(problem) } => {
                let problem = problem.to_string();
                print::note(&format!("note: {}; waiting for it", problem.trim_end_matches('.')));
            }
            Event::WatchUnavailable { problem: None } => print::note(&format!("note: {folder} is available again")),
            Event::Failed { error, .. } => anyhow::bail!("{folder} is no longer watched: {error}"),
            Event::WatchEnded { problem } => {
                anyhow::bail!(
                    "{folder} is no longer watched{}",
                    problem.as_ref().map_or_else(String::new, |problem| format!(": {problem}"))
                )
            }
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, photo: PathBuf) {
        self.queue.push(photo.clone());
        if self.is_seen.insert(photo.clone()) {
            self.arrived.push(photo);
        }
    }

    /// Takes the queue, each photo once.
    fn take_queue(&mut self) -> Vec<PathBuf> {
        let mut photos = std::mem::take(&mut self.queue);
        let mut once = HashSet::new();
        photos.retain(|photo| once.insert(photo.clone()));
        photos
    }

    /// True while an output folder that existed is gone: on an unplugged disk, it would be created again at the empty mount
    /// point.
    fn is_output_missing(&mut self, output: &Path) -> bool {
        let is_gone = self.has_journal && !output.is_dir();
        if is_gone != std::mem::replace(&mut self.reported_missing_output, is_gone) {
            let what = if is_gone { "is missing; waiting for it" } else { "is available again" };
            print::note(&format!("note: the output folder {} {what}", print::path(output)));
        }
        is_gone
    }
}

/// The images in the output folder, if that is inside a watched folder: they may be originals.
fn in_output(folders: &[PathBuf], output: &Path) -> Vec<PathBuf> {
    let mut photos = if output.is_dir() { super::inputs::find_inputs(&[output.to_owned()]).photos } else { Vec::new() };
    super::inputs::skip_output(&mut photos, folders, output)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
