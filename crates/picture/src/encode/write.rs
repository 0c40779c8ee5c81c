//! Atomic file writes: a file is complete or absent.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::{NamedTempFile, TempPath};

use outcome::{EncodeError, Written};

use super::Steps;

/// Prefix of the names of temporary files; such a file remains only after a killed process or a disk failure.
const TEMP_PREFIX: &str = ".iron-cropper-";

/// Writes the files of a run.
#[derive(Clone, Debug)]
pub struct Saver {
    /// Prefix of the temporary names.
    prefix: String,
    /// True if a file is synced to the disk before it gets its final name.
    durable: bool,
    steps: Steps,
}

impl Saver {
    /// For files that can be recreated.
    pub fn plain() -> Self {
        Self { prefix: TEMP_PREFIX.to_owned(), durable: false, steps: Steps::default() }
    }

    /// For a run with a journal. Temporary names contain the run's name, so that the remains of a killed run can be
    /// distinguished from the files of other runs.
    pub fn durable(run: &str) -> Self {
        Self { prefix: format!("{TEMP_PREFIX}{run}-"), durable: true, steps: Steps::default() }
    }

    /// The same with counted `steps`.
    #[must_use]
    pub fn with_steps(self, steps: Steps) -> Self {
        Self { steps, ..self }
    }

    /// Writes `bytes` next to `path` under a temporary name, then renames the file atomically. The folder must exist.
    /// `ready` is called before the rename; if it fails, no file is created.
    ///
    /// With `replace` an existing file is replaced; without, it is never touched, even if it was created a moment ago.
    ///
    /// # Errors
    /// The file cannot be written, or without `replace` it exists. No temporary file remains.
    pub fn save(
        &self,
        bytes: &[u8],
        path: &Path,
        replace: bool,
        ready: &mut dyn FnMut() -> io::Result<()>,
    ) -> Result<Written, EncodeError> {
        self.save_with(path, replace, &mut |file| file.write_all(bytes), ready)
    }

    /// The same with the content that `fill` writes to the empty file.
    ///
    /// # Errors
    /// As [`Saver::save`], or `fill` has failed.
    pub fn save_with(
        &self,
        path: &Path,
        replace: bool,
        fill: &mut dyn FnMut(&mut File) -> io::Result<()>,
        ready: &mut dyn FnMut() -> io::Result<()>,
    ) -> Result<Written, EncodeError> {
        let folder = folder_of(path);
        let failed = |source| EncodeError::writing(path, source);
        self.steps.take().map_err(failed)?;
        let mut part = new_part(folder, &self.prefix).map_err(failed)?;
        let filled = self.fill(part.as_file_mut(), fill).and_then(|bytes| ready().map(|()| bytes));
        let filled = filled.and_then(|bytes| self.steps.take().map(|()| bytes));
        let mut part = part.into_temp_path();
        let bytes = match filled {
            Ok(bytes) => bytes,
            Err(error) => {
                // A killed process removes nothing.
                part.disable_cleanup(self.steps.are_over());
                return Err(failed(error));
            }
        };
        if replace { part.persist(path).map_err(|error| error.error) } else { rename_new(part, path) }
            .map_err(failed)?;
        Ok(Written { path: path.to_owned(), bytes })
    }

    /// Returns the length of the file.
    fn fill(&self, file: &mut File, fill: &mut dyn FnMut(&mut File) -> io::Result<()>) -> io::Result<u64> {
        fill(file)?;
        self.steps.take()?;
        if self.durable {
            file.sync_all()?;
        }
        file.metadata().map(|metadata| metadata.len())
    }
}

/// Creates `folder` and its parents as far as they are missing.
///
/// # Errors
/// The folder cannot be created.
pub fn create_folder(folder: &Path) -> Result<(), EncodeError> {
    fs::create_dir_all(folder).map_err(|source| EncodeError::making_folder(folder, source))
}

