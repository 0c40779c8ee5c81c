//! Writes the journal of a batch, and reads the state of an earlier part of the run from it.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};

use outcome::{CropReport, EncodeError, ItemReport, OutcomeKind, Written};
use picture::{Saver, Steps, folder_of, remove_parts, sync_folder};
use pipeline::{NameBook, Originals};
use recipe::Variant;

use super::fingerprint;
use super::own_files::OwnFiles;
use super::package::{folder_text, has_package};
use crate::journal::{
    CropEntry, EndEntry, Entry, FORMAT, FileEntry, FileRole, History, InputStamp, Journal, JournalError, JournalPlace,
    PhotoEntry, RunEntry, RuntimeEntry, StoredPath, WritingEntry, digest, is_journal, now_ms, rest_digest,
};
use crate::worker::sessions::Opened;
use crate::worker::{ExportItem, ExportJob, JournalSpec};

/// Writes the journal of a running batch.
pub(super) struct JournalWriter {
    journal: Journal,
    saver: Saver,
    /// The output folder, absolute.
    output: PathBuf,
    settings: String,
    /// True if the names of crops contain the photo's position in the list.
    by_place: bool,
    outputs: Vec<Variant>,
    /// True if what packages need is recorded.
    has_package: bool,
}

/// The state left by an earlier part of the run.
pub(super) struct ResumeState {
    /// Photos that are done, by index in the list.
    pub(super) done: HashMap<usize, PhotoEntry>,
    /// Files made from photos that are processed again.
    pub(super) own: OwnFiles,
    /// Number of partial files of a killed process that were removed.
    pub(super) removed: usize,
}

impl JournalWriter {
    /// Opens the journal and loads the state of this batch from it. Names of finished crops are reserved in `names`, and
    /// files that may be replaced are marked there.
    ///
    /// # Errors
    /// Fails if the journal cannot be opened.
    pub(super) fn open(
        spec: &JournalSpec,
        job: &ExportJob,
        opened: Option<&Opened>,
        names: &mut NameBook,
        steps: Steps,
    ) -> Result<(Self, ResumeState), JournalError> {
        let output = std::path::absolute(&job.output.folder).unwrap_or_else(|_| job.output.folder.clone());
        if let JournalPlace::File(path) = &spec.place
            && path.is_file()
            && !is_journal(path)
            && originals_of(job).contains(path)
        {
            return Err(JournalError::IsOriginal { path: path.clone() });
        }
        let (journal, history) = Journal::open_with(&spec.place, &output, spec.resume, steps.clone())?;
        let at_ms = now_ms();
        let unique = format!("{at_ms} {} {}", std::process::id(), journal.path().display());
        let run = digest(unique.as_bytes())[..12].to_owned();
        let journal_writer = Self {
            saver: Saver::durable(&run).with_steps(steps),
            output,
            settings: fingerprint::of_job(job, opened),
            by_place: job.template.uses_place(),
            outputs: job.recipe.outputs().collect(),
            has_package: has_package(&job.recipe),
            journal,
        };
        let mut resume = journal_writer.load_state(&history, job, names);
        let runs: HashSet<&str> = history.runs.iter().map(|run| run.run.as_str()).collect();
        if !runs.is_empty() {
            let folders = history.folders(&journal_writer.output);
            let inside = folders.iter().filter(|folder| resume.own.is_inside(folder));
            resume.removed = inside.map(|folder| remove_parts(folder, &runs)).sum();
        }
        let shard = match &spec.place {
            JournalPlace::Beside { shard } => shard.map(|shard| shard.to_string()),
            JournalPlace::File(_) => None,
        };
        let entry = Entry::Run(RunEntry {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            run,
            at_ms,
            settings: journal_writer.settings.clone(),
            runtime: RuntimeEntry {
                requested: opened.map(|opened| opened.runtime.requested.id().to_owned()),
                actual: opened.map(|opened| opened.runtime.actual.kind.id().to_owned()),
            },
            output: Some(StoredPath::of(&journal_writer.output)),
            shard,
            photos: job.items.len(),
            resumed: !history.runs.is_empty(),
        });
        let path = journal_writer.journal.path().to_owned();
        journal_writer.journal.add(&entry).map_err(|source| JournalError::Unusable { path, source })?;
        Ok((journal_writer, resume))
    }

    /// Path of the journal.
    pub(super) fn path(&self) -> &Path {
        self.journal.path()
    }

    /// The output folder, absolute.
    pub(super) fn output(&self) -> &Path {
        &self.output
    }

