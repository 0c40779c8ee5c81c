//! The menu Photo.

use super::*;

pub(super) static PHOTO: &[Action] = &[
    Action {
        name: mark("Accept"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::A), key(Modifiers::NONE, Key::Enter)],
        command: |state| (state.list.library.selected_count() > 0).then_some(Command::AcceptAndGoOn),
        ..PLAIN
    },
    Action {
        name: mark("No longer accept"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::SHIFT, Key::A)],
        command: |state| decide::no_longer_accept(state, &state.list.library.selected_ids()),
        ..PLAIN
    },
    Action {
        name: mark("Leave out"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::X)],
        command: |state| decide::leave_out(state, &state.list.library.selected_ids()),
        is_on: Some(|state| decide::are_excluded(state, &state.list.library.selected_ids())),
        ..PLAIN
    },
    Action {
        name: mark("Read it after all"),
        menu: Menu::Photo,
        command: |state| decide::read_after_all(state, &state.list.library.selected_ids()),
        ..PLAIN
    },
    Action {
        name: mark("Next that needs a look"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::N)],
        command: |state| (!state.list.library.is_empty()).then_some(Command::NextToReview(false)),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Previous that needs a look"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::SHIFT, Key::N)],
        command: |state| (!state.list.library.is_empty()).then_some(Command::NextToReview(true)),
        ..PLAIN
    },
    Action {
        name: mark("Previous photo"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::ArrowLeft),
        command: |state| navigate(state, Navigation::By(-1)),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Next photo"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::ArrowRight),
        command: |state| navigate(state, Navigation::By(1)),
        ..PLAIN
    },
    Action {
        name: mark("Photo above"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::ArrowUp),
        command: |state| navigate(state, Navigation::Rows(-1)),
        ..PLAIN
    },
    Action {
        name: mark("Photo below"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::ArrowDown),
        command: |state| navigate(state, Navigation::Rows(1)),
        ..PLAIN
    },
    Action {
        name: mark("A page up"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::PageUp),
        command: |state| navigate(state, Navigation::Pages(-1)),
        ..PLAIN
    },
    Action {
        name: mark("A page down"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::PageDown),
        command: |state| navigate(state, Navigation::Pages(1)),
        ..PLAIN
    },
    Action {
        name: mark("First photo"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::Home),
        command: |state| navigate(state, Navigation::First),
        ..PLAIN
    },
    Action {
        name: mark("Last photo"),
        menu: Menu::Photo,
        keys: &navigation_keys(Key::End),
        command: |state| navigate(state, Navigation::Last),
        ..PLAIN
    },
    Action {
        name: mark("Settings of its own"),
        menu: Menu::Photo,
        keys: &[key(CTRL, Key::I)],
        command: |state| decide::own_settings(state, &state.list.library.selected_ids()),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Apply this photo's settings to the selection"),
        menu: Menu::Photo,
        keys: &[key(CTRL_SHIFT, Key::I)],
        command: |state| decide::same_settings(state, &state.list.library.selected_ids()),
        ..PLAIN
    },
    Action {
        name: mark("Back to the settings of the list"),
        menu: Menu::Photo,
        keys: &[key(CTRL, Key::L)],
        command: |state| decide::list_settings(state, &state.list.library.selected_ids()),
        ..PLAIN
    },
    Action {
        name: mark("Reset the selected photos"),
        menu: Menu::Photo,
        keys: &[key(CTRL, Key::R)],
        command: |state| decide::reset(state, &state.list.library.selected_ids()),
        ..PLAIN
    },
];

/// An arrow or the like, and with the shift key: what lies between is selected as well.
const fn navigation_keys(arrow: Key) -> [KeyboardShortcut; 2] {
    [key(Modifiers::NONE, arrow), key(Modifiers::SHIFT, arrow)]
}

fn navigate(state: &AppState, navigate: Navigation) -> Option<Command> {
    (state.list.library.row_count() > 0).then_some(Command::SelectBy(navigate, false))
}
