//! Adding, removing and editing outputs.

use recipe::{EncodeSpecError, OutputPlace, Recipe, SpecError, Variant, VariantError};

use super::super::command::OutputCommand;
use super::super::messages;
use super::super::state::AppState;
use super::presets;

pub(super) fn apply_command(state: &mut AppState, command: OutputCommand) {
    match command {
        OutputCommand::Activate(output) => state.export.active_output = output,
        OutputCommand::Add(preset) => add(state, preset.as_deref()),
        OutputCommand::Remove(output) => remove(state, output),
        OutputCommand::SetPlace(place) => *state.output_mut().place = place,
        OutputCommand::SetPackage(package) => *state.output_mut().package = package,
    }
}

/// Adds a copy of the active output, applies the preset, and makes it the active one.
fn add(state: &mut AppState, preset: Option<&str>) {
    if state.settings.recipe.variants.len() >= Recipe::MAX_VARIANTS {
        return;
    }
    let active = state.active_output();
    let copied = state.shared_preset_of(active).map(|preset| preset.id.clone());
    let Some(output) = state.settings.recipe.outputs().nth(active) else { return };
    let name = preset.or(copied.as_deref()).unwrap_or("output").to_owned();
    let place = OutputPlace { folder: unused_folder(&state.settings.recipe, &name), suffix: String::new() };
    let copied = copied.filter(|_| preset.is_none());
    state.settings.recipe.variants.push(Variant { preset: copied, place, ..output });
    state.export.active_output = state.settings.recipe.variants.len();
    if let Some(id) = preset {
        presets::choose(state, id);
    }
}

/// Removes an output. The settings of a variant that becomes the first output stay, apart from its face selection.
fn remove(state: &mut AppState, output: usize) {
    let recipe = &mut state.settings.recipe;
    let outputs: Vec<Variant> = recipe.outputs().collect();
    if outputs.len() < 2 || output >= outputs.len() {
        return;
    }
    let active = state.export.active_output;
    match output.checked_sub(1) {
        Some(variant) => _ = recipe.variants.remove(variant),
        None => {
            recipe.variants.remove(0);
            let Variant { preset, place, crop, finish, encode, sheet, package } = outputs[1].clone();
            *recipe = Recipe { place, crop, finish, encode, sheet, package, ..recipe.clone() };
            state.export.preset = preset;
        }
    }
    state.export.active_output = if active > output { active - 1 } else { active };
}

/// A folder named `name`, with a number if another output has it.
pub(super) fn unused_folder(recipe: &Recipe, name: &str) -> String {
    let taken: Vec<String> = recipe.outputs().map(|output| output.place.folder.to_lowercase()).collect();
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut folders = std::iter::once(name.to_owned()).chain(numbered);
    folders.find(|folder| !taken.contains(&folder.to_lowercase())).unwrap_or_default()
}

/// True for a folder that [`unused_folder`] gave to an output with this preset.
pub(super) fn is_named_after(folder: &str, preset: &str) -> bool {
    let number = folder.strip_prefix(preset).map(|rest| rest.strip_prefix('-').unwrap_or(rest));
    number.is_some_and(|number| number.chars().all(|digit| digit.is_ascii_digit()))
}

/// Why a recipe cannot be exported.
pub(super) struct Fault {
    /// Index of the output; `None` if several are concerned.
    pub(super) output: Option<usize>,
    pub(super) reason: String,
}

/// Checks every output.
pub(super) fn check(recipe: &Recipe) -> Result<(), Fault> {
    for (index, output) in recipe.outputs().enumerate() {
        let spec_error = |error: SpecError| messages::spec_error(&error);
        let encode_error = |error: EncodeSpecError| messages::encode_spec_error(&error);
        let framed = output.crop.check().and_then(|()| output.finish.check(output.crop.rules.as_ref()));
        framed
            .map_err(spec_error)
            .and_then(|()| output.encode.check().map_err(encode_error))
            .map_err(|reason| Fault { output: Some(index), reason })?;
    }
    let fault = |error: VariantError| Fault { output: None, reason: messages::variant_error(&error) };
    recipe.check_outputs().map_err(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_follows_its_preset_until_it_is_renamed() {
        let place = |folder: &str| OutputPlace { folder: folder.to_owned(), suffix: String::new() };
        let variants = vec![Variant { place: place("Avatar"), ..Variant::default() }];
        let recipe = Recipe { variants, ..Recipe::default() };
        assert_eq!(unused_folder(&recipe, "avatar"), "avatar-2");
        assert_eq!(unused_folder(&recipe, "github"), "github");
        assert!(is_named_after("avatar", "avatar") && is_named_after("avatar-2", "avatar"));
        assert!(!is_named_after("avatar-small", "avatar") && !is_named_after("pictures", "avatar"));
    }
}
