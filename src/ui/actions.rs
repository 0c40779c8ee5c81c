//! All actions of the menus, with their keyboard shortcuts. The menu bar, the key handler, the command palette and the
//! shortcuts page share this list.

mod faces;
mod file;
mod photo;
mod view;

use egui::{Context, Key, KeyboardShortcut, Modifiers};
use file::FILE;
use photo::PHOTO;
use view::VIEW;

#[cfg(target_os = "linux")]
use batch::settings::DisplayChoice;
use batch::settings::{Guides, LanguageChoice, ThemeChoice, WindowSettings};
use faces::FACES;
use recipe::PhotoEdits;

use super::command::{CameraCommand, Command, NamesCommand, ProjectCommand};
use super::decide;
use super::dialogs::PickerKind;
use super::language::{mark, tr};
use super::messages;
use super::state::{AppState, CanvasView, ExportScope, Filter, Foldable, Mark, Navigation, Page};

pub(crate) use photo::{ABOUT_BEST_SHOTS, KEEP_BEST_SHOTS};

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const CTRL_ALT: Modifiers = Modifiers::COMMAND.plus(Modifiers::ALT);

/// A menu item or keyboard shortcut.
pub(crate) struct Action {
    /// Menu label, starting with a verb if possible. English; translated when shown, by `tr`.
    pub name: &'static str,
    pub menu: Menu,
    /// Shortcuts that work while no text field has the focus. All are active; the menu shows the first.
    pub keys: &'static [KeyboardShortcut],
    /// The command it sends; `None` if it is disabled.
    pub command: fn(&AppState) -> Option<Command>,
    /// Whether this program has it at all.
    pub is_offered: fn(&AppState) -> bool,
    /// For toggles: whether it is on.
    pub is_on: Option<fn(&AppState) -> bool>,
    /// The object of the action if it varies, translated: "Undo: adjust a head".
    pub detail: Option<fn(&AppState) -> Option<String>>,
    /// Tooltip, if the name is not sufficient. English; translated when shown, by `tr`.
    pub about: Option<&'static str>,
    /// Submenu that groups related actions. English; translated when shown, by `tr`.
    pub submenu: Option<&'static str>,
    /// True if a separator is drawn above it.
    pub begins_group: bool,
}

/// A menu of the menu bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Menu {
    File,
    Edit,
    Photo,
    Faces,
    View,
    Help,
}

impl Menu {
    pub(crate) const ALL: [Self; 6] = [Self::File, Self::Edit, Self::Photo, Self::Faces, Self::View, Self::Help];

    /// In English; translated when shown, by `tr`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::File => mark("File"),
            Self::Edit => mark("Edit"),
            Self::Photo => mark("Photo"),
            Self::Faces => mark("Faces"),
            Self::View => mark("View"),
            Self::Help => mark("Help"),
        }
    }

    /// Its actions, in display order.
    pub(crate) fn actions(self) -> impl Iterator<Item = &'static Action> {
        all().filter(move |action| action.menu == self)
    }
}

/// Default field values of an action.
const BASE_ACTION: Action = Action {
    name: "",
    menu: Menu::File,
    keys: &[],
    command: |_| None,
    is_offered: |_| true,
    is_on: None,
    detail: None,
    about: None,
    submenu: None,
    begins_group: false,
};

const fn key(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

/// Every action, menu by menu.
pub(crate) fn all() -> impl Iterator<Item = &'static Action> {
    [FILE, PHOTO, FACES, VIEW].into_iter().flatten()
}

/// The number of photos an action applies to, if there are several selected.
fn selected_photos(state: &AppState) -> Option<String> {
    let selected = state.list.library.selected_count();
    (selected > 1).then(|| messages::photos(selected))
}

/// Zoom to 100 %, centred on the visible part of the photo.
pub(crate) fn actual_size(state: &AppState) -> Option<Command> {
    let picture = state.current()?.info.as_ref()?.size;
    let (_, center) = state.canvas.view.resolve(picture, 1.0, 1.0);
    Some(Command::SetView(CanvasView::Free { scale: 1.0, center }))
}

/// The shortcut as shown in menus.
pub(crate) fn keys_shown(ctx: &Context, key: &KeyboardShortcut) -> String {
    with_symbols(&ctx.format_shortcut(key))
}

/// Replaces names of symbol keys with the symbols.
fn with_symbols(keys: &str) -> String {
    let (before, last) = keys.rsplit_once('+').map_or(("", keys), |(before, last)| (before, last));
    let sign = match last {
        "Questionmark" => "?",
        "Plus" => "+",
        "Equals" => "=",
        "Minus" => "-",
        "OpenBracket" => "[",
        "CloseBracket" => "]",
        "OpenCurlyBracket" => "{",
        "CloseCurlyBracket" => "}",
        other => other,
    };
    if before.is_empty() { sign.to_owned() } else { format!("{before}+{sign}") }
}

