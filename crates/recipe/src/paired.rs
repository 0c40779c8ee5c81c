//! Files that are cropped with the frames of their photo: masks, cut-outs, other exposures.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The field of a pattern that stands for the photo's name without extension.
const STEM: &str = "{stem}";

/// The path of a paired file, relative to the folder of its photo, such as `{stem}_mask.png` or `masks/{stem}.png`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PairedPattern {
    /// Folder relative to the photo's, with `/` at its end; empty for the photo's own folder.
    folder: String,
    before: String,
    after: String,
    extension: String,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{text}' is not a pattern of paired files: write a relative path whose file name contains {STEM} once and has an extension, such as {STEM}_mask.png"
)]
pub struct PairedPatternError {
    /// The text.
    pub text: String,
}

impl FromStr for PairedPattern {
    type Err = PairedPatternError;

    fn from_str(text: &str) -> Result<Self, PairedPatternError> {
        let wrong = || PairedPatternError { text: text.to_owned() };
        let normalized = text.trim().replace('\\', "/");
        let (folder, name) = normalized.rfind('/').map_or(("", &*normalized), |at| normalized.split_at(at + 1));
        let (before, rest) = name.split_once(STEM).ok_or_else(wrong)?;
        let (after, extension) = rest.rsplit_once('.').ok_or_else(wrong)?;
        let is_literal = |text: &str| !text.contains(['{', '}', ':', '\0']);
        let all_literal = [folder, before, after, extension].into_iter().all(is_literal);
        if !all_literal || extension.is_empty() || folder.starts_with('/') {
            return Err(wrong());
        }
        let owned = str::to_owned;
        Ok(Self { folder: owned(folder), before: owned(before), after: owned(after), extension: owned(extension) })
    }
}

impl TryFrom<String> for PairedPattern {
    type Error = PairedPatternError;

    fn try_from(text: String) -> Result<Self, PairedPatternError> {
        text.parse()
    }
}

impl From<PairedPattern> for String {
    fn from(pattern: PairedPattern) -> Self {
        pattern.to_string()
    }
}

impl fmt::Display for PairedPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { folder, before, after, extension } = self;
        write!(f, "{folder}{before}{STEM}{after}.{extension}")
    }
}

impl PairedPattern {
    /// The path of the file paired with `photo`; `None` if that is the photo itself.
    pub fn path_of(&self, photo: &Path) -> Option<PathBuf> {
        let mut name = OsString::from(&self.before);
        name.push(photo.file_stem()?);
        name.push(&self.after);
        name.push(".");
        name.push(&self.extension);
        let path = photo.parent().unwrap_or(Path::new("")).join(&self.folder).join(name);
        (path != photo).then_some(path)
    }

    /// The extension, without the dot.
    pub fn extension(&self) -> &str {
        &self.extension
    }

    /// What is added to the name of the photo's crop for that of the paired file: the text after the field, or else that
    /// before it, the folder or the extension.
    pub fn suffix(&self) -> String {
        let is_separator = |c: char| matches!(c, '_' | '-' | '.' | ' ');
        let folder = self.folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let folder = if folder == ".." { "" } else { folder };
        let first = [self.before.trim_matches(is_separator), folder, &self.extension];
        let or_else = || first.iter().find(|text| !text.is_empty()).map(|text| format!("_{text}"));
        Some(self.after.clone()).filter(|after| !after.is_empty()).or_else(or_else).unwrap_or_default()
    }
}

/// The photos among `photos` that are paired with another one of them. Paths are compared as they are written, apart from
/// `..`.
pub fn paired_among<'a>(
    patterns: &[PairedPattern],
    photos: impl IntoIterator<Item = &'a Path> + Clone,
) -> HashSet<&'a Path> {
    if patterns.is_empty() {
        return HashSet::new();
    }
    let of_photo = |photo: &'a Path| patterns.iter().filter_map(|pattern| pattern.path_of(photo));
    let paired: HashSet<PathBuf> = photos.clone().into_iter().flat_map(of_photo).map(|path| plain(&path)).collect();
    photos.into_iter().filter(|photo| paired.contains(&plain(photo))).collect()
}

/// The path without `folder/..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match (part, plain.components().next_back()) {
            (Component::ParentDir, Some(Component::Normal(_))) => _ = plain.pop(),
            _ => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> PairedPattern {
        text.parse().expect("valid")
    }

    #[test]
    fn the_paired_file_is_found_beside_its_photo() {
        for (text, path, suffix) in [
            ("{stem}_mask.png", "in/anna_mask.png", "_mask"),
            ("masks/{stem}.png", "in/masks/anna.png", "_masks"),
            ("mask-{stem}.png", "in/mask-anna.png", "_mask"),
            ("{stem}.cr2", "in/anna.cr2", "_cr2"),
            ("../raw/{stem}.cr2", "in/../raw/anna.cr2", "_raw"),
        ] {
            let pattern = pattern(text);
            assert_eq!(pattern.path_of(Path::new("in/anna.jpg")).as_deref(), Some(Path::new(path)));
            assert_eq!((pattern.suffix(), pattern.to_string()), (suffix.to_owned(), text.to_owned()));
        }
        assert_eq!(pattern("{stem}.jpg").path_of(Path::new("in/anna.jpg")), None);
    }

    #[test]
    fn paired_files_among_the_photos_are_found() {
        let patterns = [pattern("{stem}_mask.png"), pattern("../raw/{stem}.cr2")];
        let photos = ["in/anna.jpg", "in/anna_mask.png", "raw/anna.cr2", "in/ben_mask.png", "raw/in/anna.cr2"];
        let found = paired_among(&patterns, photos.iter().map(Path::new));
        assert_eq!(found, HashSet::from(["in/anna_mask.png", "raw/anna.cr2"].map(Path::new)));
        assert!(paired_among(&[], photos.iter().map(Path::new)).is_empty());
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in
            ["mask.png", "{stem}", "{stem}_mask", "{name}.png", "{stem}{stem}.png", "/m/{stem}.png", "C:/{stem}.png"]
        {
            assert!(text.parse::<PairedPattern>().is_err(), "{text}");
        }
    }
}
