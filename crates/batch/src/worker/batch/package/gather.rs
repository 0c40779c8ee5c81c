//! Which crops belong to the package of a folder, from the journals of the output folder.
//!
//! The latest entry of a photo replaces its earlier ones, and the latest entry of a file decides whose crop it is. Journals
//! are untrusted input: a file outside of the output folder is never listed.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use outcome::OutcomeKind;
use package::PackageCrop;
use picture::folder_of;
use recipe::has_output_extension;

use crate::journal::{CropLog, LoggedCrop, LoggedPhoto, StoredPath};
use crate::worker::ExportJob;

/// The crops of a folder, and what is remarkable about them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Gathered {
    pub(super) crops: Vec<PackageCrop>,
    /// Number of crops whose length is not that of the journal.
    pub(super) changed: usize,
    /// Number of photos that were skipped and have no recorded crop.
    pub(super) unrecorded: usize,
}

/// The recorded crops of all outputs.
pub(super) struct CropBook<'a> {
    log: &'a CropLog,
    /// By folder of the output, then by photo.
    folders: HashMap<&'a str, HashMap<&'a StoredPath, Recorded<'a>>>,
    /// The number of the entry that has written a file last.
    owners: HashMap<&'a StoredPath, usize>,
    /// Photos of which the last entry says that they were skipped.
    skipped: Vec<&'a StoredPath>,
    /// The number of the first entry of each run.
    run_starts: HashMap<usize, usize>,
}

/// The crops of a photo in the folder of an output.
struct Recorded<'a> {
    /// Number of the entry that has first recorded the photo there.
    first: usize,
    /// Run of the entries.
    run: usize,
    /// Entries of that run with their numbers: several if the photo was listed several times.
    entries: Vec<(usize, &'a LoggedPhoto)>,
}

impl<'a> CropBook<'a> {
    pub(super) fn of(log: &'a CropLog) -> Self {
        let (folders, owners, run_starts) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut book = Self { log, folders, owners, skipped: Vec::new(), run_starts };
        let mut skipped: BTreeMap<&StoredPath, bool> = BTreeMap::new();
        for (number, photo) in log.photos.iter().enumerate() {
            book.run_starts.entry(photo.run).or_insert(number);
            skipped.insert(photo.key(), photo.outcome == OutcomeKind::Skipped.id());
            book.add(number, photo);
        }
        book.skipped = skipped.into_iter().filter(|(_, is_skipped)| *is_skipped).map(|(key, _)| key).collect();
        book
    }

    fn add(&mut self, number: usize, photo: &'a LoggedPhoto) {
        let has_none = [OutcomeKind::NoFace, OutcomeKind::Card, OutcomeKind::Excluded, OutcomeKind::Damaged];
        if has_none.iter().any(|outcome| outcome.id() == photo.outcome) {
            for photos in self.folders.values_mut() {
                photos.remove(photo.key());
            }
            return;
        }
        for crop in &photo.crops {
            let Some(file) = crop.file() else { continue };
            self.owners.insert(&file.path, number);
            let photos = self.folders.entry(&crop.folder).or_default();
            let new = || Recorded { first: number, run: photo.run, entries: Vec::new() };
            let recorded = photos.entry(photo.key()).or_insert_with(new);
            if recorded.run != photo.run {
                (recorded.run, recorded.entries) = (photo.run, Vec::new());
            }
            if recorded.entries.last().is_none_or(|(last, _)| *last != number) {
                recorded.entries.push((number, photo));
            }
        }
    }