/// Writes a complete file like [`Saver::save`], without syncing it to the disk. Creates its folder if it is missing.
///
/// # Errors
/// The folder cannot be created, or as [`Saver::save`].
pub fn write_new(bytes: &[u8], path: &Path, replace: bool) -> Result<Written, EncodeError> {
    create_folder(folder_of(path))?;
    Saver::plain().save(bytes, path, replace, &mut || Ok(()))
}

/// Syncs the entries of `folder` to the disk. Does nothing on systems without such an operation.
///
/// # Errors
/// The folder cannot be opened, or the disk fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        // Some network file systems reject this; they sync names themselves.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        synced => synced,
    }
}

/// Removes temporary files of the runs named `runs` from `folder`. The runs must have ended. Returns the number of
/// files; those that cannot be removed stay.
pub fn remove_parts(folder: &Path, runs: &HashSet<&str>) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let parts = entries.flatten().filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let run = name.strip_prefix(TEMP_PREFIX).and_then(|rest| rest.split_once('-')).map(|(run, _)| run);
        run.is_some_and(|run| runs.contains(run)) && entry.file_type().is_ok_and(|kind| kind.is_file())
    });
    parts.filter(|part| fs::remove_file(part.path()).is_ok()).count()
}

pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// An empty file under a temporary name, with the permissions of any new file.
fn new_part(folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
    let mut code = None;
    let create = |path: &Path| File::create_new(path).inspect_err(|error| code = error.raw_os_error());
    let part = tempfile::Builder::new().prefix(prefix).make_in(folder, create);
    // tempfile adds the temporary name to the system's error, which means nothing to a user.
    part.map_err(|error| code.map_or(error, io::Error::from_raw_os_error))
}

