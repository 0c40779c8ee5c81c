//! The user's edits of a single photo, and their application to detected faces.
//!
//! Edits refer to faces by their boxes, so that they survive another detection and can be saved.

use serde::{Deserialize, Deserializer, Serialize};

use geometry::{Face, Head, ManualFrame, Rect};

use crate::{CropSpec, FinishSpec};

/// Minimum IoU at which two boxes from different detections are the same face.
const SAME_FACE_IOU: f32 = 0.5;

/// All edits of one photo; the default is none.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PhotoEdits {
    /// True if the photo is excluded from export.
    #[serde(alias = "left_out", skip_serializing_if = "is_false")]
    pub excluded: bool,
    /// True if the user has accepted the photo's warnings.
    #[serde(skip_serializing_if = "is_false")]
    pub accepted: bool,
    /// The ids of the warnings that were accepted; warnings of other kinds are still shown.
    #[serde(alias = "seen", deserialize_with = "warning_ids", skip_serializing_if = "Vec::is_empty")]
    pub reviewed_warnings: Vec<String>,
    /// The boxes of the faces to crop, in order; `None` if the spec selects them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Vec<Rect>>,
    /// Manually set heads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub heads: Vec<FaceHead>,
    /// Manually set crop frames.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<FaceFrame>,
    /// Heads drawn by the user for faces that were not detected.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drawn: Vec<Head>,
    /// Custom settings in place of the shared ones.
    #[serde(alias = "own", skip_serializing_if = "Option::is_none")]
    pub overrides: Option<Box<Overrides>>,
    /// A typed name, in place of the one in the name list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The row of the name list assigned by the user, in place of the one that matches the photo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<AssignedRow>,
    /// The text of the card that the photo shows, in place of the one that was read; empty for no card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
}

/// A row of a name list, described so that it is found again after the list has changed.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AssignedRow {
    /// Its line number in the file, or its row number in the sheet, from 1.
    pub line: usize,
    /// The text of its source name, or else of its first cells.
    pub text: String,
}

/// Reads warning ids and converts those of the first project file version.
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

/// A manually set head.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaceHead {
    /// The box of its face, in pixels of the upright image.
    pub face: Rect,
    pub head: Head,
}

/// A manually set crop frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaceFrame {
    /// The box of its face, in pixels of the upright image.
    pub face: Rect,
    pub frame: ManualFrame,
}

/// Custom settings of one photo that replace the shared ones.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Overrides {
    /// Face selection and framing.
    pub crop: CropSpec,
    /// Shape and adjustments.
    pub finish: FinishSpec,
    /// The id of the preset in use, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
}

/// The faces of a photo after the user's edits.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct EditedFaces {
    /// Detected faces with manual heads and frames, then the drawn faces.
    pub faces: Vec<Face>,
    /// Number of detected faces; the others are drawn.
    pub found: usize,
    /// Indices of the faces to crop, in order; `None` if the spec selects them.
    pub chosen: Option<Vec<usize>>,
}

impl PhotoEdits {
    /// True if the edits do not change the crops, except for their names.
    pub fn leaves_crops_unchanged(&self) -> bool {
        let shown = Self { excluded: false, accepted: false, reviewed_warnings: Vec::new(), ..self.clone() };
        Self { name: None, row: None, card: None, ..shown } == Self::default()
    }

    /// True if the edits determine the name of the photo's crops. A card does so only where cards are read.
    pub fn edits_name(&self) -> bool {
        self.name.is_some() || self.row.is_some()
    }

    /// True if the edits concern faces.
    pub fn edits_faces(&self) -> bool {
        self.chosen.is_some() || !self.heads.is_empty() || !self.frames.is_empty() || !self.drawn.is_empty()
    }

    /// True if the user deselected every face. False if the selected faces are no longer found.
    pub fn chooses_none(&self) -> bool {
        self.chosen.as_ref().is_some_and(Vec::is_empty)
    }

    /// Removes all edits of faces.
    pub fn reset_faces(&mut self) {
        let Self { excluded, accepted, reviewed_warnings, overrides, name, row, card, .. } = std::mem::take(self);
        *self = Self { excluded, accepted, reviewed_warnings, overrides, name, row, card, ..Self::default() };
    }

    /// Sets the head of the face with this box; `None` restores the estimate.
    pub fn set_head(&mut self, face: Rect, head: Option<Head>) {
        if let Some(drawn) = self.drawn.iter_mut().find(|drawn| Face::drawn(**drawn).bbox == face) {
            let Some(head) = head.filter(Head::is_usable) else { return };
            *drawn = head;
            // Edits that refer to the drawn face by its box are updated.
            self.rename(face, Face::drawn(head).bbox);
            return;
        }
        self.heads.retain(|set| !is_same(set.face, face));
        self.heads.extend(head.filter(Head::is_usable).map(|head| FaceHead { face, head }));
    }

    /// Sets the crop frame of the face with this box; with `None` the crop follows the head again.
    pub fn set_frame(&mut self, face: Rect, frame: Option<ManualFrame>) {
        self.frames.retain(|set| !is_same(set.face, face));
        self.frames.extend(frame.filter(ManualFrame::is_usable).map(|frame| FaceFrame { face, frame }));
    }

    /// Adds a drawn face and selects it in addition to `chosen`.
    pub fn draw(&mut self, head: Head, chosen: Vec<Rect>) {
        if head.is_usable() {
            self.drawn.push(head);
            let box_of_it = Face::drawn(head).bbox;
            self.chosen = Some(chosen.into_iter().chain([box_of_it]).collect());
        }
    }

