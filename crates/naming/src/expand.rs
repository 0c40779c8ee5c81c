//! Expands a template to the name of a crop.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use geometry::Size;
use outcome::Moment;

use super::ascii::with_plain_letters;
use super::field::Field;
use super::safe::{MAX_NAME_BYTES, portable, shortened};
use super::template::Part;
use super::{Characters, NameTemplate, moment};

/// Bytes reserved at the end of a name for the extension and a number, so that adding them never truncates the face number.
const RESERVED_BYTES: usize = ".jpeg".len() + " (9999)".len();

/// The facts for a photo's crop names that are known before it is decoded.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PhotoName {
    /// The photo's position in the list, from 1.
    pub place: usize,
    /// The folder of its crops, relative to the output folder; empty for the output folder itself.
    pub folder: PathBuf,
    /// The name from the name list, from a card or typed by the user.
    pub listed: Option<String>,
    /// True if `listed` was typed by the user. It is then the whole file name if the template does not contain `{name}`.
    pub is_typed: bool,
    /// The cells of its row in the name list, each with its heading, in the order of the list.
    pub columns: Vec<(String, String)>,
    /// The name of the preset it is cropped with.
    pub preset: String,
}

/// The facts about a planned crop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CropFacts {
    /// Its number among the photo's crops, from 1, left to right.
    pub number: usize,
    /// True if the photo has several crops.
    pub several: bool,
    /// Its size in pixels.
    pub size: Size,
    /// The detection score of the face, 0 to 1.
    pub score: f32,
    /// The portrait quality, 0 to 1.
    pub quality: f32,
    /// When the photo was taken, if its metadata has a date.
    pub taken: Option<Moment>,
}

/// The destination of an output file: a folder and a name without extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputName {
    /// Relative to the output folder; empty for the output folder itself.
    pub folder: PathBuf,
    /// File name without extension.
    pub stem: OsString,
}

impl From<OsString> for OutputName {
    fn from(stem: OsString) -> Self {
        Self { folder: PathBuf::new(), stem }
    }
}

/// The text of one template part.
struct Piece {
    text: OsString,
    /// True if it may be truncated when the name is too long.
    may_be_cut: bool,
    is_field: bool,
}

impl Piece {
    fn text(text: OsString) -> Self {
        Self { text, may_be_cut: false, is_field: false }
    }
}

impl NameTemplate {
    /// The name of a crop of `source`.
    ///
    /// Field values never add or leave a folder. A name that is just the photo's own name is unchanged; all others are made
    /// valid on every system. If no field of the file name has a value, it is the photo's own name.
    pub fn name(&self, source: &Path, photo: &PhotoName, crop: &CropFacts) -> OutputName {
        let typed = photo.listed.as_ref().filter(|_| photo.is_typed && !self.uses_name());
        let number = (crop.several && (typed.is_some() || !self.has_face())).then_some(crop.number);
        if self.is_default() && photo.listed.is_none() && self.characters == Characters::Portable {
            return OutputName { folder: photo.folder.clone(), stem: output_stem(source, number) };
        }
        let own = source.file_stem().unwrap_or(OsStr::new("crop"));
        let levels = self
            .levels
            .iter()
            .map(|level| level.iter().map(|part| piece(part, source, own, photo, crop)).collect::<Vec<Piece>>());
        let mut levels: Vec<Vec<Piece>> = levels.collect();
        let mut last = levels.pop().unwrap_or_default();
        let whole = |text: &OsStr| vec![Piece { text: text.to_owned(), may_be_cut: true, is_field: true }];
        if let Some(typed) = typed {
            last = whole(OsStr::new(typed));
        }
        let is_empty = |piece: &Piece| piece.text.to_string_lossy().trim().is_empty();
        let mut fields = last.iter().filter(|piece| piece.is_field).peekable();
        if last.iter().all(is_empty) || (fields.peek().is_some() && fields.all(is_empty)) {
            last = whole(own);
        }
        last.extend(number.map(|number| Piece::text(face_suffix(number).into())));
        let mut folder = self.characters.apply_to_folder(&photo.folder);
        for level in levels {
            let level = join_pieces(level, self.characters, MAX_NAME_BYTES);
            if !level.is_empty() {
                folder.push(level);
            }
        }
        OutputName { folder, stem: join_pieces(last, self.characters, MAX_NAME_BYTES - RESERVED_BYTES) }
    }

