//! EXIF tags that are read, corrected or never copied.

/// Orientation of the stored pixels.
pub(crate) const ORIENTATION: u16 = 0x0112;
/// Horizontal resolution.
pub(crate) const X_RESOLUTION: u16 = 0x011a;
/// Vertical resolution.
pub(crate) const Y_RESOLUTION: u16 = 0x011b;
/// The unit of resolutions: 2 for inches.
pub(crate) const RESOLUTION_UNIT: u16 = 0x0128;
/// Offset of the thumbnail's JPEG file in the block.
pub(crate) const THUMBNAIL_OFFSET: u16 = 0x0201;
/// Size of the thumbnail's JPEG file in bytes.
pub(crate) const THUMBNAIL_LENGTH: u16 = 0x0202;
/// An XMP packet in a TIFF file.
pub(crate) const XMP: u16 = 0x02bc;
/// IPTC-IIM datasets in a TIFF file.
pub(crate) const IPTC: u16 = 0x83bb;
/// Photoshop's resources in a TIFF file.
pub(crate) const PHOTOSHOP: u16 = 0x8649;
/// Pointer to the EXIF directory.
pub(crate) const EXIF_DIRECTORY: u16 = 0x8769;
/// Pointer to the GPS directory.
pub(crate) const GPS_DIRECTORY: u16 = 0x8825;
/// Pointer to the interoperability directory.
pub(crate) const INTEROP_DIRECTORY: u16 = 0xa005;
/// Version of the EXIF standard.
pub(crate) const EXIF_VERSION: u16 = 0x9000;
/// DateTimeOriginal: when the photo was taken.
pub(crate) const DATE_TAKEN: u16 = 0x9003;
/// DateTimeDigitized: when the photo was digitised, for example scanned.
pub(crate) const DATE_DIGITIZED: u16 = 0x9004;
/// SubSecTimeOriginal: the fraction of the second of [`DATE_TAKEN`], in digits.
pub(crate) const FRACTION_TAKEN: u16 = 0x9291;
/// SubSecTimeDigitized: that of [`DATE_DIGITIZED`].
pub(crate) const FRACTION_DIGITIZED: u16 = 0x9292;
/// MakerNote.
pub(crate) const MAKER_NOTE: u16 = 0x927c;
/// PixelXDimension.
pub(crate) const PIXEL_WIDTH: u16 = 0xa002;
/// PixelYDimension.
pub(crate) const PIXEL_HEIGHT: u16 = 0xa003;

/// True for tags of the first directory that describe the pixel layout or coding of this file or positions in the old
/// image, or that contain another block (XMP, IPTC, Photoshop, ICC) or image: invalid in any other file.
pub(crate) fn is_file_specific(tag: u16) -> bool {
    match tag {
        // Layout and coding, from NewSubfileType to Orientation's neighbours.
        0x00fe..=0x0103 | 0x0106..=0x010a | 0x0111 | 0x0115..=0x0119 | 0x011c | 0x011e..=0x0125 | 0x0129 => true,
        // Transfer function, predictor, colours, tiles, further directories, inks, sample formats, clip paths.
        0x012d | 0x013d..=0x014a | 0x014c..=0x015b => true,
        // JPEG in TIFF, a camera's JPEG in a raw file, luminance and chrominance.
        0x002e | 0x0200..=0x0214 | XMP => true,
        // Colour filters, map coordinates of pixels, other blocks, Photoshop's layers.
        0x828d..=0x828f | 0x830e | 0x8480 | 0x8482 | 0x85d8 | 0x87af..=0x87b1 | IPTC | PHOTOSHOP | 0x8773 | 0x935c => {
            true
        }
        EXIF_DIRECTORY | GPS_DIRECTORY | INTEROP_DIRECTORY => true,
        // HD Photo; raw data of DNG; padding by Windows.
        0xbc00..=0xbcff | 0xc612..=0xc7ff | 0xcd2d..=0xcd4b | 0xea1c | 0xea1d => true,
        _ => false,
    }
}

/// The same for the EXIF directory: compression, colour filters, and positions in the old image (subject, focal plane).
pub(crate) fn is_file_specific_in_exif(tag: u16) -> bool {
    matches!(tag, 0x9101 | 0x9102 | 0x9214 | 0xa20e..=0xa210 | 0xa214 | 0xa302 | INTEROP_DIRECTORY | 0xea1c | 0xea1d)
}
