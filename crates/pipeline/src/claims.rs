//! The names of all that is made of a photo, claimed at once.

use std::path::Path;

use naming::{CropFacts, OutputName};
use outcome::EncodeError;

use crate::name_book::{Claim, NameBook};
use crate::options::ExportOptions;
use crate::sheet::Sheets;

/// The names of a crop and of the sheet beside it.
pub(super) struct Claimed {
    /// What the crop was to be called, before a name that is taken changed that.
    pub(super) name: OutputName,
    pub(super) crop: Result<Claim, EncodeError>,
    /// `None` where there is to be no sheet, or no crop to make one of.
    pub(super) sheet: Option<Result<Claim, EncodeError>>,
}

/// Claims a name for each crop of `source` of which there are `facts`, and for its sheet right after it, up to the first that is refused.
pub(super) fn claim_names(
    options: &ExportOptions<'_>,
    source: &Path,
    facts: &[CropFacts],
    sheets: Option<&Sheets<'_>>,
    names: &mut NameBook,
) -> Vec<Claimed> {
    let mut claims = Vec::with_capacity(facts.len());
    for facts in facts {
        let name = names.name(source, options.name, facts);
        let crop = names.claim(source, &name, options.recipe.encode.format.extension());
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
