//! Right panel: which faces are cropped, and the thoroughness of detection.

use batch::settings::Settings;
use egui::Ui;

use recipe::{CropSpec, Select, Thoroughness};

use super::super::command::{Command, Commands};
use super::super::language::{say, tr};
use super::super::messages;
use super::super::state::AppState;
use super::super::widgets::{choice, labelled, number, section, slider, tick};

/// Maximum of the minimum size and of the expected number of faces.
const MAX: u32 = 10_000;

pub(super) fn faces_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    section(ui, tr("Faces"), true, |ui| {
        let old = state.own_crop_spec();
        let mut spec = old.clone();
        let selects = [Select::Largest, Select::Best, Select::Central, Select::All];
        let selects = selects.map(|select| (select, messages::select(select), about_select(select)));
        if let Some(select) = choice(ui, tr("Faces to crop"), Some(spec.select), messages::select(spec.select), selects)
        {
            spec.select = select;
        }
        let threshold = state.settings.detect.score_threshold.clamp(0.0, 0.95);
        if let Some(score) = slider(ui, tr("Minimum score"), spec.min_score, threshold..=1.0, 2, "") {
            spec.min_score = score;
        }
        labelled(ui, tr("Minimum size"), |ui| {
            let about = tr("Ignores faces with a smaller box height");
            number(ui, &mut spec.min_size, 0..=MAX, tr(" px"), tr("Minimum face height in pixels"), about);
        });
        expected_ui(ui, &mut spec);
        if spec != *old {
            commands.push(Command::SetSelection(spec));
        }
        passes_ui(ui, &state.settings, commands);
    });
}

fn expected_ui(ui: &mut Ui, spec: &mut CropSpec) {
    let expected = &mut spec.expected;
    let side = |ui: &mut Ui, label: &str, text: &str, value: &mut Option<u32>, start: u32| {
        labelled(ui, label, |ui| {
            let mut limited = value.is_some();
            let about = tr("Marks photos for review if the number of faces differs");
            let changed = tick(ui, true, &mut limited, text).on_hover_text(about).changed();
            if changed {
                *value = limited.then_some(start);
            }
            let Some(value) = value else { return changed };
            number(ui, value, 1..=MAX, "", &say!("Faces expected: {how_many}", how_many = text), about) || changed
        })
    };
    if side(ui, tr("Faces expected"), tr("at least"), &mut expected.min, 1)
        && let (Some(min), Some(max)) = (expected.min, &mut expected.max)
    {
        *max = (*max).max(min);
    }
    if side(ui, "", tr("at most"), &mut expected.max, expected.min.unwrap_or(1))
        && let (Some(max), Some(min)) = (expected.max, &mut expected.min)
    {
        *min = (*min).min(max);
    }
}

fn passes_ui(ui: &mut Ui, settings: &Settings, commands: &mut Commands) {
    let now = settings.detect.thoroughness;
    let levels = Thoroughness::ALL.map(|level| (level, messages::thoroughness(level), Some(about_passes(level))));
    if let Some(level) = choice(ui, tr("Detection"), Some(now), messages::thoroughness(now), levels) {
        commands.push(Command::SetThoroughness(level));
    }
}

fn about_select(select: Select) -> Option<&'static str> {
    match select {
        Select::Best => Some(tr("By score, open eyes, sharpness, pose, size and distance from the middle")),
        Select::Largest | Select::Central | Select::All => None,
    }
}

fn about_passes(level: Thoroughness) -> &'static str {
    match level {
        Thoroughness::Fast => tr("One detection pass over the whole photo"),
        Thoroughness::Balanced => tr("Further passes if the first result is uncertain"),
        Thoroughness::Thorough => tr("All passes that may find more faces; slower for large photos"),
    }
}
