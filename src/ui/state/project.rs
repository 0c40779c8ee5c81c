//! The project that is open, what of it is not saved, and the folder that is watched.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use batch::project::{Project, ProjectPhoto, Wanted};
use batch::settings::Settings;
use batch::worker::{EndedBefore, ItemId, LostList, RequestId};
use recipe::{OnConflict, PhotoEdits};

use super::AppState;

/// What is known of the project.
pub(crate) struct ProjectState {
    /// Its file; `None` for a list that was never saved.
    pub path: Option<PathBuf>,
    /// Where the history stood when the list was as it is in the file; `None` where it never was.
    pub saved: Option<u64>,
    /// What is being written, and where the history stood then.
    pub saving: Option<(PathBuf, u64)>,
    pub opening: Option<Opening>,
    /// Lists that other runs of the program kept and that nobody has asked for yet.
    pub lost: Vec<LostList>,
    /// A window before this one that ended without closing, until it was told of.
    pub ended: Option<EndedBefore>,
    /// What a person wants to do that would lose what is not saved.
    pub leaving: Option<Leaving>,
    /// What to do once the project is saved.
    pub after_save: Option<Leaving>,
    /// True once nothing keeps the window from closing.
    pub may_close: bool,
    /// True where the list is kept in case the program ends without closing.
    pub kept: bool,
    /// True while the missing photos are named above the photo.
    pub tells_missing: bool,
    /// What it asks for and nobody has agreed to.
    pub asks: Asks,
}

/// What a project asks for that a person has not chosen. A project may come from anybody.
#[derive(Default)]
pub(crate) struct Asks {
    /// An output folder outside of the project's own folder.
    pub folder: Option<PathBuf>,
    /// To replace files that have the name of a crop.
    pub replacing: bool,
    /// The output folder and the policy that the person had chosen before.
    pub before: (Option<PathBuf>, OnConflict),
}

/// A project on its way in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opening {
    pub path: PathBuf,
    /// True for a list that was kept by a program that ended without closing.
    pub lost: bool,
}

/// What leaves the list as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leaving {
    Quit,
    /// Begin an empty list.
    New,
    Open(Opening),
}

/// A folder that is watched.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub folder: PathBuf,
    /// Its request, once sent.
    pub request: Option<RequestId>,
    /// Photos that have come.
    pub came: usize,
}

impl Default for ProjectState {
    fn default() -> Self {
        Self {
            path: None,
            saved: Some(0),
            saving: None,
            opening: None,
            lost: Vec::new(),
            ended: None,
            leaving: None,
            after_save: None,
            may_close: false,
            kept: false,
            tells_missing: false,
            asks: Asks::default(),
        }
    }
}

impl AppState {
    /// The output folder outside of the project's own folder that is set because the project asks for it.
    pub(crate) fn asked_folder(&self) -> Option<&Path> {
        let asked = self.list.project.asks.folder.as_deref();
        asked.filter(|asked| self.settings.output_folder.as_deref() == Some(*asked))
    }

    /// True if files are to be replaced because the project asks for it.
    pub(crate) fn is_asked_to_replace(&self) -> bool {
        self.list.project.asks.replacing && self.settings.on_conflict == OnConflict::Overwrite
    }

    /// The settings without what a project asks for and nobody has agreed to.
    pub(crate) fn own_settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        let (folder, on_conflict) = &self.list.project.asks.before;
        if self.asked_folder().is_some() {
            settings.output_folder.clone_from(folder);
        }
        if self.is_asked_to_replace() {
            settings.on_conflict = *on_conflict;
        }
        settings
    }

    /// True where the list, what was decided or the settings are not as they are in the project's file.
    pub(crate) fn unsaved(&self) -> bool {
        self.list.project.saved != Some(self.list.history.state())
    }

    /// True where a person would miss what is not saved: a project has changed, or photos without one were worked on.
    pub(crate) fn would_miss(&self) -> bool {
        let worked_on = || self.list.library.photos().iter().any(|photo| *photo.edits() != PhotoEdits::default());
        self.unsaved() && (self.list.project.path.is_some() || worked_on())
    }

    /// True where the list is to be kept in case the program ends without closing.
    pub(crate) fn worth_keeping(&self) -> bool {
        !self.list.library.is_empty() && self.unsaved()
    }

    /// What has changed once the list has to be kept again.
    pub(crate) fn keep_key(&self) -> (u64, Option<u64>, bool) {
        (self.list.history.state(), self.list.project.saved, self.list.library.is_empty())
    }

    /// The list and everything about it, to be written.
    pub(crate) fn snapshot(&self) -> Arc<Project> {
        let photos = self.list.library.photos().iter().map(|photo| ProjectPhoto {
            path: photo.path.clone(),
            edits: photo.edits().clone(),
            mark: photo.mark,
            ..ProjectPhoto::default()
        });
        Arc::new(Project {
            settings: Settings::default().with_work_of(&self.settings),
            preset: self.export.preset.clone(),
            photos: photos.collect(),
            state_of: self.list.project.path.clone(),
        })
    }

    /// The photos whose files are not there.
    pub(crate) fn missing(&self) -> Vec<(ItemId, Wanted)> {
        let missing = self.list.library.photos().iter().filter(|photo| photo.is_missing());
        missing.map(|photo| (photo.id, Wanted { path: photo.path.clone(), mark: photo.mark })).collect()
    }

    /// What the window is called.
    pub(crate) fn title(&self) -> String {
        let Some(path) = &self.list.project.path else { return "Iron Cropper".to_owned() };
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let mark = if self.unsaved() { "• " } else { "" };
        format!("{mark}{name} — Iron Cropper")
    }
}
