//! The list of photos: what is known of each, and which are selected.

mod other;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::decode::{DisplayCopy, PictureInfo};
use crate::detect::Detection;
use crate::geometry::{Face, Rect};
use crate::plan::{
    Concern, CropPlan, CropSpec, EditedFaces, FinishSpec, PhotoEdits, choose_faces, faces_that_count, left_to_right,
    plan_chosen, plan_in_order, review_crops,
};
use crate::project::FileMark;
use crate::worker::{FaceChoice, ItemId};

/// One photo of the list.
pub(crate) struct Photo {
    pub id: ItemId,
    pub path: PathBuf,
    /// The file's name, for people.
    pub name: String,
    pub thumbnail: Option<DisplayCopy>,
    /// Size, format, damage; `None` until it was looked at.
    pub info: Option<PictureInfo>,
    /// What a runtime found; `None` until one has looked.
    pub detection: Option<Arc<Detection>>,
    /// What a person has decided; changed through [`Photo::edit`].
    edits: PhotoEdits,
    /// The faces of the detection as a person has decided.
    edited: EditedFaces,
    /// Why it could not be read.
    pub failure: Option<String>,
    /// True while the worker is to look at it for the list.
    pub looking: bool,
    pub export: Option<ExportMark>,
    /// What its file was like when its project was written.
    pub mark: Option<FileMark>,
    /// True where its file was not there when its project was opened.
    missing: bool,
}

/// What the last export made of a photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExportMark {
    Written(usize),
    Skipped,
    NoFace,
    /// Left out because a part of it is missing.
    Damaged,
    Failed(String),
}

/// What the list says of a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PhotoStatus<'a> {
    Waiting,
    /// Decoded, but no runtime was open to look for faces.
    NotLookedAt,
    Faces(usize),
    NoFace,
    Failed(&'a str),
}

