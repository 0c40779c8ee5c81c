//! Right panel, on top: preview of the crop.

use egui::text::LayoutJob;
use egui::{
    Align, Color32, Label, Layout, Rect, Response, RichText, Role, Sense, Ui, UiBuilder, Vec2, WidgetInfo, vec2,
};

use geometry::{Head, estimate_head};
use plan::{CropPlan, PlannedCrop, WarningKind, check_rules};

use super::super::canvas::paint_exact;
use super::super::command::{Command, Commands};
use super::super::language::{count, decimal, say, tr};
use super::super::messages;
use super::super::state::{AppState, Mark};
use super::super::textures::Textures;
use super::super::theme::{palette, small, space};
use super::super::widgets::{Icon, icon_button, icon_size, paint_icon};
use super::strip;

/// Maximum and minimum height of the preview, in points.
const HEIGHTS: [f32; 2] = [232.0, 80.0];

/// Maximum number of lines with warnings; their room is kept, so that the controls below stay in their place.
const LINES: usize = 3;

/// Height of a line, in points.
const LINE_HEIGHT: f32 = 17.0;

/// Height of the line with the crop's size, in points.
const CAPTION: f32 = 22.0;

/// Share of the panel's height for the preview, apart from the lines around it.
const SHARE: f32 = 0.45;

/// Height of the preview, in points, in a panel with `space` for it and the settings; `None` if there is no room for it.
pub(super) fn height(space: f32, has_strip: bool) -> Option<f32> {
    let strip = if has_strip { strip::HEIGHT } else { 0.0 };
    let lines = 2.0 * CAPTION + LINES as f32 * LINE_HEIGHT + 4.0 * space::XS;
    let [max, min] = HEIGHTS;
    let height = ((space - lines) * SHARE).min(max) - strip;
    (height >= min).then_some(height)
}

/// In place of a folded preview: the first warning, and the choice of the crop.
pub(super) fn line_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let plan = state.current_plan();
    let index = state.canvas.preview_index.min(plan.crops.len().saturating_sub(1));
    row_ui(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            steps_ui(ui, plan.crops.len(), index, commands);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                if let Some(crop) = plan.crops.get(index) {
                    let (met, problems) = check_crop(state, index, crop);
                    lines_ui(ui, &met, &problems, is_accepted(state), 1);
                }
            });
        });
    });
}

pub(super) fn preview_ui(ui: &mut Ui, height: f32, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    let plan = state.current_plan();
    let index = state.canvas.preview_index.min(plan.crops.len().saturating_sub(1));
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
        checks_ui(ui, |_| ());
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
    let (met, problems) = check_crop(state, index, crop);
    caption_ui(ui, Some(crop), &plan, index, commands);
    strip::strip_ui(ui, state, textures, commands);
    checks_ui(ui, |ui| match state.preview_failure() {
        Some(error) => {
            let text = messages::capitalized(&messages::stage_error(error));
            _ = signed_ui(ui, Icon::Error, palette(ui).error, text, LINES);
        }
        None => lines_ui(ui, &met, &problems, is_accepted(state), LINES),
    });
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

/// The lines below the preview: as high as the most there can be.
fn checks_ui(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINES as f32 * LINE_HEIGHT), Sense::hover());
    let ui = &mut ui.new_child(UiBuilder::new().max_rect(rect));
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.spacing_mut().interact_size.y = LINE_HEIGHT;
    ui.shrink_clip_rect(rect);
    add(ui);
}

/// That the frame meets the document's rules, and warnings, in at most `lines` lines.
fn lines_ui(ui: &mut Ui, met: &[String], problems: &[String], is_accepted: bool, mut lines: usize) {
    if !met.is_empty() && (lines > 1 || problems.is_empty()) {
        ui.label(RichText::new(tr("The frame meets the rules")).weak().small()).on_hover_text(met.join("\n"));
        lines -= 1;
    }
    let color = palette(ui).warning;
    let all = problems.join("\n");
    match problems {
        [] => {}
        [first, ..] if is_accepted => {
            let text = RichText::new(say!("Accepted: {reason}", reason = first)).weak().small();
            ui.add(Label::new(text).truncate()).on_hover_text(all);
        }
        [first, rest @ ..] => {
            let shown = if rest.len() < lines { rest.len() } else { lines.saturating_sub(2) };
            let more = rest.len() - shown;
            let left = lines - shown - usize::from(more > 0 && lines > 1);
            let first = say!("To review: {reason}", reason = first);
            signed_ui(ui, Icon::Warning, color, first, left.max(1)).on_hover_text(&all);
            for text in &rest[..shown] {
                signed_ui(ui, Icon::Warning, color, messages::capitalized(text), 1).on_hover_text(&all);
            }
            if more > 0 && lines > 1 {
                let text = count!(more, "and {n} more", "and {n} more");
                ui.label(RichText::new(text).weak().small()).on_hover_text(all);
            }
        }
    }
}

/// Text after an icon, in at most `lines` lines; the rest is elided.
fn signed_ui(ui: &mut Ui, icon: Icon, color: Color32, text: String, lines: usize) -> Response {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = space::XS;
        let (rect, _) = ui.allocate_exact_size(icon_size(), Sense::hover());
        paint_icon(ui.painter(), rect.center(), icon, color);
        let mut job = LayoutJob::simple(text, small(), color, f32::INFINITY);
        job.wrap.max_rows = lines;
        ui.add(Label::new(job).wrap())
    })
    .inner
}

fn caption_ui(ui: &mut Ui, crop: Option<&PlannedCrop>, plan: &CropPlan, index: usize, commands: &mut Commands) {
    row_ui(ui, |ui| {
        let Some(crop) = crop else { return };
        ui.label(RichText::new(say!("{size} px", size = crop.output)).weak().small());
        if crop.padding_share > 0.0 {
            let text = say!("{percent} % filled", percent = decimal((crop.padding_share * 100.0).max(1.0), 0));
            ui.label(RichText::new(text).weak().small());
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            steps_ui(ui, plan.crops.len(), index, commands);
        });
    });
}

/// A line of fixed height.
fn row_ui(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), CAPTION), Sense::hover());
    let layout = Layout::left_to_right(Align::Center);
    add(&mut ui.new_child(UiBuilder::new().max_rect(rect).layout(layout)));
}

/// The buttons to the next and the previous of several crops, from the right.
fn steps_ui(ui: &mut Ui, count: usize, index: usize, commands: &mut Commands) {
    if count < 2 {
        return;
    }
    ui.spacing_mut().item_spacing = Vec2::splat(space::XS);
    if icon_button(ui, true, Icon::Next, tr("Next crop")).clicked() {
        commands.push(Command::ShowCrop((index + 1) % count));
    }
    ui.label(RichText::new(say!("{number} of {total}", number = index + 1, total = count)).small());
    if icon_button(ui, true, Icon::Previous, tr("Previous crop")).clicked() {
        commands.push(Command::ShowCrop((index + count - 1) % count));
    }
}
