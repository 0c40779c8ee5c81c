//! Converts projects to TOML, one line per value, and back.
//!
//! Strict about the layout and lenient about values: a file without the layout of a project is rejected with a reason, an
//! invalid number is replaced by its default, and a photo with invalid edits is kept without them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use naming::ListSpec;
use recipe::PhotoEdits;

use super::blocks::{Fault, Parsed};
use super::form::ProjectForm;
use super::paths::StoredPath;
use super::{FileMark, Project, ProjectPhoto, blocks, paths};
use crate::settings::Settings;

/// The format version of the file; raised when an older program would misread it.
pub(super) const VERSION: i64 = 2;

/// Maximum number of photos in a project.
const MAX_PHOTOS: usize = 1_000_000;

/// Why a text cannot be read as a project.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReadError {
    Newer(i64),
    NotUnderstood(ProjectForm),
}

impl From<toml::de::Error> for ReadError {
    fn from(error: toml::de::Error) -> Self {
        Self::NotUnderstood(ProjectForm::Toml(single_line(&error)))
    }
}

fn single_line(error: &toml::de::Error) -> String {
    error.message().split_whitespace().collect::<Vec<_>>().join(" ")
}

impl From<Fault> for ReadError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Toml(Some(line), error) => {
                Self::NotUnderstood(ProjectForm::Line { line, reason: single_line(&error) })
            }
            Fault::Toml(None, error) => error.into(),
            Fault::TooLong => Self::NotUnderstood(ProjectForm::TooLong),
        }
    }
}

/// A photo as stored in the file.
#[derive(Deserialize)]
struct PhotoEntry {
    path: Option<String>,
    escaped_path: Option<String>,
    bytes: Option<Value>,
    modified: Option<Value>,
    edits: Option<Value>,
}

/// The text of `project` for a file in `folder`. `folder` and the photos' paths are absolute.
pub(super) fn write(project: &Project, folder: &Path) -> Result<String, toml::ser::Error> {
    let mut text = String::from(
        "# A project of Iron Cropper: photos, the edits to each, and the settings of their crops.\n# Paths are relative to the folder of this file if they share a folder with it. Unknown entries are ignored.\n",
    );
    // Writing to a string cannot fail.
    let _ = writeln!(text, "version = {VERSION}");
    let mut head = Table::new();
    put_path(&mut head, "saved_in", "escaped_saved_in", &absolute(folder));
    if let Some(state_of) = &project.state_of {
        put_path(&mut head, "state_of", "escaped_state_of", &absolute(state_of));
    }
    if let Some(preset) = &project.preset {
        head.insert("preset".to_owned(), preset.as_str().into());
    }
    let roots: Vec<StoredPath> = project.roots.iter().map(|root| paths::written(root, folder)).collect();
    // A folder whose name is not valid Unicode is omitted: its photos are then in no subfolder.
    let roots = roots.into_iter().filter_map(|root| match root {
        StoredPath::Text(text) => Some(Value::String(text)),
        StoredPath::Escaped(_) => None,
    });
    let roots: Vec<Value> = roots.collect();
    if !roots.is_empty() {
        head.insert("roots".to_owned(), Value::Array(roots));
    }
    write_lines(&mut text, "", &head);
    text.push_str("\n[settings]\n");
    write_lines(&mut text, "", &settings_table(&project.settings, folder)?);
    for photo in &project.photos {
        let mut entry = Table::new();
        put_path(&mut entry, "path", "escaped_path", &paths::written(&photo.path, folder));
        if let Some(mark) = photo.mark {
            let number = |number: u64| Value::Integer(i64::try_from(number).unwrap_or(i64::MAX));
            entry.insert("bytes".to_owned(), number(mark.bytes));
            entry.extend(mark.modified.map(|modified| ("modified".to_owned(), number(modified))));
        }
        let edits = Table::try_from(&photo.edits)?;
        if !edits.is_empty() {
            entry.insert("edits".to_owned(), Value::Table(edits));
        }
        text.push_str("\n[[photos]]\n");
        write_lines(&mut text, "", &entry);
    }
    Ok(text)
}

