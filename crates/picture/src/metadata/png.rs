//! Metadata of a PNG file: `eXIf`, the XMP packet in `iTXt`, ImageMagick's text chunks, and plain text on author,
//! rights and date.

mod keywords;

use std::io::Read;

use flate2::read::ZlibDecoder;
use keywords::Keywords;

use super::{MAX_BLOCK, Metadata, photoshop};

/// Maximum number of chunks: pixels may be split into many, and text may follow them.
const MAX_CHUNKS: usize = 1 << 17;
/// Maximum number of compressed blocks to unpack, to bound the cost.
const MAX_UNPACKED: usize = 8;

/// Reads the blocks of a PNG file.
pub(super) fn read(file: &[u8]) -> Metadata {
    let mut found = Metadata::default();
    let mut keywords = Keywords::default();
    let mut unpacked = 0;
    for (name, data) in chunks(file).take(MAX_CHUNKS) {
        match name {
            b"eXIf" => found.offer_exif(data),
            b"iTXt" | b"zTXt" | b"tEXt" => {
                let Some((keyword, rest)) = split_at_nul(data) else { continue };
                let kind = Kind::of(keyword);
                if kind.is_none() && !keywords.take(keyword) {
                    continue;
                }
                let Some((is_packed, text)) = text_of(name, rest) else { continue };
                let unpacked_text;
                let text = if !is_packed {
                    text
                } else if unpacked < MAX_UNPACKED {
                    unpacked += 1;
                    unpacked_text = unpack(text).unwrap_or_default();
                    &unpacked_text
                } else {
                    continue;
                };
                match kind {
                    Some(kind) => kind.offer(text, &mut found),
                    None => keywords.offer(keyword, text, name == b"iTXt"),
                }
            }
            _ => {}
        }
    }
    // An XMP packet takes precedence.
    if let Some(packet) = keywords.packet() {
        found.offer_xmp(&packet);
    }
    found
}

/// The content of a text chunk.
#[derive(Clone, Copy)]
enum Kind {
    Xmp,
    RawProfile,
}

impl Kind {
    fn of(keyword: &[u8]) -> Option<Self> {
        match keyword {
            b"XML:com.adobe.xmp" => Some(Self::Xmp),
            b"Raw profile type exif"
            | b"Raw profile type APP1"
            | b"Raw profile type iptc"
            | b"Raw profile type xmp" => Some(Self::RawProfile),
            _ => None,
        }
    }

    fn offer(self, text: &[u8], found: &mut Metadata) {
        let profile;
        let block = match self {
            Self::Xmp => return found.offer_xmp(text),
            Self::RawProfile => {
                profile = from_hex(text).unwrap_or_default();
                &profile[..]
            }
        };
        // The keyword is unreliable: type APP1 holds EXIF or XMP.
        if block.starts_with(b"Exif\0") || super::exif_block::is_block(block) {
            found.offer_exif(block);
        } else if block.starts_with(b"8BIM") {
            found.offer_iptc(photoshop::iptc_in(block).unwrap_or_default());
        } else if block.first() == Some(&0x1c) {
            found.offer_iptc(block);
        } else {
            found.offer_xmp(block.strip_prefix(b"http://ns.adobe.com/xap/1.0/\0").unwrap_or(block));
        }
    }
}

/// Names and data of the chunks up to the end or the first truncated one.
fn chunks(file: &[u8]) -> impl Iterator<Item = (&[u8; 4], &[u8])> {
    let mut rest = file.get(8..).unwrap_or_default();
    std::iter::from_fn(move || {
        let length = usize::try_from(u32::from_be_bytes(*rest.first_chunk()?)).ok()?;
        let name = rest.get(4..)?.first_chunk()?;
        let data = rest.get(8..length.checked_add(8)?)?;
        // A checksum of four bytes follows, which the pixel decoder verifies.
        rest = rest.get(length.checked_add(12)?..).unwrap_or_default();
        Some((name, data))
    })
}

fn split_at_nul(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|&byte| byte == 0)?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

/// The text after a chunk's keyword, and whether it is compressed.
fn text_of<'a>(name: &[u8; 4], rest: &'a [u8]) -> Option<(bool, &'a [u8])> {
    match name {
        b"tEXt" => Some((false, rest)),
        b"zTXt" => Some((true, rest.strip_prefix(&[0])?)),
        _ => {
            let (&is_packed, rest) = rest.split_first()?;
            let (_language, rest) = split_at_nul(rest.get(1..)?)?;
            let (_translated, text) = split_at_nul(rest)?;
            Some((is_packed == 1, text))
        }
    }
}

/// Decompresses text, unless the result exceeds the maximum block size.
fn unpack(text: &[u8]) -> Option<Vec<u8>> {
    let mut unpacked = Vec::new();
    // The hexadecimal form of a block has two characters per byte, and line breaks.
    let max = MAX_BLOCK as u64 * 2 + MAX_BLOCK as u64 / 8;
    ZlibDecoder::new(text).take(max + 1).read_to_end(&mut unpacked).ok()?;
    (unpacked.len() as u64 <= max).then_some(unpacked)
}

/// ImageMagick's raw profile: a name, a length, and that many bytes in hexadecimal.
fn from_hex(text: &[u8]) -> Option<Vec<u8>> {
    let mut lines = text.trim_ascii_start().splitn(3, |&byte| byte == b'\n');
    let _name = lines.next()?;
    let length: usize = std::str::from_utf8(lines.next()?.trim_ascii()).ok()?.parse().ok()?;
    if length > MAX_BLOCK {
        return None;
    }
    let digits = lines.next()?.iter().filter(|byte| !byte.is_ascii_whitespace());
    let digits = digits.map_while(|&byte| Some(char::from(byte).to_digit(16)? as u8)).take(length.checked_mul(2)?);
    let digits: Vec<u8> = digits.collect();
    let (pairs, _) = digits.as_chunks::<2>();
    (pairs.len() == length).then(|| pairs.iter().map(|[high, low]| high * 16 + low).collect())
}
