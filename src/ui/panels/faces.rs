//! At the right: which faces are cropped, and how hard they are looked for.

use batch::settings::Settings;
use egui::Ui;

use recipe::{CropSpec, Select, Thoroughness};

use super::super::command::{Command, Commands};
use super::super::language::{say, tr};
use super::super::state::AppState;
use super::super::widgets::{choice, labelled, number, section, slider, tick};
use super::super::words;

/// The highest least size and the most faces that can be asked for.
const MAX: u32 = 10_000;

pub(super) fn faces_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    section(ui, tr("Faces"), true, |ui| {
        let old = state.crop_spec();
        let mut spec = old.clone();
        let selects = [Select::Largest, Select::Best, Select::Central, Select::All];
        let selects = selects.map(|select| (select, words::select(select), None));
        if let Some(select) = choice(ui, tr("Crop which"), Some(spec.select), words::select(spec.select), selects) {
            spec.select = select;
        }
        let threshold = state.settings.detect.score_threshold.clamp(0.0, 0.95);
        if let Some(score) = slider(ui, tr("Least score"), spec.min_score, threshold..=1.0, 2, "") {
            spec.min_score = score;
        }
        labelled(ui, tr("Least size"), |ui| {
            let about = tr("Faces whose box is less high than this are passed over");
            number(ui, &mut spec.min_size, 0..=MAX, tr(" px"), tr("Least height of a face in pixels"), about);
        });
        expected_ui(ui, &mut spec);
        if spec != *old {
            commands.push(Command::SetCrop(spec));
        }
        looks_ui(ui, &state.settings, commands);
    });
}

fn expected_ui(ui: &mut Ui, spec: &mut CropSpec) {
    let expected = &mut spec.expected;
    let side = |ui: &mut Ui, label: &str, text: &str, value: &mut Option<u32>, start: u32| {
        labelled(ui, label, |ui| {
            let mut asked = value.is_some();
            let about = tr("Photos with another number of faces need a look");
            let changed = tick(ui, true, &mut asked, text).on_hover_text(about).changed();
            if changed {
                *value = asked.then_some(start);
            }
            let Some(value) = value else { return changed };
            number(ui, value, 1..=MAX, "", &say!("Faces expected {how_many}", how_many = text), about) || changed
        })
    };
    if side(ui, tr("Expected"), tr("no fewer than"), &mut expected.min, 1)
        && let (Some(min), Some(max)) = (expected.min, &mut expected.max)
    {
        *max = (*max).max(min);
    }
    if side(ui, "", tr("no more than"), &mut expected.max, expected.min.unwrap_or(1))
        && let (Some(max), Some(min)) = (expected.max, &mut expected.min)
    {
        *min = (*min).min(max);
    }
}

fn looks_ui(ui: &mut Ui, settings: &Settings, commands: &mut Commands) {
    let now = settings.detect.thoroughness;
    let levels = Thoroughness::ALL.map(|level| (level, words::thoroughness(level), Some(about_looks(level))));
    if let Some(level) = choice(ui, tr("Looks"), Some(now), words::thoroughness(now), levels) {
        commands.push(Command::SetThoroughness(level));
    }
}

fn about_looks(level: Thoroughness) -> &'static str {
    match level {
        Thoroughness::Fast => tr("One look at the whole photo"),
        Thoroughness::Balanced => tr("More looks where the first one leaves a doubt"),
        Thoroughness::Thorough => tr("All looks that may find something; slower for large photos"),
    }
}
