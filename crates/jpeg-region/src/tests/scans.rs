//! Tests of damage inside scans of multi-scan files, damage after them, and DC coefficients out of range.

use super::*;
use crate::damage::DamageCause;
use crate::integrity::{Integrity, integrity};
use crate::structure::Structure;

const SIZE: Size = Size::new(203, 165);

const REQUESTS: [DecodeRequest; 3] = [
    DecodeRequest::new(0, 0, 203, 165, Scale::Full),
    DecodeRequest::new(0, 0, 203, 165, Scale::Eighth),
    DecodeRequest::new(60, 30, 40, 40, Scale::Full),
];

/// The damage of a file; without rows if libjpeg-turbo-rs cannot decode it at all.
fn causes(bytes: &[u8]) -> [Option<DamageCause>; 3] {
    let damage = |request| match read(bytes, request) {
        Ok(decoded) => decoded.damage,
        Err(_) => Jpeg::open(bytes).expect("a header").damage_without_rows(),
    };
    REQUESTS.map(|request| damage(request).map(|damage| damage.cause))
}

fn integrity_of(bytes: &[u8]) -> Integrity {
    integrity(bytes, &Structure::read(bytes).expect("reads"), usize::MAX)
}

/// A file with one scan per component.
fn three_scans(with: impl Fn(Encoder<'_>) -> Encoder<'_>) -> Vec<u8> {
    let samples = photo(SIZE, 3);
    let planes = [0, 1, 2].map(|channel| {
        let plane: Vec<u8> = samples.iter().skip(channel).step_by(3).copied().collect();
        let encoder = encoder(&plane, SIZE, PixelFormat::Grayscale);
        with(encoder.quality(90)).encode().expect("encodes")
    });
    let (frame, scan) = (find(&planes[0], 0xc0), find(&planes[0], 0xda));
    let mut file = planes[0][..frame].to_vec();
    let [high, low, left, right] = [SIZE.height >> 8, SIZE.height, SIZE.width >> 8, SIZE.width].map(|byte| byte as u8);
    file.extend([0xff, 0xc0, 0, 17, 8, high, low, left, right, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
    // The tables and the restart interval.
    file.extend(&planes[0][frame + 13..scan]);
    for (id, plane) in (1..).zip(&planes) {
        let data = &plane[find(plane, 0xda) + 10..plane.len() - 2];
        file.extend([0xff, 0xda, 0, 8, 1, id, 0, 0, 63, 0]);
        file.extend(data);
    }
    file.extend(b"\xff\xd9");
    file
}

#[test]
fn intact_scans_of_every_kind_pass_the_integrity_check() {
    let grey = photo(SIZE, 1);
    let grey = Encoder::new(&grey, 203, 165, PixelFormat::Grayscale).progressive(true).encode().expect("encodes");
    let mut files = vec![grey, three_scans(|encoder| encoder), three_scans(|encoder| encoder.restart_blocks(7))];
    for subsampling in [Subsampling::S444, Subsampling::S422, Subsampling::S420, Subsampling::S440, Subsampling::S411] {
        for quality in [1, 30, 75, 100] {
            files.push(encode(SIZE, subsampling, |encoder| encoder.progressive(true).quality(quality)));
            files.push(encode(SIZE, subsampling, |encoder| {
                encoder.progressive(true).quality(quality).restart_blocks(3)
            }));
        }
    }
    for (at, bytes) in files.iter().enumerate() {
        assert_eq!((integrity_of(bytes), causes(bytes)), (Integrity::Intact, [None; 3]), "file {at}");
    }
}

#[test]
fn damage_in_any_scan_is_detected() {
    let files = [
        encode(SIZE, Subsampling::S420, |encoder| encoder.progressive(true)),
        encode(SIZE, Subsampling::S444, |encoder| encoder.progressive(true).restart_rows(1)),
        three_scans(|encoder| encoder),
        three_scans(|encoder| encoder.restart_blocks(50)),
    ];
    for bytes in files {
        let structure = Structure::read(&bytes).expect("reads");
        assert!(structure.scans.len() >= 3);
        // In a scan of single bits, only the length reveals damage.
        for scan in structure.scans.iter().filter(|scan| scan.data.len() > 400) {
            let middle = scan.data.start + scan.data.len() / 2;
            let mut zeroed = bytes.clone();
            zeroed[middle - 40..middle + 40].fill(0);
            let mut ended = bytes.clone();
            ended[middle..scan.data.end].fill(0);
            let missing = [&bytes[..middle], &bytes[middle + 60..]].concat();
            for (name, bytes) in [("zeroed", zeroed), ("ended", ended), ("missing", missing)] {
                for cause in causes(&bytes) {
                    let cause = cause.unwrap_or_else(|| panic!("{name}, scan at {}", scan.offset));
                    assert!(!matches!(cause, DamageCause::EoiMissing | DamageCause::EndMissing), "{cause}");
                }
            }
        }
    }
}

#[test]
fn missing_scan_is_detected() {
    let bytes = encode(SIZE, Subsampling::S420, |encoder| encoder.progressive(true));
    let structure = Structure::read(&bytes).expect("reads");
    // The tables of the last scan, and nothing after them.
    let last = structure.scans.last().expect("several");
    assert_eq!(bytes[last.offset - 40..last.offset].windows(2).filter(|pair| *pair == b"\xff\xc4").count(), 1);
    let mut zeroed = bytes.clone();
    let end = bytes.len() - 2;
    zeroed[last.offset..end].fill(0);
    // The chroma of one component.
    let colour = three_scans(|encoder| encoder);
    let third = Structure::read(&colour).expect("reads").scans[2].offset;
    let without = [&colour[..third], b"\xff\xd9"].concat();
    for bytes in [zeroed, without] {
        assert_eq!(integrity_of(&bytes), Integrity::ScanMissing);
        assert_eq!(causes(&bytes), [Some(DamageCause::RefinementLost); 3]);
    }
}

#[test]
fn zeros_over_the_rest_of_the_data_are_not_fill_bytes() {
    // In mostly flat images, zeros decode as flat blocks, which take fewer zeros than are available.
    let mut light = photo(SIZE, 3);
    light[..3 * 203 * 120].fill(90);
    for subsampling in [Subsampling::S444, Subsampling::S420] {
        let encoder = Encoder::new(&light, 203, 165, PixelFormat::Rgb).quality(92).subsampling(subsampling);
        let bytes = encoder.optimize_huffman(true).encode().expect("encodes");
        let end = bytes.len() - 2;
        let scan = find(&bytes, 0xda) + 14;
        for percent in [20, 50, 90] {
            let mut zeroed = bytes.clone();
            zeroed[scan + (end - scan) * percent / 100..end].fill(0);
            assert!(causes(&zeroed).iter().all(Option::is_some), "{subsampling:?} from {percent} %");
        }
        for filling in [&[0; 300][..], &[0xff; 5], &[0x55; 40]] {
            let filled = [&bytes[..end], filling, b"\xff\xd9"].concat();
            assert_eq!(causes(&filled), [None; 3], "{subsampling:?} {:x}", filling[0]);
        }
    }
}

#[test]
fn dc_coefficients_out_of_range_are_damage() {
    let light = vec![240; 3 * 203 * 165];
    for progressive in [false, true] {
        let encoder = Encoder::new(&light, 203, 165, PixelFormat::Rgb).quality(95).progressive(progressive);
        let mut bytes = encoder.encode().expect("encodes");
        assert_eq!(causes(&bytes), [None; 3]);
        // A larger quantization step makes the whole image brighter.
        let step = find(&bytes, 0xdb) + 5;
        bytes[step] *= 3;
        assert!(causes(&bytes).iter().all(Option::is_some), "{progressive}");
    }
}
