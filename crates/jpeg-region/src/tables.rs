//! Tables of a JPEG file as DQT and DHT specify them (T.81 sections B.2.4.1 and B.2.4.2).

use crate::huffman::HuffmanTable;

/// The destinations of quantization tables, and what is in them: elements in zigzag order.
pub(crate) type QuantizationTables = [Option<[u16; 64]>; 4];

/// The destinations of Huffman tables, and what is in them.
#[derive(Debug, Default)]
pub(crate) struct HuffmanTables {
    /// Tables of DC coefficients.
    pub(crate) dc: [Option<HuffmanTable>; 4],
    /// Tables of AC coefficients.
    pub(crate) ac: [Option<HuffmanTable>; 4],
}

impl HuffmanTables {
    /// Takes in the parameters of DHT; `None` if they are wrong.
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

/// Takes in the parameters of DQT; `None` if they are wrong.
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

/// The largest that a DC coefficient may be whose quantization table starts with `element`, without its `low` lowest bits: 8 bits of
/// luminance or chrominance, and a bit more, since encoders round and sharpen.
pub(crate) fn max_dc(element: u16, low: u8) -> i32 {
    match i32::from(element) << low {
        0 => i16::MAX.into(),
        step => 1280 / step + 2,
    }
}
