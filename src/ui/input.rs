//! Turns keys, pasted text and dropped files into commands.

use std::path::PathBuf;

use egui::{ColorImage, Context, Event, Id, ImeEvent, Key, KeyboardShortcut, Modifiers};

use geometry::Size;
use import::parse_pasted_paths;
use outcome::DisplayCopy;

use super::actions::{Action, Menu};
use super::command::{Command, Commands, ProjectCommand};
use super::event_order::EventOrder;
use super::state::{AppState, Page};
use super::widgets::control_has_focus;
use super::{actions, canvas};

/// Reads the input of a pass, one event after the other, so that each command applies to what the one before it led to.
pub(crate) struct PassInput {
    dropped: Vec<PathBuf>,
    /// Index of the next event.
    next: usize,
}

impl PassInput {
    pub(crate) fn new(ctx: &Context) -> Self {
        watch_composing(ctx);
        let dropped = ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect());
        Self { dropped, next: 0 }
    }

    /// The commands of the next drop, paste or shortcut; `None` if there are no more. While a text field has the focus, it
    /// handles pasted text and editing keys itself; while an input method composes, it handles all keys.
    pub(crate) fn next_commands(&mut self, ctx: &Context, state: &AppState) -> Option<Commands> {
        if !self.dropped.is_empty() {
            return Some(vec![Command::Import(std::mem::take(&mut self.dropped))]);
        }
        // Keys are meant for the open file dialog.
        if state.dialogs.picking.is_some() {
            return None;
        }
        loop {
            let event = ctx.input(|input| input.events.get(self.next).cloned())?;
            let typing = ctx.text_edit_focused();
            let command = match event {
                Event::Key { key, pressed: true, modifiers, .. } if !composing(ctx) => {
                    shortcut(ctx, state, typing, key, modifiers)
                }
                Event::Paste(text) if !typing && !state.dialogs.palette => {
                    Some(parse_pasted_paths(&text)).filter(|paths| !paths.is_empty()).map(Command::Import)
                }
                Event::PasteImage(image) if !typing && !state.dialogs.palette => {
                    pasted_picture(&image).map(|picture| Command::Project(ProjectCommand::Paste(picture)))
                }
                _ => None,
            };
            let Some(command) = command else {
                self.next += 1;
                continue;
            };
            let by_key = ctx.input_mut(|input| matches!(input.events.remove(self.next), Event::Key { .. }));
            if !keeps_focus(&command) {
                self.keep_rest(ctx, by_key);
            }
            return Some(vec![command]);
        }
    }

    /// Leaves the rest of the events to the next pass, in which what the command opened has the focus.
    fn keep_rest(&self, ctx: &Context, by_key: bool) {
        let mut rest = ctx.input_mut(|input| input.events.split_off(self.next));
        // The text of the shortcut itself.
        if by_key && matches!(rest.first(), Some(Event::Text(_))) {
            rest.remove(0);
        }
        // The others, such as turns of the wheel, have had their effect.
        rest.retain(|event| {
            use Event::{Copy, Cut, Ime, Key, Paste, PasteImage, Text};
            matches!(event, Key { .. } | Text(_) | Paste(_) | PasteImage(_) | Copy | Cut | Ime(_))
        });
        if !rest.is_empty() {
            ctx.plugin::<EventOrder>().lock().keep(rest);
        }
    }
}

/// True for commands that open nothing that could have the focus.
fn keeps_focus(command: &Command) -> bool {
    matches!(
        command,
        Command::SelectBy(..)
            | Command::NextToReview(_)
            | Command::AcceptAndGoOn
            | Command::ExcludeAndGoOn
            | Command::SetAccepted(..)
            | Command::SetExcluded(..)
            | Command::ToggleFace(_)
            | Command::ShowCrop(_)
            | Command::SetView(_)
            | Command::SetFrame(..)
            | Command::Undo
            | Command::Redo
    )
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

/// An image from the clipboard, with premultiplied alpha.
fn pasted_picture(image: &ColorImage) -> Option<DisplayCopy> {
    let side = |length: usize| u32::try_from(length).ok();
    let size = Size::new(side(image.width())?, side(image.height())?);
    Some(DisplayCopy { size, rgba: image.as_raw().into() })
}

/// The command of a key press; `None` if the key is no shortcut, or something else handles it.
fn shortcut(ctx: &Context, state: &AppState, typing: bool, key: Key, modifiers: Modifiers) -> Option<Command> {
    // Arrows and keys without modifiers change the value of a focused control.
    let focused = control_has_focus(ctx);
    let free = |shortcut: &KeyboardShortcut, action: &Action| {
        !((typing && !is_free_in_fields(shortcut))
            || (focused && (is_for_controls(shortcut) || canvas::consumes_key(ctx, key)))
            // On Windows, AltGr is reported as Ctrl and Alt together and types characters.
            || (modifiers.alt && !shortcut.modifiers.alt && shortcut.modifiers.command)
            || (state.dialogs.palette && !opens_palette(state, action))
            || (state.hides_photo() && acts_on_canvas(state, action))
            || state.dialogs.page.is_some_and(|page| !acts_over(page, state, action)))
    };
    // The shortcut with most modifiers: the shorter ones match too.
    let (shortcut, action) = actions::all()
        .flat_map(|action| action.keys.iter().map(move |shortcut| (shortcut, action)))
        .filter(|(shortcut, _)| shortcut.logical_key == key && modifiers.matches_logically(shortcut.modifiers))
        .filter(|(shortcut, action)| free(shortcut, action))
        .max_by_key(|(shortcut, _)| u8::from(shortcut.modifiers.shift) + u8::from(shortcut.modifiers.alt))?;
    let command = (action.command)(state)?;
    Some(if shortcut.modifiers.shift { command.extended() } else { command })
}

/// While the command palette is open, it handles all input; only its own shortcut closes it.
fn opens_palette(state: &AppState, action: &Action) -> bool {
    matches!((action.command)(state), Some(Command::ShowPalette(_)))
}

/// True for actions on what the camera and the comparison of runtimes hide: the photo with its faces and frames.
fn acts_on_canvas(state: &AppState, action: &Action) -> bool {
    let on_canvas = |command| {
        matches!(
            command,
            Command::SetView(_)
                | Command::SetBeforeAfter(_)
                | Command::SetShowFaces(_)
                | Command::SetShowHeadLines(_)
                | Command::SetGuides(_)
                | Command::AcceptAndGoOn
                | Command::ExcludeAndGoOn
        )
    };
    action.menu == Menu::Faces || (action.command)(state).is_some_and(on_canvas)
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
