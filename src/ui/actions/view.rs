//! The View and Help menus.

use super::*;

pub(super) static VIEW: &[Action] = &[
    Action {
        name: mark("Contact sheet"),
        menu: Menu::View,
        keys: &[key(CTRL, Key::G)],
        command: |state| Some(decide::show_grid(state, !state.settings.window.grid)),
        is_on: Some(|state| state.settings.window.grid),
        ..BASE_ACTION
    },
    Action {
        name: mark("To review only"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::L)],
        command: |state| (!state.list.library.is_empty()).then(|| decide::toggle_mark(state, Mark::NeedsReview)),
        is_on: Some(|state| state.list.library.filter().marks.has(Mark::NeedsReview)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Find by name"),
        menu: Menu::View,
        keys: &[key(CTRL, Key::F)],
        command: |state| (!state.list.library.is_empty()).then(|| decide::find(state)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Clear filters"),
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::F)],
        command: |state| (!state.list.library.filter().is_default()).then(|| Command::SetFilter(Filter::default())),
        ..BASE_ACTION
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
        ..BASE_ACTION
    },
    Action {
        name: mark("100 %"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::Z)],
        command: actual_size,
        ..BASE_ACTION
    },
    Action {
        name: mark("Show faces"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::B)],
        command: |state| Some(Command::SetShowFaces(!state.settings.window.show_faces)),
        is_on: Some(|state| state.settings.window.show_faces),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Show head lines"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::H)],
        command: |state| Some(Command::SetShowHeadLines(!state.settings.window.show_head_lines)),
        is_on: Some(|state| state.settings.window.show_head_lines),
        ..BASE_ACTION
    },
    Action {
        name: mark("Before and after"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::Y), key(Modifiers::NONE, Key::Backslash)],
        command: |state| {
            (!state.list.library.is_empty()).then_some(Command::SetBeforeAfter(!state.canvas.tools.before_after))
        },
        is_on: Some(|state| state.canvas.tools.before_after),
        ..BASE_ACTION
    },
    Action {
        name: mark("Cycle guides"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::G)],
        command: |state| Some(Command::SetGuides(state.settings.window.guides.next())),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Guides: none"),
        submenu: Some(mark("Guides")),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::None)),
        is_on: Some(|state| state.settings.window.guides == Guides::None),
        ..BASE_ACTION
    },
    Action {
        name: mark("Guides: thirds"),
        submenu: Some(mark("Guides")),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::Thirds)),
        is_on: Some(|state| state.settings.window.guides == Guides::Thirds),
        ..BASE_ACTION
    },
    Action {
        name: mark("Guides: document"),
        submenu: Some(mark("Guides")),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::Document)),
        is_on: Some(|state| state.settings.window.guides == Guides::Document),
        ..BASE_ACTION
    },
    Action {
        name: mark("Guides: circle"),
        submenu: Some(mark("Guides")),
        menu: Menu::View,
        command: |_| Some(Command::SetGuides(Guides::Circle)),
        is_on: Some(|state| state.settings.window.guides == Guides::Circle),
        ..BASE_ACTION
    },
    Action {
        name: mark("Next panel"),
        about: Some(mark("Moves the focus from panel to panel: menu, list, photo, settings, export, status")),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::F6)],
        command: |_| Some(Command::FocusPanel(true)),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Previous panel"),
        menu: Menu::View,
        keys: &[key(Modifiers::SHIFT, Key::F6)],
        command: |_| Some(Command::FocusPanel(false)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Compare runtimes"),
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::C)],
        command: |state| Some(Command::ShowCompare(!state.runtime.compare.shown)),
        is_on: Some(|state| state.runtime.compare.shown),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Runtimes…"),
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::R)],
        command: |_| Some(Command::OpenPage(Page::Runtimes)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Model…"),
        menu: Menu::View,
        keys: &[key(CTRL_SHIFT, Key::L)],
        command: |_| Some(Command::OpenPage(Page::Model)),
        ..BASE_ACTION
    },
    Action {
        name: mark("List panel"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::F7)],
        command: |state| Some(Command::Fold(Foldable::List, state.shows_side(Foldable::List))),
        is_on: Some(|state| state.shows_side(Foldable::List)),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Settings panel"),
        menu: Menu::View,
        keys: &[key(Modifiers::NONE, Key::F8)],
        command: |state| Some(Command::Fold(Foldable::Settings, state.shows_side(Foldable::Settings))),
        is_on: Some(|state| state.shows_side(Foldable::Settings)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Crop preview"),
        menu: Menu::View,
        command: |state| Some(Command::Fold(Foldable::Preview, !state.is_folded(Foldable::Preview))),
        is_on: Some(|state| !state.is_folded(Foldable::Preview)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Larger text"),
        menu: Menu::View,
        keys: &[key(CTRL, Key::Plus), key(CTRL, Key::Equals)],
        command: |state| scale_by(state, 1),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Smaller text"),
        menu: Menu::View,
        keys: &[key(CTRL, Key::Minus)],
        command: |state| scale_by(state, -1),
        ..BASE_ACTION
    },
    Action {
        name: mark("Reset text size"),
        menu: Menu::View,
        keys: &[key(CTRL, Key::Num0)],
        command: |state| (state.settings.window.text_scale() != 1.0).then_some(Command::SetTextScale(1.0)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Reduce motion"),
        menu: Menu::View,
        command: |state| Some(Command::SetReduceMotion(!state.settings.window.reduce_motion)),
        is_on: Some(|state| state.settings.window.reduce_motion),
        ..BASE_ACTION
    },
    Action {
        name: mark("Theme: system"),
        submenu: Some(mark("Theme")),
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::System)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::System),
        begins_group: true,
        ..BASE_ACTION
    },
    Action {
        name: mark("Theme: light"),
        submenu: Some(mark("Theme")),
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::Light)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::Light),
        ..BASE_ACTION
    },
    Action {
        name: mark("Theme: dark"),
        submenu: Some(mark("Theme")),
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::Dark)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::Dark),
        ..BASE_ACTION
    },
    Action {
        name: mark("Theme: high contrast"),
        submenu: Some(mark("Theme")),
        menu: Menu::View,
        command: |_| Some(Command::SetTheme(ThemeChoice::HighContrast)),
        is_on: Some(|state| state.settings.window.theme == ThemeChoice::HighContrast),
        ..BASE_ACTION
    },
    #[cfg(target_os = "linux")]
    Action {
        name: mark("Display: automatic"),
        submenu: Some(mark("Display")),
        command: |_| Some(Command::SetDisplay(DisplayChoice::Auto)),
        is_on: Some(|state| state.settings.window.display == DisplayChoice::Auto),
        about: Some(ABOUT_DISPLAY),
        begins_group: true,
        ..VIEW_ACTION
    },
    #[cfg(target_os = "linux")]
    Action {
        name: mark("Display: Wayland"),
        submenu: Some(mark("Display")),
        command: |_| Some(Command::SetDisplay(DisplayChoice::Wayland)),
        is_on: Some(|state| state.settings.window.display == DisplayChoice::Wayland),
        about: Some(ABOUT_DISPLAY),
        ..VIEW_ACTION
    },
    #[cfg(target_os = "linux")]
    Action {
        name: mark("Display: X11"),
        submenu: Some(mark("Display")),
        command: |_| Some(Command::SetDisplay(DisplayChoice::X11)),
        is_on: Some(|state| state.settings.window.display == DisplayChoice::X11),
        about: Some(ABOUT_DISPLAY),
        ..VIEW_ACTION
    },
    Action {
        name: mark("Notify when finished"),
        command: |state| Some(Command::SetNotify(!state.settings.window.notify)),
        is_on: Some(|state| state.settings.window.notify),
        about: Some(mark(
            "Shows a notification at the end of a long export or comparison if another window is in front.",
        )),
        begins_group: true,
        ..VIEW_ACTION
    },
    // Each language by its own name, so that it can be found by those who do not read the current one.
    Action {
        name: mark("Language: system"),
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::System)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::System),
        begins_group: true,
        ..VIEW_ACTION
    },
    Action {
        name: "English",
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::English)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::English),
        ..VIEW_ACTION
    },
    Action {
        name: "Deutsch",
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::German)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::German),
        ..VIEW_ACTION
    },
    Action {
        name: "Français",
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::French)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::French),
        ..VIEW_ACTION
    },
    Action {
        name: "Español",
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::Spanish)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::Spanish),
        ..VIEW_ACTION
    },
    Action {
        name: "日本語",
        submenu: Some(mark("Language")),
        command: |_| Some(Command::SetLanguage(LanguageChoice::Japanese)),
        is_on: Some(|state| state.settings.window.language == LanguageChoice::Japanese),
        ..VIEW_ACTION
    },
    Action {
        name: mark("Find an action…"),
        menu: Menu::Help,
        keys: &[key(CTRL, Key::K), key(CTRL_SHIFT, Key::P)],
        command: |state| Some(Command::ShowPalette(!state.dialogs.palette)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Keyboard shortcuts"),
        menu: Menu::Help,
        keys: &[key(Modifiers::NONE, Key::Questionmark), key(Modifiers::NONE, Key::F1)],
        command: |_| Some(Command::OpenPage(Page::Shortcuts)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Messages"),
        menu: Menu::Help,
        keys: &[key(CTRL_SHIFT, Key::M)],
        command: |_| Some(Command::OpenPage(Page::Messages)),
        ..BASE_ACTION
    },
    Action {
        name: mark("Copy diagnostics"),
        menu: Menu::Help,
        command: |state| (!state.diagnosing()).then_some(Command::CopyDiagnostics),
        ..BASE_ACTION
    },
    Action {
        name: mark("About Iron Cropper"),
        menu: Menu::Help,
        command: |_| Some(Command::OpenPage(Page::About)),
        ..BASE_ACTION
    },
];

/// About the display server.
#[cfg(target_os = "linux")]
const ABOUT_DISPLAY: &str = mark(
    "From the next start on: files can be dropped only with X11, which may be blurred on Wayland desktops with fractional scaling.",
);

/// Default field values of an action in the View menu.
const VIEW_ACTION: Action = Action { menu: Menu::View, ..BASE_ACTION };

/// Changes the text scale by a number of steps; `None` at the end of the scale.
pub(super) fn scale_by(state: &AppState, steps: i32) -> Option<Command> {
    let now = state.settings.window.text_scale();
    let (min, max) = (*WindowSettings::TEXT_SCALES.start(), *WindowSettings::TEXT_SCALES.end());
    let wanted = (((now * 10.0).round() + steps as f32) / 10.0).clamp(min, max);
    (wanted != now).then_some(Command::SetTextScale(wanted))
}
