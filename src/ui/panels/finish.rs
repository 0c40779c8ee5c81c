//! Right panel: shape, background, light and colour of the crops.

use egui::Ui;

use recipe::{Background, Color, FinishSpec, OutputFormat, Shape};

use super::super::command::{Command, Commands};
use super::super::language::{say, tr};
use super::super::state::AppState;
use super::super::widgets::{choice, color_button, labelled, note, percent_slider, section, slider, tick};
use crate::background_colors::{BLUE, LIGHT_GREY};

/// Initial corner radius.
const DEFAULT_RADIUS: f32 = 0.1;

/// The colours with a name.
const NAMED: [Color; 3] = [Color::WHITE, LIGHT_GREY, BLUE];

/// Initial other colour of the background: cream, which UK documents allow.
const CREAM: Color = Color { rgb: [0xFF, 0xFD, 0xD0] };

pub(super) fn finish_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    section(ui, tr("Finish"), false, |ui| {
        let unaltered = state.crop_spec().rules.as_ref().is_some_and(|rules| rules.unaltered);
        if unaltered {
            note(ui, tr("Off: this document does not allow altered photos"));
        }
        let mut finish = state.finish();
        ui.add_enabled_ui(!unaltered, |ui| {
            shape_ui(ui, &mut finish);
            background_ui(ui, &mut finish.background, state.encode().format);
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

fn background_ui(ui: &mut Ui, background: &mut Background, format: OutputFormat) {
    let plain = |color| Background::Plain { color };
    let other = match *background {
        Background::Plain { color } if !NAMED.contains(&color) => color,
        _ => CREAM,
    };
    let [white, grey, blue] = NAMED.map(plain);
    let offered = [Background::Keep, white, grey, blue, plain(other), Background::Transparent];
    let offered = offered.map(|kind| (kind, background_name(kind), about_background(kind)));
    if let Some(kind) = choice(ui, tr("Background"), Some(*background), background_name(*background), offered) {
        *background = kind;
    }
    match background {
        Background::Keep => {}
        // Shown for named colours too: its popup must stay open if the user passes one of them.
        Background::Plain { color } => labelled(ui, tr("Colour"), |ui| {
            let about = tr("Replaces everything that is not a person");
            color_button(ui, &mut color.rgb, tr("Background colour"), about);
        }),
        Background::Transparent if format.has_alpha() => {}
        Background::Transparent => labelled(ui, "", |ui| {
            let text =
                say!("{format} stores no transparency: the background gets the fill colour", format = format.name());
            note(ui, text);
        }),
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

fn background_name(background: Background) -> &'static str {
    match background {
        Background::Keep => tr("Keep"),
        Background::Plain { color } if color == Color::WHITE => tr("White"),
        Background::Plain { color } if color == LIGHT_GREY => tr("Light grey"),
        Background::Plain { color } if color == BLUE => tr("Blue"),
        Background::Plain { .. } => tr("Other colour"),
        Background::Transparent => tr("Transparent"),
    }
}

fn about_background(background: Background) -> Option<&'static str> {
    match background {
        Background::Keep => Some(tr("Keeps the photo's background")),
        Background::Plain { .. } => None,
        Background::Transparent => Some(tr("Removes the background; formats without transparency get the fill colour")),
    }
}
