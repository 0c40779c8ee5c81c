//! Over the preview: the bands that a document's rules allow, and the lines of the head in the crop.

use egui::{Align2, Rect, Stroke, Ui, pos2};

use super::super::theme::palette;
use super::super::widgets::tag;
use crate::geometry::Head;
use crate::plan::{Band, DocumentRules, PlannedCrop, RuleCheck, RuleKind, band_lines, head_in_crop};

/// How strongly a band covers the crop.
const VEIL: f32 = 0.28;

/// Draws the bands over the crop shown in `target`; those whose rule is not met in the colour of warnings, and told so.
pub(super) fn bands_ui(
    ui: &Ui,
    target: Rect,
    crop: &PlannedCrop,
    head: &Head,
    rules: &DocumentRules,
    checks: &[RuleCheck],
) {
    let Some(lines) = head_in_crop(crop, head) else { return };
    let palette = palette(ui);
    let painter = ui.painter().with_clip_rect(target.intersect(ui.clip_rect()));
    let down = |share: f32| target.top() + target.height() * share;
    let bands = band_lines(&lines, rules);
    let met = |rule| checks.iter().all(|check| check.rule != rule || check.met);
    let drawn: [(Option<Band>, RuleKind, &str, f32); 3] = [
        (bands.crown_by_head, RuleKind::Head, "crown", 0.0),
        (bands.crown_by_headroom, RuleKind::Headroom, "room above", 0.5),
        (bands.eyes, RuleKind::EyeLine, "eyes", 0.0),
    ];
    let mut tags = Vec::new();
    for (band, rule, name, at) in drawn {
        let Some(Band { least, most }) = band else { continue };
        let color = if met(rule) { palette.face_chosen } else { palette.band_missed };
        let rect = Rect::from_x_y_ranges(target.x_range(), down(least)..=down(most));
        painter.rect_filled(rect, 0.0, color.gamma_multiply(VEIL));
        for edge in [rect.top(), rect.bottom()] {
            painter.hline(target.x_range(), edge, Stroke::new(1.0, color));
        }
        let text = if met(rule) { name.to_owned() } else { format!("! {name}") };
        let x = target.left() + target.width() * at + 2.0;
        tags.push((pos2(x, rect.center().y), text));
    }
    for share in [lines.crown, lines.eyes, lines.chin] {
        painter.hline(target.x_range(), down(share), Stroke::new(2.5, palette.halo));
        painter.hline(target.x_range(), down(share), Stroke::new(1.0, palette.head));
    }
    // Over the lines, so that they can be read.
    for (at, text) in tags {
        tag(&painter, palette, at, Align2::LEFT_CENTER, &text);
    }
}
