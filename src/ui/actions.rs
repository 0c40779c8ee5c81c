//! Everything a person can do at once, by menu, by key or by name: one list for the menus, the keys and their overview.

use egui::{Key, KeyboardShortcut, Modifiers};

use super::command::{Command, ProjectCommand};
use super::dialogs::PickerKind;
use super::state::{AppState, CanvasView, ExportScope, Page};
use crate::settings::ThemeChoice;

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const CTRL_ALT: Modifiers = Modifiers::COMMAND.plus(Modifiers::ALT);

/// One thing that can be done.
pub(crate) struct Action {
    /// Short, for menus: begins with a verb where it can.
    pub name: &'static str,
    pub menu: Menu,
    /// The keys that do it while no text field has the focus; all are tried, the first is shown.
    pub keys: &'static [KeyboardShortcut],
    /// What it sends; `None` where it cannot be done now.
    pub command: fn(&AppState) -> Option<Command>,
    /// For what is switched on and off: whether it is on.
    pub is_on: Option<fn(&AppState) -> bool>,
    /// What of, where that changes: "Undo: set a head".
    pub detail: Option<fn(&AppState) -> Option<&'static str>>,
    /// True where a line stands above it in its menu.
    pub begins_group: bool,
}

/// The menu an action is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Menu {
    File,
    Edit,
    Photo,
    View,
    Help,
}

impl Menu {
    pub(crate) const ALL: [Self; 5] = [Self::File, Self::Edit, Self::Photo, Self::View, Self::Help];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Photo => "Photo",
            Self::View => "View",
            Self::Help => "Help",
        }
    }

    /// Its actions, in order.
    pub(crate) fn actions(self) -> impl Iterator<Item = &'static Action> {
        ACTIONS.iter().filter(move |action| action.menu == self)
    }
}

/// The usual action, for those below to depart from.
const PLAIN: Action =
    Action { name: "", menu: Menu::File, keys: &[], command: |_| None, is_on: None, detail: None, begins_group: false };

