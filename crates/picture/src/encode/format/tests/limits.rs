//! Tests of size limits and of rejected crops.

use recipe::MetadataPolicy;

use super::*;
use crate::Metadata;

/// Incompressible noise, 120 x 80.
fn noise() -> Crop {
    let size = Size::new(120, 80);
    let mut state = 1_u32;
    let samples = (0..size.pixels() * 3).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_le_bytes()[3]
    });
    crop_of(Pixels::from_u8(size, Channels::Rgb, samples.collect()).expect("fits"))
}

fn limited(format: OutputFormat, max_kilobytes: u32) -> EncodeSpec {
    EncodeSpec { lossless: false, max_kilobytes: Some(max_kilobytes), ..spec(format) }
}

#[test]
fn size_limit_includes_metadata_and_determines_quality() {
    let crop = Crop { icc_profile: Some(vec![7; 1_500].into()), ..noise() };
    for format in [OutputFormat::Jpeg, OutputFormat::WebP] {
        let free = encode(&crop, &EncodeSpec { max_kilobytes: None, ..limited(format, 1) }).bytes.len();
        let mut last = 0;
        for limit in [8, 9, 11] {
            let encoded = encode(&crop, &limited(format, limit));
            assert!(encoded.bytes.len() <= limit as usize * 1_000, "{} {limit}", format.name());
            assert!(
                encoded.bytes.len() > last && encoded.bytes.len() < free,
                "{} {limit}: {last}, {}, {free}",
                format.name(),
                encoded.bytes.len()
            );
            last = encoded.bytes.len();
            let note = encoded.notes[0].to_string();
            assert!(
                note.starts_with("quality lowered from 95 to ")
                    && note.ends_with(&format!(" to stay within {limit} kB")),
                "{note}"
            );
            assert_eq!(encode(&crop, &limited(format, limit)), encoded, "the same again");
        }
        let roomy = encode(&crop, &limited(format, 100));
        assert_eq!((roomy.bytes.len(), roomy.notes.len()), (free, 0));
    }
}

#[test]
fn long_profiles_and_metadata_give_way_to_the_picture() {
    let spec = EncodeSpec { quality: 50, metadata: MetadataPolicy::All, ..limited(OutputFormat::Jpeg, 8) };
    let encoded = |crop: &Crop, limit| {
        let encoded = encode(crop, &EncodeSpec { max_kilobytes: limit, ..spec });
        (encoded.bytes.len(), messages(&encoded.notes))
    };
    let plain = encoded(&noise(), Some(8));
    assert_eq!(plain.1, Vec::<String>::new());
    let with_profile = Crop { icc_profile: Some(vec![7; 9_000].into()), ..noise() };
    let note = "colours were converted to sRGB: the profile takes more than a quarter of 8 kB";
    assert_eq!(encoded(&with_profile, Some(8)), (plain.0, vec![note.to_owned()]));
    assert!(encoded(&with_profile, None).0 > plain.0 + 9_000, "kept without a limit");
    let mut packet =
        b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
        <rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/' dc:source='"
            .to_vec();
    packet.extend([b'a'; 9_000]);
    packet.extend(b"'/></rdf:RDF></x:xmpmeta>");
    let with_metadata =
        Crop { metadata: Arc::new(Metadata { xmp: Some(packet.into()), ..Metadata::default() }), ..noise() };
    let note = "XMP was not written: it takes more than a quarter of 8 kB";
    assert_eq!(encoded(&with_metadata, Some(8)), (plain.0, vec![note.to_owned()]));
    assert!(encoded(&with_metadata, None).0 > plain.0 + 9_000);
}

#[test]
fn an_srgb_profile_is_dropped_without_a_note() {
    let profile = ColorProfile::new_srgb().encode().expect("encodes");
    let crop = Crop { icc_profile: Some(profile.into()), ..noise() };
    let spec = EncodeSpec { quality: 10, metadata: MetadataPolicy::Strip, ..limited(OutputFormat::Jpeg, 2) };
    let (limited, plain) = (encode(&crop, &spec), encode(&noise(), &spec));
    assert_eq!(limited, plain);
}

#[test]
fn avif_respects_the_size_limit() {
    let crop = noise();
    let free = encode(&crop, &EncodeSpec { max_kilobytes: None, ..limited(OutputFormat::Avif, 1) }).bytes.len();
    assert!(free > 4_000, "{free}");
    assert!(encode(&crop, &limited(OutputFormat::Avif, 4)).bytes.len() <= 4_000);
}

