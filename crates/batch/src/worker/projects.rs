//! Projects in the lane of the files: opened, saved, kept in case the program ends without closing, found again after that.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use cancel::CancelToken;

use super::{EndedBefore, LostList, ProjectEvent, ProjectFault, ProjectTask};
use crate::platform::{Folders, begin_session, ended_sessions};
use crate::project::{EXTENSION, Opened, Project, ProjectError, find_photos, lies_outside, previous_of};

/// Most lists that are offered again.
const MAX_LOST: usize = 5;

/// What is held for projects from one request to the next.
#[derive(Default)]
pub(super) struct Projects {
    /// Where lists are kept, where that is another folder than the system's: for tests.
    folder: Option<PathBuf>,
    /// The file this program keeps its list in, with the lock that says that it runs.
    kept: Option<(PathBuf, File)>,
    /// Lists of programs that have ended, with their locks: no other program offers them meanwhile.
    lost: HashMap<PathBuf, Option<File>>,
    /// A lost list that is open now.
    adopted: Option<PathBuf>,
    /// The files of projects as they were when they were read or written here last.
    known: HashMap<PathBuf, FileState>,
}

/// What tells whether a file has been written since: its length and its time of change; `None` if it is not there.
type FileState = Option<(u64, Option<SystemTime>)>;

impl Projects {
    pub(super) fn run(&mut self, task: ProjectTask, cancel: &CancelToken) -> ProjectEvent {
        match task {
            ProjectTask::Open(path) => {
                self.note(written_to(&path));
                ProjectEvent::Opened(open(&path))
            }
            ProjectTask::Save(path, project) => ProjectEvent::Saved(match self.is_as_known(&path) {
                true => self.save(path, project),
                false => Err(ProjectFault::WrittenSince { path }),
            }),
            ProjectTask::SaveOver(path, project) => ProjectEvent::Saved(self.save(path, project)),
            ProjectTask::Keep(project) => ProjectEvent::Kept(self.keep(project)),
            ProjectTask::ForgetKept => ProjectEvent::Kept(self.forget_kept()),
            ProjectTask::BeginSession => ProjectEvent::SessionBegun(self.begin_session()),
            ProjectTask::FindLost => ProjectEvent::Lost(self.find_lost()),
            ProjectTask::OpenLost(path) => {
                let mut opened = open(&path);
                if let Ok(opened) = &mut opened {
                    // The file lies among those of the program; what counts is the project it is the state of.
                    let Project { settings, state_of, .. } = &opened.project;
                    state_of.iter().for_each(|path| self.note(path.clone()));
                    let places = settings.output_folder.as_ref().zip(state_of.as_ref());
                    opened.output_outside = places.is_some_and(|(output, project)| lies_outside(output, project));
                }
                self.adopted = opened.is_ok().then_some(path);
                ProjectEvent::Opened(opened)
            }
            ProjectTask::ForgetLost(path) => ProjectEvent::Kept(self.forget_lost(&path)),
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

    /// Notes how the file at `path` is now.
    fn note(&mut self, path: PathBuf) {
        let state = file_state(&path);
        self.known.insert(path, state);
    }

    /// True if a file at `path` is as it was when it was noted last, or none is there.
    fn is_as_known(&self, path: &Path) -> bool {
        let now = file_state(path);
        now.is_none() || self.known.get(path) == Some(&now)
    }

    fn keep(&mut self, project: Arc<Project>) -> Result<(), ProjectFault> {
        if self.kept.is_none() {
            self.kept = Some(self.begin().map_err(ProjectFault::NoPlace)?);
        }
        let Some((path, _)) = &self.kept else { return Ok(()) };
        with_marks(project).write_over(path)?;
        match self.adopted.take() {
            Some(adopted) => self.forget_lost(&adopted),
            None => Ok(()),
        }
    }

    /// Makes a name of its own and the lock that goes with it.
    fn begin(&self) -> io::Result<(PathBuf, File)> {
        let folder = self.folder().ok_or(io::ErrorKind::NotFound)?;
        fs::create_dir_all(&folder)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
        let path = folder.join(format!("{now}-{}.{EXTENSION}", std::process::id()));
        let lock = File::create(lock_of(&path))?;
        // Where a file system knows no locks, the list is offered again while this program runs: better than never.
        if let Err(error) = lock.try_lock() {
            tracing::warn!(%error, "the list that is kept cannot be locked");
        }
        Ok((path, lock))
    }

    fn forget_kept(&mut self) -> Result<(), ProjectFault> {
        if let Some((path, lock)) = self.kept.take() {
            remove(&path)?;
            drop(lock);
            remove(&lock_of(&path))?;
        }
        match self.adopted.take() {
            Some(adopted) => self.forget_lost(&adopted),
            None => Ok(()),
        }
    }

    fn forget_lost(&mut self, path: &Path) -> Result<(), ProjectFault> {
        remove(path)?;
        drop(self.lost.remove(path));
        remove(&lock_of(path))
    }

    fn begin_session(&self) -> Option<EndedBefore> {
        let folders = Folders::find();
        let below = |folder: &PathBuf| folder.with_file_name("sessions");
        let folder = self.folder.as_ref().map(below).or_else(|| Some(folders.as_ref()?.session_dir.clone()))?;
        let ended = ended_sessions(&folder);
        if let Err(error) = begin_session(&folder) {
            tracing::warn!(%error, "a crash of this window will not be noticed");
        }
        let age_s = ended.first()?.age_s;
        let mut files: Vec<PathBuf> = ended.into_iter().flat_map(|session| session.files).collect();
        files.sort_unstable();
        files.dedup();
        tracing::warn!(?files, age_s, "a window before this one ended without closing");
        let log = folders.map(|folders| folders.log_before()).filter(|log| log.is_file());
        Some(EndedBefore { files, age_s, log })
    }

    fn find_lost(&mut self) -> Vec<LostList> {
        let Some(entries) = self.folder().and_then(|folder| fs::read_dir(folder).ok()) else { return Vec::new() };
        let is_list = |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION);
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_list).collect();
        // Names begin with the time.
        paths.sort_unstable_by(|a, b| b.cmp(a));
        paths.into_iter().filter_map(|path| self.lost(path)).take(MAX_LOST).collect()
    }

