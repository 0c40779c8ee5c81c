//! Names for a list of photos: rows found by file name, by card or by the user, and typed names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use import::has_picture_extension;
use recipe::AssignedRow;

use super::cards::{CardRows, active_cards};
use super::name_list::{InexactMatch, NameMatch};
use super::{Missing, NamesSpec, PhotoName, Roster};

/// A photo and what is known about its name.
#[derive(Clone, Debug, Default)]
pub struct PhotoEntry<'a> {
    /// The folder of its crops, relative to the output folder: see [`Folders::of`](crate::Folders::of).
    pub folder: PathBuf,
    /// The name typed by the user.
    pub name: Option<&'a str>,
    /// The row assigned by the user.
    pub row: Option<&'a AssignedRow>,
    /// The text of a card that the photo shows.
    pub card: Option<&'a str>,
}

/// The names of a list of photos.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct NamedPhotos {
    /// The photos, in the order given.
    pub photos: Vec<NamedPhoto>,
    /// The match of photos and rows, with cards and corrections.
    pub found: NameMatch,
    /// The column in which cards were found.
    pub card_column: Option<usize>,
    /// Photos whose assigned row is not in the list; they are named as if none was assigned.
    pub unresolved: Vec<usize>,
}

/// A photo with the data for the names of its crops.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct NamedPhoto {
    /// Without the name of the preset, which the caller sets.
    pub name: PhotoName,
    /// Its row in the list.
    pub row: Option<usize>,
    /// What determined the row, or the name if there is no row.
    pub by: NamedBy,
    /// The preset in its row, if any.
    pub preset: Option<String>,
    /// True if it is not to be cropped, since it is not in the list ([`Missing::Skip`]).
    pub is_skipped: bool,
}

/// What determined a photo's row or name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NamedBy {
    /// Nothing: the photo has neither row nor name.
    #[default]
    Nothing,
    /// Its file name; `Some` if the match is inexact.
    FileName(Option<InexactMatch>),
    /// The card that it shows, or the last one before it.
    Card,
    /// The user.
    Hand,
}

impl NamedPhotos {
    /// The photos with neither row nor name, which [`Missing`] is about.
    pub fn unlisted(&self) -> Vec<usize> {
        (0..self.photos.len()).filter(|at| self.photos[*at].by == NamedBy::Nothing).collect()
    }
}

