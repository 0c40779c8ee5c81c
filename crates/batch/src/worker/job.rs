//! Photos and batches in requests to the worker.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use naming::{NameTemplate, PhotoName};
use pipeline::PhotoSource;
use recipe::{DecodeLimits, Depth, DetectSpec, FaceChoice, OnConflict, OutputSpec, Recipe};

use super::ItemId;
use crate::journal::JournalPlace;

/// A photo and the settings for decoding and detection.
#[derive(Clone, Debug, PartialEq)]
pub struct PhotoRef {
    /// Its id in the front end's list.
    pub item: ItemId,
    pub path: PathBuf,
    /// Limits on the file's size and pixel count.
    pub limits: DecodeLimits,
    pub detect: DetectSpec,
}

impl PhotoRef {
    pub(super) fn source(&self) -> PhotoSource<'_> {
        PhotoSource { path: &self.path, limits: &self.limits, detect: &self.detect }
    }
}

/// The specification of a batch.
#[derive(Clone, Debug)]
pub struct ExportJob {
    /// The photos, in list order.
    pub items: Vec<ExportItem>,
    /// The last pipeline step to run.
    pub depth: Depth,
    /// Crop, finish, encoding and sheet settings.
    pub recipe: Recipe,
    /// Output folder and conflict policy; used from [`Depth::Plan`] on.
    pub output: OutputSpec,
    /// Template for the names of crops.
    pub template: NameTemplate,
    /// Files that no crop may replace, in addition to the photos of the batch: all other inputs that were given, found or
    /// listed, including excluded ones, and the lists themselves.
    pub originals: Vec<PathBuf>,
    /// Photos found inside the output folder and not taken as input: crops of earlier runs or originals. Under
    /// [`OnConflict::Overwrite`] only those listed in the journal are replaced.
    pub ignored: Vec<PathBuf>,
    /// Number of worker threads; 0 for the number of cores. Crops and their names do not depend on it.
    pub workers: usize,
    /// The journal; `None` for none. Used with [`Depth::Write`] only.
    pub journal: Option<JournalSpec>,
}

impl ExportJob {
    /// All files that no crop may replace.
    pub(super) fn all_originals(&self) -> impl Iterator<Item = Cow<'_, Path>> {
        let paired = self.recipe.paired.iter().flat_map(|pattern| {
            self.items.iter().filter_map(|item| Some(Cow::Owned(pattern.path_of(&item.photo.path)?)))
        });
        let given = self.items.iter().map(|item| &item.photo.path).chain(&self.originals);
        given.map(|path| Cow::Borrowed(path.as_path())).chain(paired)
    }

    /// The same, plus the files that the conflict policy must not replace.
    pub(super) fn not_to_replace(&self) -> impl Iterator<Item = Cow<'_, Path>> {
        // Skip must recognise the crops of an earlier run; Suffix and Fail replace nothing.
        let replaces = self.output.on_conflict == OnConflict::Overwrite;
        self.all_originals()
            .chain(self.ignored.iter().filter(move |_| replaces).map(|path| Cow::Borrowed(path.as_path())))
    }
}

/// The journal of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalSpec {
    /// Its location.
    pub place: JournalPlace,
    /// True to resume an interrupted run: photos that its journal lists as done are not processed again.
    pub resume: bool,
}

/// One photo of a batch.
#[derive(Clone, Debug)]
pub struct ExportItem {
    pub photo: PhotoRef,
    /// Which of its faces are cropped.
    pub faces: FaceChoice,
    /// The values for the name template that are known before decoding.
    pub name: PhotoName,
    /// Overrides for this photo; `None` for the recipe of the batch.
    pub recipe: Option<Arc<Recipe>>,
    /// The text of the card that the photo shows, if any: without a face it is then no failure.
    pub card: Option<String>,
}
