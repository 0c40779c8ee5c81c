//! A progress bar with its text inside.

use egui::{Align2, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::super::theme::{CORNER, body, palette, space};
use super::elide_middle;

/// Height of a bar, in points.
const HEIGHT: f32 = 20.0;

/// A bar `width` points wide, filled by the share `done` of `total`, with `text`, which gives the same numbers.
pub(crate) fn progress_bar(ui: &mut Ui, width: f32, (done, total): (usize, usize), text: &str) -> Response {
    let share = if total == 0 { 0.0 } else { (done as f32 / total as f32).clamp(0.0, 1.0) };
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
    response.widget_info(|| WidgetInfo {
        value: Some(f64::from(share * 100.0).round()),
        ..WidgetInfo::labeled(Role::ProgressIndicator, true, text)
    });
    let palette = palette(ui);
    let middle = pos2(rect.left() + rect.width() * share, rect.center().y);
    let (filled, rest) = (rect.with_max_x(middle.x), rect.with_min_x(middle.x));
    let line = ui.visuals().widgets.noninteractive.bg_stroke;
    ui.painter().rect_filled(rect, CORNER, ui.visuals().extreme_bg_color);
    ui.painter().with_clip_rect(filled.intersect(ui.clip_rect())).rect_filled(rect, CORNER, palette.primary);
    ui.painter().rect_stroke(rect, CORNER, line, egui::StrokeKind::Inside);
    let shown = elide_middle(ui, text, &body(), rect.width() - 2.0 * space::S);
    // The text has another colour on the filled part.
    for (part, color) in [(filled, palette.on_primary), (rest, ui.visuals().text_color())] {
        let painter = ui.painter().with_clip_rect(part.intersect(ui.clip_rect()));
        painter.text(rect.left_center() + vec2(space::S, 0.0), Align2::LEFT_CENTER, &shown, body(), color);
    }
    response.on_hover_text(text)
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT, Queryable};

    use super::*;

    #[test]
    fn a_bar_reports_the_share_of_its_numbers() {
        for (done, total, percent) in [(0, 0, 0.0), (1, 4, 25.0), (9, 4, 100.0)] {
            let harness = Harness::new_ui(move |ui| _ = progress_bar(ui, 200.0, (done, total), "Working"));
            let bar = harness.get_by_role_and_label(Role::ProgressIndicator, "Working");
            assert_eq!(bar.accesskit_node().numeric_value(), Some(percent));
        }
    }
}
