//! All reasons to review one photo.

use geometry::{Face, Size};
use recipe::{CropSpec, ModelKind};

use super::{review_crops, selection};
use crate::CropPlan;
use crate::warning::{Warning, WarningKind};

/// The known state of one photo.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhotoFacts<'a> {
    /// True if it cannot be read.
    pub is_unreadable: bool,
    /// True if a part of it is missing.
    pub is_damaged: bool,
    /// True if no runtime was available for detection.
    pub has_no_runtime: bool,
    /// True if the last export could not write its crops.
    pub is_not_written: bool,
    /// The models that could not be used on it.
    pub missing_models: &'a [ModelKind],
    /// Its faces and crops; `None` before detection.
    pub faces: Option<PlannedFaces<'a>>,
}

/// The faces and the planned crops of a photo.
#[derive(Clone, Copy, Debug)]
pub struct PlannedFaces<'a> {
    /// Faces that reach the score threshold.
    pub faces: &'a [Face],
    pub plan: &'a CropPlan,
    /// Size of the upright image in pixels.
    pub picture: Size,
    /// The spec of the plan.
    pub spec: &'a CropSpec,
    /// True if the user selected the faces.
    pub manual: bool,
}

/// Severity of a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// For information only; no review is needed.
    Note,
    /// The crop should be reviewed.
    Review,
    /// A crop will be missing or incomplete.
    Missing,
}

/// Groups of reasons, used as filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReasonGroup {
    /// Unreadable, damaged, no model, not written.
    Broken,
    /// No runtime: its faces are unknown.
    NotSearched,
    /// No face at all.
    NoFace,
    /// Another number of faces than expected, one of several selected, or a second person in the crop.
    Several,
    /// Low score, or an unreliable head estimate.
    Uncertain,
    /// Closed, hidden or covered eyes, dark glasses, or eyes that look aside.
    Eyes,
    /// Head turned, raised, lowered or tilted beyond a limit, or mouth open.
    Pose,
    /// Background not plain, too dark or too light, or a shadow.
    Background,
    /// Blurred, underexposed or overexposed.
    Light,
    /// Few pixels.
    Small,
    /// The head is cut off, off its place, or violates a document rule.
    Head,
    /// Padding, rotation and levelling.
    Edges,
}

/// Why a photo should be reviewed. The details of an error are in the photo's own state.
#[derive(Clone, Debug, PartialEq)]
pub enum ReasonKind {
    /// It cannot be read.
    Unreadable,
    /// A part of it is missing.
    Damaged,
    /// No runtime was available for detection.
    NoRuntime,
    /// The last export could not write its crops.
    NotWritten,
    /// One of several faces was selected, and the others are clearly smaller.
    OneOfMany {
        /// Faces that count.
        found: usize,
    },
    /// A warning on its crops.
    Crop(WarningKind),
}

/// A reason to review a photo.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    pub kind: ReasonKind,
    /// How serious the reason is.
    pub severity: Severity,
    /// Index of the crop; `None` if the reason concerns the photo.
    pub crop: Option<usize>,
}

/// All reasons to review a photo, those of the photo itself first.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Review {
    pub reasons: Vec<Reason>,
}

impl Review {
    /// The highest severity; `None` without reasons.
    pub fn worst(&self) -> Option<Severity> {
        self.reasons.iter().map(|reason| reason.severity).max()
    }

    /// The ids of the kinds of reason, each once.
    pub fn ids(&self) -> Vec<&'static str> {
        let mut ids: Vec<&'static str> = self.reasons.iter().map(|reason| reason.kind.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The reasons that still need review if those with the ids in `reviewed` were accepted.
    pub fn unreviewed<'a>(&'a self, reviewed: &'a [String]) -> impl Iterator<Item = &'a Reason> {
        self.reasons
            .iter()
            .filter(|reason| reason.severity > Severity::Note && !reviewed.iter().any(|id| id == reason.kind.id()))
    }
}

impl Reason {
    fn of_photo(kind: ReasonKind, severity: Severity) -> Self {
        Self { kind, severity, crop: None }
    }

    fn of_crop(Warning { crop, kind }: Warning) -> Self {
        let severity = match kind {
            WarningKind::FewFaces { .. } => Severity::Missing,
            _ => Severity::Review,
        };
        Self { crop, severity, kind: ReasonKind::Crop(kind) }
    }
}