    fn load_state(&self, history: &History, job: &ExportJob, names: &mut NameBook) -> ResumeState {
        let mut resume = ResumeState { done: HashMap::new(), own: OwnFiles::new(&job.output.folder), removed: 0 };
        if history.runs.is_empty() {
            return resume;
        }
        let mut inputs = HashSet::new();
        let mut twice = HashSet::new();
        let keys: Vec<StoredPath> = job.items.iter().map(|item| absolute(&item.photo.path)).collect();
        for key in &keys {
            if !inputs.insert(key) {
                twice.insert(key);
            }
        }
        for ((index, item), key) in job.items.iter().enumerate().zip(&keys) {
            // A photo listed twice has one key for both items, so both are processed again.
            let entry = history.photos.get(key).filter(|_| !twice.contains(key));
            if let Some(entry) = entry.filter(|entry| self.is_done(entry, item)) {
                resume.done.insert(index, entry.clone());
            }
        }
        let mut kept = HashSet::new();
        // Names are claimed relative to the output folder as given.
        for file in resume.done.values().flat_map(PhotoEntry::files) {
            if let Some(path) = file.path.below(&job.output.folder) {
                names.reserve(&path);
                kept.insert(path);
            }
        }
        let done: HashSet<&StoredPath> = resume.done.keys().map(|index| &keys[*index]).collect();
        let again = history.writings.iter().filter(|(input, _)| inputs.contains(input) && !done.contains(input));
        let mut originals = None;
        // A file that is now a photo of this list is an original, even if the run has written it.
        let mut is_original = |path: &Path| originals.get_or_insert_with(|| originals_of(job)).contains(path);
        for (input, files) in again {
            let own = resume.own.add(input, files, |path| kept.contains(path), &mut is_original);
            own.into_iter().for_each(|path| names.allow_replacing(path));
        }
        resume
    }

    fn is_done(&self, entry: &PhotoEntry, item: &ExportItem) -> bool {
        let is_end =
            [OutcomeKind::Cropped, OutcomeKind::NoFace, OutcomeKind::Card, OutcomeKind::Excluded, OutcomeKind::Damaged]
                .iter()
                .any(|outcome| outcome.id() == entry.outcome);
        let is_there = |file: &FileEntry| {
            let path = file.path.below(&self.output);
            let metadata = path.and_then(|path| fs::symlink_metadata(path).ok());
            metadata.is_some_and(|metadata| metadata.is_file() && metadata.len() == file.bytes)
        };
        is_end
            && entry.settings == fingerprint::of_item(&self.settings, item, self.by_place)
            && entry.files().all(is_there)
            && entry.input.is_some()
            && entry.input == InputStamp::of(&item.photo.path).ok()
    }

    /// Writes a file: the journal entry is synced to disk before the file gets its final name.
    ///
    /// # Errors
    /// As [`Saver::save`], or if the journal cannot be written.
    pub(super) fn write(
        &self,
        input: &Path,
        bytes: &[u8],
        path: &Path,
        replace: bool,
    ) -> Result<(Written, FileEntry), EncodeError> {
        let file = FileEntry { path: self.stored(path), bytes: bytes.len() as u64, sha256: digest(bytes) };
        let entry = Entry::Writing(WritingEntry { input: absolute(input), file: file.clone() });
        let noted = self.journal.add(&entry).map_err(|source| self.broken(source))?;
        let mut trouble = None;
        let saved = self.saver.save(bytes, path, replace, &mut || {
            self.journal.sync_to(noted).map_err(|source| {
                let kind = source.kind();
                trouble = Some(source);
                kind.into()
            })
        });
        match trouble {
            Some(source) => Err(self.broken(source)),
            None => Ok((saved?, file)),
        }
    }

    /// Writes a file of a package with the content that `fill` writes, and records it like a crop.
    ///
    /// # Errors
    /// As [`Saver::save_with`], or if the journal cannot be written.
    pub(super) fn write_package_file(
        &self,
        path: &Path,
        replace: bool,
        fill: &mut dyn FnMut(&mut File) -> io::Result<()>,
    ) -> Result<Written, EncodeError> {
        let content = RefCell::new(None);
        let mut trouble = None;
        let fill = &mut |file: &mut File| {
            fill(file)?;
            let bytes = file.stream_position()?;
            file.rewind()?;
            content.replace(Some((bytes, rest_digest(file)?)));
            Ok(())
        };
        let saved = self.saver.save_with(path, replace, fill, &mut || {
            let (bytes, sha256) = content.take().unwrap_or_default();
            let file = FileEntry { path: self.stored(path), bytes, sha256 };
            let entry = Entry::Writing(WritingEntry { input: StoredPath::of(&self.output), file });
            self.journal.add(&entry).and_then(|end| self.journal.sync_to(end)).map_err(|source| {
                let kind = source.kind();
                trouble = Some(source);
                kind.into()
            })
        });
        if let Some(source) = trouble {
            return Err(self.broken(source));
        }
        let written = saved?;
        // The file is complete; only a power failure could still lose its name.
        let _ = sync_folder(folder_of(path));
        Ok(written)
    }

    /// A path as it is recorded.
    fn stored(&self, path: &Path) -> StoredPath {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        StoredPath::inside(&absolute, &self.output)
    }