    /// Removes the drawn face with this box.
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

    /// Applies the edits to the detected faces `found`.
    pub fn applied_to(&self, found: &[Face]) -> EditedFaces {
        let mut faces = found.to_vec();
        faces.extend(self.drawn.iter().filter(|head| head.is_usable()).map(|head| Face::drawn(*head)));
        let boxes: Vec<Rect> = faces.iter().map(|face| face.bbox).collect();
        let place = |wanted: Rect| index_of(&boxes, wanted);
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

/// Index of the box in `boxes` with the highest IoU with `wanted`, if it is the same face.
fn index_of(boxes: &[Rect], wanted: Rect) -> Option<usize> {
    let overlaps = boxes.iter().enumerate().map(|(index, found)| (index, found.iou(wanted)));
    let best = overlaps.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (best.1 >= SAME_FACE_IOU).then_some(best.0)
}

fn is_same(a: Rect, b: Rect) -> bool {
    a == b || a.iou(b) >= SAME_FACE_IOU
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
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
    fn edits_find_their_faces_in_another_detection() {
        let mut edits = PhotoEdits { chosen: Some(vec![face(200.0).bbox, face(0.0).bbox]), ..PhotoEdits::default() };
        edits.set_head(face(0.0).bbox, Some(head(0.0)));
        edits.set_frame(face(200.0).bbox, Some(frame()));
        let edited = edits.applied_to(&[face(202.0), face(400.0), face(1.0)]);
        assert_eq!(edited.chosen, Some(vec![0, 2]), "the user's order");
        assert_eq!(edited.faces.iter().map(|face| face.head).collect::<Vec<_>>(), [None, None, Some(head(0.0))]);
        assert_eq!(edited.faces[0].frame, Some(frame()));
        let gone = edits.applied_to(&[face(900.0)]);
        assert_eq!(gone.chosen, Some(vec![]), "a selection whose face is gone remains a selection");
    }

    #[test]
    fn a_drawn_face_is_cropped_moved_and_erased() {
        let mut edits = PhotoEdits::default();
        edits.draw(head(300.0), vec![face(0.0).bbox]);
        let edited = edits.applied_to(&[face(0.0)]);
        assert_eq!((edited.faces.len(), edited.found, edited.chosen), (2, 1, Some(vec![0, 1])));
        let drawn = edited.faces[1].bbox;
        edits.set_frame(drawn, Some(frame()));
        edits.set_head(drawn, Some(head(500.0)));
        let moved = edits.applied_to(&[face(0.0)]);
        assert_eq!((moved.faces[1].head, moved.chosen), (Some(head(500.0)), Some(vec![0, 1])), "still selected");
        assert_eq!(moved.faces[1].frame, Some(frame()), "its frame stays with it");
        edits.erase(moved.faces[1].bbox);
        assert_eq!((edits.drawn.len(), edits.frames.len()), (0, 0));
        assert_eq!(edits.applied_to(&[face(0.0)]).chosen, Some(vec![0]));
    }

    #[test]
    fn unusable_heads_and_frames_are_ignored() {
        let mut edits = PhotoEdits::default();
        edits.set_head(face(0.0).bbox, Some(Head { eyes_to_chin: f32::NAN, ..head(0.0) }));
        edits.set_frame(face(0.0).bbox, Some(ManualFrame { width: -1.0, ..frame() }));
        edits.draw(Head { roll: f32::INFINITY, ..head(0.0) }, Vec::new());
        assert_eq!(edits, PhotoEdits::default());
        let foreign = PhotoEdits { drawn: vec![Head { eyes_to_crown: -2.0, ..head(0.0) }], ..edits };
        assert!(foreign.applied_to(&[]).faces.is_empty());
    }

    #[test]
    fn edits_that_change_crops_are_distinguished_from_others() {
        let seen = PhotoEdits {
            accepted: true,
            reviewed_warnings: vec!["blurred".to_owned()],
            excluded: true,
            ..PhotoEdits::default()
        };
        assert!(seen.leaves_crops_unchanged() && !seen.edits_faces());
        let own = PhotoEdits { overrides: Some(Box::default()), ..PhotoEdits::default() };
        assert!(!own.leaves_crops_unchanged() && !own.edits_faces());
        let named = PhotoEdits { name: Some("Anna".to_owned()), row: Some(AssignedRow::default()), ..seen };
        assert!(named.leaves_crops_unchanged() && named.edits_name() && !named.edits_faces());
        let card = PhotoEdits { card: Some("00007".to_owned()), ..PhotoEdits::default() };
        assert!(card.leaves_crops_unchanged() && !card.edits_name() && !card.edits_faces());
    }

    #[test]
    fn resetting_faces_keeps_all_other_edits() {
        let other = PhotoEdits {
            excluded: true,
            reviewed_warnings: vec!["blurred".to_owned()],
            overrides: Some(Box::default()),
            name: Some("Anna".to_owned()),
            row: Some(AssignedRow { line: 3, text: "IMG_1".to_owned() }),
            card: Some(String::new()),
            ..PhotoEdits::default()
        };
        let mut edits = other.clone();
        edits.set_head(face(0.0).bbox, Some(head(0.0)));
        assert_ne!(edits, other);
        edits.reset_faces();
        assert_eq!(edits, other);
    }
}
