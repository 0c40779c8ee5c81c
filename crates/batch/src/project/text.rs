//! A project as text, TOML with one line a value, and text as a project.
//!
//! Strict about the whole, lenient about parts: a file that is not laid out as a project is refused in words, while a number
//! that cannot be worked with is replaced, and a photo whose decisions cannot be understood is kept without them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use recipe::PhotoEdits;

use super::blocks::{Fault, Parsed};
use super::form::ProjectForm;
use super::paths::Written;
use super::{FileMark, Project, ProjectPhoto, blocks, paths};
use crate::settings::Settings;

/// The layout of the file; raised when an older program would misread it.
pub(super) const VERSION: i64 = 2;

/// Most photos of a project; more than a list can show in reason.
const MAX_PHOTOS: usize = 1_000_000;

/// Why a text is no project.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Newer(i64),
    NotUnderstood(ProjectForm),
}

impl From<toml::de::Error> for Refusal {
    fn from(error: toml::de::Error) -> Self {
        Self::NotUnderstood(ProjectForm::Toml(in_one_line(&error)))
    }
}

fn in_one_line(error: &toml::de::Error) -> String {
    error.message().split_whitespace().collect::<Vec<_>>().join(" ")
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Toml(Some(line), error) => {
                Self::NotUnderstood(ProjectForm::Line { line, reason: in_one_line(&error) })
            }
            Fault::Toml(None, error) => error.into(),
            Fault::TooLong => Self::NotUnderstood(ProjectForm::TooLong),
        }
    }
}

/// A photo as it stands in the file.
#[derive(Deserialize)]
struct PhotoEntry {
    path: Option<String>,
    escaped_path: Option<String>,
    bytes: Option<Value>,
    modified: Option<Value>,
    edits: Option<Value>,
}

/// The text of `project` for a file in `folder`, which is absolute as its photos' paths are.
pub(super) fn write(project: &Project, folder: &Path) -> Result<String, toml::ser::Error> {
    let mut text = String::from(
        "# A project of Iron Cropper: photos, what was decided about each, and the settings of their crops.\n\
         # Paths are told from the folder of this file where they share one with it. Unknown entries are passed over.\n",
    );
    // Writing into text cannot fail.
    let _ = writeln!(text, "version = {VERSION}");
    let mut head = Table::new();
    put_path(&mut head, "saved_in", "escaped_saved_in", &absolute(folder));
    if let Some(state_of) = &project.state_of {
        put_path(&mut head, "state_of", "escaped_state_of", &absolute(state_of));
    }
    if let Some(preset) = &project.preset {
        head.insert("preset".to_owned(), preset.as_str().into());
    }
    lines(&mut text, "", &head);
    text.push_str("\n[settings]\n");
    lines(&mut text, "", &settings_table(&project.settings, folder)?);
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
        lines(&mut text, "", &entry);
    }
    Ok(text)
}

/// What could not be understood and was left out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Lost {
    /// The names of settings.
    pub(super) settings: Vec<String>,
    /// Photos without what was decided about them.
    pub(super) photos: usize,
}

/// What `text`, from a file in `folder`, holds.
pub(super) fn read(text: &str, folder: &Path) -> Result<(Project, Lost), Refusal> {
    let Parsed { head: mut table, photos } = blocks::parsed(text)?;
    match table.get("version").and_then(Value::as_integer) {
        Some(version) if version > VERSION => return Err(Refusal::Newer(version)),
        Some(1..) => {}
        _ => return Err(Refusal::NotUnderstood(ProjectForm::NoLayout)),
    }
    let saved_in = taken_path(&table, "saved_in", "escaped_saved_in").map(|written| paths::read(&written, folder));
    let mut project = Project {
        settings: Settings::default(),
        preset: table.get("preset").and_then(Value::as_str).map(ToOwned::to_owned),
        photos: Vec::new(),
        state_of: taken_path(&table, "state_of", "escaped_state_of").map(|written| paths::read(&written, folder)),
    };
    let mut lost = Lost::default();
    if let Some(settings) = table.remove("settings") {
        let Value::Table(settings) = settings else {
            return Err(Refusal::NotUnderstood(ProjectForm::Settings));
        };
        let mut settings = settings_of(settings, &mut lost.settings);
        let as_written = Table::try_from(&settings).unwrap_or_default();
        settings.repair();
        let repaired = Table::try_from(&settings).unwrap_or_default();
        let is_work = |key: &String| !Settings::NOT_WORK.contains(&key.as_str());
        let replaced = repaired.into_iter().filter(|(key, value)| as_written.get(key) != Some(value));
        lost.settings.extend(replaced.map(|(key, _)| key).filter(is_work));
        settings.output_folder = settings.output_folder.map(|output| paths::without_dots(&folder.join(output)));
        project.settings = Settings::default().with_work_of(&settings);
    }
    let Some(photos) = photos else { return Err(Refusal::NotUnderstood(ProjectForm::Photos)) };
    if photos.len() > MAX_PHOTOS {
        return Err(Refusal::NotUnderstood(ProjectForm::TooManyPhotos { max: MAX_PHOTOS }));
    }
    photos.each(&mut |value| {
        let place = project.photos.len() + 1;
        let photo = photo_of(value, place, (folder, saved_in.as_deref()), &mut lost.photos)?;
        project.photos.push(photo);
        Ok::<_, Refusal>(())
    })?;
    Ok((project, lost))
}

