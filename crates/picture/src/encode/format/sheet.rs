//! Print sheets.

use std::sync::Arc;

use outcome::EncodeError;
use recipe::{Color, EncodeSpec, MetadataPolicy, OutputFormat, SheetFormat, SheetLayout};

use super::super::metadata::Blocks;
use super::{Encoded, encode_with_blocks, fit, pdf};
use crate::{Crop, render_sheet};

/// Encodes copies of `crop` on white paper according to `layout`, with the colour profile and the layout's resolution.
///
/// `spec` is that of the crop: its quality, chroma subsampling, compression and colour policy apply. If it is lossless,
/// so is the crop inside a PDF. Its size limit does not apply: that is for web forms. The photo's metadata is dropped
/// under every policy: prints are handed out, and on paper none of it is visible.
///
/// # Errors
/// A value of the spec is out of range, the layout is for crops of another size, or an encoder fails.
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
    // Expensive conversions are applied to the single copy, not to the whole sheet.
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
