//! `iron-cropper watch`: crops what is in folders and what comes into them, until it is ended.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};

use ::batch::worker::{
    Event, FilesRequest, JournalPlace, JournalSpec, PreviousRun, Reply, RequestId, RunQuery, RunsOf, WorkerHandle,
    WorkerPort,
};
use import::{WatchScope, WatchSpec};
use outcome::OutcomeKind;
use recipe::OnConflict;

use super::ask::{DIED, ask};
use super::batch::{Batch, Ending};
use super::naming::{Named, NamedPhoto};
use super::report::Form;
use super::report::Reporter;
use super::watch_args::WatchArgs;
use super::{Exit, batch, crop, print, report_file};

/// How often interrupts are looked for while nothing comes.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// Watches until it is interrupted.
pub(super) fn run(args: &WatchArgs, verbose: u8) -> anyhow::Result<Exit> {
    let given = args.folders()?;
    let output = args.crop.output.as_deref().context("--output is needed")?;
    ensure!(output.as_os_str() != "-", "-o - is for crop: watch writes many crops");
    let folders = checked(given, output)?;
    crop::prepare(&args.crop, verbose, |mut batch| watch(args, &folders, &mut batch))
}

fn watch(args: &WatchArgs, folders: &[PathBuf], batch: &mut Batch<'_>) -> anyhow::Result<Exit> {
    let requested = batch.input.runtime.choice()?.unwrap_or_default();
    if let (Some(naming), Some(list)) = (&batch.naming, &args.crop.naming.names) {
        // Better told now than once the first photo comes.
        naming.listed(list, &[])?;
    }
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let opening = batch::open(&worker, batch.input, requested);
    let interrupted = batch::listen_for_interrupts();
    batch::wait_for_runtime(&worker, opening)?;
    let form = if batch.input.json { Form::Json } else { Form::Words };
    let mut reporter = Reporter::new(form, batch.depth, requested, None, batch.verbose);
    let mut watcher = Watcher::new(folders, batch, &worker)?;
    for folder in folders {
        let spec = WatchSpec {
            folder: folder.clone(),
            without: Some(batch.output.folder.clone()),
            scope: WatchScope::Everything,
            settle: args.settle(),
            every: args.every(),
        };
        watcher.watches.push((worker.send(FilesRequest::Watch(spec).into()), folder.clone()));
    }
    let named: Vec<String> = folders.iter().map(|folder| print::path(folder)).collect();
    let output = print::path(&batch.output.folder);
    print::note(&format!("watching {}; crops go to {output}; Ctrl-C ends it", named.join(", ")));
    let end = watcher.go_on(&worker, batch, &mut reporter, &interrupted)?;
    if end == End::NobodyReads {
        return Ok(Exit::SomeFailed);
    }
    let _ = reporter.summary(&batch.output.folder)?;
    let left = watcher.take_waiting().len();
    if left > 0 {
        let files = if left == 1 { "1 photo was" } else { &format!("{left} photos were") };
        print::note(&format!("{files} not cropped any more; the next watch begins there"));
    }
    if let (Some(report), JournalPlace::File(journal)) = (&batch.run.report, &watcher.journal)
        && watcher.has_journal
    {
        report_file::write(&worker, std::slice::from_ref(journal), report)?;
    }
    Ok(if left > 0 || end == End::Stopped { Exit::SomeFailed } else { reporter.exit() })
}

