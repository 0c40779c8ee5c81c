//! Status of a photo, and reasons for missing results.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use outcome::{ItemReport, OpenError, OutcomeKind};
use recipe::CropSpec;

use super::super::language::{count, say, tr};
use super::super::state::{ExportMark, Photo, PhotoFailure, PhotoStatus, RuntimeStatus, Unanswered, Unavailable};
use super::errors::{crop_note, damage, picture_note, stage_error};
use super::faults::open_error;
use super::parts::{choice_name, listed};

/// Why a photo is not shown.
pub(crate) fn photo_failure(failure: &PhotoFailure) -> String {
    match failure {
        PhotoFailure::Quarantined => {
            tr("it was being read when the program ended unexpectedly, so it is quarantined").to_owned()
        }
        PhotoFailure::Missing => tr("the file is missing").to_owned(),
        PhotoFailure::Failed(error) => stage_error(error),
    }
}

/// Why a result is missing; `answer` words the error in an answer.
pub(crate) fn unavailable<E>(error: &Unavailable<E>, answer: impl FnOnce(&E) -> String) -> String {
    match error {
        Unavailable::Answer(error) => answer(error),
        Unavailable::Unanswered(why) => unanswered(why),
    }
}

/// Why a request has no answer.
pub(crate) fn unanswered(unanswered: &Unanswered) -> String {
    match unanswered {
        Unanswered::Failed(error) => stage_error(error),
        Unanswered::Dropped => tr("no answer was received").to_owned(),
    }
}

/// Why no runtime is open.
pub(crate) fn no_runtime(why: &Unavailable<Arc<OpenError>>) -> String {
    unavailable(why, |error| open_error(error))
}

/// Status of a photo in the list.
/// `card` is the text of the card that it shows.
pub(crate) fn status(photo: &Photo, spec: &CropSpec, runtime: &RuntimeStatus, card: Option<&str>) -> String {
    let found = match photo.status(spec) {
        PhotoStatus::Waiting => tr("waiting").to_owned(),
        PhotoStatus::NotDetected => not_detected(runtime),
        PhotoStatus::Faces(faces) => count!(faces, "{n} face", "{n} faces"),
        PhotoStatus::NoFace if card.is_some() => String::new(),
        PhotoStatus::NoFace => tr("no face").to_owned(),
        PhotoStatus::Failed(_) if photo.is_missing() => tr("missing").to_owned(),
        PhotoStatus::Failed(failure) => say!("failed: {reason}", reason = photo_failure(failure)),
    };
    let card = card.map(|text| say!("Card: {text}", text = text));
    let mut phrases: Vec<String> = card.into_iter().chain(Some(found).filter(|text| !text.is_empty())).collect();
    if let Some(chosen) = photo.manual() {
        phrases.push(count!(chosen.len(), "{n} selected", "{n} selected"));
    }
    if let Some(info) = &photo.info {
        phrases.extend(info.damage.is_some().then(|| tr("damaged").to_owned()));
        phrases.extend(info.note.map(|note| picture_note(note).to_owned()));
    }
    let edits = photo.edits();
    phrases.extend(edits.overrides.is_some().then(|| tr("custom settings").to_owned()));
    phrases.extend(edits.accepted.then(|| tr("accepted").to_owned()));
    phrases.extend(edits.excluded.then(|| tr("excluded").to_owned()));
    phrases.extend(photo.is_paired().then(|| tr("paired file").to_owned()));
    match &photo.export {
        Some(ExportMark::Written) => phrases.push(tr("written").to_owned()),
        Some(ExportMark::Skipped) => phrases.push(tr("skipped").to_owned()),
        Some(ExportMark::Damaged) => phrases.push(tr("not exported").to_owned()),
        Some(ExportMark::Failed(report)) if photo.failure.is_none() => {
            phrases.push(say!("failed: {reason}", reason = outcome(report, None)));
        }
        _ => {}
    }
    listed(&phrases)
}

/// Why faces were not detected on a decoded photo.
fn not_detected(runtime: &RuntimeStatus) -> String {
    match runtime {
        RuntimeStatus::Failed { requested, error } => {
            say!(
                "no runtime: {runtime} failed: {reason}",
                runtime = choice_name(*requested),
                reason = no_runtime(error)
            )
        }
        RuntimeStatus::Opening { .. } | RuntimeStatus::Ready { .. } => tr("no runtime yet").to_owned(),
    }
}

/// Result of an export for one photo; the written files are shown relative to `folder`, the output folder.
pub(crate) fn outcome(report: &ItemReport, folder: Option<&Path>) -> String {
    let name = |path: &PathBuf| {
        let below = folder.and_then(|folder| path.strip_prefix(folder).ok()).map(Path::as_os_str);
        below.or(path.file_name()).map(|name| name.to_string_lossy().into_owned())
    };
    let files: Vec<String> = report.crops.iter().filter_map(|crop| name(crop.written.as_ref()?)).collect();
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
        OutcomeKind::Card => say!("card: {text}", text = report.card.as_deref().unwrap_or_default()),
        OutcomeKind::Excluded => tr("no faces selected").to_owned(),
        OutcomeKind::Skipped => tr("skipped: the file already exists").to_owned(),
        OutcomeKind::AlreadyDone => tr("written before").to_owned(),
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
    fn a_failed_runtime_is_not_reported_as_opening() {
        assert_eq!(not_detected(&RuntimeStatus::Opening { slow: true }), "no runtime yet");
        let failed = RuntimeStatus::Failed {
            requested: RuntimeChoice::Named(BackendKind::Rten),
            error: Unavailable::Answer(Arc::new(outcome::BackendError::NotIncluded { kind: BackendKind::Rten }.into())),
        };
        assert_eq!(not_detected(&failed), "no runtime: rten failed: rten is not included in this build");
    }
}