#[test]
fn unreachable_size_limit_reports_the_necessary_size() {
    let crop = noise();
    for format in OutputFormat::ALL {
        let spec = EncodeSpec { lossless: true, ..limited(format, 1) };
        let refused = encode_crop(&crop, &spec, Color::WHITE).expect_err("too large");
        let EncodeError::TooLarge { format: named, kilobytes_needed, limit } = &refused else { panic!("{refused}") };
        assert_eq!((*named, *limit), (format, 1));
        assert!(*kilobytes_needed > 1, "{refused}");
        let enough = EncodeSpec { max_kilobytes: Some(*kilobytes_needed as u32), ..spec };
        assert!(encode_crop(&crop, &enough, Color::WHITE).is_ok(), "{refused}");
        let message = refused.to_string();
        assert!(message.contains(&format!("{kilobytes_needed} kB as {}", format.name())), "{message}");
    }
}

#[test]
fn lossless_formats_increase_compression_to_meet_the_limit() {
    // Repeating rows: fast compression is less effective on them.
    let size = Size::new(128, 128);
    let samples = (0..size.pixels() as u32).map(|at| ((at % 128) * 37 % 101) as u8 ^ (at / 128 % 7) as u8);
    let crop = crop_of(Pixels::from_u8(size, Channels::L, samples.collect()).expect("fits"));
    for format in [OutputFormat::Png, OutputFormat::Tiff] {
        let bytes = |compression| encode(&crop, &EncodeSpec { compression, ..spec(format) }).bytes;
        let (fast, small) = (bytes(Compression::Fast), bytes(Compression::Small));
        let limit = small.len().div_ceil(1_000);
        assert!(fast.len() > limit * 1_000, "{}: {} and {}", format.name(), fast.len(), small.len());
        let encoded = encode(&crop, &EncodeSpec { max_kilobytes: Some(limit as u32), ..spec(format) });
        assert!(encoded.bytes.len() <= limit * 1_000);
    }
}

#[test]
fn empty_and_oversized_crops_are_rejected() {
    let empty = crop_of(Pixels::from_u8(Size::new(0, 5), Channels::Rgb, Vec::new()).expect("fits"));
    for format in OutputFormat::ALL {
        let refused = encode_crop(&empty, &spec(format), Color::WHITE);
        assert!(matches!(refused, Err(EncodeError::Encoder { .. })), "{}", format.name());
    }
    let size = Size::new(65_536, 1);
    let long = crop_of(Pixels::from_u8(size, Channels::L, vec![1; size.pixels() as usize]).expect("fits"));
    for format in OutputFormat::ALL {
        let encoded = encode_crop(&long, &spec(format), Color::WHITE);
        match format {
            OutputFormat::Png | OutputFormat::Tiff => assert!(encoded.is_ok(), "{}", format.name()),
            _ => {
                let message = encoded.expect_err("too long").to_string();
                assert!(message.contains("65536") && message.contains(&format.max_side().to_string()), "{message}");
            }
        }
    }
}

#[test]
fn out_of_range_values_are_rejected_before_encoding() {
    let usual = EncodeSpec::default();
    for (spec, message) in [
        (EncodeSpec { quality: 0, ..usual }, "a quality of 0 is outside 1 to 100"),
        (EncodeSpec { quality: 101, ..usual }, "a quality of 101 is outside 1 to 100"),
        (EncodeSpec { avif_speed: 0, ..usual }, "an AVIF speed of 0 is outside 1 to 10"),
        (EncodeSpec { avif_speed: 11, ..usual }, "an AVIF speed of 11 is outside 1 to 10"),
        (EncodeSpec { dpi: 0, ..usual }, "a resolution of 0 dpi is outside 1 to 10000"),
        (EncodeSpec { dpi: 10_001, ..usual }, "a resolution of 10001 dpi is outside 1 to 10000"),
        (
            EncodeSpec { max_kilobytes: Some(0), ..usual },
            "a limit of 0 kB allows no file; give at least 1 kB, or no limit",
        ),
    ] {
        assert_eq!(spec.check().expect_err("out of range").to_string(), message);
        let refused = encode_crop(&flat(Channels::L, &[1]), &spec, Color::WHITE).expect_err("out of range");
        assert_eq!(refused.to_string(), message);
    }
    for spec in [usual, EncodeSpec { quality: 1, avif_speed: 10, dpi: 10_000, max_kilobytes: Some(1), ..usual }] {
        assert_eq!(spec.check(), Ok(()));
    }
}
