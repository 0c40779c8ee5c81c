//! Names of the crops: settings, name list, and names typed by the user.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use batch::worker::{FilesRequest, ItemId, Names, is_name_list};
use naming::{ListSpec, Missing, NamesSpec};
use recipe::{OnConflict, Overrides};

use super::super::command::{Command, Effect, NameEdit, NamesCommand};
use super::super::language::{count, say, tr};
use super::super::messages;
use super::super::state::{
    AppState, ExportScope, KnownNames, NoticeKind, Photo, RequestedNames, SelectHow, Unanswered,
};
use super::{cards, change_current, export, presets};

/// Maximum number of rows offered for a typed name.
const MAX_ROWS: usize = 40;

pub(super) fn apply_command(state: &mut AppState, command: NamesCommand, now: Instant, effects: &mut Vec<Effect>) {
    match command {
        NamesCommand::Set(spec) => state.settings.names = spec,
        NamesCommand::SetList(file) => set_list(state, file),
        NamesCommand::Reload => request(state, true, effects),
        NamesCommand::Update => update(state, effects),
        NamesCommand::Edit(item) => edit(state, item, false, effects),
        NamesCommand::EditCard(item) => edit(state, Some(item), true, effects),
        NamesCommand::Card(item, text) => cards::correct(state, item, &text),
        NamesCommand::ReadCards => cards::read_next(state, now, effects),
        NamesCommand::CancelWaiting => state.cards.waiting_export = None,
        NamesCommand::SetPaired(text) => state.names.paired.set(text, &mut state.settings.recipe.paired),
        NamesCommand::Name(item, edit) => name(state, item, edit),
        NamesCommand::Search(typed) => search(state, typed, effects),
    }
}

/// Uses the last name list among `paths`, and returns the others.
pub(super) fn take_list(
    state: &mut AppState,
    paths: Vec<PathBuf>,
    now: Instant,
    effects: &mut Vec<Effect>,
) -> Vec<PathBuf> {
    let (lists, paths): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| is_name_list(path));
    let several = lists.len() > 1;
    if let Some(list) = lists.into_iter().next_back() {
        let name = list.file_name().unwrap_or(list.as_os_str()).to_string_lossy().into_owned();
        super::apply(state, Command::Names(NamesCommand::SetList(list)), now, effects);
        let (kind, text) = match several {
            true => (
                NoticeKind::Warning,
                say!("Several name lists were added; only the last one is used: {file}.", file = name),
            ),
            false => (NoticeKind::Info, say!("Crops are named from {file}; see Names on the right.", file = name)),
        };
        state.dialogs.notices.add(kind, text);
    }
    paths
}

/// Uses the list in `file`. The columns chosen for another list are forgotten.
fn set_list(state: &mut AppState, file: PathBuf) {
    // The path is stored in projects, and the next start may be from another folder.
    let file = std::path::absolute(&file).unwrap_or(file);
    let before = state.settings.names.list.take();
    let missing = before.as_ref().map(|list| list.missing).unwrap_or_default();
    let same = before.filter(|list| list.file == file);
    state.settings.names.list = Some(same.unwrap_or(ListSpec { file, missing, ..ListSpec::default() }));
    state.names.lists_set += 1;
    // Even if nothing else has changed: the file may have.
    (state.names.requested, state.names.updated_for) = (None, None);
}

/// Requests names if they depend on something that has changed, and updates what follows from the answer.
fn update(state: &mut AppState, effects: &mut Vec<Effect>) {
    state.names.updated_for = Some(state.names_key());
    state.list.library.set_paired(&state.settings.recipe.paired);
    parse_template(state);
    let wanted = state.names_request();
    if wanted.is_none() {
        (state.names.requested, state.names.known) = (None, None);
        state.list.library.set_names(Default::default());
    } else if wanted != state.names.requested {
        return send(state, wanted, false, effects);
    }
    set_row_settings(state);
}

/// Parses the template of the settings; the default one takes the place of an invalid one.
fn parse_template(state: &mut AppState) {
    match state.settings.names.template() {
        Ok(template) => (state.names.template, state.names.template_error) = (template, None),
        Err(error) => {
            let default = NamesSpec { template: String::new(), ..state.settings.names.clone() }.template();
            (state.names.template, state.names.template_error) = (default.unwrap_or_default(), Some(error));
        }
    }
}

