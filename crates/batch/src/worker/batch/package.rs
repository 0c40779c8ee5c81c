//! Writes what is handed over with the crops when a run ends: indexes, zip files, contact sheets.
//!
//! They list what the journals of the output folder record and still exists, so that they agree with the files after a
//! resumed run, a retry of single photos or a removal. A file that this program has written before and that has not been
//! changed is replaced; any other is left, and the new one gets a number.

mod gather;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cancel::CancelToken;
use naming::portable;
use outcome::EncodeError;
use package::{Package, csv_index, pspa_index, write_contact_sheets, write_zip};
use pipeline::Originals;
use recipe::{IndexFormat, PackageSpec, Recipe};

use self::gather::{CropBook, Gathered};
use super::journal_writer::JournalWriter;
use crate::journal::{CropLog, FileEntry, StoredPath, file_digest, find_of_all_shards};
use crate::worker::ExportJob;
use crate::worker::package_note::PackageNote;

/// Maximum number of a file whose usual name is taken.
const MAX_NUMBER: usize = 999;

/// The packages of one folder: those of all outputs with this folder.
#[derive(Clone, Debug, PartialEq, Default)]
struct FolderPackage {
    indexes: Vec<IndexFormat>,
    zip: bool,
    pdf: bool,
    html: bool,
}

impl FolderPackage {
    fn add(&mut self, PackageSpec { index, zip, contact_pdf, contact_html }: PackageSpec) {
        self.indexes.extend(index.filter(|format| !self.indexes.contains(format)));
        (self.zip, self.pdf, self.html) = (self.zip || zip, self.pdf || contact_pdf, self.html || contact_html);
    }

    /// The usual names of its files in the folder called `title`.
    fn file_names(&self, title: &str) -> Vec<String> {
        let zip = self.zip.then(|| zip_name(title));
        let sheets = [(self.html, HTML_NAME), (self.pdf, PDF_NAME)];
        let sheets = sheets.into_iter().filter(|(is_on, _)| *is_on).map(|(_, name)| name.to_owned());
        self.indexes.iter().map(|format| format.file_name().to_owned()).chain(sheets).chain(zip).collect()
    }
}

const HTML_NAME: &str = "contact-sheet.html";
const PDF_NAME: &str = "contact-sheet.pdf";

/// The packages of `recipe` by folder, with `/` between levels.
fn by_folder(recipe: &Recipe) -> BTreeMap<String, FolderPackage> {
    let mut folders: BTreeMap<String, FolderPackage> = BTreeMap::new();
    for output in recipe.outputs().filter(|output| !output.package.is_none()) {
        folders.entry(folder_text(&output.place)).or_default().add(output.package);
    }
    folders
}

/// The folder of an output as recorded in journals.
pub(super) fn folder_text(place: &recipe::OutputPlace) -> String {
    place.levels().collect::<Vec<_>>().join("/")
}

/// True if an index, a zip file or a contact sheet is written.
pub(crate) fn has_package(recipe: &Recipe) -> bool {
    !by_folder(recipe).is_empty()
}

/// The files that are handed over with the crops of `recipe` in the output folder `output`, under their usual names.
pub fn package_files(recipe: &Recipe, output: &Path) -> Vec<PathBuf> {
    let files = by_folder(recipe).into_iter().flat_map(|(folder, package)| {
        let below = folder_below(output, &folder);
        let names = package.file_names(&title_of(&below));
        names.into_iter().map(move |name| below.join(name))
    });
    files.collect()
}

/// The folder of an output on disk.
fn folder_below(output: &Path, folder: &str) -> PathBuf {
    let levels = folder.split('/').filter(|level| !level.is_empty());
    levels.fold(output.to_owned(), |path, level| path.join(portable(level.as_ref())))
}

/// The name of a folder; `Crops` for one without a name.
fn title_of(folder: &Path) -> String {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let name = absolute.file_name().map(|name| name.to_string_lossy().into_owned());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| "Crops".to_owned())
}

fn zip_name(title: &str) -> String {
    format!("{title}.zip")
}

/// Writes the packages of a run: if it is complete all files, otherwise the indexes. Returns notes on the files.
pub(super) fn write_packages(
    job: &ExportJob,
    journal: &JournalWriter,
    is_complete: bool,
    cancel: &CancelToken,
) -> Vec<PackageNote> {
    let folders = by_folder(&job.recipe);
    if folders.is_empty() {
        return Vec::new();
    }
    let output = journal.output();
    let journals: BTreeSet<PathBuf> =
        find_of_all_shards(output).into_iter().chain([journal.path().to_owned()]).map(real).collect();
    let log = CropLog::read(&journals);
    let book = CropBook::of(&log);
    let mut writer = Writer { journal, log: &log, job, originals: None, cancel, notes: Vec::new() };
    for (folder, package) in &folders {
        let below = folder_below(output, folder);
        // Without it, nothing was ever written there.
        if below.is_dir() {
            writer.write_folder(&book.gather(job, output, folder, &below), &below, package, is_complete);
        }
    }
    let mut notes = writer.notes;
    notes.extend(log.unreadable.into_iter().map(|(path, error)| PackageNote::Unreadable { path, error }));
    notes
}

/// The same path for the same file.
fn real(path: PathBuf) -> PathBuf {
    fs::canonicalize(&path).unwrap_or(path)
}

/// Writes the files of packages.
struct Writer<'a> {
    journal: &'a JournalWriter,
    log: &'a CropLog,
    job: &'a ExportJob,
    /// Prepared when first needed.
    originals: Option<Originals>,
    cancel: &'a CancelToken,
    notes: Vec<PackageNote>,
}

