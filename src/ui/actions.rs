//! Everything a person can do at once, by menu, by key or by name: one list for the menus, the keys and their overview.

mod faces;
mod file;
mod photo;
mod view;

use egui::{Context, Key, KeyboardShortcut, Modifiers};
use file::FILE;
use photo::PHOTO;
use view::VIEW;

use batch::settings::{Guides, LanguageChoice, ThemeChoice, WindowSettings};
use faces::FACES;
use recipe::PhotoEdits;

use super::command::{Command, ProjectCommand};
use super::decide;
use super::dialogs::PickerKind;
use super::language::mark;
use super::state::{AppState, CanvasView, ExportScope, Filter, Mark, Navigation, Page};

const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
const CTRL_ALT: Modifiers = Modifiers::COMMAND.plus(Modifiers::ALT);

/// One thing that can be done.
pub(crate) struct Action {
    /// Short, for menus: begins with a verb where it can. In English; shown by `tr`.
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
    /// The menu within its menu that it stands in, for those that go together. In English; shown by `tr`.
    pub submenu: Option<&'static str>,
    /// True where a line stands above it in its menu.
    pub begins_group: bool,
}

/// The menu an action is in.
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

    /// In English; shown by `tr`.
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

    /// Its actions, in order.
    pub(crate) fn actions(self) -> impl Iterator<Item = &'static Action> {
        all().filter(move |action| action.menu == self)
    }
}

/// The usual action, for those below to depart from.
const PLAIN: Action = Action {
    name: "",
    menu: Menu::File,
    keys: &[],
    command: |_| None,
    is_on: None,
    detail: None,
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

/// 100 %, with the middle of the photo, or of what is seen of it now, in the middle.
pub(crate) fn actual_size(state: &AppState) -> Option<Command> {
    let picture = state.current()?.info.as_ref()?.size;
    let (_, center) = state.canvas.view.resolve(picture, 1.0, 1.0);
    Some(Command::SetView(CanvasView::Free { scale: 1.0, center }))
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
        "OpenBracket" => "[",
        "CloseBracket" => "]",
        "OpenCurlyBracket" => "{",
        "CloseCurlyBracket" => "}",
        other => other,
    };
    if before.is_empty() { sign.to_owned() } else { format!("{before}+{sign}") }
}

/// What the pointer does on the photo and in the list: the gesture, and what comes of it. In English; shown by `tr`.
pub(crate) static GESTURES: &[(&str, &str)] = &[
    (mark("Wheel"), mark("Zoom at the pointer")),
    (mark("Drag"), mark("Move the photo; with Space held, or with the middle button, from anywhere")),
    (mark("Double click"), mark("Fit the photo")),
    (mark("Click on a face"), mark("Crop it, or leave it out")),
    (mark("Drag a line of a head"), mark("Set crown, chin, eyes or midline")),
    (mark("Drag the dot above it"), mark("Turn the head")),
    (mark("Drag the border of the frame"), mark("Move the frame; with Ctrl or Cmd held, from anywhere inside it")),
    (mark("Drag a square of the frame"), mark("Make it larger or smaller; with Shift without keeping its proportions")),
    (mark("Drag the dot beside the frame"), mark("Turn the frame; with Shift in steps of 15 degrees")),
    (mark("Click on another frame's border"), mark("Show that crop")),
    (mark("Right click on a face"), mark("What can be done with it")),
    (mark("Tab, then the arrow keys"), mark("Move what has the focus by 1 pixel, with Shift by 10")),
    (mark("Delete on a drawn face"), mark("Take it away")),
    (mark("Esc while a face is drawn"), mark("Draw none")),
    (mark("Ctrl and click in the list"), mark("Select several photos")),
    (mark("Shift and click in the list"), mark("Select all up to there")),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The comments around the tables in the user guide.
    const START: &str = "<!-- These tables are written by src/ui/actions.rs. -->";
    const END: &str = "<!-- End of the tables. -->";

    /// The tables of every action with its keys, and of every gesture, in Markdown.
    fn key_tables() -> String {
        let shown =
            |key: &KeyboardShortcut| format!("`{}`", with_signs(&key.format(&egui::ModifierNames::NAMES, false)));
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
            panic!("docs/user/guide.md has lost the comments around its tables: {START} and {END}");
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
    fn the_text_scale_goes_in_steps_and_stops_at_its_ends() {
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
