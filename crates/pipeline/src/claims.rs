//! Claims the names of all files made from one photo at once.

use std::path::Path;

use naming::{CropFacts, OutputName, PhotoName};
use outcome::EncodeError;

use crate::name_book::{Claim, NameBook};
use crate::outputs::{Output, name_in};

/// The names of a crop and of its print sheet.
pub(super) struct Claimed {
    /// The name from the template, before conflicts with existing files were resolved.
    pub(super) name: OutputName,
    pub(super) crop: Result<Claim, EncodeError>,
    /// `None` if no sheet was requested, or the crop is not written.
    pub(super) sheet: Option<Result<Claim, EncodeError>>,
}

/// Claims a name for each crop of `source` (one per entry of `facts`, with its output), each followed by its sheet; stops at
/// the first refusal.
pub(super) fn claim_names<'a>(
    source: &Path,
    photo: &PhotoName,
    facts: impl IntoIterator<Item = (&'a Output, CropFacts)>,
    names: &mut NameBook,
) -> Vec<Claimed> {
    let mut claims = Vec::new();
    for (Output { spec, sheets, .. }, facts) in facts {
        let of_variant = spec.preset.as_ref().map(|preset| PhotoName { preset: preset.clone(), ..photo.clone() });
        let name = name_in(&spec.place, names.name(source, of_variant.as_ref().unwrap_or(photo), &facts));
        let crop = names.claim(source, &name, spec.encode.format.extension());
        let sheet = match (&crop, sheets) {
            (Ok(Claim::Write { path, .. }), Some(sheets)) => Some(sheets.claim(path, source, names)),
            _ => None,
        };
        let refused = crop.is_err();
        claims.push(Claimed { name, crop, sheet });
        if refused {
            break;
        }
    }
    claims
}
