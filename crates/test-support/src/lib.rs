//! What tests of several crates stand on: sample photos, folders, a real library. No part of the program.

pub mod library_stubs;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/test-support lies in it")
}

/// The folder of sample photos in this repository.
pub fn samples() -> PathBuf {
    root().join("assets/samples")
}

/// The folder of further test photos beside the repository, where there is one: more is tested then.
pub fn shared() -> Option<PathBuf> {
    let shared = root().join("../shared");
    shared.join("testdata").is_dir().then_some(shared)
}

/// A photo with one face.
pub fn portrait() -> PathBuf {
    samples().join("astronaut.png")
}

/// The pixels of a file by its content; fails the test where it is no picture.
pub fn read_picture(path: impl AsRef<Path>) -> image::DynamicImage {
    let bytes = fs::read(path).expect("there");
    image::load_from_memory(&bytes).expect("decodes")
}

/// An empty folder that is gone with the value.
pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Copies the portrait to `folder/name`, making the folders between.
pub fn put_portrait(folder: &Path, name: impl AsRef<OsStr>) -> PathBuf {
    let path = folder.join(name.as_ref());
    fs::create_dir_all(path.parent().expect("a parent")).expect("made");
    fs::copy(portrait(), &path).expect("copied");
    path
}

/// Writes a picture of a smooth ramp, in which there is no face.
pub fn put_ramp(path: &Path, width: u32, height: u32) {
    let ramp = image::RgbImage::from_fn(width, height, |x, y| image::Rgb([(x % 256) as u8, (y % 256) as u8, 90]));
    ramp.save(path).expect("written");
}

/// Every file below `folder` but journals with its content, by its path from there.
pub fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).expect("readable") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.extend(Some(path).filter(|path| !path.ends_with(".iron-cropper")));
            } else {
                let content = fs::read(&path).unwrap_or_default();
                files.insert(path.strip_prefix(folder).expect("below").to_owned(), content);
            }
        }
    }
    files
}

/// The names of the files below `folder`, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    tree(folder).keys().map(|path| path.to_string_lossy().into_owned()).collect()
}

/// A real ONNX Runtime library, where the environment variable IRON_CROPPER_TEST_ONNXRUNTIME names one: more is tested
/// then.
pub fn real_library() -> Option<PathBuf> {
    std::env::var_os("IRON_CROPPER_TEST_ONNXRUNTIME").filter(|path| !path.is_empty()).map(PathBuf::from)
}