impl Writer<'_> {
    fn write_folder(&mut self, gathered: &Gathered, below: &Path, spec: &FolderPackage, is_complete: bool) {
        let package = Package { title: title_of(below), crops: gathered.crops.clone() };
        let count = package.crops.len();
        let mut index = None;
        for format in &spec.indexes {
            let content = match format {
                IndexFormat::Csv => csv_index(&package),
                IndexFormat::Pspa => {
                    let (content, found) = pspa_index(&package);
                    self.note_some(found.not_ascii, |crops| PackageNote::NotAscii { crops });
                    self.note_some(found.without_folder, |crops| PackageNote::NoImageFolder { crops });
                    content
                }
            };
            let fill = &mut |file: &mut fs::File| std::io::Write::write_all(file, &content);
            self.write(below, format.file_name(), count, fill);
            index.get_or_insert((format.file_name(), content));
        }
        self.note_some(gathered.changed, |crops| PackageNote::Changed { crops });
        self.note_some(gathered.unrecorded, |photos| PackageNote::Unrecorded { photos });
        if !(spec.zip || spec.pdf || spec.html) {
            return;
        }
        if !is_complete || self.cancel.is_cancelled() {
            self.notes.push(PackageNote::OnlyIndex);
            return;
        }
        if spec.pdf || spec.html {
            self.write_sheets(&package, below, spec);
        }
        if spec.zip {
            let cancel = self.cancel;
            let index = index.as_ref().map(|(name, content)| (*name, &content[..]));
            let fill = &mut |file: &mut fs::File| write_zip(&package, index, file, cancel);
            self.write(below, &zip_name(&package.title), count, fill);
        }
    }

    fn write_sheets(&mut self, package: &Package, below: &Path, spec: &FolderPackage) {
        let (cancel, count) = (self.cancel, package.crops.len());
        let mut sheets = Ok((None, package::SheetNotes::default()));
        if spec.html {
            let fill = &mut |file: &mut fs::File| {
                let mut out = std::io::BufWriter::new(file);
                let (pdf, notes) = write_contact_sheets(package, Some(&mut out), spec.pdf, cancel)?;
                std::io::Write::flush(&mut out)?;
                sheets = Ok((pdf, notes));
                Ok(())
            };
            if !self.write(below, HTML_NAME, count, fill) {
                return;
            }
        } else {
            sheets = write_contact_sheets(package, None, true, cancel);
        }
        match sheets {
            Ok((pdf, found)) => {
                if let Some(pdf) = pdf {
                    let fill = &mut |file: &mut fs::File| std::io::Write::write_all(file, &pdf);
                    self.write(below, PDF_NAME, count, fill);
                }
                self.note_some(found.without_picture, |crops| PackageNote::NoPicture { crops });
                if !found.undrawn.is_empty() {
                    self.notes.push(PackageNote::Undrawn { names: found.undrawn });
                }
            }
            // Without a web page, only cancelling ends it.
            Err(_) => self.notes.push(PackageNote::OnlyIndex),
        }
    }

    fn note_some(&mut self, count: usize, note: impl FnOnce(usize) -> PackageNote) {
        if count > 0 {
            self.notes.push(note(count));
        }
    }

    /// Writes a file named `name` in `below`, and notes it. Returns true if it was written.
    fn write(
        &mut self,
        below: &Path,
        name: &str,
        crops: usize,
        fill: &mut dyn FnMut(&mut fs::File) -> std::io::Result<()>,
    ) -> bool {
        let usual = below.join(name);
        let Some((path, replace)) = self.free_or_own(&usual) else {
            self.notes.push(PackageNote::Failed(EncodeError::FileExists { path: usual }));
            return false;
        };
        let written = self.journal.write_package_file(&path, replace, fill);
        let is_written = written.is_ok();
        match written {
            Ok(written) => {
                self.notes.push(PackageNote::Written { path: written.path, crops });
                if path != usual {
                    self.notes.push(PackageNote::OtherName { taken: usual, path });
                }
            }
            Err(_) if self.cancel.is_cancelled() => self.notes.push(PackageNote::OnlyIndex),
            Err(error) => self.notes.push(PackageNote::Failed(error)),
        }
        is_written
    }

    /// The first name for `usual` that is free or a file of this program, and true if that is replaced.
    fn free_or_own(&mut self, usual: &Path) -> Option<(PathBuf, bool)> {
        let stem = usual.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let extension = usual.extension().unwrap_or_default().to_string_lossy().into_owned();
        let numbered = |number: usize| match number {
            1 => usual.to_owned(),
            _ => usual.with_file_name(format!("{stem} ({number}).{extension}")),
        };
        (1..=MAX_NUMBER).map(numbered).find_map(|path| match fs::symlink_metadata(&path) {
            Err(_) => Some((path, false)),
            Ok(metadata) => (metadata.is_file() && self.is_own(&path, metadata.len())).then_some((path, true)),
        })
    }

    /// True if the file at `path` is one that this program has written for a package, unchanged, and no input of this run.
    fn is_own(&mut self, path: &Path, bytes: u64) -> bool {
        let written = self.log.packages.get(&StoredPath::inside(path, self.journal.output()));
        let mut same: Vec<&FileEntry> = written.into_iter().flatten().filter(|file| file.bytes == bytes).collect();
        if same.is_empty() {
            return false;
        }
        let digest = file_digest(path).unwrap_or_default();
        same.retain(|file| file.sha256 == digest);
        !same.is_empty()
            && !self.originals.get_or_insert_with(|| Originals::of(self.job.all_originals())).contains(path)
    }
}
