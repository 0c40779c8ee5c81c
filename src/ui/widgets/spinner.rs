//! A spinner.
//!
//! It rotates in steps, a few per second: egui's own spinner repaints continuously, which without a graphics card takes
//! processor time from the work that is waited for. It stands still if motion is reduced.

use std::f32::consts::TAU;
use std::time::Duration;

use egui::{Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2};

use super::super::language::tr;

/// Steps per revolution, which takes a second.
const STEPS: f32 = 8.0;

/// Share of the circle that is drawn.
const ARC: f32 = 0.7;

/// Draws the spinner, `side` points wide and high.
pub(crate) fn spinner(ui: &mut Ui, side: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, tr("Busy")));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let color = ui.visuals().strong_text_color();
    if ui.style().animation_time == 0.0 {
        for place in [-1.0, 0.0, 1.0] {
            ui.painter().circle_filled(rect.center() + vec2(place * side * 0.3, 0.0), side / 11.0, color);
        }
        return response;
    }
    ui.ctx().request_repaint_after(Duration::from_secs_f32(1.0 / STEPS));
    let turned = (ui.input(|input| input.time) * f64::from(STEPS)).floor() as f32 % STEPS / STEPS;
    let radius = side / 2.0 - 2.0;
    let points = (0..=20).map(|index| {
        let angle = (turned + ARC * index as f32 / 20.0) * TAU;
        rect.center() + radius * Vec2::angled(angle)
    });
    ui.painter().line(points.collect(), Stroke::new((side / 9.0).max(1.5), color));
    response
}
