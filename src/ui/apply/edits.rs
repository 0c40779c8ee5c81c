//! Edits of photos, and undo.

use std::collections::HashSet;
use std::time::Instant;

use batch::settings::Settings;
use batch::worker::ItemId;
use geometry::Head;
use recipe::{CropSpec, FinishSpec, Overrides, PhotoEdits};

use super::super::command::{Command, Effect, NamesCommand, OutputCommand};
use super::super::language::{count, mark};
use super::super::messages;
use super::super::state::{
    AppState, CanvasView, Change, Gesture, ListChange, NoticeButton, PREVIEW_SIDE, Photo, SelectHow, Step, Values,
    changed_output,
};
use super::detection::{cancel_detection, set_thoroughness};
use super::{change_current, index_photo};

/// The parts of the state a command may change, for undo.
struct Scope {
    name: &'static str,
    gesture: Gesture,
    settings: bool,
    photos: Vec<ItemId>,
    /// The notice if this number of photos has changed, more than one.
    report: Option<fn(usize) -> String>,
}

/// Snapshot of that scope from before a command.
pub(super) struct Before {
    scope: Scope,
    values: Values,
}

impl Before {
    /// `None` for commands that cannot be undone: they change nothing that is saved, or record their own step.
    pub(super) fn of(state: &AppState, command: &Command) -> Option<Self> {
        let scope = scope(state, command)?;
        let values = values(state, &scope);
        Some(Self { scope, values })
    }

    /// Records the step unless nothing has changed.
    pub(super) fn note(self, state: &mut AppState, now: Instant) {
        let after = values(state, &self.scope);
        if after == self.values {
            return;
        }
        let changed = after.photos.iter().zip(&self.values.photos).filter(|(after, before)| after != before).count();
        let text = self.scope.report.filter(|_| changed > 1).map(|report| report(changed));
        let change = Change::Values { before: Box::new(self.values), after: Box::new(after) };
        state.list.history.add(Step::new(self.scope.name, self.scope.gesture, now, change));
        offer_undo(state, text);
    }
}

