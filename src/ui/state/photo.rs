//! A photo of the list: data from the worker and the user's edits.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use batch::project::FileMark;
use batch::worker::ItemId;
use geometry::{Face, Rect, Size};
use outcome::{Detection, DisplayCopy, ItemReport, PhotoInfo};
use plan::{
    CropPlan, PhotoFacts, PlannedFaces, Reason, ReasonGroup, ReasonKind, Review, Severity, Warning, WarningKind,
    choose_faces, eligible_faces, faces_of_output, left_to_right, plan_chosen, plan_in_order, review_crops,
    review_photo,
};
use recipe::{CropSpec, EditedFaces, FaceChoice, FinishSpec, Masks, ModelKind, Overrides, PhotoEdits};

use super::cards::CardReading;
use super::failures::PhotoFailure;
use super::marks::{Marks, ReviewBy};
use super::names::PhotoNaming;
use super::outputs::Framings;

/// A photo of the list.
pub(crate) struct Photo {
    pub id: ItemId,
    pub path: PathBuf,
    /// File name for display.
    pub name: String,
    /// Set by the library, which limits the total size.
    pub(super) thumbnail: Option<DisplayCopy>,
    /// True if the photo has no thumbnail that is available without decoding.
    pub no_thumbnail: bool,
    /// When it was last visible, as the counter of scroll changes.
    pub(super) seen_at: u64,
    /// Size, format, damage; `None` until decoded.
    pub info: Option<PhotoInfo>,
    /// Detection result; `None` until a runtime has processed it.
    pub detection: Option<Arc<Detection>>,
    /// The user's edits; changed through [`Photo::edit`].
    edits: PhotoEdits,
    /// The detected faces with the edits applied.
    edited: EditedFaces,
    /// Why it could not be read.
    pub failure: Option<PhotoFailure>,
    /// True if it is not opened because the program crashed while reading it.
    pub quarantined: bool,
    /// True while detection for the list is pending.
    pub detection_pending: bool,
    /// The person masks requested with the last detection.
    pub masks_requested: Masks,
    pub export: Option<ExportMark>,
    /// The card that it shows, as read.
    pub card: CardReading,
    /// True if it is paired with another photo of the list, with which it is cropped.
    pub(super) paired: bool,
    /// The name of its crops; `None` for its own name.
    pub naming: Option<Box<PhotoNaming>>,
    /// Settings from the preset in its row of the name list.
    pub(super) row_settings: Option<Box<Overrides>>,
    /// State of its file when the project was saved.
    pub mark: Option<FileMark>,
    /// True if its file was missing when the project was opened.
    pub(super) missing: bool,
    /// The warnings, as of `reviewed_at`.
    pub(super) review: Review,
    pub(super) marks: Marks,
    /// Photos with higher values are reviewed first.
    pub(super) rank: u32,
    /// 0 if the review is out of date.
    pub(super) reviewed_at: u64,
}

/// Result of the last export for a photo.
#[derive(Clone, Debug)]
pub(crate) enum ExportMark {
    Written,
    Skipped,
    NoFace,
    /// Skipped because a part of the image is missing.
    Damaged,
    /// The report has the reason.
    Failed(Arc<ItemReport>),
}

/// Status of a photo in the list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PhotoStatus<'a> {
    Waiting,
    /// Decoded, but no runtime was open for detection.
    NotDetected,
    Faces(usize),
    NoFace,
    Failed(&'a PhotoFailure),
}

