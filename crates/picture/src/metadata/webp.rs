//! Metadata of a WebP file: RIFF chunks.

use super::Metadata;

/// Maximum number of chunks; an animation has one per frame, and metadata comes last.
const MAX_CHUNKS: usize = 1 << 16;

/// Reads the blocks of a WebP file.
pub(super) fn read(file: &[u8]) -> Metadata {
    let mut found = Metadata::default();
    let mut rest = file.get(12..).unwrap_or_default();
    for _ in 0..MAX_CHUNKS {
        let (Some(name), Some(length)) = (rest.first_chunk::<4>(), rest.get(4..).and_then(<[u8]>::first_chunk)) else {
            break;
        };
        let Ok(length) = usize::try_from(u32::from_le_bytes(*length)) else { break };
        let Some(data) = length.checked_add(8).and_then(|end| rest.get(8..end)) else { break };
        match name {
            b"EXIF" => found.offer_exif(data),
            b"XMP " | b"XMP\0" => found.offer_xmp(data),
            _ => {}
        }
        let Some(after) = length.checked_next_multiple_of(2).and_then(|length| rest.get(length.checked_add(8)?..))
        else {
            break;
        };
        rest = after;
    }
    found
}
