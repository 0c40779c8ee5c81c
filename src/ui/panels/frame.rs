//! Below the canvas: the frame of the crop that the preview shows, in numbers, and the guides.

use egui::{Button, ComboBox, DragValue, RichText, Ui};

use super::super::command::{Command, Commands};
use super::super::state::{AppState, ShownFrame};
use super::super::theme::space;
use super::super::words;
use crate::geometry::{Grip, HandFrame, Point};
use crate::settings::Guides;

/// Points of a number's field.
const FIELD: f32 = 54.0;

/// In a bar less wide than this, in points, what has a key or an entry in the menu alone goes.
const NARROW: f32 = 560.0;

pub(super) fn frame_bar_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = space::XS;
        let narrow = ui.available_width() < NARROW;
        match state.shown_frame() {
            Some(shown) => {
                numbers_ui(ui, state, &shown, commands);
                if !narrow {
                    buttons_ui(ui, state, &shown, commands);
                }
            }
            None => _ = ui.label(RichText::new("No frame").weak()),
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| guides_ui(ui, state, commands));
    });
}

/// Place, size and turn, in pixels of the photo and degrees.
fn numbers_ui(ui: &mut Ui, state: &AppState, shown: &ShownFrame, commands: &mut Commands) {
    let (frame, pixels) = (shown.frame, shown.crop.frame);
    let keeps = (shown.locked || !state.tools.free_aspect).then_some(shown.aspect);
    let mut wanted = None;
    let (mut x, mut y) = (pixels.x, pixels.y);
    if field(ui, "X", DragValue::new(&mut x), "Left of the frame, in pixels of the photo") {
        wanted = Some(shown.kept(frame.moved(Point::new((x - pixels.x) as f32, 0.0))));
    }
    if field(ui, "Y", DragValue::new(&mut y), "Top of the frame, in pixels of the photo") {
        wanted = Some(shown.kept(frame.moved(Point::new(0.0, (y - pixels.y) as f32))));
    }
    let (mut width, mut height) = (pixels.width, pixels.height);
    let sides = 1..=HandFrame::MOST as u32;
    if field(ui, "W", DragValue::new(&mut width).range(sides.clone()), "Width of the frame, in pixels of the photo") {
        wanted = Some(sized(shown, Grip { x: 1, y: 0 }, width as f32 - frame.width, keeps));
    }
    if field(ui, "H", DragValue::new(&mut height).range(sides), "Height of the frame, in pixels of the photo") {
        wanted = Some(sized(shown, Grip { x: 0, y: 1 }, height as f32 - frame.height, keeps));
    }
    let mut angle = shown.crop.angle;
    let turn = DragValue::new(&mut angle).range(-180.0..=180.0).speed(0.1).max_decimals(1).suffix("°");
    if field(ui, "", turn, "Degrees that the frame is turned clockwise") {
        wanted = Some(shown.kept(frame.turned(angle)));
    }
    if let Some(frame) = wanted.filter(|wanted| *wanted != frame && wanted.is_usable()) {
        commands.push(Command::SetFrame(shown.face, Some(frame)));
    }
}

/// The frame with one side longer by `by` pixels, its middle kept.
fn sized(shown: &ShownFrame, grip: Grip, by: f32, aspect: Option<f32>) -> HandFrame {
    let frame = shown.frame;
    // Along the frame's own axes; pulled at both ends.
    let (sin, cos) = frame.angle.to_radians().sin_cos();
    let own = Point::new(f32::from(grip.x) * by, f32::from(grip.y) * by);
    let step = Point::new(own.x * cos - own.y * sin, own.x * sin + own.y * cos);
    let pulled = frame.pulled(grip, step, aspect);
    shown.kept(HandFrame { center: frame.center, ..pulled })
}

fn field(ui: &mut Ui, label: &str, value: DragValue<'_>, name: &str) -> bool {
    if !label.is_empty() {
        ui.label(RichText::new(label).weak().small());
    }
    ui.spacing_mut().interact_size.x = FIELD;
    ui.add(value.update_while_editing(false)).on_hover_text(name).accessible_name(name).changed()
}

fn buttons_ui(ui: &mut Ui, state: &AppState, shown: &ShownFrame, commands: &mut Commands) {
    ui.add_space(space::S);
    let free = state.tools.free_aspect && !shown.locked;
    let button = ui.add_enabled(!shown.locked, Button::selectable(free, "Free aspect"));
    let about = "Pull at a side without the others; hold Shift to do so once (R)";
    let button = button.on_hover_text(about).on_disabled_hover_text("This document keeps its proportions");
    if button.clicked() {
        commands.push(Command::SetFreeAspect(!free));
    }
    if shown.by_hand {
        let button = ui.button("Follow the head again").on_hover_text("Forget the frame that was set by hand");
        if button.clicked() {
            commands.push(Command::SetFrame(shown.face, None));
        }
    }
}

fn guides_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let now = state.settings.window.guides;
    let combo = ComboBox::from_id_salt("guides").selected_text(words::guides(now)).width(120.0);
    let combo = ui.name_inputs("Guides", |ui| {
        combo.show_ui(ui, |ui| {
            for guides in Guides::ALL {
                if ui.selectable_label(guides == now, words::guides(guides)).clicked() {
                    commands.push(Command::SetGuides(guides));
                }
            }
        })
    });
    combo.response.on_hover_text("Lines over the crop that help in placing it (G)");
    ui.label(RichText::new("Guides").weak().small());
}