    /// `None` where its program still runs or nothing can be made of it.
    fn lost(&mut self, path: PathBuf) -> Option<LostList> {
        if self.kept.as_ref().is_some_and(|(kept, _)| *kept == path) || self.lost.contains_key(&path) {
            return None;
        }
        let lock = File::open(lock_of(&path)).ok();
        if let Some(lock) = &lock {
            lock.try_lock().ok()?;
        }
        let project = Project::read(&path).ok()?.project;
        let kept = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok()?;
        self.lost.insert(path.clone(), lock);
        let age_s = kept.elapsed().map_or(0, |age| age.as_secs());
        Some(LostList { path, state_of: project.state_of, photos: project.photos.len(), age_s })
    }

    fn folder(&self) -> Option<PathBuf> {
        self.folder.clone().or_else(|| Some(Folders::find()?.autosave_dir))
    }
}

fn open(path: &Path) -> Result<Box<Opened>, ProjectFault> {
    Project::read(path).map(Box::new).map_err(|error| {
        let previous = previous_of(path);
        let is_damaged = matches!(error, ProjectError::NotUnderstood { .. });
        if is_damaged && previous.is_file() { ProjectFault::Damaged { error, previous } } else { error.into() }
    })
}

/// The file that a list opened from `path` is saved to: of a version that was kept, the project itself.
fn written_to(path: &Path) -> PathBuf {
    let is_project = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(EXTENSION));
    if is_project { path.to_owned() } else { path.with_extension(EXTENSION) }
}

