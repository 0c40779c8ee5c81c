//! All that is known of one photo -> the reasons to have a look at it.

use geometry::{Face, Size};
use recipe::CropSpec;

use super::{picked_one, review_crops};
use crate::CropPlan;
use crate::warning::{Warning, WarningKind};

/// What is known of one photo.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhotoFacts<'a> {
    /// True where it cannot be read.
    pub is_unreadable: bool,
    /// True where a part of it is missing.
    pub is_damaged: bool,
    /// True where no runtime could look for faces.
    pub has_no_runtime: bool,
    /// True where the last export could not write its crops.
    pub is_not_written: bool,
    /// Its faces; `None` until a runtime has looked.
    pub faces: Option<FacesSeen<'a>>,
}

/// The faces of a photo and its crops.
#[derive(Clone, Copy, Debug)]
pub struct FacesSeen<'a> {
    /// From the score floor up.
    pub faces: &'a [Face],
    /// The crops.
    pub plan: &'a CropPlan,
    /// The upright picture's size in pixels.
    pub picture: Size,
    /// What the crops were planned by.
    pub spec: &'a CropSpec,
    /// True where a person has chosen the faces.
    pub manual: bool,
}

/// How much a reason weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; the photo needs no look for it.
    Note,
    /// The crop may not be what was wanted.
    Look,
    /// A crop will be missing or incomplete.
    Missing,
}

/// What people look for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReasonGroup {
    /// Unreadable, damaged, no runtime, not written.
    Broken,
    /// No face at all.
    NoFace,
    /// Another number of faces than expected, or one of several picked.
    Several,
    /// The network or the head's estimate is not sure.
    Uncertain,
    /// Soft, dark or burnt out.
    Light,
    /// Few pixels.
    Small,
    /// The head is cut off, off its place, or breaks a rule of the document.
    Head,
    /// Padding, turning and levelling.
    Edges,
}

/// Why a photo has to be looked at. Whoever met the trouble with the photo itself knows more of it.
#[derive(Clone, Debug, PartialEq)]
pub enum ReasonKind {
    /// It cannot be read.
    Unreadable,
    /// A part of it is missing.
    Damaged,
    /// No runtime could look for faces.
    NoRuntime,
    /// The last export could not write its crops.
    NotWritten,
    /// The spec picked one of several faces, and the others are clearly smaller.
    OneOfMany {
        /// Faces that count.
        found: usize,
    },
    /// What speaks against its crops.
    Crop(WarningKind),
}

/// One reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Why.
    pub kind: ReasonKind,
    /// How much it weighs.
    pub severity: Severity,
    /// Index of the crop it is about; `None` where it is about the photo.
    pub crop: Option<usize>,
}

/// Every reason to look at a photo, what is about the photo first.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Review {
    /// The reasons.
    pub reasons: Vec<Reason>,
}

impl Review {
    /// How much the heaviest reason weighs; `None` where there is none.
    pub fn worst(&self) -> Option<Severity> {
        self.reasons.iter().map(|reason| reason.severity).max()
    }

    /// The ids of the kinds of reason there are, each once.
    pub fn ids(&self) -> Vec<&'static str> {
        let mut ids: Vec<&'static str> = self.reasons.iter().map(|reason| reason.kind.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The reasons for which the photo needs a look by someone who has seen those of the kinds `seen`.
    pub fn unseen<'a>(&'a self, seen: &'a [String]) -> impl Iterator<Item = &'a Reason> {
        self.reasons
            .iter()
            .filter(|reason| reason.severity > Severity::Note && !seen.iter().any(|id| id == reason.kind.id()))
    }
}

impl Reason {
    fn of_photo(kind: ReasonKind, severity: Severity) -> Self {
        Self { kind, severity, crop: None }
    }

    fn of_crop(Warning { crop, kind }: Warning) -> Self {
        let none = matches!(kind, WarningKind::FewFaces { .. });
        Self { crop, severity: if none { Severity::Missing } else { Severity::Look }, kind: ReasonKind::Crop(kind) }
    }
}

impl ReasonKind {
    /// A name that stays the same: what was accepted is kept by it.
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

    /// What it is looked for together with.
    pub const fn group(&self) -> ReasonGroup {
        let kind = match self {
            Self::Unreadable | Self::Damaged | Self::NoRuntime | Self::NotWritten => {
                return ReasonGroup::Broken;
            }
            Self::OneOfMany { .. } => return ReasonGroup::Several,
            Self::Crop(kind) => kind,
        };
        match kind {
            WarningKind::FewFaces { found: 0, .. } => ReasonGroup::NoFace,
            WarningKind::FewFaces { .. } | WarningKind::ManyFaces { .. } | WarningKind::OneOfMany { .. } => {
                ReasonGroup::Several
            }
            WarningKind::LowScore { .. } | WarningKind::Doubtful(_) => ReasonGroup::Uncertain,
            WarningKind::Soft { .. } | WarningKind::Dark { .. } | WarningKind::Bright { .. } => ReasonGroup::Light,
            WarningKind::Small { .. } | WarningKind::Enlarged { .. } => ReasonGroup::Small,
            WarningKind::CutOff { .. }
            | WarningKind::CutByFrame { .. }
            | WarningKind::TooClose { .. }
            | WarningKind::OffCenter { .. }
            | WarningKind::Rule(_)
            | WarningKind::File(_) => ReasonGroup::Head,
            WarningKind::Padded { .. }
            | WarningKind::Turned { .. }
            | WarningKind::Sideways { .. }
            | WarningKind::Tilted { .. } => ReasonGroup::Edges,
        }
    }
}