impl Photo {
    pub(super) fn new(id: ItemId, path: PathBuf) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self {
            id,
            path,
            name,
            thumbnail: None,
            no_thumbnail: false,
            seen_at: 0,
            info: None,
            detection: None,
            edits: PhotoEdits::default(),
            edited: EditedFaces::default(),
            failure: None,
            quarantined: false,
            detection_pending: false,
            masks_requested: Masks::None,
            export: None,
            card: CardReading::Unread,
            paired: false,
            naming: None,
            row_settings: None,
            mark: None,
            missing: false,
            review: Review::default(),
            marks: Marks::default(),
            rank: 0,
            reviewed_at: 0,
        }
    }

    /// True if its file was missing and has not been found since.
    pub(crate) fn is_missing(&self) -> bool {
        self.missing && self.info.is_none()
    }

    /// True if no export includes it as a photo: it is excluded by the user, quarantined, or paired with another photo.
    pub(crate) fn is_excluded(&self) -> bool {
        self.edits.excluded || self.quarantined || self.paired
    }

    /// Its faces from the score threshold up, by descending score, followed by drawn ones.
    pub(crate) fn faces(&self) -> &[Face] {
        &self.edited.faces
    }

    /// A small copy, if available.
    pub(crate) fn thumbnail(&self) -> Option<&DisplayCopy> {
        self.thumbnail.as_ref()
    }

    /// Its warnings as of the last review.
    pub(crate) fn review(&self) -> &Review {
        &self.review
    }

    /// Its marks as of the last review.
    pub(crate) fn marks(&self) -> Marks {
        self.marks
    }

    pub(super) fn review_by(&self, by: &ReviewBy) -> Review {
        let framings = by.framings();
        let (plan, of_output) = (self.plan(&framings, 0), self.faces_of(&framings, 0));
        let faces = self.detection.as_ref().zip(self.info.as_ref()).map(|(_, info)| PlannedFaces {
            faces: &of_output,
            plan: &plan,
            picture: info.size,
            spec: self.crop(&by.crop),
            manual: self.manual().is_some(),
        });
        let faults = self.detection.iter().flat_map(|detection| &detection.model_faults);
        let missing_models: Vec<ModelKind> = faults.map(|fault| fault.model).collect();
        let was_decoded = self.info.is_some() && !self.detection_pending;
        let mut review = review_photo(&PhotoFacts {
            is_unreadable: self.failure.is_some(),
            is_damaged: self.info.as_ref().is_some_and(|info| info.damage.is_some()),
            has_no_runtime: by.has_no_runtime && was_decoded,
            is_not_written: matches!(self.export, Some(ExportMark::Failed(_))),
            missing_models: &missing_models,
            faces,
        });
        if self.failure.is_none() {
            self.add_warnings_of_variants(&framings, &mut review);
        }
        if by.cards && self.shows_only_card(&by.crop) {
            review
                .reasons
                .retain(|reason| matches!(reason.kind.group(), ReasonGroup::Broken | ReasonGroup::NotSearched));
        }
        review
    }

    /// Adds the rules that crops of variants do not meet, and their warnings of other kinds than those of `review`.
    fn add_warnings_of_variants(&self, framings: &Framings<'_>, review: &mut Review) {
        for output in 1..framings.len() {
            for Warning { kind, crop } in self.warnings(framings, output) {
                let is_rule = matches!(kind, WarningKind::Rule(_));
                let reason = Reason { kind: ReasonKind::Crop(kind), severity: Severity::Review, crop };
                let is_known = |known: &Reason| {
                    if is_rule { *known == reason } else { known.kind.id() == reason.kind.id() }
                };
                if !review.reasons.iter().any(is_known) {
                    review.reasons.push(reason);
                }
            }
        }
    }

    /// The user's edits.
    pub(crate) fn edits(&self) -> &PhotoEdits {
        &self.edits
    }

    /// Changes the user's edits.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut PhotoEdits)) {
        change(&mut self.edits);
        self.apply_edits();
    }

    /// True for a face drawn by the user.
    pub(crate) fn is_drawn(&self, index: usize) -> bool {
        index >= self.edited.found && index < self.edited.faces.len()
    }

    /// Its custom settings, or else those from the preset in its row.
    pub(crate) fn overrides(&self) -> Option<&Overrides> {
        self.edits.overrides.as_deref().or(self.row_settings.as_deref())
    }

    /// Its framing: from its overrides, else `of_list`.
    pub(crate) fn crop<'a>(&'a self, of_list: &'a CropSpec) -> &'a CropSpec {
        self.overrides().map_or(of_list, |own| &own.crop)
    }

    /// Shape and adjustments of its crops.
    pub(crate) fn finish(&self, of_list: FinishSpec) -> FinishSpec {
        self.overrides().map_or(of_list, |own| own.finish)
    }

    /// Indices of the faces chosen by the user, in crop order; `None` if the spec chooses.
    pub(crate) fn manual(&self) -> Option<&[usize]> {
        self.edited.chosen.as_deref()
    }

    fn apply_edits(&mut self) {
        let found = self.detection.as_ref().map_or(&[][..], |detection| &detection.faces);
        self.edited = self.edits.applied_to(found);
    }

    pub(crate) fn status(&self, spec: &CropSpec) -> PhotoStatus<'_> {
        if let Some(failure) = &self.failure {
            return PhotoStatus::Failed(failure);
        }
        let spec = self.crop(spec);
        match (&self.detection, &self.info) {
            (Some(_), _) => match eligible_faces(self.faces(), spec).len() {
                0 => PhotoStatus::NoFace,
                count => PhotoStatus::Faces(count),
            },
            (None, Some(_)) if !self.detection_pending => PhotoStatus::NotDetected,
            _ => PhotoStatus::Waiting,
        }
    }

    /// Indices of the faces that are cropped. Here and below, `of_list` is used unless the photo has overrides.
    pub(crate) fn chosen(&self, of_list: &CropSpec) -> Vec<usize> {
        match (self.manual(), &self.info) {
            (Some(chosen), _) => chosen.to_vec(),
            (None, Some(info)) => choose_faces(self.faces(), info.size, self.crop(of_list)),
            (None, None) => Vec::new(),
        }
    }

    /// Indices of the visible faces: those above the threshold and those chosen manually.
    pub(crate) fn shown(&self, of_list: &CropSpec) -> Vec<usize> {
        let mut shown = eligible_faces(self.faces(), self.crop(of_list));
        let drawn = self.edited.found..self.faces().len();
        for index in self.manual().into_iter().flatten().copied().chain(drawn) {
            if !shown.contains(&index) && index < self.faces().len() {
                shown.push(index);
            }
        }
        shown.sort_unstable();
        shown
    }

    /// The visible faces, numbered: the leftmost is number 1, regardless of the crop order.
    pub(crate) fn numbered(&self, of_list: &CropSpec) -> Vec<usize> {
        let mut numbered = self.shown(of_list);
        numbered.sort_by(|&a, &b| left_to_right(&self.faces()[a], &self.faces()[b]));
        numbered
    }

    /// The number of a visible face; 0 for others.
    pub(crate) fn number(&self, index: usize, of_list: &CropSpec) -> usize {
        self.numbered(of_list).iter().position(|&other| other == index).map_or(0, |place| place + 1)
    }

    /// Indices of the cropped faces, in crop order.
    pub(crate) fn order(&self, of_list: &CropSpec) -> Vec<usize> {
        let mut order = self.chosen(of_list);
        order.retain(|&index| index < self.faces().len());
        if self.manual().is_none() {
            order.sort_by(|&a, &b| left_to_right(&self.faces()[a], &self.faces()[b]));
        }
        order
    }

    /// True if the user has changed the crop order from left to right.
    pub(crate) fn is_reordered(&self, of_list: &CropSpec) -> bool {
        !self.order(of_list).is_sorted_by(|&a, &b| left_to_right(&self.faces()[a], &self.faces()[b]).is_le())
    }

    /// Its framing in an output; overrides are those of the first one.
    fn framing<'a>(&'a self, framings: &Framings<'a>, output: usize) -> &'a CropSpec {
        if output == 0 { self.crop(framings.own()) } else { framings.get(output) }
    }

    /// Its faces as an output frames them.
    pub(crate) fn faces_of(&self, framings: &Framings<'_>, output: usize) -> Cow<'_, [Face]> {
        let sizes: Vec<Size> = (0..framings.len()).map(|output| self.framing(framings, output).output).collect();
        faces_of_output(self.faces(), &sizes, output)
    }

    /// Its crops of an output.
    pub(crate) fn plan(&self, framings: &Framings<'_>, output: usize) -> CropPlan {
        let Some(info) = &self.info else { return CropPlan::default() };
        let plan = if self.manual().is_some() { plan_in_order } else { plan_chosen };
        let faces = self.faces_of(framings, output);
        plan(&faces, &self.chosen(framings.own()), info.size, self.framing(framings, output))
    }

    /// The warnings of its crops of an output.
    pub(crate) fn warnings(&self, framings: &Framings<'_>, output: usize) -> Vec<Warning> {
        let (Some(_), Some(info)) = (&self.detection, &self.info) else { return Vec::new() };
        let (faces, plan) = (self.faces_of(framings, output), self.plan(framings, output));
        let CropSpec { select, min_score, min_size, expected, .. } = *self.crop(framings.own());
        let spec = CropSpec { select, min_score, min_size, expected, ..self.framing(framings, output).clone() };
        review_crops(&faces, &plan, info.size, &spec, self.manual().is_some())
    }

    /// The choice of faces for an export. A face with a manual head or frame is passed with it, even if the spec selects it.
    pub(crate) fn face_choice(&self, of_list: &CropSpec) -> FaceChoice {
        match (self.edits.edits_faces(), &self.detection) {
            (false, _) => FaceChoice::BySpec,
            (true, None) => FaceChoice::Edited(Box::new(self.edits.clone())),
            (true, Some(_)) => match self.in_order(&self.chosen(of_list)) {
                // Chosen faces that are missing are not the same as no chosen faces.
                faces if faces.is_empty() && !self.edits.chooses_none() => {
                    FaceChoice::Edited(Box::new(self.edits.clone()))
                }
                faces => FaceChoice::Manual(faces),
            },
        }
    }

    fn in_order(&self, chosen: &[usize]) -> Vec<Face> {
        let mut faces: Vec<Face> = chosen.iter().filter_map(|&index| self.faces().get(index).copied()).collect();
        if self.manual().is_none() {
            faces.sort_by(left_to_right);
        }
        faces
    }

    /// Includes or excludes a face.
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

    /// Boxes of the cropped faces, in order.
    pub(crate) fn chosen_boxes(&self, of_list: &CropSpec) -> Vec<Rect> {
        self.in_order(&self.chosen(of_list)).iter().map(|face| face.bbox).collect()
    }

    /// Stores a new detection result; edits are matched to the new faces by position.
    pub(crate) fn set_detection(&mut self, detection: Arc<Detection>) {
        self.detection = Some(detection);
        self.apply_edits();
    }
}

