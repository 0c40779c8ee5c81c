//! What a photo's output depends on, as a hash: where it is the same, the output is.

use std::path::PathBuf;

use naming::PhotoName;
use recipe::OutputSpec;

use crate::journal::{digest, file_digest};
use crate::worker::sessions::Opened;
use crate::worker::{ExportItem, ExportJob, PhotoRef};

/// A hash of what is the same for all photos of a batch: the specs, the program's version, the model and the runtime asked
/// for.
pub(super) fn of_job(job: &ExportJob, opened: Option<&Opened>) -> String {
    // Where the crops go does not change what they are.
    let output = OutputSpec { folder: PathBuf::new(), ..job.output.clone() };
    let specs = (&job.recipe, &output);
    // Specs are numbers and names: nothing of them is without a JSON form.
    let specs = serde_json::to_string(&specs).unwrap_or_default();
    let requested = opened.map_or("none", |opened| opened.options().choice.id());
    let model = opened.and_then(|opened| opened.options().model.as_deref());
    let model = model.map_or_else(|| "bundled".to_owned(), |path| file_digest(path).unwrap_or_default());
    digest(format!("{}\n{requested}\n{model}\n{specs}\n{:?}", env!("CARGO_PKG_VERSION"), job.template).as_bytes())
}

/// The same for one photo, with what is its own. Its place in the list counts only where names depend `by_place`: a list may
/// have grown since.
pub(super) fn of_item(job: &str, item: &ExportItem, by_place: bool) -> String {
    let PhotoRef { detect, .. } = &item.photo;
    let place = if by_place { item.name.place } else { 0 };
    let name = PhotoName { place, ..item.name.clone() };
    digest(format!("{job}\n{detect:?}\n{:?}\n{:?}", item.faces, (&name, &item.recipe)).as_bytes())
}
