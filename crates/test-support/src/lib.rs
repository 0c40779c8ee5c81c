//! Helpers for the tests of several crates: sample photos, temporary folders, a real ONNX Runtime library. Not part of
//! the program.

mod fake_cameras;
pub mod library_stubs;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

pub use fake_cameras::FakeCameras;

/// The root folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/test-support is in the workspace")
}

/// The repository's folder of sample photos.
pub fn samples() -> PathBuf {
    root().join("assets/samples")
}

/// The folder of further test photos beside the repository, if it exists; additional tests then run.
pub fn shared() -> Option<PathBuf> {
    let shared = root().join("../shared");
    shared.join("testdata").is_dir().then_some(shared)
}

/// A photo with one face.
pub fn portrait() -> PathBuf {
    samples().join("astronaut.png")
}

/// The decoded image of a file, with the format detected from its content; fails the test if it is not an image.
pub fn read_picture(path: impl AsRef<Path>) -> image::DynamicImage {
    let bytes = fs::read(path).expect("exists");
    image::load_from_memory(&bytes).expect("decodes")
}

/// A temporary folder, deleted when the value is dropped.
pub fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Copies the portrait to `folder/name` and creates the folders in between.
pub fn put_portrait(folder: &Path, name: impl AsRef<OsStr>) -> PathBuf {
    let path = folder.join(name.as_ref());
    fs::create_dir_all(path.parent().expect("a parent")).expect("created");
    fs::copy(portrait(), &path).expect("copied");
    path
}

/// Writes an image of a smooth gradient without a face.
pub fn put_ramp(path: &Path, width: u32, height: u32) {
    let ramp = image::RgbImage::from_fn(width, height, |x, y| image::Rgb([(x % 256) as u8, (y % 256) as u8, 90]));
    ramp.save(path).expect("written");
}

/// The content of every file in `folder` except journals, by relative path.
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

/// The relative paths of the files in `folder`, sorted.
pub fn names(folder: &Path) -> Vec<String> {
    tree(folder).keys().map(|path| path.to_string_lossy().into_owned()).collect()
}

/// A real ONNX Runtime library, if its path is in the environment variable IRON_CROPPER_TEST_ONNXRUNTIME; additional
/// tests then run.
pub fn real_library() -> Option<PathBuf> {
    in_variable("IRON_CROPPER_TEST_ONNXRUNTIME")
}

/// The same for LiteRT and IRON_CROPPER_TEST_LITERT.
pub fn real_litert() -> Option<PathBuf> {
    in_variable("IRON_CROPPER_TEST_LITERT")
}

fn in_variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from)
}
