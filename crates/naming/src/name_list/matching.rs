//! Which row of a list belongs to which photo.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::{fold, fold_text};

/// What rows and photos come to. Photos and rows are named by their places, from 0.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct NameMatch {
    /// For each photo its row.
    pub of_photo: Vec<Option<usize>>,
    /// Photos that no row names, alone or among others.
    pub photos_without_row: Vec<usize>,
    /// Photos that several rows name equally well; none of these is taken.
    pub photos_with_several_rows: Vec<(usize, Vec<usize>)>,
    /// Rows that name no photo, or one that another row names more exactly.
    pub rows_without_photo: Vec<usize>,
    /// Rows that name several photos; they are taken for none.
    pub rows_with_several_photos: Vec<(usize, Vec<usize>)>,
    /// Photos whose row does not name them as they are called, and what it was matched by. A person should see these.
    pub loosely: Vec<(usize, Loosely)>,
}

/// What a row was matched by if it does not name its photo as it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loosely {
    /// The number alone: 1 for 0001, since spreadsheets drop the zeros before a number.
    Number,
    /// The file name at the end of a path that is not here, such as one from another computer.
    LastPart,
}

impl NameMatch {
    /// Photos that have a row.
    pub fn matched(&self) -> usize {
        self.of_photo.iter().flatten().count()
    }

    /// What the row of this photo was matched by, if it does not name it as it is called.
    pub fn loosely_by(&self, photo: usize) -> Option<Loosely> {
        let at = self.loosely.binary_search_by_key(&photo, |(photo, _)| *photo).ok()?;
        Some(self.loosely[at].1)
    }

    /// True where every photo has its row and every row its photo.
    pub fn is_whole(&self) -> bool {
        self.photos_without_row.is_empty()
            && self.photos_with_several_rows.is_empty()
            && self.rows_without_photo.is_empty()
            && self.rows_with_several_photos.is_empty()
    }
}

/// How exactly a row names a photo, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Exactness {
    /// By the value of its number.
    Number,
    /// By the last part of a path that is not here, of which so many folders agree, and with the extension or without.
    LastPart(usize, bool),
    /// By so many folders beside its name, and with its extension or without.
    Name(usize, bool),
}

/// Finds the row of each photo. `sources` are the rows' source names, `photos` the photos' paths, best absolute.
///
/// A source is a file name with or without its extension, with as many folders before it as needed to tell photos apart;
/// `/` and `\` both part folders. Case and the way accents are written make no difference. Of several rows the one that names a photo
/// most exactly is its row, and it takes that photo from rows that are less exact.
///
/// A row that names no photo so is matched loosely, and [`NameMatch::loosely`] says so: a path of another computer by the file name
/// at its end and as many of its folders as agree, a number by its value.
pub fn match_names(sources: &[&str], photos: &[PathBuf]) -> NameMatch {
    let index = Index::of(photos);
    let mut by_exactness: BTreeMap<Exactness, Vec<(usize, Vec<usize>)>> = BTreeMap::new();
    let mut found = NameMatch { of_photo: vec![None; photos.len()], ..NameMatch::default() };
    for (row, source) in sources.iter().enumerate() {
        match index.find(source, photos) {
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
                    found.loosely.extend(exactness.loosely().map(|loosely| (photo, loosely)));
                }
                _ => found.photos_with_several_rows.push((photo, rows)),
            }
        }
    }
    // A row may name several photos of which a less exact one has named all but it; those have their row now.
    found.photos_without_row = (0..photos.len()).filter(|photo| !is_named[*photo]).collect();
    found.rows_without_photo.sort_unstable();
    found.rows_with_several_photos.sort_unstable();
    found.photos_with_several_rows.sort_unstable();
    found.loosely.sort_unstable_by_key(|(photo, _)| *photo);
    found
}

impl Exactness {
    fn loosely(self) -> Option<Loosely> {
        match self {
            Self::Number => Some(Loosely::Number),
            Self::LastPart(..) => Some(Loosely::LastPart),
            Self::Name(..) => None,
        }
    }
}

/// Photos by the folded forms of their names.
#[derive(Default)]
struct Index {
    by_name: HashMap<String, Vec<usize>>,
    by_stem: HashMap<String, Vec<usize>>,
    /// Names and stems whose stem is a number, without the zeros before it.
    by_number: HashMap<String, Vec<usize>>,
}

impl Index {
    fn of(photos: &[PathBuf]) -> Self {
        let mut index = Self::default();
        for (at, photo) in photos.iter().enumerate() {
            let key = |name: Option<&std::ffi::OsStr>| fold(name.unwrap_or_default());
            let (name, stem) = (key(photo.file_name()), key(photo.file_stem()));
            let numbers = [Some(&name), Some(&stem).filter(|stem| **stem != name)];
            for number in numbers.into_iter().flatten().filter_map(|name| without_zeros(name)) {
                index.by_number.entry(number).or_default().push(at);
            }
            index.by_name.entry(name).or_default().push(at);
            index.by_stem.entry(stem).or_default().push(at);
        }
        index
    }

    /// The photos that `source` names, and how exactly.
    fn find(&self, source: &str, photos: &[PathBuf]) -> Option<(Exactness, Vec<usize>)> {
        let source = fold_text(source.trim());
        let mut folders: Vec<&str> = source.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")).collect();
        let name = folders.pop()?;
        let called = |name: &str| [(true, self.by_name.get(name)), (false, self.by_stem.get(name))];
        for (with_extension, named) in called(name) {
            let is_there = |photo: &usize| agreeing(&photos[*photo], &folders) == without_drive(&folders).len();
            let named: Vec<usize> = named.into_iter().flatten().copied().filter(is_there).collect();
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
        let number = without_zeros(name).filter(|_| folders.is_empty())?;
        Some((Exactness::Number, self.by_number.get(&number)?.clone()))
    }
}

/// A name whose stem is a number, without the zeros before it; `None` for other names.
fn without_zeros(name: &str) -> Option<String> {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = rest.len() < name.len() && (rest.is_empty() || rest.starts_with('.'));
    is_number.then(|| name.trim_start_matches('0').to_owned())
}

/// True for a path from the root of a disk or a server on, on any system.
fn is_rooted(source: &str) -> bool {
    source.starts_with(['/', '\\']) || matches!(source.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// How many of `folders`, counted from the last, are those that `photo` lies in.
fn agreeing(photo: &Path, folders: &[&str]) -> usize {
    let above = photo.parent().into_iter().flat_map(|parent| parent.iter().rev());
    without_drive(folders).iter().rev().zip(above).take_while(|(folder, name)| fold(name) == ***folder).count()
}

/// A drive's letter in a list that was made elsewhere says nothing here.
fn without_drive<'a, 'b>(folders: &'a [&'b str]) -> &'a [&'b str] {
    let from = folders.iter().rposition(|folder| folder.ends_with(':')).map_or(0, |at| at + 1);
    &folders[from..]
}

#[cfg(test)]
mod tests;
