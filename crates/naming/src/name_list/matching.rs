//! Matches the rows of a name list to photos.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::{fold, fold_text};

/// The result of matching. Photos and rows are given as indices.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NameMatch {
    /// The row of each photo.
    pub of_photo: Vec<Option<usize>>,
    /// Photos that match no row.
    pub photos_without_row: Vec<usize>,
    /// Photos that several rows match equally well; none of these rows is used.
    pub photos_with_several_rows: Vec<(usize, Vec<usize>)>,
    /// Rows that match no photo, or only a photo that another row matches more exactly.
    pub rows_without_photo: Vec<usize>,
    /// Rows that match several photos; they are not used.
    pub rows_with_several_photos: Vec<(usize, Vec<usize>)>,
    /// Photos with an inexact match, and its kind. They should be reviewed.
    pub inexact: Vec<(usize, InexactMatch)>,
}

/// The kinds of inexact matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InexactMatch {
    /// By the value of a number: 1 for 0001, since spreadsheets drop leading zeros.
    Number,
    /// By the file name at the end of a path that does not exist here, such as one from another computer.
    LastPart,
}

impl NameMatch {
    /// Number of photos with a row.
    pub fn matched(&self) -> usize {
        self.of_photo.iter().flatten().count()
    }

    /// How this photo was matched, if inexactly.
    pub fn inexact_match(&self, photo: usize) -> Option<InexactMatch> {
        let at = self.inexact.binary_search_by_key(&photo, |(photo, _)| *photo).ok()?;
        Some(self.inexact[at].1)
    }

    /// True if any row matches a photo, even if not uniquely.
    pub fn matches_any(&self) -> bool {
        self.matched() > 0 || !self.photos_with_several_rows.is_empty() || !self.rows_with_several_photos.is_empty()
    }

    /// True if every photo has a row and every row a photo.
    pub fn is_complete(&self) -> bool {
        self.photos_without_row.is_empty()
            && self.photos_with_several_rows.is_empty()
            && self.rows_without_photo.is_empty()
            && self.rows_with_several_photos.is_empty()
    }
}

/// How exactly a row matches a photo, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exactness {
    /// By the value of its number.
    Number,
    /// By the file name of a path that does not exist here: number of agreeing folders, and true if the extension matches.
    LastPart(usize, bool),
    /// By name: number of folders given, and true if the extension is given.
    Name(usize, bool),
}

/// Finds the row of each photo. `sources` are the rows' source names.
///
/// A source is a file name with or without extension, preceded by as many folders as needed to distinguish photos; `/` and
/// `\` are both separators. Case and composition of accents are ignored. Of several rows the one that matches a photo most
/// exactly is used, and the photo no longer counts for less exact rows.
///
/// A row without such a match is matched inexactly and listed in [`NameMatch::inexact`]: an absolute path of another
/// computer by its file name and the number of agreeing folders, a number by its value.
pub fn match_names(sources: &[&str], index: &PhotoIndex<'_>) -> NameMatch {
    let photos = index.photos;
    let mut by_exactness: BTreeMap<Exactness, Vec<(usize, Vec<usize>)>> = BTreeMap::new();
    let mut found = NameMatch { of_photo: vec![None; photos.len()], ..NameMatch::default() };
    for (row, source) in sources.iter().enumerate() {
        match index.find(source) {
            Some((exactness, named)) => by_exactness.entry(exactness).or_default().push((row, named)),
            None => found.rows_without_photo.push(row),
        }
    }
    let mut is_named = vec![false; photos.len()];
    let mut is_decided = vec![false; photos.len()];
    for (exactness, rows) in by_exactness.into_iter().rev() {
        let mut rows_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (row, mut named) in rows {
            named.retain(|photo| !is_decided[*photo]);
            named.iter().for_each(|photo| is_named[*photo] = true);
            match named[..] {
                [] => found.rows_without_photo.push(row),
                [photo] => rows_of.entry(photo).or_default().push(row),
                _ => found.rows_with_several_photos.push((row, named)),
            }
        }
        for (photo, rows) in rows_of {
            is_decided[photo] = true;
            match rows[..] {
                [row] => {
                    found.of_photo[photo] = Some(row);
                    found.inexact.extend(exactness.inexact().map(|inexact| (photo, inexact)));
                }
                _ => found.photos_with_several_rows.push((photo, rows)),
            }
        }
    }
    // A photo that is matched only by a row with several photos is reported there, not here.
    found.photos_without_row = (0..photos.len()).filter(|photo| !is_named[*photo]).collect();
    found.rows_without_photo.sort_unstable();
    found.rows_with_several_photos.sort_unstable();
    found.photos_with_several_rows.sort_unstable();
    found.inexact.sort_unstable_by_key(|(photo, _)| *photo);
    found
}

