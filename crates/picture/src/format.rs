//! Detection of file formats by content.

use outcome::{DecodeError, PictureFormat};

use super::formats::{heif, jxl, raw};

/// Detects the format from the content of a file.
pub(super) fn sniff(bytes: &[u8]) -> Result<PictureFormat, DecodeError> {
    use image::ImageFormat;
    // Raw files start like TIFF, and HEIF formats like AVIF, so they are checked first.
    if let Some(format) = sniff_modern(bytes) {
        return Ok(format);
    }
    let format = match image::guess_format(bytes) {
        Ok(ImageFormat::Jpeg) => PictureFormat::Jpeg,
        Ok(ImageFormat::Png) => PictureFormat::Png,
        Ok(ImageFormat::WebP) => PictureFormat::WebP,
        Ok(ImageFormat::Bmp) => PictureFormat::Bmp,
        Ok(ImageFormat::Tiff) => PictureFormat::Tiff,
        Ok(ImageFormat::Gif) => PictureFormat::Gif,
        Ok(ImageFormat::Qoi) => PictureFormat::Qoi,
        _ if is_big_tiff(bytes) => PictureFormat::Tiff,
        _ if is_pnm(bytes) => PictureFormat::Pnm,
        _ if is_icon(bytes, 1) => PictureFormat::Ico,
        _ if is_icon(bytes, 2) => return Err(DecodeError::UnknownFormat { found: Some("a Windows cursor") }),
        _ => match recognise(bytes) {
            // TGA has no signature at its start, so it is checked last.
            None if is_tga(bytes) => PictureFormat::Tga,
            found => return Err(DecodeError::UnknownFormat { found }),
        },
    };
    Ok(format)
}

fn is_big_tiff(bytes: &[u8]) -> bool {
    bytes.starts_with(b"II\x2b\0\x08\0\0\0") || bytes.starts_with(b"MM\0\x2b\0\x08\0\0")
}

/// Two letters are a weak signature: white space followed by a number, a comment or (for PAM) a header line is also
/// required.
fn is_pnm(bytes: &[u8]) -> bool {
    let Some([b'P', kind @ b'1'..=b'7', space, rest @ ..]) = bytes.get(..bytes.len().min(64)) else { return false };
    match kind {
        b'7' => *space == b'\n' && rest.first().is_some_and(|byte| byte.is_ascii_uppercase() || *byte == b'#'),
        _ if *space == b'#' => true,
        _ => {
            let next = rest.iter().find(|byte| !byte.is_ascii_whitespace());
            space.is_ascii_whitespace() && next.is_some_and(|byte| byte.is_ascii_digit() || *byte == b'#')
        }
    }
}

/// A directory of icons (`kind` 1) or cursors (2) whose first entry is within the file.
fn is_icon(bytes: &[u8], kind: u8) -> bool {
    let Some([0, 0, found, 0, count, 0, entry @ ..]) = bytes.get(..22) else { return false };
    let long =
        |at: usize| entry.get(at..at + 4).and_then(|four| four.first_chunk()).map(|four| u32::from_le_bytes(*four));
    let (Some(length), Some(offset)) = (long(8), long(12)) else { return false };
    let directory = 6 + 16 * u32::from(*count);
    *found == kind && *count > 0 && length > 0 && offset >= directory && (offset as usize) < bytes.len()
}

/// True if all header fields are consistent: image type, colour map, depth, size and, without a version 2 footer, as
/// much data as uncompressed pixels need or at least one packet per row.
fn is_tga(bytes: &[u8]) -> bool {
    let Some(header) = bytes.first_chunk::<18>() else { return false };
    let [id, has_map, kind, map @ .., depth, descriptor] = header;
    let short = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
    let (map_length, map_depth, width, height) = (short(5), map[4], short(12), short(14));
    let map_fits = match (kind & 7, has_map) {
        (1, 1) => map_length > 0 && matches!(map_depth, 15 | 16 | 24 | 32),
        (2 | 3, 0) => map_length == 0 && map_depth == 0,
        _ => false,
    };
    let depth_fits = match kind {
        1 | 9 => *depth == 8,
        2 | 10 => matches!(depth, 15 | 16 | 24 | 32),
        3 | 11 => matches!(depth, 8 | 16),
        _ => false,
    };
    if !map_fits || !depth_fits || descriptor & 0xc0 != 0 || width == 0 || height == 0 {
        return false;
    }
    if bytes.ends_with(b"TRUEVISION-XFILE.\0") {
        return true;
    }
    let map_bytes = map_length * usize::from(map_depth).div_ceil(8);
    let data = bytes.len().saturating_sub(18 + usize::from(*id) + map_bytes);
    let pixel = usize::from(*depth).div_ceil(8);
    // A truncated file is recognised if it has most of the data that its pixels need.
    let needed = if *kind < 8 { width * height * pixel / 8 } else { width.div_ceil(128) * (pixel + 1) };
    data >= needed.max(1)
}

/// Detects formats that need more than a signature.
fn sniff_modern(bytes: &[u8]) -> Option<PictureFormat> {
    if raw::is_raw(bytes) {
        return Some(PictureFormat::Raw);
    }
    if jxl::is_jxl(bytes) {
        return Some(PictureFormat::Jxl);
    }
    heif::sniff(bytes)
}

/// The name of an unsupported format, if its signature is known.
fn recognise(bytes: &[u8]) -> Option<&'static str> {
    if bytes.get(4..8) == Some(b"ftyp") {
        return Some("a video or another ISO media file");
    }
    let starts: [(&[u8], &str); 18] = [
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive or an office document"),
        (b"8BPS", "a Photoshop document"),
        (b"<svg", "an SVG drawing"),
        (b"\0\0\0\x0cjP  \r\n\x87\n", "JPEG 2000; save it as PNG or TIFF first"),
        (b"\xff\x4f\xff\x51", "JPEG 2000; save it as PNG or TIFF first"),
        (b"DDS ", "DDS, a texture; save it as PNG first"),
        (b"icns", "ICNS, icons of macOS; save it as PNG first"),
        (b"II\xbc", "JPEG XR; save it as PNG first"),
        (b"\x76\x2f\x31\x01", "OpenEXR; save it as 16-bit TIFF first"),
        (b"#?RADIANCE", "Radiance HDR; save it as 16-bit TIFF first"),
        (b"gimp xcf", "a GIMP document; export it as PNG first"),
        (b"AT&TFORM", "DjVu; save it as PNG first"),
        (b"%!PS", "PostScript"),
        (b"\x8aMNG", "MNG; save it as PNG first"),
        (b"FOVb", "Sigma's X3F raw; export it as JPEG first"),
        (b"\0MRM", "Minolta's MRW raw; export it as JPEG first"),
        (b"II\x1a\0\0\0HEAPCCDR", "Canon's CRW raw; export it as JPEG first"),
    ];
    if let Some((_, name)) = starts.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Some(name);
    }
    match *bytes {
        [0x01, 0xda, 0 | 1, 1 | 2, 0, 1..=3, ..] => return Some("SGI; save it as PNG first"),
        [0x0a, 0 | 2..=5, 0 | 1, 1 | 2 | 4 | 8, ..] if bytes.get(64) == Some(&0) => {
            return Some("PCX; save it as PNG first");
        }
        _ => {}
    }
    let head = &bytes[..bytes.len().min(512)];
    let is_text =
        std::str::from_utf8(head).is_ok_and(|text| !text.chars().any(|c| c.is_control() && !c.is_whitespace()));
    is_text.then_some("text")
}

#[cfg(test)]
mod tests;
