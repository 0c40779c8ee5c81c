//! Converts an EXIF block to fields of TIFF directories, since TIFF cannot store it as a block.

use tiff::tags::{Tag, Type};

use crate::exif_block::{Entry, Exif};
use crate::tiff_directory::ByteOrder;

/// A field; its value is in native byte order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) tag: Tag,
    pub(super) kind: Type,
    pub(super) bytes: Vec<u8>,
}

/// The fields of a block, by directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields {
    /// Image: camera, author, date.
    pub(super) main: Vec<Field>,
    /// Exposure.
    pub(super) exif: Vec<Field>,
    pub(super) gps: Vec<Field>,
    pub(super) interoperability: Vec<Field>,
}

/// Reads a block; `None` if it is invalid. Tags of the pixel layout are dropped, since the new file has its own, and so
/// is the whole thumbnail.
pub(super) fn read(block: &[u8]) -> Option<Fields> {
    let block = Exif::parse(block)?;
    let fields = |entries: &[Entry<'_>]| entries.iter().filter_map(|entry| field(entry, block.order)).collect();
    let mut main: Vec<Field> = fields(&block.primary);
    main.retain(|field| !is_storage_tag(field.tag.to_u16()));
    let (exif, gps, interoperability) = (fields(&block.exif), fields(&block.gps), fields(&block.interop));
    Some(Fields { main, exif, gps, interoperability })
}

/// True for tags of the pixel layout, of the resolution, and of blocks that are written by other means.
fn is_storage_tag(number: u16) -> bool {
    matches!(
        number,
        254..=266 | 273..=284 | 288..=297 | 301 | 317..=347 | 512..=532 | 700 | 33_723 | 34_377 | 34_665 | 34_675 | 34_853
    )
}

/// Converts an entry with values in `order`; `None` if it has no values or a type that TIFF does not define.
fn field(entry: &Entry<'_>, order: ByteOrder) -> Option<Field> {
    // A pointer is invalid in another file.
    let kind = Type::from_u16(entry.kind.0).filter(|kind| *kind != Type::IFD)?;
    let mut bytes = entry.value.to_vec();
    let is_native = (order == ByteOrder::Little) == cfg!(target_endian = "little");
    let number = match kind {
        Type::SHORT | Type::SSHORT => 2,
        Type::DOUBLE => 8,
        // A ratio is two numbers of four bytes.
        Type::LONG | Type::SLONG | Type::FLOAT | Type::RATIONAL | Type::SRATIONAL => 4,
        _ => 1,
    };
    if !is_native {
        bytes.chunks_exact_mut(number).for_each(<[u8]>::reverse);
    }
    if kind == Type::ASCII && bytes.last().is_some_and(|last| *last != 0) {
        bytes.push(0);
    }
    let tag = Tag::from_u16_exhaustive(entry.tag);
    (!bytes.is_empty()).then_some(Field { tag, kind, bytes })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiff_directory::Kind;

    #[test]
    fn exif_fields_are_converted_to_native_byte_order() {
        let block = Exif {
            primary: vec![
                Entry::new(0x010f, Kind::ASCII, b"Iron".to_vec()),
                Entry::new(0x0110, Kind::DIRECTORY, vec![0; 4]),
            ],
            exif: vec![
                Entry::new(0x9201, Kind::RATIONAL, vec![0, 0, 0, 1, 0, 0, 0, 2]),
                Entry::new(0x9202, Kind(12), 0.25_f64.to_be_bytes().to_vec()),
            ],
            ..Exif::empty(ByteOrder::Big)
        };
        let fields = read(&block.write().expect("short")).expect("reads");
        let main: Vec<_> = fields.main.iter().map(|field| (field.tag.to_u16(), &field.bytes[..])).collect();
        assert_eq!(main, [(0x010f, &b"Iron\0"[..])]);
        let ratio = [1_u32.to_ne_bytes(), 2_u32.to_ne_bytes()].concat();
        let bytes: Vec<_> = fields.exif.into_iter().map(|field| field.bytes).collect();
        assert_eq!(bytes, [ratio, 0.25_f64.to_ne_bytes().to_vec()]);
    }
}
