//! At the right, on top: the crop as it will be.

use egui::{Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2};

use super::super::canvas::{current_pixels, paint_crop, unit_rect};
use super::super::command::{Command, Commands};
use super::super::state::AppState;
use super::super::textures::{TextureKey, Textures};
use super::super::theme::{UNTINTED, palette, space};
use super::super::widgets::{Icon, icon_button};
use crate::plan::{CropPlan, PlannedCrop};

/// Points of the preview's height where the window has room.
const HEIGHT: f32 = 232.0;

/// Share of the panel's height the preview may take in a low window.
const MOST_OF_PANEL: f32 = 0.42;

pub(super) fn preview_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    let plan = state.current_plan();
    let index = state.preview_index.min(plan.crops.len().saturating_sub(1));
    let room = vec2(ui.available_width(), HEIGHT.min(ui.available_height() * MOST_OF_PANEL));
    let (rect, response) = ui.allocate_exact_size(room, Sense::hover());
    let Some(crop) = plan.crops.get(index) else {
        let text = if state.current().is_none() { "The crop is shown here" } else { "No face to crop" };
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
        let font = egui::TextStyle::Body.resolve(ui.style());
        let (place, color) = (rect.center(), ui.visuals().weak_text_color());
        ui.painter().rect_filled(rect, super::CORNER, palette(ui).canvas);
        ui.painter().text(place, egui::Align2::CENTER_CENTER, text, font, color);
        caption_ui(ui, None, &plan, index, commands);
        return;
    };
    let output = crop.output;
    let count = plan.crops.len();
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Image, true, format!("Preview of crop {} of {count}, {output} pixels", index + 1))
    });
    let scale = (rect.width() / output.width as f32).min(rect.height() / output.height as f32);
    let target = Rect::from_center_size(rect.center(), vec2(output.width as f32, output.height as f32) * scale);
    paint_preview(ui, state, crop, target, textures);
    caption_ui(ui, Some(crop), &plan, index, commands);
}

/// The worker's exact rendering where it shows this very crop, else the same part of the canvas's pixels.
fn paint_preview(ui: &Ui, state: &AppState, crop: &PlannedCrop, target: Rect, textures: &mut Textures) {
    let exact = state.preview.rendered.as_ref().filter(|(key, _)| {
        Some(key.item) == state.library.current
            && key.crop == *crop
            && key.render == state.settings.crop.render_spec(state.settings.finish)
    });
    if let Some((_, image)) = exact {
        let texture = textures.get(ui.ctx(), TextureKey::Preview, image);
        ui.painter().image(texture, target, unit_rect(), UNTINTED);
    } else if let (Some((key, copy)), Some(info)) =
        (current_pixels(state), state.current().and_then(|photo| photo.info.as_ref()))
    {
        let texture = textures.get(ui.ctx(), key, copy);
        let render = state.settings.crop.render_spec(state.settings.finish);
        paint_crop(ui.painter(), target, texture, info.size, crop, &render);
    }
    let line = ui.visuals().widgets.noninteractive.bg_stroke.color;
    ui.painter().rect_stroke(target, 0.0, Stroke::new(1.0, line), StrokeKind::Outside);
}

fn caption_ui(ui: &mut Ui, crop: Option<&PlannedCrop>, plan: &CropPlan, index: usize, commands: &mut Commands) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    let ui = &mut ui
        .new_child(egui::UiBuilder::new().max_rect(rect).layout(egui::Layout::left_to_right(egui::Align::Center)));
    let Some(crop) = crop else { return };
    ui.label(RichText::new(format!("{} px", crop.output)).weak().small());
    let enlargement = crop.enlargement();
    if enlargement > 1.05 {
        let text = RichText::new(format!("enlarged {enlargement:.1}x")).small().color(palette(ui).warning);
        ui.label(text).on_hover_text("The face has fewer pixels in the photo than the crop asks for");
    }
    if crop.padding_share > 0.0 {
        let text = format!("{:.0} % filled", (crop.padding_share * 100.0).max(1.0));
        ui.label(RichText::new(text).weak().small());
    }
    let count = plan.crops.len();
    if count > 1 {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing = Vec2::splat(space::XS);
            if icon_button(ui, true, Icon::Next, "Next crop").clicked() {
                commands.push(Command::ShowCrop((index + 1) % count));
            }
            ui.label(RichText::new(format!("{} of {count}", index + 1)).small());
            if icon_button(ui, true, Icon::Previous, "Previous crop").clicked() {
                commands.push(Command::ShowCrop((index + count - 1) % count));
            }
        });
    }
}
