//! Keys, pasted text and dropped files -> commands.

use egui::{Context, Event, KeyboardShortcut};

use super::actions::{ACTIONS, Action};
use super::command::{Command, Commands, ProjectCommand};
use super::state::AppState;
use crate::decode::DisplayCopy;
use crate::geometry::Size;
use crate::import::parse_pasted_paths;

/// Collects what was dropped, pasted and pressed since the last pass. While a text field has the focus, keys and pasted
/// text are its own.
pub(crate) fn collect_input(ctx: &Context, state: &AppState, commands: &mut Commands) {
    let dropped: Vec<_> =
        ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect());
    if !dropped.is_empty() {
        commands.push(Command::Import(dropped));
    }
    if ctx.text_edit_focused() {
        return;
    }
    if let Some(picture) = pasted_picture(ctx) {
        commands.push(Command::Project(ProjectCommand::Paste(picture)));
    }
    for text in pasted(ctx) {
        let paths = parse_pasted_paths(&text);
        if !paths.is_empty() {
            commands.push(Command::Import(paths));
        }
    }
    collect_keys(ctx, state, commands);
}

/// True while files are held over the window.
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

/// A picture from the clipboard, its colours multiplied by their alpha.
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

fn collect_keys(ctx: &Context, state: &AppState, commands: &mut Commands) {
    let mut keys: Vec<(&KeyboardShortcut, &Action)> =
        ACTIONS.iter().flat_map(|action| action.keys.iter().map(move |key| (key, action))).collect();
    // The longer of two alike comes first: the shorter one would answer for both.
    keys.sort_by_key(|(key, _)| 2 - u8::from(key.modifiers.shift) - u8::from(key.modifiers.alt));
    // Arrows and bare keys are for the control that has the focus: there they change its value.
    let focused = ctx.memory(egui::Memory::focused).is_some();
    for (key, action) in keys {
        if focused && is_for_controls(key) {
            continue;
        }
        if ctx.input_mut(|input| input.consume_shortcut(key)) {
            commands.extend((action.command)(state));
        }
    }
}

/// True for keys that a focused control may want for itself.
fn is_for_controls(key: &KeyboardShortcut) -> bool {
    use egui::Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter, Space};
    matches!(key.logical_key, ArrowDown | ArrowLeft | ArrowRight | ArrowUp | Enter | Space)
}
