//! At the right, above the settings: whose they are.

use egui::{Align, Label, Layout, RichText, Ui};

use super::super::command::Commands;
use super::super::decide;
use super::super::language::tr;
use super::super::state::AppState;
use super::super::widgets::{Sign, paint_sign};

pub(super) fn own_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(photo) = state.current() else { return };
    let items = [photo.id];
    let is_own = photo.edits().overrides.is_some();
    ui.horizontal(|ui| {
        if is_own {
            let (rect, _) = ui.allocate_exact_size(egui::Vec2::splat(14.0), egui::Sense::hover());
            paint_sign(ui.painter(), rect.center(), Sign::OwnSettings, ui.visuals().text_color());
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (text, about, command) = if is_own {
                let about = tr("This photo follows the settings of the list again; its own are forgotten");
                (tr("Use the list's"), about, decide::list_settings(state, &items))
            } else {
                let about = tr("What is changed from now on is for this photo alone");
                (tr("Set it apart"), about, decide::own_settings(state, &items))
            };
            if ui.button(text).on_hover_text(about).clicked() {
                commands.extend(command);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let whose = if is_own { tr("This photo's own settings") } else { tr("Settings of the list") };
                ui.add(Label::new(RichText::new(whose).strong()).truncate());
            });
        });
    });
}