/// Requests the names of all photos, if they are not their own.
fn request(state: &mut AppState, reread: bool, effects: &mut Vec<Effect>) {
    let wanted = state.names_request();
    send(state, wanted, reread, effects);
}

fn send(state: &mut AppState, wanted: Option<RequestedNames>, reread: bool, effects: &mut Vec<Effect>) {
    if let Some(wanted) = &wanted {
        effects.push(Effect::send(FilesRequest::NamePhotos { query: Arc::clone(&wanted.query), reread }));
    }
    state.names.requested = wanted;
}

/// Gives photos whose rows have a preset the settings of that preset.
fn set_row_settings(state: &mut AppState) {
    let shared = &state.settings.recipe;
    let settings = |photo: &Photo| {
        let id = photo.naming.as_ref()?.preset.as_ref()?;
        let preset = state.presets().find(|preset| preset.id == *id)?;
        let mut own = Overrides { crop: shared.crop.clone(), finish: shared.finish, preset: None };
        presets::adopt(&mut own, preset);
        Some((photo.id, Box::new(own)))
    };
    let of_items: HashMap<ItemId, Box<Overrides>> = state.list.library.photos().iter().filter_map(settings).collect();
    state.list.library.set_row_settings(of_items);
}

/// Stores the names, and starts the export that waited for them.
pub(crate) fn handle_names(state: &mut AppState, names: Names, now: Instant, effects: &mut Vec<Effect>) {
    let Some(requested) = &state.names.requested else { return };
    let (known, of_items) = KnownNames::of(names, &requested.items, |item| {
        state.list.library.get(item).is_none_or(|photo| !state.is_only_card(photo))
    });
    state.names.known = Some(known);
    // Rows may have other indices.
    state.names.search = Default::default();
    state.list.library.set_names(of_items);
    set_row_settings(state);
    if let Some((scope, resume)) = state.names.waiting_export.take() {
        state.names.are_for_export = true;
        export::start(state, scope, resume, now, effects);
    }
}

/// No names were received.
pub(crate) fn handle_no_names(state: &mut AppState, why: &Unanswered) {
    state.names.requested = None;
    if state.names.waiting_export.take().is_some() {
        let reason = messages::unanswered(why);
        state.dialogs.notices.add(NoticeKind::Error, say!("Nothing was exported: {reason}", reason = reason));
    }
}

/// Stores the rows found for a typed name.
pub(crate) fn handle_rows(state: &mut AppState, typed: String, rows: Vec<usize>) {
    let search = &mut state.names.search;
    (search.request, search.typed, search.rows) = (None, typed, rows);
}

fn edit(state: &mut AppState, item: Option<ItemId>, edits_card: bool, effects: &mut Vec<Effect>) {
    if let Some(item) = item.filter(|item| state.list.library.current != Some(*item)) {
        change_current(state, effects, |state| state.list.library.select(item, SelectHow::Only));
    }
    (state.names.editing, state.names.edits_card) = (item, edits_card);
    state.names.search = Default::default();
}

fn name(state: &mut AppState, item: ItemId, edit: NameEdit) {
    state.names.editing = None;
    let Some(photo) = state.list.library.get_mut(item) else { return };
    photo.edit(|edits| match edit {
        NameEdit::Typed(name) => edits.name = Some(name),
        NameEdit::Row(row) => (edits.name, edits.row) = (None, Some(row)),
        NameEdit::Reset => (edits.name, edits.row) = (None, None),
    });
}

/// Searches rows of the list; supersedes earlier requests.
fn search(state: &mut AppState, typed: String, effects: &mut Vec<Effect>) {
    effects.extend(state.names.search.request.take().map(Effect::Cancel));
    let Some(roster) = state.names.roster().filter(|_| !typed.trim().is_empty()).cloned() else {
        state.names.search = Default::default();
        return;
    };
    effects.push(Effect::send(FilesRequest::FindRows { roster, typed, max: MAX_ROWS }));
}