    /// True if the file name consists of fields of the name list and none of them has a value for this photo, so that the
    /// photo's own name is used.
    pub fn lacks_values(&self, photo: &PhotoName) -> bool {
        let last = self.levels.last().into_iter().flatten();
        let mut fields = last.filter_map(|part| match part {
            Part::Field(field) => Some(field),
            Part::Text(_) => None,
        });
        let is_empty = |field: &Field| match field {
            Field::Name => photo.listed.is_none(),
            Field::Column { name, missing } => missing.trim().is_empty() && cell_of(photo, name).is_none(),
            _ => false,
        };
        let is_typed = photo.is_typed && photo.listed.is_some();
        !is_typed && fields.clone().next().is_some() && fields.all(is_empty)
    }
}

/// The name of a crop of `source` without its extension: the photo's own stem, followed by `_face2` if `face` (counted from
/// 1, left to right) is given.
///
/// Invalid UTF-8 is kept. A name too long to be numbered is truncated at a character boundary.
pub fn output_stem(source: &Path, face: Option<usize>) -> OsString {
    let stem = source.file_stem().unwrap_or(OsStr::new("crop"));
    let Some(number) = face.map(face_suffix) else { return stem.to_owned() };
    let mut name = shortened(stem, MAX_NAME_BYTES - RESERVED_BYTES - number.len());
    name.push(number);
    name
}

fn face_suffix(number: usize) -> String {
    format!("_face{number}")
}

/// Joins the pieces to a portable name; if it is too long, the longest piece that may be cut is truncated first.
fn join_pieces(mut pieces: Vec<Piece>, characters: Characters, max_bytes: usize) -> OsString {
    if characters == Characters::Ascii {
        // Transliterated now, so that lengths agree with those of the name.
        pieces.iter_mut().for_each(|piece| piece.text = with_plain_letters(&piece.text.to_string_lossy()).into());
    }
    loop {
        let whole: OsString = pieces.iter().map(|piece| piece.text.as_os_str()).collect();
        // Spaces at the ends are left over from empty fields.
        let whole = whole.to_str().map_or(whole.clone(), |text| text.trim().into());
        let whole = portable(&characters.apply(whole));
        let longest = pieces.iter_mut().filter(|piece| piece.may_be_cut).max_by_key(|piece| piece.text.len());
        match longest.filter(|piece| whole.len() > max_bytes && piece.text.len() > 1) {
            Some(piece) => {
                let excess = (whole.len() - max_bytes).min(piece.text.len() - 1);
                piece.text = shortened(&piece.text, piece.text.len() - excess);
            }
            // Only the template's own text is left, which is truncated at its end.
            None => return shortened(&whole, max_bytes),
        }
    }
}

fn piece(part: &Part, source: &Path, own: &OsStr, photo: &PhotoName, crop: &CropFacts) -> Piece {
    let field = match part {
        Part::Text(text) => return Piece::text(text.into()),
        Part::Field(field) => field,
    };
    let fixed = |text: String| Piece { text: text.into(), may_be_cut: false, is_field: true };
    let cuttable = |text: OsString| Piece { text, may_be_cut: true, is_field: true };
    let percent = |share: f32| format!("{:.0}", if share.is_finite() { share.clamp(0.0, 1.0) * 100.0 } else { 0.0 });
    match field {
        Field::Stem => cuttable(own.to_owned()),
        Field::Name => cuttable(photo.listed.as_ref().map_or_else(|| own.to_owned(), OsString::from)),
        Field::Folder => cuttable(folder_of(source)),
        Field::Index { digits } => fixed(format!("{:0digits$}", photo.place)),
        Field::Face { digits } => fixed(format!("{:0digits$}", crop.number)),
        Field::Preset => cuttable(photo.preset.clone().into()),
        Field::Size => fixed(format!("{}x{}", crop.size.width, crop.size.height)),
        Field::Width => fixed(crop.size.width.to_string()),
        Field::Height => fixed(crop.size.height.to_string()),
        Field::Date { format, missing } => {
            fixed(crop.taken.map_or_else(|| missing.clone(), |taken| moment::written(&taken, format)))
        }
        Field::Score => fixed(percent(crop.score)),
        Field::Quality => fixed(percent(crop.quality)),
        Field::Column { name, missing } => cuttable(cell_of(photo, name).unwrap_or(missing).into()),
    }
}

/// The cell of the photo's row in this column, unless it is empty.
fn cell_of<'a>(photo: &'a PhotoName, column: &str) -> Option<&'a str> {
    let cell = photo.columns.iter().find(|(heading, _)| NameTemplate::is_column(column, heading));
    cell.map(|(_, cell)| cell.trim()).filter(|cell| !cell.is_empty())
}

/// The name of the folder of `source`; empty at the root of a disk.
fn folder_of(source: &Path) -> OsString {
    let whole = std::path::absolute(source).unwrap_or_else(|_| source.to_owned());
    let name = whole.parent().and_then(Path::file_name);
    name.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
