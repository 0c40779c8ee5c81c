//! Protocol buffer fields, read and rewritten without a schema, as far as ONNX files need it.

use outcome::ModelFault;

/// The bytes are not a protocol buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", ModelFault::NotOnnx)]
pub struct WireError;

impl From<WireError> for ModelFault {
    fn from(_: WireError) -> Self {
        Self::NotOnnx
    }
}

/// The value of one field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value<'a> {
    /// Wire type 0: numbers and enumerations.
    Varint(u64),
    /// Wire type 1: eight bytes.
    Fixed64([u8; 8]),
    /// Wire type 2: text, bytes, a message, or packed numbers.
    Bytes(&'a [u8]),
    /// Wire type 5: four bytes.
    Fixed32([u8; 4]),
}

/// A field: number, value, and its raw bytes in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    pub(super) number: u64,
    pub(super) value: Value<'a>,
    pub(super) raw: &'a [u8],
}

impl<'a> Field<'a> {
    /// The bytes of a text, message or packed field; empty for numbers.
    pub(super) fn bytes(&self) -> &'a [u8] {
        match self.value {
            Value::Bytes(bytes) => bytes,
            _ => &[],
        }
    }

    /// The text, with invalid UTF-8 replaced.
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }

    /// The integers of a field that may be packed.
    pub(super) fn integers(&self) -> Result<Vec<i64>, WireError> {
        match self.value {
            Value::Varint(number) => Ok(vec![number.cast_signed()]),
            Value::Bytes(mut packed) => {
                let mut numbers = Vec::new();
                while !packed.is_empty() {
                    numbers.push(varint(&mut packed)?.cast_signed());
                }
                Ok(numbers)
            }
            _ => Err(WireError),
        }
    }
}

/// The fields of a message in file order.
pub(super) fn fields(mut message: &[u8]) -> impl Iterator<Item = Result<Field<'_>, WireError>> {
    std::iter::from_fn(move || {
        if message.is_empty() {
            return None;
        }
        let field = next(&mut message);
        if field.is_err() {
            message = &[]; // Nothing after a malformed field can be interpreted.
        }
        Some(field)
    })
}

fn next<'a>(rest: &mut &'a [u8]) -> Result<Field<'a>, WireError> {
    let start = *rest;
    let tag = varint(rest)?;
    let value = match tag & 7 {
        0 => Value::Varint(varint(rest)?),
        1 => Value::Fixed64(*take(rest, 8)?.first_chunk().ok_or(WireError)?),
        2 => {
            let length = usize::try_from(varint(rest)?).map_err(|_| WireError)?;
            Value::Bytes(take(rest, length)?)
        }
        5 => Value::Fixed32(*take(rest, 4)?.first_chunk().ok_or(WireError)?),
        _ => return Err(WireError),
    };
    Ok(Field { number: tag >> 3, value, raw: &start[..start.len() - rest.len()] })
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8], WireError> {
    let (taken, left) = rest.split_at_checked(length).ok_or(WireError)?;
    *rest = left;
    Ok(taken)
}

fn varint(rest: &mut &[u8]) -> Result<u64, WireError> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, left) = rest.split_first().ok_or(WireError)?;
        *rest = left;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(WireError)
}

/// The edit of a field in a rewritten message.
pub(super) enum FieldEdit {
    /// Copied unchanged.
    Keep,
    /// Removed.
    Drop,
    /// Replaced by a message or text with the same field number.
    Replace(Vec<u8>),
}

/// Copies `message` field by field with the edits returned by `decide`.
pub(super) fn rewrite<'a, E: From<WireError>>(
    message: &'a [u8],
    mut decide: impl FnMut(&Field<'a>) -> Result<FieldEdit, E>,
) -> Result<Vec<u8>, E> {
    let mut written = Vec::with_capacity(message.len());
    for field in fields(message) {
        let field = field?;
        match decide(&field)? {
            FieldEdit::Keep => written.extend_from_slice(field.raw),
            FieldEdit::Drop => {}
            FieldEdit::Replace(bytes) => put_bytes(&mut written, field.number, &bytes),
        }
    }
    Ok(written)
}

/// Appends a text or message field.
pub(super) fn put_bytes(written: &mut Vec<u8>, number: u64, bytes: &[u8]) {
    put_varint(written, number << 3 | 2);
    put_varint(written, bytes.len() as u64);
    written.extend_from_slice(bytes);
}

fn put_varint(written: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        written.push(number as u8 | 0x80);
        number >>= 7;
    }
    written.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_and_copied_byte_for_byte() {
        let mut message = vec![0x08, 0x96, 0x01]; // Field 1, 150.
        put_bytes(&mut message, 20, b"words");
        message.extend_from_slice(&[0x1d, 0, 0, 0x80, 0x3f]); // Field 3, 1.0 in four bytes.
        let read: Vec<Field<'_>> = fields(&message).map(|field| field.expect("complete")).collect();
        assert_eq!(read[0].value, Value::Varint(150));
        assert_eq!((read[1].number, read[1].text().as_str()), (20, "words"));
        assert_eq!(read[2].value, Value::Fixed32(1.0_f32.to_le_bytes()));
        let same = rewrite(&message, |_| Ok::<_, WireError>(FieldEdit::Keep));
        assert_eq!(same.as_deref(), Ok(&message[..]));
        let less = rewrite(&message, |field| {
            Ok::<_, WireError>(if field.number == 20 { FieldEdit::Drop } else { FieldEdit::Keep })
        });
        assert_eq!(less.expect("rewrites").len(), message.len() - 8);
    }

    #[test]
    fn truncated_and_overlong_fields_are_errors() {
        for broken in
            [&[0x08][..], &[0x08, 0xff], &[0x0a, 0x7f, 1], &[0x0b], &[0xff; 12], &[0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]]
        {
            let read: Vec<_> = fields(broken).collect();
            assert!(read.last().is_some_and(Result::is_err) && read.len() <= 2, "{broken:?}: {read:?}");
        }
    }
}
