//! Choosing and saving presets.

use std::path::PathBuf;

use batch::worker::{FilesRequest, TextError};
use recipe::{
    FinishSpec, MAX_PRESET_FILE_BYTES, Overrides, Preset, Variant, presets_from_toml, presets_to_toml, unused_id,
};

use super::super::command::Effect;
use super::super::language::{count, say};
use super::super::messages;
use super::super::state::{AppState, NoticeKind, OutputMut, SavedText};
use super::outputs::{is_named_after, unused_folder};
use super::save_text;

/// Applies the preset's size, framing, rules and file options to the active output. Presets with rules against alterations
/// reset the finish. A folder named after the last preset is named after this one.
pub(super) fn choose(state: &mut AppState, id: &str) {
    let Some(preset) = state.presets().find(|preset| preset.id == id).cloned() else { return };
    if let Some(photo) = super::edits::customized_photo(state) {
        // The export applies the rules for the file to the shared options.
        return photo.edit(|edits| edits.overrides.iter_mut().for_each(|own| adopt(own, &preset)));
    }
    let OutputMut { crop, finish, encode, .. } = state.output_mut();
    preset.apply_to_file(encode, crop);
    preset.apply_to(crop);
    crop.original_size = false;
    if finish.check(crop.rules.as_ref()).is_err() {
        *finish = FinishSpec::default();
    }
    let is_named = |variant: &Variant| {
        let folder = &variant.place.folder;
        variant.preset.as_ref().is_some_and(|last| *last != preset.id && is_named_after(folder, last))
    };
    if state.active_variant().is_some_and(is_named) {
        state.output_mut().place.folder = unused_folder(&state.settings.recipe, &preset.id);
    }
    state.set_chosen_preset(preset.id);
}

pub(super) fn adopt(own: &mut Overrides, preset: &Preset) {
    preset.apply_to(&mut own.crop);
    own.crop.original_size = false;
    if own.finish.check(own.crop.rules.as_ref()).is_err() {
        own.finish = FinishSpec::default();
    }
    own.preset = Some(preset.id.clone());
}

/// Saves the current framing under `name`, as a printed size if it came from a printed preset.
pub(super) fn save(state: &mut AppState, name: &str) {
    let dpi = state.current_preset().and_then(|preset| preset.size.dpi()).or_else(|| {
        let printed = state.crop_spec().rules.as_ref().is_some_and(|rules| rules.mm.is_some());
        printed.then_some(state.encode().dpi)
    });
    let mut preset = Preset::from_spec(name, state.crop_spec(), dpi);
    preset.id = unused_id(name, &state.settings.presets);
    add(state, preset);
}

pub(super) fn duplicate(state: &mut AppState, id: &str) {
    let copy = state.presets().find(|preset| preset.id == id).map(|preset| preset.duplicate(&state.settings.presets));
    if let Some(copy) = copy {
        add(state, copy);
    }
}

pub(super) fn rename(state: &mut AppState, id: &str, name: &str) {
    let Some(preset) = state.settings.presets.iter_mut().find(|preset| preset.id == id) else { return };
    let renamed = preset.renamed(name);
    match renamed.check() {
        Ok(()) => *preset = renamed,
        Err(fault) => state.dialogs.notices.add(
            NoticeKind::Warning,
            say!("Could not rename the preset: {reason}", reason = messages::preset_fault(&fault)),
        ),
    }
}

fn add(state: &mut AppState, preset: Preset) {
    match preset.check() {
        Ok(()) => {
            state.set_chosen_preset(preset.id.clone());
            state.settings.presets.push(preset);
        }
        Err(fault) => state.dialogs.notices.add(
            NoticeKind::Warning,
            say!("Could not save the preset: {reason}", reason = messages::preset_fault(&fault)),
        ),
    }
}

/// Writes the presets that wait for a file name to the picked file.
pub(super) fn export(state: &mut AppState, path: PathBuf, confirmed: bool, effects: &mut Vec<Effect>) {
    let ids = std::mem::take(&mut state.dialogs.presets_to_export);
    let presets: Vec<Preset> = state.presets().filter(|preset| ids.contains(&preset.id)).cloned().collect();
    if presets.is_empty() {
        return;
    }
    let text = presets_to_toml(&presets);
    effects.push(save_text(state, SavedText::Presets, path, "toml", text, confirmed));
}

pub(super) fn load(path: PathBuf, effects: &mut Vec<Effect>) {
    effects.push(Effect::send(FilesRequest::LoadText { path, max_bytes: MAX_PRESET_FILE_BYTES }));
}

/// Imports the presets of a file; those with the same id are replaced.
pub(crate) fn handle_loaded_presets(state: &mut AppState, loaded: Result<String, TextError>) {
    let text = loaded.map_err(|error| messages::text_error(&error));
    let read = text.and_then(|text| presets_from_toml(&text).map_err(|error| messages::preset_error(&error)));
    let presets = match read {
        Ok(presets) => presets,
        Err(reason) => {
            state.dialogs.notices.add(NoticeKind::Error, say!("No presets were imported: {reason}", reason = reason));
            return;
        }
    };
    let count = presets.len();
    let names: Vec<String> = presets.iter().map(|preset| preset.name.clone()).collect();
    for preset in presets {
        let own = preset.imported(&state.settings.presets);
        state.settings.presets.push(own);
    }
    let names = messages::listed(&names);
    let text = count!(count, "{n} preset imported: {names}", "{n} presets imported: {names}", names = names);
    state.dialogs.notices.add(NoticeKind::Info, text);
}
