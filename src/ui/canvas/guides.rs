//! Guides over a crop's frame on the photo: thirds, the allowed ranges of a document, a safe circle.

use std::f32::consts::TAU;

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, Ui, Vec2, vec2};

use batch::settings::Guides;
use geometry::{Head, estimate_head};
use plan::{PlannedCrop, RuleKind, check_rules, head_in_crop, range_lines};
use recipe::{AllowedRange, DocumentRules};

use super::super::language::tr;
use super::super::state::AppState;
use super::super::theme::palette;
use super::super::widgets::tag;

/// Opacity of an allowed range.
const VEIL: f32 = 0.28;

/// Number of corners of the polygon that approximates a circle.
const CIRCLE_CORNERS: usize = 96;

/// Position of a frame on the screen: its top left corner, and its sides as vectors.
#[derive(Clone, Copy)]
pub(super) struct CropOnScreen {
    origin: Pos2,
    right: Vec2,
    down: Vec2,
}

impl CropOnScreen {
    /// By its corners, starting at the top left.
    pub(super) fn of(corners: [Pos2; 4]) -> Self {
        let [origin, top_right, _, bottom_left] = corners;
        Self { origin, right: top_right - origin, down: bottom_left - origin }
    }

    /// The position at these shares of width and height.
    fn at(&self, across: f32, down: f32) -> Pos2 {
        self.origin + self.right * across + self.down * down
    }

    fn row(&self, down: f32) -> [Pos2; 2] {
        [self.at(0.0, down), self.at(1.0, down)]
    }
}

/// Draws the chosen guides over the crop.
pub(super) fn guides_ui(ui: &Ui, state: &AppState, on_screen: CropOnScreen, crop: &PlannedCrop) {
    let painter = ui.painter();
    let (line, halo) = (palette(ui).on_tag, palette(ui).halo);
    match state.settings.window.guides {
        Guides::None => {}
        Guides::Thirds => {
            for share in [1.0 / 3.0, 2.0 / 3.0] {
                haloed(painter, vec![on_screen.at(share, 0.0), on_screen.at(share, 1.0)], line, halo);
                haloed(painter, on_screen.row(share).to_vec(), line, halo);
            }
        }
        Guides::Circle => {
            let side = on_screen.right.length().min(on_screen.down.length());
            let radius = vec2(side / on_screen.right.length(), side / on_screen.down.length()) / 2.0;
            let corner = |index: usize| {
                let way = Vec2::angled(TAU * index as f32 / CIRCLE_CORNERS as f32) * radius;
                on_screen.at(0.5 + way.x, 0.5 + way.y)
            };
            haloed(painter, (0..=CIRCLE_CORNERS).map(corner).collect(), line, halo);
        }
        Guides::Document => {
            let head = state.current().and_then(|photo| photo.faces().get(crop.face_index));
            let head = head.filter(|face| face.is_usable()).map(|face| estimate_head(face).head);
            if let (Some(rules), Some(head)) = (&state.crop_spec().rules, head) {
                ranges_ui(ui, on_screen, crop, &head, rules);
            }
        }
    }
}

fn haloed(painter: &Painter, line: Vec<Pos2>, color: Color32, halo: Color32) {
    painter.add(Shape::line(line.clone(), Stroke::new(3.0, halo)));
    painter.add(Shape::line(line, Stroke::new(1.0, color)));
}

/// Draws the allowed ranges of the rules. Those of rules that are not met have the warning colour and a label.
fn ranges_ui(ui: &Ui, on_screen: CropOnScreen, crop: &PlannedCrop, head: &Head, rules: &DocumentRules) {
    let Some(lines) = head_in_crop(crop, head) else { return };
    let checks = check_rules(crop, head, rules);
    let palette = palette(ui);
    let rect = Rect::from_points(&[
        on_screen.at(0.0, 0.0),
        on_screen.at(1.0, 0.0),
        on_screen.at(1.0, 1.0),
        on_screen.at(0.0, 1.0),
    ]);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let bands = range_lines(&lines, rules);
    let met = |rule| checks.iter().all(|check| check.rule() != rule || check.met);
    let drawn: [(Option<AllowedRange>, RuleKind, &str, f32); 3] = [
        (bands.crown_by_head, RuleKind::Head, tr("crown"), 0.0),
        (bands.crown_by_headroom, RuleKind::Headroom, tr("headroom"), 0.5),
        (bands.eyes, RuleKind::EyeLine, tr("eyes"), 0.75),
    ];
    let mut tags = Vec::new();
    for (band, rule, name, at) in drawn {
        let Some(AllowedRange { min, max }) = band else { continue };
        // The frame may be rotated, so that a range beyond the crop would not be clipped.
        let (min, max) = (min.clamp(0.0, 1.0), max.clamp(0.0, 1.0));
        let color = if met(rule) { palette.face_chosen } else { palette.range_missed };
        let ([a, b], [d, c]) = (on_screen.row(min), on_screen.row(max));
        painter.add(Shape::convex_polygon(vec![a, b, c, d], color.gamma_multiply(VEIL), Stroke::NONE));
        for edge in [[a, b], [d, c]] {
            painter.line_segment(edge, Stroke::new(1.0, color));
        }
        if !met(rule) {
            tags.push((on_screen.at(at, f32::midpoint(min, max)), format!("! {name}")));
        }
    }
    // Above the lines, so that they are readable.
    for (at, text) in tags {
        tag(&painter, palette, at + vec2(2.0, 0.0), Align2::LEFT_CENTER, &text);
    }
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    #[test]
    fn shares_follow_the_axes_of_a_rotated_frame() {
        let corners = [pos2(100.0, 0.0), pos2(100.0, 40.0), pos2(20.0, 40.0), pos2(20.0, 0.0)];
        let on_screen = CropOnScreen::of(corners);
        assert_eq!(on_screen.at(0.5, 0.25), pos2(80.0, 20.0));
        assert_eq!(on_screen.row(1.0), [corners[3], corners[2]]);
    }
}