/// Invalid parts that were skipped.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Skipped {
    /// Names of settings.
    pub(super) settings: Vec<String>,
    /// Number of photos whose edits were skipped.
    pub(super) photos: usize,
    /// The path of the name list before the project was moved.
    pub(super) previous_list: Option<PathBuf>,
}

/// Parses `text`, the content of a file in `folder`.
pub(super) fn read(text: &str, folder: &Path) -> Result<(Project, Skipped), ReadError> {
    let Parsed { head: mut table, photos } = blocks::parsed(text)?;
    match table.get("version").and_then(Value::as_integer) {
        Some(version) if version > VERSION => return Err(ReadError::Newer(version)),
        Some(1..) => {}
        _ => return Err(ReadError::NotUnderstood(ProjectForm::NoLayout)),
    }
    let saved_in = taken_path(&table, "saved_in", "escaped_saved_in").map(|written| paths::read(&written, folder));
    let mut project = Project {
        settings: Settings::default(),
        preset: table.get("preset").and_then(Value::as_str).map(ToOwned::to_owned),
        roots: roots_of(&table, folder),
        photos: Vec::new(),
        state_of: taken_path(&table, "state_of", "escaped_state_of").map(|written| paths::read(&written, folder)),
    };
    let mut skipped = Skipped::default();
    if let Some(settings) = table.remove("settings") {
        let Value::Table(settings) = settings else {
            return Err(ReadError::NotUnderstood(ProjectForm::Settings));
        };
        let mut settings = settings_of(settings, &mut skipped.settings);
        let as_written = Table::try_from(&settings).unwrap_or_default();
        settings.repair();
        let repaired = Table::try_from(&settings).unwrap_or_default();
        let is_project_setting = |key: &String| !Settings::NOT_IN_PROJECT.contains(&key.as_str());
        let replaced = repaired.into_iter().filter(|(key, value)| as_written.get(key) != Some(value));
        skipped.settings.extend(replaced.map(|(key, _)| key).filter(is_project_setting));
        settings.output_folder = settings.output_folder.map(|output| paths::without_dots(&folder.join(output)));
        if let Some(list) = &mut settings.names.list {
            let stored = std::mem::take(&mut list.file);
            skipped.previous_list = saved_in.as_ref().map(|saved_in| paths::without_dots(&saved_in.join(&stored)));
            list.file = paths::without_dots(&folder.join(stored));
        }
        project.settings = Settings::default().with_project_settings_of(&settings);
    }
    let Some(photos) = photos else { return Err(ReadError::NotUnderstood(ProjectForm::Photos)) };
    if photos.len() > MAX_PHOTOS {
        return Err(ReadError::NotUnderstood(ProjectForm::TooManyPhotos { max: MAX_PHOTOS }));
    }
    photos.each(&mut |value| {
        let place = project.photos.len() + 1;
        let photo = photo_of(value, place, (folder, saved_in.as_deref()), &mut skipped.photos)?;
        project.photos.push(photo);
        Ok::<_, ReadError>(())
    })?;
    Ok((project, skipped))
}

/// A photo of a project in the folder `from.0`, which was saved in the folder `from.1`.
fn photo_of(
    value: Value,
    place: usize,
    from: (&Path, Option<&Path>),
    edits_lost: &mut usize,
) -> Result<ProjectPhoto, ReadError> {
    let (folder, saved_in) = from;
    let fault =
        |error: toml::de::Error| ReadError::NotUnderstood(ProjectForm::Photo { place, reason: single_line(&error) });
    let entry: PhotoEntry = value.try_into().map_err(fault)?;
    let is_given = |path: &String| !path.is_empty();
    let written = match (entry.escaped_path.filter(is_given), entry.path.filter(is_given)) {
        (Some(escaped), _) => StoredPath::Escaped(escaped),
        (None, Some(text)) => StoredPath::Text(text),
        (None, None) => return Err(ReadError::NotUnderstood(ProjectForm::NoPath { place })),
    };
    let path = paths::read(&written, folder);
    let previous_path =
        saved_in.map(|saved_in| paths::read(&written, saved_in)).filter(|previous_path| *previous_path != path);
    let number = |value: Option<Value>| value.as_ref().and_then(Value::as_integer)?.try_into().ok();
    let mark = number(entry.bytes).map(|bytes| FileMark { bytes, modified: number(entry.modified) });
    let edits = entry.edits.map(edits_of).unwrap_or(Some(PhotoEdits::default()));
    *edits_lost += usize::from(edits.is_none());
    Ok(ProjectPhoto { path, edits: edits.unwrap_or_default(), mark, missing: false, previous_path })
}

