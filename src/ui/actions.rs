//! Everything a person can do at once, by menu, by key or by name: one list for the menus, the keys and their overview.

use egui::{Context, Key, KeyboardShortcut, Modifiers};

use super::command::Command;
use super::dialogs::PickerKind;
use super::state::{AppState, CanvasView, ExportScope, Page};
use crate::settings::{ThemeChoice, WindowSettings};

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

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
        name: "Choose output folder…",
        keys: &[key(CTRL_SHIFT, Key::D)],
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
        keys: &[key(Modifiers::NONE, Key::ArrowUp), key(Modifiers::NONE, Key::ArrowLeft)],
        command: |state| (!state.library.is_empty()).then_some(Command::SelectBy(-1)),
        ..PLAIN
    },
    Action {
        name: "Next photo",
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::ArrowDown), key(Modifiers::NONE, Key::ArrowRight)],
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
    Action {
        name: "Runtimes…",
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::R)],
        command: |_| Some(Command::OpenPage(Page::Runtimes)),
        ..PLAIN
    },
    Action {
        name: "Model…",
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::L)],
        command: |_| Some(Command::OpenPage(Page::Model)),
        ..PLAIN
    },
    Action {
        name: "Larger text",
        menu: Menu::View,
        keys: &[key(CTRL, Key::Plus), key(CTRL, Key::Equals)],
        command: |state| scale_by(state, 1),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: "Smaller text",
        menu: Menu::View,
        keys: &[key(CTRL, Key::Minus)],
        command: |state| scale_by(state, -1),
        ..PLAIN
    },
    Action {
        name: "Usual text size",
        menu: Menu::View,
        keys: &[key(CTRL, Key::Num0)],
        command: |state| (state.settings.window.text_scale() != 1.0).then_some(Command::SetTextScale(1.0)),
        ..PLAIN
    },
    Action {
        name: "Less motion",
        menu: Menu::View,
        command: |state| Some(Command::SetLessMotion(!state.settings.window.less_motion)),
        is_on: Some(|state| state.settings.window.less_motion),
        ..PLAIN
    },
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
        name: "Find an action…",
        menu: Menu::Help,
        keys: &[key(CTRL, Key::K), key(CTRL_SHIFT, Key::P)],
        command: |state| Some(Command::ShowPalette(!state.palette)),
        ..PLAIN
    },
    Action {
        name: "Keyboard shortcuts",
        menu: Menu::Help,
        keys: &[key(Modifiers::NONE, Key::Questionmark), key(Modifiers::NONE, Key::F1)],
        command: |_| Some(Command::OpenPage(Page::Shortcuts)),
        ..PLAIN
    },
    Action {
        name: "Messages",
        menu: Menu::Help,
        keys: &[key(CTRL_SHIFT, Key::M)],
        command: |_| Some(Command::OpenPage(Page::Messages)),
        ..PLAIN
    },
    Action { name: "About Iron Cropper", menu: Menu::Help, command: |_| Some(Command::OpenPage(Page::About)), ..PLAIN },
];

/// 100 %, with the middle of the photo, or of what is seen of it now, in the middle.
pub(crate) fn actual_size(state: &AppState) -> Option<Command> {
    let picture = state.current()?.info.as_ref()?.size;
    let (_, center) = state.view.resolve(picture, 1.0, 1.0);
    Some(Command::SetView(CanvasView::Free { scale: 1.0, center }))
}

/// Text and everything else larger or smaller by so many steps; `None` at the end of the scale.
fn scale_by(state: &AppState, steps: i32) -> Option<Command> {
    let now = state.settings.window.text_scale();
    let (least, most) = (*WindowSettings::TEXT_SCALES.start(), *WindowSettings::TEXT_SCALES.end());
    let wanted = (((now * 10.0).round() + steps as f32) / 10.0).clamp(least, most);
    (wanted != now).then_some(Command::SetTextScale(wanted))
}

/// The keys as they stand in menus.
pub(crate) fn keys_shown(ctx: &Context, key: &KeyboardShortcut) -> String {
    with_signs(&ctx.format_shortcut(key))
}

/// Keys of signs are written as these signs.
fn with_signs(keys: &str) -> String {
    let (before, last) = keys.rsplit_once('+').map_or(("", keys), |(before, last)| (before, last));
    let sign = match last {
        "Questionmark" => "?",
        "Plus" => "+",
        "Equals" => "=",
        "Minus" => "-",
        other => other,
    };
    if before.is_empty() { sign.to_owned() } else { format!("{before}+{sign}") }
}

/// What the pointer does on the photo and in the list: the gesture, and what comes of it.
pub(crate) static GESTURES: &[(&str, &str)] = &[
    ("Wheel", "Zoom at the pointer"),
    ("Drag", "Move the photo"),
    ("Double click", "Fit the photo"),
    ("Click on a face", "Crop it, or leave it out"),
    ("Drag a line of a head", "Set crown, chin, eyes or midline"),
    ("Drag the dot above it", "Turn the head"),
    ("Ctrl and click in the list", "Select several photos"),
    ("Shift and click in the list", "Select all up to there"),
];

/// Every action with its keys, and every gesture, as a page of the documentation.
#[cfg(test)]
fn keyboard_page() -> String {
    let shown = |key: &KeyboardShortcut| format!("`{}`", with_signs(&key.format(&egui::ModifierNames::NAMES, false)));
    let mut page = String::from(
        "# Keyboard\n\nWhat the window offers under *Help, Keyboard shortcuts*, which `?` opens. Without a key of its own an action is\n\
        found by its name: `Ctrl+K`. On a Mac, Ctrl is the command key. While a text field has the focus, only keys with Ctrl\n\
        that the field does not use itself, and the function keys, do what is said here.\n",
    );
    for menu in Menu::ALL {
        page.push_str(&format!("\n## {}\n\n| action | keys |\n|---|---|\n", menu.name()));
        for action in menu.actions() {
            let keys: Vec<String> = action.keys.iter().map(shown).collect();
            page.push_str(&format!("| {} | {} |\n", action.name, keys.join(", ")));
        }
    }
    page.push_str("\n## Gestures\n\n| gesture | what comes of it |\n|---|---|\n");
    GESTURES.iter().for_each(|(gesture, what)| page.push_str(&format!("| {gesture} | {what} |\n")));
    page
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

    /// To write the page anew: `IRON_CROPPER_WRITE_DOCS=1 cargo test --lib keyboard_page`.
    #[test]
    fn the_keyboard_page_of_the_documentation_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/keyboard.md");
        let page = keyboard_page();
        if std::env::var_os("IRON_CROPPER_WRITE_DOCS").is_some() {
            std::fs::write(path, &page).expect("written");
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
        assert_eq!(kept, page, "run: IRON_CROPPER_WRITE_DOCS=1 cargo test --lib keyboard_page");
    }

    #[test]
    fn the_text_scale_goes_in_steps_and_stops_at_its_ends() {
        let mut state = AppState::new(crate::settings::Settings::default());
        let mut steps = 0;
        while let Some(Command::SetTextScale(scale)) = scale_by(&state, 1) {
            (state.settings.window.text_scale, steps) = (scale, steps + 1);
        }
        assert_eq!((state.settings.window.text_scale(), steps), (2.0, 10));
        state.settings.window.text_scale = f32::NAN;
        assert!(matches!(scale_by(&state, -1), Some(Command::SetTextScale(scale)) if (scale - 0.9).abs() < 1e-6));
    }
}
