//! Right panel, on top: preview of the crop.

use egui::{Rect, RichText, Role, Sense, Ui, Vec2, WidgetInfo, vec2};

use geometry::{Head, estimate_head};
use plan::{CropPlan, PlannedCrop, WarningKind, check_rules};

use super::super::canvas::{CropOnScreen, guides_ui, paint_exact};
use super::super::command::{Command, Commands};
use super::super::language::{count, decimal, say, tr};
use super::super::messages;
use super::super::state::{AppState, Mark};
use super::super::textures::Textures;
use super::super::theme::{palette, space};
use super::super::widgets::{Icon, failed, icon_button, note, warned};
use super::strip;

/// Height of the preview in points, if the window is high enough.
const HEIGHT: f32 = 232.0;

/// Maximum number of warnings listed; the others are counted.
const MAX_WARNINGS: usize = 3;

/// Maximum share of the panel's height for the preview in a low window.
const MAX_OF_PANEL: f32 = 0.42;

pub(super) fn preview_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    let plan = state.current_plan();
    let index = state.canvas.preview_index.min(plan.crops.len().saturating_sub(1));
    let height = HEIGHT.min(ui.available_height() * MAX_OF_PANEL);
    let height = if state.output_count() > 1 { height - strip::HEIGHT } else { height };
    let space = vec2(ui.available_width(), height);
    let (rect, response) = ui.allocate_exact_size(space, Sense::hover());
    let Some(crop) = plan.crops.get(index) else {
        let text = match state.current() {
            None => tr("Crop preview"),
            Some(photo) if photo.detection.is_none() && state.canvas.inspection.waiting => tr("Detecting faces"),
            Some(_) => tr("No face to crop"),
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
        let font = egui::TextStyle::Body.resolve(ui.style());
        let (place, color) = (rect.center(), ui.visuals().weak_text_color());
        ui.painter().rect_filled(rect, super::CORNER, palette(ui).canvas);
        ui.painter().text(place, egui::Align2::CENTER_CENTER, text, font, color);
        caption_ui(ui, None, &plan, index, commands);
        strip::strip_ui(ui, state, textures, commands);
        return;
    };
    let output = crop.output;
    let count = plan.crops.len();
    response.widget_info(|| {
        let text = say!(
            "Preview of crop {number} of {total}, {size} pixels",
            number = index + 1,
            total = count,
            size = output
        );
        WidgetInfo::labeled(Role::Image, true, text)
    });
    let scale = (rect.width() / output.width as f32).min(rect.height() / output.height as f32);
    let target = Rect::from_center_size(rect.center(), vec2(output.width as f32, output.height as f32) * scale);
    paint_exact(ui, state, crop, target, textures);
    guides_ui(ui, state, CropOnScreen::alone(target), crop);
    let (met, problems) = check_crop(state, index, crop);
    caption_ui(ui, Some(crop), &plan, index, commands);
    strip::strip_ui(ui, state, textures, commands);
    if let Some(error) = state.preview_failure() {
        failed(ui, messages::capitalized(&messages::stage_error(error)));
    }
    checks_ui(ui, &met, &problems, is_accepted(state));
}

fn head(state: &AppState, crop: &PlannedCrop) -> Option<Head> {
    let face = state.current()?.faces().get(crop.face_index).filter(|face| face.is_usable())?;
    Some(estimate_head(face).head)
}

/// The document's rules if the crop meets all of them, and all warnings about the crop and its photo.
fn check_crop(state: &AppState, index: usize, crop: &PlannedCrop) -> (Vec<String>, Vec<String>) {
    let spec = state.crop_spec();
    let checks = match (&spec.rules, head(state, crop)) {
        (Some(rules), Some(head)) => check_rules(crop, &head, rules),
        _ => Vec::new(),
    };
    let (met, missed): (Vec<_>, Vec<_>) = checks.into_iter().partition(|check| check.met);
    let mut problems: Vec<String> = missed.iter().map(messages::rule).collect();
    let met = if missed.is_empty() { met.iter().map(messages::rule).collect() } else { Vec::new() };
    let warnings = state.current().map(|photo| photo.warnings(&state.framings(), state.active_output()));
    let warnings = warnings.unwrap_or_default();
    let others = warnings.into_iter().filter(|warning| warning.crop.is_none_or(|crop| crop == index));
    // Rules are already listed with their measurements.
    let others = others.filter(|warning| !matches!(warning.kind, WarningKind::Rule(_)));
    problems.extend(others.map(|warning| messages::warning(&warning.kind)));
    (met, problems)
}

/// True if the photo was accepted and no warning of another kind has been added since.
fn is_accepted(state: &AppState) -> bool {
    state.current().is_some_and(|photo| photo.edits().accepted && !photo.marks().has(Mark::NeedsReview))
}

/// Text below the preview: warnings, or that the crop meets the document's rules.
fn checks_ui(ui: &mut Ui, met: &[String], problems: &[String], is_accepted: bool) {
    ui.spacing_mut().item_spacing.y = 2.0;
    if !met.is_empty() {
        note(ui, tr("Meets the rules")).on_hover_text(met.join("\n"));
    }
    let (shown, more) = problems.split_at(problems.len().min(MAX_WARNINGS));
    if let [first, rest @ ..] = shown {
        if is_accepted {
            note(ui, say!("Accepted: {reason}", reason = first)).on_hover_text(problems.join("\n"));
            return;
        }
        warned(ui, say!("To review: {reason}", reason = first));
        for text in rest {
            warned(ui, messages::capitalized(text));
        }
    }
    if !more.is_empty() {
        note(ui, count!(more.len(), "and {n} more", "and {n} more")).on_hover_text(more.join("\n"));
    }
}

fn caption_ui(ui: &mut Ui, crop: Option<&PlannedCrop>, plan: &CropPlan, index: usize, commands: &mut Commands) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    let ui = &mut ui
        .new_child(egui::UiBuilder::new().max_rect(rect).layout(egui::Layout::left_to_right(egui::Align::Center)));
    let Some(crop) = crop else { return };
    ui.label(RichText::new(say!("{size} px", size = crop.output)).weak().small());
    if crop.padding_share > 0.0 {
        let text = say!("{percent} % filled", percent = decimal((crop.padding_share * 100.0).max(1.0), 0));
        ui.label(RichText::new(text).weak().small());
    }
    let count = plan.crops.len();
    if count > 1 {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.spacing_mut().item_spacing = Vec2::splat(space::XS);
            if icon_button(ui, true, Icon::Next, tr("Next crop")).clicked() {
                commands.push(Command::ShowCrop((index + 1) % count));
            }
            ui.label(RichText::new(say!("{number} of {total}", number = index + 1, total = count)).small());
            if icon_button(ui, true, Icon::Previous, tr("Previous crop")).clicked() {
                commands.push(Command::ShowCrop((index + count - 1) % count));
            }
        });
    }
}
