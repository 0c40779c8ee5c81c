//! Replacing the list, and relocating photos.

use std::path::Path;

use batch::project::ProjectPhoto;
use batch::worker::ItemId;

use super::super::cards::CardReading;
use super::super::failures::PhotoFailure;
use super::{Filter, Library, Photo};

impl Library {
    /// Replaces all photos; returns their ids. Duplicate paths are added once.
    pub(crate) fn replace(&mut self, photos: Vec<ProjectPhoto>) -> Vec<ItemId> {
        let all = self.photos.iter().map(|photo| photo.id).collect();
        self.take(&all);
        self.set_filter(Filter::default());
        let mut ids = Vec::new();
        for photo in photos {
            let Some(id) = self.add(&photo.path) else { continue };
            ids.push(id);
            if let Some(new) = self.get_mut(id) {
                (new.mark, new.missing) = (photo.mark, photo.missing);
                new.failure = photo.missing.then_some(PhotoFailure::Missing);
                new.edit(|edits| *edits = photo.edits);
            }
        }
        ids
    }

    /// Moves a missing photo to `path`; returns false if the list already has that path.
    pub(crate) fn move_to(&mut self, id: ItemId, path: &Path) -> bool {
        if !self.places.contains_key(&id) || !self.known.insert(path.to_owned()) {
            return false;
        }
        let Some(photo) = self.get_mut(id) else { return false };
        let moved = Photo::new(id, path.to_owned());
        let was_at = std::mem::replace(&mut photo.path, moved.path);
        photo.name = moved.name;
        (photo.missing, photo.failure, photo.card) = (false, None, CardReading::Unread);
        self.known.remove(&was_at);
        self.changed();
        true
    }
}
