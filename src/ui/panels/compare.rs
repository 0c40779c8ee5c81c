//! In place of the photo: runtimes compared on the selected photos.

mod charts;
mod results;
mod setup;

use egui::{Align, Frame, Key, Layout, Margin, Panel, Popup, RichText, ScrollArea, Ui};

use super::super::command::{Command, Commands};
use super::super::language::tr;
use super::super::state::AppState;
use super::super::theme::space;

/// Width, in points, from which the two charts are side by side.
const WIDE: f32 = 760.0;

pub(super) fn compare_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let frame = |ui: &Ui, down: f32| {
        Frame::NONE.fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(space::M as i8, down as i8))
    };
    Panel::top("compare-bar").frame(frame(ui, space::XS)).show(ui, |ui| bar_ui(ui, state, commands));
    frame(ui, space::S).show(ui, |ui| {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            setup::setup_ui(ui, state, commands);
            if let Some(run) = &state.runtime.compare.run {
                results::results_ui(ui, state, run, commands);
                let rows = run.rows().into_iter().filter_map(|(_, row)| row);
                let timed: Vec<_> = rows.filter(|row| !row.samples.is_empty()).collect();
                if !timed.is_empty() {
                    ui.add_space(space::S);
                    charts::charts_ui(ui, &timed, WIDE);
                }
            }
        });
    });
}

fn bar_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let is_in_front = state.dialogs.page.is_none() && !state.dialogs.palette && !Popup::is_any_open(ui.ctx());
        let escaped = is_in_front && !ui.ctx().text_edit_focused() && ui.input(|input| input.key_pressed(Key::Escape));
        if ui.button(tr("Close")).on_hover_text(tr("Back to the photo (Esc)")).clicked() || escaped {
            commands.push(Command::ShowCompare(false));
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.label(RichText::new(tr("Compare runtimes")).strong());
        });
    });
}
