//! Bytes to a file that is whole or not there at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::EncodeError;

/// Start of the name of every file being written; a name like this is left behind only by a killed process or a dead disk.
const PART_PREFIX: &str = ".iron-cropper-";

/// A file that is on the disk, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
}

/// Writes `bytes` beside `path` under a passing name, then gives them their own in one step. Makes the folder where it
/// is missing.
///
/// With `replace` a file that is there is replaced; without, it is left as it is, even where it came into being a moment
/// ago.
///
/// # Errors
/// The folder cannot be made, the file cannot be written, or without `replace` the name is taken. Nothing is left behind.
pub fn write_new(bytes: &[u8], path: &Path, replace: bool) -> Result<Written, EncodeError> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder).map_err(|source| EncodeError::making_folder(folder, source))?;
    let failed = |source| EncodeError::writing(path, source);
    let mut part = new_part(folder).map_err(failed)?;
    part.as_file_mut().write_all(bytes).map_err(failed)?;
    let part = part.into_temp_path();
    if replace { part.persist(path).map_err(|error| error.error) } else { take_free_name(part, path) }
        .map_err(failed)?;
    Ok(Written { path: path.to_owned(), bytes: bytes.len() as u64 })
}

/// An empty file under a passing name, with the permissions of any new file.
fn new_part(folder: &Path) -> io::Result<NamedTempFile> {
    let mut code = None;
    let create = |path: &Path| File::create_new(path).inspect_err(|error| code = error.raw_os_error());
    let part = tempfile::Builder::new().prefix(PART_PREFIX).make_in(folder, create);
    // tempfile adds the passing name to the system's error; nobody knows that file.
    part.map_err(|error| code.map_or(error, io::Error::from_raw_os_error))
}

/// Gives `part` the name `path` unless it is taken.
fn take_free_name(part: TempPath, path: &Path) -> io::Result<()> {
    let refused = match part.persist_noclobber(path) {
        Ok(()) => return Ok(()),
        Err(refused) => refused,
    };
    if refused.error.kind() == io::ErrorKind::AlreadyExists || fs::symlink_metadata(path).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    // Some network and USB file systems can neither rename without replacing nor link. There an empty file takes the
    // name, which fails where it is taken, and is then replaced.
    File::create_new(path)?;
    refused.path.persist(path).map_err(|error| {
        // The failure told is the first one; an empty file that cannot be removed either adds nothing to it.
        let _ = fs::remove_file(path);
        error.error
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("readable");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_written_whole_in_a_folder_that_was_missing() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a/b/crop.jpg");
        let written = write_new(b"pixels", &path, false).expect("written");
        assert_eq!(written, Written { path: path.clone(), bytes: 6 });
        assert_eq!(fs::read(&path).expect("there"), b"pixels");
        assert_eq!(names(&folder.path().join("a/b")), ["crop.jpg"]);
    }

    #[test]
    fn a_taken_name_is_replaced_only_when_asked() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("crop.jpg");
        fs::write(&path, b"old").expect("made");
        assert!(matches!(write_new(b"new", &path, false), Err(EncodeError::NameTaken { .. })));
        assert_eq!(fs::read(&path).expect("there"), b"old");
        write_new(b"new", &path, true).expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"new");
        assert_eq!(names(folder.path()), ["crop.jpg"]);
    }

    #[test]
    fn a_file_in_place_of_the_folder_is_told_apart() {
        let folder = tempfile::tempdir().expect("folder");
        fs::write(folder.path().join("out"), b"a file").expect("made");
        for inside in ["out/crop.jpg", "out/deeper/crop.jpg"] {
            let refused = write_new(b"new", &folder.path().join(inside), false);
            assert!(matches!(refused, Err(EncodeError::FolderIsFile { .. })), "{inside}: {refused:?}");
        }
    }

    #[test]
    fn nothing_is_left_behind_when_the_last_step_fails() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("crop.jpg");
        fs::create_dir(&path).expect("made");
        assert!(write_new(b"new", &path, true).is_err());
        assert!(matches!(write_new(b"new", &path, false), Err(EncodeError::NameTaken { .. })));
        assert_eq!(names(folder.path()), ["crop.jpg"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_refusal_names_the_crop_and_not_its_passing_name() {
        let refused = write_new(b"new", Path::new("/proc/crop.jpg"), false).expect_err("nobody may").to_string();
        assert!(refused.contains("/proc/crop.jpg") && !refused.contains(PART_PREFIX), "{refused}");
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("folder");
        let (plain, crop) = (folder.path().join("plain"), folder.path().join("crop"));
        fs::write(&plain, b"").expect("made");
        write_new(b"", &crop, false).expect("written");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(&crop), mode(&plain));
    }

    #[cfg(unix)]
    #[test]
    fn replacing_a_link_leaves_what_it_points_to() {
        let folder = tempfile::tempdir().expect("folder");
        let (original, link) = (folder.path().join("original"), folder.path().join("crop.jpg"));
        fs::write(&original, b"original").expect("made");
        std::os::unix::fs::symlink(&original, &link).expect("linked");
        write_new(b"new", &link, true).expect("written");
        assert_eq!(fs::read(&original).expect("there"), b"original");
        assert_eq!(fs::read(&link).expect("there"), b"new");
    }
}
