//! The print sheet that is written beside a crop.

use std::path::{Path, PathBuf};

use outcome::{CropNote, EncodeError};
use picture::{Crop, encode_sheet};
use recipe::{EncodeSpec, SheetError, SheetFormat, SheetLayout, Variant};

use crate::claimed_file::write_claimed;
use crate::context::ExportContext;
use crate::name_book::{Claim, NameBook};

/// The print sheets of an output: all share one layout, since all its crops have the same size.
pub(super) struct Sheets {
    layout: SheetLayout,
    format: SheetFormat,
    encode: EncodeSpec,
}

impl Sheets {
    /// The sheets of `output`; `None` for no sheets.
    ///
    /// # Errors
    /// Fails if the requested copies do not fit on the paper.
    pub(super) fn of(output: &Variant) -> Result<Option<Self>, SheetError> {
        let Some(spec) = output.sheet else { return Ok(None) };
        if output.crop.original_size {
            return Err(SheetError::OriginalSize);
        }
        let layout = spec.layout(output.crop.output, output.encode.dpi)?;
        Ok(Some(Self { layout, format: spec.format, encode: output.encode }))
    }

    /// Claims the name of the sheet for the crop file `crop` of the photo `source`.
    ///
    /// # Errors
    /// As [`NameBook::claim`].
    pub(super) fn claim(&self, crop: &Path, source: &Path, names: &mut NameBook) -> Result<Claim, EncodeError> {
        names.claim(source, &names.sheet_name(crop), self.format.extension())
    }

    /// Writes the sheet of `crop` (the file `written`) under the name claimed for it, or under one claimed now; `None` if
    /// an existing sheet was kept. Notes for the report are appended to `notes`.
    ///
    /// # Errors
    /// Fails if the sheet cannot be encoded or written.
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
                let encoded = encode_sheet(crop, &self.layout, self.format, &self.encode)?;
                // Notes on the crop apply to its sheet too, so they are not repeated.
                let new = encoded.notes.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>();
                notes.extend(new.into_iter().map(|note| CropNote::OnSheet(Box::new(note))));
                write_claimed(&encoded.bytes, path, replace, context, |path, names| {
                    names.claim_again(path, source, &names.sheet_name(written), self.format.extension())
                })?
            }
        };
        if sheet.is_none() {
            notes.push(CropNote::SheetExists);
        }
        Ok(sheet)
    }
}

#[cfg(test)]
mod tests;
