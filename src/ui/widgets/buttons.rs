//! Buttons with a look of their own.

use egui::{Atom, Button, Painter, Rect, Response, RichText, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2};

use super::super::theme::{CORNER, ROW, palette};

/// The one button a person most likely wants.
pub(crate) fn primary_button(ui: &mut Ui, enabled: bool, text: &str, width: f32) -> Response {
    let palette = palette(ui);
    ui.scope(|ui| {
        let widgets = &mut ui.visuals_mut().widgets;
        for (state, fill) in [
            (&mut widgets.inactive, palette.primary),
            (&mut widgets.hovered, palette.primary_hovered),
            (&mut widgets.active, palette.primary_hovered),
        ] {
            (state.weak_bg_fill, state.bg_stroke) = (fill, Stroke::NONE);
        }
        ui.add_enabled(enabled, centered(RichText::new(text).color(palette.on_primary), width))
    })
    .inner
}

/// A button `width` points wide with its text in the middle.
pub(crate) fn wide_button(ui: &mut Ui, enabled: bool, text: &str, width: f32) -> Response {
    ui.add_enabled(enabled, centered(RichText::new(text), width))
}

fn centered(text: RichText, width: f32) -> Button<'static> {
    Button::new((Atom::grow(), text, Atom::grow())).gap(0.0).min_size(Vec2::new(width, ROW + 4.0))
}

/// Points of an icon button's side.
pub(crate) const ICON: f32 = 22.0;

/// A drawn sign.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Icon {
    Close,
    Folder,
    Previous,
    Next,
    Find,
    Grid,
    Rows,
    Menu,
}

/// A small button with a drawn sign; `name` is its tooltip and its accessible name.
pub(crate) fn icon_button(ui: &mut Ui, enabled: bool, icon: Icon, name: &str) -> Response {
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(ICON), sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    let visuals = ui.style().interact(&response);
    if enabled && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect, CORNER, visuals.weak_bg_fill);
    }
    let color = if enabled { visuals.fg_stroke.color } else { ui.visuals().gray_out(visuals.fg_stroke.color) };
    paint_icon(ui.painter(), rect, icon, Stroke::new(1.5, color));
    response.on_hover_text(name)
}

fn paint_icon(painter: &Painter, rect: Rect, icon: Icon, stroke: Stroke) {
    let (center, reach) = (rect.center(), 4.0);
    let at = |x: f32, y: f32| pos2(center.x + x * reach, center.y + y * reach);
    match icon {
        Icon::Close => {
            painter.line_segment([at(-1.0, -1.0), at(1.0, 1.0)], stroke);
            painter.line_segment([at(-1.0, 1.0), at(1.0, -1.0)], stroke);
        }
        Icon::Folder => {
            let outline = [(-1.3, 1.0), (-1.3, -1.0), (-0.4, -1.0), (-0.1, -0.6), (1.3, -0.6), (1.3, 1.0), (-1.3, 1.0)];
            painter.line(outline.map(|(x, y)| at(x, y)).to_vec(), stroke);
        }
        Icon::Previous => _ = painter.line(vec![at(0.5, -1.0), at(-0.5, 0.0), at(0.5, 1.0)], stroke),
        Icon::Find => {
            painter.circle_stroke(at(-0.25, -0.25), 0.85 * reach, stroke);
            painter.line_segment([at(0.4, 0.4), at(1.2, 1.2)], stroke);
        }
        Icon::Grid => {
            for (x, y) in [(-0.7, -0.7), (0.7, -0.7), (-0.7, 0.7), (0.7, 0.7)] {
                let square = Rect::from_center_size(at(x, y), Vec2::splat(reach));
                painter.rect_stroke(square, 0.5, Stroke { width: 1.2, ..stroke }, egui::StrokeKind::Middle);
            }
        }
        Icon::Rows => {
            for y in [-1.0, 0.0, 1.0] {
                painter.line_segment([at(-1.2, y), at(-0.9, y)], stroke);
                painter.line_segment([at(-0.4, y), at(1.3, y)], stroke);
            }
        }
        Icon::Menu => {
            for (y, half) in [(-0.9, 1.3), (0.0, 0.85), (0.9, 0.4)] {
                painter.line_segment([at(-half, y), at(half, y)], stroke);
            }
        }
        Icon::Next => _ = painter.line(vec![at(-0.5, -1.0), at(0.5, 0.0), at(-0.5, 1.0)], stroke),
    }
}