fn scope(state: &AppState, command: &Command) -> Option<Scope> {
    let current = state.list.library.current;
    let photos = || current.into_iter().collect::<Vec<_>>();
    let of_face = |name, index: usize| {
        let gesture = current.map_or(Gesture::Once, |item| Gesture::Face(name, item, index));
        Scope { name, gesture, settings: false, photos: photos(), report: None }
    };
    let of_photo = |name| Scope { name, gesture: Gesture::Once, settings: false, photos: photos(), report: None };
    let of_photos = |name, items: &[ItemId], report: fn(usize) -> String| {
        let photos = items.to_vec();
        Scope { name, gesture: Gesture::Once, settings: false, photos, report: Some(report) }
    };
    let of_selected = |name, report| of_photos(name, &state.list.library.selected_ids(), report);
    let of_photo_in_list = |name, item| Scope { photos: vec![item], ..of_photo(name) };
    let gesture = |name| Gesture::Setting(name, state.active_output());
    let setting = |name| Scope { name, gesture: gesture(name), settings: true, photos: Vec::new(), report: None };
    // Framing belongs to the photo's overrides or to the shared settings.
    let framing = |name| Scope { photos: photos(), ..setting(name) };
    let once = |scope| Scope { gesture: Gesture::Once, ..scope };
    Some(match command {
        Command::ToggleFace(_) => of_photo(mark("select faces")),
        Command::SetHead(index, _) => of_face(mark("adjust a head"), *index),
        // Resetting the frame is a step of its own, not part of the drag before it.
        Command::SetFrame(_, None) => of_photo(mark("adjust a frame")),
        Command::SetFrame(index, Some(_)) => of_face(mark("adjust a frame"), *index),
        Command::DrawFace(_) => of_photo(mark("draw a face")),
        Command::EraseFace(_) => of_photo(mark("delete a face")),
        Command::MoveFace { .. } => of_photo(mark("reorder faces")),
        Command::ResetFaces => of_photo(mark("reset faces")),
        Command::ResetPhotos(items) => of_photos(mark("reset photos"), items, messages::photos_reset),
        Command::SetExcluded(items, true) => of_photos(mark("exclude"), items, messages::photos_excluded),
        Command::ExcludeAndGoOn => of_selected(mark("exclude"), messages::photos_excluded),
        Command::SetExcluded(items, false) => of_photos(mark("include"), items, messages::photos_included),
        Command::SetAccepted(items, true) => of_photos(mark("accept"), items, messages::photos_accepted),
        Command::AcceptAndGoOn => of_selected(mark("accept"), messages::photos_accepted),
        Command::SetAccepted(items, false) => {
            of_photos(mark("withdraw acceptance"), items, messages::photos_not_accepted)
        }
        Command::SetOverrides(items, Some(_)) => of_photos(mark("custom settings"), items, messages::photos_customized),
        Command::SetOverrides(items, None) => of_photos(mark("shared settings"), items, messages::photos_shared),
        Command::SetCrop(_) | Command::SetSelection(_) => framing(mark("change the crop")),
        Command::SetFinish(_) => framing(mark("change the finish")),
        Command::ChoosePreset(_) => once(framing(mark("choose a preset"))),
        Command::SetSheet(_) => setting(mark("change the print sheet")),
        Command::Outputs(OutputCommand::Add(_)) => once(setting(mark("add an output"))),
        Command::Outputs(OutputCommand::Remove(_)) => once(setting(mark("remove an output"))),
        Command::Outputs(OutputCommand::SetPlace(_)) => setting(mark("rename an output")),
        Command::Outputs(OutputCommand::SetPackage(_)) => setting(mark("change the package")),
        Command::SetThoroughness(_) => once(setting(mark("change the detection"))),
        Command::SavePreset(_) => once(setting(mark("save a preset"))),
        Command::DuplicatePreset(_) => once(setting(mark("duplicate a preset"))),
        Command::RenamePreset { .. } => once(setting(mark("rename a preset"))),
        Command::DeletePreset(_) => once(setting(mark("delete a preset"))),
        Command::SetEncode(_) => setting(mark("change file settings")),
        Command::SetOnConflict(_) => setting(mark("change conflict handling")),
        Command::SetOutputFolder(_) => setting(mark("change the output folder")),
        Command::Names(NamesCommand::Set(_)) => setting(mark("change the names")),
        Command::Names(NamesCommand::SetList(_)) => once(setting(mark("choose a name list"))),
        Command::Names(NamesCommand::Name(item, _)) => of_photo_in_list(mark("name a photo"), *item),
        Command::Names(NamesCommand::Card(item, _)) => of_photo_in_list(mark("correct a card"), *item),
        Command::Names(NamesCommand::SetPaired(_)) => setting(mark("change paired files")),
        Command::SetLimits(_) => setting(mark("change the limits")),
        Command::SetIncludeDamaged(_) => setting(mark("change export of damaged photos")),
        _ => return None,
    })
}

fn values(state: &AppState, scope: &Scope) -> Values {
    let edits = |id: &ItemId| Some((*id, state.list.library.get(*id)?.edits().clone()));
    Values {
        settings: scope.settings.then(|| (state.settings.clone(), state.export.preset.clone())),
        photos: scope.photos.iter().filter_map(edits).collect(),
    }
}

/// Undoes the last step or redoes the last undone one.
pub(super) fn step(state: &mut AppState, forward: bool, effects: &mut Vec<Effect>) {
    let taken = if forward { state.list.history.take_undone() } else { state.list.history.take_done() };
    let (Some(mut step), mut notice) = (taken, None) else { return };
    match &mut step.change {
        Change::Values { before, after } => restore(state, if forward { after } else { before }, effects),
        Change::List(change, selection) => {
            let before = state.list.library.selection();
            let text = toggle_list_change(state, change, effects);
            change_current(state, effects, |state| state.list.library.restore_selection(selection));
            *selection = before;
            notice = Some(text);
        }
    }
    if forward {
        state.list.history.push_redone(step);
    } else {
        state.list.history.push_undone(step);
    }
    if let Some(text) = notice {
        let state_number = state.list.history.state();
        let button = if forward { NoticeButton::Undo(state_number) } else { NoticeButton::Redo(state_number) };
        state.dialogs.notices.add_with_button(text, button);
    }
}

