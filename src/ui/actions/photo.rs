//! The Photo menu.

use super::*;

/// Also in the context menu of the list, with its tooltip.
pub(crate) const KEEP_BEST_SHOTS: &str = mark("Keep best shots");
pub(crate) const ABOUT_BEST_SHOTS: &str =
    mark("Excludes all photos of every burst except the best: open eyes first, then sharpness, then expression");

pub(super) static PHOTO: &[Action] = &[
    Action {
        name: mark("Accept"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::A), key(Modifiers::NONE, Key::Enter)],
        command: |state| (state.list.library.selected_count() > 0).then_some(Command::AcceptAndGoOn),
        detail: Some(selected_photos),
        ..BASE_ACTION
    },
    Action {
        name: mark("Undo accept"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::SHIFT, Key::A)],
        command: |state| decide::undo_accept(state, &state.list.library.selected_ids()),
        detail: Some(selected_photos),
        ..BASE_ACTION
    },
    Action {
        name: mark("Exclude"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::X)],
        command: |state| match decide::toggle_excluded(state, &state.list.library.selected_ids())? {
            Command::SetExcluded(_, true) => Some(Command::ExcludeAndGoOn),
            include => Some(include),
        },
        detail: Some(selected_photos),
        is_on: Some(|state| decide::are_excluded(state, &state.list.library.selected_ids())),
        ..BASE_ACTION
    },
    Action {
        name: mark("Edit name"),
        about: Some(mark("Types the name of the crops, or finds its row in the name list")),
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::F2)],
        command: |state| {
            let current = state.list.library.current.filter(|id| state.list.library.row_of(*id).is_some());
            current.map(|id| Command::Names(NamesCommand::Edit(Some(id))))
        },
        ..BASE_ACTION
    },
    Action {
        name: mark("Correct card…"),
        about: Some(mark("Corrects the text of the card; empty for no card")),
        menu: Menu::Photo,
        command: |state| {
            let current = state.list.library.current.filter(|id| state.list.library.row_of(*id).is_some());
            let current = current.filter(|_| state.settings.names.cards);
            current.map(|id| Command::Names(NamesCommand::EditCard(id)))
        },
        ..BASE_ACTION
    },
    Action {
        name: KEEP_BEST_SHOTS,
        about: Some(ABOUT_BEST_SHOTS),
        menu: Menu::Photo,
        command: |state| decide::keep_best_shots(decide::several_or_all(state)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Open anyway"),
        menu: Menu::Photo,
        command: |state| decide::open_anyway(state, &state.list.library.selected_ids()),
        ..BASE_ACTION
    },
    Action {
        name: mark("Review next"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::N)],
        command: |state| (!state.list.library.is_empty()).then_some(Command::NextToReview(false)),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Review previous"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::SHIFT, Key::N)],
        command: |state| (!state.list.library.is_empty()).then_some(Command::NextToReview(true)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Previous photo"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::ArrowLeft),
        command: |state| navigate(state, Navigation::By(-1)),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Next photo"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::ArrowRight),
        command: |state| navigate(state, Navigation::By(1)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Photo above"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::ArrowUp),
        command: |state| navigate(state, Navigation::Rows(-1)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Photo below"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::ArrowDown),
        command: |state| navigate(state, Navigation::Rows(1)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Page up"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::PageUp),
        command: |state| navigate(state, Navigation::Pages(-1)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Page down"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::PageDown),
        command: |state| navigate(state, Navigation::Pages(1)),
        ..BASE_ACTION
    },
    Action {
        name: mark("First photo"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::Home),
        command: |state| navigate(state, Navigation::First),
        ..BASE_ACTION
    },
    Action {
        name: mark("Last photo"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::End),
        command: |state| navigate(state, Navigation::Last),
        ..BASE_ACTION
    },
    Action {
        name: mark("Show in folder"),
        about: Some(mark("Shows the crop in the file manager, or the photo if none was written")),
        menu: Menu::Photo,
        keys: &[key(CTRL_ALT, Key::R)],
        command: |state| decide::show_in_folder(state, state.list.library.current?),
        ..BASE_ACTION
    },
    Action {
        name: mark("Use custom settings"),
        menu: Menu::Photo,
        keys: &[key(CTRL, Key::I)],
        command: |state| decide::customize(state, &state.list.library.selected_ids()),
        detail: Some(selected_photos),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Apply to selection"),
        menu: Menu::Photo,
        keys: &[key(CTRL_SHIFT, Key::I)],
        command: |state| decide::copy_overrides(state, &state.list.library.selected_ids()),
        detail: Some(selected_photos),
        ..BASE_ACTION
    },
    Action {
        name: mark("Use shared settings"),
        menu: Menu::Photo,
        keys: &[key(CTRL, Key::L)],
        command: |state| decide::use_shared_settings(state, &state.list.library.selected_ids()),
        detail: Some(selected_photos),
        ..BASE_ACTION
    },
    Action {
        name: mark("Reset selected photos"),
        menu: Menu::Photo,
        keys: &[key(CTRL, Key::R)],
        command: |state| decide::reset(state, &state.list.library.selected_ids()),
        detail: Some(selected_photos),
        ..BASE_ACTION
    },
];

/// A navigation key, alone and with Shift, which extends the selection.
const fn navigation_keys(arrow: Key) -> [KeyboardShortcut; 2] {
    [key(Modifiers::NONE, arrow), key(Modifiers::SHIFT, arrow)]
}

fn navigate(state: &AppState, navigate: Navigation) -> Option<Command> {
    (state.list.library.row_count() > 0).then_some(Command::SelectBy(navigate, false))
}
