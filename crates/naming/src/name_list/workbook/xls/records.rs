//! The records of a stream of an old Excel workbook.

use super::{NameListError, fault};

/// A record with the records that continue it.
pub(super) struct Record<'a> {
    pub(super) kind: u16,
    parts: Vec<&'a [u8]>,
}

impl<'a> Record<'a> {
    pub(super) const FORMULA: u16 = 0x0006;
    pub(super) const EOF: u16 = 0x000a;
    pub(super) const DATE_MODE: u16 = 0x0022;
    pub(super) const FILE_PASS: u16 = 0x002f;
    const CONTINUE: u16 = 0x003c;
    pub(super) const CODE_PAGE: u16 = 0x0042;
    pub(super) const BOUND_SHEET: u16 = 0x0085;
    pub(super) const MUL_RK: u16 = 0x00bd;
    pub(super) const RICH_STRING: u16 = 0x00d6;
    pub(super) const XF: u16 = 0x00e0;
    pub(super) const SST: u16 = 0x00fc;
    pub(super) const LABEL_SST: u16 = 0x00fd;
    pub(super) const NUMBER: u16 = 0x0203;
    pub(super) const LABEL: u16 = 0x0204;
    pub(super) const BOOL_ERR: u16 = 0x0205;
    pub(super) const STRING: u16 = 0x0207;
    pub(super) const RK: u16 = 0x027e;
    pub(super) const FORMAT: u16 = 0x041e;
    pub(super) const BOF: u16 = 0x0809;

    pub(super) fn fields(&self) -> Fields<'_> {
        Fields { kind: self.kind, parts: &self.parts, part: 0, at: 0 }
    }
}

/// The records of a stream; ends at one that is cut off.
pub(super) struct Records<'a> {
    rest: &'a [u8],
}

impl<'a> Records<'a> {
    pub(super) fn of(stream: &'a [u8]) -> Self {
        Self { rest: stream }
    }

    /// The next record if it is of this kind, else the next record of any kind.
    fn part(&mut self, wanted: Option<u16>) -> Option<(u16, &'a [u8])> {
        let [kind_low, kind_high, low, high, rest @ ..] = self.rest else { return None };
        let kind = u16::from_le_bytes([*kind_low, *kind_high]);
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let part = rest.get(..length).filter(|_| wanted.is_none_or(|wanted| wanted == kind))?;
        self.rest = &rest[length..];
        Some((kind, part))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let (kind, first) = self.part(None)?;
        let mut parts = vec![first];
        while let Some((_, part)) = self.part(Some(Record::CONTINUE)) {
            parts.push(part);
        }
        Some(Record { kind, parts })
    }
}

/// The fields of a record, read one after the other.
pub(super) struct Fields<'a> {
    kind: u16,
    parts: &'a [&'a [u8]],
    part: usize,
    at: usize,
}

impl<'a> Fields<'a> {
    /// Fields that are not those of a whole record.
    pub(super) fn of(parts: &'a [&'a [u8]]) -> Self {
        Self { kind: 0, parts, part: 0, at: 0 }
    }

    /// The kind of the record.
    pub(super) fn kind(&self) -> u16 {
        self.kind
    }

    /// The number of bytes left in the current part.
    pub(super) fn left(&self) -> usize {
        self.parts.get(self.part).map_or(0, |part| part.len() - self.at)
    }

    /// Moves to the next part if this one has been read; true if it has moved.
    pub(super) fn next_part(&mut self) -> bool {
        let moves = self.left() == 0 && self.part + 1 < self.parts.len();
        if moves {
            (self.part, self.at) = (self.part + 1, 0);
        }
        moves
    }

    /// The next bytes, which are in one part.
    pub(super) fn bytes(&mut self, count: usize) -> Result<&'a [u8], NameListError> {
        self.next_part();
        let part = self.parts.get(self.part).copied().unwrap_or_default();
        let bytes = part.get(self.at..self.at + count).ok_or_else(|| fault(&"a record is too short"))?;
        self.at += count;
        Ok(bytes)
    }

    /// Skips bytes, which may continue in further parts.
    pub(super) fn skip(&mut self, mut count: usize) -> Result<(), NameListError> {
        while count > 0 {
            self.next_part();
            let step = count.min(self.left());
            if step == 0 {
                return Err(fault(&"a record is too short"));
            }
            self.at += step;
            count -= step;
        }
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], NameListError> {
        self.bytes(N)?.try_into().map_err(|error| fault(&error))
    }

    pub(super) fn u8(&mut self) -> Result<u8, NameListError> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn u16(&mut self) -> Result<u16, NameListError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, NameListError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn f64(&mut self) -> Result<f64, NameListError> {
        self.array().map(f64::from_le_bytes)
    }
}
