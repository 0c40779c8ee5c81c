//! The sheet to print that goes beside a crop.

use std::path::{Path, PathBuf};

use outcome::{CropNote, EncodeError};
use picture::{Crop, encode_sheet};
use recipe::{Depth, EncodeSpec, SheetError, SheetFormat, SheetLayout};

use crate::claimed_file::write_claimed;
use crate::context::ExportContext;
use crate::name_book::{Claim, NameBook};
use crate::options::ExportOptions;

/// The sheets of an order: all are laid out alike, since all its crops have the same size.
pub(super) struct Sheets<'a> {
    layout: SheetLayout,
    format: SheetFormat,
    encode: &'a EncodeSpec,
}

impl<'a> Sheets<'a> {
    /// What `order` asks for; `None` for no sheets.
    ///
    /// # Errors
    /// The crops do not fit on the paper as asked.
    pub(super) fn of(options: &ExportOptions<'a>) -> Result<Option<Self>, SheetError> {
        let Some(spec) = options.recipe.sheet.filter(|_| options.depth != Depth::Detect) else { return Ok(None) };
        let layout = spec.layout(options.recipe.crop.output, options.recipe.encode.dpi)?;
        Ok(Some(Self { layout, format: spec.format, encode: &options.recipe.encode }))
    }

    /// The name of the sheet beside the file `crop` of the photo `source`.
    ///
    /// # Errors
    /// As [`NameBook::claim`].
    pub(super) fn claim(&self, crop: &Path, source: &Path, names: &mut NameBook) -> Result<Claim, EncodeError> {
        names.claim(source, &names.sheet_name(crop), self.format.extension())
    }

    /// Writes the sheet of `crop`, which lies in the file `written`, under the name that was claimed for it, or one claimed now;
    /// `None` where there is one already that is to stay. `notes` gets what a person should know of it.
    ///
    /// # Errors
    /// The sheet cannot be made or written.
    pub(super) fn write(
        &self,
        crop: &Crop,
        (written, claimed): (&Path, Option<Result<Claim, EncodeError>>),
        source: &Path,
        context: &mut dyn ExportContext,
        notes: &mut Vec<CropNote>,
    ) -> Result<Option<PathBuf>, EncodeError> {
        let mut claim = claimed;
        if claim.is_none() {
            context.names(&mut |names| claim = Some(self.claim(written, source, names)));
        }
        let sheet = match claim.transpose()? {
            Some(Claim::Skip { .. }) | None => None,
            Some(Claim::Write { path, replace }) => {
                let encoded = encode_sheet(crop, &self.layout, self.format, self.encode)?;
                // What was said of the crop itself holds for its sheet as well.
                let new = encoded.notes.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>();
                notes.extend(new.into_iter().map(|note| CropNote::OnSheet(Box::new(note))));
                write_claimed(&encoded.bytes, path, replace, context, |path, names| {
                    names.claim_again(path, source, &names.sheet_name(written), self.format.extension())
                })?
            }
        };
        if sheet.is_none() {
            notes.push(CropNote::SheetThere);
        }
        Ok(sheet)
    }
}

#[cfg(test)]
mod tests;
