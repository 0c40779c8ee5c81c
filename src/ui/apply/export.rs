//! Starting, pausing, resuming and cancelling exports, and writing reports.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use batch::report::ReportError;
use batch::worker::{
    ExportItem, ExportJob, FilesRequest, ItemId, JournalPlace, JournalSpec, PreviousRun, RunQuery, RunsOf,
    SessionRequest,
};
use naming::PhotoName;
use recipe::{Depth, OutputSpec, Overrides, SpecError};

use super::super::command::Effect;
use super::super::dialogs::{PickerKind, REPORTS};
use super::super::language::{say, tr};
use super::super::messages;
use super::super::state::{
    AppState, Batch, ExportScope, Foldable, NoticeButton, NoticeKind, Page, Photo, ProjectRequests, Unavailable,
    UnfinishedRun, usable_folder,
};
use super::{cards, names, outputs, save_settings};

/// Starts an export, or asks for the output folder first if the user has entered an unusable one.
pub(super) fn begin(state: &mut AppState, scope: ExportScope, now: Instant, effects: &mut Vec<Effect>) {
    start(state, scope, false, now, effects);
}

/// Starts an export; `resume` continues the latest run in the folder.
pub(super) fn start(state: &mut AppState, scope: ExportScope, resume: bool, now: Instant, effects: &mut Vec<Effect>) {
    if state.exporting() {
        return;
    }
    state.list.library.set_paired(&state.settings.recipe.paired);
    state.update_proposed_folder();
    let photos = photos_of(state, scope);
    if photos.is_empty() {
        return;
    }
    if let Some(error) = state.names.paired.error(&state.settings.recipe.paired) {
        let reason = messages::paired_pattern_error(error);
        state.dialogs.notices.add(NoticeKind::Error, say!("Nothing was exported: {reason}", reason = reason));
        return;
    }
    if let Err(fault) = outputs::check(&state.settings.recipe) {
        let reason = match fault.output.filter(|_| state.output_count() > 1) {
            Some(output) => say!("output {number}: {reason}", number = output + 1, reason = fault.reason),
            None => fault.reason,
        };
        state.export.active_output = fault.output.unwrap_or(state.export.active_output);
        state.dialogs.notices.add(NoticeKind::Error, say!("Nothing was exported: {reason}", reason = reason));
        return;
    }
    let own = photos.iter().find_map(|photo| Some((photo, fault(photo.overrides()?)?)));
    if let Some((photo, fault)) = own {
        let text =
            say!("Nothing was exported: {name}: {reason}", name = photo.name, reason = messages::spec_error(&fault));
        state.dialogs.notices.add(NoticeKind::Error, text);
        return;
    }
    let Some(folder) = usable_folder(state.output_folder()) else {
        (state.export.folder_wanted, state.export.after_folder) = (true, Some(scope));
        state.fold(Foldable::Settings, false);
        effects.push(Effect::Pick(PickerKind::OutputFolder));
        return;
    };
    if state.requested_folder().is_some() || state.replacement_requested() {
        state.dialogs.page = Some(Page::ProjectRequests { scope, resume });
        return;
    }
    if !cards::are_read(state, scope, resume) || !names::are_ready(state, scope, resume, effects) {
        return;
    }
    let photos = photos_of(state, scope);
    if let Some(reason) = names::refusal(state, &photos) {
        state.dialogs.notices.add(NoticeKind::Error, say!("Nothing was exported: {reason}", reason = reason));
        return;
    }
    let photos: Vec<&Photo> = photos.into_iter().filter(|photo| !names::is_skipped(photo)).collect();
    let crop = &state.settings.recipe.crop;
    let own_name = |place| PhotoName { place, ..PhotoName::default() };
    let item = |(place, photo): (usize, &&Photo)| ExportItem {
        photo: state.photo_ref(photo),
        faces: photo.face_choice(crop),
        name: photo.naming.as_ref().map_or_else(|| own_name(place), |naming| naming.name.clone()),
        card: state.card_of(photo).map(ToOwned::to_owned),
        recipe: photo.overrides().map(|own| Arc::new(state.settings.recipe.with_overrides(own))),
    };
    let items: Vec<ExportItem> = (1..).zip(&photos).map(item).collect();
    let ids: Vec<ItemId> = photos.iter().map(|photo| photo.id).collect();
    names::report_clashes(state, &ids);
    for id in &ids {
        if let Some(photo) = state.list.library.get_mut(*id) {
            photo.export = None;
        }
    }
    let photos = state.list.library.photos().iter().map(|photo| photo.path.clone());
    let list = state.settings.names.list.as_ref().map(|list| list.file.clone());
    let job = Arc::new(ExportJob {
        items,
        depth: Depth::Write,
        recipe: state.settings.recipe.clone(),
        output: OutputSpec { folder: folder.clone(), on_conflict: state.settings.on_conflict },
        template: state.names.template.clone(),
        // All photos of the list, even if only some are exported: none of the originals may be replaced, nor the
        // name list.
        originals: photos.chain(list).collect(),
        ignored: Vec::new(),
        workers: 0,
        journal: Some(JournalSpec { place: JournalPlace::Beside { shard: None }, resume }),
    });
    state.export.unfinished.answered.insert(folder.clone());
    state.export.batch = Some(Batch::new(folder, Arc::clone(&job), now));
    effects.push(Effect::send(SessionRequest::Export(job)));
}

