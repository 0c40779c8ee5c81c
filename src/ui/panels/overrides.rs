//! Right panel, above the settings: whether the photo uses the shared settings or its overrides.

use egui::{Align, Label, Layout, RichText, Ui};

use super::super::command::Commands;
use super::super::decide;
use super::super::language::tr;
use super::super::state::AppState;
use super::super::widgets::{StatusIcon, paint_status_icon};

pub(super) fn overrides_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(photo) = state.current() else { return };
    let items = [photo.id];
    let is_custom = photo.edits().overrides.is_some();
    ui.horizontal(|ui| {
        if is_custom {
            let (rect, _) = ui.allocate_exact_size(egui::Vec2::splat(14.0), egui::Sense::hover());
            paint_status_icon(ui.painter(), rect.center(), StatusIcon::Overrides, ui.visuals().text_color());
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (text, about, command) = if is_custom {
                let about = tr("Discards the custom settings of this photo");
                (tr("Use shared settings"), about, decide::use_shared_settings(state, &items))
            } else {
                let about = tr("Further changes apply to this photo only");
                (tr("Customise this photo"), about, decide::customize(state, &items))
            };
            if ui.button(text).on_hover_text(about).clicked() {
                commands.extend(command);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let label = if is_custom { tr("Custom settings") } else { tr("Shared settings") };
                ui.add(Label::new(RichText::new(label).strong()).truncate());
            });
        });
    });
}