impl Exactness {
    fn inexact(self) -> Option<InexactMatch> {
        match self {
            Self::Number => Some(InexactMatch::Number),
            Self::LastPart(..) => Some(InexactMatch::LastPart),
            Self::Name(..) => None,
        }
    }
}

/// Photos by their folded names.
#[derive(Clone, Debug, Default)]
pub struct PhotoIndex<'a> {
    photos: &'a [PathBuf],
    by_name: HashMap<String, Vec<usize>>,
    by_stem: HashMap<String, Vec<usize>>,
    /// Names and stems that start with a number, without leading zeros.
    by_number: HashMap<String, Vec<usize>>,
}

impl<'a> PhotoIndex<'a> {
    /// An index of paths, preferably absolute.
    pub fn of(photos: &'a [PathBuf]) -> Self {
        let mut index = Self { photos, ..Self::default() };
        for (at, photo) in photos.iter().enumerate() {
            let key = |name: Option<&std::ffi::OsStr>| fold(name.unwrap_or_default());
            let (name, stem) = (key(photo.file_name()), key(photo.file_stem()));
            let numbers = [Some(&name), Some(&stem).filter(|stem| **stem != name)];
            for number in numbers.into_iter().flatten().filter_map(|name| without_zeros(name)) {
                index.by_number.entry(number.to_owned()).or_default().push(at);
            }
            index.by_name.entry(name).or_default().push(at);
            index.by_stem.entry(stem).or_default().push(at);
        }
        index
    }

    /// The photos that `source` matches, and how exactly.
    fn find(&self, source: &str) -> Option<(Exactness, Vec<usize>)> {
        let photos = self.photos;
        let source = fold_text(source.trim());
        let mut parts = source.split(['/', '\\']).filter(|part| !matches!(*part, "" | "."));
        let name = parts.next_back()?;
        let number = without_zeros(name);
        if !self.by_name.contains_key(name) && !self.by_stem.contains_key(name) && number.is_none() {
            // Most cells of a table name no photo.
            return None;
        }
        let folders: Vec<&str> = parts.collect();
        let called = |name: &str| [(true, self.by_name.get(name)), (false, self.by_stem.get(name))];
        for (with_extension, named) in called(name) {
            let has_folders = |photo: &usize| agreeing(&photos[*photo], &folders) == without_drive(&folders).len();
            let named: Vec<usize> = named.into_iter().flatten().copied().filter(has_folders).collect();
            if !named.is_empty() {
                return Some((Exactness::Name(folders.len(), with_extension), named));
            }
        }
        if is_rooted(&source) {
            let (with_extension, named) = called(name).into_iter().find_map(|(with, named)| Some((with, named?)))?;
            let max = named.iter().map(|photo| agreeing(&photos[*photo], &folders)).max()?;
            let nearest = named.iter().copied().filter(|photo| agreeing(&photos[*photo], &folders) == max);
            return Some((Exactness::LastPart(max, with_extension), nearest.collect()));
        }
        let number = number.filter(|_| folders.is_empty())?;
        Some((Exactness::Number, self.by_number.get(number)?.clone()))
    }
}

/// A name whose stem is a number, without leading zeros; `None` for other names.
fn without_zeros(name: &str) -> Option<&str> {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = rest.len() < name.len() && (rest.is_empty() || rest.starts_with('.'));
    is_number.then(|| name.trim_start_matches('0'))
}

/// True for an absolute path of any system, including drives and servers.
fn is_rooted(source: &str) -> bool {
    source.starts_with(['/', '\\']) || matches!(source.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// The number of `folders`, counted from the last, that agree with the folders of `photo`.
fn agreeing(photo: &Path, folders: &[&str]) -> usize {
    let above = photo.parent().into_iter().flat_map(|parent| parent.iter().rev());
    without_drive(folders).iter().rev().zip(above).take_while(|(folder, name)| fold(name) == ***folder).count()
}

/// The folders without a drive letter, which has no meaning on another computer.
fn without_drive<'a, 'b>(folders: &'a [&'b str]) -> &'a [&'b str] {
    let from = folders.iter().rposition(|folder| folder.ends_with(':')).map_or(0, |at| at + 1);
    &folders[from..]
}

#[cfg(test)]
mod tests;
