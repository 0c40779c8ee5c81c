//! The panels on the left and on the right of the photo: open, or folded to a strip with a button.

use std::ops::RangeInclusive;

use egui::{Panel, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use super::super::command::{Command, Commands};
use super::super::language::tr;
use super::super::state::{AppState, Foldable};
use super::super::textures::Textures;
use super::super::theme::{CORNER, space};
use super::super::widgets::{Area, ICON_BUTTON, Icon, area, icon_button, paint_icon};
use super::{library, panel_frame, settings};

/// Width of a folded panel, in points.
const STRIP: f32 = 28.0;

/// Minimum width of the photo between two open panels, in points: in a narrower window only one is open.
const MIN_PHOTO: f32 = 260.0;

/// Minimum widths of the panels, in points.
const MIN_LIST: f32 = 200.0;
const MIN_SETTINGS: f32 = 280.0;

/// Maximum widths of the panels, in points. The list may take half of the window, the contact sheet what the photo leaves.
const MAX_LIST: f32 = 420.0;
const MAX_SETTINGS: f32 = 460.0;

/// Draws both panels, or only the list while runtimes are compared.
pub(super) fn sides_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    let width = ui.available_width();
    let compares = state.runtime.compare.shown;
    let has_room = compares || width >= MIN_LIST + MIN_PHOTO + MIN_SETTINGS;
    if has_room != state.has_room_for_sides {
        commands.push(Command::NoteRoom(has_room));
    }
    let shows_settings = state.shows_side(Foldable::Settings) && !compares;
    let window = state.settings.window;
    if state.shows_side(Foldable::List) {
        let other = if shows_settings { MIN_SETTINGS } else { STRIP };
        let (id, kept, max) = match window.grid {
            true => ("contact-sheet", window.grid_width, f32::INFINITY),
            false => ("library", window.list_width, MAX_LIST.max(width / 2.0)),
        };
        let range = MIN_LIST..=max.min(width - other - MIN_PHOTO).max(MIN_LIST);
        let panel = Panel::left(id)
            .default_size(kept)
            .size_range(range.clone())
            .frame(panel_frame(ui, space::S, space::S))
            .show(ui, |ui| area(ui, Area::List, tr("Photos"), |ui| library::library_ui(ui, state, textures, commands)));
        commands.extend(dragged_to(ui, panel.response.rect, kept, &range).map(Command::SetListWidth));
    } else {
        let strip = Panel::left("library-strip").exact_size(STRIP).frame(panel_frame(ui, 0.0, space::XS));
        strip
            .resizable(false)
            .show(ui, |ui| area(ui, Area::List, tr("Photos"), |ui| strip_ui(ui, Foldable::List, commands)));
    }
    if shows_settings {
        let range = MIN_SETTINGS..=MAX_SETTINGS.min(ui.available_width() - MIN_PHOTO).max(MIN_SETTINGS);
        let panel = Panel::right("settings")
            .default_size(window.settings_width)
            .size_range(range.clone())
            .frame(panel_frame(ui, space::M, space::S))
            .show(ui, |ui| {
                area(ui, Area::Settings, tr("Settings"), |ui| settings::settings_ui(ui, state, textures, commands));
            });
        let dragged = dragged_to(ui, panel.response.rect, window.settings_width, &range);
        commands.extend(dragged.map(Command::SetSettingsWidth));
    } else if !compares {
        let strip = Panel::right("settings-strip").exact_size(STRIP).frame(panel_frame(ui, 0.0, space::XS));
        strip
            .resizable(false)
            .show(ui, |ui| area(ui, Area::Settings, tr("Settings"), |ui| strip_ui(ui, Foldable::Settings, commands)));
    }
}

/// The width of a panel if the user is changing it from `kept`. That of a window too narrow for it is not kept.
fn dragged_to(ui: &Ui, panel: Rect, kept: f32, range: &RangeInclusive<f32>) -> Option<f32> {
    let width = panel.width().round();
    let is_dragged = (width - kept.clamp(*range.start(), *range.end())).abs() > 1.0;
    (ui.input(|input| input.pointer.primary_down()) && is_dragged).then_some(width)
}

/// A folded panel: a click anywhere opens it.
fn strip_ui(ui: &mut Ui, panel: Foldable, commands: &mut Commands) {
    let (name, icon) = match panel {
        Foldable::List => (tr("Show list"), Icon::Next),
        Foldable::Settings | Foldable::Preview => (tr("Show settings"), Icon::Previous),
    };
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let visuals = *ui.style().interact(&response);
    if response.hovered() || response.has_focus() {
        ui.painter().rect(rect.shrink(2.0), CORNER, visuals.weak_bg_fill, visuals.bg_stroke, egui::StrokeKind::Inside);
    }
    let top = Rect::from_min_size(rect.min, vec2(rect.width(), ICON_BUTTON));
    paint_icon(ui.painter(), top.center(), icon, visuals.fg_stroke.color);
    if response.on_hover_text(name).clicked() {
        commands.push(Command::Fold(panel, false));
    }
}

/// The button that folds an open panel.
pub(super) fn fold_button(ui: &mut Ui, panel: Foldable, commands: &mut Commands) {
    let (name, icon) = match panel {
        Foldable::List => (tr("Hide list"), Icon::Previous),
        Foldable::Settings | Foldable::Preview => (tr("Hide settings"), Icon::Next),
    };
    if icon_button(ui, true, icon, name).clicked() {
        commands.push(Command::Fold(panel, true));
    }
}
