//! Warnings about a photo. The English texts are those of `plan`, as on the command line.

use geometry::HeadDoubt;
use plan::{ReasonKind, WarningKind};
use recipe::ModelKind;

use super::super::language::{count, decimal, say, tr};
use super::super::state::{ExportMark, Photo, RuntimeStatus};
use super::errors;
use super::photos::{no_runtime, outcome, photo_failure};
use super::rules::{file_fault, rule};

/// The warning as text, without a capital first letter.
pub(crate) fn warning(kind: &WarningKind) -> String {
    match kind {
        WarningKind::FewFaces { found: 0, min: 0 | 1 } => tr("no face was found").to_owned(),
        WarningKind::FewFaces { found: 0, min } => say!("no face found, at least {min} expected", min = *min),
        WarningKind::FewFaces { found, min } => {
            count!(
                *found,
                "{n} face found, at least {min} expected",
                "{n} faces found, at least {min} expected",
                min = *min
            )
        }
        WarningKind::ManyFaces { found: 0, max } => say!("no face found, at most {max} expected", max = *max),
        WarningKind::ManyFaces { found, max } => {
            count!(
                *found,
                "{n} face found, at most {max} expected",
                "{n} faces found, at most {max} expected",
                max = *max
            )
        }
        WarningKind::OneOfMany { found } => count!(
            *found,
            "one of {n} face was selected, but another is about as large",
            "one of {n} faces was selected, but another is about as large"
        ),
        WarningKind::NoModel { model } => without_model(*model).to_owned(),
        WarningKind::SecondPerson { height } => {
            say!("another person is in the crop, with a face {height} % as high", height = percent(*height))
        }
        WarningKind::LowScore { score } => {
            say!("possibly not a face: score {score} of 1", score = decimal(*score, 2))
        }
        WarningKind::Small { height } => {
            say!("the face is only {height} pixels high in the photo", height = decimal(height.round(), 0))
        }
        WarningKind::Padded { share, max } => say!(
            "{share} % of the crop is outside the photo, at most {max} % is allowed",
            share = tenths(share * 100.0),
            max = tenths(max * 100.0)
        ),
        WarningKind::Rotated { degrees: 180 } => {
            tr("the face was upside down, so the photo was rotated by 180 degrees").to_owned()
        }
        WarningKind::Rotated { degrees: 90 } => {
            tr("the face was sideways, so the photo was rotated by 90 degrees clockwise").to_owned()
        }
        WarningKind::Rotated { .. } => {
            tr("the face was sideways, so the photo was rotated by 90 degrees counter-clockwise").to_owned()
        }
        WarningKind::Sideways { degrees: 180 } => {
            tr("the face is upside down and was not rotated, because rotation is off").to_owned()
        }
        WarningKind::Sideways { .. } => {
            tr("the face is sideways and was not rotated, because rotation is off").to_owned()
        }
        WarningKind::Tilted { tilt, limit } => say!(
            "the head is tilted by {tilt} degrees, more than the levelling limit of {limit} degrees",
            limit = tenths(*limit),
            tilt = tenths(tilt.abs())
        ),
        WarningKind::Doubtful(HeadDoubt::Landmarks) => {
            tr("the positions of eyes, nose and mouth are inconsistent, so crown and chin are estimates").to_owned()
        }
        WarningKind::Doubtful(HeadDoubt::Profile) => {
            tr("the face is seen from the side, so crown and chin are estimates").to_owned()
        }
        WarningKind::CutOff { share } => {
            say!("the photo's edge cuts off about {share} % of the head", share = percent(*share))
        }
        WarningKind::CutByFrame { share } => {
            say!("the crop's frame cuts off about {share} % of the head", share = percent(*share))
        }
        WarningKind::HairCut { share } => {
            say!("the crop cuts off the hair, by {share} % of the head", share = percent(*share))
        }
        WarningKind::TooClose { head, asked } => say!(
            "too little space around the head: {head} % of the height instead of {asked} %",
            head = tenths(head * 100.0),
            asked = tenths(asked * 100.0)
        ),
        WarningKind::OffCenter { by } => {
            say!("too little space beside the head: it is {by} % off its position", by = percent(*by))
        }
        WarningKind::EyesClosed { opening } => {
            say!("the eyes are closed: open by {opening} % of their width", opening = percent(*opening))
        }
        WarningKind::EyesNearlyClosed { opening } => {
            say!("the eyes are nearly closed: open by {opening} % of their width", opening = percent(*opening))
        }
        WarningKind::EyeClosed { opening } => {
            say!("one eye is closed: open by {opening} % of its width", opening = percent(*opening))
        }
        WarningKind::EyeHidden { contrast } => {
            say!("one eye is hidden: contrast {contrast} %, about 95 % if visible", contrast = percent(*contrast))
        }
        WarningKind::EyesCovered { contrast } => say!(
            "the eyes are covered by hair, a hat or glasses: contrast {contrast} %, about 95 % if visible",
            contrast = percent(*contrast)
        ),
        WarningKind::DarkGlasses { contrast } => say!(
            "the eyes are behind dark glasses: contrast {contrast} %, about 95 % if visible",
            contrast = percent(*contrast)
        ),
        WarningKind::LookingAside { gaze } if *gaze < 0.0 => {
            say!("the eyes look aside, to the left by {gaze} % of their width", gaze = percent(gaze.abs()))
        }
        WarningKind::LookingAside { gaze } => {
            say!("the eyes look aside, to the right by {gaze} % of their width", gaze = percent(*gaze))
        }
        WarningKind::MouthOpen { opening } => {
            say!("the mouth is open, by {opening} % of its width", opening = percent(*opening))
        }
        WarningKind::HeadTurned { yaw, limit } if *yaw < 0.0 => say!(
            "the head is turned to the left by {degrees} degrees, at most {limit} are allowed",
            degrees = tenths(yaw.abs()),
            limit = tenths(*limit)
        ),
        WarningKind::HeadTurned { yaw, limit } => say!(
            "the head is turned to the right by {degrees} degrees, at most {limit} are allowed",
            degrees = tenths(*yaw),
            limit = tenths(*limit)
        ),
        WarningKind::HeadPitched { pitch, limit } if *pitch < 0.0 => say!(
            "the head is lowered by {degrees} degrees, at most {limit} are allowed",
            degrees = tenths(pitch.abs()),
            limit = tenths(*limit)
        ),
        WarningKind::HeadPitched { pitch, limit } => say!(
            "the head is raised by {degrees} degrees, at most {limit} are allowed",
            degrees = tenths(*pitch),
            limit = tenths(*limit)
        ),
        WarningKind::HeadTilted { roll, limit } => say!(
            "the head is tilted in the crop by {degrees} degrees, at most {limit} are allowed",
            degrees = tenths(roll.abs()),
            limit = tenths(*limit)
        ),
        WarningKind::NotPlain { unevenness } => say!(
            "the background is not plain: {unevenness} times the unevenness of a plain wall",
            unevenness = tenths(*unevenness)
        ),
        WarningKind::BackgroundLightness { lightness, range } => {
            let is_dark = *lightness < range.min;
            let (found, min, max) = (tenths(*lightness * 100.0), percent(range.min), percent(range.max));
            match is_dark {
                true => say!(
                    "the background is too dark: lightness {found} %, allowed {min} to {max} %",
                    found = found,
                    min = min,
                    max = max
                ),
                false => say!(
                    "the background is too light: lightness {found} %, allowed {min} to {max} %",
                    found = found,
                    min = min,
                    max = max
                ),
            }
        }
        WarningKind::Shadow { shadow } => {
            say!("a shadow beside the head: {shadow} % darker than the background", shadow = percent(*shadow))
        }
        WarningKind::Blurred { sharpness } => {
            say!("the face is blurred: sharpness {sharpness} of 1", sharpness = decimal(*sharpness, 2))
        }
        WarningKind::Underexposed { lightness } => {
            say!("the face is underexposed: lightness {lightness} %", lightness = percent(*lightness))
        }
        WarningKind::Overexposed { share } => {
            say!("{share} % of the face is overexposed", share = percent(*share))
        }
        WarningKind::Enlarged { times } => {
            say!("low resolution: the crop is enlarged {times}x", times = tenths(*times))
        }
        WarningKind::Rule(check) => rule(check),
        WarningKind::File(fault) => file_fault(fault),
    }
}

