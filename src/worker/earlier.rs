//! Earlier runs into an output folder, found by their journals.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::journal::{History, JournalPlace, PhotoEntry, Shard, StoredPath, find_all, is_in_use, read_history};
use crate::pipeline::OutcomeKind;

/// Which earlier run is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunQuery {
    /// The output folder.
    pub output: PathBuf,
    /// Where its journal may be.
    pub place: JournalPlace,
    /// What it is of.
    pub of: RunsOf,
}

/// What a run is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunsOf {
    /// The latest that tells of a photo in one of these folders.
    Folders(Vec<PathBuf>),
    /// The latest of all, where it has not come to its end, nobody is at it, and some of these photos are done.
    Photos(Vec<PathBuf>),
}

/// An earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierRun {
    /// Its journal.
    pub journal: PathBuf,
    /// The photos asked for that it tells of, by their absolute paths and with their places in its list, from 0. Of an
    /// unfinished run, those that are done.
    pub photos: Vec<(PathBuf, usize)>,
}

/// The run that `query` is about.
pub(super) fn find_run(query: &RunQuery) -> Option<EarlierRun> {
    let journals = match &query.place {
        JournalPlace::Beside { shard } => beside(&query.output, *shard),
        JournalPlace::File(path) => vec![path.clone()],
    };
    match &query.of {
        RunsOf::Folders(folders) => {
            let folders: Vec<PathBuf> = folders.iter().map(|folder| absolute(folder)).collect();
            journals.into_iter().find_map(|journal| {
                let is_asked = |path: &Path| folders.iter().any(|folder| path.starts_with(folder));
                told_of(journal, is_asked, |_| true)
            })
        }
        RunsOf::Photos(photos) => {
            let photos: HashSet<PathBuf> = photos.iter().map(|photo| absolute(photo)).collect();
            let journal = journals.into_iter().next().filter(|journal| !is_in_use(journal))?;
            let unfinished = |history: &History| history.end.as_ref().is_none_or(|end| !end.is_complete());
            told_of(journal, |path| photos.contains(path), unfinished)
        }
    }
}

/// The journals in the output folder, the latest first.
fn beside(output: &Path, shard: Option<Shard>) -> Vec<PathBuf> {
    find_all(&absolute(output), shard)
}

/// The run of `journal`, where that is `wanted` and tells of a photo that is done and `asked` for.
fn told_of(journal: PathBuf, asked: impl Fn(&Path) -> bool, wanted: impl Fn(&History) -> bool) -> Option<EarlierRun> {
    let history = read_history(&journal).ok().filter(wanted)?;
    let is_done = |entry: &PhotoEntry| entry.outcome != OutcomeKind::Failed.id();
    let done = history.photos.iter().filter(|(_, entry)| is_done(entry));
    let paths = done.filter_map(|(key, entry)| Some((StoredPath::to_path(key)?, entry.index)));
    let mut photos: Vec<(PathBuf, usize)> = paths.filter(|(path, _)| asked(path)).collect();
    photos.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
    (!photos.is_empty()).then_some(EarlierRun { journal, photos })
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