/// A photo of a project in the folder `from.0`, which was written in the folder `from.1`.
fn photo_of(
    value: Value,
    place: usize,
    from: (&Path, Option<&Path>),
    edits_lost: &mut usize,
) -> Result<ProjectPhoto, Refusal> {
    let (folder, saved_in) = from;
    let fault =
        |error: toml::de::Error| Refusal::NotUnderstood(ProjectForm::Photo { place, reason: in_one_line(&error) });
    let entry: PhotoEntry = value.try_into().map_err(fault)?;
    let is_said = |path: &String| !path.is_empty();
    let written = match (entry.escaped_path.filter(is_said), entry.path.filter(is_said)) {
        (Some(escaped), _) => Written::Escaped(escaped),
        (None, Some(text)) => Written::Text(text),
        (None, None) => return Err(Refusal::NotUnderstood(ProjectForm::NoPath { place })),
    };
    let path = paths::read(&written, folder);
    let was_at = saved_in.map(|saved_in| paths::read(&written, saved_in)).filter(|was_at| *was_at != path);
    let number = |value: Option<Value>| value.as_ref().and_then(Value::as_integer)?.try_into().ok();
    let mark = number(entry.bytes).map(|bytes| FileMark { bytes, modified: number(entry.modified) });
    let edits = entry.edits.map(edits_of).unwrap_or(Some(PhotoEdits::default()));
    *edits_lost += usize::from(edits.is_none());
    Ok(ProjectPhoto { path, edits: edits.unwrap_or_default(), mark, missing: false, was_at })
}

/// True for a text that is a project of this or another version, without looking at its photos.
pub(super) fn is_sound(text: &str) -> bool {
    blocks::parsed(text).is_ok_and(|parsed| parsed.head.get("version").is_some_and(Value::is_integer))
}

/// Each setting by itself: one that a newer program knows more of takes its default.
fn settings_of(mut table: Table, lost: &mut Vec<String>) -> Settings {
    table.retain(|key, value| {
        let alone = Table::from_iter([(key.to_owned(), value.clone())]);
        let is_understood = alone.try_into::<Settings>().is_ok();
        if !is_understood {
            lost.push(key.to_owned());
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

/// The settings that are part of the work, the output folder told from `folder`.
fn settings_table(settings: &Settings, folder: &Path) -> Result<Table, toml::ser::Error> {
    let mut work = Settings::default().with_work_of(settings);
    let output = work.output_folder.take().map(|output| paths::written(&output, folder));
    // A folder whose name is no text has no form as a setting; it is chosen again.
    work.output_folder =
        output.and_then(|written| if let Written::Text(text) = written { Some(text.into()) } else { None });
    let mut table = Table::try_from(&work)?;
    Settings::NOT_WORK.iter().for_each(|key| _ = table.remove(*key));
    Ok(table)
}

/// A path that may be relative to wherever the program was started, as it stands in the file.
fn absolute(path: &Path) -> Written {
    paths::written(path, Path::new(""))
}

fn put_path(table: &mut Table, key: &str, escaped_key: &str, written: &Written) {
    let (key, text) = match written {
        Written::Text(text) => (key, text),
        Written::Escaped(text) => (escaped_key, text),
    };
    table.insert(key.to_owned(), text.as_str().into());
}

fn taken_path(table: &Table, key: &str, escaped_key: &str) -> Option<Written> {
    let text = |key: &str| table.get(key).and_then(Value::as_str).map(ToOwned::to_owned);
    text(escaped_key).map(Written::Escaped).or_else(|| text(key).map(Written::Text))
}

/// One line a value, tables by dotted keys: a change of one thing is a change of one line.
fn lines(text: &mut String, before: &str, table: &Table) {
    for (key, value) in table {
        match value {
            Value::Table(inner) if !inner.is_empty() => lines(text, &format!("{before}{key}."), inner),
            value => {
                // Writing into text cannot fail.
                let _ = writeln!(text, "{before}{key} = {}", short(value.clone()));
            }
        }
    }
}

/// Numbers that were `f32` with the digits an `f32` has.
fn short(value: Value) -> Value {
    match value {
        Value::Float(number) if f64::from(number as f32) == number => {
            Value::Float((number as f32).to_string().parse().unwrap_or(number))
        }
        Value::Array(values) => Value::Array(values.into_iter().map(short).collect()),
        Value::Table(table) => Value::Table(table.into_iter().map(|(key, value)| (key, short(value))).collect()),
        other => other,
    }
}

/// A path as it is, absolute by the folder the program was started in where it was not.
pub(super) fn made_absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
