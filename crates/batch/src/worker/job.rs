//! A photo as the worker is asked for it, and a batch of photos.

use std::path::PathBuf;
use std::sync::Arc;

use naming::{NameTemplate, PhotoName};
use pipeline::PhotoSource;
use recipe::{DecodeLimits, Depth, DetectSpec, FaceChoice, OnConflict, OutputSpec, Recipe};

use super::ItemId;
use crate::journal::JournalPlace;

/// One photo and how it is read.
#[derive(Clone, Debug, PartialEq)]
pub struct PhotoRef {
    /// The front end's name for it.
    pub item: ItemId,
    /// Its file.
    pub path: PathBuf,
    /// How large it may be.
    pub limits: DecodeLimits,
    /// How faces are found.
    pub detect: DetectSpec,
}

impl PhotoRef {
    pub(super) fn look(&self) -> PhotoSource<'_> {
        PhotoSource { path: &self.path, limits: &self.limits, detect: &self.detect }
    }
}

/// A batch.
#[derive(Clone, Debug)]
pub struct ExportJob {
    /// The photos, in order.
    pub items: Vec<ExportItem>,
    /// How far to go.
    pub depth: Depth,
    /// How photos become crops.
    pub recipe: Recipe,
    /// Where crops go; only looked at from [`Depth::Plan`] on.
    pub output: OutputSpec,
    /// How crops are called.
    pub template: NameTemplate,
    /// What no crop may replace beside the photos of the batch: whatever else was named, found or listed, before anything was
    /// left out of it, and the lists themselves.
    pub originals: Vec<PathBuf>,
    /// Pictures in the output folder, inside a folder that was named, which may be crops of earlier runs or originals: under
    /// [`OnConflict::Overwrite`] only those that the journal knows are replaced.
    pub passed_over: Vec<PathBuf>,
    /// Photos worked on at the same time; 0 for as many as the processor has cores. Crops and their names do not depend on it.
    pub workers: usize,
    /// Where is noted what becomes of each photo; `None` for nowhere. Only looked at with [`Depth::Write`].
    pub journal: Option<JournalSpec>,
}

impl ExportJob {
    /// Everything that no crop may replace.
    pub(super) fn all_originals(&self) -> impl Iterator<Item = &PathBuf> {
        self.items.iter().map(|item| &item.photo.path).chain(&self.originals)
    }

    /// The same, and what the policy for taken names must leave alone.
    pub(super) fn not_to_replace(&self) -> impl Iterator<Item = &PathBuf> {
        // Skipping what an earlier run wrote is what a second run is for; the other policies replace nothing.
        let replaces = self.output.on_conflict == OnConflict::Overwrite;
        self.all_originals().chain(self.passed_over.iter().filter(move |_| replaces))
    }
}

/// The journal of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalSpec {
    /// Where it goes.
    pub place: JournalPlace,
    /// True to take up a run that was broken off: what its journal says is done is not done again.
    pub resume: bool,
}

/// One photo of a batch.
#[derive(Clone, Debug)]
pub struct ExportItem {
    /// The photo.
    pub photo: PhotoRef,
    /// Which of its faces are cropped.
    pub faces: FaceChoice,
    /// What is known of its crops' names beforehand.
    pub name: PhotoName,
    /// What is asked of this photo in place of what is asked of all; `None` for that.
    pub recipe: Option<Arc<Recipe>>,
}
