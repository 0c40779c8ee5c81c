//! Rows of a settings panel: a label on the left, a control that fills the rest.

use std::ops::RangeInclusive;

use egui::{
    Align, Align2, Checkbox, CollapsingHeader, Color32, ComboBox, DragValue, Label, Layout, Painter, Pos2, Rect,
    Response, RichText, Sense, Slider, Stroke, StrokeKind, TextEdit, Ui, Vec2, WidgetText, vec2,
};

use super::super::language::{Language, current, parse_number, tr};
use super::super::theme::{CORNER, Palette, ROW, outline, palette, small, space};
use super::buttons::option;
use super::icons::{Icon, icon_size, paint_icon};
use super::seek;

/// Width of the labels' column, in points: some languages need more.
fn label_width() -> f32 {
    match current() {
        Language::Japanese => 92.0,
        Language::English | Language::German | Language::French | Language::Spanish => 108.0,
    }
}

/// Width of a slider's number, in points; `100 %` is the widest.
const NUMBER_WIDTH: f32 = 68.0;

/// Width of a number with a unit, in points: one below the other, they line up.
const UNIT_WIDTH: f32 = 96.0;

/// Title of a group of rows.
pub(crate) fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(space::XS);
    ui.label(RichText::new(text).strong());
}

/// A collapsible group of rows with the title `text`.
pub(crate) fn section(ui: &mut Ui, text: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    let opens = seek::opens_section(ui.ctx(), text);
    CollapsingHeader::new(RichText::new(text).strong()).default_open(open).open(opens).show_unindented(ui, add);
}

/// The title of a foldable part; a click folds or opens it.
pub(crate) fn fold_title(ui: &mut Ui, text: &str, open: bool) -> Response {
    CollapsingHeader::new(RichText::new(text).strong()).open(Some(open)).show_unindented(ui, |_| ()).header_response
}

/// Small, weak, wrapped text.
pub(crate) fn note(ui: &mut Ui, text: impl Into<String>) -> Response {
    ui.add(Label::new(RichText::new(text).weak().small()).wrap())
}

/// Small text in the warning colour, after the warning icon.
pub(crate) fn warned(ui: &mut Ui, text: impl Into<String>) -> Response {
    let color = palette(ui).warning;
    signed(ui, Icon::Warning, color, RichText::new(text).small())
}

/// Small text in the error colour, after the error icon.
pub(crate) fn failed(ui: &mut Ui, text: impl Into<String>) -> Response {
    let color = palette(ui).error;
    signed(ui, Icon::Error, color, RichText::new(text).small())
}

/// Coloured text after an icon with the same meaning.
pub(crate) fn signed(ui: &mut Ui, icon: Icon, color: Color32, text: RichText) -> Response {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = space::XS;
        let (rect, _) = ui.allocate_exact_size(icon_size(), Sense::hover());
        paint_icon(ui.painter(), rect.center(), icon, color);
        ui.add(Label::new(text.color(color)).wrap())
    })
    .inner
}

/// The warning icon, 12 points wide.
pub(crate) fn warning_icon(painter: &Painter, center: Pos2, color: Color32) {
    paint_icon(painter, center, Icon::Warning, color);
}

/// A number field to drag or type in; returns whether it was changed.
pub(crate) fn number<T: egui::emath::Numeric>(
    ui: &mut Ui,
    value: &mut T,
    range: RangeInclusive<T>,
    suffix: &str,
    name: &str,
    about: &str,
) -> bool {
    let drag = DragValue::new(value).range(range).suffix(suffix).custom_parser(parse_number);
    ui.scope(|ui| {
        if !suffix.is_empty() {
            ui.spacing_mut().interact_size.x = UNIT_WIDTH.min(ui.available_width());
        }
        ui.add(drag).on_hover_text(about).accessible_name(name).changed()
    })
    .inner
}

/// A row: `label`, then the widget drawn by `add`, which is labelled by it.
pub(crate) fn labelled<R>(ui: &mut Ui, label: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(label_width(), ROW), Sense::hover());
        let mut column =
            ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
        column.add(Label::new(WidgetText::from(label).weak()).truncate());
        seek::row(ui, label, |ui| ui.name_inputs(label, add))
    })
    .inner
}

