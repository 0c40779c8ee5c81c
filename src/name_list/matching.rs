//! Which row of a list belongs to which photo.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::naming::{fold, fold_text};

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
}

impl NameMatch {
    /// Photos that have a row.
    pub fn matched(&self) -> usize {
        self.of_photo.iter().flatten().count()
    }

    /// True where every photo has its row and every row its photo.
    pub fn is_whole(&self) -> bool {
        self.photos_without_row.is_empty()
            && self.photos_with_several_rows.is_empty()
            && self.rows_without_photo.is_empty()
            && self.rows_with_several_photos.is_empty()
    }
}

/// How exactly a row names a photo: by how many folders beside its name, and with its extension or without.
type Exactness = (usize, bool);

/// Finds the row of each photo. `sources` are the rows' source names, `photos` the photos' paths, best absolute.
///
/// A source is a file name with or without its extension, with as many folders before it as needed to tell photos apart;
/// `/` and `\` both part folders. Case and the way accents are written make no difference. Of several rows the one that names a photo
/// most exactly is its row, and it takes that photo from rows that are less exact.
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
    for rows in by_exactness.into_values().rev() {
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
                [row] => found.of_photo[photo] = Some(row),
                _ => found.photos_with_several_rows.push((photo, rows)),
            }
        }
    }
    // A row may name several photos of which a less exact one has named all but it; those have their row now.
    found.photos_without_row = (0..photos.len()).filter(|photo| !is_named[*photo]).collect();
    found.rows_without_photo.sort_unstable();
    found.rows_with_several_photos.sort_unstable();
    found.photos_with_several_rows.sort_unstable();
    found
}

/// Photos by the folded forms of their names.
struct Index {
    by_name: HashMap<String, Vec<usize>>,
    by_stem: HashMap<String, Vec<usize>>,
}

impl Index {
    fn of(photos: &[PathBuf]) -> Self {
        let mut index = Self { by_name: HashMap::new(), by_stem: HashMap::new() };
        for (at, photo) in photos.iter().enumerate() {
            let key = |name: Option<&std::ffi::OsStr>| fold(name.unwrap_or_default());
            index.by_name.entry(key(photo.file_name())).or_default().push(at);
            index.by_stem.entry(key(photo.file_stem())).or_default().push(at);
        }
        index
    }

    /// The photos that `source` names, and how exactly.
    fn find(&self, source: &str, photos: &[PathBuf]) -> Option<(Exactness, Vec<usize>)> {
        let source = fold_text(source.trim());
        let mut folders: Vec<&str> = source.split(['/', '\\']).filter(|part| !matches!(*part, "" | ".")).collect();
        let name = folders.pop()?;
        let in_folders = |named: Option<&Vec<usize>>| -> Vec<usize> {
            let named = named.map_or(&[][..], Vec::as_slice).iter().copied();
            named.filter(|photo| lies_in(&photos[*photo], &folders)).collect()
        };
        let exact = in_folders(self.by_name.get(name));
        if !exact.is_empty() {
            return Some(((folders.len(), true), exact));
        }
        let named = in_folders(self.by_stem.get(name));
        (!named.is_empty()).then_some(((folders.len(), false), named))
    }
}

/// True where the folders that `photo` lies in end with `folders`.
fn lies_in(photo: &Path, folders: &[&str]) -> bool {
    let mut above = photo.parent().into_iter().flat_map(|parent| parent.iter().rev());
    // A drive's letter of a list that was made elsewhere says nothing here, and comes last.
    let folders = folders.iter().rev().take_while(|folder| !folder.ends_with(':'));
    folders.into_iter().all(|folder| above.next().is_some_and(|name| fold(name) == **folder))
}

#[cfg(test)]
mod tests;