/// The effect of a model that cannot be used.
fn without_model(model: ModelKind) -> &'static str {
    match model {
        ModelKind::Detector => tr("the face detector cannot be used, so no faces are found"),
        ModelKind::Landmarks => tr("the face landmark model cannot be used, so heads are estimated from five points"),
        ModelKind::Eyelids => tr("the eyelid model cannot be used, so closed eyes are not reported"),
        ModelKind::Person => tr("the person model cannot be used, so hair and background are not measured"),
    }
}

/// A reason to review `photo`, likewise. Errors of the photo itself are part of its status.
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
                RuntimeStatus::Failed { error, .. } => no_runtime(error),
                RuntimeStatus::Opening { .. } | RuntimeStatus::Ready { .. } => String::new(),
            };
            say!("face detection did not run: {reason}", reason = reason)
        }
        ReasonKind::NotWritten => {
            let reason = match &photo.export {
                Some(ExportMark::Failed(report)) => outcome(report, None),
                _ => String::new(),
            };
            say!("the last export failed: {reason}", reason = reason)
        }
        ReasonKind::OneOfMany { found } => {
            count!(*found, "one of {n} face was selected", "one of {n} faces was selected")
        }
        ReasonKind::Crop(kind) => warning(kind),
    }
}

/// With one decimal, or none if it is zero.
fn tenths(number: f32) -> String {
    let rounded = (number * 10.0).round() / 10.0;
    decimal(rounded, usize::from(rounded.fract() != 0.0))
}

fn percent(share: f32) -> String {
    decimal((share * 100.0).round(), 0)
}

