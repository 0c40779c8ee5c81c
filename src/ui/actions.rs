//! Everything a person can do at once, by menu, by key or by name: one list for the menus, the keys and their overview.

use egui::{Key, KeyboardShortcut, Modifiers};

use super::command::{Command, ProjectCommand};
use super::decide;
use super::dialogs::PickerKind;
use super::language::mark;
use super::state::{AppState, CanvasView, ExportScope, Filter, Mark, Page, Walk};
use crate::plan::PhotoEdits;
use crate::settings::{Guides, LanguageChoice, ThemeChoice, WindowSettings};

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
        ACTIONS.iter().filter(move |action| action.menu == self)
    }
}

/// The usual action, for those below to depart from.
const PLAIN: Action =
    Action { name: "", menu: Menu::File, keys: &[], command: |_| None, is_on: None, detail: None, begins_group: false };

/// The usual action of the View menu.
const VIEW: Action = Action { menu: Menu::View, ..PLAIN };

const fn key(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

/// An arrow or the like, and with the shift key: what lies between is selected as well.
const fn walk_keys(arrow: Key) -> [KeyboardShortcut; 2] {
    [key(Modifiers::NONE, arrow), key(Modifiers::SHIFT, arrow)]
}

fn walk(state: &AppState, walk: Walk) -> Option<Command> {
    (state.library.row_count() > 0).then_some(Command::SelectBy(walk, false))
}

/// Every action, menu by menu.
pub(crate) static ACTIONS: &[Action] = &[
    Action {
        name: mark("Add files…"),
        keys: &[key(CTRL, Key::O)],
        command: |_| Some(Command::Pick(PickerKind::Files)),
        ..PLAIN
    },
    Action {
        name: mark("Add folder…"),
        keys: &[key(CTRL_SHIFT, Key::O)],
        command: |_| Some(Command::Pick(PickerKind::Folder)),
        ..PLAIN
    },
    Action {
        name: mark("Watch a folder…"),
        command: |state| {
            let watching = state.watched.is_some();
            let stop = || Command::Project(ProjectCommand::StopWatching);
            Some(if watching { stop() } else { Command::Pick(PickerKind::WatchFolder) })
        },
        is_on: Some(|state| state.watched.is_some()),
        ..PLAIN
    },
    Action {
        name: mark("New list"),
        keys: &[key(CTRL, Key::N)],
        command: |state| {
            let any = !state.library.is_empty() || state.project.path.is_some();
            any.then_some(Command::Project(ProjectCommand::New))
        },
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Open project…"),
        keys: &[key(CTRL_ALT, Key::O)],
        command: |_| Some(Command::Pick(PickerKind::OpenProject)),
        ..PLAIN
    },
    Action {
        name: mark("Save project"),
        keys: &[key(CTRL, Key::S)],
        command: |state| savable(state).then_some(Command::Project(ProjectCommand::Save)),
        ..PLAIN
    },
    Action {
        name: mark("Save project as…"),
        keys: &[key(CTRL_SHIFT, Key::S)],
        command: |state| savable(state).then_some(Command::Project(ProjectCommand::SaveAs)),
        ..PLAIN
    },
    Action {
        name: mark("Choose output folder…"),
        keys: &[key(CTRL_SHIFT, Key::D)],
        command: |_| Some(Command::Pick(PickerKind::OutputFolder)),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Export selected"),
        keys: &[key(CTRL, Key::E)],
        command: |state| {
            let any = state.library.selected_count() > 0 && !state.exporting();
            any.then_some(Command::Export(ExportScope::Selected))
        },
        ..PLAIN
    },
    Action {
        name: mark("Export all"),
        keys: &[key(CTRL_SHIFT, Key::E)],
        command: |state| (!state.library.is_empty() && !state.exporting()).then_some(Command::Export(ExportScope::All)),
        ..PLAIN
    },
    Action {
        name: mark("Quit"),
        keys: &[key(CTRL, Key::Q)],
        command: |_| Some(Command::Quit),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Undo"),
        menu: Menu::Edit,
        keys: &[key(CTRL, Key::Z)],
        command: |state| state.history.undo_name().map(|_| Command::Undo),
        detail: Some(|state| state.history.undo_name()),
        ..PLAIN
    },
    Action {
        name: mark("Redo"),
        menu: Menu::Edit,
        keys: &[key(CTRL_SHIFT, Key::Z), key(CTRL, Key::Y)],
        command: |state| state.history.redo_name().map(|_| Command::Redo),
        detail: Some(|state| state.history.redo_name()),
        ..PLAIN
    },
    Action {
        name: mark("Select all"),
        menu: Menu::Edit,
        keys: &[key(CTRL, Key::A)],
        command: |state| (!state.library.is_empty()).then_some(Command::SelectAll),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Remove from list"),
        menu: Menu::Edit,
        keys: &[key(Modifiers::NONE, Key::Delete)],
        command: |state| (state.library.selected_count() > 0).then_some(Command::RemoveSelected),
        ..PLAIN
    },
    Action {
        name: mark("Accept"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::A), key(Modifiers::NONE, Key::Enter)],
        command: |state| (state.library.selected_count() > 0).then_some(Command::AcceptAndGoOn),
        ..PLAIN
    },
    Action {
        name: mark("No longer accept"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::SHIFT, Key::A)],
        command: |state| decide::no_longer_accept(state, &state.library.selected_ids()),
        ..PLAIN
    },
    Action {
        name: mark("Leave out"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::X)],
        command: |state| decide::leave_out(state, &state.library.selected_ids()),
        is_on: Some(|state| decide::are_left_out(state, &state.library.selected_ids())),
        ..PLAIN
    },
    Action {
        name: mark("Next that needs a look"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::NONE, Key::N)],
        command: |state| (!state.library.is_empty()).then_some(Command::NextToLookAt(false)),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Previous that needs a look"),
        menu: Menu::Photo,
        keys: &[key(Modifiers::SHIFT, Key::N)],
        command: |state| (!state.library.is_empty()).then_some(Command::NextToLookAt(true)),
        ..PLAIN
    },
    Action {
        name: mark("Previous photo"),
        menu: Menu::Photo,
        keys: &walk_keys(Key::ArrowLeft),
        command: |state| walk(state, Walk::By(-1)),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Next photo"),
        menu: Menu::Photo,
        keys: &walk_keys(Key::ArrowRight),
        command: |state| walk(state, Walk::By(1)),
        ..PLAIN
    },
    Action {
        name: mark("Photo above"),
        menu: Menu::Photo,
        keys: &walk_keys(Key::ArrowUp),
        command: |state| walk(state, Walk::Rows(-1)),
        ..PLAIN
    },
    Action {
        name: mark("Photo below"),
        menu: Menu::Photo,
        keys: &walk_keys(Key::ArrowDown),
        command: |state| walk(state, Walk::Rows(1)),
        ..PLAIN
    },
    Action {
        name: mark("A page up"),
        menu: Menu::Photo,
        keys: &walk_keys(Key::PageUp),
        command: |state| walk(state, Walk::Pages(-1)),
        ..PLAIN
    },
    Action {
        name: mark("A page down"),
        menu: Menu::Photo,
        keys: &walk_keys(Key::PageDown),
        command: |state| walk(state, Walk::Pages(1)),
        ..PLAIN
    },
    Action {
        name: mark("First photo"),
        menu: Menu::Photo,
        keys: &walk_keys(Key::Home),
        command: |state| walk(state, Walk::First),
        ..PLAIN
    },
    Action {
        name: mark("Last photo"),
        menu: Menu::Photo,
        keys: &walk_keys(Key::End),
        command: |state| walk(state, Walk::Last),
        ..PLAIN
    },
    Action {
        name: mark("Settings of its own"),
        menu: Menu::Photo,
        keys: &[key(CTRL, Key::I)],
        command: |state| decide::own_settings(state, &state.library.selected_ids()),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Apply this photo's settings to the selection"),
        menu: Menu::Photo,
        keys: &[key(CTRL_SHIFT, Key::I)],
        command: |state| decide::same_settings(state, &state.library.selected_ids()),
        ..PLAIN
    },
    Action {
        name: mark("Back to the settings of the list"),
        menu: Menu::Photo,
        keys: &[key(CTRL, Key::L)],
        command: |state| decide::list_settings(state, &state.library.selected_ids()),
        ..PLAIN
    },
    Action {
        name: mark("Reset to automatic"),
        menu: Menu::Photo,
        keys: &[key(CTRL, Key::R)],
        command: |state| decide::reset(state, &state.library.selected_ids()),
        ..PLAIN
    },
    Action {
        name: mark("Photos side by side"),
        menu: Menu::View,
        keys: &[key(CTRL, Key::G)],
        command: |state| Some(decide::show_grid(state, !state.settings.window.grid)),
        is_on: Some(|state| state.settings.window.grid),
        ..PLAIN
    },
    Action {
        name: mark("Only photos that need a look"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::L)],
        command: |state| (!state.library.is_empty()).then(|| decide::toggle_mark(state, Mark::NeedsLook)),
        is_on: Some(|state| state.library.filter().marks.has(Mark::NeedsLook)),
        ..PLAIN
    },
    Action {
        name: mark("Find by name"),
        menu: Menu::View,
        keys: &[key(CTRL, Key::F)],
        command: |state| (!state.library.is_empty()).then(|| decide::find(state)),
        ..PLAIN
    },
    Action {
        name: mark("Show every photo"),
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::F)],
        command: |state| (!state.library.filter().is_default()).then(|| Command::SetFilter(Filter::default())),
        ..PLAIN
    },
    Action {
        name: mark("Draw a face"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::D)],
        command: |state| can_draw(state).then_some(Command::SetDrawing(!state.tools.drawing)),
        is_on: Some(|state| state.tools.drawing),
        ..PLAIN
    },
    Action {
        name: mark("Take away the drawn face"),
        menu: Menu::Faces,
        command: |state| {
            let face = state.shown_frame()?.face;
            state.current()?.is_drawn(face).then_some(Command::EraseFace(face))
        },
        ..PLAIN
    },
    numbered::<1>(mark("Crop face 1, or not")),
    numbered::<2>(mark("Crop face 2, or not")),
    numbered::<3>(mark("Crop face 3, or not")),
    numbered::<4>(mark("Crop face 4, or not")),
    numbered::<5>(mark("Crop face 5, or not")),
    numbered::<6>(mark("Crop face 6, or not")),
    numbered::<7>(mark("Crop face 7, or not")),
    numbered::<8>(mark("Crop face 8, or not")),
    numbered::<9>(mark("Crop face 9, or not")),
    Action {
        name: mark("Show the next crop"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::C)],
        command: |state| {
            let count = state.current_plan().crops.len();
            let (index, _) = state.shown_crop()?;
            (count > 1).then_some(Command::ShowCrop((index + 1) % count))
        },
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Make this crop the first"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::ALT, Key::Home)],
        command: |state| {
            let (from, _) = place_in_order(state)?;
            (from > 0).then_some(Command::MoveFace { from, to: 0 })
        },
        ..PLAIN
    },
    Action {
        name: mark("Move this crop forward"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::ALT, Key::ArrowLeft)],
        command: |state| {
            let (from, _) = place_in_order(state)?;
            Some(Command::MoveFace { from, to: from.checked_sub(1)? })
        },
        ..PLAIN
    },
    Action {
        name: mark("Move this crop back"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::ALT, Key::ArrowRight)],
        command: |state| {
            let (from, count) = place_in_order(state)?;
            (from + 1 < count).then_some(Command::MoveFace { from, to: from + 1 })
        },
        ..PLAIN
    },
    Action {
        name: mark("Edit the frame with the arrow keys"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::M)],
        command: |state| state.shown_frame().map(|_| Command::FocusFrame(true)),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Turn the frame left by half a degree"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::OpenBracket), key(Modifiers::NONE, Key::Comma)],
        command: |state| turn_frame(state, -TURN_STEP),
        ..PLAIN
    },
    Action {
        name: mark("Turn the frame right by half a degree"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::CloseBracket), key(Modifiers::NONE, Key::Period)],
        command: |state| turn_frame(state, TURN_STEP),
        ..PLAIN
    },
    Action {
        name: mark("Turn the frame left by 5 degrees"),
        menu: Menu::Faces,
        // Another sign is on the same key with Shift, and the system may tell that.
        keys: &[
            key(Modifiers::SHIFT, Key::OpenBracket),
            key(Modifiers::SHIFT, Key::OpenCurlyBracket),
            key(Modifiers::SHIFT, Key::Comma),
        ],
        command: |state| turn_frame(state, -LARGE_TURN_STEP),
        ..PLAIN
    },
    Action {
        name: mark("Turn the frame right by 5 degrees"),
        menu: Menu::Faces,
        keys: &[
            key(Modifiers::SHIFT, Key::CloseBracket),
            key(Modifiers::SHIFT, Key::CloseCurlyBracket),
            key(Modifiers::SHIFT, Key::Period),
        ],
        command: |state| turn_frame(state, LARGE_TURN_STEP),
        ..PLAIN
    },
    Action {
        name: mark("Free aspect"),
        menu: Menu::Faces,
        keys: &[key(Modifiers::NONE, Key::R)],
        command: |state| {
            let locked = state.shown_frame()?.locked;
            (!locked).then_some(Command::SetFreeAspect(!state.tools.free_aspect))
        },
        is_on: Some(|state| state.tools.free_aspect && state.shown_frame().is_some_and(|shown| !shown.locked)),
        ..PLAIN
    },
    Action {
        name: mark("Follow the head again"),
        menu: Menu::Faces,
        command: |state| {
            let shown = state.shown_frame().filter(|shown| shown.by_hand)?;
            Some(Command::SetFrame(shown.face, None))
        },
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Reset to automatic"),
        menu: Menu::Faces,
        command: |state| state.current()?.edits().touches_faces().then_some(Command::ResetFaces),
        ..PLAIN
    },
    Action {
        name: mark("Reset photo"),
        menu: Menu::Faces,
        command: |state| {
            let photo = state.current()?;
            (*photo.edits() != PhotoEdits::default()).then(|| Command::ResetPhotos(vec![photo.id]))
        },
        ..PLAIN
    },
    Action {
        name: mark("Fit"),
        begins_group: true,
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::F)],
        command: |state| {
            let shown = state.current().is_some_and(|photo| photo.info.is_some());
            shown.then_some(Command::SetView(CanvasView::Fit))
        },
        ..PLAIN
    },
    Action {
        name: mark("100 %"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::Z)],
        command: actual_size,
        ..PLAIN
    },
    Action {
        name: mark("Show faces"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::B)],
        command: |state| Some(Command::SetShowFaces(!state.settings.window.show_faces)),
        is_on: Some(|state| state.settings.window.show_faces),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Show head lines"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::H)],
        command: |state| Some(Command::SetShowHeadLines(!state.settings.window.show_head_lines)),
        is_on: Some(|state| state.settings.window.show_head_lines),
        ..PLAIN
    },
    Action {
        name: mark("Before and after"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::Y), key(Modifiers::NONE, Key::Backslash)],
        command: |state| (!state.library.is_empty()).then_some(Command::SetBeforeAfter(!state.tools.before_after)),
        is_on: Some(|state| state.tools.before_after),
        ..PLAIN
    },
    Action {
        name: mark("Next guides"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::G)],
        command: |state| Some(Command::SetGuides(state.settings.window.guides.next())),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Guides: none"),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::None)),
        is_on: Some(|state| state.settings.window.guides == Guides::None),
        ..PLAIN
    },
    Action {
        name: mark("Guides: thirds"),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::Thirds)),
        is_on: Some(|state| state.settings.window.guides == Guides::Thirds),
        ..PLAIN
    },
    Action {
        name: mark("Guides: bands of the document"),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::Bands)),
        is_on: Some(|state| state.settings.window.guides == Guides::Bands),
        ..PLAIN
    },
    Action {
        name: mark("Guides: safe circle"),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::Circle)),
        is_on: Some(|state| state.settings.window.guides == Guides::Circle),
        ..PLAIN
    },
    Action {
        name: mark("Compare runtimes"),
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::C)],
        command: |state| Some(Command::ShowCompare(!state.compare.shown)),
        is_on: Some(|state| state.compare.shown),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Runtimes…"),
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::R)],
        command: |_| Some(Command::OpenPage(Page::Runtimes)),
        ..PLAIN
    },
    Action {
        name: mark("Model…"),
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::L)],
        command: |_| Some(Command::OpenPage(Page::Model)),
        ..PLAIN
    },
    Action {
        name: mark("Larger text"),
        menu: Menu::View,
        keys: &[key(CTRL, Key::Plus), key(CTRL, Key::Equals)],
        command: |state| scale_by(state, 1),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Smaller text"),
        menu: Menu::View,
        keys: &[key(CTRL, Key::Minus)],
        command: |state| scale_by(state, -1),
        ..PLAIN
    },
    Action {
        name: mark("Usual text size"),
        menu: Menu::View,
        keys: &[key(CTRL, Key::Num0)],
        command: |state| (state.settings.window.text_scale() != 1.0).then_some(Command::SetTextScale(1.0)),
        ..PLAIN
    },
    Action {
        name: mark("Less motion"),
        menu: Menu::View,
        command: |state| Some(Command::SetLessMotion(!state.settings.window.less_motion)),
        is_on: Some(|state| state.settings.window.less_motion),
        ..PLAIN
    },
    Action {
        name: mark("Theme: as the system"),
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::System)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::System),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Theme: light"),
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::Light)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::Light),
        ..PLAIN
    },
    Action {
        name: mark("Theme: dark"),
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::Dark)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::Dark),
        ..PLAIN
    },
    // Each language by its own name, for those who do not read the one shown.
    Action {
        name: mark("Language: as the system"),
        command: |_| Some(Command::SetLanguage(LanguageChoice::System)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::System),
        begins_group: true,
        ..VIEW
    },
    Action {
        name: "English",
        command: |_| Some(Command::SetLanguage(LanguageChoice::English)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::English),
        ..VIEW
    },
    Action {
        name: "Deutsch",
        command: |_| Some(Command::SetLanguage(LanguageChoice::German)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::German),
        ..VIEW
    },
    Action {
        name: "Français",
        command: |_| Some(Command::SetLanguage(LanguageChoice::French)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::French),
        ..VIEW
    },
    Action {
        name: "Español",
        command: |_| Some(Command::SetLanguage(LanguageChoice::Spanish)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::Spanish),
        ..VIEW
    },
    Action {
        name: "日本語",
        command: |_| Some(Command::SetLanguage(LanguageChoice::Japanese)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::Japanese),
        ..VIEW
    },
    Action {
        name: mark("Find an action…"),
        menu: Menu::Help,
        keys: &[key(CTRL, Key::K), key(CTRL_SHIFT, Key::P)],
        command: |state| Some(Command::ShowPalette(!state.palette)),
        ..PLAIN
    },
    Action {
        name: mark("Keyboard shortcuts"),
        menu: Menu::Help,
        keys: &[key(Modifiers::NONE, Key::Questionmark), key(Modifiers::NONE, Key::F1)],
        command: |_| Some(Command::OpenPage(Page::Shortcuts)),
        ..PLAIN
    },
    Action {
        name: mark("Messages"),
        menu: Menu::Help,
        keys: &[key(CTRL_SHIFT, Key::M)],
        command: |_| Some(Command::OpenPage(Page::Messages)),
        ..PLAIN
    },
    Action {
        name: mark("About Iron Cropper"),
        menu: Menu::Help,
        command: |_| Some(Command::OpenPage(Page::About)),
        ..PLAIN
    },
];

