//! Right panel: the print sheet.

use egui::Ui;

use recipe::{Paper, SheetError, SheetFormat, SheetSpec};

use super::super::command::{Command, Commands};
use super::super::language::{count, tr};
use super::super::messages;
use super::super::state::AppState;
use super::super::widgets::{choice, labelled, note, number, section, tick, warned};

pub(super) fn sheet_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    section(ui, tr("Print sheet"), false, |ui| {
        let mut sheet = state.sheet();
        let now = sheet.map(|sheet| sheet.paper);
        let papers = [None].into_iter().chain(Paper::ALL.map(Some)).map(|paper| (paper, name(paper), None));
        if let Some(paper) = choice(ui, tr("Paper"), Some(now), name(now), papers) {
            sheet = paper.map(|paper| SheetSpec { paper, ..sheet.unwrap_or_default() });
        }
        if let Some(sheet) = &mut sheet {
            copies_ui(ui, sheet);
            let formats = SheetFormat::ALL.map(|format| (format, format.name(), None));
            if let Some(format) = choice(ui, tr("Sheet format"), Some(sheet.format), sheet.format.name(), formats) {
                sheet.format = format;
            }
            labelled(ui, tr("Cutting"), |ui| tick(ui, true, &mut sheet.cut_marks, tr("Cut marks")));
            // Preview of the layout.
            let spec = state.crop_spec();
            let layout = sheet.layout(spec.output, state.encode().dpi);
            match if spec.original_size { Err(SheetError::OriginalSize) } else { layout } {
                Ok(layout) => {
                    let text = count!(
                        layout.copies().len(),
                        "{n} copy on a sheet of {paper} at {dpi} dpi",
                        "{n} copies on a sheet of {paper} at {dpi} dpi",
                        paper = sheet.paper.name(),
                        dpi = layout.dpi()
                    );
                    _ = note(ui, text);
                }
                Err(error) => _ = warned(ui, messages::sheet_error(&error)),
            }
        }
        if sheet != state.sheet() {
            commands.push(Command::SetSheet(sheet));
        }
    });
}

fn copies_ui(ui: &mut Ui, sheet: &mut SheetSpec) {
    labelled(ui, tr("Copies"), |ui| {
        let mut all = sheet.copies.is_none();
        if tick(ui, true, &mut all, tr("as many as fit")).changed() {
            sheet.copies = (!all).then_some(4);
        }
        if let Some(copies) = &mut sheet.copies {
            number(
                ui,
                copies,
                1..=SheetSpec::MAX_COPIES,
                "",
                tr("Copies per sheet"),
                tr("Copies of each crop on a sheet"),
            );
        }
    });
}

fn name(paper: Option<Paper>) -> &'static str {
    match paper {
        None => tr("Off"),
        Some(paper) => paper.name(),
    }
}