    /// The existing crops of the output folder `output` that belong to its subfolder `folder`, which is `below` on disk.
    pub(super) fn gather(&self, job: &ExportJob, output: &Path, folder: &str, below: &Path) -> Gathered {
        let mut gathered = Gathered::default();
        let none = HashMap::new();
        let photos = self.folders.get(folder).unwrap_or(&none);
        gathered.unrecorded = self.skipped.iter().filter(|key| !photos.contains_key(*key)).count();
        let listed = Listed::of(job);
        let mut recorded: Vec<(&StoredPath, &Recorded<'_>)> = photos.iter().map(|(key, photo)| (*key, photo)).collect();
        // A new order of a whole list is followed. A few photos of it keep their places among the others.
        let is_whole = recorded.iter().all(|(key, _)| listed.places.contains_key(*key));
        recorded.sort_by_cached_key(|(key, photo)| {
            let entry = photo.entries.last().map(|(_, entry)| *entry);
            let place = listed.places.get(*key).copied().filter(|_| is_whole);
            // Runs in the order in which they began.
            let first_run = self.log.photos.get(photo.first).and_then(|first| self.run_starts.get(&first.run));
            let earlier = (first_run.copied().unwrap_or(0), entry.map_or(0, |entry| entry.index), photo.first);
            (place.unwrap_or(0), if place.is_some() { (0, 0, 0) } else { earlier })
        });
        let mut inside = Inside::new(output);
        for (key, photo) in recorded {
            for (number, entry) in &photo.entries {
                let row = listed.rows.get(key).copied().flatten().unwrap_or(&entry.row);
                for crop in entry.crops.iter().filter(|crop| crop.folder == folder) {
                    let found = self.existing(*number, crop, output, &mut inside);
                    let Some((path, is_changed)) = found else { continue };
                    let Some(file) = path.strip_prefix(below).ok().and_then(with_slashes) else { continue };
                    gathered.changed += usize::from(is_changed);
                    gathered.crops.push(PackageCrop {
                        file,
                        path,
                        photo: file_name(crop.paired.as_ref().unwrap_or(&entry.name)),
                        is_paired: crop.paired.is_some(),
                        preset: crop.preset.clone(),
                        size: crop.output,
                        row: row.clone(),
                    });
                }
            }
        }
        gathered
    }

    /// The path of a crop, and whether its length has changed; `None` if it does not exist or another entry has replaced it.
    fn existing(
        &self,
        number: usize,
        crop: &LoggedCrop,
        output: &Path,
        inside: &mut Inside,
    ) -> Option<(PathBuf, bool)> {
        let file = crop.file().filter(|file| self.owners.get(&file.path) == Some(&number))?;
        let path = file.path.below(output).filter(|path| has_output_extension(path))?;
        let metadata = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let holds = inside.holds(folder_of(&path));
        holds.then_some((path, metadata.len() != file.bytes))
    }
}

/// The photos of the job.
struct Listed<'a> {
    places: HashMap<StoredPath, usize>,
    /// The row of a photo in the list; `None` if the photo is listed several times.
    rows: HashMap<StoredPath, Option<&'a Vec<(String, String)>>>,
}

impl<'a> Listed<'a> {
    fn of(job: &'a ExportJob) -> Self {
        let mut listed = Self { places: HashMap::new(), rows: HashMap::new() };
        for (place, item) in job.items.iter().enumerate() {
            let path = &item.photo.path;
            let key = StoredPath::of(&std::path::absolute(path).unwrap_or_else(|_| path.clone()));
            listed.places.entry(key.clone()).or_insert(place);
            let row = Some(&item.name.columns).filter(|row| !row.is_empty());
            listed.rows.entry(key).and_modify(|row| *row = None).or_insert(row);
        }
        listed
    }
}

/// Finds out which folders are inside the output folder after resolving links.
struct Inside {
    output: Option<PathBuf>,
    known: HashMap<PathBuf, bool>,
}

impl Inside {
    fn new(output: &Path) -> Self {
        Self { output: fs::canonicalize(output).ok(), known: HashMap::new() }
    }

    fn holds(&mut self, folder: &Path) -> bool {
        if let Some(known) = self.known.get(folder) {
            return *known;
        }
        let real = fs::canonicalize(folder).ok();
        let is_inside = real.zip(self.output.as_ref()).is_some_and(|(real, output)| real.starts_with(output));
        self.known.insert(folder.to_owned(), is_inside);
        is_inside
    }
}

fn with_slashes(path: &Path) -> Option<String> {
    let levels: Vec<_> = path.iter().map(|level| level.to_string_lossy()).collect();
    (!levels.is_empty()).then(|| levels.join("/"))
}

fn file_name(path: &StoredPath) -> String {
    let name = path.to_path().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    name.unwrap_or_default()
}