/// Restores values and shows the photo they belong to.
fn restore(state: &mut AppState, values: &Values, effects: &mut Vec<Effect>) {
    if let Some((settings, preset)) = &values.settings {
        let active = state.active_output();
        let changed = changed_output(&state.settings.recipe, &settings.recipe, active);
        state.export.active_output = changed.unwrap_or(active);
        let thoroughness = settings.detect.thoroughness;
        let (detect, presets) = (state.settings.detect, settings.presets.clone());
        state.settings = Settings { detect, presets, ..state.settings.with_project_settings_of(settings) };
        state.export.preset.clone_from(preset);
        set_thoroughness(state, thoroughness, effects);
    }
    for (id, edits) in &values.photos {
        if let Some(photo) = state.list.library.get_mut(*id) {
            photo.edit(|now| now.clone_from(edits));
        }
    }
    let shown = state.list.library.current;
    if let Some((first, _)) = values.photos.first().filter(|_| !values.photos.iter().any(|(id, _)| Some(*id) == shown))
    {
        change_current(state, effects, |state| state.list.library.select(*first, SelectHow::Only));
    }
}

/// Removes the photos that are in the list, or puts back those that were removed; returns the text of a notice.
fn toggle_list_change(state: &mut AppState, change: &mut ListChange, effects: &mut Vec<Effect>) -> String {
    let (reversed, text) = match std::mem::replace(change, ListChange::In(Vec::new())) {
        ListChange::In(ids) => {
            let mut gone = Vec::new();
            change_current(state, effects, |state| gone = state.list.library.take(&ids.into_iter().collect()));
            cancel_detection(state, &gone, effects);
            let text = messages::photos_removed(gone.len());
            (ListChange::Out(gone), text)
        }
        ListChange::Out(photos) => {
            let mut ids = Vec::new();
            change_current(state, effects, |state| ids = state.list.library.put_back(photos));
            for &id in &ids {
                if state.list.library.get(id).is_some_and(|photo| photo.detection.is_none()) {
                    index_photo(state, id, effects);
                }
            }
            let text = count!(ids.len(), "{n} photo is back in the list.", "{n} photos are back in the list.");
            (ListChange::In(ids), text)
        }
    };
    *change = reversed;
    text
}

/// Removes photos from the list; can be undone.
pub(super) fn remove(state: &mut AppState, ids: &HashSet<ItemId>, now: Instant, effects: &mut Vec<Effect>) {
    let (mut gone, selection) = (Vec::new(), state.list.library.selection());
    change_current(state, effects, |state| gone = state.list.library.take(ids));
    cancel_detection(state, &gone, effects);
    if !gone.is_empty() {
        let text = (gone.len() > 1).then(|| messages::photos_removed(gone.len()));
        let change = Change::List(ListChange::Out(gone), selection);
        state.list.history.add(Step::new(mark("remove photos"), Gesture::Once, now, change));
        offer_undo(state, text);
    }
}

/// Reports a step that changed several photos, with a button that undoes it.
fn offer_undo(state: &mut AppState, text: Option<String>) {
    if let Some(text) = text {
        let button = NoticeButton::Undo(state.list.history.state());
        state.dialogs.notices.add_with_button(text, button);
    }
}

/// Sets the framing of the active output: in the overrides of the photo on the canvas, or in the shared settings if there are
/// none.
pub(super) fn set_crop(state: &mut AppState, spec: CropSpec) {
    match customized_photo(state) {
        Some(photo) => photo.edit(|edits| edits.overrides.iter_mut().for_each(|own| own.crop.clone_from(&spec))),
        None => *state.output_mut().crop = spec,
    }
}

/// Sets the face selection in the same way; every output has that of the recipe's own.
pub(super) fn set_selection(state: &mut AppState, spec: &CropSpec) {
    let CropSpec { select, min_score, min_size, expected, .. } = *spec;
    let set = |crop: &mut CropSpec| {
        (crop.select, crop.min_score, crop.min_size, crop.expected) = (select, min_score, min_size, expected);
    };
    match photo_with_overrides(state) {
        Some(photo) => photo.edit(|edits| edits.overrides.iter_mut().for_each(|own| set(&mut own.crop))),
        None => set(&mut state.settings.recipe.crop),
    }
}

