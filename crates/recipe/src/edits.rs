//! What a person has decided about one photo, and faces found -> faces as decided.
//!
//! Decisions name faces by the box they were found with, so that they outlive another look at the photo and go into a file.

use serde::{Deserialize, Deserializer, Serialize};

use geometry::{Face, Head, ManualFrame, Rect};

use crate::{CropSpec, FinishSpec};

/// Two boxes with at least this intersection over union are the same face, found anew.
const SAME_FACE_IOU: f32 = 0.5;

/// Everything a person has decided about one photo; the default is nothing.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PhotoEdits {
    /// True where the photo is not exported.
    #[serde(alias = "left_out", skip_serializing_if = "is_false")]
    pub excluded: bool,
    /// True where a person has seen what speaks against it and takes it as it is.
    #[serde(skip_serializing_if = "is_false")]
    pub accepted: bool,
    /// The ids of the kinds of reason there were when it was accepted: one of another kind is shown all the same.
    #[serde(alias = "seen", deserialize_with = "warning_ids", skip_serializing_if = "Vec::is_empty")]
    pub reviewed_warnings: Vec<String>,
    /// The boxes of the faces that are cropped, in their order; `None` where the spec chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Vec<Rect>>,
    /// Heads that were set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub heads: Vec<FaceHead>,
    /// Frames that were set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<FaceFrame>,
    /// Heads that were drawn where no face was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drawn: Vec<Head>,
    /// Specs of its own in place of those of the list.
    #[serde(alias = "own", skip_serializing_if = "Option::is_none")]
    pub overrides: Option<Box<Overrides>>,
}

/// The ids of kinds of warning; those of project files of the first layout become today's.
fn warning_ids<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let today = |id: String| match &*id {
        "lying" => "sideways".to_owned(),
        "turned" => "rotated".to_owned(),
        "off_place" => "off_center".to_owned(),
        "soft" => "blurred".to_owned(),
        "bright" => "overexposed".to_owned(),
        "dark" => "underexposed".to_owned(),
        "not_levelled" => "tilted".to_owned(),
        _ => id,
    };
    Ok(Vec::<String>::deserialize(from)?.into_iter().map(today).collect())
}

/// A head that a person has set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaceHead {
    /// The box of its face, in pixels of the upright picture.
    pub face: Rect,
    /// The head.
    pub head: Head,
}

/// A frame that a person has set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaceFrame {
    /// The box of its face, in pixels of the upright picture.
    pub face: Rect,
    /// The frame.
    pub frame: ManualFrame,
}

/// How the crops of one photo look where it differs from the list.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Overrides {
    /// How faces are chosen and framed.
    pub crop: CropSpec,
    /// Shape and adjustments.
    pub finish: FinishSpec,
    /// The id of the preset it is from; `None` for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
}

/// Faces as a person has decided.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct EditedFaces {
    /// Those found, with heads and frames that were set, then those drawn.
    pub faces: Vec<Face>,
    /// How many of them were found; the others were drawn.
    pub found: usize,
    /// Indices of those that are cropped, in order; `None` where the spec chooses.
    pub chosen: Option<Vec<usize>>,
}

impl PhotoEdits {
    /// True where nothing changes what is written.
    pub fn leaves_crops(&self) -> bool {
        Self { excluded: false, accepted: false, reviewed_warnings: Vec::new(), ..self.clone() } == Self::default()
    }

    /// Where faces are concerned, true where a person has decided something.
    pub fn touches_faces(&self) -> bool {
        self.chosen.is_some() || !self.heads.is_empty() || !self.frames.is_empty() || !self.drawn.is_empty()
    }

    /// True where a person has chosen that no face is cropped; faces that were chosen and are no longer there are something else.
    pub fn chooses_none(&self) -> bool {
        self.chosen.as_ref().is_some_and(Vec::is_empty)
    }

