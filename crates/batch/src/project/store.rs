//! Reads project files within limits, and writes them atomically with a backup.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::form::ProjectForm;
use super::text::{ReadError, made_absolute};
use super::{FileMark, Opened, Project, ProjectError, text};

/// Maximum size of a project file in bytes: some hundred thousand photos.
const MAX_BYTES: u64 = 128_000_000;

/// The path of the backup of `path`: `school.ironcrop~`.
pub fn backup_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("~");
    PathBuf::from(name)
}

/// True if `folder` is outside the folder of the project file `project`, after resolving links. A project is untrusted
/// input, so its output folder could be anywhere.
pub fn lies_outside(folder: &Path, project: &Path) -> bool {
    let own = made_absolute(project).parent().map(resolve_links);
    own.is_none_or(|own| !resolve_links(&made_absolute(folder)).starts_with(own))
}

/// `path` with links resolved, as far as it exists.
fn resolve_links(path: &Path) -> PathBuf {
    let existing = path.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    let Some((above, real)) = existing else { return path.to_owned() };
    path.strip_prefix(above).map_or_else(|_| path.to_owned(), |rest| real.join(rest))
}

impl Project {
    /// Reads the project at `path` and checks which of its photos exist.
    ///
    /// # Errors
    /// Fails if the file cannot be read, is not a project, or was written by a newer program.
    pub fn read(path: &Path) -> Result<Opened, ProjectError> {
        let path = made_absolute(path);
        let text = read_text(&path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let (mut project, skipped) = text::read(&text, folder).map_err(|error| match error {
            ReadError::Newer(version) => ProjectError::Newer { path: path.clone(), version },
            ReadError::NotUnderstood(reason) => ProjectError::NotUnderstood { path: path.clone(), reason },
        })?;
        if let (Some(list), Some(previous)) = (&mut project.settings.names.list, skipped.previous_list)
            && !list.file.is_file()
            && previous.is_file()
        {
            // The project was moved without its list.
            list.file = previous;
        }
        let mut changed = 0;
        for photo in &mut project.photos {
            let mut now = FileMark::of(&photo.path);
            // The project was moved without its photos.
            if now.is_none()
                && let Some(previous_path) = photo.previous_path.take()
            {
                now = FileMark::of(&previous_path);
                if now.is_some() {
                    photo.path = previous_path;
                }
            }
            photo.previous_path = None;
            photo.missing = now.is_none();
            changed += usize::from(matches!((now, photo.mark), (Some(now), Some(then)) if now.bytes != then.bytes));
        }
        let output_outside = project.settings.output_folder.as_ref().is_some_and(|output| lies_outside(output, &path));
        Ok(Opened { project, changed, settings_lost: skipped.settings, edits_lost: skipped.photos, output_outside })
    }

    /// Writes the project to `path` atomically, and keeps the previous version at [`backup_path`].
    ///
    /// # Errors
    /// Fails if the folder cannot be created or the file cannot be written; an existing file is then unchanged.
    pub fn write(&self, path: &Path) -> Result<(), ProjectError> {
        self.save(path, true)
    }

    /// Writes the project without a backup.
    ///
    /// # Errors
    /// As [`Project::write`].
    pub fn write_without_backup(&self, path: &Path) -> Result<(), ProjectError> {
        self.save(path, false)
    }

    fn save(&self, path: &Path, keep: bool) -> Result<(), ProjectError> {
        // A project file that is a link stays a link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| made_absolute(path));
        let mut project = self.clone();
        project.state_of = project.state_of.as_deref().map(made_absolute);
        for photo in &mut project.photos {
            photo.path = made_absolute(&photo.path);
        }
        project.roots.iter_mut().for_each(|root| *root = made_absolute(root));
        if let Some(list) = &mut project.settings.names.list {
            list.file = made_absolute(&list.file);
        }
        let named = made_absolute(path);
        let text = text::write(&project, named.parent().unwrap_or(Path::new("")))?;
        write_atomically(&target, text.as_bytes(), keep)
            .map_err(|source| ProjectError::Write { path: path.to_owned(), source })
    }
}

fn read_text(path: &Path) -> Result<String, ProjectError> {
    let failed = |source| ProjectError::Read { path: path.to_owned(), source };
    // Opening a pipe would block until it has a writer.
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

fn write_atomically(target: &Path, bytes: &[u8], keep: bool) -> io::Result<()> {
    let folder = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    if fs::metadata(target).is_ok_and(|there| there.is_dir()) {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let new = temporary_file(folder, bytes, target)?;
    if keep && let Ok(before) = read_text(target) {
        // A broken file never replaces a valid backup.
        if text::is_project_text(&before) && before.as_bytes() != bytes {
            temporary_file(folder, before.as_bytes(), target)?
                .persist(backup_path(target))
                .map_err(|error| error.error)?;
        }
    }
    new.persist(target).map_err(|error| error.error)?;
    // The rename is durable only after the folder is synced; if a folder cannot be opened, the system syncs it eventually.
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).unwrap_or_else(|error| {
            tracing::debug!(%error, "the folder of a project cannot be synced");
        });
    }
    Ok(())
}

/// Creates a synced temporary file with the content `bytes` and the permissions of the file it will replace.
fn temporary_file(folder: &Path, bytes: &[u8], target: &Path) -> io::Result<tempfile::TempPath> {
    let create = |path: &Path| File::create_new(path);
    let mut part = tempfile::Builder::new().prefix(".iron-cropper-").make_in(folder, create)?;
    part.as_file_mut().write_all(bytes)?;
    part.as_file().sync_all()?;
    if let Ok(there) = fs::metadata(target) {
        fs::set_permissions(part.path(), there.permissions())?;
    }
    Ok(part.into_temp_path())
}
