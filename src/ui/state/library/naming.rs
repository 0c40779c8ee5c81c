//! Names of photos in the list, and settings from presets in their rows.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use batch::worker::ItemId;
use recipe::{Overrides, PairedPattern, paired_among};

use super::super::names::PhotoNaming;
use super::Library;

impl Library {
    /// Replaces the names of all photos.
    pub(crate) fn set_names(&mut self, mut names: HashMap<ItemId, Box<PhotoNaming>>) {
        let facts = |naming: &PhotoNaming| (naming.by, naming.lacks_row, naming.clashes, naming.has_unlisted_card());
        for photo in &mut self.photos {
            let naming = names.remove(&photo.id);
            if photo.naming.as_deref().map(facts) != naming.as_deref().map(facts) {
                // The marks follow from these.
                self.reviews.touch(photo);
            }
            photo.naming = naming;
        }
        // The filter searches names.
        self.shown.marks_changed();
    }

    /// Sets which photos are paired with another one.
    pub(crate) fn set_paired(&mut self, patterns: &[PairedPattern]) {
        let paired = paired_among(patterns, self.photos.iter().map(|photo| photo.path.as_path()));
        let paired: HashSet<PathBuf> = paired.into_iter().map(Path::to_owned).collect();
        for photo in &mut self.photos {
            let is_paired = paired.contains(&photo.path);
            if photo.paired != is_paired {
                photo.paired = is_paired;
                self.reviews.touch(photo);
            }
        }
    }

    /// Sets the settings that follow from the photos' rows.
    pub(crate) fn set_row_settings(&mut self, mut settings: HashMap<ItemId, Box<Overrides>>) {
        for photo in &mut self.photos {
            let settings = settings.remove(&photo.id);
            if photo.row_settings != settings {
                photo.row_settings = settings;
                self.reviews.touch(photo);
            }
        }
    }
}