impl ReasonKind {
    /// A stable id: accepted warnings are stored by it.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Damaged => "damaged",
            Self::NoRuntime => "no_runtime",
            Self::NotWritten => "not_written",
            Self::OneOfMany { .. } => "one_of_many",
            Self::Crop(kind) => kind.id(),
        }
    }

    /// The group it is filtered by.
    pub const fn group(&self) -> ReasonGroup {
        let kind = match self {
            Self::Unreadable | Self::Damaged | Self::NotWritten => return ReasonGroup::Broken,
            Self::NoRuntime => return ReasonGroup::NotSearched,
            Self::OneOfMany { .. } => return ReasonGroup::Several,
            Self::Crop(kind) => kind,
        };
        match kind {
            WarningKind::FewFaces { found: 0, .. } => ReasonGroup::NoFace,
            WarningKind::FewFaces { .. }
            | WarningKind::ManyFaces { .. }
            | WarningKind::OneOfMany { .. }
            | WarningKind::SecondPerson { .. } => ReasonGroup::Several,
            WarningKind::NoModel { .. } => ReasonGroup::Broken,
            WarningKind::EyesClosed { .. }
            | WarningKind::EyesNearlyClosed { .. }
            | WarningKind::EyeClosed { .. }
            | WarningKind::EyeHidden { .. }
            | WarningKind::EyesCovered { .. }
            | WarningKind::DarkGlasses { .. }
            | WarningKind::LookingAside { .. } => ReasonGroup::Eyes,
            WarningKind::MouthOpen { .. }
            | WarningKind::HeadTurned { .. }
            | WarningKind::HeadPitched { .. }
            | WarningKind::HeadTilted { .. } => ReasonGroup::Pose,
            WarningKind::NotPlain { .. } | WarningKind::BackgroundLightness { .. } | WarningKind::Shadow { .. } => {
                ReasonGroup::Background
            }
            WarningKind::LowScore { .. } | WarningKind::Doubtful(_) => ReasonGroup::Uncertain,
            WarningKind::Blurred { .. } | WarningKind::Underexposed { .. } | WarningKind::Overexposed { .. } => {
                ReasonGroup::Light
            }
            WarningKind::Small { .. } | WarningKind::Enlarged { .. } => ReasonGroup::Small,
            WarningKind::CutOff { .. }
            | WarningKind::CutByFrame { .. }
            | WarningKind::HairCut { .. }
            | WarningKind::TooClose { .. }
            | WarningKind::OffCenter { .. }
            | WarningKind::Rule(_)
            | WarningKind::File(_) => ReasonGroup::Head,
            WarningKind::Padded { .. }
            | WarningKind::Rotated { .. }
            | WarningKind::Sideways { .. }
            | WarningKind::Tilted { .. } => ReasonGroup::Edges,
        }
    }
}

/// All reasons to review a photo in the state `facts`.
pub fn review_photo(facts: &PhotoFacts<'_>) -> Review {
    // Nothing else is known of an unreadable photo, and earlier results are out of date.
    if facts.is_unreadable {
        return Review { reasons: vec![Reason::of_photo(ReasonKind::Unreadable, Severity::Missing)] };
    }
    let broken = [
        (facts.is_damaged, ReasonKind::Damaged),
        (facts.is_not_written, ReasonKind::NotWritten),
        (facts.has_no_runtime && facts.faces.is_none(), ReasonKind::NoRuntime),
    ];
    let mut reasons: Vec<Reason> = broken
        .into_iter()
        .filter_map(|(applies, kind)| applies.then(|| Reason::of_photo(kind, Severity::Missing)))
        .collect();
    let no_model = |model: &ModelKind| Warning { crop: None, kind: WarningKind::NoModel { model: *model } };
    reasons.extend(facts.missing_models.iter().map(no_model).map(Reason::of_crop));
    if let Some(planned) = &facts.faces {
        let warnings = review_crops(planned.faces, planned.plan, planned.picture, planned.spec, planned.manual);
        let many = warnings.iter().any(|warning| matches!(warning.kind, WarningKind::ManyFaces { .. }));
        reasons.extend(one_of_many(planned).filter(|_| !many));
        reasons.extend(warnings.into_iter().map(Reason::of_crop));
    }
    Review { reasons }
}

/// Reports a selection among several faces if the others are clearly smaller.
fn one_of_many(planned: &PlannedFaces<'_>) -> Option<Reason> {
    let (found, close) = selection(planned.faces, planned.plan, planned.spec).filter(|_| !planned.manual)?;
    (!close).then(|| Reason::of_photo(ReasonKind::OneOfMany { found }, Severity::Note))
}

#[cfg(test)]
mod tests {
    use geometry::{Point, Rect};
    use recipe::{Expected, Select};

    use super::*;
    use crate::{plan_chosen, plan_crops};

    const PICTURE: Size = Size::new(2000, 2000);

    fn face(x: f32, side: f32) -> Face {
        let at = |dx: f32, dy: f32| Point::new(x + side * dx, 800.0 + side * dy);
        let landmarks = [at(0.3, 0.4), at(0.7, 0.4), at(0.5, 0.6), at(0.35, 0.8), at(0.65, 0.8)];
        Face::new(Rect::new(x, 800.0, side * 0.8, side), landmarks, 0.92)
    }