/// Degrees that a press of a key turns the frame by, and with Shift.
const TURN_STEP: f32 = 0.5;
const LARGE_TURN_STEP: f32 = 5.0;

/// The keys of the first faces.
const DIGITS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

/// The action on the face with this number, counted from the left.
const fn numbered<const NUMBER: usize>(name: &'static str) -> Action {
    Action {
        name,
        menu: Menu::Faces,
        keys: const { &[key(Modifiers::NONE, DIGITS[NUMBER - 1])] },
        command: |state| {
            let index = *state.current()?.numbered(&state.settings.crop).get(NUMBER - 1)?;
            Some(Command::ToggleFace(index))
        },
        is_on: None,
        detail: None,
        begins_group: NUMBER == 1,
    }
}

fn can_draw(state: &AppState) -> bool {
    state.current().is_some_and(|photo| photo.info.is_some()) && !state.compare.shown
}

/// The place of the crop that the preview shows in the order of crops, and how many there are.
fn place_in_order(state: &AppState) -> Option<(usize, usize)> {
    let face = state.shown_frame()?.face;
    let order = state.current()?.order(&state.settings.crop);
    Some((order.iter().position(|&other| other == face)?, order.len()))
}

fn turn_frame(state: &AppState, degrees: f32) -> Option<Command> {
    let shown = state.shown_frame()?;
    let turned = shown.kept(shown.frame.turned(shown.frame.angle + degrees));
    (turned != shown.frame).then_some(Command::SetFrame(shown.face, Some(turned)))
}

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

/// Text and everything else larger or smaller by so many steps; `None` at the end of the scale.
fn scale_by(state: &AppState, steps: i32) -> Option<Command> {
    let now = state.settings.window.text_scale();
    let (least, most) = (*WindowSettings::TEXT_SCALES.start(), *WindowSettings::TEXT_SCALES.end());
    let wanted = (((now * 10.0).round() + steps as f32) / 10.0).clamp(least, most);
    (wanted != now).then_some(Command::SetTextScale(wanted))
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

    /// Every action with its keys, and every gesture, as a page of the documentation.
    fn keyboard_page() -> String {
        let shown = |key: &KeyboardShortcut| format!("`{}`", key.format(&egui::ModifierNames::NAMES, false));
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
