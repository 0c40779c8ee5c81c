//! The right panel: the preview on top, the scrolling settings, and at the bottom what is always in sight: where the crops
//! are written, and the buttons that write them.

use egui::{Align, Frame, Layout, Margin, Panel, ScrollArea, Ui, UiBuilder};

use super::super::command::{Command, Commands};
use super::super::language::tr;
use super::super::state::{AppState, Foldable};
use super::super::textures::Textures;
use super::super::theme::space;
use super::super::widgets::{Area, fold_title, landing};
use super::{crop, face, faces, finish, names, output, outputs, overrides, preview, sides};

pub(super) fn settings_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    // A panel adopts the width of its content and would grow with a long number. A child with a fixed size contains it.
    let space = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(space);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(space));
    ui.shrink_clip_rect(space.expand(space::M));
    let ui = &mut ui;
    Panel::bottom("export-buttons")
        .frame(Frame::NONE.inner_margin(Margin { top: space::S as i8, ..Margin::ZERO }))
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = space::XS;
            output::target_ui(ui, state, commands);
            ui.add_space(space::XS);
            output::buttons_ui(ui, state, commands);
        });
    ui.spacing_mut().item_spacing.y = space::XS;
    let height = preview::height(ui.available_height(), state.output_count() > 1);
    let folded = state.is_folded(Foldable::Preview);
    head_ui(ui, state, height.map(|_| folded), commands);
    match height {
        Some(height) if !folded => preview::preview_ui(ui, height, state, textures, commands),
        Some(_) => preview::line_ui(ui, state, commands),
        // Without room for the preview, its line is in place of the title.
        None => {}
    }
    ScrollArea::vertical().auto_shrink(false).min_scrolled_height(0.0).show(ui, |ui| {
        outputs::outputs_ui(ui, state, commands);
        face::face_ui(ui, state);
        overrides::overrides_ui(ui, state, commands);
        landing(ui, Area::Settings, |ui| crop::crop_ui(ui, state, commands));
        faces::faces_ui(ui, state, commands);
        finish::finish_ui(ui, state, commands);
        ui.add_space(space::S);
        names::names_ui(ui, state, commands);
        output::output_ui(ui, state, commands);
    });
}

/// The first line, with the button that folds the panel at its end.
fn head_ui(ui: &mut Ui, state: &AppState, preview: Option<bool>, commands: &mut Commands) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            sides::fold_button(ui, Foldable::Settings, commands);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| match preview {
                Some(folded) => {
                    if fold_title(ui, tr("Preview"), !folded).clicked() {
                        commands.push(Command::Fold(Foldable::Preview, !folded));
                    }
                }
                None => preview::line_ui(ui, state, commands),
            });
        });
    });
}
