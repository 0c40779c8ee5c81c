//! The open project, its unsaved changes, and the watched folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use batch::project::{MissingPhoto, Project, ProjectPhoto};
use batch::settings::Settings;
use batch::worker::{CrashedSessions, ItemId, RecoverableList, RequestId};
use recipe::{OnConflict, PhotoEdits};

use super::{AppState, Pending};

pub(crate) struct ProjectState {
    /// Its file; `None` for a list that was never saved.
    pub path: Option<PathBuf>,
    /// History state at the last save; `None` if never saved.
    pub saved: Option<u64>,
    /// The file being written, with the history state.
    pub saving: Option<(PathBuf, u64)>,
    pub opening: Option<Opening>,
    /// Autosaved lists of other sessions that were not answered yet.
    pub recoverable: Vec<RecoverableList>,
    /// A crashed session, until its message is answered.
    pub crashed: Option<CrashedSessions>,
    /// The action that would lose unsaved changes.
    pub leaving: Option<Leaving>,
    /// The action to continue with after saving.
    pub after_save: Option<Leaving>,
    /// True once nothing prevents the window from closing.
    pub may_close: bool,
    /// True once the system has asked the window to end.
    pub ending: bool,
    /// True once the window closes because the user or the system asked for it.
    pub closing: bool,
    /// True if the list is autosaved.
    pub autosaved: bool,
    /// True while the message about missing photos is shown.
    pub shows_missing: bool,
    /// Its requests that were not confirmed.
    pub requests: ProjectRequests,
}

/// Settings that a project requests and the user has not chosen. Projects are untrusted input.
#[derive(Default)]
pub(crate) struct ProjectRequests {
    /// An output folder outside of the project's own folder.
    pub folder: Option<PathBuf>,
    /// Whether existing files are to be replaced.
    pub replacing: bool,
    /// The output folder and policy that the user had chosen before.
    pub before: (Option<PathBuf>, OnConflict),
}

/// A project being opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    pub path: PathBuf,
    /// True for an autosaved list of a crashed session.
    pub recoverable: bool,
}

/// An action that leaves the current list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    Quit,
    /// Starts an empty list.
    New,
    Open(Opening),
}

#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub folder: PathBuf,
    /// Its request, once sent.
    pub request: Option<RequestId>,
    /// Number of photos added.
    pub added: usize,
}

impl Default for ProjectState {
    fn default() -> Self {
        Self {
            path: None,
            saved: Some(0),
            saving: None,
            opening: None,
            recoverable: Vec::new(),
            crashed: None,
            leaving: None,
            after_save: None,
            may_close: false,
            ending: false,
            closing: false,
            autosaved: false,
            shows_missing: false,
            requests: ProjectRequests::default(),
        }
    }
}

impl AppState {
    /// The requested output folder, if the project set one outside of its own folder.
    pub(crate) fn requested_folder(&self) -> Option<&Path> {
        let folder = self.list.project.requests.folder.as_deref();
        folder.filter(|folder| self.settings.output_folder.as_deref() == Some(*folder))
    }

    /// True if files are to be replaced because the project requests it.
    pub(crate) fn replacement_requested(&self) -> bool {
        self.list.project.requests.replacing && self.settings.on_conflict == OnConflict::Overwrite
    }

    /// The settings without unconfirmed requests of a project.
    pub(crate) fn user_settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        let (folder, on_conflict) = &self.list.project.requests.before;
        if self.requested_folder().is_some() {
            settings.output_folder.clone_from(folder);
        }
        if self.replacement_requested() {
            settings.on_conflict = *on_conflict;
        }
        settings
    }

    /// True if list, edits or settings differ from the project's file.
    pub(crate) fn unsaved(&self) -> bool {
        self.list.project.saved != Some(self.list.history.state())
    }

    /// True if closing would lose work: a project has changed, or photos without one were edited.
    pub(crate) fn would_lose_work(&self) -> bool {
        let worked_on = || self.list.library.photos().iter().any(|photo| *photo.edits() != PhotoEdits::default());
        self.unsaved() && (self.list.project.path.is_some() || worked_on())
    }

    /// True if the list should be autosaved.
    pub(crate) fn needs_autosave(&self) -> bool {
        !self.list.library.is_empty() && self.unsaved()
    }

    /// True if the autosaved list is kept when the window closes: the system has asked for it, or taken its display away.
    pub(crate) fn keeps_autosave(&self) -> bool {
        (self.list.project.ending || !self.list.project.closing) && self.needs_autosave()
    }

    /// True if nothing has to be waited for before the window ends at the system's request.
    pub(crate) fn is_ready_to_end(&self) -> bool {
        !self.exporting() && !self.pending.values().any(|pending| matches!(pending, Pending::Project | Pending::Save))
    }

    /// Changes whenever the list must be autosaved again.
    pub(crate) fn autosave_key(&self) -> (u64, Option<u64>, bool) {
        (self.list.history.state(), self.list.project.saved, self.list.library.is_empty())
    }

    /// The list with all edits and settings, to be written.
    pub(crate) fn snapshot(&self) -> Arc<Project> {
        let photos = self.list.library.photos().iter().map(|photo| ProjectPhoto {
            path: photo.path.clone(),
            edits: photo.edits().clone(),
            mark: photo.mark,
            ..ProjectPhoto::default()
        });
        Arc::new(Project {
            settings: Settings::default().with_project_settings_of(&self.settings),
            preset: self.export.preset.clone(),
            roots: self.names.roots.clone(),
            photos: photos.collect(),
            state_of: self.list.project.path.clone(),
        })
    }

    /// The photos whose files are missing.
    pub(crate) fn missing(&self) -> Vec<(ItemId, MissingPhoto)> {
        let missing = self.list.library.photos().iter().filter(|photo| photo.is_missing());
        missing.map(|photo| (photo.id, MissingPhoto { path: photo.path.clone(), mark: photo.mark })).collect()
    }

    /// The window title.
    pub(crate) fn title(&self) -> String {
        let Some(path) = &self.list.project.path else { return "Iron Cropper".to_owned() };
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let mark = if self.unsaved() { "• " } else { "" };
        format!("{mark}{name} — Iron Cropper")
    }
}