/// Names each photo. The user's corrections take precedence over cards, and cards over file names. A card whose text is in
/// no row is itself the name. `roster` is the match with the same photos.
pub fn name_photos(spec: &NamesSpec, roster: Option<&Roster>, photos: &[PhotoEntry<'_>]) -> NamedPhotos {
    let readings: Vec<Option<&str>> = photos.iter().map(|photo| photo.card).collect();
    let cards = active_cards(&readings);
    let card_rows = roster.map(|roster| CardRows::find(&roster.table, roster.columns.card, &cards)).unwrap_or_default();
    let skips = roster.is_some() && spec.list.as_ref().is_some_and(|list| list.missing == Missing::Skip);
    let mut named = NamedPhotos { card_column: card_rows.column, ..NamedPhotos::default() };
    for (at, (photo, card)) in photos.iter().zip(cards).enumerate() {
        let typed = photo.name.map(str::trim).filter(|name| !name.is_empty());
        let assigned = photo.row.map(|row| roster.and_then(|roster| roster.find(row)));
        if assigned == Some(None) && roster.is_some() {
            named.unresolved.push(at);
        }
        let matched = roster.and_then(|roster| Some((*roster.found.of_photo.get(at)?, roster.found.inexact_match(at))));
        let (row, by) = match (assigned.flatten(), card, matched) {
            (Some(row), ..) => (Some(row), NamedBy::Hand),
            (None, Some(card), _) => (card_rows.row_of(card), NamedBy::Card),
            (None, None, Some((Some(row), inexact))) => (Some(row), NamedBy::FileName(inexact)),
            _ => (None, NamedBy::Nothing),
        };
        let by = if typed.is_some() && row.is_none() { NamedBy::Hand } else { by };
        let mut name = PhotoName { place: at + 1, folder: photo.folder.clone(), ..PhotoName::default() };
        let mut preset = None;
        if let (Some(roster), Some(row)) = (roster, row) {
            let (headings, cells) = (&roster.table.headings, &roster.table.rows[row].cells);
            let cell = |column: Option<usize>| Some(cells[column?].as_str()).filter(|cell| !cell.is_empty());
            name.listed = cell(roster.columns.output).map(without_extension);
            preset = cell(roster.columns.preset).map(ToOwned::to_owned);
            name.columns = headings.iter().cloned().zip(cells.iter().cloned()).collect();
        } else if by == NamedBy::Card {
            name.listed = card.map(ToOwned::to_owned);
        }
        if let Some(typed) = typed {
            (name.listed, name.is_typed) = (Some(typed.to_owned()), true);
        }
        let is_skipped = skips && by == NamedBy::Nothing;
        named.photos.push(NamedPhoto { name, row, by, preset, is_skipped });
    }
    named.found = corrected(roster.map(|roster| &roster.found), &named.photos);
    named
}

/// The match by file name after cards and corrections.
fn corrected(found: Option<&NameMatch>, photos: &[NamedPhoto]) -> NameMatch {
    let before = found.cloned().unwrap_or_default();
    let of_photo: Vec<Option<usize>> = photos.iter().map(|photo| photo.row).collect();
    let used: BTreeSet<usize> = of_photo.iter().flatten().copied().collect();
    let is_decided =
        |photo: &usize| photos.get(*photo).is_some_and(|photo| matches!(photo.by, NamedBy::Card | NamedBy::Hand));
    let mut found = NameMatch { of_photo, ..NameMatch::default() };
    // Rows and photos that are reported alone, in order.
    let mut rows: BTreeSet<usize> =
        before.rows_without_photo.into_iter().chain(before.of_photo.into_iter().flatten()).collect();
    let mut alone: BTreeSet<usize> = before.photos_without_row.into_iter().collect();
    for (photo, its_rows) in before.photos_with_several_rows {
        if is_decided(&photo) {
            rows.extend(its_rows);
        } else {
            found.photos_with_several_rows.push((photo, its_rows));
        }
    }
    for (row, mut its_photos) in before.rows_with_several_photos {
        its_photos.retain(|photo| !is_decided(photo));
        if used.contains(&row) || its_photos.is_empty() {
            alone.extend(its_photos);
            rows.insert(row);
        } else {
            found.rows_with_several_photos.push((row, its_photos));
        }
    }
    let several: BTreeSet<usize> = found.photos_with_several_rows.iter().map(|(photo, _)| *photo).collect();
    found.photos_without_row = alone
        .into_iter()
        .filter(|photo| !is_decided(photo) && found.of_photo.get(*photo) == Some(&None) && !several.contains(photo))
        .collect();
    found.rows_without_photo = rows.into_iter().filter(|row| !used.contains(row)).collect();
    let is_inexact = |(photo, _): &(usize, InexactMatch)| {
        photos.get(*photo).is_some_and(|photo| matches!(photo.by, NamedBy::FileName(_)))
    };
    found.inexact = before.inexact.into_iter().filter(is_inexact).collect();
    found
}

/// A listed name without an image file extension: crops have their own.
fn without_extension(listed: &str) -> String {
    let path = Path::new(listed);
    let stem = path.file_stem().filter(|_| has_picture_extension(path)).and_then(|stem| stem.to_str());
    // A slash is part of the name here, not a path separator.
    stem.map_or(listed, |stem| &listed[..listed.rfind(stem).unwrap_or(0) + stem.len()]).to_owned()
}

#[cfg(test)]
mod tests;
