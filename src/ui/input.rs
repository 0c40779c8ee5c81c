//! Turns keys, pasted text and dropped files into commands.

use egui::{Context, Event, Id, ImeEvent, Key, KeyboardShortcut};

use geometry::Size;
use import::parse_pasted_paths;
use outcome::DisplayCopy;

use super::actions::Action;
use super::command::{Command, Commands, ProjectCommand};
use super::state::{AppState, Page};
use super::{actions, canvas};

/// Collects drops, pastes and key presses since the last pass. While a text field has the focus, it handles pasted text and
/// editing keys itself; while an input method composes, it handles all keys.
pub(crate) fn collect_input(ctx: &Context, state: &AppState, commands: &mut Commands) {
    let dropped: Vec<_> =
        ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect());
    if !dropped.is_empty() {
        commands.push(Command::Import(dropped));
    }
    watch_composing(ctx);
    let typing = ctx.text_edit_focused();
    if !typing && !state.dialogs.palette {
        if let Some(picture) = pasted_picture(ctx) {
            commands.push(Command::Project(ProjectCommand::Paste(picture)));
        }
        for text in pasted(ctx) {
            let paths = parse_pasted_paths(&text);
            if !paths.is_empty() {
                commands.push(Command::Import(paths));
            }
        }
    }
    if !composing(ctx) {
        collect_keys(ctx, state, typing, commands);
    }
}

/// True while an input method composes a word, and in the pass in which it ends: the key that ends it is not a shortcut.
pub(crate) fn composing(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(composing_id())).is_some_and(|(_, within): (bool, bool)| within)
}

fn composing_id() -> Id {
    Id::unique("composing")
}

/// Records whether an input method is composing after this pass, and whether it did within it.
fn watch_composing(ctx: &Context) {
    let before = ctx.data(|data| data.get_temp(composing_id())).is_some_and(|(now, _): (bool, bool)| now);
    let (mut now, mut within) = (before, before);
    ctx.input(|input| {
        for event in &input.events {
            match event {
                Event::Ime(ImeEvent::Preedit { text, .. }) => now = !text.is_empty(),
                Event::Ime(ImeEvent::Commit(_)) => now = false,
                _ => {}
            }
            within |= now;
        }
    });
    ctx.data_mut(|data| data.insert_temp(composing_id(), (now, within)));
}

/// True while files are dragged over the window.
pub(crate) fn files_hover(ctx: &Context) -> bool {
    ctx.input(|input| !input.raw.hovered_files.is_empty())
}

fn pasted(ctx: &Context) -> Vec<String> {
    ctx.input(|input| {
        input
            .events
            .iter()
            .filter_map(|event| if let Event::Paste(text) = event { Some(text.clone()) } else { None })
            .collect()
    })
}

/// An image from the clipboard, with premultiplied alpha.
fn pasted_picture(ctx: &Context) -> Option<DisplayCopy> {
    ctx.input(|input| {
        input.events.iter().find_map(|event| {
            let Event::PasteImage(image) = event else { return None };
            let side = |length: usize| u32::try_from(length).ok();
            let size = Size::new(side(image.width())?, side(image.height())?);
            Some(DisplayCopy { size, rgba: image.as_raw().into() })
        })
    })
}

fn collect_keys(ctx: &Context, state: &AppState, typing: bool, commands: &mut Commands) {
    let mut keys: Vec<(&KeyboardShortcut, &Action)> =
        actions::all().flat_map(|action| action.keys.iter().map(move |key| (key, action))).collect();
    // Shortcuts with more modifiers first: the shorter one would match both.
    keys.sort_by_key(|(key, _)| 2 - u8::from(key.modifiers.shift) - u8::from(key.modifiers.alt));
    // Arrows and keys without modifiers change the value of a focused control.
    let focused = ctx.memory(egui::Memory::focused).is_some();
    // On Windows, AltGr is reported as Ctrl and Alt together and types characters.
    let alt = ctx.input(|input| input.modifiers.alt);
    for (key, action) in keys {
        let kept = (typing && !is_free_in_fields(key))
            || (focused && (is_for_controls(key) || canvas::consumes_key(ctx, key.logical_key)))
            || (alt && !key.modifiers.alt && key.modifiers.command)
            || (state.dialogs.palette && !opens_palette(state, action))
            || state.dialogs.page.is_some_and(|page| !acts_over(page, state, action));
        if !kept && ctx.input_mut(|input| input.consume_shortcut(key)) {
            let command = (action.command)(state);
            commands.extend(command.map(|command| if key.modifiers.shift { command.extended() } else { command }));
        }
    }
}

/// While the command palette is open, it handles all input; only its own shortcut closes it.
fn opens_palette(state: &AppState, action: &Action) -> bool {
    matches!((action.command)(state), Some(Command::ShowPalette(_)))
}

/// True for actions that do not affect the content below a page. A question must be answered first.
fn acts_over(page: Page, state: &AppState, action: &Action) -> bool {
    let over = |command| {
        matches!(
            command,
            Command::OpenPage(_)
                | Command::ClosePage
                | Command::ShowPalette(_)
                | Command::SetTextScale(_)
                | Command::Quit
        )
    };
    !matches!(page, Page::Leaving | Page::ProjectRequests { .. }) && (action.command)(state).is_some_and(over)
}

/// True for keys that a focused control may handle itself.
fn is_for_controls(key: &KeyboardShortcut) -> bool {
    use Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter, Space};
    matches!(key.logical_key, ArrowDown | ArrowLeft | ArrowRight | ArrowUp | Enter | Space)
}

/// True for keys that work although a text field has the focus: function keys, and those with Ctrl that egui's fields do
/// not use. Fields move the cursor, select, delete, undo and use the clipboard. Of the deletion keys of a terminal, only
/// Ctrl+K is taken from them: it opens the command palette everywhere.
fn is_free_in_fields(key: &KeyboardShortcut) -> bool {
    use Key::{
        A, ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Backspace, C, Delete, End, Enter, F1, F2, F3, F4, F5, F6, F7, F8,
        F9, F10, F11, F12, H, Home, Space, Tab, U, V, W, X, Y, Z,
    };
    match key.logical_key {
        F1 | F2 | F3 | F4 | F5 | F6 | F7 | F8 | F9 | F10 | F11 | F12 => true,
        C if key.modifiers.shift => key.modifiers.command,
        A | C | H | U | V | W | X | Y | Z => false,
        ArrowDown | ArrowLeft | ArrowRight | ArrowUp | Backspace | Delete | End | Enter | Home | Space | Tab => false,
        _ => key.modifiers.command,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_fields_keep_their_editing_keys() {
        let free: Vec<&str> = actions::all()
            .filter(|action| action.keys.first().is_some_and(is_free_in_fields))
            .map(|action| action.name)
            .collect();
        for name in ["Add files…", "Export all", "Export selected", "Find an action…", "Larger text"] {
            assert!(free.contains(&name), "{name}: {free:?}");
        }
        for name in ["Undo", "Redo", "Select all", "Remove from list", "Next photo", "Fit", "Show faces"] {
            assert!(!free.contains(&name), "{name}: {free:?}");
        }
    }
}