#[cfg(test)]
mod tests {
    use plan::{FileFault, InRange, RuleCheck, RuleResult};
    use recipe::AllowedRange;

    use super::super::super::language::{Language, set_current};
    use super::*;

    fn one_of_each() -> Vec<WarningKind> {
        let light = AllowedRange { min: 0.7, max: 0.95 };
        let models = ModelKind::ALL.map(|model| WarningKind::NoModel { model });
        let others = vec![
            WarningKind::FewFaces { found: 0, min: 1 },
            WarningKind::FewFaces { found: 0, min: 3 },
            WarningKind::FewFaces { found: 1, min: 3 },
            WarningKind::FewFaces { found: 2, min: 3 },
            WarningKind::ManyFaces { found: 1, max: 0 },
            WarningKind::ManyFaces { found: 1200, max: 2 },
            WarningKind::OneOfMany { found: 2 },
            WarningKind::SecondPerson { height: 0.627 },
            WarningKind::LowScore { score: 0.7 },
            WarningKind::Small { height: 31.6 },
            WarningKind::Padded { share: 0.256, max: 0.1 },
            WarningKind::Rotated { degrees: 90 },
            WarningKind::Rotated { degrees: 180 },
            WarningKind::Rotated { degrees: 270 },
            WarningKind::Sideways { degrees: 90 },
            WarningKind::Sideways { degrees: 180 },
            WarningKind::Tilted { tilt: -31.26, limit: 20.0 },
            WarningKind::Doubtful(HeadDoubt::Landmarks),
            WarningKind::Doubtful(HeadDoubt::Profile),
            WarningKind::CutOff { share: 0.174 },
            WarningKind::CutByFrame { share: 0.2 },
            WarningKind::HairCut { share: 0.046 },
            WarningKind::TooClose { head: 0.812, asked: 0.7 },
            WarningKind::OffCenter { by: 0.07 },
            WarningKind::Rule(RuleCheck {
                met: false,
                found: RuleResult::Head(InRange {
                    measured: 0.667,
                    range: AllowedRange { min: 0.7, max: 0.8 },
                    height_mm: None,
                }),
            }),
            WarningKind::File(FileFault::NotJpeg { document: Some("A visa".to_owned()) }),
            WarningKind::Blurred { sharpness: 0.4 },
            WarningKind::Underexposed { lightness: 0.2 },
            WarningKind::Overexposed { share: 0.125 },
            WarningKind::Enlarged { times: 2.04 },
            WarningKind::EyesClosed { opening: 0.081 },
            WarningKind::EyesNearlyClosed { opening: 0.194 },
            WarningKind::EyeClosed { opening: 0.09 },
            WarningKind::EyeHidden { contrast: 0.316 },
            WarningKind::EyesCovered { contrast: 0.2 },
            WarningKind::DarkGlasses { contrast: 0.114 },
            WarningKind::LookingAside { gaze: -0.126 },
            WarningKind::LookingAside { gaze: 0.126 },
            WarningKind::MouthOpen { opening: 0.217 },
            WarningKind::HeadTurned { yaw: -12.34, limit: 5.0 },
            WarningKind::HeadTurned { yaw: 12.34, limit: 5.0 },
            WarningKind::HeadPitched { pitch: -17.96, limit: 5.0 },
            WarningKind::HeadPitched { pitch: 17.96, limit: 5.0 },
            WarningKind::HeadTilted { roll: -9.25, limit: 8.0 },
            WarningKind::NotPlain { unevenness: 2.34 },
            WarningKind::BackgroundLightness { lightness: 0.523, range: light },
            WarningKind::BackgroundLightness { lightness: 0.981, range: light },
            WarningKind::Shadow { shadow: 0.18 },
        ];
        others.into_iter().chain(models).collect()
    }

    #[test]
    fn english_texts_match_the_command_line() {
        for kind in one_of_each().into_iter().filter(|kind| !matches!(kind, WarningKind::ManyFaces { found: 1200, .. }))
        {
            assert_eq!(warning(&kind), kind.to_string());
        }
    }

    #[test]
    fn every_warning_is_translated() {
        for language in Language::ALL.into_iter().filter(|language| *language != Language::English) {
            set_current(language);
            for kind in one_of_each() {
                assert_ne!(warning(&kind), kind.to_string(), "{language:?}");
            }
        }
        set_current(Language::German);
        let many = WarningKind::ManyFaces { found: 1200, max: 2 };
        assert!(warning(&many).contains("1.200"), "{}", warning(&many));
        let tilted = WarningKind::Tilted { tilt: -31.26, limit: 20.0 };
        assert!(warning(&tilted).contains("31,3") && warning(&tilted).contains("20 "), "{}", warning(&tilted));
        let turned = warning(&WarningKind::HeadTurned { yaw: -12.34, limit: 5.0 });
        assert_eq!(turned, "der Kopf ist um 12,3 Grad nach links gedreht, erlaubt sind höchstens 5");
        set_current(Language::English);
    }
}
