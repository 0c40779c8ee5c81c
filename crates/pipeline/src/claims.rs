//! Claims the names of all files made from one photo at once.

use std::path::Path;

use naming::{CropFacts, OutputName};
use outcome::EncodeError;

use crate::name_book::{Claim, NameBook};
use crate::options::ExportOptions;
use crate::sheet::Sheets;

/// The names of a crop and of its print sheet.
pub(super) struct Claimed {
    /// The name from the template, before conflicts with existing files were resolved.
    pub(super) name: OutputName,
    pub(super) crop: Result<Claim, EncodeError>,
    /// `None` if no sheet was requested, or the crop is not written.
    pub(super) sheet: Option<Result<Claim, EncodeError>>,
}

/// Claims a name for each crop of `source` (one per entry of `facts`), each followed by its sheet; stops at the first
/// refusal.
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