/// The photos of an export, without excluded ones.
fn photos_of(state: &AppState, scope: ExportScope) -> Vec<&Photo> {
    let photos: Vec<&Photo> = match scope {
        ExportScope::Selected => state.list.library.selected().collect(),
        ExportScope::All => state.list.library.photos().iter().collect(),
    };
    photos.into_iter().filter(|photo| !photo.is_excluded()).collect()
}

/// Accepts the folder and policy that the project requests: they become the user's own settings. Then starts the export.
pub(super) fn agree(state: &mut AppState, scope: ExportScope, resume: bool, now: Instant, effects: &mut Vec<Effect>) {
    (state.dialogs.page, state.list.project.requests) = (None, ProjectRequests::default());
    save_settings(state, effects);
    start(state, scope, resume, now, effects);
}

/// The first error in a photo's overrides, if any.
fn fault(own: &Overrides) -> Option<SpecError> {
    own.crop.check().and(own.finish.check(own.crop.rules.as_ref())).err()
}

/// Sends the job of an export that ended early again. Photos that its journal lists as done are skipped.
pub(super) fn resume(state: &mut AppState, now: Instant, effects: &mut Vec<Effect>) {
    let Some(batch) = state.export.batch.take_if(|batch| batch.can_resume()) else { return };
    let mut job = ExportJob::clone(&batch.job);
    if let Some(journal) = &mut job.journal {
        journal.resume = true;
    }
    let job = Arc::new(job);
    state.export.batch = Some(Batch::new(batch.folder, Arc::clone(&job), now));
    effects.push(Effect::send(SessionRequest::Export(job)));
}

/// Searches the output folder for an export that was interrupted before this window was opened.
pub(super) fn find_unfinished(state: &mut AppState, effects: &mut Vec<Effect>) {
    let Some((output, _)) = state.unfinished_key() else { return };
    let photos = state.list.library.photos().iter().filter(|photo| !photo.is_excluded());
    let of = RunsOf::Photos(photos.map(|photo| photo.path.clone()).collect());
    state.export.unfinished.searched = Some(output.clone());
    effects.push(Effect::send(FilesRequest::FindRun(RunQuery {
        output,
        place: JournalPlace::Beside { shard: None },
        of,
    })));
}

/// Stores the run that was found.
pub(crate) fn handle_run_found(state: &mut AppState, found: Option<Box<PreviousRun>>) {
    let (done, total) = (found.map_or(0, |run| run.photos.len()), state.list.library.all_to_export());
    let folder = state.export.unfinished.searched.take().filter(|_| done > 0 && done < total);
    state.export.unfinished.found = folder.map(|folder| UnfinishedRun { folder, done, total });
}

/// Resumes that run or dismisses it.
pub(super) fn answer_unfinished(state: &mut AppState, resume: bool, now: Instant, effects: &mut Vec<Effect>) {
    let Some(run) = state.export.unfinished.found.take() else { return };
    if resume {
        start(state, ExportScope::All, true, now, effects);
    } else {
        state.export.unfinished.answered.insert(run.folder);
    }
}

/// Writes a report on the finished export.
pub(super) fn save_report(state: &mut AppState, mut path: PathBuf, effects: &mut Vec<Effect>) {
    let Some(journal) = state.export.batch.as_ref().and_then(|batch| batch.journal.clone()) else { return };
    if path.extension().is_none() {
        path.set_extension(REPORTS[0]);
    }
    state.dialogs.saved_to.clone_from(&path);
    effects.push(Effect::send(FilesRequest::WriteReport { journals: vec![journal], output: Some(path) }));
}

/// Reports whether the report was written.
pub(crate) fn handle_report_written(state: &mut AppState, written: Result<(), Unavailable<ReportError>>) {
    match written {
        Ok(()) => {
            let button = NoticeButton::ShowInFolder(state.dialogs.saved_to.clone());
            state.dialogs.notices.add_with_button(tr("Report saved."), button);
        }
        Err(error) => {
            let reason = messages::unavailable(&error, messages::report_error);
            let text = say!("Could not save the report: {reason}", reason = reason);
            state.dialogs.notices.add(NoticeKind::Error, text);
        }
    }
}

pub(super) fn pause(state: &mut AppState, paused: bool, now: Instant, effects: &mut Vec<Effect>) {
    let Some(batch) = &mut state.export.batch else { return };
    if let (Some(request), None) = (batch.request, batch.end) {
        batch.set_paused(paused, now);
        effects.push(Effect::Pause(request, paused));
    }
}

pub(super) fn cancel(state: &mut AppState, effects: &mut Vec<Effect>) {
    let Some(batch) = &mut state.export.batch else { return };
    if let (Some(request), None) = (batch.request, batch.end) {
        batch.cancelling = true;
        effects.push(Effect::Cancel(request));
    }
}
