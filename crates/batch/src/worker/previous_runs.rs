//! Finds previous runs into an output folder by their journals.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use outcome::OutcomeKind;

use crate::journal::{History, JournalPlace, PhotoEntry, Shard, StoredPath, find_all, is_in_use, read_history};

/// A search for a previous run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunQuery {
    /// The output folder.
    pub output: PathBuf,
    /// Location of its journal.
    pub place: JournalPlace,
    /// The photos it must cover.
    pub of: RunsOf,
}

/// Which runs match a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunsOf {
    /// The latest run with a photo in one of these folders.
    Folders(Vec<PathBuf>),
    /// The latest run, if it is unfinished, not in progress, and some of these photos are done.
    Photos(Vec<PathBuf>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviousRun {
    pub journal: PathBuf,
    /// The requested photos that are done: absolute path and index in the run's list.
    pub photos: Vec<(PathBuf, usize)>,
}

/// Finds the run that matches `query`.
pub(super) fn find_run(query: &RunQuery) -> Option<PreviousRun> {
    let journals = match &query.place {
        JournalPlace::Beside { shard } => beside(&query.output, *shard),
        JournalPlace::File(path) => vec![path.clone()],
    };
    match &query.of {
        RunsOf::Folders(folders) => {
            let folders: Vec<PathBuf> = folders.iter().map(|folder| absolute(folder)).collect();
            journals.into_iter().find_map(|journal| {
                let is_inside = |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
                run_of(journal, is_inside, |_| true)
            })
        }
        RunsOf::Photos(photos) => {
            let photos: HashSet<PathBuf> = photos.iter().map(|photo| absolute(photo)).collect();
            let journal = journals.into_iter().next().filter(|journal| !is_in_use(journal))?;
            let unfinished = |history: &History| history.end.as_ref().is_none_or(|end| !end.is_complete());
            run_of(journal, |path| photos.contains(path), unfinished)
        }
    }
}

/// The journals in the output folder, most recent first.
fn beside(output: &Path, shard: Option<Shard>) -> Vec<PathBuf> {
    find_all(&absolute(output), shard)
}

/// The run of `journal` if its history `matches`, with the finished photos that are `requested`; `None` if there are none.
fn run_of(
    journal: PathBuf,
    requested: impl Fn(&Path) -> bool,
    matches: impl Fn(&History) -> bool,
) -> Option<PreviousRun> {
    let history = read_history(&journal).ok().filter(matches)?;
    let is_done = |entry: &PhotoEntry| entry.outcome != OutcomeKind::Failed.id();
    let done = history.photos.iter().filter(|(_, entry)| is_done(entry));
    let paths = done.filter_map(|(key, entry)| Some((StoredPath::to_path(key)?, entry.index)));
    let mut photos: Vec<(PathBuf, usize)> = paths.filter(|(path, _)| requested(path)).collect();
    photos.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
    (!photos.is_empty()).then_some(PreviousRun { journal, photos })
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{EndEntry, Entry, InputStamp, Journal, RunEntry, RuntimeEntry};

    fn photo(index: usize, path: &Path, outcome: OutcomeKind) -> Entry {
        let path = StoredPath::of(path);
        Entry::Photo(Box::new(PhotoEntry {
            index,
            at_ms: 1,
            name: path.clone(),
            input: Some(InputStamp { path, bytes: 1, modified_ns: None, ends_sha256: String::new() }),
            settings: String::new(),
            outcome: outcome.id().to_owned(),
            reason: None,
            size: None,
            faces: Vec::new(),
            crops: Vec::new(),
            row: Vec::new(),
            needs_review: Vec::new(),
            notes: Vec::new(),
            runtime: RuntimeEntry::default(),
            stages_ms: std::collections::BTreeMap::new(),
        }))
    }

    /// A run into `output` with `photos`, of which the last has failed.
    fn run(output: &Path, photos: &[&Path], end: Option<usize>) -> Journal {
        let (journal, _) = Journal::open(&JournalPlace::Beside { shard: None }, output, false).expect("created");
        let add = |entry: &Entry| assert!(journal.add(entry).expect("added") > 0);
        add(&Entry::Run(RunEntry { format: 1, photos: photos.len(), ..RunEntry::default() }));
        for (index, path) in photos.iter().enumerate() {
            let failed = index + 1 == photos.len();
            add(&photo(index, path, if failed { OutcomeKind::Failed } else { OutcomeKind::Cropped }));
        }
        if let Some(done) = end {
            let photos = photos.len();
            add(&Entry::End(EndEntry { at_ms: 2, done, photos, cancelled: done < photos, stopped: None }));
        }
        journal
    }

    #[test]
    fn the_latest_run_over_the_folders_is_found_with_the_indices_of_its_photos() {
        let (folder, out) = (tempfile::tempdir().expect("created"), tempfile::tempdir().expect("created"));
        let path = |name: &str| folder.path().join(name);
        let (a, b, c, other) = (path("in/a.jpg"), path("in/b.jpg"), path("in/c.jpg"), path("other/d.jpg"));
        let mine = run(out.path(), &[&b, &a, &c], Some(3)).path().to_owned();
        run(out.path(), &[&other, &c], Some(2));
        let find = |folders: Vec<PathBuf>, place: JournalPlace| {
            find_run(&RunQuery { output: out.path().to_owned(), place, of: RunsOf::Folders(folders) })
        };
        let beside = JournalPlace::Beside { shard: None };
        let found = find(vec![path("elsewhere"), path("in")], beside.clone()).expect("the first of two");
        assert_eq!(found, PreviousRun { journal: mine.clone(), photos: vec![(b, 0), (a, 1)] });
        assert_eq!(find(vec![path("in")], JournalPlace::File(mine)), Some(found));
        for (folders, place) in [
            (vec![path("elsewhere")], beside),
            (vec![path("in")], JournalPlace::File(path("none"))),
            (vec![path("in")], JournalPlace::Beside { shard: Some(Shard { number: 1, count: 2 }) }),
        ] {
            assert_eq!(find(folders, place), None);
        }
    }

    #[test]
    fn an_interrupted_run_is_found_unless_it_is_in_progress() {
        let (folder, out) = (tempfile::tempdir().expect("created"), tempfile::tempdir().expect("created"));
        let (a, b) = (folder.path().join("a.jpg"), folder.path().join("b.jpg"));
        let find = |photos: &[&PathBuf]| {
            let of = RunsOf::Photos(photos.iter().map(|&path| path.clone()).collect());
            let place = JournalPlace::Beside { shard: None };
            find_run(&RunQuery { output: out.path().to_owned(), place, of }).map(|run| run.photos.len())
        };
        assert_eq!(find(&[&a, &b]), None);
        let kept = run(out.path(), &[&a, &b], None);
        assert_eq!(find(&[&a, &b]), None, "the run is in progress");
        drop(kept);
        assert_eq!((find(&[&a, &b]), find(&[&b])), (Some(1), None), "a failed photo is not done");
        run(out.path(), &[&a, &b], Some(1));
        assert_eq!(find(&[&a, &b]), Some(1), "it was cancelled");
        run(out.path(), &[&a, &b], Some(2));
        assert_eq!(find(&[&a, &b]), None, "the run is complete");
    }
}
