//! At the right: which faces are cropped, and how hard they are looked for.

use egui::Ui;

use super::super::command::{Command, Commands};
use super::super::state::AppState;
use super::super::widgets::{choice, labelled, number, section, slider, tick};
use super::super::words;
use crate::detect::Thoroughness;
use crate::plan::{CropSpec, Select};

/// The highest least size and the most faces that can be asked for.
const MOST: u32 = 10_000;

pub(super) fn faces_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    section(ui, "Faces", true, |ui| {
        let old = state.crop_spec();
        let mut spec = old.clone();
        let selects = [Select::Largest, Select::Best, Select::Central, Select::All];
        let selects = selects.map(|select| (select, words::select(select), None));
        if let Some(select) = choice(ui, "Crop which", Some(spec.select), words::select(spec.select), selects) {
            spec.select = select;
        }
        let floor = state.settings.detect.score_floor.clamp(0.0, 0.95);
        if let Some(score) = slider(ui, "Least score", spec.min_score, floor..=1.0, 2, "") {
            spec.min_score = score;
        }
        labelled(ui, "Least size", |ui| {
            let about = "Faces whose box is less high than this are passed over";
            number(ui, &mut spec.min_size, 0..=MOST, " px", "Least height of a face in pixels", about);
        });
        expected_ui(ui, &mut spec);
        if spec != *old {
            commands.push(Command::SetCrop(spec));
        }
        looks_ui(ui, state, commands);
    });
}

fn expected_ui(ui: &mut Ui, spec: &mut CropSpec) {
    let expected = &mut spec.expected;
    let side = |ui: &mut Ui, label: &str, text: &str, value: &mut Option<u32>, start: u32| {
        labelled(ui, label, |ui| {
            let mut asked = value.is_some();
            let about = "Photos with another number of faces need a look";
            let changed = tick(ui, true, &mut asked, text).on_hover_text(about).changed();
            if changed {
                *value = asked.then_some(start);
            }
            let Some(value) = value else { return changed };
            number(ui, value, 1..=MOST, "", &format!("Faces expected {text}"), about) || changed
        })
    };
    if side(ui, "Expected", "no fewer than", &mut expected.least, 1)
        && let (Some(least), Some(most)) = (expected.least, &mut expected.most)
    {
        *most = (*most).max(least);
    }
    if side(ui, "", "no more than", &mut expected.most, expected.least.unwrap_or(1))
        && let (Some(most), Some(least)) = (expected.most, &mut expected.least)
    {
        *least = (*least).min(most);
    }
}

fn looks_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let now = state.settings.detect.thoroughness;
    let levels = Thoroughness::ALL.map(|level| (level, words::thoroughness(level), Some(about_looks(level))));
    if let Some(level) = choice(ui, "Looks", Some(now), words::thoroughness(now), levels) {
        commands.push(Command::SetThoroughness(level));
    }
}

const fn about_looks(level: Thoroughness) -> &'static str {
    match level {
        Thoroughness::Fast => "One look at the whole photo",
        Thoroughness::Balanced => "More looks where the first one leaves a doubt",
        Thoroughness::Thorough => "All looks that may find something; slower for large photos",
    }
}
