//! Why a photo needs a look, in the window's language. In English the words are those of `plan`, as the command line has them.

use geometry::HeadDoubt;
use plan::{ConcernKind, ReasonKind};

use super::super::language::{count, decimal, say, tr};
use super::super::state::{ExportMark, Photo, RuntimeStatus};
use super::errors;
use super::photos::{no_runtime, outcome, photo_failure};
use super::rules::{file_fault, rule};

/// The reason in plain words, without a capital at its beginning.
pub(crate) fn concern(kind: &ConcernKind) -> String {
    match kind {
        ConcernKind::FewFaces { found: 0, least: 0 | 1 } => tr("no face was found").to_owned(),
        ConcernKind::FewFaces { found: 0, least } => say!("no face found, at least {least} expected", least = *least),
        ConcernKind::FewFaces { found, least } => {
            count!(
                *found,
                "{n} face found, at least {least} expected",
                "{n} faces found, at least {least} expected",
                least = *least
            )
        }
        ConcernKind::ManyFaces { found: 0, most } => say!("no face found, at most {most} expected", most = *most),
        ConcernKind::ManyFaces { found, most } => {
            count!(
                *found,
                "{n} face found, at most {most} expected",
                "{n} faces found, at most {most} expected",
                most = *most
            )
        }
        ConcernKind::OneOfMany { found } => count!(
            *found,
            "one of {n} face was picked, and another is about as large",
            "one of {n} faces was picked, and another is about as large"
        ),
        ConcernKind::LowScore { score } => {
            say!("it may be no face: score {score} of 1", score = decimal(*score, 2))
        }
        ConcernKind::Small { height } => {
            say!("the face is only {height} pixels high in the photo", height = decimal(height.round(), 0))
        }
        ConcernKind::Padded { share, most } => say!(
            "{share} % of the crop lies outside the photo, at most {most} % is allowed",
            share = tenths(share * 100.0),
            most = tenths(most * 100.0)
        ),
        ConcernKind::Turned { degrees: 180 } => {
            tr("the face was upside down, so the photo was turned by 180 degrees").to_owned()
        }
        ConcernKind::Turned { degrees: 90 } => {
            tr("the face lay on its side, so the photo was turned by 90 degrees clockwise").to_owned()
        }
        ConcernKind::Turned { .. } => {
            tr("the face lay on its side, so the photo was turned by 90 degrees counter-clockwise").to_owned()
        }
        ConcernKind::Lying { degrees: 180 } => {
            tr("the face is upside down and was left so: turning upright is off").to_owned()
        }
        ConcernKind::Lying { .. } => tr("the face lies on its side and was left so: turning upright is off").to_owned(),
        ConcernKind::NotLevelled { tilt, limit } => say!(
            "heads are levelled by no more than {limit} degrees, this one is tilted by {tilt}",
            limit = tenths(*limit),
            tilt = tenths(tilt.abs())
        ),
        ConcernKind::Doubtful(HeadDoubt::Landmarks) => {
            tr("eyes, nose and mouth contradict each other, so crown and chin are a guess").to_owned()
        }
        ConcernKind::Doubtful(HeadDoubt::Profile) => {
            tr("the face is seen from the side, so crown and chin are a guess").to_owned()
        }
        ConcernKind::CutOff { share } => {
            say!("the photo's edge cuts off about {share} % of the head", share = percent(*share))
        }
        ConcernKind::CutByFrame { share } => {
            say!("the crop's frame cuts off about {share} % of the head", share = percent(*share))
        }
        ConcernKind::TooClose { head, asked } => say!(
            "the photo has no room for the frame: the head takes {head} % of the height, {asked} % were asked for",
            head = tenths(head * 100.0),
            asked = tenths(asked * 100.0)
        ),
        ConcernKind::OffPlace { by } => say!(
            "the photo has no room beside the frame: the head stands {by} % of the crop off its place",
            by = percent(*by)
        ),
        ConcernKind::Soft { sharpness } => {
            say!("the face is soft: sharpness {sharpness} of 1", sharpness = decimal(*sharpness, 2))
        }
        ConcernKind::Dark { lightness } => {
            say!("the face is dark: lightness {lightness} %", lightness = percent(*lightness))
        }
        ConcernKind::Bright { share } => {
            say!("{share} % of the face is burnt out to white", share = percent(*share))
        }
        ConcernKind::Enlarged { times } => {
            say!("the photo has too few pixels here: the crop is enlarged {times} times", times = tenths(*times))
        }
        ConcernKind::Rule(check) => rule(check),
        ConcernKind::File(fault) => file_fault(fault),
    }
}