    fn review(faces: &[Face], spec: &CropSpec, manual: Option<&[usize]>) -> Review {
        let plan = match manual {
            Some(chosen) => plan_chosen(faces, chosen, PICTURE, spec),
            None => plan_crops(faces, PICTURE, spec),
        };
        let planned = PlannedFaces { faces, plan: &plan, picture: PICTURE, spec, manual: manual.is_some() };
        review_photo(&PhotoFacts { faces: Some(planned), ..PhotoFacts::default() })
    }

    fn ids(review: &Review) -> Vec<&'static str> {
        review.reasons.iter().map(|reason| reason.kind.id()).collect()
    }

    #[test]
    fn errors_are_reported_and_an_unreadable_photo_has_no_other_reason() {
        let broken =
            PhotoFacts { is_damaged: true, is_not_written: true, has_no_runtime: true, ..PhotoFacts::default() };
        let result = review_photo(&broken);
        assert_eq!(ids(&result), ["damaged", "not_written", "no_runtime"]);
        assert_eq!(result.worst(), Some(Severity::Missing));
        let groups: Vec<ReasonGroup> = result.reasons.iter().map(|reason| reason.kind.group()).collect();
        assert_eq!(groups, [ReasonGroup::Broken, ReasonGroup::Broken, ReasonGroup::NotSearched]);
        assert_eq!(ids(&review_photo(&PhotoFacts { is_unreadable: true, ..broken })), ["unreadable"]);
        assert_eq!(review_photo(&PhotoFacts::default()), Review::default(), "nothing is known yet");
    }

    #[test]
    fn a_failed_runtime_is_not_reported_once_faces_are_known() {
        let spec = CropSpec::default();
        let (faces, plan) = ([face(800.0, 400.0)], plan_crops(&[face(800.0, 400.0)], PICTURE, &spec));
        let planned = PlannedFaces { faces: &faces, plan: &plan, picture: PICTURE, spec: &spec, manual: false };
        let facts = PhotoFacts { has_no_runtime: true, faces: Some(planned), ..PhotoFacts::default() };
        assert_eq!(review_photo(&facts), Review::default());
    }

    #[test]
    fn no_face_is_more_severe_than_a_doubt() {
        let none = review(&[], &CropSpec::default(), None);
        assert_eq!((ids(&none), none.worst()), (vec!["few_faces"], Some(Severity::Missing)));
        assert_eq!(none.reasons[0].kind.group(), ReasonGroup::NoFace);
        assert!(Severity::Missing > Severity::Review && Severity::Review > Severity::Note);
    }

    #[test]
    fn a_selected_face_needs_review_if_another_is_as_large() {
        let spec = CropSpec::default();
        let close = review(&[face(300.0, 400.0), face(1200.0, 390.0)], &spec, None);
        assert_eq!((ids(&close), close.worst()), (vec!["one_of_many"], Some(Severity::Review)));
        let clear = review(&[face(300.0, 400.0), face(1200.0, 150.0)], &spec, None);
        assert_eq!((ids(&clear), clear.worst()), (vec!["one_of_many"], Some(Severity::Note)));
        assert_eq!(clear.unreviewed(&[]).count(), 0, "a note needs no review");
        let manual = review(&[face(300.0, 400.0), face(1200.0, 390.0)], &spec, Some(&[1]));
        assert_eq!(manual, Review::default(), "the user selected the face");
        let all = CropSpec { select: Select::All, ..spec.clone() };
        assert_eq!(review(&[face(300.0, 400.0), face(1200.0, 390.0)], &all, None), Review::default());
        let one = CropSpec { expected: Expected { min: None, max: Some(1) }, ..spec };
        let many = review(&[face(300.0, 400.0), face(1200.0, 390.0)], &one, None);
        assert_eq!(ids(&many), ["many_faces"], "reported once");
        assert_eq!(many.reasons[0].kind.group(), ReasonGroup::Several);
    }

    #[test]
    fn a_missing_model_is_a_note_and_a_closed_eye_needs_review() {
        let severity = |kind| Reason::of_crop(Warning { crop: None, kind }).severity;
        assert_eq!(severity(WarningKind::NoModel { model: ModelKind::Person }), Severity::Review);
        assert_eq!(severity(WarningKind::EyeClosed { opening: 0.1 }), Severity::Review);
    }

    #[test]
    fn reviewed_kinds_need_no_review_and_new_kinds_do() {
        let result = review(&[], &CropSpec::default(), None);
        assert_eq!(result.unreviewed(&[]).count(), 1);
        assert_eq!(result.unreviewed(&["few_faces".to_owned()]).count(), 0);
        assert_eq!(result.unreviewed(&["blurred".to_owned()]).count(), 1);
    }
}
