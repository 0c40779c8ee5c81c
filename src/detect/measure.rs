//! What the pixels of faces show: sharpness, light, the top of the hair.

use crate::decode::Picture;
use crate::geometry::Face;

/// Measures each of `faces`, found in `picture`, from the pixels at hand.
pub fn measure_faces(picture: &Picture, faces: &mut [Face]) {
    let _ = (picture, faces);
}