    /// Forgets what was decided about faces.
    pub fn forget_faces(&mut self) {
        let (reviewed_warnings, overrides) = (std::mem::take(&mut self.reviewed_warnings), self.overrides.take());
        *self =
            Self { excluded: self.excluded, accepted: self.accepted, reviewed_warnings, overrides, ..Self::default() };
    }

    /// Sets the head of the face with this box, or lets it be estimated again.
    pub fn set_head(&mut self, face: Rect, head: Option<Head>) {
        if let Some(drawn) = self.drawn.iter_mut().find(|drawn| Face::drawn(**drawn).bbox == face) {
            let Some(head) = head.filter(Head::is_usable) else { return };
            *drawn = head;
            // What names the drawn face by its box moves along.
            self.rename(face, Face::drawn(head).bbox);
            return;
        }
        self.heads.retain(|set| !is_same(set.face, face));
        self.heads.extend(head.filter(Head::is_usable).map(|head| FaceHead { face, head }));
    }

    /// Sets the frame of the face with this box, or lets the crop follow the head again.
    pub fn set_frame(&mut self, face: Rect, frame: Option<ManualFrame>) {
        self.frames.retain(|set| !is_same(set.face, face));
        self.frames.extend(frame.filter(ManualFrame::is_usable).map(|frame| FaceFrame { face, frame }));
    }

    /// Adds a face where none was found, and has it cropped after those at `chosen`.
    pub fn draw(&mut self, head: Head, chosen: Vec<Rect>) {
        if head.is_usable() {
            self.drawn.push(head);
            let box_of_it = Face::drawn(head).bbox;
            self.chosen = Some(chosen.into_iter().chain([box_of_it]).collect());
        }
    }

    /// Takes away the drawn face with this box.
    pub fn erase(&mut self, face: Rect) {
        self.drawn.retain(|drawn| Face::drawn(*drawn).bbox != face);
        self.frames.retain(|set| set.face != face);
        if let Some(chosen) = &mut self.chosen {
            chosen.retain(|other| *other != face);
        }
    }

    fn rename(&mut self, old: Rect, new: Rect) {
        let chosen = self.chosen.iter_mut().flatten();
        for face in chosen.chain(self.frames.iter_mut().map(|set| &mut set.face)) {
            if *face == old {
                *face = new;
            }
        }
    }

    /// The faces of the photo, given those `found` in it.
    pub fn applied_to(&self, found: &[Face]) -> EditedFaces {
        let mut faces = found.to_vec();
        faces.extend(self.drawn.iter().filter(|head| head.is_usable()).map(|head| Face::drawn(*head)));
        let boxes: Vec<Rect> = faces.iter().map(|face| face.bbox).collect();
        let place = |wanted: Rect| place_of(&boxes, wanted);
        for set in &self.heads {
            if let Some(index) = place(set.face) {
                faces[index].head = Some(set.head).filter(Head::is_usable);
            }
        }
        for set in &self.frames {
            if let Some(index) = place(set.face) {
                faces[index].frame = Some(set.frame).filter(ManualFrame::is_usable);
            }
        }
        let chosen = self.chosen.as_ref().map(|chosen| {
            let mut places: Vec<usize> = Vec::new();
            for index in chosen.iter().filter_map(|wanted| place(*wanted)) {
                if !places.contains(&index) {
                    places.push(index);
                }
            }
            places
        });
        EditedFaces { faces, found: found.len(), chosen }
    }
}

/// Where among `boxes` the face is that was found with the box `wanted`: the one that overlaps it most.
fn place_of(boxes: &[Rect], wanted: Rect) -> Option<usize> {
    let overlaps = boxes.iter().enumerate().map(|(index, found)| (index, found.iou(wanted)));
    let best = overlaps.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (best.1 >= SAME_FACE_IOU).then_some(best.0)
}

