//! The File and Edit menus.

use super::*;

pub(super) static FILE: &[Action] = &[
    Action {
        name: mark("Add files…"),
        keys: &[key(CTRL, Key::O)],
        command: |_| Some(Command::Pick(PickerKind::Files)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Add folder…"),
        keys: &[key(CTRL_SHIFT, Key::O)],
        command: |_| Some(Command::Pick(PickerKind::Folder)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Choose a name list…"), command: |_| Some(Command::Pick(PickerKind::NameList)), ..BASE_ACTION
    },
    Action {
        name: mark("Watch a folder…"),
        command: |state| {
            let watching = state.list.watched.is_some();
            let stop = || Command::Project(ProjectCommand::StopWatching);
            Some(if watching { stop() } else { Command::Pick(PickerKind::WatchFolder) })
        },
        is_on: Some(|state| state.list.watched.is_some()),
        ..BASE_ACTION
    },
    Action {
        name: mark("Take photos"),
        command: |state| state.camera.offered.then_some(Command::Camera(CameraCommand::Show(!state.camera.shown))),
        is_offered: |state| state.camera.offered,
        is_on: Some(|state| state.camera.shown),
        about: Some(mark("Shows a camera with the faces and the crop")),
        ..BASE_ACTION
    },
    Action {
        name: mark("New list"),
        keys: &[key(CTRL, Key::N)],
        command: |state| {
            let any = !state.list.library.is_empty() || state.list.project.path.is_some();
            any.then_some(Command::Project(ProjectCommand::New))
        },
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Open project…"),
        keys: &[key(CTRL_ALT, Key::O)],
        command: |_| Some(Command::Pick(PickerKind::OpenProject)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Save project"),
        keys: &[key(CTRL, Key::S)],
        command: |state| savable(state).then_some(Command::Project(ProjectCommand::Save)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Save project as…"),
        keys: &[key(CTRL_SHIFT, Key::S)],
        command: |state| savable(state).then_some(Command::Project(ProjectCommand::SaveAs)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Choose output folder…"),
        keys: &[key(CTRL_SHIFT, Key::D)],
        command: |_| Some(Command::Pick(PickerKind::OutputFolder)),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Export selected"),
        keys: &[key(CTRL, Key::E)],
        command: |state| {
            let any = state.list.library.selected_count() > 0 && !state.exporting();
            any.then_some(Command::Export(ExportScope::Selected))
        },
        ..BASE_ACTION
    },
    Action {
        name: mark("Export all"),
        keys: &[key(CTRL_SHIFT, Key::E)],
        command: |state| {
            (!state.list.library.is_empty() && !state.exporting()).then_some(Command::Export(ExportScope::All))
        },
        ..BASE_ACTION
    },
    Action {
        name: mark("Quit"),
        keys: &[key(CTRL, Key::Q)],
        command: |_| Some(Command::Quit),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Undo"),
        menu: Menu::Edit,
        keys: &[key(CTRL, Key::Z)],
        command: |state| state.list.history.undo_name().map(|_| Command::Undo),
        detail: Some(|state| state.list.history.undo_name().map(|name| tr(name).to_owned())),
        ..BASE_ACTION
    },
    Action {
        name: mark("Redo"),
        menu: Menu::Edit,
        keys: &[key(CTRL_SHIFT, Key::Z), key(CTRL, Key::Y)],
        command: |state| state.list.history.redo_name().map(|_| Command::Redo),
        detail: Some(|state| state.list.history.redo_name().map(|name| tr(name).to_owned())),
        ..BASE_ACTION
    },
    Action {
        name: mark("Select all"),
        menu: Menu::Edit,
        keys: &[key(CTRL, Key::A)],
        command: |state| (!state.list.library.is_empty()).then_some(Command::SelectAll),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Remove from list"),
        menu: Menu::Edit,
        keys: &[key(Modifiers::NONE, Key::Delete)],
        command: |state| (state.list.library.selected_count() > 0).then_some(Command::RemoveSelected),
        detail: Some(selected_photos),
        ..BASE_ACTION
    },
];

/// True if there are unsaved changes and no save is running.
fn savable(state: &AppState) -> bool {
    let any = !state.list.library.is_empty() || state.list.project.path.is_some();
    any && state.list.project.saving.is_none()
}