fn file_state(path: &Path) -> FileState {
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

    struct Bench(tempfile::TempDir);

    impl Bench {
        fn projects(&self) -> Projects {
            Projects { folder: Some(self.0.path().join("autosave")), ..Projects::default() }
        }

        fn names(&self) -> usize {
            fs::read_dir(self.0.path().join("autosave")).map_or(0, Iterator::count)
        }
    }

    fn bench() -> Bench {
        Bench(tempfile::tempdir().expect("made"))
    }

    fn project(names: &[&str]) -> Arc<Project> {
        let photos = names.iter().map(|name| ProjectPhoto { path: (*name).into(), ..ProjectPhoto::default() });
        Arc::new(Project {
            photos: photos.collect(),
            state_of: Some("/p/school.ironcrop".into()),
            ..Project::default()
        })
    }

    fn lost(projects: &mut Projects) -> Vec<LostList> {
        match projects.run(ProjectTask::FindLost, &CancelToken::new()) {
            ProjectEvent::Lost(lost) => lost,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn done(projects: &mut Projects, task: ProjectTask) {
        match projects.run(task, &CancelToken::new()) {
            ProjectEvent::Kept(Ok(())) | ProjectEvent::Saved(Ok(())) | ProjectEvent::Opened(Ok(_)) => {}
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_list_is_lost_once_its_program_is_gone_and_goes_when_it_is_kept_anew() {
        let bench = bench();
        let (mut first, mut second) = (bench.projects(), bench.projects());
        done(&mut first, ProjectTask::Keep(project(&["/a.jpg"])));
        done(&mut first, ProjectTask::Keep(project(&["/a.jpg", "/b.jpg"])));
        assert_eq!(lost(&mut second), [], "its program runs");
        // A killed program lets go of its lock and removes nothing.
        drop(first);
        let found = lost(&mut second);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].photos, found[0].state_of.as_deref()), (2, Some(Path::new("/p/school.ironcrop"))));
        assert_eq!(lost(&mut bench.projects()), [], "nobody else offers it meanwhile");
        done(&mut second, ProjectTask::OpenLost(found[0].path.clone()));
        assert!(found[0].path.is_file(), "still the only copy");
        done(&mut second, ProjectTask::Keep(project(&["/a.jpg", "/b.jpg", "/c.jpg"])));
        assert!(!found[0].path.exists());
        done(&mut second, ProjectTask::ForgetKept);
        assert_eq!(bench.names(), 0, "a normal end leaves nothing");
    }

    #[test]
    fn what_nobody_wants_goes_at_once() {
        let bench = bench();
        done(&mut bench.projects(), ProjectTask::Keep(project(&["/a.jpg"])));
        let mut projects = bench.projects();
        let found = lost(&mut projects);
        done(&mut projects, ProjectTask::ForgetLost(found[0].path.clone()));
        assert_eq!((bench.names(), lost(&mut bench.projects()).len()), (0, 0));
    }

    #[test]
    fn what_another_window_has_saved_is_replaced_only_where_somebody_was_asked() {
        let folder = tempfile::tempdir().expect("made");
        let path = folder.path().join("school.ironcrop");
        let (mut first, mut second) = (Projects::default(), Projects::default());
        done(&mut first, ProjectTask::Save(path.clone(), project(&["/a.jpg"])));
        done(&mut second, ProjectTask::Open(path.clone()));
        done(&mut first, ProjectTask::Save(path.clone(), project(&["/a.jpg", "/b.jpg"])));
        let saved = fs::read(&path).expect("there");
        let save = |projects: &mut Projects, task: ProjectTask| match projects.run(task, &CancelToken::new()) {
            ProjectEvent::Saved(saved) => saved,
            other => panic!("{other:?}"),
        };
        let list = project(&["/c.jpg"]);
        let refused = save(&mut second, ProjectTask::Save(path.clone(), Arc::clone(&list))).expect_err("refused");
        assert!(matches!(refused, ProjectFault::WrittenSince { .. }), "{refused}");
        // Nor is what nobody has opened here, as where its name was typed.
        let task = ProjectTask::Save(path.clone(), Arc::clone(&list));
        assert!(save(&mut Projects::default(), task).is_err());
        assert_eq!(fs::read(&path).expect("there"), saved);
        done(&mut second, ProjectTask::SaveOver(path.clone(), list));
        done(&mut second, ProjectTask::Save(path.clone(), project(&["/c.jpg", "/d.jpg"])));
        // A version that was kept is opened to take the place of the project.
        done(&mut first, ProjectTask::Open(previous_of(&path)));
        done(&mut first, ProjectTask::Save(path, project(&["/c.jpg"])));
    }

    #[test]
    fn a_damaged_project_names_the_version_before() {
        let folder = tempfile::tempdir().expect("made");
        let path = folder.path().join("school.ironcrop");
        let mut projects = Projects::default();
        done(&mut projects, ProjectTask::Save(path.clone(), project(&["/a.jpg"])));
        done(&mut projects, ProjectTask::Save(path.clone(), project(&[])));
        fs::write(&path, "version").expect("damaged");
        match projects.run(ProjectTask::Open(path), &CancelToken::new()) {
            ProjectEvent::Opened(Err(fault)) => {
                let words = fault.to_string();
                assert!(words.contains("open ") && words.contains(".ironcrop~"), "{words}");
            }
            other => panic!("{other:?}"),
        }
    }
}
