//! An EXIF block as fields of a TIFF file's directories, where it cannot go as one piece.

use exif::{Context, In, Reader, Value};
use tiff::tags::{Tag, Type};

/// A field: its value in this machine's order of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) tag: Tag,
    pub(super) kind: Type,
    pub(super) bytes: Vec<u8>,
}

/// The fields of a block, by directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields {
    /// Of the picture itself: camera, author, date.
    pub(super) main: Vec<Field>,
    /// Of the shot.
    pub(super) exif: Vec<Field>,
    /// Of the place.
    pub(super) gps: Vec<Field>,
    /// Of file exchange.
    pub(super) interoperability: Vec<Field>,
}

/// Reads a block; `None` where it is none. What describes how pixels are stored is left out, since that is the new file's
/// own affair, and so is all of the thumbnail.
pub(super) fn read(block: &[u8]) -> Option<Fields> {
    let block = Reader::new().read_raw(block.to_vec()).ok()?;
    let mut fields = Fields::default();
    for field in block.fields().filter(|field| field.ifd_num == In::PRIMARY) {
        let number = field.tag.number();
        let Some((kind, bytes)) = bytes_of(&field.value) else { continue };
        let directory = match field.tag.context() {
            Context::Tiff if is_of_storage(number) => continue,
            Context::Tiff => &mut fields.main,
            Context::Exif => &mut fields.exif,
            Context::Gps => &mut fields.gps,
            Context::Interop => &mut fields.interoperability,
            _ => continue,
        };
        directory.push(Field { tag: Tag::from_u16_exhaustive(number), kind, bytes });
    }
    Some(fields)
}

/// True for what a TIFF file says of its own pixels, of its resolution, and of blocks that are written by other means.
fn is_of_storage(number: u16) -> bool {
    matches!(
        number,
        254..=266 | 273..=284 | 288..=297 | 301 | 317..=347 | 512..=532 | 700 | 33_723 | 34_377 | 34_665 | 34_675 | 34_853
    )
}

fn bytes_of(value: &Value) -> Option<(Type, Vec<u8>)> {
    let bytes = match value {
        Value::Byte(bytes) => (Type::BYTE, bytes.clone()),
        Value::Ascii(texts) => (Type::ASCII, texts.iter().flat_map(|text| text.iter().copied().chain([0])).collect()),
        Value::Short(numbers) => (Type::SHORT, numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()),
        Value::Long(numbers) => (Type::LONG, numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()),
        Value::Rational(numbers) => {
            let parts = numbers.iter().flat_map(|number| [number.num, number.denom]);
            (Type::RATIONAL, parts.flat_map(u32::to_ne_bytes).collect())
        }
        Value::SByte(numbers) => (Type::SBYTE, numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()),
        Value::Undefined(bytes, _) => (Type::UNDEFINED, bytes.clone()),
        Value::SShort(numbers) => (Type::SSHORT, numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()),
        Value::SLong(numbers) => (Type::SLONG, numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()),
        Value::SRational(numbers) => {
            let parts = numbers.iter().flat_map(|number| [number.num, number.denom]);
            (Type::SRATIONAL, parts.flat_map(i32::to_ne_bytes).collect())
        }
        Value::Float(numbers) => (Type::FLOAT, numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()),
        Value::Double(numbers) => (Type::DOUBLE, numbers.iter().flat_map(|number| number.to_ne_bytes()).collect()),
        Value::Unknown(..) => return None,
    };
    (!bytes.1.is_empty()).then_some(bytes)
}
