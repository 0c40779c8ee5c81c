//! Right panel, above the settings: the outputs, and where the active one is written.

use egui::{
    Align, Align2, Layout, Rect, Role, ScrollArea, Sense, TextEdit, TextStyle, Ui, UiBuilder, WidgetInfo, vec2,
};

use recipe::{OutputPlace, Recipe};

use super::super::command::{Command, Commands, OutputCommand};
use super::super::language::{say, tr};
use super::super::messages;
use super::super::state::AppState;
use super::super::theme::{CORNER, ROW, palette, small, space};
use super::super::widgets::{ICON_BUTTON, Icon, elide_middle, failed, field, icon_button, labelled};
use super::presets;

/// Maximum height of the list of presets, in points.
const PRESETS: f32 = 320.0;

pub(super) fn outputs_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            add_ui(ui, state, commands);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.weak(tr("Outputs")));
        });
    });
    let recipe = &state.settings.recipe;
    if state.output_count() > 1 {
        for output in 0..state.output_count() {
            row_ui(ui, state, output, commands);
        }
    }
    if state.output_count() > 1 || recipe.place != OutputPlace::default() {
        place_ui(ui, state, commands);
    }
    if let Err(error) = recipe.check_outputs() {
        failed(ui, messages::capitalized(&messages::variant_error(&error)));
    }
}

/// The button that adds an output, with a copy of the active one or a preset.
fn add_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let is_full = state.settings.recipe.variants.len() >= Recipe::MAX_VARIANTS;
    let menu = ui.add_enabled_ui(!is_full, |ui| {
        ui.menu_button(tr("Add output"), |ui| {
            let mut add = |preset| commands.push(Command::Outputs(OutputCommand::Add(preset)));
            if ui.button(tr("Same settings")).clicked() {
                add(None);
            }
            ui.separator();
            ScrollArea::vertical().max_height(PRESETS).show(ui, |ui| {
                if let Some(id) = presets::list_ui(ui, state, None) {
                    add(Some(id));
                    ui.close();
                }
            });
        })
    });
    let about = tr("Writes a further crop of each face, with its own size, format and folder");
    menu.inner.response.on_hover_text(about);
}

/// One output: its name, size and format; a click makes it the active one.
fn row_ui(ui: &mut Ui, state: &AppState, output: usize, commands: &mut Commands) {
    let is_active = output == state.active_output();
    let preset = state.shared_preset_of(output).map(messages::preset_name);
    let name = messages::output_name(state.place_of(output), preset.clone());
    let size = state.shared_size_of(output).map_or_else(|| tr("Original size").to_owned(), |size| size.to_string());
    let detail = format!("{size}, {}", state.encode_of(output).format.name());
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.widget_info(|| {
        let text = say!("Output {number}: {name}, {detail}", number = output + 1, name = name, detail = detail);
        WidgetInfo::selected(Role::RadioButton, true, is_active, text)
    });
    if response.clicked() {
        commands.push(Command::Outputs(OutputCommand::Activate(output)));
    }
    let visuals = ui.style().interact_selectable(&response, is_active);
    if is_active || response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, CORNER, visuals.weak_bg_fill);
    }
    let right = rect.right() - ICON_BUTTON - space::XS;
    let weak = ui.visuals().weak_text_color();
    let anchor = egui::pos2(right, rect.center().y);
    let detail = ui.painter().text(
        anchor,
        Align2::RIGHT_CENTER,
        detail,
        small(),
        if is_active { visuals.text_color() } else { weak },
    );
    let left = rect.left() + space::S;
    let font = TextStyle::Body.resolve(ui.style());
    let shown = elide_middle(ui, &name, &font, (detail.left() - space::S - left).max(0.0));
    ui.painter().text(egui::pos2(left, rect.center().y), Align2::LEFT_CENTER, shown, font, visuals.text_color());
    response.on_hover_text(preset.unwrap_or_else(|| tr("Custom").to_owned()));
    let button = Rect::from_min_max(egui::pos2(right, rect.top()), rect.max);
    let layout = Layout::left_to_right(Align::Center);
    let child = &mut ui.new_child(UiBuilder::new().max_rect(button).layout(layout));
    remove_ui(child, state, output, commands);
}

fn remove_ui(ui: &mut Ui, state: &AppState, output: usize, commands: &mut Commands) {
    // The overrides of photos are those of the first output, and would not fit the next one.
    let has_overrides = || state.list.library.photos().iter().any(|photo| photo.edits().overrides.is_some());
    let enabled = output > 0 || !has_overrides();
    let response = icon_button(ui, enabled, Icon::Close, &say!("Remove output {number}", number = output + 1));
    let response = response.on_disabled_hover_text(tr("Photos have custom settings for this output"));
    if enabled && response.clicked() {
        commands.push(Command::Outputs(OutputCommand::Remove(output)));
    }
}

/// Folder and name suffix of the active output.
fn place_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let old = state.place_of(state.active_output());
    let mut place = old.clone();
    let line = match old.check() {
        Ok(()) => palette(ui).line,
        Err(_) => palette(ui).error,
    };
    for (label, text, about) in [
        (tr("Subfolder"), &mut place.folder, tr("Folder of this output, below the output folder")),
        (tr("Name suffix"), &mut place.suffix, tr("Text at the end of each name of this output")),
    ] {
        labelled(ui, label, |ui| {
            let edit = TextEdit::singleline(text).desired_width(ui.available_width() - 2.0 * space::XS);
            field(ui, edit, label, line).on_hover_text(about);
        });
    }
    if place != *old {
        commands.push(Command::Outputs(OutputCommand::SetPlace(place)));
    }
}
