//! Right panel: the preset, its description, and saving presets.

use batch::settings::Settings;
use egui::{Button, ComboBox, Id, RichText, TextEdit, Ui, vec2};

use recipe::{DocumentRules, Preset, PresetGroup};

use super::super::command::{Command, Commands};
use super::super::dialogs::PickerKind;
use super::super::language::{mark, say, tr};
use super::super::messages;
use super::super::state::AppState;
use super::super::theme::{ROW, palette};
use super::super::widgets::{field, labelled, mark_chosen, note, warned};

/// Width of the button that opens the menu, in points.
const MENU: f32 = 36.0;

/// Maximum share of the window's height for the list of presets.
const MAX_OF_WINDOW: f32 = 0.6;

/// About presets with numbers that are not from the receiver.
const UNOFFICIAL: &str = mark("Unofficial: not all numbers are from the issuing authority or receiver.");

/// Purpose of the name field.
#[derive(Clone, Debug, PartialEq)]
enum Naming {
    /// Save the current framing under the name.
    New,
    /// Rename the preset with this id.
    Rename(String),
}

pub(super) fn presets_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let current = state.current_preset();
    let shown = current.map_or_else(|| tr("Custom").to_owned(), messages::preset_name);
    ui.horizontal(|ui| {
        // Names of documents are long: they have the width of the panel, and a second line if they need it.
        let width = ui.available_width() - MENU - ui.spacing().item_spacing.x;
        let height = ui.spacing().combo_height.min(ui.ctx().content_rect().height() * MAX_OF_WINDOW);
        ui.allocate_ui(vec2(width, ROW), |ui| {
            let list = ComboBox::from_id_salt("preset").selected_text(&shown).width(width).height(height).wrap();
            let list = list.show_ui(ui, |ui| {
                commands.extend(list_ui(ui, state, current).map(Command::ChoosePreset));
            });
            let about = current.map(about).filter(|about| !about.is_empty());
            list.response.on_hover_text(about.as_ref().unwrap_or(&shown)).accessible_name(tr("Preset"));
        });
        let menu = ui.menu_button("…", |ui| menu_ui(ui, &state.settings, current, commands));
        menu.response.on_hover_text(tr("Manage presets")).accessible_name(tr("Manage presets"));
    });
    naming_ui(ui, commands);
    if let Some(rules) = &state.crop_spec().rules {
        let from = current.or_else(|| state.presets().find(|preset| Some(&preset.name) == rules.name.as_ref()));
        ui.scope(|ui| rules_ui(ui, rules, from, current.is_none()));
    }
}

/// The presets by group; returns the id of the clicked one.
pub(super) fn list_ui(ui: &mut Ui, state: &AppState, current: Option<&Preset>) -> Option<String> {
    let mut clicked = None;
    let groups = [
        (PresetGroup::Portrait, tr("Portraits")),
        (PresetGroup::Profile, tr("Profile pictures")),
        (PresetGroup::Document, tr("Documents")),
        (PresetGroup::Directory, tr("Directories and HR")),
        (PresetGroup::Badge, tr("Yearbooks and badges")),
        (PresetGroup::Custom, tr("User presets")),
    ];
    for (group, title) in groups {
        let mut presets = state.presets().filter(|preset| preset.group == group).peekable();
        if presets.peek().is_none() {
            continue;
        }
        ui.label(RichText::new(title).weak().small());
        for preset in presets {
            let chosen = current.is_some_and(|current| current.id == preset.id);
            let name = messages::preset_name(preset);
            let mut button = Button::selectable(chosen, &name);
            if preset.check_before_use {
                button = button.right_text(RichText::new(tr("unofficial")).weak().small());
            }
            let response = ui.add(button).accessible_name(&name);
            mark_chosen(ui, &response, chosen);
            if response.clicked() {
                clicked = Some(preset.id.clone());
                ui.close();
            }
            let about = about(preset);
            if !about.is_empty() {
                response.on_hover_text(about);
            }
        }
    }
    clicked
}

