//! Shown in the middle while there are no photos.

use std::path::Path;

use egui::{Align, Layout, RichText, TextStyle, Ui, Vec2};

use super::super::command::{Command, Commands, ProjectCommand};
use super::super::dialogs::PickerKind;
use super::super::language::tr;
use super::super::state::AppState;
use super::super::theme::{palette, space};
use super::super::widgets::{elide_middle, primary_button, spinner, wide_button};

/// Width of the column, in points.
const WIDTH: f32 = 320.0;

/// Maximum number of recent folders, and of recent projects; the menu has all.
const RECENT: usize = 3;

pub(super) fn empty_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let space = ui.available_rect_before_wrap();
    ui.painter().rect_filled(space, 0.0, palette(ui).canvas);
    let recent = &state.settings.recent;
    let rows = recent.projects.len().min(RECENT) + recent.folders.len().min(RECENT);
    let height = 230.0 + if rows == 0 { 0.0 } else { 30.0 + 22.0 * rows as f32 };
    let size = Vec2::new(WIDTH.min(space.width() - space::L), height.min(space.height()));
    let column = egui::Rect::from_center_size(space.center(), size);
    let layout = Layout::top_down(Align::Center);
    let ui = &mut ui.new_child(egui::UiBuilder::new().max_rect(column).layout(layout));
    if state.importing() || state.list.project.opening.is_some() {
        spinner(ui, 28.0);
        ui.label(tr("Searching for photos"));
        return;
    }
    if state.without_drops {
        ui.heading(tr("Add photos or folders"));
    } else {
        ui.heading(tr("Drop photos or folders here"));
    }
    ui.label(RichText::new(tr("Original photos are never modified.")).weak());
    ui.add_space(space::S);
    let width = ui.available_width();
    if primary_button(ui, true, tr("Add files…"), width).clicked() {
        commands.push(Command::Pick(PickerKind::Files));
    }
    if wide_button(ui, true, tr("Add folder…"), width).clicked() {
        commands.push(Command::Pick(PickerKind::Folder));
    }
    if let Some(samples) = &state.list.samples
        && wide_button(ui, true, tr("Try sample photos"), width).clicked()
    {
        commands.push(Command::Import(vec![samples.clone()]));
    }
    ui.add_space(space::XS);
    let paste = if state.without_drops {
        tr(
            "Files cannot be dropped here on Wayland. Paste copied files or an image, or restart with View > Display > X11.",
        )
    } else {
        tr("Or paste copied files or an image.")
    };
    ui.label(RichText::new(paste).weak().small());
    if rows > 0 {
        ui.add_space(space::S);
        ui.label(RichText::new(tr("Recent")).weak().small());
    }
    for path in recent.projects.iter().take(RECENT) {
        if link_ui(ui, path, width) {
            commands.push(Command::Project(ProjectCommand::Open(path.clone())));
        }
    }
    for path in recent.folders.iter().take(RECENT) {
        if link_ui(ui, path, width) {
            commands.push(Command::Import(vec![path.clone()]));
        }
    }
}

fn link_ui(ui: &mut Ui, path: &Path, width: f32) -> bool {
    let whole = path.display().to_string();
    let text = elide_middle(ui, &whole, &TextStyle::Body.resolve(ui.style()), width);
    ui.link(text).on_hover_text(whole).clicked()
}