/// Sets shape and adjustments in the same way.
pub(super) fn set_finish(state: &mut AppState, finish: FinishSpec) {
    match customized_photo(state) {
        Some(photo) => photo.edit(|edits| edits.overrides.iter_mut().for_each(|own| own.finish = finish)),
        None => *state.output_mut().finish = finish,
    }
}

/// The photo on the canvas, if it has overrides and they are edited: they are those of the recipe's own output.
pub(super) fn customized_photo(state: &mut AppState) -> Option<&mut Photo> {
    let is_own = state.active_variant().is_none();
    if let Some(photo) = state.list.library.current.and_then(|id| state.list.library.get_mut(id)).filter(|_| is_own)
        && let Some(of_row) = photo.overrides().filter(|_| photo.edits().overrides.is_none()).cloned()
    {
        // Settings from the preset in its row become its own once they are changed.
        photo.edit(|edits| edits.overrides = Some(Box::new(of_row)));
    }
    photo_with_overrides(state).filter(|_| is_own)
}

/// The photo on the canvas, if it has overrides.
fn photo_with_overrides(state: &mut AppState) -> Option<&mut Photo> {
    let photo = state.list.library.get_mut(state.list.library.current?)?;
    photo.edits().overrides.is_some().then_some(photo)
}

/// Edits several photos.
pub(super) fn edit_all(state: &mut AppState, items: &[ItemId], mut change: impl FnMut(&mut PhotoEdits)) {
    for &item in items {
        if let Some(photo) = state.list.library.get_mut(item) {
            photo.edit(&mut change);
        }
    }
}

/// Sets or removes overrides of photos, and shows the output they are for.
pub(super) fn set_overrides(state: &mut AppState, items: &[ItemId], overrides: Option<&Overrides>) {
    state.export.active_output = 0;
    edit_all(state, items, |edits| edits.overrides = overrides.cloned().map(Box::new));
}

/// Moves a crop from position `from` to `to` in the crop order.
pub(super) fn move_face(photo: &mut Photo, from: usize, to: usize, of_list: &CropSpec) {
    let mut boxes = photo.chosen_boxes(of_list);
    if from < boxes.len() && to < boxes.len() {
        let moved = boxes.remove(from);
        boxes.insert(to, moved);
        photo.edit(|edits| edits.chosen = Some(boxes));
    }
}

/// Runs `change` and keeps the preview on the crop of the same face, even if its position changes.
pub(super) fn keep_previewed_face(state: &mut AppState, change: impl FnOnce(&mut AppState)) {
    let shown = |state: &AppState| {
        let face = state.shown_crop()?.1.face_index;
        Some(state.current()?.faces().get(face)?.bbox)
    };
    let before = shown(state);
    change(state);
    let (Some(before), Some(photo)) = (before, state.current()) else { return };
    let plan = state.current_plan();
    let face = |index: usize| photo.faces().get(index).map(|face| face.bbox);
    if let Some(place) = plan.crops.iter().position(|crop| face(crop.face_index) == Some(before)) {
        state.canvas.preview_index = place;
    }
}

/// Shows or hides the crop beside the photo. A hidden crop needs a smaller rendering.
pub(super) fn set_before_after(state: &mut AppState, shown: bool) {
    state.canvas.tools.before_after = shown;
    state.canvas.tools.after_view = CanvasView::Fit;
    if !shown {
        state.canvas.tools.preview_side = PREVIEW_SIDE;
    }
}

/// Adds a drawn face to the photo on the canvas and previews its crop.
pub(super) fn draw_face(state: &mut AppState, head: Head) {
    let spec = state.settings.recipe.crop.clone();
    let Some(photo) = state.list.library.current.and_then(|id| state.list.library.get_mut(id)) else { return };
    let boxes = photo.chosen_boxes(&spec);
    let place = boxes.len();
    photo.edit(|edits| edits.draw(head, boxes));
    state.canvas.preview_index = place;
    state.canvas.tools.drawing = false;
}