/// Renames `part` to `path` unless that exists.
fn rename_new(part: TempPath, path: &Path) -> io::Result<()> {
    let refused = match part.persist_noclobber(path) {
        Ok(()) => return Ok(()),
        Err(refused) => refused,
    };
    if refused.error.kind() == io::ErrorKind::AlreadyExists || fs::symlink_metadata(path).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    // Some network and USB file systems can neither rename without replacing nor link. There, an empty file reserves
    // the name, which fails if it exists, and is then replaced.
    File::create_new(path)?;
    refused.path.persist(path).map_err(|error| {
        // The first error is reported; a failure to remove the empty file adds nothing.
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
    fn save_creates_missing_folders() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("a/b/crop.jpg");
        let written = write_new(b"pixels", &path, false).expect("written");
        assert_eq!(written, Written { path: path.clone(), bytes: 6 });
        assert_eq!(fs::read(&path).expect("exists"), b"pixels");
        assert_eq!(names(&folder.path().join("a/b")), ["crop.jpg"]);
    }

    #[test]
    fn a_file_may_be_written_in_parts_and_is_absent_if_one_fails() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("crops.zip");
        let save = |parts: &[io::Result<&[u8]>]| {
            let fill = &mut |file: &mut File| {
                parts.iter().try_for_each(|part| match part {
                    Ok(part) => file.write_all(part),
                    Err(error) => Err(error.kind().into()),
                })
            };
            Saver::plain().save_with(&path, true, fill, &mut || Ok(()))
        };
        assert_eq!(save(&[Ok(b"one "), Ok(b"two")]).expect("written"), Written { path: path.clone(), bytes: 7 });
        assert!(save(&[Ok(b"three"), Err(io::ErrorKind::NotFound.into())]).is_err());
        assert_eq!(fs::read(&path).expect("exists"), b"one two");
        assert_eq!(names(folder.path()), ["crops.zip"]);
    }

    #[test]
    fn existing_files_are_replaced_only_on_request() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("crop.jpg");
        fs::write(&path, b"old").expect("created");
        assert!(matches!(write_new(b"new", &path, false), Err(EncodeError::FileExists { .. })));
        assert_eq!(fs::read(&path).expect("exists"), b"old");
        write_new(b"new", &path, true).expect("written");
        assert_eq!(fs::read(&path).expect("exists"), b"new");
        assert_eq!(names(folder.path()), ["crop.jpg"]);
    }

    #[test]
    fn file_in_place_of_the_folder_is_reported() {
        let folder = tempfile::tempdir().expect("folder");
        fs::write(folder.path().join("out"), b"a file").expect("created");
        for inside in ["out/crop.jpg", "out/deeper/crop.jpg"] {
            let refused = write_new(b"new", &folder.path().join(inside), false);
            assert!(matches!(refused, Err(EncodeError::FolderIsFile { .. })), "{inside}: {refused:?}");
        }
    }

    #[test]
    fn failed_save_leaves_no_files() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("crop.jpg");
        fs::create_dir(&path).expect("created");
        assert!(write_new(b"new", &path, true).is_err());
        assert!(matches!(write_new(b"new", &path, false), Err(EncodeError::FileExists { .. })));
        assert_eq!(names(folder.path()), ["crop.jpg"]);
    }

    #[test]
    fn temporary_files_are_removed_by_run() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("crop.jpg");
        let saver = Saver::durable("aa11");
        let cut = |after| {
            let killed = saver.clone().with_steps(Steps::ending_after(after));
            assert!(killed.save(b"pixels", &path, false, &mut || Ok(())).is_err());
        };
        // Before anything, with the bytes written, and just before the rename.
        (0..3).for_each(cut);
        Saver::durable("bb22")
            .with_steps(Steps::ending_after(1))
            .save(b"", &path, false, &mut || Ok(()))
            .expect_err("cut");
        fs::write(folder.path().join(".iron-cropper-aa11-mine.jpg.txt"), b"").expect("created");
        fs::create_dir(folder.path().join(".iron-cropper-aa11-folder")).expect("created");
        assert_eq!(names(folder.path()).len(), 5, "{:?}", names(folder.path()));
        assert_eq!(remove_parts(folder.path(), &HashSet::from(["aa11"])), 3);
        assert_eq!(remove_parts(folder.path(), &HashSet::from(["aa11"])), 0);
        assert_eq!(names(folder.path()).len(), 2);
        saver.save(b"pixels", &path, false, &mut || Ok(())).expect("written");
        sync_folder(folder.path()).expect("synced");
    }

    #[test]
    fn failed_ready_callback_creates_no_file() {
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("crop.jpg");
        let refused = Saver::durable("aa11").save(b"pixels", &path, true, &mut || Err(io::Error::other("not yet")));
        assert!(refused.expect_err("refused").to_string().contains("not yet"));
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn errors_name_the_crop_and_not_its_temporary_name() {
        let refused = write_new(b"new", Path::new("/proc/crop.jpg"), false).expect_err("denied").to_string();
        assert!(refused.contains("/proc/crop.jpg") && !refused.contains(TEMP_PREFIX), "{refused}");
    }

    #[cfg(unix)]
    #[test]
    fn new_files_have_default_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("folder");
        let (plain, crop) = (folder.path().join("plain"), folder.path().join("crop"));
        fs::write(&plain, b"").expect("created");
        write_new(b"", &crop, false).expect("written");
        let mode = |path: &Path| fs::metadata(path).expect("exists").permissions().mode();
        assert_eq!(mode(&crop), mode(&plain));
    }

    #[cfg(unix)]
    #[test]
    fn replacing_a_link_keeps_its_target() {
        let folder = tempfile::tempdir().expect("folder");
        let (original, link) = (folder.path().join("original"), folder.path().join("crop.jpg"));
        fs::write(&original, b"original").expect("created");
        std::os::unix::fs::symlink(&original, &link).expect("linked");
        write_new(b"new", &link, true).expect("written");
        assert_eq!(fs::read(&original).expect("exists"), b"original");
        assert_eq!(fs::read(&link).expect("exists"), b"new");
    }
}
