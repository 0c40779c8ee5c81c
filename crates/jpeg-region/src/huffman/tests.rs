//! Tests of tables and bit reading against a plain implementation.

use super::*;
use crate::bits::BitReader;

/// The standard table of luminance DC coefficients (T.81 table K.3), and a table with codes of 2, 3, 14 and 16 bits.
fn tables() -> [HuffmanTable; 2] {
    let usual = HuffmanTable { bits: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], values: (0..12).collect() };
    let values = vec![0x00, 0x01, 0x12, 0x02, 0xf0, 0x25, 0x0a, 0x51, 0x33];
    [usual, HuffmanTable { bits: [0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3], values }]
}

/// Reads one code bit by bit.
fn slow_value(codes: &[Code], data: &[u8], at: &mut usize) -> Option<u8> {
    let bit = |at: usize| u16::from(data.get(at / 8).copied().unwrap_or(0) >> (7 - at % 8) & 1);
    let mut bits = 0;
    for size in 1..=16_u8 {
        bits = bits << 1 | bit(*at + usize::from(size) - 1);
        if let Some(code) = codes.iter().find(|code| (code.size, code.code) == (size, bits)) {
            *at += usize::from(size);
            return Some(code.value);
        }
    }
    None
}

/// Skips a block's AC coefficients one by one.
fn slow_skip(codes: &[Code], data: &[u8], at: &mut usize) -> Option<()> {
    let mut index = 1;
    while index < 64 {
        let value = slow_value(codes, data, at)?;
        *at += usize::from(value & 15);
        index += match (value >> 4, value & 15) {
            (0, 0) => return Some(()),
            (15, 0) => 16,
            (_, 0) => return None,
            (run, _) => usize::from(run) + 1,
        };
    }
    (index == 64).then_some(())
}

#[test]
fn codes_match_the_standard() {
    let [usual, _] = tables();
    let codes = usual.codes().expect("valid");
    let code = |value: u8| codes.iter().find(|code| code.value == value).map(|code| (code.size, code.code));
    // T.81 table K.3.
    assert_eq!(code(0), Some((2, 0b00)));
    assert_eq!(code(5), Some((3, 0b110)));
    assert_eq!(code(6), Some((4, 0b1110)));
    assert_eq!(code(11), Some((9, 0b1_1111_1110)));
}

#[test]
fn invalid_tables_are_rejected() {
    let bits = |first: [u8; 3]| {
        let mut bits = [0; 16];
        bits[..3].copy_from_slice(&first);
        bits
    };
    assert!(HuffmanTable { bits: bits([2, 0, 0]), values: vec![0, 1] }.codes().is_none(), "ones alone");
    assert!(HuffmanTable { bits: bits([1, 1, 4]), values: vec![0; 6] }.codes().is_none());
    assert!(HuffmanTable { bits: bits([1, 1, 1]), values: vec![0; 2] }.codes().is_none());
    assert!(HuffmanTable { bits: bits([1, 1, 1]), values: vec![0; 3] }.codes().is_some());
}

#[test]
fn missing_codes_are_appended() {
    for (bits, values) in [([(1, 1), (2, 1)], vec![3, 0]), ([(3, 6), (13, 1)], vec![0, 1, 2, 3, 4, 5, 9])] {
        let mut table = HuffmanTable { bits: [0; 16], values };
        for (size, count) in bits {
            table.bits[size - 1] = count;
        }
        let before = table.codes().expect("valid");
        let all = table.with_values_to(11).expect("free codes");
        let after = all.codes().expect("valid");
        assert_eq!(after[..before.len()], before);
        assert!((0..=11).all(|value| after.iter().filter(|code| code.value == value).count() == 1), "{after:?}");
    }
    let mut full = HuffmanTable { bits: [0; 16], values: vec![7] };
    full.bits[15] = 1;
    assert!(full.with_values_to(11).is_some());
    // All but two of the codes of 16 bits.
    let mut none_left =
        HuffmanTable { bits: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0], values: (20..35).collect() };
    assert!(none_left.codes().is_some());
    assert_eq!(none_left.with_values_to(11), None);
    none_left.values = (0..15).collect();
    assert!(none_left.with_values_to(11).is_some());
}

#[test]
fn skipping_matches_the_plain_implementation() {
    let [_, table] = tables();
    let slow = table.codes().expect("valid");
    let derived = DerivedTable::new(&table).expect("valid");
    let mut state = 5_u64;
    let (mut whole, mut broken) = (0, 0);
    for _ in 0..3_000 {
        let data: Vec<u8> = (0..240)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Few ones, to hit existing codes.
                (state >> 33 & state >> 41) as u8
            })
            .collect();
        for from in [0, 3] {
            let mut at = from;
            let expected = slow_skip(&slow, &data, &mut at);
            let mut bits = BitReader::new(&data, from);
            let mut seen = Vec::new();
            assert_eq!(bits.skip_ac(&derived, 1), expected);
            let mut each = BitReader::new(&data, from);
            let read = each.ac_coefficients(&derived, 1, 63, |index, number| seen.push((index, number)));
            assert_eq!(read.map(|_| ()), expected);
            if expected.is_none() {
                broken += 1;
                continue;
            }
            whole += 1;
            assert_eq!((bits.position(), each.position()), (at, at));
            assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0) && seen.iter().all(|(_, number)| *number != 0));
        }
    }
    assert!(whole > 500 && broken > 500, "{whole}, {broken}");
}

#[test]
fn first_bit_determines_the_sign_of_a_number() {
    let [usual, _] = tables();
    let derived = DerivedTable::new(&usual).expect("valid");
    let data = |bits: &str| {
        let number = u32::from_str_radix(bits, 2).expect("bits") << (32 - bits.len());
        [number.to_be_bytes().as_slice(), &[0; 16]].concat()
    };
    // T.81 table K.3: category 0 is 00, 2 is 011, 11 is 111111110.
    for (bits, expected) in [
        ("00", 0),
        ("01111", 3),
        ("01110", 2),
        ("01101", -2),
        ("01100", -3),
        ("11111111000000000000", -2047),
        ("11111111011111111111", 2047),
    ] {
        let data = data(bits);
        let mut reader = BitReader::new(&data, 0);
        assert_eq!(reader.dc_difference(&derived), Some(expected), "{bits}");
        assert_eq!(reader.position(), bits.len());
    }
}
