//! Right panel: what is written beside the crops of the active output.

use egui::Ui;

use recipe::IndexFormat;

use super::super::command::{Command, Commands, OutputCommand};
use super::super::language::tr;
use super::super::messages;
use super::super::state::AppState;
use super::super::widgets::{choice, labelled, section, tick};

pub(super) fn package_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    section(ui, tr("Package"), false, |ui| {
        let old = state.package();
        let mut package = old;
        let formats = [None].into_iter().chain(IndexFormat::ALL.map(Some));
        let formats = formats.map(|format| (format, messages::index_format(format), about_index(format)));
        let shown = messages::index_format(package.index);
        if let Some(format) = choice(ui, tr("Index"), Some(package.index), shown, formats) {
            package.index = format;
        }
        labelled(ui, tr("Archive"), |ui| {
            let about = tr("A zip file with the crops and the index");
            tick(ui, true, &mut package.zip, tr("Zip file")).on_hover_text(about);
        });
        labelled(ui, tr("Contact sheet"), |ui| {
            let about = tr("The crops with their names, to print");
            tick(ui, true, &mut package.contact_pdf, "PDF").on_hover_text(about);
        });
        labelled(ui, "", |ui| {
            let about = tr("The crops with their names, for a browser");
            tick(ui, true, &mut package.contact_html, tr("Web page")).on_hover_text(about);
        });
        if package != old {
            commands.push(Command::Outputs(OutputCommand::SetPackage(package)));
        }
    });
}

fn about_index(format: Option<IndexFormat>) -> Option<&'static str> {
    match format? {
        IndexFormat::Csv => Some(tr("A table with the columns of the name list and the file of each crop")),
        IndexFormat::Pspa => Some(tr("The index of school portraits that yearbook software reads")),
    }
}
