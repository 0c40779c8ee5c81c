//! Below the canvas: numeric fields for the previewed crop's frame, and the guides.

use batch::settings::Settings;
use egui::{Button, ComboBox, DragValue, Popup, PopupCloseBehavior, RichText, Ui, Vec2, vec2};

use batch::settings::Guides;
use geometry::{Grip, ManualFrame, Point};

use super::super::command::{Command, Commands};
use super::super::language::{parse_number, tr};
use super::super::messages;
use super::super::state::{AppState, AspectLock, CanvasGroup, ShownFrame};
use super::super::theme::space;
use super::super::widgets::{option, toggle_button};

/// Width of the list of guides, in points.
const GUIDES: f32 = 150.0;

/// Width of a number field, in points: a letter, a minus sign and four digits.
const FIELD: f32 = 54.0;

/// Minimum width of the bar and minimum height of the window for the fields beside each other, in points. With less, they
/// would need more than two rows, or take them from the photo.
const ROOM: Vec2 = vec2(400.0, 480.0);

pub(super) fn frame_bar_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    if ui.available_width() < ROOM.x || ui.ctx().content_rect().height() < ROOM.y {
        folded_ui(ui, state, commands);
        return;
    }
    // The height depends on the window only: otherwise the photo would move while its frame is dragged.
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::XS, space::XS);
        // At the default window size everything fits in one row.
        ui.spacing_mut().button_padding.x = space::XS;
        match state.shown_frame() {
            Some(shown) => {
                numbers_ui(ui, &state.canvas, &shown, commands);
                buttons_ui(ui, &state.canvas, &shown, commands);
            }
            None => _ = ui.label(RichText::new(tr("No frame")).weak()),
        }
        guides_ui(ui, &state.settings, commands);
    });
}

/// A button that opens the fields.
fn folded_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let button = ui.button(tr("Frame…")).on_hover_text(tr("Position, size and rotation of the frame, and guides"));
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::XS, space::XS);
        match state.shown_frame() {
            Some(shown) => {
                ui.horizontal(|ui| numbers_ui(ui, &state.canvas, &shown, commands));
                ui.horizontal(|ui| buttons_ui(ui, &state.canvas, &shown, commands));
            }
            None => _ = ui.label(RichText::new(tr("No frame")).weak()),
        }
        ui.separator();
        guide_items_ui(ui, &state.settings, commands);
    });
}

/// Position, size and rotation, in image pixels and degrees.
fn numbers_ui(ui: &mut Ui, canvas: &CanvasGroup, shown: &ShownFrame, commands: &mut Commands) {
    let (frame, pixels) = (shown.frame, shown.crop.frame);
    let keeps = (shown.locked.is_some() || !canvas.tools.free_aspect).then_some(shown.aspect);
    let mut wanted = None;
    let (mut x, mut y) = (pixels.x, pixels.y);
    if field(ui, DragValue::new(&mut x).prefix(tr("X ")), tr("Left edge of the frame, in photo pixels")) {
        wanted = Some(shown.kept(frame.moved(Point::new((x - pixels.x) as f32, 0.0))));
    }
    if field(ui, DragValue::new(&mut y).prefix(tr("Y ")), tr("Top edge of the frame, in photo pixels")) {
        wanted = Some(shown.kept(frame.moved(Point::new(0.0, (y - pixels.y) as f32))));
    }
    let (mut width, mut height) = (pixels.width, pixels.height);
    let sides = 1..=ManualFrame::MAX as u32;
    if field(
        ui,
        DragValue::new(&mut width).prefix(tr("W ")).range(sides.clone()),
        tr("Width of the frame, in photo pixels"),
    ) {
        wanted = Some(sized(shown, Grip { x: 1, y: 0 }, width as f32 - frame.width, keeps));
    }
    if field(ui, DragValue::new(&mut height).prefix(tr("H ")).range(sides), tr("Height of the frame, in photo pixels"))
    {
        wanted = Some(sized(shown, Grip { x: 0, y: 1 }, height as f32 - frame.height, keeps));
    }
    let mut angle = shown.crop.angle;
    let turn = DragValue::new(&mut angle).range(-180.0..=180.0).speed(0.1).max_decimals(1).suffix("°");
    if field(ui, turn, tr("Clockwise rotation of the frame, in degrees")) {
        wanted = Some(shown.kept(frame.rotated(angle)));
    }
    if let Some(frame) = wanted.filter(|wanted| *wanted != frame && wanted.is_usable()) {
        commands.push(Command::SetFrame(shown.face, Some(frame)));
    }
}

/// The frame with one side longer by `by` pixels, its centre unchanged.
fn sized(shown: &ShownFrame, grip: Grip, by: f32, aspect: Option<f32>) -> ManualFrame {
    let frame = shown.frame;
    // Along the frame's own axes; half of it at either end.
    let (sin, cos) = frame.angle.to_radians().sin_cos();
    let own = Point::new(f32::from(grip.x) * by, f32::from(grip.y) * by);
    let step = Point::new(own.x * cos - own.y * sin, own.x * sin + own.y * cos);
    let pulled = frame.resized(grip, step, aspect);
    shown.kept(ManualFrame { center: frame.center, ..pulled })
}

fn field(ui: &mut Ui, value: DragValue<'_>, name: &str) -> bool {
    ui.spacing_mut().interact_size.x = FIELD;
    ui.add(value.update_while_editing(false).custom_parser(parse_number))
        .on_hover_text(name)
        .accessible_name(name)
        .changed()
}

fn buttons_ui(ui: &mut Ui, canvas: &CanvasGroup, shown: &ShownFrame, commands: &mut Commands) {
    let free = canvas.tools.free_aspect && shown.locked.is_none();
    let button = toggle_button(ui, shown.locked.is_none(), free, tr("Free aspect ratio"));
    let about = tr("Changes one side without the others; hold Shift to do it once (R)");
    let button = button.on_hover_text(about).on_disabled_hover_text(match shown.locked {
        Some(AspectLock::Variant) => tr("Only the frame of the first output can have another aspect ratio"),
        Some(AspectLock::Rules) | None => tr("The rules of this preset fix the aspect ratio"),
    });
    if button.clicked() {
        commands.push(Command::SetFreeAspect(!free));
    }
    let button = ui.add_enabled(shown.manual, Button::new(tr("Reset frame")));
    let button = button.on_hover_text(tr("Discards the manual frame; it follows the head again"));
    if button.on_disabled_hover_text(tr("The frame already follows the head")).clicked() {
        commands.push(Command::SetFrame(shown.face, None));
    }
}

fn guides_ui(ui: &mut Ui, settings: &Settings, commands: &mut Commands) {
    let now = settings.window.guides;
    let combo = ComboBox::from_id_salt("guides").selected_text(tr(messages::guides_chosen(now))).width(GUIDES);
    let combo = ui.name_inputs(tr("Guides"), |ui| combo.show_ui(ui, |ui| guide_items_ui(ui, settings, commands)));
    combo.response.on_hover_text(tr("Guide lines over the crop (G)"));
}

fn guide_items_ui(ui: &mut Ui, settings: &Settings, commands: &mut Commands) {
    for guides in Guides::ALL {
        if option(ui, guides == settings.window.guides, tr(messages::guides(guides))).clicked() {
            commands.push(Command::SetGuides(guides));
            ui.close();
        }
    }
}
