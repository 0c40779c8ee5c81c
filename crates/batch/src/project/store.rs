//! The project's file: read within limits, written whole, the version before kept beside it.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::form::ProjectForm;
use super::text::{Refusal, made_absolute};
use super::{FileMark, Opened, Project, ProjectError, text};

/// The longest file that is read, in bytes: some hundred thousand photos.
const MAX_BYTES: u64 = 128_000_000;

/// The file beside `path` in which the version before is kept: `school.ironcrop~`.
pub fn previous_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("~");
    PathBuf::from(name)
}

/// True if `folder` lies outside of the folder that the project at `project` lies in, once links are resolved. A project may
/// come from anybody, and its output folder be anywhere.
pub fn lies_outside(folder: &Path, project: &Path) -> bool {
    let own = made_absolute(project).parent().map(real_place);
    own.is_none_or(|own| !real_place(&made_absolute(folder)).starts_with(own))
}

/// `path` with its links resolved, as far as it is there.
fn real_place(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    let Some((above, real)) = there else { return path.to_owned() };
    path.strip_prefix(above).map_or_else(|_| path.to_owned(), |rest| real.join(rest))
}

impl Project {
    /// Reads the project at `path` and looks which of its photos are there.
    ///
    /// # Errors
    /// The file cannot be read, is no project, or is one of a newer program.
    pub fn read(path: &Path) -> Result<Opened, ProjectError> {
        let path = made_absolute(path);
        let text = read_text(&path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let (mut project, lost) = text::read(&text, folder).map_err(|refusal| match refusal {
            Refusal::Newer(version) => ProjectError::Newer { path: path.clone(), version },
            Refusal::NotUnderstood(reason) => ProjectError::NotUnderstood { path: path.clone(), reason },
        })?;
        let mut changed = 0;
        for photo in &mut project.photos {
            let mut now = FileMark::of(&photo.path);
            // The project alone was moved: its photos are where they were.
            if now.is_none()
                && let Some(was_at) = photo.was_at.take()
            {
                now = FileMark::of(&was_at);
                if now.is_some() {
                    photo.path = was_at;
                }
            }
            photo.was_at = None;
            photo.missing = now.is_none();
            changed += usize::from(matches!((now, photo.mark), (Some(now), Some(then)) if now.bytes != then.bytes));
        }
        let output_outside = project.settings.output_folder.as_ref().is_some_and(|output| lies_outside(output, &path));
        Ok(Opened { project, changed, settings_lost: lost.settings, edits_lost: lost.photos, output_outside })
    }

    /// Writes the project to `path`, whole or not at all, and keeps the version that was there as [`previous_of`] it.
    ///
    /// # Errors
    /// The folder cannot be made or the file not be written; what was there is there still.
    pub fn write(&self, path: &Path) -> Result<(), ProjectError> {
        self.put(path, true)
    }

    /// Writes it likewise without keeping what was there.
    ///
    /// # Errors
    /// As [`Project::write`].
    pub fn write_over(&self, path: &Path) -> Result<(), ProjectError> {
        self.put(path, false)
    }

    fn put(&self, path: &Path, keep: bool) -> Result<(), ProjectError> {
        // A project that is a link stays one.
        let target = fs::canonicalize(path).unwrap_or_else(|_| made_absolute(path));
        let mut project = self.clone();
        project.state_of = project.state_of.as_deref().map(made_absolute);
        for photo in &mut project.photos {
            photo.path = made_absolute(&photo.path);
        }
        let named = made_absolute(path);
        let text = text::write(&project, named.parent().unwrap_or(Path::new("")))?;
        write_whole(&target, text.as_bytes(), keep)
            .map_err(|source| ProjectError::Write { path: path.to_owned(), source })
    }
}

fn read_text(path: &Path) -> Result<String, ProjectError> {
    let failed = |source| ProjectError::Read { path: path.to_owned(), source };
    // Opening a pipe would wait for whoever writes into it.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("it is not a file")));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ProjectError::TooLong { path: path.to_owned(), limit: MAX_BYTES });
    }
    let not_text = |_| ProjectError::NotUnderstood { path: path.to_owned(), reason: ProjectForm::NotText };
    String::from_utf8(bytes).map_err(not_text)
}

fn write_whole(target: &Path, bytes: &[u8], keep: bool) -> io::Result<()> {
    let folder = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    if fs::metadata(target).is_ok_and(|there| there.is_dir()) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let new = part(folder, bytes, target)?;
    if keep && let Ok(before) = read_text(target) {
        // What is broken never takes the place of the last one that was not.
        if text::is_sound(&before) && before.as_bytes() != bytes {
            part(folder, before.as_bytes(), target)?.persist(previous_of(target)).map_err(|error| error.error)?;
        }
    }
    new.persist(target).map_err(|error| error.error)?;
    // The new name is on the disk only once the folder is; where a folder cannot be opened, the system does it in time.
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).unwrap_or_else(|error| {
            tracing::debug!(%error, "the folder of a project cannot be synced");
        });
    }
    Ok(())
}

/// A file under a passing name with `bytes` in it, on the disk, with the permissions of what it will replace.
fn part(folder: &Path, bytes: &[u8], target: &Path) -> io::Result<tempfile::TempPath> {
    let create = |path: &Path| File::create_new(path);
    let mut part = tempfile::Builder::new().prefix(".iron-cropper-").make_in(folder, create)?;
    part.as_file_mut().write_all(bytes)?;
    part.as_file().sync_all()?;
    if let Ok(there) = fs::metadata(target) {
        fs::set_permissions(part.path(), there.permissions())?;
    }
    Ok(part.into_temp_path())
}
