//! Hashes of everything that determines the output of a batch and of a photo: equal hashes mean equal output.

use std::path::{Path, PathBuf};

use inference::file_name;
use naming::PhotoName;
use recipe::{ModelKind, OutputSpec, PackageSpec, Recipe};

use crate::journal::{digest, file_digest};
use crate::worker::sessions::Opened;
use crate::worker::{ExportItem, ExportJob, PhotoRef};

/// A hash of the inputs shared by all photos of a batch: settings, program version, model and requested runtime.
pub(super) fn of_job(job: &ExportJob, opened: Option<&Opened>) -> String {
    // The output folder does not change the crops.
    let output = OutputSpec { folder: PathBuf::new(), ..job.output.clone() };
    let recipe = without_packages(job.recipe.clone());
    let specs = (&recipe, &output);
    // The settings consist of numbers and names, so serialising them cannot fail.
    let specs = serde_json::to_string(&specs).unwrap_or_default();
    let requested = opened.map_or("none", |opened| opened.options().choice.id());
    let model = opened.and_then(|opened| opened.options().model.as_deref());
    let model = model.map_or_else(|| "bundled".to_owned(), |path| file_digest(path).unwrap_or_default());
    let folder = opened.and_then(|opened| opened.options().options.face_models.as_deref());
    // Nothing for the bundled ones, so that runs of earlier builds can be resumed.
    let face_models: String = folder.into_iter().flat_map(face_model_digests).collect();
    let version = env!("CARGO_PKG_VERSION");
    digest(format!("{version}\n{requested}\n{model}{face_models}\n{specs}\n{:?}", job.template).as_bytes())
}

/// The recipe as far as it determines the crops: an index can be added to a run that is resumed.
fn without_packages(mut recipe: Recipe) -> Recipe {
    recipe.package = PackageSpec::default();
    recipe.variants.iter_mut().for_each(|variant| variant.package = PackageSpec::default());
    recipe
}

fn face_model_digests(folder: &Path) -> [String; ModelKind::OF_FACES.len()] {
    ModelKind::OF_FACES.map(|kind| format!(" {}", file_digest(&folder.join(file_name(kind))).unwrap_or_default()))
}

/// A hash for one photo, with its own settings. Its position in the list is included only if names depend on it
/// (`by_place`), since the list may have grown since.
pub(super) fn of_item(job: &str, item: &ExportItem, by_place: bool) -> String {
    let PhotoRef { detect, .. } = &item.photo;
    let place = if by_place { item.name.place } else { 0 };
    let name = PhotoName { place, ..item.name.clone() };
    let recipe = item.recipe.as_deref().cloned().map(without_packages);
    digest(format!("{job}\n{detect:?}\n{:?}\n{:?}", item.faces, (&name, &recipe)).as_bytes())
}
