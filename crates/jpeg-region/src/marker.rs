//! Marker codes: the byte after 0xff (T.81 table B.1). Only those that this crate uses.

/// Baseline DCT with Huffman coding.
pub const SOF0: u8 = 0xc0;
/// Extended sequential DCT with Huffman coding.
pub const SOF1: u8 = 0xc1;
/// Progressive DCT with Huffman coding.
pub const SOF2: u8 = 0xc2;
/// Huffman tables.
pub const DHT: u8 = 0xc4;
/// Reserved for extensions.
pub const JPG: u8 = 0xc8;
/// Progressive DCT with arithmetic coding.
pub const SOF10: u8 = 0xca;
/// Conditioning of arithmetic coding.
pub const DAC: u8 = 0xcc;
/// The first of eight restart markers.
pub const RST0: u8 = 0xd0;
/// The last restart marker.
pub const RST7: u8 = 0xd7;
/// Start of image.
pub const SOI: u8 = 0xd8;
/// End of image.
pub const EOI: u8 = 0xd9;
/// Start of scan.
pub const SOS: u8 = 0xda;
/// Quantization tables.
pub const DQT: u8 = 0xdb;
/// Restart interval.
pub const DRI: u8 = 0xdd;
/// Application data: JFIF.
pub const APP0: u8 = 0xe0;
/// Application data: EXIF, XMP.
pub const APP1: u8 = 0xe1;
/// Application data: ICC profiles.
pub const APP2: u8 = 0xe2;
/// Application data: Photoshop's resources.
pub const APP13: u8 = 0xed;
/// Application data: Adobe's colour transform.
pub const APP14: u8 = 0xee;
/// The last application data marker.
pub const APP15: u8 = 0xef;
/// JPEG-LS frame (ITU-T T.87).
pub const SOF55: u8 = 0xf7;
/// Comment.
pub const COM: u8 = 0xfe;
/// Temporary private use in arithmetic coding.
pub const TEM: u8 = 0x01;