impl Photo {
    fn new(id: ItemId, path: PathBuf) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self {
            id,
            path,
            name,
            thumbnail: None,
            info: None,
            detection: None,
            edits: PhotoEdits::default(),
            edited: EditedFaces::default(),
            failure: None,
            looking: false,
            export: None,
            mark: None,
            missing: false,
        }
    }

    /// True where its file was not there and was not found since.
    pub(crate) fn is_missing(&self) -> bool {
        self.missing && self.info.is_none()
    }

    /// Its faces from the score floor up, by falling score; then those a person has drawn.
    pub(crate) fn faces(&self) -> &[Face] {
        &self.edited.faces
    }

    /// What a person has decided about it.
    pub(crate) fn edits(&self) -> &PhotoEdits {
        &self.edits
    }

    /// Changes what a person has decided.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut PhotoEdits)) {
        change(&mut self.edits);
        self.apply_edits();
    }

    /// True for a face that a person has drawn.
    pub(crate) fn is_drawn(&self, index: usize) -> bool {
        index >= self.edited.found && index < self.edited.faces.len()
    }

    /// How it is framed: by specs of its own, else by those of the list.
    pub(crate) fn crop<'a>(&'a self, of_list: &'a CropSpec) -> &'a CropSpec {
        self.edits.own.as_ref().map_or(of_list, |own| &own.crop)
    }

    /// Shape and adjustments of its crops.
    pub(crate) fn finish(&self, of_list: FinishSpec) -> FinishSpec {
        self.edits.own.as_ref().map_or(of_list, |own| own.finish)
    }

    /// Indices of the faces a person chose, in their order; `None` where the spec chooses.
    pub(crate) fn by_hand(&self) -> Option<&[usize]> {
        self.edited.chosen.as_deref()
    }

    fn apply_edits(&mut self) {
        let found = self.detection.as_ref().map_or(&[][..], |detection| &detection.faces);
        self.edited = self.edits.applied_to(found);
    }

    pub(crate) fn status(&self, spec: &CropSpec) -> PhotoStatus<'_> {
        if let Some(reason) = &self.failure {
            return PhotoStatus::Failed(reason);
        }
        let spec = self.crop(spec);
        match (&self.detection, &self.info) {
            (Some(_), _) => match faces_that_count(self.faces(), spec).len() {
                0 => PhotoStatus::NoFace,
                count => PhotoStatus::Faces(count),
            },
            (None, Some(_)) if !self.looking => PhotoStatus::NotLookedAt,
            _ => PhotoStatus::Waiting,
        }
    }

    /// Indices of the faces that are cropped; `of_list` is used unless the photo has a spec of its own, as in all that follow.
    pub(crate) fn chosen(&self, of_list: &CropSpec) -> Vec<usize> {
        match (self.by_hand(), &self.info) {
            (Some(chosen), _) => chosen.to_vec(),
            (None, Some(info)) => choose_faces(self.faces(), info.size, self.crop(of_list)),
            (None, None) => Vec::new(),
        }
    }

    /// Indices of the faces that are shown: those that score high enough and those chosen by hand.
    pub(crate) fn shown(&self, of_list: &CropSpec) -> Vec<usize> {
        let mut shown = faces_that_count(self.faces(), self.crop(of_list));
        let drawn = self.edited.found..self.faces().len();
        for index in self.by_hand().into_iter().flatten().copied().chain(drawn) {
            if !shown.contains(&index) && index < self.faces().len() {
                shown.push(index);
            }
        }
        shown.sort_unstable();
        shown
    }

    /// Its crops.
    pub(crate) fn plan(&self, of_list: &CropSpec) -> CropPlan {
        let Some(info) = &self.info else { return CropPlan::default() };
        let plan = if self.by_hand().is_some() { plan_in_order } else { plan_chosen };
        plan(self.faces(), &self.chosen(of_list), info.size, self.crop(of_list))
    }

    /// What a person should have a look at in it.
    pub(crate) fn concerns(&self, of_list: &CropSpec) -> Vec<Concern> {
        match (&self.detection, &self.info) {
            (Some(_), Some(info)) => review_crops(self.faces(), &self.plan(of_list), info.size, self.crop(of_list)),
            _ => Vec::new(),
        }
    }

    /// The choice an export is told. What was set by hand takes its face along, whoever chose that.
    pub(crate) fn face_choice(&self, of_list: &CropSpec) -> FaceChoice {
        match (self.edits.touches_faces(), &self.detection) {
            (false, _) => FaceChoice::BySpec,
            (true, None) => FaceChoice::Edited(Box::new(self.edits.clone())),
            (true, Some(_)) => FaceChoice::ByHand(self.in_order(&self.chosen(of_list))),
        }
    }

    fn in_order(&self, chosen: &[usize]) -> Vec<Face> {
        let mut faces: Vec<Face> = chosen.iter().filter_map(|&index| self.faces().get(index).copied()).collect();
        if self.by_hand().is_none() {
            faces.sort_by(left_to_right);
        }
        faces
    }

    /// Has the face cropped, or no longer.
    pub(crate) fn toggle_face(&mut self, index: usize, of_list: &CropSpec) {
        let Some(face) = self.faces().get(index).copied() else { return };
        let mut faces = self.in_order(&self.chosen(of_list));
        match faces.iter().position(|other| other.bbox == face.bbox) {
            Some(place) => _ = faces.remove(place),
            None => {
                let place = faces.iter().position(|other| left_to_right(other, &face).is_gt()).unwrap_or(faces.len());
                faces.insert(place, face);
            }
        }
        let boxes: Vec<Rect> = faces.iter().map(|face| face.bbox).collect();
        self.edit(|edits| edits.chosen = Some(boxes));
    }

    /// The boxes of the faces that are cropped, in order.
    pub(crate) fn chosen_boxes(&self, of_list: &CropSpec) -> Vec<Rect> {
        self.in_order(&self.chosen(of_list)).iter().map(|face| face.bbox).collect()
    }

    /// Takes faces found anew; what was decided about faces finds them again by where they are.
    pub(crate) fn set_detection(&mut self, detection: Arc<Detection>) {
        self.detection = Some(detection);
        self.apply_edits();
    }
}

/// How a click changes the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SelectHow {
    /// This one alone.
    Only,
    /// This one in or out.
    Toggle,
    /// Every one from the last click to this one.
    Range,
}

/// The list of photos.
#[derive(Default)]
pub(crate) struct Library {
    photos: Vec<Photo>,
    places: HashMap<ItemId, usize>,
    known: HashSet<PathBuf>,
    last_id: u64,
    selected: HashSet<ItemId>,
    anchor: Option<ItemId>,
    /// The photo on the canvas.
    pub current: Option<ItemId>,
}

impl Library {
    pub(crate) fn photos(&self) -> &[Photo] {
        &self.photos
    }

    pub(crate) fn len(&self) -> usize {
        self.photos.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.photos.is_empty()
    }

    pub(crate) fn get(&self, id: ItemId) -> Option<&Photo> {
        self.photos.get(*self.places.get(&id)?)
    }

