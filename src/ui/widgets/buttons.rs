//! Buttons with a custom style.

use egui::{Atom, Button, Rect, Response, RichText, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, WidgetText};

use super::super::theme::{CORNER, ROW, palette};
use super::icons::{Icon, paint_icon};

/// The one button that is most likely pressed next.
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

/// A button `width` points wide with centred text.
pub(crate) fn wide_button(ui: &mut Ui, enabled: bool, text: &str, width: f32) -> Response {
    ui.add_enabled(enabled, centered(RichText::new(text), width))
}

/// A button that stays pressed while `on`, which an outline shows as well.
pub(crate) fn toggle_button(ui: &mut Ui, enabled: bool, on: bool, text: &str) -> Response {
    let mut button = Button::selectable(on, text).frame_when_inactive(true);
    if on {
        button = button.stroke(Stroke::new(1.5, palette(ui).accent));
    }
    ui.add_enabled(enabled, button)
}

/// An entry of a drop-down list; the chosen one has a mark.
pub(crate) fn option(ui: &mut Ui, chosen: bool, text: impl Into<WidgetText>) -> Response {
    let response = ui.selectable_label(chosen, text);
    mark_chosen(ui, &response, chosen);
    response
}

/// Marks the chosen entry of a list: its background alone has little contrast.
pub(crate) fn mark_chosen(ui: &Ui, response: &Response, chosen: bool) {
    if chosen {
        let place = response.rect.shrink2(Vec2::new(3.0, 5.0));
        let mark = Rect::from_min_size(place.min, Vec2::new(3.0, place.height()));
        ui.painter().rect_filled(mark, 1.5, palette(ui).accent);
    }
}

fn centered(text: RichText, width: f32) -> Button<'static> {
    Button::new((Atom::grow(), text, Atom::grow())).gap(0.0).min_size(Vec2::new(width, ROW + 4.0))
}

/// Side of an icon button, in points.
pub(crate) const ICON_BUTTON: f32 = 22.0;

/// A small button with an icon; `name` is its hover text and its accessible name.
pub(crate) fn icon_button(ui: &mut Ui, enabled: bool, icon: Icon, name: &str) -> Response {
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(ICON_BUTTON), sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, name));
    let visuals = ui.style().interact(&response);
    if enabled && (response.hovered() || response.has_focus()) {
        ui.painter().rect_filled(rect, CORNER, visuals.weak_bg_fill);
    }
    let color = if enabled { visuals.fg_stroke.color } else { ui.visuals().gray_out(visuals.fg_stroke.color) };
    paint_icon(ui.painter(), rect.center(), icon, color);
    response.on_hover_text(name)
}
