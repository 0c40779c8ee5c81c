//! About the project: recovered lists, missing photos, and unsaved changes.

use batch::settings::Settings;
use egui::{Align, Label, Layout, Response, RichText, Ui};

use batch::worker::RecoverableList;

use super::super::command::{Command, Commands, ProjectCommand};
use super::super::dialogs::PickerKind;
use super::super::language::{say, tr};
use super::super::messages;
use super::super::state::{AppState, ExportScope, Leaving, ListGroup};
use super::super::theme::space;
use super::super::widgets::{elide_middle, menu_button, primary_button, wide_button};
use super::notices;

/// Maximum number of missing photos listed by name.
const MAX_NAMES: usize = 3;

/// Width of the page with a question, in points.
const WIDTH: f32 = 360.0;

/// Messages with a question, until they are answered.
pub(super) fn bars_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let mut lists = state.list.project.recoverable.iter();
    if let Some(crashed) = &state.list.project.crashed {
        // One message per crash: its list is the latest autosave.
        let list = lists.next();
        let mut buttons: Vec<(&str, Command)> = list.map(|list| recover_buttons(list).to_vec()).unwrap_or_default();
        if list.is_none() {
            let name = if crashed.files.is_empty() { tr("Close") } else { tr("Keep quarantined") };
            buttons.push((name, Command::Project(ProjectCommand::DismissQuarantine)));
        }
        if !crashed.files.is_empty() {
            let command = ProjectCommand::OpenAnyway(crashed.files.clone());
            buttons.push((tr("Open anyway"), Command::Project(command)));
        }
        bar_ui(ui, "ended", &messages::crash_report(crashed, list), buttons, commands);
    }
    for list in lists {
        bar_ui(ui, &list.path.to_string_lossy(), &messages::recoverable_list(list), recover_buttons(list), commands);
    }
    if let Some(run) = state.unfinished_run() {
        let buttons = [(tr("Resume"), true), (tr("Not now"), false)]
            .map(|(name, resume)| (name, Command::AnswerUnfinished { resume }));
        bar_ui(ui, "unfinished", &messages::unfinished(run), buttons, commands);
    }
    if state.list.project.shows_missing {
        let missing: Vec<_> = state.list.library.photos().iter().filter(|photo| photo.is_missing()).collect();
        if missing.is_empty() {
            return;
        }
        let names: Vec<&str> = missing.iter().take(MAX_NAMES).map(|photo| photo.name.as_str()).collect();
        let buttons = [
            (tr("Locate…"), Command::Pick(PickerKind::FindMissing)),
            (tr("Ignore"), Command::Project(ProjectCommand::HideMissing)),
        ];
        bar_ui(ui, "missing", &messages::missing(&names, missing.len()), buttons, commands);
    }
}

fn recover_buttons(list: &RecoverableList) -> [(&'static str, Command); 2] {
    [
        (tr("Recover"), Command::Project(ProjectCommand::Recover(list.path.clone()))),
        (tr("Discard"), Command::Project(ProjectCommand::DeleteRecoverable(list.path.clone()))),
    ]
}

fn bar_ui<'a>(
    ui: &mut Ui,
    id: &str,
    text: &str,
    buttons: impl IntoIterator<Item = (&'a str, Command), IntoIter: DoubleEndedIterator>,
    commands: &mut Commands,
) {
    let card = |ui: &mut Ui| {
        ui.with_layout(Layout::right_to_left(Align::TOP).with_main_wrap(false), |ui| {
            for (name, command) in buttons.into_iter().rev() {
                if ui.button(name).clicked() {
                    commands.push(command);
                }
            }
            ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
                // Aligned with the buttons.
                ui.add_space(4.0);
                ui.add(Label::new(text).wrap());
            });
        });
    };
    ui.push_id(("project-bar", id), |ui| notices::card_ui(ui, card));
}

