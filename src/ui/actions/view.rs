//! The menus View and Help.

use super::*;

pub(super) static VIEW: &[Action] = &[
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
        command: |state| (!state.list.library.is_empty()).then(|| decide::toggle_mark(state, Mark::NeedsReview)),
        is_on: Some(|state| state.list.library.filter().marks.has(Mark::NeedsReview)),
        ..PLAIN
    },
    Action {
        name: mark("Find by name"),
        menu: Menu::View,
        keys: &[key(CTRL, Key::F)],
        command: |state| (!state.list.library.is_empty()).then(|| decide::find(state)),
        ..PLAIN
    },
    Action {
        name: mark("Show every photo"),
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::F)],
        command: |state| (!state.list.library.filter().is_default()).then(|| Command::SetFilter(Filter::default())),
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
        command: |state| {
            (!state.list.library.is_empty()).then_some(Command::SetBeforeAfter(!state.canvas.tools.before_after))
        },
        is_on: Some(|state| state.canvas.tools.before_after),
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
        submenu: Some(mark("Guides")),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::None)),
        is_on: Some(|state| state.settings.window.guides == Guides::None),
        ..PLAIN
    },
    Action {
        name: mark("Guides: thirds"),
        submenu: Some(mark("Guides")),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::Thirds)),
        is_on: Some(|state| state.settings.window.guides == Guides::Thirds),
        ..PLAIN
    },
    Action {
        name: mark("Guides: bands of the document"),
        submenu: Some(mark("Guides")),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::Document)),
        is_on: Some(|state| state.settings.window.guides == Guides::Document),
        ..PLAIN
    },
    Action {
        name: mark("Guides: safe circle"),
        submenu: Some(mark("Guides")),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::Circle)),
        is_on: Some(|state| state.settings.window.guides == Guides::Circle),
        ..PLAIN
    },
    Action {
        name: mark("Compare runtimes"),
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::C)],
        command: |state| Some(Command::ShowCompare(!state.runtime.compare.shown)),
        is_on: Some(|state| state.runtime.compare.shown),
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
        command: |state| Some(Command::SetLessMotion(!state.settings.window.reduce_motion)),
        is_on: Some(|state| state.settings.window.reduce_motion),
        ..PLAIN
    },
    Action {
        name: mark("Theme: as the system"),
        submenu: Some(mark("Theme")),
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::System)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::System),
        begins_group: true,
        ..PLAIN
    },
    Action {
        name: mark("Theme: light"),
        submenu: Some(mark("Theme")),
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::Light)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::Light),
        ..PLAIN
    },
    Action {
        name: mark("Theme: dark"),
        submenu: Some(mark("Theme")),
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::Dark)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::Dark),
        ..PLAIN
    },
    // Each language by its own name, for those who do not read the one shown.
    Action {
        name: mark("Language: as the system"),
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::System)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::System),
        begins_group: true,
        ..OF_VIEW
    },
    Action {
        name: "English",
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::English)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::English),
        ..OF_VIEW
    },
    Action {
        name: "Deutsch",
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::German)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::German),
        ..OF_VIEW
    },
    Action {
        name: "Français",
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::French)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::French),
        ..OF_VIEW
    },
    Action {
        name: "Español",
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::Spanish)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::Spanish),
        ..OF_VIEW
    },
    Action {
        name: "日本語",
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::Japanese)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::Japanese),
        ..OF_VIEW
    },
    Action {
        name: mark("Find an action…"),
        menu: Menu::Help,
        keys: &[key(CTRL, Key::K), key(CTRL_SHIFT, Key::P)],
        command: |state| Some(Command::ShowPalette(!state.dialogs.palette)),
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
        name: mark("Copy diagnostics"),
        menu: Menu::Help,
        command: |state| (!state.diagnosing()).then_some(Command::CopyDiagnostics),
        ..PLAIN
    },
    Action {
        name: mark("About Iron Cropper"),
        menu: Menu::Help,
        command: |_| Some(Command::OpenPage(Page::About)),
        ..PLAIN
    },
];

/// The usual action of the View menu.
const OF_VIEW: Action = Action { menu: Menu::View, ..PLAIN };

/// Text and everything else larger or smaller by so many steps; `None` at the end of the scale.
pub(super) fn scale_by(state: &AppState, steps: i32) -> Option<Command> {
    let now = state.settings.window.text_scale();
    let (min, max) = (*WindowSettings::TEXT_SCALES.start(), *WindowSettings::TEXT_SCALES.end());
    let wanted = (((now * 10.0).round() + steps as f32) / 10.0).clamp(min, max);
    (wanted != now).then_some(Command::SetTextScale(wanted))
}