/// Every reason to look at a photo of which `facts` are known.
pub fn review_photo(facts: &PhotoFacts<'_>) -> Review {
    // Of a photo that cannot be read nothing else is known, and what was known is out of date.
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
        .filter_map(|(is_so, kind)| is_so.then(|| Reason::of_photo(kind, Severity::Missing)))
        .collect();
    if let Some(seen) = &facts.faces {
        let warnings = review_crops(seen.faces, seen.plan, seen.picture, seen.spec, seen.manual);
        let many = warnings.iter().any(|warning| matches!(warning.kind, WarningKind::ManyFaces { .. }));
        reasons.extend(one_of_many(seen).filter(|_| !many));
        reasons.extend(warnings.into_iter().map(Reason::of_crop));
    }
    Review { reasons }
}

/// The spec had to pick one of several faces, and the others are clearly smaller.
fn one_of_many(seen: &FacesSeen<'_>) -> Option<Reason> {
    let (found, close) = picked_one(seen.faces, seen.plan, seen.spec).filter(|_| !seen.manual)?;
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
        let seen = FacesSeen { faces, plan: &plan, picture: PICTURE, spec, manual: manual.is_some() };
        review_photo(&PhotoFacts { faces: Some(seen), ..PhotoFacts::default() })
    }

    fn ids(review: &Review) -> Vec<&'static str> {
        review.reasons.iter().map(|reason| reason.kind.id()).collect()
    }

    #[test]
    fn what_is_broken_is_reported_and_an_unreadable_photo_has_no_other_reason() {
        let broken =
            PhotoFacts { is_damaged: true, is_not_written: true, has_no_runtime: true, ..PhotoFacts::default() };
        let reported = review_photo(&broken);
        assert_eq!(ids(&reported), ["damaged", "not_written", "no_runtime"]);
        assert_eq!(reported.worst(), Some(Severity::Missing));
        assert!(reported.reasons.iter().all(|reason| reason.kind.group() == ReasonGroup::Broken));
        assert_eq!(ids(&review_photo(&PhotoFacts { is_unreadable: true, ..broken })), ["unreadable"]);
        assert_eq!(review_photo(&PhotoFacts::default()), Review::default(), "nothing is known yet");
    }

    #[test]
    fn a_runtime_that_failed_is_no_matter_once_faces_are_known() {
        let spec = CropSpec::default();
        let (faces, plan) = ([face(800.0, 400.0)], plan_crops(&[face(800.0, 400.0)], PICTURE, &spec));
        let seen = FacesSeen { faces: &faces, plan: &plan, picture: PICTURE, spec: &spec, manual: false };
        let facts = PhotoFacts { has_no_runtime: true, faces: Some(seen), ..PhotoFacts::default() };
        assert_eq!(review_photo(&facts), Review::default());
    }

    #[test]
    fn no_face_is_heavier_than_a_doubt() {
        let none = review(&[], &CropSpec::default(), None);
        assert_eq!((ids(&none), none.worst()), (vec!["few_faces"], Some(Severity::Missing)));
        assert_eq!(none.reasons[0].kind.group(), ReasonGroup::NoFace);
        assert!(Severity::Missing > Severity::Look && Severity::Look > Severity::Note);
    }

    #[test]
    fn one_of_several_faces_is_doubtful_where_another_is_as_large() {
        let spec = CropSpec::default();
        let close = review(&[face(300.0, 400.0), face(1200.0, 390.0)], &spec, None);
        assert_eq!((ids(&close), close.worst()), (vec!["one_of_many"], Some(Severity::Look)));
        let clear = review(&[face(300.0, 400.0), face(1200.0, 150.0)], &spec, None);
        assert_eq!((ids(&clear), clear.worst()), (vec!["one_of_many"], Some(Severity::Note)));
        assert_eq!(clear.unseen(&[]).count(), 0, "a note needs no look");
        let manual = review(&[face(300.0, 400.0), face(1200.0, 390.0)], &spec, Some(&[1]));
        assert_eq!(manual, Review::default(), "a person has picked");
        let all = CropSpec { select: Select::All, ..spec.clone() };
        assert_eq!(review(&[face(300.0, 400.0), face(1200.0, 390.0)], &all, None), Review::default());
        let one = CropSpec { expected: Expected { min: None, max: Some(1) }, ..spec };
        let many = review(&[face(300.0, 400.0), face(1200.0, 390.0)], &one, None);
        assert_eq!(ids(&many), ["many_faces"], "told once");
        assert_eq!(many.reasons[0].kind.group(), ReasonGroup::Several);
    }

    #[test]
    fn what_was_seen_needs_no_look_and_what_is_new_does() {
        let reported = review(&[], &CropSpec::default(), None);
        assert_eq!(reported.unseen(&[]).count(), 1);
        assert_eq!(reported.unseen(&["few_faces".to_owned()]).count(), 0);
        assert_eq!(reported.unseen(&["blurred".to_owned()]).count(), 1);
    }
}