/// True once names are known for an export. Otherwise they are requested, and the export starts when they have arrived: the
/// list may have changed since it was read.
pub(super) fn are_ready(state: &mut AppState, scope: ExportScope, resume: bool, effects: &mut Vec<Effect>) -> bool {
    let are_fresh = std::mem::take(&mut state.names.are_for_export);
    parse_template(state);
    let wanted = state.names_request();
    if wanted.is_none() || (are_fresh && wanted == state.names.requested) {
        return true;
    }
    state.names.waiting_export = Some((scope, resume));
    send(state, wanted, false, effects);
    false
}

/// Why these photos cannot be exported under the known names.
pub(super) fn refusal(state: &AppState, photos: &[&Photo]) -> Option<String> {
    let names = &state.names;
    if let Some(error) = &names.template_error {
        return Some(say!(
            "the template of the file names is invalid: {reason}",
            reason = messages::template_error(error)
        ));
    }
    let known = names.known.as_ref().filter(|_| names.requested.is_some())?;
    if let (Some(list), Some(spec)) = (&known.list, &state.settings.names.list) {
        let file = spec.file.file_name().unwrap_or(spec.file.as_os_str()).to_string_lossy().into_owned();
        if let Some(fault) = &list.fault {
            let reason = messages::name_list_error(fault);
            return Some(say!("the name list {file} cannot be used: {reason}", file = file, reason = reason));
        }
        if known.matched == 0 {
            return Some(say!(
                "no row of the name list {file} matches a photo; choose another photo column, or remove the list",
                file = file
            ));
        }
    }
    if let Some(photo) = photos.iter().find(|photo| known.unresolved.contains(&photo.id)) {
        return Some(say!(
            "the row assigned to {photo} is no longer in the name list; assign another one with F2",
            photo = photo.name
        ));
    }
    if let Some(row) = known.unknown_presets.first() {
        return Some(say!(
            "row {line} of the name list has the preset “{preset}”, which does not exist",
            line = row.line,
            preset = row.text
        ));
    }
    let missing = state.settings.names.list.as_ref().map(|list| list.missing);
    let unlisted = photos.iter().filter(|photo| photo.naming.as_ref().is_some_and(|naming| naming.lacks_row)).count();
    if missing == Some(Missing::Fail) && unlisted > 0 {
        return Some(count!(unlisted, "{n} photo is not in the name list", "{n} photos are not in the name list"));
    }
    if unlisted == photos.len() && missing == Some(Missing::Skip) {
        return Some(tr("none of the photos is in the name list").to_owned());
    }
    let clashes = clashes(state, photos);
    let fails = state.settings.on_conflict == OnConflict::Fail;
    clashes.first().filter(|_| fails).map(|name| {
        count!(
            clashes.len(),
            "{n} name is shared by several photos: “{name}”",
            "{n} names are shared by several photos, such as “{name}”",
            name = name
        )
    })
}

/// Reports names that several of these photos have.
pub(super) fn report_clashes(state: &mut AppState, photos: &[ItemId]) {
    let of_ids: Vec<&Photo> = photos.iter().filter_map(|id| state.list.library.get(*id)).collect();
    let clashes = clashes(state, &of_ids);
    if let Some(name) = clashes.first() {
        let text = count!(
            clashes.len(),
            "{n} name is shared by several photos: “{name}”. A number is added to the later ones.",
            "{n} names are shared by several photos, such as “{name}”. A number is added to the later ones.",
            name = name
        );
        state.dialogs.notices.add(NoticeKind::Warning, text);
    }
}

/// The names that several of these photos have.
fn clashes(state: &AppState, photos: &[&Photo]) -> Vec<String> {
    let Some(known) = &state.names.known else { return Vec::new() };
    let exported: HashSet<ItemId> =
        photos.iter().filter(|photo| !state.is_only_card(photo)).map(|photo| photo.id).collect();
    let several = known.clashes.iter().filter(|(_, items)| items.iter().filter(|id| exported.contains(id)).count() > 1);
    several.map(|(name, _)| name.display().to_string()).collect()
}

/// True if the photo is left out, since it is not in the list.
pub(super) fn is_skipped(photo: &Photo) -> bool {
    photo.naming.as_ref().is_some_and(|naming| naming.is_skipped)
}
