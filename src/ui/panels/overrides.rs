//! Right panel, above the settings: whether the photo uses the shared settings or its overrides.

use egui::{Align, Button, Label, Layout, RichText, Ui};

use super::super::command::Commands;
use super::super::decide;
use super::super::language::tr;
use super::super::state::AppState;
use super::super::widgets::{StatusIcon, paint_status_icon};

pub(super) fn overrides_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(photo) = state.current() else { return };
    let items = [photo.id];
    // Overrides are those of the first output.
    let is_variant = state.active_variant().is_some();
    let is_custom = photo.edits().overrides.is_some() && !is_variant;
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
            let button = ui.add_enabled(!is_variant, Button::new(text)).on_hover_text(about);
            if button.on_disabled_hover_text(tr("Only the first output can have custom settings")).clicked() {
                commands.extend(command);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let label = match photo.overrides().filter(|_| !is_variant) {
                    Some(_) if is_custom => tr("Custom settings"),
                    Some(_) => tr("Preset from list"),
                    None => tr("Shared settings"),
                };
                ui.add(Label::new(RichText::new(label).strong()).truncate());
            });
        });
    });
}
