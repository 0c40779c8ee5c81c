//! A project as input: its photos with their edits, and its settings, which flags override.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};

use batch::project::{Opened, Project, is_project};
use batch::worker::{Event, FilesRequest, ProjectEvent, ProjectTask, WorkerHandle};
use import::common_folder;
use recipe::{DecodeLimits, DetectSpec, FaceChoice, OnConflict, OutputSpec, Overrides, PhotoEdits};

use super::ask::ask;
use super::crop_args::CropArgs;
use super::naming::{Correction, Corrections};
use super::print;

/// The photos of a project, and its detection settings.
pub(super) struct ProjectPhotos {
    /// The folders that were added, whose subfolders `--folders mirror` recreates; else the innermost one with all photos.
    pub(super) roots: Vec<PathBuf>,
    pub(super) photos: Vec<ProjectPhoto>,
    pub(super) excluded: Vec<PathBuf>,
    /// Excluded photos, each with the next one that is not.
    pub(super) before_kept: Vec<(PathBuf, PathBuf)>,
    /// Typed names, assigned rows and corrected cards.
    pub(super) corrections: Corrections,
    pub(super) detect: DetectSpec,
    pub(super) limits: DecodeLimits,
}

/// A photo with its edits.
pub(super) struct ProjectPhoto {
    pub(super) path: PathBuf,
    pub(super) faces: FaceChoice,
    pub(super) overrides: Option<Arc<Overrides>>,
}

/// The project among `paths`; `None` if they are photos and folders.
///
/// # Errors
/// The project cannot be read, or is given along with other paths.
pub(super) fn read(paths: &[PathBuf]) -> anyhow::Result<Option<Opened>> {
    let Some(path) = paths.iter().find(|path| is_project(path)) else { return Ok(None) };
    if paths.len() > 1 {
        bail!("a project cannot be combined with other paths; give {} alone", print::path(path));
    }
    open(path).map(Some)
}

/// The output folder: the one given, else the project's if it is inside the project's own folder. Projects are untrusted
/// input: a project alone cannot cause writes outside of its folder, nor replacements.
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
                "the project's output folder {folder} is outside the project's own folder; to write there, use -o {folder}"
            )
        }
        (None, folder) => folder.context("the output folder is missing; give it with --output DIR")?,
    };
    let of_project = settings.map(|settings| settings.on_conflict);
    if args.on_conflict.is_none() && of_project == Some(OnConflict::Overwrite) {
        print::note("note: the project is set to replace existing files; this requires --on-conflict overwrite");
    }
    let on_conflict = args.on_conflict.or(of_project.filter(|policy| *policy != OnConflict::Overwrite));
    Ok(OutputSpec { folder, on_conflict: on_conflict.unwrap_or_default() })
}

/// The photos of `project` that are not excluded. Faces below `min_score` are included if flags request them.
pub(super) fn project_photos(project: Project, args: &CropArgs, min_score: f32) -> ProjectPhotos {
    let base = project.settings.detect;
    let detect = DetectSpec {
        score_threshold: base.score_threshold.min(min_score),
        thoroughness: args.input.find.thoroughness.unwrap_or(base.thoroughness),
        ..base
    };
    let limits = args.input.limits.over(project.settings.limits);
    let mut roots = project.roots.clone();
    let corrected = project.photos.iter().filter(|photo| photo.edits.edits_name() || photo.edits.card.is_some());
    let corrected = corrected.map(|photo| {
        let PhotoEdits { name, row, card, .. } = photo.edits.clone();
        (photo.path.clone(), Correction { name, row, card })
    });
    let corrections = corrected.collect();
    let before_kept = before_kept(&project);
    let (excluded, kept): (Vec<_>, Vec<_>) = project.photos.into_iter().partition(|photo| photo.edits.excluded);
    let excluded = excluded.into_iter().map(|photo| photo.path).collect();
    let photos = kept.into_iter().map(|photo| ProjectPhoto {
        path: photo.path,
        overrides: photo.edits.overrides.as_deref().cloned().map(Arc::new),
        faces: match photo.edits.edits_faces() {
            true => FaceChoice::Edited(Box::new(photo.edits)),
            false => FaceChoice::BySpec,
        },
    });
    let photos: Vec<ProjectPhoto> = photos.collect();
    if roots.is_empty() {
        let paths: Vec<&Path> = photos.iter().map(|photo| photo.path.as_path()).collect();
        roots.extend(common_folder(&paths));
    }
    ProjectPhotos { roots, photos, excluded, before_kept, corrections, detect, limits }
}

/// The excluded photos, each with the next one that is not: an excluded card names the photos after it.
fn before_kept(project: &Project) -> Vec<(PathBuf, PathBuf)> {
    let mut next = None;
    let mut pairs = Vec::new();
    for photo in project.photos.iter().rev() {
        match (photo.edits.excluded, next) {
            (false, _) => next = Some(&photo.path),
            (true, Some(next)) => pairs.push((photo.path.clone(), next.clone())),
            (true, None) => {}
        }
    }
    pairs.reverse();
    pairs
}

/// Front ends open no files: the worker's files lane reads it.
fn open(path: &Path) -> anyhow::Result<Opened> {
    let worker = WorkerHandle::spawn(Arc::new(|| {})).context("the worker cannot be started")?;
    let request = FilesRequest::Project(ProjectTask::Open(path.to_owned()));
    let opened = ask(&worker, request, |event| match event {
        Event::Project(ProjectEvent::Opened(opened)) => opened.map(Some).map_err(|error| anyhow!(error.to_string())),
        _ => Ok(None),
    })?;
    for name in &opened.settings_lost {
        print::note(&format!("note: the project setting {name} could not be read and has its default"));
    }
    if opened.edits_lost > 0 {
        let count = opened.edits_lost;
        print::note(&format!("note: the edits to {count} photos could not be read and were skipped"));
    }
    if opened.changed > 0 {
        print::note(&format!("note: {} photos have changed since the project was saved", opened.changed));
    }
    Ok(*opened)
}
