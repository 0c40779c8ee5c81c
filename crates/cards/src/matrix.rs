//! Reads QR codes and Data Matrix codes.
//!
//! Both have error correction. A Data Matrix is small enough to be seen where there is none; its random bytes are hardly ever
//! text, so that a text with control characters other than the usual separators does not count.

use geometry::{Point, Rect};
use outcome::CodeKind;
use rxing::common::HybridBinarizer;
use rxing::datamatrix::DataMatrixReader;
use rxing::multi::MultipleBarcodeReader;
use rxing::qrcode::QRCodeReader;
use rxing::qrcode::cpp_port::QrReader;
use rxing::{BarcodeFormat, BinaryBitmap, DecodeHints, Luma8Source, RXingResult, Reader};

use crate::luma::Luma;
use crate::text::cleaned;
use crate::{Found, around};

/// Maximum number of Data Matrix codes read in an image.
const MAX_DATA_MATRICES: usize = 4;
/// Images with a longer side of this many pixels are not searched for Data Matrix codes: that takes as long as all else, and
/// one with 24 modules is read at half the size if it is 3 % as wide as the photo.
const DATA_MATRIX_LONG_SIDE: u32 = 3000;

/// The QR codes and Data Matrix codes of an image.
pub(crate) fn read(luma: &Luma) -> Vec<Found> {
    let hints = |format| DecodeHints {
        TryHarder: Some(true),
        PossibleFormats: Some([format].into()),
        ..DecodeHints::default()
    };
    let Some(mut bitmap) = bitmap_of(luma) else { return Vec::new() };
    let qr_hints = hints(BarcodeFormat::QR_CODE);
    let mut codes = QrReader.decode_multiple_with_hints(&mut bitmap, &qr_hints).unwrap_or_default();
    if codes.is_empty() {
        // The older reader finds some codes that this one misses.
        codes.extend(QRCodeReader.decode_with_hints(&mut bitmap, &qr_hints));
    }
    let mut found: Vec<Found> = codes.iter().filter_map(|code| accepted(CodeKind::QrCode, code)).collect();
    if luma.size.long_side() >= DATA_MATRIX_LONG_SIDE {
        return found;
    }
    // rxing returns one Data Matrix at a time: the next one is read after the last one is painted over.
    let hints = hints(BarcodeFormat::DATA_MATRIX);
    let Ok(mut code) = DataMatrixReader.decode_with_hints(&mut bitmap, &hints) else { return found };
    drop(bitmap);
    let mut rest = Luma { size: luma.size, samples: luma.samples.clone() };
    for _ in 0..MAX_DATA_MATRICES {
        found.extend(accepted(CodeKind::DataMatrix, &code));
        let Some(region) = region_of(&code) else { break };
        rest.paint_over(region);
        let Some(mut bitmap) = bitmap_of(&rest) else { break };
        let Ok(next) = DataMatrixReader.decode_with_hints(&mut bitmap, &hints) else { break };
        code = next;
    }
    found
}

type Bitmap<'a> = BinaryBitmap<HybridBinarizer<Luma8Source<'a>>>;

fn bitmap_of(luma: &Luma) -> Option<Bitmap<'_>> {
    let source = Luma8Source::new_with_slice(&luma.samples, luma.size.width, luma.size.height).ok()?;
    Some(BinaryBitmap::new(HybridBinarizer::new(source)))
}

/// `code`, if its text counts.
fn accepted(kind: CodeKind, code: &RXingResult) -> Option<Found> {
    let is_separator = |c: char| c.is_ascii_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c) || c == '\u{4}';
    if code.getText().chars().any(|c| c.is_control() && !is_separator(c)) {
        return None;
    }
    let text = cleaned(code.getText());
    Some(Found { kind, text, region: region_of(code)? }).filter(|found| !found.text.is_empty())
}

fn region_of(code: &RXingResult) -> Option<Rect> {
    around(code.getPoints().iter().map(|point| Point::new(point.x, point.y))).filter(|region| region.is_usable())
}
