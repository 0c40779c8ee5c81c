//! Notes on what is handed over with crops.

use batch::worker::PackageNote;

use super::super::language::{count, say, tr};
use super::errors::encode_error;
use super::parts::{listed, shown};
use super::runs::history_error;

/// A note on an index, a zip file or a contact sheet.
pub(super) fn package_note(note: &PackageNote) -> String {
    match note {
        PackageNote::Written { path, crops } => {
            count!(*crops, "{path}: {n} crop", "{path}: {n} crops", path = shown(path))
        }
        PackageNote::OtherName { taken, path } => say!(
            "{taken} exists and was not written by this program, or has been changed; the new file is {path}",
            taken = shown(taken),
            path = shown(path)
        ),
        PackageNote::Failed(error) => encode_error(error),
        PackageNote::OnlyIndex => tr("zip file and contact sheets are written once the run is complete").to_owned(),
        PackageNote::Changed { crops } => {
            say!("crops that were changed after they were written, and are listed as they are: {crops}", crops = *crops)
        }
        PackageNote::Unrecorded { photos } => say!(
            "photos that were skipped because files with their names exist, which are not listed since no journal records them: {photos}",
            photos = *photos
        ),
        PackageNote::Unreadable { path, error } => say!(
            "the journal {path} cannot be read ({reason}), so its crops are not listed",
            path = shown(path),
            reason = history_error(error)
        ),
        PackageNote::NotAscii { crops } => say!(
            "crops with a path that is not plain ASCII, which yearbook software may reject: {crops}; use names in plain ASCII",
            crops = *crops
        ),
        PackageNote::NoImageFolder { crops } => say!(
            "crops beside the index, which yearbook software expects in a folder: {crops}; use a name with a folder, such as {example}",
            crops = *crops,
            example = "images/{name}"
        ),
        PackageNote::NoPicture { crops } => {
            say!("crops that cannot be read and have no picture in the contact sheet: {crops}", crops = *crops)
        }
        PackageNote::Undrawn { names } => say!(
            "no font of this system has some characters of the PDF contact sheet, which shows ? for them: {names}",
            names = listed(names)
        ),
    }
}