/// A reason to look at `photo`, in the same way. What is wrong with the photo itself is in its state.
pub(crate) fn reason(kind: &ReasonKind, photo: &Photo, runtime: &RuntimeStatus) -> String {
    match kind {
        ReasonKind::Unreadable => {
            let reason = photo.failure.as_ref().map(photo_failure).unwrap_or_default();
            say!("the photo cannot be read: {reason}", reason = reason)
        }
        ReasonKind::Damaged => {
            let damage = photo.info.as_ref().and_then(|info| info.damage.as_ref());
            let what = damage.map(errors::damage).unwrap_or_default();
            say!("the photo is damaged: {what}", what = what)
        }
        ReasonKind::NoRuntime => {
            let reason = match runtime {
                RuntimeStatus::Failed { trouble, .. } => no_runtime(trouble),
                RuntimeStatus::Opening { .. } | RuntimeStatus::Ready { .. } => String::new(),
            };
            say!("no runtime has looked for faces: {reason}", reason = reason)
        }
        ReasonKind::NotWritten => {
            let reason = match &photo.export {
                Some(ExportMark::Failed(report)) => outcome(report),
                _ => String::new(),
            };
            say!("the last export has failed: {reason}", reason = reason)
        }
        ReasonKind::OneOfMany { found } => {
            count!(*found, "one of {n} face was picked", "one of {n} faces was picked")
        }
        ReasonKind::Crop(kind) => concern(kind),
    }
}

/// To a tenth, without a zero behind the decimal sign.
fn tenths(number: f32) -> String {
    let rounded = (number * 10.0).round() / 10.0;
    decimal(rounded, usize::from(rounded.fract() != 0.0))
}

fn percent(share: f32) -> String {
    decimal((share * 100.0).round(), 0)
}

#[cfg(test)]
mod tests {
    use plan::{FileFault, InBand, RuleCheck, RuleFound};
    use recipe::Band;

    use super::super::super::language::{Language, set_current};
    use super::*;

    fn one_of_each() -> Vec<ConcernKind> {
        vec![
            ConcernKind::FewFaces { found: 0, least: 1 },
            ConcernKind::FewFaces { found: 0, least: 3 },
            ConcernKind::FewFaces { found: 1, least: 3 },
            ConcernKind::FewFaces { found: 2, least: 3 },
            ConcernKind::ManyFaces { found: 1, most: 0 },
            ConcernKind::ManyFaces { found: 1200, most: 2 },
            ConcernKind::OneOfMany { found: 2 },
            ConcernKind::LowScore { score: 0.7 },
            ConcernKind::Small { height: 31.6 },
            ConcernKind::Padded { share: 0.256, most: 0.1 },
            ConcernKind::Turned { degrees: 90 },
            ConcernKind::Turned { degrees: 180 },
            ConcernKind::Turned { degrees: 270 },
            ConcernKind::Lying { degrees: 90 },
            ConcernKind::Lying { degrees: 180 },
            ConcernKind::NotLevelled { tilt: -31.26, limit: 20.0 },
            ConcernKind::Doubtful(HeadDoubt::Landmarks),
            ConcernKind::Doubtful(HeadDoubt::Profile),
            ConcernKind::CutOff { share: 0.174 },
            ConcernKind::CutByFrame { share: 0.2 },
            ConcernKind::TooClose { head: 0.812, asked: 0.7 },
            ConcernKind::OffPlace { by: 0.07 },
            ConcernKind::Rule(RuleCheck {
                met: false,
                found: RuleFound::Head(InBand {
                    measured: 0.667,
                    band: Band { least: 0.7, most: 0.8 },
                    height_mm: None,
                }),
            }),
            ConcernKind::File(FileFault::NotJpeg { document: Some("A visa".to_owned()) }),
            ConcernKind::Soft { sharpness: 0.4 },
            ConcernKind::Dark { lightness: 0.2 },
            ConcernKind::Bright { share: 0.125 },
            ConcernKind::Enlarged { times: 2.04 },
        ]
    }

    #[test]
    fn in_english_the_window_and_the_command_line_agree() {
        for kind in one_of_each().into_iter().filter(|kind| !matches!(kind, ConcernKind::ManyFaces { found: 1200, .. }))
        {
            assert_eq!(concern(&kind), kind.to_string());
        }
    }

    #[test]
    fn every_reason_is_told_in_every_language() {
        for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
            set_current(language);
            for kind in one_of_each() {
                assert_ne!(concern(&kind), kind.to_string(), "{language:?}");
            }
        }
        set_current(Language::German);
        let many = ConcernKind::ManyFaces { found: 1200, most: 2 };
        assert!(concern(&many).contains("1.200"), "{}", concern(&many));
        let tilted = ConcernKind::NotLevelled { tilt: -31.26, limit: 20.0 };
        assert!(concern(&tilted).contains("31,3") && concern(&tilted).contains("20 "), "{}", concern(&tilted));
        set_current(Language::English);
    }
}
