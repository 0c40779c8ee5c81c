//! The list of photos: what is known of each, and which are selected.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::decode::{DisplayCopy, PictureInfo};
use crate::detect::Detection;
use crate::geometry::{Face, Head};
use crate::plan::{Concern, CropPlan, CropSpec, choose_faces, faces_that_count, plan_chosen, review_crops};
use crate::worker::{FaceChoice, ItemId};

/// Two boxes with at least this intersection over union are the same face, found anew.
const SAME_FACE_IOU: f32 = 0.5;

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
    /// The faces of the detection with the heads that a person has set.
    faces: Vec<Face>,
    /// Why it could not be read.
    pub failure: Option<String>,
    /// True while the worker is to look at it for the list.
    pub looking: bool,
    /// Indices of the faces a person chose; `None` where the spec chooses.
    pub by_hand: Option<Vec<usize>>,
    pub export: Option<ExportMark>,
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
            faces: Vec::new(),
            failure: None,
            looking: false,
            by_hand: None,
            export: None,
        }
    }

    /// Its faces from the score floor up, by falling score.
    pub(crate) fn faces(&self) -> &[Face] {
        &self.faces
    }

    pub(crate) fn status(&self, spec: &CropSpec) -> PhotoStatus<'_> {
        if let Some(reason) = &self.failure {
            return PhotoStatus::Failed(reason);
        }
        match (&self.detection, &self.info) {
            (Some(_), _) => match faces_that_count(self.faces(), spec).len() {
                0 => PhotoStatus::NoFace,
                count => PhotoStatus::Faces(count),
            },
            (None, Some(_)) if !self.looking => PhotoStatus::NotLookedAt,
            _ => PhotoStatus::Waiting,
        }
    }

    /// Indices of the faces that are cropped.
    pub(crate) fn chosen(&self, spec: &CropSpec) -> Vec<usize> {
        match (&self.by_hand, &self.info) {
            (Some(chosen), _) => chosen.clone(),
            (None, Some(info)) => choose_faces(self.faces(), info.size, spec),
            (None, None) => Vec::new(),
        }
    }

    /// Indices of the faces that are shown: those that score high enough and those chosen by hand.
    pub(crate) fn shown(&self, spec: &CropSpec) -> Vec<usize> {
        let mut shown = faces_that_count(self.faces(), spec);
        for &index in self.by_hand.iter().flatten() {
            if !shown.contains(&index) && index < self.faces().len() {
                shown.push(index);
            }
        }
        shown.sort_unstable();
        shown
    }

    /// Its crops.
    pub(crate) fn plan(&self, spec: &CropSpec) -> CropPlan {
        let Some(info) = &self.info else { return CropPlan::default() };
        plan_chosen(self.faces(), &self.chosen(spec), info.size, spec)
    }

    /// What a person should have a look at in it.
    pub(crate) fn concerns(&self, spec: &CropSpec) -> Vec<Concern> {
        match (&self.detection, &self.info) {
            (Some(_), Some(info)) => review_crops(self.faces(), &self.plan(spec), info.size, spec),
            _ => Vec::new(),
        }
    }

    /// The choice an export is told. A head set by hand takes its face along, whoever chose that.
    pub(crate) fn face_choice(&self, spec: &CropSpec) -> FaceChoice {
        if !self.is_by_hand() {
            return FaceChoice::BySpec;
        }
        FaceChoice::ByHand(self.chosen(spec).iter().filter_map(|&index| self.faces().get(index).copied()).collect())
    }

    /// True where a person has chosen faces or set a head.
    pub(crate) fn is_by_hand(&self) -> bool {
        self.by_hand.is_some() || self.faces.iter().any(|face| face.head.is_some())
    }

    /// Takes a head as a person has set it.
    pub(crate) fn set_head(&mut self, index: usize, head: Head) {
        if let Some(face) = self.faces.get_mut(index).filter(|_| head.is_usable()) {
            face.head = Some(head);
        }
    }

    /// Forgets what a person has chosen and set.
    pub(crate) fn reset_by_hand(&mut self) {
        self.by_hand = None;
        self.faces.iter_mut().for_each(|face| face.head = None);
    }

    /// Takes faces found anew. Faces chosen by hand, and heads set by hand, are found again by where they are.
    pub(crate) fn set_detection(&mut self, detection: Arc<Detection>) {
        let old = std::mem::replace(&mut self.faces, detection.faces.clone());
        let place = |face: &Face| detection.faces.iter().position(|new| new.bbox.iou(face.bbox) >= SAME_FACE_IOU);
        if let Some(chosen) = &self.by_hand {
            self.by_hand = Some(chosen.iter().filter_map(|&index| place(old.get(index)?)).collect());
        }
        for face in old.iter().filter(|face| face.head.is_some()) {
            if let Some(index) = place(face) {
                self.faces[index].head = face.head;
            }
        }
        self.detection = Some(detection);
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

    /// Takes the selected photos off the list and selects the one that moves up; gives the ids taken off.
    pub(crate) fn remove_selected(&mut self) -> Vec<ItemId> {
        let first = self.photos.iter().position(|photo| self.is_selected(photo.id)).unwrap_or(0);
        let selected = std::mem::take(&mut self.selected);
        let (gone, kept) = std::mem::take(&mut self.photos).into_iter().partition(|photo| selected.contains(&photo.id));
        self.photos = kept;
        let gone: Vec<Photo> = gone;
        for photo in &gone {
            self.known.remove(&photo.path);
        }
        self.places = self.photos.iter().enumerate().map(|(place, photo)| (photo.id, place)).collect();
        (self.anchor, self.current) = (None, None);
        if let Some(next) = self.photos.get(first.min(self.photos.len().saturating_sub(1))).map(|photo| photo.id) {
            self.select(next, SelectHow::Only);
        }
        gone.into_iter().map(|photo| photo.id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{PictureFormat, PixelLayout};
    use crate::geometry::{Point, Rect, Size};

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
        assert_eq!(library.remove_selected(), [middle]);
        assert_eq!(library.current.and_then(|id| library.get(id)).map(|photo| photo.name.as_str()), Some("c.jpg"));
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
    fn faces_chosen_by_hand_are_found_again_after_a_new_look() {
        let mut photo = Photo::new(ItemId(1), PathBuf::from("a.jpg"));
        let look = |faces: &[Face]| Arc::new(Detection { faces: faces.to_vec(), ..Detection::default() });
        photo.set_detection(look(&[face(0.0, 0.9), face(200.0, 0.8)]));
        photo.by_hand = Some(vec![1]);
        photo.set_detection(look(&[face(202.0, 0.95), face(1.0, 0.9)]));
        assert_eq!(photo.by_hand, Some(vec![0]));
        photo.set_detection(look(&[face(1.0, 0.9)]));
        assert_eq!(photo.by_hand, Some(vec![]), "a choice whose face is gone stays a choice");
    }

    #[test]
    fn a_head_set_by_hand_stays_with_its_face_and_goes_to_the_export() {
        let spec = CropSpec::default();
        let mut photo = Photo::new(ItemId(1), PathBuf::from("a.jpg"));
        let look = |faces: &[Face]| Arc::new(Detection { faces: faces.to_vec(), ..Detection::default() });
        photo.set_detection(look(&[face(0.0, 0.9), face(200.0, 0.8)]));
        photo.info = Some(PictureInfo::plain(Size::new(400, 300), PictureFormat::Jpeg, PixelLayout::RGB8));
        assert_eq!(photo.face_choice(&spec), FaceChoice::BySpec);
        let head = Head { eyes: Point::new(20.0, 30.0), eyes_to_crown: 30.0, eyes_to_chin: 31.0, roll: 4.0 };
        photo.set_head(0, head);
        photo.set_head(1, Head { eyes_to_chin: f32::NAN, ..head });
        photo.set_detection(look(&[face(202.0, 0.95), face(1.0, 0.9)]));
        assert_eq!(photo.faces().iter().map(|face| face.head).collect::<Vec<_>>(), [None, Some(head)]);
        photo.by_hand = Some(vec![1]);
        let set = Face { head: Some(head), ..face(1.0, 0.9) };
        assert_eq!(photo.face_choice(&spec), FaceChoice::ByHand(vec![set]));
        photo.by_hand = None;
        assert!(photo.is_by_hand() && matches!(photo.face_choice(&spec), FaceChoice::ByHand(_)), "the head alone");
        photo.reset_by_hand();
        assert_eq!(photo.face_choice(&spec), FaceChoice::BySpec);
    }
}
