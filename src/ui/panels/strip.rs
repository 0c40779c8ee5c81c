//! Right panel, below the preview: a small preview of each output.

use egui::{Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::super::canvas::paint_small;
use super::super::command::{Command, Commands, OutputCommand};
use super::super::language::say;
use super::super::messages;
use super::super::state::AppState;
use super::super::textures::Textures;
use super::super::theme::{CORNER, palette, space};

/// Height of the strip in points.
pub(super) const HEIGHT: f32 = 64.0;

/// Side of a preview in points.
const SIDE: f32 = 52.0;

/// Draws nothing for a single output. A click on a preview makes its output the active one.
pub(super) fn strip_ui(ui: &mut Ui, state: &AppState, textures: &mut Textures, commands: &mut Commands) {
    if state.output_count() == 1 {
        return;
    }
    ScrollArea::horizontal().id_salt("outputs").max_height(HEIGHT).auto_shrink([false, true]).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = space::XS;
            for output in 0..state.output_count() {
                item_ui(ui, state, output, textures, commands);
            }
        });
    });
}

fn item_ui(ui: &mut Ui, state: &AppState, output: usize, textures: &mut Textures, commands: &mut Commands) {
    let is_active = output == state.active_output();
    let (rect, response) = ui.allocate_exact_size(vec2(SIDE + space::XS, SIDE + space::XS), Sense::click());
    let preset = state.shared_preset_of(output).map(messages::preset_name);
    let name = messages::output_name(state.place_of(output), preset);
    let text = say!("Preview of output {number}: {name}", number = output + 1, name = name);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_active, &text));
    if response.clicked() {
        commands.push(Command::Outputs(OutputCommand::Activate(output)));
    }
    let palette = palette(ui);
    if let Some(crop) = state.crop_of(output) {
        let size = vec2(crop.output.width as f32, crop.output.height as f32);
        let scaled = size * (SIDE / size.max_elem().max(1.0));
        let target = Rect::from_center_size(rect.center(), scaled);
        if ui.is_rect_visible(rect) {
            paint_small(ui, state, (output, &crop), target, textures);
        }
    } else {
        ui.painter().rect_filled(rect.shrink(space::XS / 2.0), CORNER, palette.canvas);
    }
    if is_active || response.hovered() || response.has_focus() {
        let color = if is_active { palette.accent } else { palette.line };
        ui.painter().rect_stroke(rect, CORNER, Stroke::new(2.0, color), StrokeKind::Inside);
    }
    response.on_hover_text(text);
}