/// The folders that were added; entries that are not text are skipped.
fn roots_of(table: &Table, folder: &Path) -> Vec<PathBuf> {
    let roots = table.get("roots").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    roots.map(|root| paths::read(&StoredPath::Text(root.to_owned()), folder)).collect()
}

/// True for the text of a project of any version; photos are not checked.
pub(super) fn is_project_text(text: &str) -> bool {
    blocks::parsed(text).is_ok_and(|parsed| parsed.head.get("version").is_some_and(Value::is_integer))
}

/// Parses each setting individually: a setting with a value unknown to this version gets its default.
fn settings_of(mut table: Table, skipped: &mut Vec<String>) -> Settings {
    table.retain(|key, value| {
        let alone = Table::from_iter([(key.to_owned(), value.clone())]);
        let is_understood = alone.try_into::<Settings>().is_ok();
        if !is_understood {
            skipped.push(key.to_owned());
        }
        is_understood
    });
    table.try_into().unwrap_or_default()
}

fn edits_of(value: Value) -> Option<PhotoEdits> {
    let mut edits: PhotoEdits = value.try_into().ok()?;
    if let Some(own) = &mut edits.overrides {
        own.crop.repair();
        if own.finish.check(own.crop.rules.as_ref()).is_err() {
            own.finish = Default::default();
        }
    }
    Some(edits)
}

/// The settings that are stored in a project, with the output folder and the name list relative to `folder`.
fn settings_table(settings: &Settings, folder: &Path) -> Result<Table, toml::ser::Error> {
    let mut work = Settings::default().with_project_settings_of(settings);
    let output = work.output_folder.take().map(|output| paths::written(&output, folder));
    // A folder that is not valid Unicode cannot be stored as a setting; it has to be chosen again.
    work.output_folder =
        output.and_then(|written| if let StoredPath::Text(text) = written { Some(text.into()) } else { None });
    // The same applies to the list.
    work.names.list = work.names.list.and_then(|list| match paths::written(&list.file, folder) {
        StoredPath::Text(text) => Some(ListSpec { file: text.into(), ..list }),
        StoredPath::Escaped(_) => None,
    });
    let mut table = Table::try_from(&work)?;
    Settings::NOT_IN_PROJECT.iter().for_each(|key| _ = table.remove(*key));
    Ok(table)
}

/// The stored form of an absolute path.
fn absolute(path: &Path) -> StoredPath {
    paths::written(path, Path::new(""))
}

fn put_path(table: &mut Table, key: &str, escaped_key: &str, written: &StoredPath) {
    let (key, text) = match written {
        StoredPath::Text(text) => (key, text),
        StoredPath::Escaped(text) => (escaped_key, text),
    };
    table.insert(key.to_owned(), text.as_str().into());
}

fn taken_path(table: &Table, key: &str, escaped_key: &str) -> Option<StoredPath> {
    let text = |key: &str| table.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
    text(escaped_key).map(StoredPath::Escaped).or_else(|| text(key).map(StoredPath::Text))
}

/// Writes one line per value, with dotted keys for tables, so that changing one value changes one line.
fn write_lines(text: &mut String, before: &str, table: &Table) {
    for (key, value) in table {
        match value {
            Value::Table(inner) if !inner.is_empty() => write_lines(text, &format!("{before}{key}."), inner),
            value => {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{before}{key} = {}", shortest_f32(value.clone()));
            }
        }
    }
}

/// Shortens numbers that were `f32` to the digits of an `f32`.
fn shortest_f32(value: Value) -> Value {
    match value {
        Value::Float(number) if f64::from(number as f32) == number => {
            Value::Float((number as f32).to_string().parse().unwrap_or(number))
        }
        Value::Array(values) => Value::Array(values.into_iter().map(shortest_f32).collect()),
        Value::Table(table) => Value::Table(table.into_iter().map(|(key, value)| (key, shortest_f32(value))).collect()),
        other => other,
    }
}

/// `path` made absolute, relative to the current folder.
pub(super) fn made_absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
