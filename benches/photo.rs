//! The photo used by benchmarks.

use geometry::Size;
use picture::{Filter, Pixels, SourceBox, decode_bytes, resize};
use recipe::DecodeLimits;

/// The bundled portrait.
pub(crate) const PORTRAIT: &[u8] = include_bytes!("../assets/samples/astronaut.png");

/// 24 megapixels.
const PHOTO_SIZE: Size = Size::new(6000, 4000);

/// The portrait, three times side by side on 6000 x 4000 pixels of RGB.
pub(crate) fn pixels() -> Pixels {
    let portrait = decode_bytes(PORTRAIT, &DecodeLimits::default()).expect("decodes");
    let side = PHOTO_SIZE.width / 3;
    let whole = SourceBox::whole(portrait.size());
    let tile = resize(&portrait.pixels, whole, Size::new(side, side), Filter::Lanczos3).expect("resizes");
    let row_bytes = side as usize * tile.channels().count();
    let samples = tile.as_u8().expect("8 bits");
    let rows: Vec<&[u8]> = samples.chunks_exact(row_bytes).collect();
    let samples = (0..PHOTO_SIZE.height as usize).flat_map(|y| rows[y % rows.len()].repeat(3)).collect();
    Pixels::from_u8(PHOTO_SIZE, tile.channels(), samples).expect("fits")
}
