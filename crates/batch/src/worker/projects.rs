//! Project tasks of the files lane: open, save, autosave, and recovery after a crash.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use cancel::CancelToken;

use super::{CrashedSessions, ProjectEvent, ProjectFault, ProjectTask, RecoverableList};
use crate::platform::{Folders, begin_session, crashed_sessions};
use crate::project::{EXTENSION, Opened, Project, ProjectError, backup_path, find_photos, lies_outside};

/// Maximum number of lists offered for recovery.
const MAX_RECOVERABLE: usize = 5;

/// State of project tasks between requests.
#[derive(Default)]
pub(super) struct Projects {
    /// The autosave folder in tests; `None` for the system's.
    folder: Option<PathBuf>,
    /// The autosave file of this process, with the lock that marks the process as running.
    autosaved: Option<(PathBuf, File)>,
    /// Autosaved lists of crashed processes, with their locks, so that no other process offers them in the meantime.
    recoverable: HashMap<PathBuf, Option<File>>,
    /// The recoverable list that is open now.
    opened_recoverable: Option<PathBuf>,
    /// The states of project files when they were last read or written by this process.
    known: HashMap<PathBuf, FileState>,
}

/// Length and modification time of a file, to detect changes; `None` if it does not exist.
pub(super) type FileState = Option<(u64, Option<SystemTime>)>;

impl Projects {
    pub(super) fn run(&mut self, task: ProjectTask, cancel: &CancelToken) -> ProjectEvent {
        match task {
            ProjectTask::Open(path) => {
                self.note(save_path(&path));
                ProjectEvent::Opened(open(&path))
            }
            ProjectTask::Save(path, project) => ProjectEvent::Saved(match self.is_unchanged(&path) {
                true => self.save(path, project),
                false => Err(ProjectFault::WrittenSince { path }),
            }),
            ProjectTask::SaveOver(path, project) => ProjectEvent::Saved(self.save(path, project)),
            ProjectTask::Autosave(project) => ProjectEvent::Autosaved(self.autosave(project)),
            ProjectTask::DeleteAutosave => ProjectEvent::Autosaved(self.delete_autosave()),
            ProjectTask::BeginSession => ProjectEvent::SessionStarted(self.begin_session()),
            ProjectTask::FindRecoverable => ProjectEvent::Recoverable(self.find_recoverable()),
            ProjectTask::OpenRecoverable(path) => {
                let mut opened = open(&path);
                if let Ok(opened) = &mut opened {
                    // The file is in the autosave folder, so the project it belongs to is used instead.
                    let Project { settings, state_of, .. } = &opened.project;
                    state_of.iter().for_each(|path| self.note(path.clone()));
                    let places = settings.output_folder.as_ref().zip(state_of.as_ref());
                    opened.output_outside = places.is_some_and(|(output, project)| lies_outside(output, project));
                }
                self.opened_recoverable = opened.is_ok().then_some(path);
                ProjectEvent::Opened(opened)
            }
            ProjectTask::DeleteRecoverable(path) => ProjectEvent::Autosaved(self.delete_recoverable(&path)),
            ProjectTask::FindPhotos { folder, wanted } => {
                let (items, wanted): (Vec<_>, Vec<_>) = wanted.into_iter().unzip();
                let found = find_photos(&folder, &wanted, cancel);
                let found = items.into_iter().zip(found).filter_map(|(item, path)| Some((item, path?)));
                ProjectEvent::Found(found.collect())
            }
        }
    }

    fn save(&mut self, path: PathBuf, project: Arc<Project>) -> Result<(), ProjectFault> {
        with_marks(project).write(&path)?;
        self.note(path);
        Ok(())
    }

    /// Records the current state of the file at `path`.
    fn note(&mut self, path: PathBuf) {
        let state = file_state(&path);
        self.known.insert(path, state);
    }

    /// True if the file at `path` is unchanged since it was recorded, or does not exist.
    fn is_unchanged(&self, path: &Path) -> bool {
        let now = file_state(path);
        now.is_none() || self.known.get(path) == Some(&now)
    }

    fn autosave(&mut self, project: Arc<Project>) -> Result<(), ProjectFault> {
        if self.autosaved.is_none() {
            self.autosaved = Some(self.create_autosave_file().map_err(ProjectFault::NoPlace)?);
        }
        let Some((path, _)) = &self.autosaved else { return Ok(()) };
        with_marks(project).write_without_backup(path)?;
        match self.opened_recoverable.take() {
            Some(opened_recoverable) => self.delete_recoverable(&opened_recoverable),
            None => Ok(()),
        }
    }

