//! The panels of the window. Each reads the state and collects commands; none changes the state.

mod compare;
mod crop;
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
mod sheet;
mod status;
mod strip;

use egui::{
    CentralPanel, Frame, Id, LayerId, Margin, Order, Panel, Rect, ScrollArea, Stroke, StrokeKind, Ui, UiBuilder, vec2,
};

use super::command::Commands;
use super::input::files_hover;
use super::language::tr;
use super::state::AppState;
use super::textures::Textures;
use super::theme::{CORNER, palette, space};

/// Draws the whole window.
pub(crate) fn window_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    Panel::top("menu").frame(panel_frame(ui, space::XS, 2.0)).show(ui, |ui| menu::menu_ui(ui, state, commands));
    Panel::bottom("status").frame(panel_frame(ui, space::M, 3.0)).show(ui, |ui| status::status_ui(ui, state, commands));
    if let Some(batch) = &state.export.batch {
        Panel::bottom("export")
            .frame(panel_frame(ui, space::M, space::S))
            .show(ui, |ui| export::export_ui(ui, batch, commands));
    }
    Panel::left("library")
        .default_size(248.0)
        .size_range(200.0..=if state.settings.window.grid { 760.0 } else { 420.0 })
        .frame(panel_frame(ui, space::S, space::S))
        .show(ui, |ui| library::library_ui(ui, state, textures, commands));
    if !state.runtime.compare.shown {
        Panel::right("settings")
            .default_size(320.0)
            .size_range(280.0..=460.0)
            .frame(panel_frame(ui, space::M, space::S))
            .show(ui, |ui| settings_ui(ui, state, textures, commands));
    }
    CentralPanel::no_frame().show(ui, |ui| {
        notices::notices_ui(ui, &state.dialogs, commands);
        project::bars_ui(ui, state, commands);
        if state.runtime.compare.shown {
            compare::compare_ui(ui, state, commands);
        } else if state.list.library.is_empty() {
            empty::empty_ui(ui, state, commands);
        } else {
            photo::photo_ui(ui, state, textures, commands);
        }
    });
    pages::pages_ui(ui, state, commands);
    palette::palette_ui(ui, state, commands);
    if files_hover(ui.ctx()) {
        drop_overlay_ui(ui);
    }
}

/// The right panel: the preview on top, the scrolling settings, and the buttons at the bottom.
fn settings_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    // A panel adopts the width of its content and would grow with a long number. A child with a fixed size contains it.
    let space = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(space);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(space));
    ui.shrink_clip_rect(space.expand(space::M));
    let ui = &mut ui;
    Panel::bottom("export-buttons")
        .frame(Frame::NONE.inner_margin(Margin { top: space::S as i8, ..Margin::ZERO }))
        .show(ui, |ui| output::buttons_ui(ui, state, commands));
    preview::preview_ui(ui, state, textures, commands);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = space::XS;
        outputs::outputs_ui(ui, state, commands);
        face::face_ui(ui, state);
        overrides::overrides_ui(ui, state, commands);
        crop::crop_ui(ui, state, commands);
        faces::faces_ui(ui, state, commands);
        finish::finish_ui(ui, state, commands);
        ui.add_space(space::S);
        names::names_ui(ui, state, commands);
        output::output_ui(ui, state, commands);
    });
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
