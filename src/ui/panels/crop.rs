//! At the right: how faces are chosen and framed.

use egui::{DragValue, StrokeKind, Ui};

use super::super::command::{Command, Commands};
use super::super::state::AppState;
use super::super::theme::{CORNER, space};
use super::super::widgets::{choice, heading, labelled, percent_slider, slider};
use super::super::words;
use crate::plan::{Color, CropSpec, EdgePolicy, Position, Select, built_in_presets};

pub(super) fn crop_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let old = &state.settings.crop;
    let mut spec = old.clone();
    heading(ui, "Crop");
    preset_ui(ui, &mut spec);
    size_ui(ui, &mut spec);
    if let Some(share) = percent_slider(ui, "Head height", spec.head_height, CropSpec::MIN_HEAD_HEIGHT..=1.0) {
        spec.head_height = share;
    }
    position_ui(ui, &mut spec);
    let edges = [EdgePolicy::Shrink, EdgePolicy::Pad, EdgePolicy::Extend, EdgePolicy::Blur]
        .map(|edge| (edge, words::edge(edge), Some(about_edge(edge))));
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
    let presets = built_in_presets();
    let current = presets.iter().position(|preset| preset.matches(spec));
    let name = current.map_or("Custom", |index| presets[index].name.as_str());
    let options =
        presets.iter().enumerate().map(|(index, preset)| (index, preset.name.as_str(), Some(preset.about.as_str())));
    if let Some(index) = choice(ui, "Preset", current, name, options) {
        presets[index].apply_to(spec);
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
    let kinds = [Position::Middle, Position::EyeLine { from_bottom: 0.6 }, Position::Headroom { share: 0.1 }];
    let kinds = kinds.map(|kind| (kind, words::position(kind), None));
    if let Some(position) = choice(ui, "Placed by", Some(spec.position), words::position(spec.position), kinds) {
        spec.position = position;
    }
    let name = words::position(spec.position);
    let share = match &mut spec.position {
        Position::Middle => return,
        Position::EyeLine { from_bottom: share } | Position::Headroom { share } => share,
    };
    if let Some(changed) = percent_slider(ui, name, *share, 0.0..=1.0) {
        *share = changed;
    }
}

const fn about_edge(edge: EdgePolicy) -> &'static str {
    match edge {
        EdgePolicy::Shrink => "The frame is made smaller until it lies inside the photo; nothing is invented",
        EdgePolicy::Pad => "The frame stays as it is and what lies outside the photo is filled",
        EdgePolicy::Extend => "The frame stays as it is and the pixels at the photo's edge are drawn out",
        EdgePolicy::Blur => "The frame stays as it is and shows a mirrored, blurred copy of the photo outside it",
    }
}