/// A text field with an outline, visible on any panel; `name` is its accessible name.
pub(crate) fn field(ui: &mut Ui, edit: TextEdit<'_>, name: &str, line: Color32) -> Response {
    ui.scope(|ui| {
        field_line(ui, Some(line));
        ui.add(edit).accessible_name(name)
    })
    .inner
}

/// Sets the outline of fields: to this colour, or to the default.
pub(crate) fn field_line(ui: &mut Ui, line: Option<Color32>) {
    outline(ui.visuals_mut());
    if let Some(line) = line {
        ui.visuals_mut().widgets.inactive.bg_stroke.color = line;
    }
}

/// A check box with an outline, visible on any panel while unticked.
pub(crate) fn tick(ui: &mut Ui, enabled: bool, ticked: &mut bool, text: &str) -> Response {
    ui.scope(|ui| {
        outline(ui.visuals_mut());
        ui.add_enabled(enabled, Checkbox::new(ticked, text))
    })
    .inner
}

/// A radio button with an outline, visible on any panel while not chosen.
pub(crate) fn radio(ui: &mut Ui, chosen: bool, text: &str) -> Response {
    ui.scope(|ui| {
        outline(ui.visuals_mut());
        ui.radio(chosen, text)
    })
    .inner
}

/// A button that shows a colour and opens a picker; returns whether the colour was changed.
pub(crate) fn color_button(ui: &mut Ui, rgb: &mut [u8; 3], name: &str, about: &str) -> bool {
    let response = ui.color_edit_button_srgb(rgb).accessible_name(name).on_hover_text(about);
    // White would be invisible on a light panel.
    let line = Stroke::new(1.0, palette(ui).line);
    ui.painter().rect_stroke(response.rect, CORNER, line, StrokeKind::Inside);
    response.changed()
}

/// A row with a drop-down list of `options`; returns the new value.
pub(crate) fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    current: Option<T>,
    current_text: &str,
    options: impl IntoIterator<Item = (T, &'static str, Option<&'static str>)>,
) -> Option<T> {
    labelled(ui, label, |ui| {
        let width = ui.available_width();
        let mut picked = None;
        ComboBox::from_id_salt(label).selected_text(current_text).width(width).truncate().show_ui(ui, |ui| {
            for (value, text, about) in options {
                let response = option(ui, current == Some(value), text);
                if response.clicked() {
                    picked = Some(value);
                    ui.close();
                }
                if let Some(about) = about {
                    response.on_hover_text(about);
                }
            }
        });
        picked
    })
}

/// A row with a slider for a share, shown in percent; returns the new share.
pub(crate) fn percent_slider(ui: &mut Ui, label: &str, share: f32, range: RangeInclusive<f32>) -> Option<f32> {
    slider(ui, label, share * 100.0, *range.start() * 100.0..=*range.end() * 100.0, 0, tr(" %"))
        .map(|percent| percent / 100.0)
}

/// A row with a slider; returns the new value.
pub(crate) fn slider(
    ui: &mut Ui,
    label: &str,
    value: f32,
    range: RangeInclusive<f32>,
    decimals: usize,
    suffix: &str,
) -> Option<f32> {
    labelled(ui, label, |ui| {
        ui.spacing_mut().slider_width = (ui.available_width() - NUMBER_WIDTH - space::S).max(40.0);
        ui.spacing_mut().interact_size.x = NUMBER_WIDTH;
        ui.visuals_mut().selection.bg_fill = palette(ui).accent;
        let mut new = value;
        let slider = Slider::new(&mut new, range).fixed_decimals(decimals).suffix(suffix).custom_parser(parse_number);
        let changed = ui.add(slider).changed();
        // The slider rounds its value to the displayed decimals; that alone is not a change by the user.
        let min_step = 0.51 * 0.1_f32.powi(decimals as i32);
        (changed && (new - value).abs() > min_step).then_some(new)
    })
}

/// Small text on a dark patch, readable on any photo; `anchor` is the corner that `at` refers to. Returns the patch.
pub(crate) fn tag(painter: &Painter, palette: &Palette, at: Pos2, anchor: Align2, text: &str) -> Rect {
    let galley = painter.layout_no_wrap(text.to_owned(), small(), palette.on_tag);
    let padding = Vec2::new(space::XS, 1.0);
    let patch = anchor.anchor_size(at, galley.size() + padding * 2.0);
    painter.rect_filled(patch, 3.0, palette.tag);
    painter.galley(patch.min + padding, galley, palette.on_tag);
    patch
}