const fn key(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

/// Every action, menu by menu.
pub(crate) static ACTIONS: &[Action] = &[
    Action {
        name: "Add files…",
        keys: &[key(CTRL, Key::O)],
        command: |_| Some(Command::Pick(PickerKind::Files)),
        ..PLAIN
    },
    Action {
        name: "Add folder…",
        keys: &[key(CTRL_SHIFT, Key::O)],
        command: |_| Some(Command::Pick(PickerKind::Folder)),
        ..PLAIN
    },
    Action {
        name: "Watch a folder…",
        command: |state| {
            let watching = state.watched.is_some();
            let stop = || Command::Project(ProjectCommand::StopWatching);
            Some(if watching { stop() } else { Command::Pick(PickerKind::WatchFolder) })
        },
        is_on: Some(|state| state.watched.is_some()),
        ..PLAIN
    },
    Action {
        name: "New list",
        keys: &[key(CTRL, Key::N)],
        command: |state| {
            let any = !state.library.is_empty() || state.project.path.is_some();
            any.then_some(Command::Project(ProjectCommand::New))
        },
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: "Open project…",
        keys: &[key(CTRL_ALT, Key::O)],
        command: |_| Some(Command::Pick(PickerKind::OpenProject)),
        ..PLAIN
    },
    Action {
        name: "Save project",
        keys: &[key(CTRL, Key::S)],
        command: |state| savable(state).then_some(Command::Project(ProjectCommand::Save)),
        ..PLAIN
    },
    Action {
        name: "Save project as…",
        keys: &[key(CTRL_SHIFT, Key::S)],
        command: |state| savable(state).then_some(Command::Project(ProjectCommand::SaveAs)),
        ..PLAIN
    },
    Action {
        name: "Choose output folder…",
        command: |_| Some(Command::Pick(PickerKind::OutputFolder)),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: "Export selected",
        keys: &[key(CTRL, Key::E)],
        command: |state| {
            let any = state.library.selected_count() > 0 && !state.exporting();
            any.then_some(Command::Export(ExportScope::Selected))
        },
        ..PLAIN
    },
    Action {
        name: "Export all",
        keys: &[key(CTRL_SHIFT, Key::E)],
        command: |state| (!state.library.is_empty() && !state.exporting()).then_some(Command::Export(ExportScope::All)),
        ..PLAIN
    },
    Action { name: "Quit", keys: &[key(CTRL, Key::Q)], command: |_| Some(Command::Quit), begins_group: true, ..PLAIN },
    Action {
        name: "Undo",
        menu: Menu::Edit,
        keys: &[key(CTRL, Key::Z)],
        command: |state| state.history.undo_name().map(|_| Command::Undo),
        detail: Some(|state| state.history.undo_name()),
        ..PLAIN
    },
    Action {
        name: "Redo",
        menu: Menu::Edit,
        keys: &[key(CTRL_SHIFT, Key::Z), key(CTRL, Key::Y)],
        command: |state| state.history.redo_name().map(|_| Command::Redo),
        detail: Some(|state| state.history.redo_name()),
        ..PLAIN
    },
    Action {
        name: "Select all",
        menu: Menu::Edit,
        keys: &[key(CTRL, Key::A)],
        command: |state| (!state.library.is_empty()).then_some(Command::SelectAll),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: "Remove from list",
        menu: Menu::Edit,
        keys: &[key(Modifiers::NONE, Key::Delete)],
        command: |state| (state.library.selected_count() > 0).then_some(Command::RemoveSelected),
        ..PLAIN
    },
    Action {
        name: "Previous photo",
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::ArrowUp)],
        command: |state| (!state.library.is_empty()).then_some(Command::SelectBy(-1)),
        ..PLAIN
    },
    Action {
        name: "Next photo",
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::ArrowDown)],
        command: |state| (!state.library.is_empty()).then_some(Command::SelectBy(1)),
        ..PLAIN
    },
    Action {
        name: "Fit",
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::F)],
        command: |state| {
            let shown = state.current().is_some_and(|photo| photo.info.is_some());
            shown.then_some(Command::SetView(CanvasView::Fit))
        },
        ..PLAIN
    },
    Action { name: "100 %", menu: Menu::View, keys: &[key(Modifiers::NONE, Key::Z)], command: actual_size, ..PLAIN },
    Action {
        name: "Show faces",
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::B)],
        command: |state| Some(Command::SetShowFaces(!state.settings.window.show_faces)),
        is_on: Some(|state| state.settings.window.show_faces),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: "Show head lines",
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::H)],
        command: |state| Some(Command::SetShowHeadLines(!state.settings.window.show_head_lines)),
        is_on: Some(|state| state.settings.window.show_head_lines),
        ..PLAIN
    },
    Action {
        name: "Compare runtimes",
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::C)],
        command: |state| Some(Command::ShowCompare(!state.compare.shown)),
        is_on: Some(|state| state.compare.shown),
        begins_group: true,
        ..PLAIN
    },
    Action { name: "Runtimes…", menu: Menu::View, command: |_| Some(Command::OpenPage(Page::Runtimes)), ..PLAIN },
    Action { name: "Model…", menu: Menu::View, command: |_| Some(Command::OpenPage(Page::Model)), ..PLAIN },
    Action {
        name: "Theme: as the system",
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::System)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::System),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: "Theme: light",
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::Light)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::Light),
        ..PLAIN
    },
    Action {
        name: "Theme: dark",
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::Dark)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::Dark),
        ..PLAIN
    },
    Action {
        name: "Keyboard shortcuts",
        menu: Menu::Help,
        command: |_| Some(Command::OpenPage(Page::Shortcuts)),
        ..PLAIN
    },
    Action { name: "Messages", menu: Menu::Help, command: |_| Some(Command::OpenPage(Page::Messages)), ..PLAIN },
    Action { name: "About Iron Cropper", menu: Menu::Help, command: |_| Some(Command::OpenPage(Page::About)), ..PLAIN },
];

/// True where there is something to save and nothing is being saved.
fn savable(state: &AppState) -> bool {
    let any = !state.library.is_empty() || state.project.path.is_some();
    any && state.project.saving.is_none()
}

/// 100 %, with the middle of the photo, or of what is seen of it now, in the middle.
pub(crate) fn actual_size(state: &AppState) -> Option<Command> {
    let picture = state.current()?.info.as_ref()?.size;
    let (_, center) = state.view.resolve(picture, 1.0, 1.0);
    Some(Command::SetView(CanvasView::Free { scale: 1.0, center }))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_actions_share_a_name_or_a_key() {
        let (mut names, mut keys) = (HashSet::new(), HashSet::new());
        for action in ACTIONS {
            assert!(names.insert(action.name), "{}", action.name);
            for key in action.keys {
                assert!(keys.insert(format!("{key:?}")), "{}: {key:?}", action.name);
            }
        }
    }
}
