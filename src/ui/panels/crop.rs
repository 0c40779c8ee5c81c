//! Right panel: framing of heads.

use egui::{DragValue, Ui};

use recipe::{CropSpec, EdgePolicy, Position, PresetSize};

use super::super::command::{Command, Commands};
use super::super::language::{decimal, parse_number, say, tr};
use super::super::messages;
use super::super::state::AppState;
use super::super::theme::space;
use super::super::widgets::{choice, color_button, heading, labelled, note, number, percent_slider, section, tick};
use super::presets;

pub(super) fn crop_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let old = state.crop_spec();
    let mut spec = old.clone();
    heading(ui, tr("Preset"));
    presets::presets_ui(ui, state, commands);
    size_ui(ui, state, &mut spec);
    if let Some(share) = percent_slider(ui, tr("Head height"), spec.head_height, CropSpec::MIN_HEAD_HEIGHT..=1.0) {
        spec.head_height = share;
    }
    position_ui(ui, &mut spec);
    section(ui, tr("Alignment and edges"), false, |ui| {
        if let Some(share) = percent_slider(ui, tr("Shift"), spec.shift_right, -0.5..=0.5) {
            spec.shift_right = share;
        }
        alignment_ui(ui, &mut spec);
        edges_ui(ui, &mut spec);
    });
    if spec != *old {
        commands.push(Command::SetCrop(spec));
    }
}

fn size_ui(ui: &mut Ui, state: &AppState, spec: &mut CropSpec) {
    labelled(ui, tr("Size"), |ui| {
        let width = (ui.available_width() - 48.0) / 2.0;
        ui.spacing_mut().interact_size.x = width;
        ui.spacing_mut().item_spacing.x = space::XS;
        let side = |ui: &mut Ui, value: &mut u32, name: &str| {
            ui.add(DragValue::new(value).range(1..=CropSpec::MAX_SIDE).custom_parser(parse_number))
                .on_hover_text(name)
                .accessible_name(name)
        };
        side(ui, &mut spec.output.width, tr("Width in pixels"));
        ui.weak("x");
        side(ui, &mut spec.output.height, tr("Height in pixels"));
        ui.weak(tr("px"));
    });
    labelled(ui, "", |ui| {
        let about = tr("Keeps the photo's own pixels; width and height only give the aspect ratio");
        tick(ui, true, &mut spec.original_size, tr("Original size")).on_hover_text(about);
    });
    if spec.original_size {
        return;
    }
    if let Some(PresetSize::Print { mm: [width, height], dpi }) = state.current_preset().map(|preset| preset.size) {
        labelled(ui, "", |ui| {
            note(
                ui,
                say!(
                    "{width} x {height} mm at {dpi} dpi",
                    width = millimetres(width),
                    height = millimetres(height),
                    dpi = dpi
                ),
            )
        });
    }
}

/// With one decimal, or none if it is zero.
fn millimetres(length: f64) -> String {
    decimal(length, usize::from((length * 10.0).round() % 10.0 != 0.0))
}

fn position_ui(ui: &mut Ui, spec: &mut CropSpec) {
    let kinds = [Position::Middle, Position::EyeLine { from_bottom: 0.6 }, Position::Headroom { share: 0.1 }];
    let kinds = kinds.map(|kind| (kind, messages::position(kind), None));
    if let Some(position) = choice(ui, tr("Position by"), Some(spec.position), messages::position(spec.position), kinds)
    {
        spec.position = position;
    }
    let name = messages::position(spec.position);
    let share = match &mut spec.position {
        Position::Middle => return,
        Position::EyeLine { from_bottom: share } | Position::Headroom { share } => share,
    };
    if let Some(changed) = percent_slider(ui, name, *share, 0.0..=1.0) {
        *share = changed;
    }
}

fn alignment_ui(ui: &mut Ui, spec: &mut CropSpec) {
    labelled(ui, tr("Hair"), |ui| {
        let about = tr("Enlarges the frame if it would cut off the hair; headroom is measured from the hair");
        tick(ui, true, &mut spec.keep_hair, tr("Keep hair")).on_hover_text(about);
    });
    labelled(ui, tr("Tilt"), |ui| {
        let about = tr("Rotates the photo around the face until the eyes are level");
        tick(ui, true, &mut spec.level, tr("Level the eyes")).on_hover_text(about);
        if spec.level {
            let name = tr("Level up to");
            let about = tr("Heads tilted more than this are not levelled and are marked for review");
            number(ui, &mut spec.level_limit, 0.0..=CropSpec::MAX_LEVEL_LIMIT, "°", name, about);
        }
    });
    labelled(ui, tr("Rotation"), |ui| {
        let about = tr("Rotates sideways and upside-down heads upright in steps of 90 degrees");
        tick(ui, true, &mut spec.turn_upright, tr("Turn upright")).on_hover_text(about);
    });
}

fn edges_ui(ui: &mut Ui, spec: &mut CropSpec) {
    let unaltered = spec.rules.as_ref().is_some_and(|rules| rules.unaltered);
    let edges = [EdgePolicy::Shrink, EdgePolicy::Pad, EdgePolicy::Extend, EdgePolicy::Blur];
    let edges = edges.into_iter().filter(|edge| !(unaltered && edge.adds_pixels()));
    let edges = edges.map(|edge| (edge, messages::edge(edge), Some(about_edge(edge))));
    if let Some(edge) = choice(ui, tr("Beyond the edge"), Some(spec.edge), messages::edge(spec.edge), edges) {
        spec.edge = edge;
    }
    if unaltered {
        labelled(ui, "", |ui| note(ui, tr("This document does not allow added content, so fill options are hidden")));
    }
    if spec.edge.adds_pixels()
        && let Some(share) = percent_slider(ui, tr("Maximum fill"), spec.max_padding, 0.0..=1.0)
    {
        spec.max_padding = share;
    }
    labelled(ui, tr("Fill colour"), |ui| {
        let about = tr("Fills areas beyond the edge, outside a shape, and behind transparent parts of a photo");
        color_button(ui, &mut spec.fill.rgb, tr("Fill colour"), about);
    });
}

fn about_edge(edge: EdgePolicy) -> &'static str {
    match edge {
        EdgePolicy::Shrink => tr("Moves the frame into the photo; a head near the edge is then off centre"),
        EdgePolicy::Pad => tr("Keeps the frame and fills the area outside the photo with the fill colour"),
        EdgePolicy::Extend => tr("Keeps the frame and extends the pixels at the photo's edge"),
        EdgePolicy::Blur => tr("Keeps the frame and fills the outside with a mirrored, blurred copy of the photo"),
    }
}
