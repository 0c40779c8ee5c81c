//! At the right: how faces are chosen and framed.

use egui::{DragValue, StrokeKind, Ui};

use super::super::command::{Command, Commands};
use super::super::state::AppState;
use super::super::theme::{CORNER, space};
use super::super::widgets::{choice, heading, labelled, percent_slider, slider};
use super::super::words;
use crate::plan::{Color, CropSpec, EdgePolicy, PRESETS, Position, Select};

pub(super) fn crop_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let old = &state.settings.crop;
    let mut spec = old.clone();
    heading(ui, "Crop");
    preset_ui(ui, &mut spec);
    size_ui(ui, &mut spec);
    if let Some(share) = percent_slider(ui, "Face height", spec.face_height, CropSpec::MIN_FACE_HEIGHT..=1.0) {
        spec.face_height = share;
    }
    position_ui(ui, &mut spec);
    let edges = [EdgePolicy::Shrink, EdgePolicy::Pad].map(|edge| (edge, words::edge(edge), Some(about_edge(edge))));
    if let Some(edge) = choice(ui, "Past the edge", Some(spec.edge), words::edge(spec.edge), edges) {
        spec.edge = edge;
    }
    labelled(ui, "Fill colour", |ui| {
        let mut rgb = spec.fill.rgb;
        let about = "For what lies past the edge, and under transparent parts of a photo";
        let response = ui.color_edit_button_srgb(&mut rgb).accessible_name("Fill colour").on_hover_text(about);
        // White on a light panel would not be seen.
        let line = ui.visuals().widgets.hovered.bg_stroke;
        ui.painter().rect_stroke(response.rect, CORNER, line, StrokeKind::Inside);
        if response.changed() {
            spec.fill = Color { rgb };
        }
    });
    ui.add_space(space::XS);
    heading(ui, "Faces");
    let selects = [Select::Largest, Select::Best, Select::Central, Select::All];
    let selects = selects.map(|select| (select, words::select(select), None));
    if let Some(select) = choice(ui, "Crop which", Some(spec.select), words::select(spec.select), selects) {
        spec.select = select;
    }
    let floor = state.settings.detect.score_floor.clamp(0.0, 0.95);
    if let Some(score) = slider(ui, "Least score", spec.min_score, floor..=1.0, 2, "") {
        spec.min_score = score;
    }
    if spec != *old {
        commands.push(Command::SetCrop(spec));
    }
}

fn preset_ui(ui: &mut Ui, spec: &mut CropSpec) {
    let current = PRESETS.iter().position(|preset| preset.matches(spec));
    let name = current.map_or("Custom", |index| PRESETS[index].name);
    let options = PRESETS.iter().enumerate().map(|(index, preset)| (index, preset.name, Some(preset.about)));
    if let Some(index) = choice(ui, "Preset", current, name, options) {
        PRESETS[index].apply_to(spec);
    }
}

fn size_ui(ui: &mut Ui, spec: &mut CropSpec) {
    labelled(ui, "Size", |ui| {
        let width = (ui.available_width() - 48.0) / 2.0;
        ui.spacing_mut().interact_size.x = width;
        ui.spacing_mut().item_spacing.x = space::XS;
        let side = |ui: &mut Ui, value: &mut u32, name: &str| {
            ui.add(DragValue::new(value).range(1..=CropSpec::MAX_SIDE)).on_hover_text(name).accessible_name(name)
        };
        side(ui, &mut spec.output.width, "Width in pixels");
        ui.weak("x");
        side(ui, &mut spec.output.height, "Height in pixels");
        ui.weak("px");
    });
}

fn position_ui(ui: &mut Ui, spec: &mut CropSpec) {
    // Custom starts where the face stands now.
    let (right, down) = match spec.position {
        Position::Offset { right, down } => (right, down),
        Position::Center | Position::UpperThird => (0.0, 0.0),
    };
    let kinds = [Position::Center, Position::UpperThird, Position::Offset { right, down }];
    let kinds = kinds.map(|kind| (kind, words::position(kind), None));
    if let Some(position) = choice(ui, "Position", Some(spec.position), words::position(spec.position), kinds) {
        spec.position = position;
    }
    if let Position::Offset { right, down } = &mut spec.position {
        if let Some(share) = percent_slider(ui, "To the right", *right, -0.5..=0.5) {
            *right = share;
        }
        if let Some(share) = percent_slider(ui, "Down", *down, -0.5..=0.5) {
            *down = share;
        }
    }
}

const fn about_edge(edge: EdgePolicy) -> &'static str {
    match edge {
        EdgePolicy::Shrink => "The frame is made smaller until it lies inside the photo; nothing is invented",
        EdgePolicy::Pad => "The frame stays as it is and what lies outside the photo is filled",
    }
}