    pub(crate) fn get_mut(&mut self, id: ItemId) -> Option<&mut Photo> {
        self.photos.get_mut(*self.places.get(&id)?)
    }

    /// Where the photo stands in the list.
    pub(crate) fn place(&self, id: ItemId) -> Option<usize> {
        self.places.get(&id).copied()
    }

    /// Appends a photo; `None` where the list has this path already.
    pub(crate) fn add(&mut self, path: &Path) -> Option<ItemId> {
        if !self.known.insert(path.to_owned()) {
            return None;
        }
        self.last_id += 1;
        let id = ItemId(self.last_id);
        self.places.insert(id, self.photos.len());
        self.photos.push(Photo::new(id, path.to_owned()));
        Some(id)
    }

    pub(crate) fn is_selected(&self, id: ItemId) -> bool {
        self.selected.contains(&id)
    }

    pub(crate) fn selected_count(&self) -> usize {
        self.selected.len()
    }

    /// The selected photos in the list's order.
    pub(crate) fn selected(&self) -> impl Iterator<Item = &Photo> {
        self.photos.iter().filter(|photo| self.is_selected(photo.id))
    }

    /// How many photos the worker still has to look at for the list.
    pub(crate) fn looking_count(&self) -> usize {
        self.photos.iter().filter(|photo| photo.looking).count()
    }

    /// Changes the selection and what is on the canvas.
    pub(crate) fn select(&mut self, id: ItemId, how: SelectHow) {
        let Some(place) = self.place(id) else { return };
        match how {
            SelectHow::Only => {
                self.selected = HashSet::from([id]);
                (self.anchor, self.current) = (Some(id), Some(id));
            }
            SelectHow::Toggle => {
                self.anchor = Some(id);
                if self.selected.remove(&id) {
                    if self.current == Some(id) {
                        let first = self.selected().next().map(|photo| photo.id);
                        self.current = first;
                    }
                } else {
                    self.selected.insert(id);
                    self.current = Some(id);
                }
            }
            SelectHow::Range => {
                let anchor = self.anchor.and_then(|id| self.place(id)).unwrap_or(place);
                let range = anchor.min(place)..=anchor.max(place);
                self.selected = self.photos[range].iter().map(|photo| photo.id).collect();
                self.current = Some(id);
            }
        }
    }

    pub(crate) fn select_all(&mut self) {
        self.selected = self.photos.iter().map(|photo| photo.id).collect();
        if self.current.is_none() {
            self.current = self.photos.first().map(|photo| photo.id);
        }
    }

    /// Takes photos off the list, each with its place, and selects the one that moves up.
    pub(crate) fn take(&mut self, ids: &HashSet<ItemId>) -> Vec<(usize, Photo)> {
        let first = self.photos.iter().position(|photo| ids.contains(&photo.id)).unwrap_or(0);
        let mut gone = Vec::new();
        for (place, photo) in std::mem::take(&mut self.photos).into_iter().enumerate() {
            if ids.contains(&photo.id) {
                self.known.remove(&photo.path);
                gone.push((place, photo));
            } else {
                self.photos.push(photo);
            }
        }
        self.number();
        self.selected.retain(|id| !ids.contains(id));
        if self.current.is_some_and(|current| ids.contains(&current)) {
            (self.anchor, self.current) = (None, None);
            if let Some(next) = self.photos.get(first.min(self.photos.len().saturating_sub(1))).map(|photo| photo.id) {
                self.select(next, SelectHow::Only);
            }
        }
        gone
    }

    /// Puts photos back where they were, and selects them; gives their ids. One whose path has come back since stays away.
    pub(crate) fn put_back(&mut self, photos: Vec<(usize, Photo)>) -> Vec<ItemId> {
        let mut ids = Vec::new();
        for (place, photo) in photos {
            if self.known.insert(photo.path.clone()) {
                ids.push(photo.id);
                let place = place.min(self.photos.len());
                self.photos.insert(place, photo);
            }
        }
        self.number();
        if let Some(&first) = ids.first() {
            self.selected = ids.iter().copied().collect();
            (self.anchor, self.current) = (Some(first), Some(first));
        }
        ids
    }