fn about(preset: &Preset) -> String {
    let source = preset.source.as_ref().map(|source| say!("Source: {source}", source = source));
    let check = preset.check_before_use.then(|| tr(UNOFFICIAL).to_owned());
    let about = (!preset.description.is_empty()).then(|| messages::about_preset(preset));
    [about, source, check].into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn menu_ui(ui: &mut Ui, settings: &Settings, current: Option<&Preset>, commands: &mut Commands) {
    let own = current.filter(|preset| preset.group == PresetGroup::Custom);
    let entry = |ui: &mut Ui, enabled: bool, text: &str| {
        let clicked = ui.add_enabled(enabled, Button::new(text)).clicked();
        if clicked {
            ui.close();
        }
        clicked
    };
    if entry(ui, true, tr("Save as preset…")) {
        start_naming(ui, Naming::New, "");
    }
    if entry(ui, current.is_some(), tr("Duplicate")) {
        commands.extend(current.map(|preset| Command::DuplicatePreset(preset.id.clone())));
    }
    if entry(ui, own.is_some(), tr("Rename…"))
        && let Some(preset) = own
    {
        start_naming(ui, Naming::Rename(preset.id.clone()), &preset.name);
    }
    if entry(ui, own.is_some(), tr("Delete")) {
        commands.extend(own.map(|preset| Command::DeletePreset(preset.id.clone())));
    }
    ui.separator();
    if entry(ui, current.is_some(), tr("Export this preset…")) {
        commands.extend(current.map(|preset| Command::ExportPresets(vec![preset.id.clone()])));
    }
    if entry(ui, !settings.presets.is_empty(), tr("Export user presets…")) {
        let all = settings.presets.iter().map(|preset| preset.id.clone()).collect();
        commands.push(Command::ExportPresets(all));
    }
    if entry(ui, true, tr("Import presets…")) {
        commands.push(Command::Pick(PickerKind::ImportPresets));
    }
}

fn naming_id() -> Id {
    Id::unique("preset-naming")
}

fn start_naming(ui: &Ui, naming: Naming, name: &str) {
    // The flag is true until the field has the focus.
    ui.data_mut(|data| data.insert_temp(naming_id(), Some((naming, name.to_owned(), true))));
}

/// Field for a preset's name, while one is requested.
fn naming_ui(ui: &mut Ui, commands: &mut Commands) {
    let state: Option<Option<(Naming, String, bool)>> = ui.data(|data| data.get_temp(naming_id()));
    let Some((naming, mut name, new)) = state.flatten() else { return };
    let (mut keep, mut close) = (false, false);
    labelled(ui, tr("Name"), |ui| {
        let line = palette(ui).line;
        let width = ui.available_width() - 116.0;
        let response = field(ui, TextEdit::singleline(&mut name).desired_width(width), tr("Name of the preset"), line);
        if new {
            response.request_focus();
        }
        let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let named = !name.trim().is_empty();
        let clicked = ui.add_enabled(named, Button::new(tr("Save"))).clicked();
        keep = named && (clicked || enter);
        close = ui.button(tr("Cancel")).clicked() || ui.input(|input| input.key_pressed(egui::Key::Escape));
    });
    if keep {
        let name = name.trim().to_owned();
        commands.push(match &naming {
            Naming::New => Command::SavePreset(name),
            Naming::Rename(id) => Command::RenamePreset { id: id.clone(), name },
        });
    }
    let still = (!keep && !close).then_some((naming, name, false));
    ui.data_mut(|data| data.insert_temp(naming_id(), still));
}

/// The rules of a document, directory or service, and their source.
fn rules_ui(ui: &mut Ui, rules: &DocumentRules, preset: Option<&Preset>, changed: bool) {
    ui.spacing_mut().item_spacing.y = 2.0;
    if changed && let Some(name) = &rules.name {
        note(ui, say!("Rules: {document}", document = messages::document_name(name)));
    }
    if preset.is_some_and(|preset| preset.check_before_use) {
        warned(ui, tr("Unofficial: check the rules")).on_hover_text(tr(UNOFFICIAL));
    }
    let demands = messages::demands(rules);
    if !demands.is_empty() {
        note(ui, say!("Requires: {demands}", demands = demands.join("; ")));
    }
}
