//! Settings for names: plain data.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use import::{FoundIn, Roots};

use super::name_list::RequestedColumns;
use super::{NameTemplate, TemplateError, ascii};

/// How the crops of a list of photos are named.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct NamesSpec {
    /// The text of a [`NameTemplate`]; empty for the default one.
    pub template: String,
    /// The folders of the crops.
    pub folders: Folders,
    /// The characters of the names.
    pub characters: Characters,
    /// Whether the cards that photos show are read: they name the photos.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cards: bool,
    /// The name list, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list: Option<ListSpec>,
}

/// A name list and its use.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ListSpec {
    /// The file: a text table or a workbook.
    pub file: PathBuf,
    /// The sheet of a workbook, by name or by number from 1; `None` for the first sheet with a column that matches a photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The column of the photos' file names, by heading or by number from 1; `None` to detect it. Likewise the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The column of the crops' names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The column of presets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// The column with the texts of cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// What happens to photos that are not in the list.
    pub missing: Missing,
}

/// Folders of the crops in the output folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Folders {
    /// All into the output folder.
    #[default]
    Flatten,
    /// Into folders like those of the photos.
    Mirror,
}

/// The characters that names may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Characters {
    /// All that are valid on every system.
    #[default]
    Portable,
    /// A-Z, a-z, 0-9, `_` and `-`: letters are transliterated, everything else is replaced by `_`.
    Ascii,
}

/// Handling of photos that are not in the name list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// They are cropped under their own names.
    #[default]
    Keep,
    /// They are skipped.
    Skip,
    /// Nothing is cropped.
    Fail,
}

impl NamesSpec {
    /// The template with its characters.
    ///
    /// # Errors
    /// The text is not a valid template.
    pub fn template(&self) -> Result<NameTemplate, TemplateError> {
        let template = match &*self.template {
            "" => NameTemplate::default(),
            text => text.parse()?,
        };
        Ok(template.with_characters(self.characters))
    }
}

impl ListSpec {
    /// The columns that the user requested.
    pub fn requested(&self) -> RequestedColumns<'_> {
        RequestedColumns {
            source: self.source.as_deref(),
            output: self.output.as_deref(),
            preset: self.preset.as_deref(),
            card: self.card.as_deref(),
        }
    }
}

impl Folders {
    /// The folder of the crops of `photo`, relative to the output folder. Roots from `listed_from` on are paths from a list
    /// of paths: a photo found there keeps its own folder if that is relative.
    pub fn of(self, photo: &Path, roots: &Roots<'_>, listed_from: usize) -> PathBuf {
        let found = match self {
            Self::Flatten => None,
            Self::Mirror => roots.find(photo),
        };
        match found {
            Some(FoundIn { root, below }) if root >= listed_from && photo.is_relative() => {
                let own = photo.parent().unwrap_or(Path::new(""));
                let own: PathBuf = own.components().filter(|part| *part != Component::CurDir).collect();
                let leads_down = own.components().all(|part| matches!(part, Component::Normal(_)));
                if leads_down { own } else { below }
            }
            Some(FoundIn { below, .. }) => below,
            None => PathBuf::new(),
        }
    }
}

impl Characters {
    /// The end of the name of a crop whose name other crops have as well, for numbers from 2 on: ` (2)`, or `_2` in plain
    /// ASCII.
    pub fn number_suffix(self, number: usize) -> String {
        match self {
            Self::Portable => format!(" ({number})"),
            Self::Ascii => format!("_{number}"),
        }
    }

    /// A folder name, or a file name without extension, in these characters.
    pub(super) fn apply(self, name: OsString) -> OsString {
        match self {
            Self::Portable => name,
            Self::Ascii => ascii::transliterated(&name.to_string_lossy()).into(),
        }
    }

    /// A relative folder, level by level.
    pub(super) fn apply_to_folder(self, folder: &Path) -> PathBuf {
        match self {
            Self::Portable => folder.to_owned(),
            Self::Ascii => folder.iter().map(|level| super::portable(&self.apply(OsStr::to_owned(level)))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_written_and_read_and_may_be_incomplete() {
        let list = ListSpec { file: "a.xlsx".into(), sheet: Some("2".to_owned()), ..ListSpec::default() };
        let spec = NamesSpec {
            template: "{column:class}/{name}".to_owned(),
            folders: Folders::Mirror,
            characters: Characters::Ascii,
            cards: true,
            list: Some(ListSpec { missing: Missing::Skip, ..list }),
        };
        let text = serde_json::to_string(&spec).expect("text");
        assert_eq!(serde_json::from_str::<NamesSpec>(&text).expect("read back"), spec);
        assert_eq!(serde_json::from_str::<NamesSpec>("{}").expect("defaults"), NamesSpec::default());
    }

    #[test]
    fn an_empty_template_is_the_default_one() {
        let spec = NamesSpec { characters: Characters::Ascii, ..NamesSpec::default() };
        assert_eq!(spec.template(), Ok(NameTemplate::default().with_characters(Characters::Ascii)));
        assert!(NamesSpec { template: "{stm}".to_owned(), ..spec }.template().is_err());
    }

    #[test]
    fn folders_are_mirrored_relative_to_the_given_path() {
        let paths = |paths: &[&str]| -> Vec<PathBuf> { paths.iter().map(PathBuf::from).collect() };
        let roots = paths(&["in", "one.jpg", "list/sub", "list/x/b.jpg", "../out.jpg", "./y/c.jpg"]);
        let roots = Roots::of(&roots);
        for (photo, folder) in [
            ("in/a.jpg", ""),
            ("in/3b/d/a.jpg", "3b/d"),
            ("one.jpg", ""),
            ("list/sub/q/a.jpg", "list/sub/q"),
            ("list/x/b.jpg", "list/x"),
            ("../out.jpg", ""),
            ("./y/c.jpg", "y"),
        ] {
            assert_eq!(Folders::Mirror.of(Path::new(photo), &roots, 2), Path::new(folder), "{photo}");
            assert_eq!(Folders::Flatten.of(Path::new(photo), &roots, 2), Path::new(""), "{photo}");
        }
    }
}