    fn number(&mut self) {
        self.places = self.photos.iter().enumerate().map(|(place, photo)| (photo.id, place)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{PictureFormat, PixelLayout};
    use crate::geometry::{Head, Point, Rect, Size};
    use crate::plan::OwnLook;

    fn face(x: f32, score: f32) -> Face {
        Face::new(Rect::new(x, 10.0, 40.0, 50.0), [Point::new(x + 20.0, 30.0); 5], score)
    }

    fn library(names: &[&str]) -> Library {
        let mut library = Library::default();
        for name in names {
            library.add(Path::new(name));
        }
        library
    }

    #[test]
    fn a_path_is_listed_once() {
        let mut library = library(&["a.jpg", "b.jpg"]);
        assert_eq!(library.add(Path::new("a.jpg")), None);
        assert_eq!(library.len(), 2);
    }

    #[test]
    fn removing_selects_what_moves_up_and_lets_the_path_come_back() {
        let mut library = library(&["a.jpg", "b.jpg", "c.jpg"]);
        let middle = library.photos()[1].id;
        library.select(middle, SelectHow::Only);
        let gone = library.take(&HashSet::from([middle]));
        assert_eq!(gone.iter().map(|(place, photo)| (*place, photo.id)).collect::<Vec<_>>(), [(1, middle)]);
        assert_eq!(library.current.and_then(|id| library.get(id)).map(|photo| photo.name.as_str()), Some("c.jpg"));
        assert_eq!(library.put_back(gone), [middle]);
        assert_eq!(
            library.photos().iter().map(|photo| photo.name.as_str()).collect::<Vec<_>>(),
            ["a.jpg", "b.jpg", "c.jpg"]
        );
        assert_eq!((library.current, library.place(middle)), (Some(middle), Some(1)));
        library.take(&HashSet::from([middle]));
        assert!(library.add(Path::new("b.jpg")).is_some_and(|id| id != middle));
    }

    #[test]
    fn a_range_runs_from_the_last_click() {
        let mut library = library(&["a.jpg", "b.jpg", "c.jpg", "d.jpg"]);
        let ids: Vec<ItemId> = library.photos().iter().map(|photo| photo.id).collect();
        library.select(ids[2], SelectHow::Only);
        library.select(ids[0], SelectHow::Range);
        assert_eq!(library.selected_count(), 3);
        library.select(ids[1], SelectHow::Toggle);
        assert!(!library.is_selected(ids[1]) && library.is_selected(ids[0]));
    }

    #[test]
    fn what_was_decided_goes_to_the_export_in_order() {
        let spec = CropSpec::default();
        let mut photo = Photo::new(ItemId(1), PathBuf::from("a.jpg"));
        let look = |faces: &[Face]| Arc::new(Detection { faces: faces.to_vec(), ..Detection::default() });
        assert_eq!(photo.face_choice(&spec), FaceChoice::BySpec);
        let head = Head { eyes: Point::new(20.0, 30.0), eyes_to_crown: 30.0, eyes_to_chin: 31.0, roll: 4.0 };
        photo.edit(|edits| edits.set_head(face(0.0, 0.9).bbox, Some(head)));
        assert!(matches!(photo.face_choice(&spec), FaceChoice::Edited(_)), "its faces are not known yet");
        photo.set_detection(look(&[face(202.0, 0.95), face(1.0, 0.9)]));
        photo.info = Some(PictureInfo::plain(Size::new(400, 300), PictureFormat::Jpeg, PixelLayout::RGB8));
        assert!(matches!(photo.face_choice(&spec), FaceChoice::ByHand(_)), "the head alone");
        photo.edit(|edits| edits.chosen = Some(vec![]));
        photo.toggle_face(0, &spec);
        photo.toggle_face(1, &spec);
        let set = Face { head: Some(head), ..face(1.0, 0.9) };
        assert_eq!(photo.face_choice(&spec), FaceChoice::ByHand(vec![set, face(202.0, 0.95)]), "from left to right");
        photo.toggle_face(1, &spec);
        assert_eq!(photo.by_hand(), Some(&[0][..]));
        photo.edit(PhotoEdits::forget_faces);
        assert_eq!(photo.face_choice(&spec), FaceChoice::BySpec);
    }

    #[test]
    fn a_photo_of_its_own_spec_is_planned_by_it() {
        let list = CropSpec::default();
        let mut photo = Photo::new(ItemId(1), PathBuf::from("a.jpg"));
        photo.info = Some(PictureInfo::plain(Size::new(400, 300), PictureFormat::Jpeg, PixelLayout::RGB8));
        photo.set_detection(Arc::new(Detection { faces: vec![face(100.0, 0.9)], ..Detection::default() }));
        let mut own = OwnLook::default();
        own.crop.output = Size::new(90, 100);
        photo.edit(|edits| edits.own = Some(Box::new(own)));
        assert_eq!(photo.plan(&list).crops[0].output, Size::new(90, 100));
    }
}
