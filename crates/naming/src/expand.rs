//! From a template and what is known of a crop to its name.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use geometry::Size;

use super::field::Field;
use super::safe::{MAX_NAME_BYTES, portable, shortened};
use super::template::Part;
use super::{Moment, NameTemplate};

/// Bytes kept free at the end of a name that carries a number, for an extension and a suffix, so that neither ever eats into
/// the number.
const ROOM_AT_END: usize = ".jpeg".len() + " (9999)".len();

/// What is known of a photo's crops' names before it is looked at.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PhotoName {
    /// Its place in the list, from 1.
    pub place: usize,
    /// The folder below the output folder its crops go to, relative; empty for the output folder itself.
    pub folder: PathBuf,
    /// The name a list gives it.
    pub listed: Option<String>,
    /// The cells of its row in the list, by heading.
    pub columns: BTreeMap<String, String>,
    /// The name of the preset it is cropped with.
    pub preset: String,
}

/// What is known of a crop once it is planned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CropFacts {
    /// Its number among the photo's crops, from 1, left to right.
    pub number: usize,
    /// True where the photo gives several crops.
    pub several: bool,
    /// Its size.
    pub size: Size,
    /// The detector's confidence in the face, 0 to 1.
    pub score: f32,
    /// How good a portrait it is, 0 to 1.
    pub quality: f32,
    /// When the photo was taken, where it says so.
    pub taken: Option<Moment>,
}

/// Where a file goes: a folder below the output folder, and a name without extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputName {
    /// The folder, relative; empty for the output folder itself.
    pub folder: PathBuf,
    /// The name without its extension.
    pub stem: OsString,
}

impl From<OsString> for OutputName {
    fn from(stem: OsString) -> Self {
        Self { folder: PathBuf::new(), stem }
    }
}

/// A piece of one level, and whether it may be cut where the name is too long.
struct Piece {
    text: OsString,
    may_be_cut: bool,
}

impl NameTemplate {
    /// The name of a crop of `source`.
    ///
    /// What fields come to never leads into another folder. Names that are the photo's own alone stay as they are, all others
    /// are such that every system takes them.
    pub fn name(&self, source: &Path, photo: &PhotoName, crop: &CropFacts) -> OutputName {
        let number = (crop.several && !self.has_face()).then_some(crop.number);
        if self.is_default() && photo.listed.is_none() {
            return OutputName { folder: photo.folder.clone(), stem: output_stem(source, number) };
        }
        let own = source.file_stem().unwrap_or(OsStr::new("crop"));
        let levels = self
            .levels
            .iter()
            .map(|level| level.iter().map(|part| piece(part, source, own, photo, crop)).collect::<Vec<Piece>>());
        let mut levels: Vec<Vec<Piece>> = levels.collect();
        let mut last = levels.pop().unwrap_or_default();
        if last.iter().all(|piece| piece.text.to_string_lossy().trim().is_empty()) {
            last = vec![Piece { text: own.to_owned(), may_be_cut: true }];
        }
        last.extend(number.map(|number| Piece { text: end_of(number).into(), may_be_cut: false }));
        let mut folder = photo.folder.clone();
        for level in levels {
            let level = fitted(level, MAX_NAME_BYTES);
            if !level.is_empty() {
                folder.push(level);
            }
        }
        OutputName { folder, stem: fitted(last, MAX_NAME_BYTES - ROOM_AT_END) }
    }
}

/// The name of a crop of `source` without its extension: the photo's own, followed by `_face2` where `face` (counted
/// from 1, left to right) says which of several it is.
///
/// Bytes that are no text are kept. A name too long to be numbered is cut between two characters.
pub fn output_stem(source: &Path, face: Option<usize>) -> OsString {
    let stem = source.file_stem().unwrap_or(OsStr::new("crop"));
    let Some(number) = face.map(end_of) else { return stem.to_owned() };
    let mut name = shortened(stem, MAX_NAME_BYTES - ROOM_AT_END - number.len());
    name.push(number);
    name
}

fn end_of(number: usize) -> String {
    format!("_face{number}")
}

/// The pieces in one, safe everywhere; where that is too long the longest of those that may be cut is.
fn fitted(mut pieces: Vec<Piece>, max_bytes: usize) -> OsString {
    loop {
        let whole: OsString = pieces.iter().map(|piece| piece.text.as_os_str()).collect();
        // Room at the ends is what is left where a field came to nothing.
        let whole = portable(whole.to_str().map_or(whole.as_os_str(), |text| OsStr::new(text.trim())));
        let longest = pieces.iter_mut().filter(|piece| piece.may_be_cut).max_by_key(|piece| piece.text.len());
        match longest.filter(|piece| whole.len() > max_bytes && piece.text.len() > 1) {
            Some(piece) => {
                let excess = (whole.len() - max_bytes).min(piece.text.len() - 1);
                piece.text = shortened(&piece.text, piece.text.len() - excess);
            }
            // What is left is what the template itself says, and is cut at its end.
            None => return shortened(&whole, max_bytes),
        }
    }
}

fn piece(part: &Part, source: &Path, own: &OsStr, photo: &PhotoName, crop: &CropFacts) -> Piece {
    let field = match part {
        Part::Text(text) => return Piece { text: text.into(), may_be_cut: false },
        Part::Field(field) => field,
    };
    let fixed = |text: String| Piece { text: text.into(), may_be_cut: false };
    let free = |text: OsString| Piece { text, may_be_cut: true };
    let percent = |share: f32| format!("{:.0}", if share.is_finite() { share.clamp(0.0, 1.0) * 100.0 } else { 0.0 });
    match field {
        Field::Stem => free(own.to_owned()),
        Field::Name => free(photo.listed.as_ref().map_or_else(|| own.to_owned(), OsString::from)),
        Field::Folder => free(folder_of(source)),
        Field::Index { digits } => fixed(format!("{:0digits$}", photo.place)),
        Field::Face { digits } => fixed(format!("{:0digits$}", crop.number)),
        Field::Preset => free(photo.preset.clone().into()),
        Field::Size => fixed(format!("{}x{}", crop.size.width, crop.size.height)),
        Field::Width => fixed(crop.size.width.to_string()),
        Field::Height => fixed(crop.size.height.to_string()),
        Field::Date { format, missing } => {
            fixed(crop.taken.map_or_else(|| missing.clone(), |taken| taken.written(format)))
        }
        Field::Score => fixed(percent(crop.score)),
        Field::Quality => fixed(percent(crop.quality)),
        Field::Column { name, missing } => {
            let cell = photo.columns.iter().find(|(heading, _)| NameTemplate::is_column(name, heading));
            let cell = cell.map(|(_, cell)| cell.trim()).filter(|cell| !cell.is_empty());
            free(cell.unwrap_or(missing).into())
        }
    }
}

/// The name of the folder that `source` lies in; empty at the root of a disk.
fn folder_of(source: &Path) -> OsString {
    let whole = std::path::absolute(source).unwrap_or_else(|_| source.to_owned());
    let name = whole.parent().and_then(Path::file_name);
    name.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
