//! Tests of round trips and of malicious answers.

use outcome::{Channels, LibraryProblem, PictureNote};

use super::*;

const FORMAT: PictureFormat = PictureFormat::Heic;

/// Bytes of the photo before the answer.
const START: u64 = 5;

fn shared() -> File {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(&[7; START as usize]).expect("written");
    file
}

fn round_trip(answer: Result<Answer, DecodeError>) -> Result<Answer, DecodeError> {
    let mut file = shared();
    write(&mut file, answer).expect("written");
    read(&mut file, FORMAT, START)
}

fn pixels(layout: PixelLayout) -> Pixels {
    let size = Size::new(3, 2);
    let count = 6 * layout.channels.count();
    let samples = if layout.deep {
        Samples::U16((0..count as u16).map(|sample| sample * 1000).collect())
    } else {
        Samples::U8((0..count as u8).collect())
    };
    Pixels::new(size, layout.channels, samples).expect("fits")
}

#[test]
fn every_pixel_layout_survives_a_round_trip() {
    let profiles = [None, Some(None), Some(Some(Arc::from(&b"a profile"[..])))];
    for channels in [Channels::L, Channels::La, Channels::Rgb, Channels::Rgba] {
        for deep in [false, true] {
            for profile in &profiles {
                let pixels = pixels(PixelLayout { channels, deep });
                let damage = Some(Damage { missing_rows: 1, rows: 2, reason: "cut".to_owned() });
                let sent = Decoded {
                    damage: damage.clone(),
                    corner: (16, 8),
                    reduction: 4,
                    icc_profile: profile.clone(),
                    ..Decoded::whole(pixels.clone())
                };
                let Ok(Answer::Pixels(got)) = round_trip(Ok(Answer::Pixels(sent))) else { panic!("no pixels") };
                assert_eq!((got.pixels, got.damage, &got.icc_profile), (pixels, damage, profile));
                assert_eq!((got.corner, got.reduction), ((16, 8), 4));
            }
        }
    }
}

#[test]
fn headers_survive_a_round_trip() {
    let sent = Header {
        stored: Size::new(640, 480),
        orientation: Some(Orientation::Upright),
        layout: PixelLayout { channels: Channels::Rgba, deep: true },
        icc_profile: Some(Arc::from(&b"a profile"[..])),
        decodes_in_part: false,
        note: Some(PictureNote::Hdr),
    };
    let Ok(Answer::Header(got, 27)) = round_trip(Ok(Answer::Header(sent.clone(), 27))) else { panic!("no header") };
    assert_eq!(format!("{got:?}"), format!("{sent:?}"));
}

#[test]
fn errors_keep_their_messages() {
    let format = FORMAT.name();
    let reason = || "its data ends early".to_owned();
    for sent in [
        DecodeError::Broken { format, reason: reason() },
        DecodeError::Unsupported { format, reason: reason() },
        formats::heif::needs_library(LibraryProblem::NotInstalled),
        formats::heif::needs_library(LibraryProblem::NoDecoder { reason: reason() }),
        DecodeError::TooMuchMemory { bytes: 2_000_000, limit: 1_000_000 },
        DecodeError::NoMemory { bytes: 3_000_000 },
        DecodeError::DecoderFailed { format, how: reason() },
    ] {
        let message = sent.to_string();
        let Err(got) = round_trip(Err(sent)) else { panic!("no error: {message}") };
        assert_eq!(got.to_string(), message);
    }
}

#[test]
fn invalid_answers_are_rejected_without_allocation() {
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = shared();
        let sent = Decoded::whole(pixels(PixelLayout::RGB8));
        write(&mut file, Ok(Answer::Pixels(sent))).expect("written");
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(0)).expect("ours");
        file.read_to_end(&mut bytes).expect("ours");
        change(&mut bytes);
        let mut changed = tempfile::tempfile().expect("a file");
        changed.write_all(&bytes).expect("written");
        let answer = read(&mut changed, FORMAT, START);
        matches!(answer, Err(DecodeError::DecoderFailed { .. }))
    };
    assert!(!refused(&|_| ()));
    assert!(refused(&|bytes| bytes.truncate(START as usize)), "an empty answer");
    assert!(refused(&|bytes| bytes.truncate(START as usize + 20)), "truncated JSON");
    assert!(refused(&|bytes| bytes.truncate(bytes.len() - 1)), "a sample too few");
    assert!(refused(&|bytes| bytes.push(0)), "a sample too many");
    assert!(refused(&|bytes| bytes[START as usize..][..8].fill(0xff)), "facts without end");
    let huge = |bytes: &mut Vec<u8>| {
        let facts =
            String::from_utf8_lossy(&bytes[START as usize + 8..]).replace("\"width\":3", "\"width\":4294967295");
        bytes.truncate(START as usize + 8);
        let length = facts.find("}}").map_or(0, |end| end + 2) as u64;
        bytes[START as usize..].copy_from_slice(&length.to_ne_bytes());
        bytes.extend_from_slice(facts.as_bytes());
    };
    assert!(refused(&huge), "a size without its samples");
}

#[test]
fn pixels_outside_the_image_are_detected() {
    let stored = Size::new(100, 100);
    let decoded = |corner, reduction| Decoded { corner, reduction, ..Decoded::whole(pixels(PixelLayout::RGB8)) };
    assert!(is_inside(&decoded((0, 0), 1), stored) && is_inside(&decoded((97, 98), 8), stored));
    for outside in [decoded((200, 0), 1), decoded((0, u32::MAX), 1), decoded((0, 0), 3), decoded((0, 0), u32::MAX)] {
        assert!(!is_inside(&outside, stored), "{outside:?}");
    }
}