    /// Records that a photo is done, after its folders are synced to disk.
    ///
    /// # Errors
    /// Fails if a folder cannot be synced or the journal cannot be written.
    pub(super) fn note(&self, entry: PhotoEntry, files: &[(PathBuf, FileEntry)]) -> Result<(), EncodeError> {
        let folders: BTreeSet<&Path> = files.iter().map(|(path, _)| folder_of(path)).collect();
        for folder in folders {
            sync_folder(folder).map_err(|source| EncodeError::Write { path: folder.to_owned(), source })?;
        }
        self.journal.add(&Entry::Photo(Box::new(entry))).map(|_| ()).map_err(|source| self.broken(source))
    }

    /// Writes the end entry and syncs the journal.
    ///
    /// # Errors
    /// Fails if the journal cannot be written.
    pub(super) fn close(
        &self,
        done: usize,
        photos: usize,
        cancelled: bool,
        stopped: Option<String>,
    ) -> Result<(), EncodeError> {
        let entry = Entry::End(EndEntry { at_ms: now_ms(), done, photos, cancelled, stopped });
        self.journal.add(&entry).and_then(|end| self.journal.sync_to(end)).map_err(|source| self.broken(source))
    }

    /// The journal entry of a photo.
    pub(super) fn entry(
        &self,
        index: usize,
        item: &ExportItem,
        input: Option<InputStamp>,
        report: &ItemReport,
        files: &[(PathBuf, FileEntry)],
    ) -> PhotoEntry {
        let runtime = report.runtime.as_ref();
        let of = |role: FileRole, path: &Option<PathBuf>| {
            let written = files.iter().find(|(written, _)| Some(written) == path.as_ref());
            written.map(|(_, file)| (role, file.clone()))
        };
        let crop = |crop: &CropReport| {
            let frame = crop.planned.frame;
            let output = self.outputs.get(crop.output);
            let preset = output.and_then(|output| output.preset.as_ref()).unwrap_or(&item.name.preset);
            CropEntry {
                face: crop.planned.face_index,
                frame: [frame.x.into(), frame.y.into(), frame.width.into(), frame.height.into()],
                angle_deg: round(crop.planned.angle.into()),
                output: [crop.planned.output.width, crop.planned.output.height],
                folder: output.map(|output| folder_text(&output.place)).unwrap_or_default(),
                paired: crop.paired.as_deref().map(StoredPath::of),
                preset: Some(preset).filter(|_| self.has_package).cloned().unwrap_or_default(),
                files: of(FileRole::Crop, &crop.written).into_iter().chain(of(FileRole::Sheet, &crop.sheet)).collect(),
            }
        };
        let face = |face: &geometry::Face| {
            [face.bbox.x, face.bbox.y, face.bbox.width, face.bbox.height, face.score].map(|number| round(number.into()))
        };
        let damage = report.damage.as_ref().map(|damage| damage.reason.clone());
        let notes = report.note.map(|note| note.to_string()).into_iter();
        PhotoEntry {
            index: item.name.place.checked_sub(1).unwrap_or(index),
            at_ms: now_ms(),
            name: StoredPath::of(&report.path),
            input,
            settings: fingerprint::of_item(&self.settings, item, self.by_place),
            outcome: report.outcome.id().to_owned(),
            reason: report.error.as_ref().map(ToString::to_string).or(damage),
            size: report.size.map(|size| [size.width, size.height]),
            faces: report.faces.iter().map(face).collect(),
            crops: report.crops.iter().map(crop).collect(),
            row: if self.has_package { item.name.columns.clone() } else { Vec::new() },
            needs_review: report.warnings.iter().map(|warning| warning.kind.to_string()).collect(),
            notes: notes
                .chain(report.crops.iter().flat_map(|crop| crop.notes.iter().map(ToString::to_string)))
                .collect(),
            runtime: RuntimeEntry {
                requested: runtime.map(|runtime| runtime.requested.id().to_owned()),
                actual: runtime.map(|runtime| runtime.actual.kind.id().to_owned()),
            },
            stages_ms: report.stages.iter().map(|(stage, ms)| (stage.id().to_owned(), round(ms))).collect(),
        }
    }

    fn broken(&self, source: io::Error) -> EncodeError {
        EncodeError::Journal { path: self.journal.path().to_owned(), source }
    }
}

impl ResumeState {
    /// Removes old files of the photo `input`, which has been processed again, unless their names have been claimed since.
    pub(super) fn remove_left_over(&self, input: &Path, names: &NameBook) {
        for path in self.own.of_photo(&absolute(input)) {
            if names.is_free(path)
                && self.own.contains(path)
                && let Err(error) = fs::remove_file(path)
            {
                tracing::warn!(path = %path.display(), %error, "a crop made with earlier settings cannot be removed");
            }
        }
    }
}

/// A photo's key: its absolute path.
fn absolute(path: &Path) -> StoredPath {
    StoredPath::of(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

/// All input files of a job, which must not be replaced.
fn originals_of(job: &ExportJob) -> Originals {
    Originals::of(job.all_originals())
}

/// Rounds to three decimals; non-finite numbers become 0.
fn round(number: f64) -> f64 {
    if number.is_finite() { (number * 1e3).round() / 1e3 + 0.0 } else { 0.0 }
}
