//! Tests of the library search, and of images from libheif with x265 (see tests/pictures) if the library is installed.

use std::path::{Path, PathBuf};

use geometry::Size;
use outcome::LibraryProblem;

use super::super::isobmff::tests::{HeifBuilder, boxed};
use super::*;
use crate::{Picture, decode_bytes};

macro_rules! picture {
    ($name:literal) => {
        include_bytes!(concat!("../../../../../tests/pictures/", $name))
    };
}

#[test]
fn configured_file_is_the_only_candidate() {
    let named = library::candidates(Some("/some/where/libheif.so".into()), Some(Path::new("/program")));
    assert_eq!(named, [PathBuf::from("/some/where/libheif.so")]);
}

#[test]
fn program_folder_is_the_first_candidate() {
    let program_folder = std::env::temp_dir();
    let files = library::candidates(None, Some(&program_folder));
    assert!(files[0].starts_with(&program_folder));
    assert_eq!(files.iter().all(|file| file.is_absolute()), cfg!(target_os = "windows"));
    assert!(library::candidates(Some("".into()), None).len() > 1 || cfg!(target_os = "windows"));
}

#[test]
fn missing_library_is_reported_with_installation_hint() {
    let Err(problem) = library::load(&["/nowhere/libheif.so".into()]) else { panic!("loaded from nowhere") };
    assert_eq!(problem, LibraryProblem::NotAt { path: "/nowhere/libheif.so".into() });
    let refused =
        header_with(Err(library::library_error(problem)), picture!("grey.heic")).expect_err("is refused").to_string();
    assert!(refused.starts_with("HEIC requires libheif, which is not at"), "{refused}");
    assert!(refused.contains("apt install libheif1") && refused.contains("brew install libheif"), "{refused}");
    let Err(problem) = library::load(&["/nowhere/one".into(), "/nowhere/two".into()]) else { panic!("loaded") };
    assert_eq!(problem, LibraryProblem::NotInstalled);
}

#[test]
fn invalid_library_file_is_reported() {
    let folder = tempfile::tempdir().expect("created");
    let file = folder.path().join("libheif.so");
    std::fs::write(&file, b"no library").expect("written");
    let Err(problem) = library::load(&[file]) else { panic!("loaded text") };
    assert!(matches!(problem, LibraryProblem::Unloadable { .. }), "{problem}");
}

#[test]
fn heic_and_avif_are_distinguished_by_brands() {
    let file =
        |brand, kind| HeifBuilder { brand, items: vec![(kind, vec![1], vec![])], ..HeifBuilder::default() }.file();
    assert_eq!(sniff(picture!("grey.heic")), Some(PictureFormat::Heic));
    assert_eq!(sniff(picture!("grey.avif")), Some(PictureFormat::Avif));
    assert_eq!(sniff(&file(*b"mif1", *b"av01")), Some(PictureFormat::Avif));
    assert_eq!(sniff(&file(*b"mif1", *b"hvc1")), Some(PictureFormat::Heic));
    assert_eq!(sniff(&file(*b"isom", *b"av01")), None);
    assert_eq!(sniff(&boxed(b"moov", b"heic")), None);
}

#[test]
fn metadata_needs_no_library() {
    let (exif, xmp) = metadata(picture!("turned.heic"));
    assert!(exif.is_some_and(|exif| exif.starts_with(b"MM") && exif.windows(8).any(|part| part == b"A person")));
    assert!(xmp.is_some_and(|xmp| xmp.starts_with(b"<x:xmpmeta")));
}

/// `None`, with a message to the test output, if libheif is not installed.
fn decoded(bytes: &[u8]) -> Option<Picture> {
    match decode_bytes(bytes, &DecodeLimits::default()) {
        Ok(picture) => Some(picture),
        Err(DecodeError::NeedsLibrary { problem, .. }) => {
            skipped(&problem.to_string());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn skipped(problem: &str) {
    eprintln!("skipped: libheif {problem}");
}

fn face() -> Vec<u8> {
    let face = decode_bytes(picture!("face.png"), &DecodeLimits::default()).expect("decodes");
    face.pixels.as_u8().expect("8 bits").to_vec()
}

fn mean_difference(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>() / a.len() as f64
}

#[test]
fn rotated_images_are_decoded_upright() {
    let Some(picture) = decoded(picture!("turned.heic")) else { return };
    // Stored 22 x 17, with a transpose.
    assert_eq!((picture.info.format, picture.size()), (PictureFormat::Heic, Size::new(17, 22)));
    let face = face();
    let upright: Vec<u8> = (0..22 * 17)
        .flat_map(|index| {
            let at = (index % 17 * 22 + index / 17) * 3;
            face[at..at + 3].to_vec()
        })
        .collect();
    let mean = mean_difference(picture.pixels.as_u8().expect("8 bits"), &upright);
    assert!(mean < 8.0, "{mean}");
}

#[test]
fn alpha_and_grey_are_kept() {
    let Some(picture) = decoded(picture!("alpha.heic")) else { return };
    assert_eq!(picture.pixels.channels(), Channels::Rgba);
    let samples = picture.pixels.as_u8().expect("8 bits");
    assert!(samples[3] < 20 && samples[samples.len() - 1] > 235);
    let grey = decoded(picture!("grey.heic")).expect("the library is installed");
    assert_eq!(grey.pixels.layout(), PixelLayout { channels: Channels::L, deep: false });
}

#[test]
fn ten_bits_are_scaled_to_sixteen() {
    let Some(picture) = decoded(picture!("10-bit.heic")) else { return };
    assert_eq!(picture.pixels.layout(), PixelLayout { channels: Channels::Rgb, deep: true });
    assert!(picture.pixels.as_u16().expect("16 bits").iter().any(|sample| sample % 257 != 0));
    let shallow = picture.pixels.into_8_bits();
    let mean = mean_difference(shallow.as_u8().expect("8 bits"), &face());
    assert!(mean < 5.0, "{mean}");
}

#[test]
fn truncated_file_is_broken() {
    let file = picture!("grey.heic");
    match decode_bytes(&file[..file.len() - 100], &DecodeLimits::default()) {
        Err(DecodeError::NeedsLibrary { problem, .. }) => skipped(&problem.to_string()),
        Err(DecodeError::Broken { .. }) => {}
        other => panic!("{other:?}"),
    }
}
