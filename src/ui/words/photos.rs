//! What became of a photo, and why something is not there.

use std::sync::Arc;

use outcome::{ItemReport, OpenError, OutcomeKind};
use recipe::CropSpec;

use super::super::language::{count, say, tr};
use super::super::state::{ExportMark, Photo, PhotoFailure, PhotoStatus, RuntimeStatus, Trouble, Unanswered};
use super::errors::{crop_note, damage, picture_note, stage_error};
use super::faults::open_error;
use super::parts::{asked, listed};

/// Why a photo is not shown.
pub(crate) fn photo_failure(failure: &PhotoFailure) -> String {
    match failure {
        PhotoFailure::Quarantined => {
            tr("it was being read when the program ended without closing, so it is left out").to_owned()
        }
        PhotoFailure::Missing => tr("the file is missing").to_owned(),
        PhotoFailure::Failed(error) => stage_error(error),
    }
}

/// Why something is not there; `answer` words what an answer says.
pub(crate) fn trouble<E>(trouble: &Trouble<E>, answer: impl FnOnce(&E) -> String) -> String {
    match trouble {
        Trouble::Answer(error) => answer(error),
        Trouble::Unanswered(why) => unanswered(why),
    }
}

/// Why a request has no answer.
pub(crate) fn unanswered(unanswered: &Unanswered) -> String {
    match unanswered {
        Unanswered::Failed(error) => stage_error(error),
        Unanswered::Dropped => tr("it was not answered").to_owned(),
    }
}

/// Why no runtime is open.
pub(crate) fn no_runtime(why: &Trouble<Arc<OpenError>>) -> String {
    trouble(why, |error| open_error(error))
}

/// A photo's state as the list shows it.
pub(crate) fn status(photo: &Photo, spec: &CropSpec, runtime: &RuntimeStatus) -> String {
    let mut phrases = vec![match photo.status(spec) {
        PhotoStatus::Waiting => tr("waiting").to_owned(),
        PhotoStatus::NotLookedAt => not_looked_at(runtime),
        PhotoStatus::Faces(faces) => count!(faces, "{n} face", "{n} faces"),
        PhotoStatus::NoFace => tr("no face").to_owned(),
        PhotoStatus::Failed(_) if photo.is_missing() => tr("missing").to_owned(),
        PhotoStatus::Failed(failure) => say!("failed: {reason}", reason = photo_failure(failure)),
    }];
    if let Some(chosen) = photo.manual() {
        phrases.push(count!(chosen.len(), "{n} chosen", "{n} chosen"));
    }
    if let Some(info) = &photo.info {
        phrases.extend(info.damage.is_some().then(|| tr("damaged").to_owned()));
        phrases.extend(info.note.map(|note| picture_note(note).to_owned()));
    }
    let edits = photo.edits();
    phrases.extend(edits.overrides.is_some().then(|| tr("own settings").to_owned()));
    phrases.extend(edits.accepted.then(|| tr("accepted").to_owned()));
    phrases.extend(edits.excluded.then(|| tr("left out").to_owned()));
    match &photo.export {
        Some(ExportMark::Written) => phrases.push(tr("written").to_owned()),
        Some(ExportMark::Skipped) => phrases.push(tr("skipped").to_owned()),
        Some(ExportMark::Damaged) => phrases.push(tr("not exported").to_owned()),
        Some(ExportMark::Failed(report)) if photo.failure.is_none() => {
            phrases.push(say!("failed: {reason}", reason = outcome(report)));
        }
        _ => {}
    }
    listed(&phrases)
}

/// Why nobody looked for faces on a photo that is decoded.
fn not_looked_at(runtime: &RuntimeStatus) -> String {
    match runtime {
        RuntimeStatus::Failed { requested, trouble } => {
            say!("no runtime: {runtime} failed: {reason}", runtime = asked(*requested), reason = no_runtime(trouble))
        }
        RuntimeStatus::Opening { .. } | RuntimeStatus::Ready { .. } => tr("no runtime yet").to_owned(),
    }
}

/// What an export did with one photo.
pub(crate) fn outcome(report: &ItemReport) -> String {
    let files: Vec<String> = report
        .crops
        .iter()
        .filter_map(|crop| Some(crop.written.as_ref()?.file_name()?.to_string_lossy().into_owned()))
        .collect();
    match report.outcome {
        OutcomeKind::Cropped | OutcomeKind::Detected => {
            let notes = report.crops.iter().flat_map(|crop| &crop.notes);
            notes.fold(listed(&files), |text, note| format!("{text} ({})", crop_note(note)))
        }
        OutcomeKind::Damaged => {
            let what = report.damage.as_ref().map(damage).unwrap_or_default();
            say!("damaged, not exported: {what}", what = what)
        }
        OutcomeKind::NoFace => tr("no face").to_owned(),
        OutcomeKind::Excluded => tr("none of its faces is chosen").to_owned(),
        OutcomeKind::Skipped => tr("skipped: the name is taken").to_owned(),
        OutcomeKind::AlreadyDone => tr("done before").to_owned(),
        OutcomeKind::Failed => {
            let reason = report.error.as_ref().map(stage_error);
            reason.unwrap_or_else(|| tr("unknown reason").to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use recipe::{BackendKind, RuntimeChoice};

    use super::*;

    #[test]
    fn a_runtime_that_failed_is_not_reported_as_one_to_come() {
        assert_eq!(not_looked_at(&RuntimeStatus::Opening { slow: true }), "no runtime yet");
        let failed = RuntimeStatus::Failed {
            requested: RuntimeChoice::Named(BackendKind::Rten),
            trouble: Trouble::Answer(Arc::new(outcome::BackendError::NotIncluded { kind: BackendKind::Rten }.into())),
        };
        assert_eq!(not_looked_at(&failed), "no runtime: rten failed: rten is not included in this build");
    }
}
