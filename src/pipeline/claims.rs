//! The names of all that is made of a photo, claimed at once.

use std::ffi::OsString;
use std::path::Path;

use super::Order;
use super::sheet::Sheets;
use crate::encode::{Claim, EncodeError, NameBook, output_stem};

/// The names of a crop and of the sheet beside it.
pub(super) struct Claimed {
    /// The crop's name without number and extension.
    pub(super) stem: OsString,
    pub(super) crop: Result<Claim, EncodeError>,
    /// `None` where there is to be no sheet, or no crop to make one of.
    pub(super) sheet: Option<Result<Claim, EncodeError>>,
}

/// Claims a name for each of `count` crops of `source`, and for its sheet right after it, up to the first that is refused.
pub(super) fn claim_names(
    order: &Order<'_>,
    source: &Path,
    count: usize,
    sheets: Option<&Sheets<'_>>,
    names: &mut NameBook,
) -> Vec<Claimed> {
    let mut claims = Vec::with_capacity(count);
    for number in 1..=count {
        let stem = output_stem(source, (count > 1).then_some(number));
        let crop = names.claim(source, &stem, order.encode.format.extension());
        let sheet = match (&crop, sheets) {
            (Ok(Claim::Write { path, .. }), Some(sheets)) => Some(sheets.claim(path, source, names)),
            _ => None,
        };
        let refused = crop.is_err();
        claims.push(Claimed { stem, crop, sheet });
        if refused {
            break;
        }
    }
    claims
}
