//! Notes about a name list: its sheet, mismatches, inexact matches and rows without a name.

use std::path::{Path, PathBuf};

use naming::name_list::InexactMatch;
use naming::{NameTemplate, NamedPhotos};

use super::naming::{Listed, MAX_NAMED, first_few};
use super::naming_args::Missing;
use super::print;

/// Prints notes to standard error. `photos` are the paths of the photos in `names`.
pub(super) fn print(
    listed: &Listed,
    names: &NamedPhotos,
    photos: &[PathBuf],
    missing: Missing,
    template: &NameTemplate,
) {
    for note in notes(listed, names, photos, missing, template) {
        print::note(&format!("note: {note}"));
    }
}

fn notes(
    listed: &Listed,
    names: &NamedPhotos,
    photos: &[PathBuf],
    missing: Missing,
    template: &NameTemplate,
) -> Vec<String> {
    let (found, total, file) = (&names.found, photos.len(), print::path(&listed.file));
    let path = |at: &usize| print::path(&photos[*at]);
    let paths = |photos: &[usize]| first_few(&photos.iter().map(path).collect::<Vec<_>>(), "photos");
    let row = |row: &usize| {
        let key = listed.roster.key_of(*row).unwrap_or_default();
        format!("{} ({})", key.line, print::inline(&key.text))
    };
    let rows = |rows: &[usize]| first_few(&rows.iter().map(row).collect::<Vec<_>>(), "rows");
    let mut notes = Vec::new();
    notes.extend(sheet(listed));
    let unlisted = names.unlisted();
    if !unlisted.is_empty() {
        let what = match missing {
            Missing::Keep | Missing::Fail => "are cropped under their own names",
            Missing::Skip => "are skipped",
        };
        let (count, named) = (unlisted.len(), paths(&unlisted));
        notes.push(format!("{count} of {total} photos have no matching row in {file} and {what}: {named}"));
    }
    let has_row = |at: &usize| names.photos[*at].row.is_some();
    let nameless: Vec<usize> =
        (0..total).filter(|at| has_row(at) && template.lacks_values(&names.photos[*at].name)).collect();
    if !nameless.is_empty() {
        let (count, named) = (nameless.len(), paths(&nameless));
        notes.push(format!("{count} of {total} photos have a row without a name and keep their own: {named}"));
    }
    for (by, what) in [
        (InexactMatch::Number, "match a photo by number alone, without leading zeros"),
        (InexactMatch::LastPart, "contain a path that does not exist and are matched by its last part"),
    ] {
        let matched = found.inexact.iter().filter(|(_, inexact)| *inexact == by);
        let matched = matched.filter_map(|(photo, _)| Some((found.of_photo[*photo]?, photo)));
        let rows: Vec<String> = matched.map(|(at, photo)| format!("{} is {}", row(&at), path(photo))).collect();
        if !rows.is_empty() {
            notes.push(format!("{} of its rows {what}: row {}", rows.len(), first_few(&rows, "rows")));
        }
    }
    for (photo, named_by) in found.photos_with_several_rows.iter().take(MAX_NAMED) {
        let (photo, count, rows) = (path(photo), named_by.len(), rows(named_by));
        notes.push(format!("{photo} is matched by {count} rows equally well, none is used: row {rows}"));
    }
    let several: Vec<usize> = found.rows_with_several_photos.iter().map(|(row, _)| *row).collect();
    for (unused, what) in [(&found.rows_without_photo, "match no photo"), (&several, "match several photos")] {
        if !unused.is_empty() {
            notes.push(format!("{} of its rows {what}: row {}", unused.len(), rows(unused)));
        }
    }
    if !found.is_complete() {
        notes.push("--names-preview prints all matches".to_owned());
    }
    notes
}

/// The sheet in use, if it is not the first and was not requested.
pub(super) fn sheet(listed: &Listed) -> Option<String> {
    let at = listed.roster.sheet;
    let name = listed.sheets.get(at).filter(|_| at > 0 && !listed.is_requested)?;
    let (name, file) = (print::inline(name), print::path(Path::new(&listed.file)));
    Some(format!("the list is sheet '{name}' of {file}, {} of {}", at + 1, listed.sheets.len()))
}