/// Question about unsaved changes and a running export.
pub(super) fn leaving_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.set_width(WIDTH);
    let quits = state.list.project.leaving == Some(Leaving::Quit);
    let unsaved = state.would_lose_work();
    if unsaved {
        let text = match &state.list.project.path {
            Some(path) => {
                let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
                let name = elide_middle(ui, &name, &egui::TextStyle::Body.resolve(ui.style()), WIDTH / 2.0);
                say!("Changes in “{name}” are not saved.", name = name)
            }
            None => tr("Your edits to these photos are not saved.").to_owned(),
        };
        ui.add(Label::new(text).wrap());
    }
    if quits && state.exporting() {
        ui.add(Label::new(tr("An export is running. It stops when the window closes.")).wrap());
    }
    ui.add_space(space::S);
    let save = unsaved.then(|| primary_button(ui, true, tr("Save"), WIDTH));
    if save.as_ref().is_some_and(Response::clicked) {
        commands.push(Command::Project(ProjectCommand::SaveAndLeave));
    }
    let discard = match (unsaved, quits) {
        (true, _) => tr("Discard changes"),
        (false, true) => tr("Stop export and close"),
        (false, false) => tr("Continue"),
    };
    let leave = wide_button(ui, true, discard, WIDTH);
    if leave.clicked() {
        commands.push(Command::Project(ProjectCommand::LeaveAnyway));
    }
    let stay = wide_button(ui, true, tr("Cancel"), WIDTH);
    if stay.clicked() {
        commands.push(Command::Project(ProjectCommand::CancelLeaving));
    }
    // Enter presses the button that loses nothing, and Tab stays within the page.
    if ![save.as_ref(), Some(&leave), Some(&stay)].into_iter().flatten().any(Response::has_focus) {
        save.as_ref().unwrap_or(&stay).request_focus();
    }
}

/// The project's requests that the user must confirm before an export.
pub(super) fn confirm_requests_ui(ui: &mut Ui, state: &AppState, export: (ExportScope, bool), commands: &mut Commands) {
    ui.set_width(WIDTH);
    if let Some(folder) = state.requested_folder() {
        let folder = folder.display().to_string();
        let text = say!("The project writes its crops to {folder}, outside its own folder.", folder = folder);
        ui.add(Label::new(text).wrap());
    }
    if state.replacement_requested() {
        ui.add(Label::new(tr("The project replaces existing files with the name of a crop.")).wrap());
    }
    ui.add(Label::new(RichText::new(tr("Agree only if you trust the author of the project.")).weak()).wrap());
    ui.add_space(space::S);
    let agree = wide_button(ui, true, tr("Agree and export"), WIDTH);
    if agree.clicked() {
        let (scope, resume) = export;
        commands.push(Command::AgreeAndExport { scope, resume });
    }
    let leave = wide_button(ui, true, tr("Do not export"), WIDTH);
    if leave.clicked() {
        commands.push(Command::ClosePage);
    }
    // Enter presses the button that writes nothing, and Tab stays within the page.
    if !agree.has_focus() && !leave.has_focus() {
        leave.request_focus();
    }
}

/// Submenus with recent projects and folders.
pub(super) fn recent_menus_ui(ui: &mut Ui, settings: &Settings, commands: &mut Commands) {
    let recent = &settings.recent;
    ui.add_enabled_ui(!recent.projects.is_empty(), |ui| {
        menu_button(ui, tr("Open recent project"), |ui| {
            for path in &recent.projects {
                if ui.button(path.display().to_string()).clicked() {
                    commands.push(Command::Project(ProjectCommand::Open(path.clone())));
                    ui.close();
                }
            }
        });
    });
    ui.add_enabled_ui(!recent.folders.is_empty(), |ui| {
        menu_button(ui, tr("Add recent folder"), |ui| {
            for path in &recent.folders {
                if ui.button(path.display().to_string()).clicked() {
                    commands.push(Command::Import(vec![path.clone()]));
                    ui.close();
                }
            }
        });
    });
}

/// At the bottom: the watched folder.
pub(super) fn watched_ui(ui: &mut Ui, list: &ListGroup) {
    let Some(watched) = &list.watched else { return };
    let name = watched.folder.file_name().unwrap_or(watched.folder.as_os_str()).to_string_lossy();
    let text = RichText::new(messages::watching(&name, watched.added)).weak().small();
    ui.add(Label::new(text)).on_hover_text(watched.folder.display().to_string());
    ui.separator();
}
