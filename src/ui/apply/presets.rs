//! Choosing and saving presets.

use std::path::PathBuf;

use batch::worker::{FilesRequest, TextError};
use recipe::{
    FinishSpec, MAX_PRESET_FILE_BYTES, OutputFormat, Overrides, Preset, presets_from_toml, presets_to_toml, unused_id,
};

use super::super::command::Effect;
use super::super::language::{count, say};
use super::super::messages;
use super::super::state::{AppState, NoticeKind, SavedText};
use super::save_text;

/// Applies the preset's framing, rules and file options. Presets with rules against alterations reset the finish.
pub(super) fn choose(state: &mut AppState, id: &str) {
    let Some(preset) = state.presets().find(|preset| preset.id == id).cloned() else { return };
    if let Some(photo) = super::edits::customized_photo(state) {
        // File options are shared by all files of an export.
        return photo.edit(|edits| edits.overrides.iter_mut().for_each(|own| adopt(own, &preset)));
    }
    let settings = &mut state.settings;
    let limit_before = settings.recipe.crop.rules.as_ref().and_then(|rules| rules.max_kilobytes);
    preset.apply_to(&mut settings.recipe.crop);
    let (hints, encode) = (preset.file_hints(), &mut settings.recipe.encode);
    if let Some(dpi) = hints.dpi {
        encode.dpi = dpi;
    }
    // A size limit goes with the preset that set it; the user's own limit stays.
    if hints.max_kilobytes.is_some() || encode.max_kilobytes == limit_before {
        encode.max_kilobytes = hints.max_kilobytes;
    }
    if hints.jpeg_only {
        encode.format = OutputFormat::Jpeg;
    }
    if settings.recipe.finish.check(settings.recipe.crop.rules.as_ref()).is_err() {
        settings.recipe.finish = FinishSpec::default();
    }
    state.export.preset = Some(preset.id);
}

fn adopt(own: &mut Overrides, preset: &Preset) {
    preset.apply_to(&mut own.crop);
    if own.finish.check(own.crop.rules.as_ref()).is_err() {
        own.finish = FinishSpec::default();
    }
    own.preset = Some(preset.id.clone());
}

/// Saves the current framing under `name`, as a printed size if it came from a printed preset.
pub(super) fn save(state: &mut AppState, name: &str) {
    let dpi = state.current_preset().and_then(|preset| preset.size.dpi()).or_else(|| {
        let printed = state.crop_spec().rules.as_ref().is_some_and(|rules| rules.mm.is_some());
        printed.then_some(state.settings.recipe.encode.dpi)
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
            state.export.preset = Some(preset.id.clone());
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
    state.dialogs.saved = SavedText::Presets;
    effects.push(save_text(path, "toml", presets_to_toml(&presets), confirmed));
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
