//! Right panel: shape, light and colour of the crops.

use egui::Ui;

use recipe::{FinishSpec, Shape};

use super::super::command::{Command, Commands};
use super::super::language::tr;
use super::super::state::AppState;
use super::super::widgets::{choice, labelled, note, percent_slider, section, slider, tick};

/// Initial corner radius.
const DEFAULT_RADIUS: f32 = 0.1;

pub(super) fn finish_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    section(ui, tr("Finish"), false, |ui| {
        let unaltered = state.crop_spec().rules.as_ref().is_some_and(|rules| rules.unaltered);
        if unaltered {
            note(ui, tr("Off: this document does not allow altered photos"));
        }
        let mut finish = state.finish();
        ui.add_enabled_ui(!unaltered, |ui| {
            shape_ui(ui, &mut finish);
            adjust_ui(ui, &mut finish);
        });
        if finish != state.finish() {
            commands.push(Command::SetFinish(finish));
        }
    });
}

fn shape_ui(ui: &mut Ui, finish: &mut FinishSpec) {
    let shapes = [Shape::Rectangle, Shape::Rounded { radius: DEFAULT_RADIUS }, Shape::Ellipse];
    let shapes = shapes.map(|shape| (shape, name(shape), None));
    if let Some(shape) = choice(ui, tr("Shape"), Some(finish.shape), name(finish.shape), shapes) {
        finish.shape = shape;
    }
    if let Shape::Rounded { radius } = &mut finish.shape
        && let Some(changed) = percent_slider(ui, tr("Corners"), *radius, 0.0..=0.5)
    {
        *radius = changed;
    }
    if let Some(share) = percent_slider(ui, tr("Soft edge"), finish.soft_edge, 0.0..=FinishSpec::MAX_SOFT_EDGE) {
        finish.soft_edge = share;
    }
    if finish.shape != Shape::Rectangle || finish.soft_edge > 0.0 {
        labelled(ui, tr("Outside"), |ui| {
            let about = tr("If off, the outside is transparent if the format supports it");
            tick(ui, true, &mut finish.fill_outside, tr("Use fill colour")).on_hover_text(about);
        });
    }
}

fn adjust_ui(ui: &mut Ui, finish: &mut FinishSpec) {
    let adjust = &mut finish.adjust;
    if let Some(stops) = slider(ui, tr("Exposure"), adjust.exposure, -2.0..=2.0, 1, "") {
        adjust.exposure = stops;
    }
    if let Some(share) = percent_slider(ui, tr("Contrast"), adjust.contrast, -1.0..=1.0) {
        adjust.contrast = share;
    }
    if let Some(share) = percent_slider(ui, tr("Sharpen"), adjust.sharpen, 0.0..=1.0) {
        adjust.sharpen = share;
    }
    labelled(ui, tr("Colour cast"), |ui| {
        let about = tr("Removes a colour cast");
        tick(ui, true, &mut adjust.white_balance, tr("White balance")).on_hover_text(about);
    });
}

fn name(shape: Shape) -> &'static str {
    match shape {
        Shape::Rectangle => tr("Rectangle"),
        Shape::Rounded { .. } => tr("Round corners"),
        Shape::Ellipse => tr("Ellipse"),
    }
}
