//! Sheets of copies to print.

use std::sync::Arc;

use outcome::EncodeError;
use recipe::{Color, EncodeSpec, MetadataPolicy, OutputFormat, SheetFormat, SheetLayout};

use super::super::metadata::Blocks;
use super::{Encoded, encode_with_blocks, fit, pdf};
use crate::{Crop, render_sheet};

/// Encodes copies of `crop` on white paper as `layout` says, with the colour profile and the layout's resolution.
///
/// `spec` is that of the crop: its quality, colour samples, compression and choice of colours count. Where it is lossless,
/// so is the crop inside a PDF. Its limit of bytes is the crop's alone: it is made for forms on the web. Nothing of the
/// photo's metadata goes along, whatever the policy: prints are handed out, and on paper none of it is seen.
///
/// # Errors
/// A number of the spec is out of range, the layout is for crops of another size, or an encoder refuses.
pub fn encode_sheet(
    crop: &Crop,
    layout: &SheetLayout,
    format: SheetFormat,
    spec: &EncodeSpec,
) -> Result<Encoded, EncodeError> {
    let refused = |reason: String| EncodeError::Sheet { format, reason };
    let lossless = !spec.is_lossy();
    let spec = EncodeSpec {
        format: if format == SheetFormat::Png { OutputFormat::Png } else { OutputFormat::Jpeg },
        max_kilobytes: None,
        dpi: layout.dpi(),
        metadata: MetadataPolicy::Strip,
        ..*spec
    };
    spec.check()?;
    // Whatever costs time is done to the one copy and not to the whole sheet.
    let mut notes = Vec::new();
    let (pixels, profile) = fit::fitted(crop, &spec, Color::WHITE, &mut notes);
    let (pixels, icc_profile) = (pixels.into_owned(), profile.map(Arc::from));
    let copy = Crop { pixels, icc_profile, metadata: Arc::default() };
    if format == SheetFormat::Pdf {
        let bytes = pdf::encode(&copy, layout, &spec, lossless).map_err(refused)?;
        return Ok(Encoded { bytes, notes });
    }
    let sheet = render_sheet(&copy, layout).map_err(|error| refused(error.to_string()))?;
    let encoded = encode_with_blocks(&sheet, &spec, Color::WHITE, &Blocks::default())?;
    notes.extend(encoded.notes);
    Ok(Encoded { bytes: encoded.bytes, notes })
}
