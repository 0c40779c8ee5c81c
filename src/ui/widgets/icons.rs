//! Icons in a common style: 12 by 12 points, lines of one width, no fills.

use egui::{Painter, Pos2, Shape, Stroke, Vec2, pos2, vec2};

/// Side of an icon, in points.
pub(crate) const ICON_SIZE: f32 = 12.0;

/// Line width, in points.
const LINE: f32 = 1.4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    Close,
    Folder,
    Previous,
    Next,
    /// A magnifying glass.
    Find,
    Grid,
    Rows,
    Menu,
    Info,
    Warning,
    Error,
    Done,
}

/// Draws `icon` centred at `center`.
pub(crate) fn paint_icon(painter: &Painter, center: Pos2, icon: Icon, color: egui::Color32) {
    let stroke = Stroke::new(LINE, color);
    let at = |x: f32, y: f32| pos2(center.x + x, center.y + y);
    let line = |points: &[(f32, f32)]| {
        painter.add(Shape::line(points.iter().map(|&(x, y)| at(x, y)).collect(), stroke));
    };
    match icon {
        Icon::Close => {
            line(&[(-4.0, -4.0), (4.0, 4.0)]);
            line(&[(-4.0, 4.0), (4.0, -4.0)]);
        }
        Icon::Folder => {
            let outline = [(-5.2, 4.0), (-5.2, -4.0), (-1.6, -4.0), (-0.4, -2.4), (5.2, -2.4), (5.2, 4.0)];
            painter.add(Shape::closed_line(outline.map(|(x, y)| at(x, y)).to_vec(), stroke));
        }
        Icon::Previous => line(&[(2.0, -4.0), (-2.0, 0.0), (2.0, 4.0)]),
        Icon::Next => line(&[(-2.0, -4.0), (2.0, 0.0), (-2.0, 4.0)]),
        Icon::Find => {
            painter.circle_stroke(at(-1.0, -1.0), 3.5, stroke);
            line(&[(1.6, 1.6), (4.8, 4.8)]);
        }
        Icon::Grid => {
            for (x, y) in [(-2.8, -2.8), (2.8, -2.8), (-2.8, 2.8), (2.8, 2.8)] {
                let square = egui::Rect::from_center_size(at(x, y), Vec2::splat(3.8));
                painter.rect_stroke(square, 0.5, stroke, egui::StrokeKind::Middle);
            }
        }
        Icon::Rows => {
            for y in [-4.0, 0.0, 4.0] {
                line(&[(-4.8, y), (-3.6, y)]);
                line(&[(-1.6, y), (5.2, y)]);
            }
        }
        Icon::Menu => {
            for (y, half) in [(-3.6, 5.2), (0.0, 3.4), (3.6, 1.6)] {
                line(&[(-half, y), (half, y)]);
            }
        }
        Icon::Info => {
            painter.circle_stroke(center, 5.3, stroke);
            line(&[(0.0, -0.8), (0.0, 2.8)]);
            painter.circle_filled(at(0.0, -2.8), LINE * 0.6, color);
        }
        Icon::Warning => {
            let triangle = [(0.0, -5.5), (6.0, 5.0), (-6.0, 5.0)];
            painter.add(Shape::closed_line(triangle.map(|(x, y)| at(x, y)).to_vec(), stroke));
            line(&[(0.0, -2.0), (0.0, 1.5)]);
            painter.circle_filled(at(0.0, 3.4), LINE * 0.6, color);
        }
        Icon::Error => {
            let corners = [(-2.3, -5.5), (2.3, -5.5), (5.5, -2.3), (5.5, 2.3), (2.3, 5.5), (-2.3, 5.5), (-5.5, 2.3)];
            let octagon = corners.into_iter().chain([(-5.5, -2.3)]).map(|(x, y)| at(x, y)).collect();
            painter.add(Shape::closed_line(octagon, stroke));
            line(&[(-2.0, -2.0), (2.0, 2.0)]);
            line(&[(-2.0, 2.0), (2.0, -2.0)]);
        }
        Icon::Done => line(&[(-4.5, 0.2), (-1.4, 3.4), (4.5, -3.6)]),
    }
}

/// Size of an icon in a row of small text, in points.
pub(crate) fn icon_size() -> Vec2 {
    vec2(ICON_SIZE + 2.0, ICON_SIZE + 2.0)
}