fn is_same(a: Rect, b: Rect) -> bool {
    a == b || a.iou(b) >= SAME_FACE_IOU
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
mod tests {
    use geometry::Point;

    use super::*;

    fn face(x: f32) -> Face {
        Face::new(Rect::new(x, 10.0, 40.0, 50.0), [Point::new(x + 20.0, 30.0); 5], 0.9)
    }

    fn head(x: f32) -> Head {
        Head { eyes: Point::new(x + 20.0, 30.0), eyes_to_crown: 30.0, eyes_to_chin: 31.0, roll: 4.0 }
    }

    fn frame() -> ManualFrame {
        ManualFrame { center: Point::new(30.0, 30.0), width: 60.0, height: 80.0, angle: 0.0 }
    }

    #[test]
    fn decisions_find_their_faces_again_in_whatever_order_they_come() {
        let mut edits = PhotoEdits { chosen: Some(vec![face(200.0).bbox, face(0.0).bbox]), ..PhotoEdits::default() };
        edits.set_head(face(0.0).bbox, Some(head(0.0)));
        edits.set_frame(face(200.0).bbox, Some(frame()));
        let edited = edits.applied_to(&[face(202.0), face(400.0), face(1.0)]);
        assert_eq!(edited.chosen, Some(vec![0, 2]), "a person's order");
        assert_eq!(edited.faces.iter().map(|face| face.head).collect::<Vec<_>>(), [None, None, Some(head(0.0))]);
        assert_eq!(edited.faces[0].frame, Some(frame()));
        let gone = edits.applied_to(&[face(900.0)]);
        assert_eq!(gone.chosen, Some(vec![]), "a choice whose face is gone stays a choice");
    }

    #[test]
    fn a_drawn_face_is_cropped_moved_and_taken_away() {
        let mut edits = PhotoEdits::default();
        edits.draw(head(300.0), vec![face(0.0).bbox]);
        let edited = edits.applied_to(&[face(0.0)]);
        assert_eq!((edited.faces.len(), edited.found, edited.chosen), (2, 1, Some(vec![0, 1])));
        let drawn = edited.faces[1].bbox;
        edits.set_frame(drawn, Some(frame()));
        edits.set_head(drawn, Some(head(500.0)));
        let moved = edits.applied_to(&[face(0.0)]);
        assert_eq!((moved.faces[1].head, moved.chosen), (Some(head(500.0)), Some(vec![0, 1])), "still chosen");
        assert_eq!(moved.faces[1].frame, Some(frame()), "its frame stays with it");
        edits.erase(moved.faces[1].bbox);
        assert_eq!((edits.drawn.len(), edits.frames.len()), (0, 0));
        assert_eq!(edits.applied_to(&[face(0.0)]).chosen, Some(vec![0]));
    }

    #[test]
    fn numbers_that_are_no_head_and_no_frame_are_not_taken() {
        let mut edits = PhotoEdits::default();
        edits.set_head(face(0.0).bbox, Some(Head { eyes_to_chin: f32::NAN, ..head(0.0) }));
        edits.set_frame(face(0.0).bbox, Some(ManualFrame { width: -1.0, ..frame() }));
        edits.draw(Head { roll: f32::INFINITY, ..head(0.0) }, Vec::new());
        assert_eq!(edits, PhotoEdits::default());
        let foreign = PhotoEdits { drawn: vec![Head { eyes_to_crown: -2.0, ..head(0.0) }], ..edits };
        assert!(foreign.applied_to(&[]).faces.is_empty());
    }

    #[test]
    fn what_leaves_the_crops_is_distinguished_from_what_does_not() {
        let seen = PhotoEdits {
            accepted: true,
            reviewed_warnings: vec!["blurred".to_owned()],
            excluded: true,
            ..PhotoEdits::default()
        };
        assert!(seen.leaves_crops() && !seen.touches_faces());
        let own = PhotoEdits { overrides: Some(Box::default()), ..PhotoEdits::default() };
        assert!(!own.leaves_crops() && !own.touches_faces());
    }
}