    /// Chooses a unique name and creates its lock file.
    fn create_autosave_file(&self) -> io::Result<(PathBuf, File)> {
        let folder = self.folder().ok_or(io::ErrorKind::NotFound)?;
        fs::create_dir_all(&folder)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let path = folder.join(format!("{now}-{}.{EXTENSION}", std::process::id()));
        let lock = File::create(lock_of(&path))?;
        // Without file locks, the list is offered for recovery while this process runs, which is better than never.
        if let Err(error) = lock.try_lock() {
            tracing::warn!(%error, "the recovery list cannot be locked");
        }
        Ok((path, lock))
    }

    fn delete_autosave(&mut self) -> Result<(), ProjectFault> {
        if let Some((path, lock)) = self.autosaved.take() {
            remove(&path)?;
            drop(lock);
            remove(&lock_of(&path))?;
        }
        match self.opened_recoverable.take() {
            Some(opened_recoverable) => self.delete_recoverable(&opened_recoverable),
            None => Ok(()),
        }
    }

    fn delete_recoverable(&mut self, path: &Path) -> Result<(), ProjectFault> {
        remove(path)?;
        drop(self.recoverable.remove(path));
        remove(&lock_of(path))
    }

    fn begin_session(&self) -> Option<CrashedSessions> {
        let folders = Folders::find();
        let below = |folder: &PathBuf| folder.with_file_name("sessions");
        let folder = self.folder.as_ref().map(below).or_else(|| Some(folders.as_ref()?.session_dir.clone()))?;
        let ended = crashed_sessions(&folder);
        if let Err(error) = begin_session(&folder) {
            tracing::warn!(%error, "a crash of this window will not be detected");
        }
        let age_s = ended.first()?.age_s;
        let mut files: Vec<PathBuf> = ended.into_iter().flat_map(|session| session.files).collect();
        files.sort_unstable();
        files.dedup();
        tracing::warn!(?files, age_s, "a previous window ended unexpectedly");
        let log = folders.map(|folders| folders.previous_log_file()).filter(|log| log.is_file());
        Some(CrashedSessions { files, age_s, log })
    }

    fn find_recoverable(&mut self) -> Vec<RecoverableList> {
        let Some(entries) = self.folder().and_then(|folder| fs::read_dir(folder).ok()) else { return Vec::new() };
        let is_list = |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION);
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_list).collect();
        // Names begin with a timestamp.
        paths.sort_unstable_by(|a, b| b.cmp(a));
        paths.into_iter().filter_map(|path| self.recoverable_list(path)).take(MAX_RECOVERABLE).collect()
    }

    /// `None` if its process is still running or the file cannot be read.
    fn recoverable_list(&mut self, path: PathBuf) -> Option<RecoverableList> {
        if self.autosaved.as_ref().is_some_and(|(kept, _)| *kept == path) || self.recoverable.contains_key(&path) {
            return None;
        }
        let lock = File::open(lock_of(&path)).ok();
        if let Some(lock) = &lock {
            lock.try_lock().ok()?;
        }
        let project = Project::read(&path).ok()?.project;
        let kept = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok()?;
        self.recoverable.insert(path.clone(), lock);
        let age_s = kept.elapsed().map_or(0, |age| age.as_secs());
        Some(RecoverableList { path, state_of: project.state_of, photos: project.photos.len(), age_s })
    }

    fn folder(&self) -> Option<PathBuf> {
        self.folder.clone().or_else(|| Some(Folders::find()?.autosave_dir))
    }
}

fn open(path: &Path) -> Result<Box<Opened>, ProjectFault> {
    Project::read(path).map(Box::new).map_err(|error| {
        let previous = backup_path(path);
        let is_damaged = matches!(error, ProjectError::NotUnderstood { .. });
        if is_damaged && previous.is_file() { ProjectFault::Damaged { error, previous } } else { error.into() }
    })
}

/// The file that a list opened from `path` is saved to: for a backup, the project itself.
fn save_path(path: &Path) -> PathBuf {
    let is_project = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION));
    if is_project { path.to_owned() } else { path.with_extension(EXTENSION) }
}

pub(super) fn file_state(path: &Path) -> FileState {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}

fn with_marks(project: Arc<Project>) -> Project {
    let mut project = Arc::unwrap_or_clone(project);
    project.mark_photos();
    project
}

fn lock_of(path: &Path) -> PathBuf {
    path.with_extension("lock")
}