#[cfg(test)]
mod tests {
    use geometry::{Head, Point};
    use outcome::{PictureFormat, PixelLayout};

    use super::*;

    fn face(x: f32, score: f32) -> Face {
        Face::new(Rect::new(x, 10.0, 40.0, 50.0), [Point::new(x + 20.0, 30.0); 5], score)
    }

    #[test]
    fn edits_are_exported_in_order() {
        let spec = CropSpec::default();
        let mut photo = Photo::new(ItemId(1), PathBuf::from("a.jpg"));
        let detected = |faces: &[Face]| Arc::new(Detection { faces: faces.to_vec(), ..Detection::default() });
        assert_eq!(photo.face_choice(&spec), FaceChoice::BySpec);
        let head = Head { eyes: Point::new(20.0, 30.0), eyes_to_crown: 30.0, eyes_to_chin: 31.0, roll: 4.0 };
        photo.edit(|edits| edits.set_head(face(0.0, 0.9).bbox, Some(head)));
        assert!(matches!(photo.face_choice(&spec), FaceChoice::Edited(_)), "its faces are not known yet");
        photo.set_detection(detected(&[face(202.0, 0.95), face(1.0, 0.9)]));
        photo.info = Some(PhotoInfo::plain(Size::new(400, 300), PictureFormat::Jpeg, PixelLayout::RGB8));
        assert!(matches!(photo.face_choice(&spec), FaceChoice::Manual(_)), "the head only");
        photo.edit(|edits| edits.chosen = Some(vec![]));
        photo.toggle_face(0, &spec);
        photo.toggle_face(1, &spec);
        let set = Face { head: Some(head), ..face(1.0, 0.9) };
        assert_eq!(photo.face_choice(&spec), FaceChoice::Manual(vec![set, face(202.0, 0.95)]), "from left to right");
        photo.toggle_face(1, &spec);
        assert_eq!(photo.manual(), Some(&[0][..]));
        photo.toggle_face(0, &spec);
        assert_eq!(photo.face_choice(&spec), FaceChoice::Manual(Vec::new()), "none, as chosen");
        photo.edit(|edits| edits.chosen = Some(vec![Rect::new(300.0, 200.0, 9.0, 9.0)]));
        assert!(matches!(photo.face_choice(&spec), FaceChoice::Edited(_)), "the chosen face is gone");
        photo.edit(PhotoEdits::reset_faces);
        assert_eq!(photo.face_choice(&spec), FaceChoice::BySpec);
    }

    #[test]
    fn overrides_are_used_for_planning() {
        let list = CropSpec::default();
        let mut photo = Photo::new(ItemId(1), PathBuf::from("a.jpg"));
        photo.info = Some(PhotoInfo::plain(Size::new(400, 300), PictureFormat::Jpeg, PixelLayout::RGB8));
        photo.set_detection(Arc::new(Detection { faces: vec![face(100.0, 0.9)], ..Detection::default() }));
        let mut own = Overrides::default();
        own.crop.output = Size::new(90, 100);
        photo.edit(|edits| edits.overrides = Some(Box::new(own)));
        let square = CropSpec { output: Size::new(96, 96), ..CropSpec::default() };
        let framings = Framings::new(&list, [&square]);
        assert_eq!(photo.plan(&framings, 0).crops[0].output, Size::new(90, 100));
        assert_eq!(photo.plan(&framings, 1).crops[0].output, Size::new(96, 96), "of the first output only");
    }
}
