//! JPEG files of four components: printing inks, which come out as sRGB.
//!
//! Adobe's marker says what the components are, and files that have it store inks inverted: 255 for none. Without the marker
//! components of identifiers 1 to 4 of which the second and third have fewer samples are YCCK, all others CMYK, and the
//! inks are taken in the way that gives less black.

use std::borrow::Cow;

use super::part::Cut;
use super::structure::Structure;
use crate::color::cmyk_to_rgb;

/// True where only all pixels together tell what their numbers mean.
pub(super) fn needs_all_pixels(structure: &Structure) -> bool {
    structure.frame.components.len() == 4 && structure.adobe_transform.is_none()
}

/// Puts Adobe's marker into a YCCK file that lacks it, so that the reader knows what it is.
pub(super) fn mark(cut: &mut Cut, structure: &Structure) {
    if !needs_all_pixels(structure) || !is_ycck(structure) {
        return;
    }
    let mut marked = b"\xff\xd8\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\x02".to_vec();
    marked.extend_from_slice(cut.bytes.get(2..).unwrap_or_default());
    cut.bytes = Cow::Owned(marked);
}

/// `samples`, four a pixel as the reader gives them, as sRGB.
pub(super) fn to_srgb(mut samples: Vec<u8>, structure: &Structure) -> Vec<u8> {
    if structure.adobe_transform.is_some() || is_blacker_as_ink(&samples) {
        for sample in &mut samples {
            *sample = 255 - *sample;
        }
    }
    cmyk_to_rgb(&samples, structure.icc.profile(b"CMYK").as_deref())
}

fn is_ycck(structure: &Structure) -> bool {
    let [first, second, third, fourth] = structure.frame.components.as_slice() else { return false };
    let ids = [first[0], second[0], third[0], fourth[0]];
    ids == [1, 2, 3, 4] && first[1..] == fourth[1..] && second[1..] == third[1..] && first[1..] != second[1..]
}

/// True where the fourth samples are mostly above the middle.
fn is_blacker_as_ink(samples: &[u8]) -> bool {
    let (pixels, _) = samples.as_chunks::<4>();
    pixels.iter().map(|pixel| u64::from(pixel[3])).sum::<u64>() > pixels.len() as u64 * 127
}
