//! Icons for the states of photos, distinguished by shape.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, vec2};

use super::warning_icon;

/// State of a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StatusIcon {
    /// A crop will be missing: a disc with a cross.
    Missing,
    /// A triangle with an exclamation mark.
    NeedsReview,
    /// A tick.
    Accepted,
    /// An arrow onto a line.
    Written,
    /// A ring with a bar.
    Excluded,
    /// A pen.
    Edited,
    /// Two sliders.
    Overrides,
    /// A row with a bar through it.
    NoRow,
    /// Two wavy lines.
    LooseMatch,
    /// Two overlapping squares.
    SameName,
    /// A text cursor.
    NamedByHand,
    /// A card with bars.
    Card,
}

/// Draws `icon`, about 12 points wide.
pub(crate) fn paint_status_icon(painter: &Painter, center: Pos2, icon: StatusIcon, color: Color32) {
    let stroke = Stroke::new(1.5, color);
    let at = |x: f32, y: f32| center + vec2(x, y);
    match icon {
        StatusIcon::NeedsReview => warning_icon(painter, center, color),
        StatusIcon::Missing => {
            painter.circle_stroke(center, 5.5, stroke);
            painter.line_segment([at(-2.2, -2.2), at(2.2, 2.2)], stroke);
            painter.line_segment([at(-2.2, 2.2), at(2.2, -2.2)], stroke);
        }
        StatusIcon::Accepted => {
            painter.add(Shape::line(vec![at(-5.0, 0.5), at(-1.5, 4.0), at(5.0, -4.0)], Stroke::new(2.0, color)));
        }
        StatusIcon::Written => {
            painter.line_segment([at(0.0, -5.5), at(0.0, 1.5)], stroke);
            painter.add(Shape::line(vec![at(-3.2, -1.5), at(0.0, 1.7), at(3.2, -1.5)], stroke));
            painter.line_segment([at(-5.0, 5.0), at(5.0, 5.0)], stroke);
        }
        StatusIcon::Excluded => {
            painter.circle_stroke(center, 5.5, stroke);
            painter.line_segment([at(-3.0, 0.0), at(3.0, 0.0)], stroke);
        }
        StatusIcon::Edited => {
            painter.add(Shape::closed_line(
                vec![at(-5.0, 5.0), at(-4.0, 1.8), at(2.6, -4.8), at(4.8, -2.6), at(-1.8, 4.0)],
                Stroke::new(1.3, color),
            ));
        }
        StatusIcon::Overrides => {
            for (y, x) in [(-2.5, 1.5), (2.5, -1.5)] {
                painter.line_segment([at(-5.5, y), at(5.5, y)], stroke);
                painter.circle_filled(at(x, y), 2.2, color);
            }
        }
        StatusIcon::NoRow => {
            let row = Rect::from_center_size(center, vec2(11.0, 6.0));
            painter.rect_stroke(row, 1.0, stroke, StrokeKind::Middle);
            painter.line_segment([at(-4.5, 5.0), at(4.5, -5.0)], stroke);
        }
        StatusIcon::LooseMatch => {
            for y in [-2.2, 2.2] {
                let wave = [(-5.0, 1.0), (-2.5, -1.0), (0.0, 0.0), (2.5, 1.0), (5.0, -1.0)];
                painter.add(Shape::line(wave.map(|(x, dy)| at(x, y + dy)).to_vec(), stroke));
            }
        }
        StatusIcon::SameName => {
            for (x, y) in [(-1.8, -1.8), (1.8, 1.8)] {
                painter.rect_stroke(Rect::from_center_size(at(x, y), vec2(7.0, 7.0)), 1.0, stroke, StrokeKind::Middle);
            }
        }
        StatusIcon::Card => {
            let card = Rect::from_center_size(center, vec2(12.0, 9.0));
            painter.rect_stroke(card, 1.0, Stroke::new(1.3, color), StrokeKind::Middle);
            for x in [-3.0, -1.0, 1.0, 3.0] {
                painter.line_segment([at(x, -2.2), at(x, 2.2)], Stroke::new(1.0, color));
            }
        }
        StatusIcon::NamedByHand => {
            painter.line_segment([at(0.0, -4.5), at(0.0, 4.5)], stroke);
            for y in [-5.0, 5.0] {
                painter.line_segment([at(-2.5, y), at(2.5, y)], stroke);
            }
        }
    }
}
