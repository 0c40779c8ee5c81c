//! Keys, pasted text and dropped files -> commands.

use egui::{Context, Event, KeyboardShortcut};

use super::actions::{ACTIONS, Action};
use super::canvas;
use super::command::{Command, Commands};
use super::state::AppState;
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

fn collect_keys(ctx: &Context, state: &AppState, commands: &mut Commands) {
    let mut keys: Vec<(&KeyboardShortcut, &Action)> =
        ACTIONS.iter().flat_map(|action| action.keys.iter().map(move |key| (key, action))).collect();
    // The longer of two alike comes first: the shorter one would answer for both.
    keys.sort_by_key(|(key, _)| !(key.modifiers.shift || key.modifiers.alt));
    // Arrows and bare keys are for the control that has the focus: there they change its value.
    let focused = ctx.memory(egui::Memory::focused).is_some();
    for (key, action) in keys {
        if focused && (is_for_controls(key) || canvas::takes_key(ctx, key.logical_key)) {
            continue;
        }
        if ctx.input_mut(|input| input.consume_shortcut(key)) {
            let command = (action.command)(state);
            commands.extend(command.map(|command| if key.modifiers.shift { command.extended() } else { command }));
        }
    }
}

/// True for keys that a focused control may want for itself.
fn is_for_controls(key: &KeyboardShortcut) -> bool {
    use egui::Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Enter, Space};
    matches!(key.logical_key, ArrowDown | ArrowLeft | ArrowRight | ArrowUp | Enter | Space)
}