/// Pointer gestures on the photo and in the list, each with its result. English; translated when shown, by `tr`.
pub(crate) static GESTURES: &[(&str, &str)] = &[
    (mark("Mouse wheel"), mark("Zoom at the pointer")),
    (mark("Drag"), mark("Move the photo; from anywhere with Space or the middle button")),
    (mark("Double-click"), mark("Fit the photo")),
    (mark("Click a face"), mark("Crop or exclude the face")),
    (mark("Drag a head line"), mark("Adjust crown, chin, eye line or midline")),
    (mark("Drag the dot above a head"), mark("Rotate the head")),
    (mark("Drag an eye"), mark("Adjust tilt, eye line and midline")),
    (mark("Drag the frame's border"), mark("Move the frame; from anywhere inside with Ctrl or Cmd")),
    (mark("Drag a frame handle"), mark("Resize the frame; with Shift without keeping the aspect ratio")),
    (mark("Drag the dot next to the frame"), mark("Rotate the frame; with Shift in steps of 15 degrees")),
    (mark("Click another frame's border"), mark("Show that crop")),
    (mark("Right-click a face"), mark("Open the face's menu")),
    (mark("Tab, then the arrow keys"), mark("Move the focused item by 1 pixel, with Shift by 10")),
    (mark("Delete key on a drawn face"), mark("Delete the face")),
    (mark("Esc while drawing a face"), mark("Cancel drawing")),
    (mark("Ctrl+click in the list"), mark("Select several photos")),
    (mark("Shift+click in the list"), mark("Select a range")),
    (mark("Ctrl+mouse wheel on the contact sheet"), mark("Change the size of the crops")),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The comments around the generated tables in the user guide.
    const START: &str = "<!-- These tables are written by src/ui/actions.rs. -->";
    const END: &str = "<!-- End of the tables. -->";

    /// Markdown tables of all actions with their shortcuts, and of all gestures.
    fn key_tables() -> String {
        let shown =
            |key: &KeyboardShortcut| format!("`{}`", with_symbols(&key.format(&egui::ModifierNames::NAMES, false)));
        let mut tables = format!("{START}\n");
        for menu in Menu::ALL {
            tables.push_str(&format!("\n### {}\n\n| action | keys |\n|---|---|\n", menu.name()));
            for action in menu.actions() {
                let keys: Vec<String> = action.keys.iter().map(shown).collect();
                tables.push_str(&format!("| {} | {} |\n", action.name, keys.join(", ")));
            }
        }
        tables.push_str("\n### Gestures\n\n| gesture | effect |\n|---|---|\n");
        GESTURES.iter().for_each(|(gesture, effect)| tables.push_str(&format!("| {gesture} | {effect} |\n")));
        format!("{tables}\n{END}")
    }

    #[test]
    fn no_two_actions_share_a_name_or_a_key() {
        let (mut names, mut keys) = (HashSet::new(), HashSet::new());
        for action in all() {
            assert!(names.insert(action.name), "{}", action.name);
            for key in action.keys {
                assert!(keys.insert(format!("{key:?}")), "{}: {key:?}", action.name);
            }
        }
    }

    /// To update the guide: `IRON_CROPPER_WRITE_DOCS=1 cargo test --lib keyboard_page`.
    #[test]
    fn the_keyboard_page_of_the_documentation_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/user/guide.md");
        let page = std::fs::read_to_string(path).expect("docs/user/guide.md").replace("\r\n", "\n");
        let (Some(start), Some(end)) = (page.find(START), page.find(END)) else {
            panic!("docs/user/guide.md lacks the comments around its tables: {START} and {END}");
        };
        let (before, after) = (&page[..start], &page[end + END.len()..]);
        let updated = format!("{before}{}{after}", key_tables());
        if std::env::var_os("IRON_CROPPER_WRITE_DOCS").is_some() {
            std::fs::write(path, &updated).expect("written");
            return;
        }
        assert_eq!(page, updated, "run: IRON_CROPPER_WRITE_DOCS=1 cargo test --lib keyboard_page");
    }

    #[test]
    fn the_text_scale_changes_in_steps_within_its_limits() {
        let mut state = AppState::new(batch::settings::Settings::default());
        let mut steps = 0;
        while let Some(Command::SetTextScale(scale)) = view::scale_by(&state, 1) {
            (state.settings.window.text_scale, steps) = (scale, steps + 1);
        }
        assert_eq!((state.settings.window.text_scale(), steps), (2.0, 10));
        state.settings.window.text_scale = f32::NAN;
        assert!(matches!(view::scale_by(&state, -1), Some(Command::SetTextScale(scale)) if (scale - 0.9).abs() < 1e-6));
    }
}