fn remove(path: &Path) -> Result<(), ProjectFault> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(ProjectFault::Remove { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::ProjectPhoto;

    struct Fixture(tempfile::TempDir);

    impl Fixture {
        fn projects(&self) -> Projects {
            Projects { folder: Some(self.0.path().join("autosave")), ..Projects::default() }
        }

        fn names(&self) -> usize {
            fs::read_dir(self.0.path().join("autosave")).map_or(0, Iterator::count)
        }
    }

    fn fixture() -> Fixture {
        Fixture(tempfile::tempdir().expect("created"))
    }

    fn project(names: &[&str]) -> Arc<Project> {
        let photos = names.iter().map(|name| ProjectPhoto { path: (*name).into(), ..ProjectPhoto::default() });
        Arc::new(Project {
            photos: photos.collect(),
            state_of: Some("/p/school.ironcrop".into()),
            ..Project::default()
        })
    }

    fn lost(projects: &mut Projects) -> Vec<RecoverableList> {
        match projects.run(ProjectTask::FindRecoverable, &CancelToken::new()) {
            ProjectEvent::Recoverable(lost) => lost,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn done(projects: &mut Projects, task: ProjectTask) {
        match projects.run(task, &CancelToken::new()) {
            ProjectEvent::Autosaved(Ok(())) | ProjectEvent::Saved(Ok(())) | ProjectEvent::Opened(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_list_is_recoverable_after_a_crash_until_it_is_autosaved_again() {
        let fixture = fixture();
        let (mut first, mut second) = (fixture.projects(), fixture.projects());
        done(&mut first, ProjectTask::Autosave(project(&["/a.jpg"])));
        done(&mut first, ProjectTask::Autosave(project(&["/a.jpg", "/b.jpg"])));
        assert_eq!(lost(&mut second), [], "its process is running");
        // A killed process releases its lock and removes nothing.
        drop(first);
        let found = lost(&mut second);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].photos, found[0].state_of.as_deref()), (2, Some(Path::new("/p/school.ironcrop"))));
        assert_eq!(lost(&mut fixture.projects()), [], "another process does not offer it");
        done(&mut second, ProjectTask::OpenRecoverable(found[0].path.clone()));
        assert!(found[0].path.is_file(), "it is the only copy");
        done(&mut second, ProjectTask::Autosave(project(&["/a.jpg", "/b.jpg", "/c.jpg"])));
        assert!(!found[0].path.exists());
        done(&mut second, ProjectTask::DeleteAutosave);
        assert_eq!(fixture.names(), 0, "a regular end leaves no file");
    }

    #[test]
    fn a_discarded_list_is_deleted_at_once() {
        let fixture = fixture();
        done(&mut fixture.projects(), ProjectTask::Autosave(project(&["/a.jpg"])));
        let mut projects = fixture.projects();
        let found = lost(&mut projects);
        done(&mut projects, ProjectTask::DeleteRecoverable(found[0].path.clone()));
        assert_eq!((fixture.names(), lost(&mut fixture.projects()).len()), (0, 0));
    }

    #[test]
    fn a_project_saved_by_another_window_is_replaced_only_after_confirmation() {
        let folder = tempfile::tempdir().expect("created");
        let path = folder.path().join("school.ironcrop");
        let (mut first, mut second) = (Projects::default(), Projects::default());
        done(&mut first, ProjectTask::Save(path.clone(), project(&["/a.jpg"])));
        done(&mut second, ProjectTask::Open(path.clone()));
        done(&mut first, ProjectTask::Save(path.clone(), project(&["/a.jpg", "/b.jpg"])));
        let saved = fs::read(&path).expect("exists");
        let save = |projects: &mut Projects, task: ProjectTask| match projects.run(task, &CancelToken::new()) {
            ProjectEvent::Saved(saved) => saved,
            other => panic!("{other:?}"),
        };
        let list = project(&["/c.jpg"]);
        let refused = save(&mut second, ProjectTask::Save(path.clone(), Arc::clone(&list))).expect_err("refused");
        assert!(matches!(refused, ProjectFault::WrittenSince { .. }), "{refused}");
        // The same goes for a project that was not opened here, for example if its name was typed.
        let task = ProjectTask::Save(path.clone(), Arc::clone(&list));
        assert!(save(&mut Projects::default(), task).is_err());
        assert_eq!(fs::read(&path).expect("exists"), saved);
        done(&mut second, ProjectTask::SaveOver(path.clone(), list));
        done(&mut second, ProjectTask::Save(path.clone(), project(&["/c.jpg", "/d.jpg"])));
        // A backup is opened to replace the project.
        done(&mut first, ProjectTask::Open(backup_path(&path)));
        done(&mut first, ProjectTask::Save(path, project(&["/c.jpg"])));
    }

    #[test]
    fn the_error_for_a_damaged_project_names_its_backup() {
        let folder = tempfile::tempdir().expect("created");
        let path = folder.path().join("school.ironcrop");
        let mut projects = Projects::default();
        done(&mut projects, ProjectTask::Save(path.clone(), project(&["/a.jpg"])));
        done(&mut projects, ProjectTask::Save(path.clone(), project(&[])));
        fs::write(&path, "version").expect("damaged");
        match projects.run(ProjectTask::Open(path), &CancelToken::new()) {
            ProjectEvent::Opened(Err(fault)) => {
                let message = fault.to_string();
                assert!(message.contains("open ") && message.contains(".ironcrop~"), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
}
