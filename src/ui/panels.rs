//! The panels of the window. Each reads the state and collects commands; none changes the state.

mod camera;
mod compare;
mod crop;
mod dialog_open;
mod empty;
mod export;
mod face;
mod faces;
mod files;
mod finish;
mod frame;
mod library;
mod menu;
mod model;
mod names;
mod notices;
mod output;
mod outputs;
mod overrides;
mod package;
mod page_height;
mod pages;
mod palette;
mod paths;
mod photo;
mod presets;
mod preview;
mod project;
mod runtime;
mod runtimes;
mod settings;
mod sheet;
mod sides;
mod status;
mod strip;

use egui::{CentralPanel, Frame, Id, LayerId, Margin, Order, Panel, Rect, Stroke, StrokeKind, Ui, vec2};

use super::command::Commands;
use super::input::files_hover;
use super::language::tr;
use super::state::AppState;
use super::textures::Textures;
use super::theme::{CORNER, palette, space};
use super::widgets::{Area, area};

/// Draws the whole window.
pub(crate) fn window_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    Panel::top("menu")
        .frame(panel_frame(ui, space::XS, 2.0))
        .show(ui, |ui| area(ui, Area::Menu, tr("Menu bar"), |ui| menu::menu_ui(ui, state, commands)));
    Panel::bottom("status")
        .frame(panel_frame(ui, space::M, 3.0))
        .show(ui, |ui| area(ui, Area::Status, tr("Status"), |ui| status::status_ui(ui, state, commands)));
    if let Some(batch) = &state.export.batch {
        Panel::bottom("export")
            .frame(panel_frame(ui, space::M, space::S))
            .show(ui, |ui| area(ui, Area::Export, tr("Export progress"), |ui| export::export_ui(ui, batch, commands)));
    }
    sides::sides_ui(ui, state, textures, commands);
    CentralPanel::no_frame().show(ui, |ui| {
        area(ui, Area::Photo, tr("Current photo"), |ui| {
            notices::notices_ui(ui, state, commands);
            if state.camera.shown {
                camera::camera_ui(ui, state, textures, commands);
            } else if state.runtime.compare.shown {
                compare::compare_ui(ui, state, commands);
            } else if state.list.library.is_empty() {
                empty::empty_ui(ui, state, commands);
            } else {
                photo::photo_ui(ui, state, textures, commands);
            }
        });
    });
    pages::pages_ui(ui, state, commands);
    palette::palette_ui(ui, state, commands);
    dialog_open::dialog_open_ui(ui, state, commands);
    if files_hover(ui.ctx()) {
        drop_overlay_ui(ui);
    }
}

fn panel_frame(ui: &Ui, across: f32, down: f32) -> Frame {
    Frame::NONE.fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(across as i8, down as i8))
}

fn drop_overlay_ui(ui: &Ui) {
    let palette = palette(ui);
    let window = ui.ctx().content_rect();
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("drop")));
    painter.rect_filled(window, 0.0, palette.drop_veil);
    painter.rect_stroke(window.shrink(space::M), CORNER, Stroke::new(2.0, palette.accent), StrokeKind::Inside);
    let heading = egui::TextStyle::Heading.resolve(ui.style());
    let color = ui.visuals().strong_text_color();
    let galley = painter.layout_no_wrap(tr("Drop to add").to_owned(), heading, color);
    let card = Rect::from_center_size(window.center(), galley.size() + vec2(64.0, 40.0));
    painter.rect_filled(card, CORNER, ui.visuals().window_fill);
    painter.galley(card.center() - galley.size() / 2.0, galley, color);
}
