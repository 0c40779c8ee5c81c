//! A project in place of paths: its photos as they were decided, its settings under the flags.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};

use batch::project::{Opened, Project, is_project};
use batch::worker::{Event, FilesRequest, ProjectEvent, ProjectTask, WorkerHandle};
use recipe::{DecodeLimits, DetectSpec, FaceChoice, OnConflict, OutputSpec, Overrides};

use super::ask::ask;
use super::crop_args::CropArgs;
use super::print;

/// The photos of a project, and how they are looked at.
pub(super) struct Decided {
    pub(super) photos: Vec<DecidedPhoto>,
    /// The photos that are left out.
    pub(super) excluded: Vec<PathBuf>,
    pub(super) detect: DetectSpec,
    pub(super) limits: DecodeLimits,
}

/// One photo as it was decided.
pub(super) struct DecidedPhoto {
    pub(super) path: PathBuf,
    pub(super) faces: FaceChoice,
    pub(super) overrides: Option<Arc<Overrides>>,
}

/// The project among `paths`; `None` where they are photos and folders.
///
/// # Errors
/// The project cannot be read, or is not named alone.
pub(super) fn read(paths: &[PathBuf]) -> anyhow::Result<Option<Opened>> {
    let Some(path) = paths.iter().find(|path| is_project(path)) else { return Ok(None) };
    if paths.len() > 1 {
        bail!("a project is cropped by itself; name {} alone", print::path(path));
    }
    open(path).map(Some)
}

/// Where crops go: the folder that was named, else the project's if that lies in the project's own folder. A project may come
/// from anybody: nothing outside of its folder is written, and nothing is replaced, because the project says so.
///
/// # Errors
/// There is no such folder.
pub(super) fn output(args: &CropArgs, opened: Option<&Opened>) -> anyhow::Result<OutputSpec> {
    let settings = opened.map(|opened| &opened.project.settings);
    let of_project = settings.and_then(|settings| settings.output_folder.clone());
    let folder = match (&args.output, of_project) {
        (Some(folder), _) => folder.clone(),
        (None, Some(folder)) if opened.is_some_and(|opened| opened.output_outside) => {
            let folder = print::path(&folder);
            bail!(
                "the project's output folder {folder} lies outside of the project's own folder; to write there, name it: -o {folder}"
            )
        }
        (None, folder) => folder.context("name the folder that crops are written to: --output DIR")?,
    };
    let of_project = settings.map(|settings| settings.on_conflict);
    if args.on_conflict.is_none() && of_project == Some(OnConflict::Overwrite) {
        print::note("note: the project asks to replace files that are there; that takes --on-conflict overwrite");
    }
    let on_conflict = args.on_conflict.or(of_project.filter(|policy| *policy != OnConflict::Overwrite));
    Ok(OutputSpec { folder, on_conflict: on_conflict.unwrap_or_default() })
}

/// The photos of `project` that are not left out. Faces below `min_score` are found as well where the flags ask for it.
pub(super) fn decided(project: Project, args: &CropArgs, min_score: f32) -> Decided {
    let usual = project.settings.detect;
    let detect = DetectSpec {
        score_threshold: usual.score_threshold.min(min_score),
        thoroughness: args.input.find.thoroughness.unwrap_or(usual.thoroughness),
        ..usual
    };
    let limits = args.input.limits.over(project.settings.limits);
    let (excluded, kept): (Vec<_>, Vec<_>) = project.photos.into_iter().partition(|photo| photo.edits.excluded);
    let excluded = excluded.into_iter().map(|photo| photo.path).collect();
    let photos = kept.into_iter().map(|photo| DecidedPhoto {
        path: photo.path,
        overrides: photo.edits.overrides.as_deref().cloned().map(Arc::new),
        faces: match photo.edits.touches_faces() {
            true => FaceChoice::Edited(Box::new(photo.edits)),
            false => FaceChoice::BySpec,
        },
    });
    Decided { photos: photos.collect(), excluded, detect, limits }
}

/// The front ends open no files: the worker's files lane reads it.
fn open(path: &Path) -> anyhow::Result<Opened> {
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let request = FilesRequest::Project(ProjectTask::Open(path.to_owned()));
    let opened = ask(&worker, request, |event| match event {
        Event::Project(ProjectEvent::Opened(opened)) => opened.map(Some).map_err(|error| anyhow!(error.to_string())),
        _ => Ok(None),
    })?;
    for name in &opened.settings_lost {
        print::note(&format!("note: the setting {name} of the project could not be understood and is as usual"));
    }
    if opened.edits_lost > 0 {
        let count = opened.edits_lost;
        print::note(&format!("note: for {count} photos what was decided could not be understood and was left out"));
    }
    if opened.changed > 0 {
        print::note(&format!("note: {} photos have changed since the project was saved", opened.changed));
    }
    Ok(*opened)
}
