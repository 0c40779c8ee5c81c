//! Arbitrary bytes as the name of a photo: names of crops stay in the folder, are not too long, and are unique.

#![no_main]

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;

use naming::output_stem;
use pipeline::{Claim, NameBook};
use recipe::{OnConflict, OutputSpec};

fuzz_target!(|names: &[u8]| {
    let folder = Path::new("/nonexistent/crops");
    let output = OutputSpec { folder: folder.to_owned(), on_conflict: OnConflict::Suffix };
    let mut book = NameBook::new(output, [] as [&std::path::Path; 0]);
    let mut given = HashSet::new();
    for (index, name) in names.split(|byte| *byte == b'\n').take(32).enumerate() {
        let source = PathBuf::from(from_bytes(name));
        let stem = output_stem(&source, (index % 3 > 0).then_some(index));
        let Ok(Claim::Write { path, .. }) = book.claim(&source, &stem.into(), "jpg") else { continue };
        assert_eq!(path.parent(), Some(folder));
        let Some(name) = path.file_name() else { panic!("no name for {source:?}") };
        assert!(name.len() <= 255, "{name:?}");
        assert!(given.insert(name.to_ascii_lowercase()), "{name:?} twice");
    }
});

#[cfg(unix)]
fn from_bytes(name: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(name.to_vec())
}

#[cfg(not(unix))]
fn from_bytes(name: &[u8]) -> OsString {
    String::from_utf8_lossy(name).into_owned().into()
}
