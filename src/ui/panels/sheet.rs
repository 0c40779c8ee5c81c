//! At the right: the sheet to print.

use egui::Ui;

use super::super::command::{Command, Commands};
use super::super::state::AppState;
use super::super::widgets::{choice, labelled, note, number, section, tick, warned};
use super::super::words;
use crate::plan::{Paper, SheetFormat, SheetSpec};

pub(super) fn sheet_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    section(ui, "Print sheet", false, |ui| {
        let mut sheet = state.settings.sheet;
        let now = sheet.map(|sheet| sheet.paper);
        let papers = [None].into_iter().chain(Paper::ALL.map(Some)).map(|paper| (paper, name(paper), None));
        if let Some(paper) = choice(ui, "Paper", Some(now), name(now), papers) {
            sheet = paper.map(|paper| SheetSpec { paper, ..sheet.unwrap_or_default() });
        }
        if let Some(sheet) = &mut sheet {
            copies_ui(ui, sheet);
            let formats = SheetFormat::ALL.map(|format| (format, format.name(), None));
            if let Some(format) = choice(ui, "Sheet file", Some(sheet.format), sheet.format.name(), formats) {
                sheet.format = format;
            }
            labelled(ui, "Cutting", |ui| tick(ui, true, &mut sheet.cut_marks, "Cut marks"));
            // What it comes to, before anything is written.
            match sheet.layout(state.crop_spec().output, state.settings.encode.dpi) {
                Ok(layout) => {
                    let copies = words::count(layout.copies().len(), "copy", "copies");
                    _ = note(ui, format!("{copies} on a sheet of {} at {} dpi", sheet.paper.name(), layout.dpi()));
                }
                Err(error) => _ = warned(ui, error.to_string()),
            }
        }
        if sheet != state.settings.sheet {
            commands.push(Command::SetSheet(sheet));
        }
    });
}

fn copies_ui(ui: &mut Ui, sheet: &mut SheetSpec) {
    labelled(ui, "Copies", |ui| {
        let mut all = sheet.copies.is_none();
        if tick(ui, true, &mut all, "as many as fit").changed() {
            sheet.copies = (!all).then_some(4);
        }
        if let Some(copies) = &mut sheet.copies {
            number(ui, copies, 1..=SheetSpec::MAX_COPIES, "", "Copies on a sheet", "Copies of each crop");
        }
    });
}

const fn name(paper: Option<Paper>) -> &'static str {
    match paper {
        None => "Off",
        Some(paper) => paper.name(),
    }
}