/// The folders that were named, without those that lie in others of them.
///
/// # Errors
/// One is no folder, or crops would come into it.
fn checked(given: &[PathBuf], output: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let real = |path: &Path| fs::canonicalize(path).or_else(|_| std::path::absolute(path));
    let output = real(output)?;
    let mut folders: Vec<(PathBuf, &PathBuf)> = Vec::new();
    for folder in given {
        ensure!(folder.is_dir(), "{} is no folder; watch takes folders that are there", print::path(folder));
        let found = real(folder)?;
        ensure!(
            !found.starts_with(&output),
            "crops would come into {}, which is watched; name an output folder beside it or in it",
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

/// Why it does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Interrupted,
    /// Nothing more can be written.
    Stopped,
    /// Nobody reads standard output any more.
    NobodyReads,
}

/// What has come, and what is known of it.
struct Watcher<'a> {
    folders: &'a [PathBuf],
    watches: Vec<(RequestId, PathBuf)>,
    /// Photos to be cropped, in the order in which they came; one that changes meanwhile comes again.
    waiting: Vec<PathBuf>,
    /// Photos that have come since the start, in order.
    seen: Vec<PathBuf>,
    is_seen: HashSet<PathBuf>,
    /// The place of each photo in the list, from 1, by its absolute path: it stays what it was before a restart.
    places: HashMap<PathBuf, usize>,
    next_place: usize,
    /// The pictures that were in the output folder at the start, if that lies in a watched folder and files are replaced.
    passed_over: Vec<PathBuf>,
    journal: JournalPlace,
    /// True once the journal is there, and with it the output folder.
    has_journal: bool,
    /// True once it was said that the output folder is gone.
    misses_output: bool,
}

impl<'a> Watcher<'a> {
    /// Takes up the run before, if there was one.
    fn new(folders: &'a [PathBuf], batch: &Batch<'_>, worker: &WorkerHandle) -> anyhow::Result<Self> {
        let usual = JournalPlace::Beside { shard: batch.run.shard };
        let place = batch.run.journal.clone().map_or(usual, JournalPlace::File);
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
            waiting: Vec::new(),
            seen: Vec::new(),
            is_seen: HashSet::new(),
            places: HashMap::new(),
            next_place: 1,
            passed_over: if replaces { in_output(folders, &batch.output.folder) } else { Vec::new() },
            journal: place,
            has_journal: false,
            misses_output: false,
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

    /// Crops what comes, round by round.
    fn go_on(
        &mut self,
        worker: &WorkerHandle,
        batch: &mut Batch<'_>,
        reporter: &mut Reporter,
        interrupted: &AtomicBool,
    ) -> anyhow::Result<End> {
        while !interrupted.load(Ordering::SeqCst) {
            match worker.recv_for(LOOK_AGAIN) {
                Some(reply) => self.hear(&reply)?,
                None => ensure!(worker.is_alive(), DIED),
            }
            while let Some(reply) = worker.try_recv() {
                self.hear(&reply)?;
            }
            if self.waiting.is_empty() || self.waits_for_output(&batch.output.folder) {
                continue;
            }
            let end = self.round(worker, batch, reporter, interrupted)?;
            end.notes.iter().for_each(|note| print::note(&format!("note: {note}")));
            if end.nobody_reads {
                return Ok(End::NobodyReads);
            }
            if let Some(reason) = end.stopped.filter(|_| !self.waits_for_output(&batch.output.folder)) {
                print::note(&format!("stopped: {reason}"));
                return Ok(End::Stopped);
            }
        }
        Ok(End::Interrupted)
    }

    /// Crops what waits. What was not reached goes on waiting, and so does what could not be written since the output folder
    /// is gone.
    fn round(
        &mut self,
        worker: &WorkerHandle,
        batch: &mut Batch<'_>,
        reporter: &mut Reporter,
        interrupted: &AtomicBool,
    ) -> anyhow::Result<Ending> {
        let photos = self.take_waiting();
        let named = self.named(&photos, batch)?;
        let mut left: HashSet<PathBuf> = named.iter().map(|photo| photo.path.clone()).collect();
        if named.is_empty() {
            // Other machines do them, or the list of names leaves them out.
            return Ok(Ending::default());
        }
        // Whatever has come is an original, whether or not it is cropped here.
        let list = batch.naming.as_ref().and_then(|naming| naming.args.names.clone());
        let originals = self.seen.iter().cloned().chain(list).collect();
        let mut job = batch::job(batch, named, originals);
        job.passed_over.clone_from(&self.passed_over);
        // One that was named may be there and tell of other folders.
        let resume = matches!(self.journal, JournalPlace::File(_));
        job.journal = Some(JournalSpec { place: self.journal.clone(), resume });
        let (mut heard, mut failed) = (Ok(()), Vec::new());
        let end = batch::export(worker, job, reporter, interrupted, &mut |reply| {
            if let Event::ExportProgress { report, .. } = &reply.event {
                left.remove(&report.path);
                failed.extend((report.outcome == OutcomeKind::Failed).then(|| report.path.clone()));
            } else if heard.is_ok() {
                heard = self.hear(reply);
            }
        })?;
        heard?;
        if let Some(journal) = &end.journal {
            (self.journal, self.has_journal) = (JournalPlace::File(journal.clone()), true);
        }
        if self.has_journal && !batch.output.folder.is_dir() {
            left.extend(failed);
        }
        self.waiting.splice(..0, photos.into_iter().filter(|photo| left.contains(photo)));
        Ok(end)
    }

    /// The photos with their names.
    fn named(&mut self, photos: &[PathBuf], batch: &Batch<'_>) -> anyhow::Result<Vec<NamedPhoto>> {
        let Some(naming) = &batch.naming else { return Ok(Vec::new()) };
        let round: HashSet<&PathBuf> = photos.iter().collect();
        let named = Named { roots: self.folders, listed_from: self.folders.len() };
        let outcome = match &naming.args.names {
            // Rows are matched with all photos there are: one that fits two of them fits none.
            Some(list) => {
                let listed = naming.listed(list, &self.seen)?;
                naming.outcome(self.seen.clone(), named, Some(&listed))?
            }
            None => naming.outcome(photos.to_vec(), named, None)?,
        };
        let mut photos = outcome.photos;
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

    /// Takes what a watch tells.
    fn hear(&mut self, reply: &Reply) -> anyhow::Result<()> {
        let Some((_, folder)) = self.watches.iter().find(|(id, _)| *id == reply.id) else { return Ok(()) };
        let folder = print::path(folder);
        match &reply.event {
            Event::ImportFound { paths } => {
                for path in paths {
                    self.add(path.clone());
                }
            }
            Event::WatchAway { problem: Some(problem) } => {
                let problem = problem.to_string();
                print::note(&format!("note: {}; it is waited for", problem.trim_end_matches('.')));
            }
            Event::WatchAway { problem: None } => print::note(&format!("note: {folder} is there again")),
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
        self.waiting.push(photo.clone());
        if self.is_seen.insert(photo.clone()) {
            self.seen.push(photo);
        }
    }

    /// What waits, each photo once.
    fn take_waiting(&mut self) -> Vec<PathBuf> {
        let mut photos = std::mem::take(&mut self.waiting);
        let mut once = HashSet::new();
        photos.retain(|photo| once.insert(photo.clone()));
        photos
    }

    /// True while the output folder, which was there, is gone: on an unplugged disk it would be made anew in its empty place.
    fn waits_for_output(&mut self, output: &Path) -> bool {
        let is_gone = self.has_journal && !output.is_dir();
        if is_gone != std::mem::replace(&mut self.misses_output, is_gone) {
            let what = if is_gone { "is gone; it is waited for" } else { "is there again" };
            print::note(&format!("note: the output folder {} {what}", print::path(output)));
        }
        is_gone
    }
}

/// The pictures in the output folder, if that lies in one of the watched folders: they may be originals.
fn in_output(folders: &[PathBuf], output: &Path) -> Vec<PathBuf> {
    let mut photos = if output.is_dir() { super::inputs::find_inputs(&[output.to_owned()]).photos } else { Vec::new() };
    super::inputs::pass_over_output(&mut photos, folders, output)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
