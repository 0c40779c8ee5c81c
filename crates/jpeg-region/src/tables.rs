//! Tables as specified by DQT and DHT (T.81 sections B.2.4.1 and B.2.4.2).

use crate::huffman::HuffmanTable;

/// Quantization tables by destination, with elements in zigzag order.
pub(crate) type QuantizationTables = [Option<[u16; 64]>; 4];

/// Huffman tables by destination.
#[derive(Debug, Default)]
pub(crate) struct HuffmanTables {
    /// DC tables.
    pub(crate) dc: [Option<HuffmanTable>; 4],
    /// AC tables.
    pub(crate) ac: [Option<HuffmanTable>; 4],
}

impl HuffmanTables {
    /// Parses the parameters of DHT; `None` if they are invalid.
    pub(crate) fn define(&mut self, mut data: &[u8]) -> Option<()> {
        while let Some((&class_and_destination, rest)) = data.split_first() {
            let (bits, rest) = rest.split_first_chunk::<16>()?;
            let total = bits.iter().map(|count| usize::from(*count)).sum();
            let (values, rest) = rest.split_at_checked(total)?;
            let tables = match class_and_destination >> 4 {
                0 => &mut self.dc,
                1 => &mut self.ac,
                _ => return None,
            };
            let table = HuffmanTable { bits: *bits, values: values.to_vec() };
            *tables.get_mut(usize::from(class_and_destination & 15))? = Some(table);
            data = rest;
        }
        Some(())
    }
}

/// Parses the parameters of DQT; `None` if they are invalid.
pub(crate) fn define_quantization(mut data: &[u8], tables: &mut QuantizationTables) -> Option<()> {
    while let Some((&precision_and_destination, rest)) = data.split_first() {
        let width = 1 + usize::from(precision_and_destination >> 4);
        let (numbers, rest) = rest.split_at_checked(64 * width)?;
        let mut elements = [0; 64];
        for (element, number) in elements.iter_mut().zip(numbers.chunks_exact(width)) {
            *element = match number {
                [low] => u16::from(*low),
                [high, low] => u16::from_be_bytes([*high, *low]),
                _ => return None,
            };
        }
        *tables.get_mut(usize::from(precision_and_destination & 15))? = Some(elements);
        data = rest;
    }
    Some(())
}

/// The maximum DC coefficient for a quantization table that starts with `element`, without the `low` lowest bits: 8
/// bits of luminance or chrominance, and slightly more, since encoders round and sharpen.
pub(crate) fn max_dc(element: u16, low: u8) -> i32 {
    match i32::from(element) << low {
        0 => i16::MAX.into(),
        step => 1280 / step + 2,
    }
}
