//! The menu bar, built from the list of actions.

use egui::{Button, MenuBar, ScrollArea, Ui};

use super::super::actions::{Action, Menu, keys_shown};
use super::super::command::Commands;
use super::super::language::{mark, tr};
use super::super::messages;
use super::super::state::AppState;
use super::super::widgets::{menu_button, toggle};
use super::{project, runtime};

/// Height of the menu bar, and of the margins of a menu, in points.
const BAR: f32 = 56.0;

/// The action after which recent projects and folders are listed.
const RECENT_AFTER: &str = mark("Open project…");

pub(super) fn menu_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    MenuBar::new().ui(ui, |ui| {
        for menu in Menu::ALL {
            menu_button(ui, tr(menu.name()), |ui| {
                let height = ui.ctx().content_rect().height() - BAR;
                ScrollArea::vertical().max_height(height).show(ui, |ui| actions_ui(ui, state, menu, commands));
            });
        }
        runtime::runtime_ui(ui, state, commands);
    });
}

fn actions_ui(ui: &mut Ui, state: &AppState, menu: Menu, commands: &mut Commands) {
    let actions: Vec<&Action> = menu.actions().filter(|action| (action.is_offered)(state)).collect();
    // Related actions are in submenus: menus would otherwise be too long for a low window.
    for together in actions.chunk_by(|a, b| a.submenu.is_some() && a.submenu == b.submenu) {
        if together[0].begins_group {
            ui.separator();
        }
        match together[0].submenu {
            Some(name) => menu_button(ui, tr(name), |ui| items_ui(ui, state, together, commands)),
            None => items_ui(ui, state, together, commands),
        }
    }
}

fn items_ui(ui: &mut Ui, state: &AppState, actions: &[&Action], commands: &mut Commands) {
    for action in actions {
        item_ui(ui, state, action, commands);
        if action.name == RECENT_AFTER {
            project::recent_menus_ui(ui, &state.settings, commands);
        }
    }
}

fn item_ui(ui: &mut Ui, state: &AppState, action: &Action, commands: &mut Commands) {
    let command = (action.command)(state);
    let on = action.is_on.is_some_and(|is_on| is_on(state));
    // A tick before the label, so that colour is not the only cue.
    let tick = if on { "✔ " } else { "" };
    let name = messages::action(action.name, action.detail.and_then(|detail| detail(state)));
    let mut button = Button::new(format!("{tick}{name}"));
    if let Some(key) = action.keys.first() {
        button = button.shortcut_text(keys_shown(ui.ctx(), key));
    }
    let mut response = ui.add_enabled(command.is_some(), button);
    if let Some(about) = action.about {
        response = response.on_hover_text(tr(about)).on_disabled_hover_text(tr(about));
    }
    if action.is_on.is_some() {
        let keys = action.keys.first().map(|key| keys_shown(ui.ctx(), key));
        toggle(&response, on, &format!("{name} {}", keys.unwrap_or_default()));
    }
    if response.clicked() {
        commands.extend(command);
        ui.close();
    }
}
