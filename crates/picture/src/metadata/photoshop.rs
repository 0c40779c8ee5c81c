//! Photoshop image resources, which contain the IPTC datasets.

/// The resource ID of IPTC-IIM datasets.
const IPTC: u16 = 0x0404;

/// The IPTC datasets in `resources`, consecutive `8BIM` resources.
pub(super) fn iptc_in(mut resources: &[u8]) -> Option<&[u8]> {
    // Every iteration consumes at least 12 bytes; other resources (including thumbnails) are skipped.
    while let Some(rest) = resources.strip_prefix(b"8BIM") {
        let id = u16::from_be_bytes(*rest.first_chunk()?);
        let name = usize::from(*rest.get(2)?);
        // The name has a length byte and is padded to an even length with it.
        let rest = rest.get(2 + (1 + name).next_multiple_of(2)..)?;
        let length = usize::try_from(u32::from_be_bytes(*rest.first_chunk()?)).ok()?;
        let data = rest.get(4..)?;
        if id == IPTC {
            return data.get(..length);
        }
        resources = data.get(length.checked_next_multiple_of(2)?..)?;
    }
    None
}
