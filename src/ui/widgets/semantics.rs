//! What egui does not say of its widgets to screen readers, added to its accessibility tree after each pass.

use std::collections::HashMap;

use egui::accesskit::{HasPopup, Node, NodeId, Role, Toggled, TreeUpdate};
use egui::{Context, FullOutput, Id, Plugin, Response, Ui};

use super::super::language::{mark, tr};

/// The name that egui gives to the edge of a panel.
const RESIZE: &str = mark("Resize panel");

/// Screen readers of Linux read neither the value of a combo box nor whether a section is open: accesskit_atspi_common 0.21
/// passes on neither. Both are given in a way that they do read.
const ATSPI: bool = cfg!(all(unix, not(target_os = "macos")));

/// Bounds of a number without bounds: a range from -1.8e308 is read aloud as it is.
const UNBOUNDED: f64 = 1e6;

/// An egui plugin: completes the accessibility tree.
#[derive(Default)]
pub(crate) struct Semantics;

/// Sets the accessible name of the window.
pub(crate) fn name_window(ctx: &Context, title: &str) {
    ctx.data_mut(|data| data.insert_temp(window_name_id(), title.to_owned()));
}

fn window_name_id() -> Id {
    Id::unique("window-name")
}

/// A button that opens a menu, within a menu or the menu bar.
pub(crate) fn menu_button(ui: &mut Ui, text: &str, add: impl FnOnce(&mut Ui)) {
    let shown = ui.menu_button(text, add);
    ui.ctx().accesskit_node_builder(shown.response.id, |node| {
        node.set_has_popup(HasPopup::Menu);
        node.set_expanded(shown.inner.is_some());
    });
}

/// Describes a control as one that is on or off; `name` is its accessible name, without a tick.
pub(crate) fn toggle(response: &Response, on: bool, name: &str) {
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_toggled(Toggled::from(on));
        node.set_label(name);
    });
}

impl Plugin for Semantics {
    fn debug_name(&self) -> &'static str {
        "semantics"
    }

    fn output_hook(&mut self, ctx: &Context, output: &mut FullOutput) {
        if let Some(update) = &mut output.platform_output.accesskit_update {
            let title: Option<String> = ctx.data(|data| data.get_temp(window_name_id()));
            complete(update, title.as_deref());
        }
    }
}

fn complete(update: &mut TreeUpdate, title: Option<&str>) {
    let containers = containers(update);
    let (titles, popup_names) = (titles(update), popup_names(update));
    let root = update.tree.as_ref().map(|tree| tree.root);
    for (id, node) in &mut update.nodes {
        if Some(*id) == root
            && let Some(title) = title
        {
            node.set_label(title);
        }
        match containers.get(id).copied() {
            Some(Role::Menu) => within_menu(node),
            Some(Role::ListBox) => within_list(node),
            Some(Role::Region) if node.role() == Role::Menu => {
                node.set_role(Role::MenuBar);
                node.set_label(tr("Menu bar"));
            }
            _ => {}
        }
        if matches!(node.role(), Role::Window | Role::Dialog) && Some(*id) != root {
            node.set_role(Role::Dialog);
            node.set_modal();
            if let Some(title) = titles.get(id).filter(|_| node.label().is_none()) {
                node.set_label(title.as_str());
            }
        }
        if matches!(node.role(), Role::ListBox | Role::Menu)
            && node.label().is_none()
            && let Some(name) = popup_names.get(id)
        {
            node.set_label(name.as_str());
        }
        complete_node(node);
    }
}

/// The names of what opens a list or menu, by that list or menu.
fn popup_names(update: &TreeUpdate) -> HashMap<NodeId, String> {
    let openers = update.nodes.iter().filter(|(_, node)| !is_layout(node.role()));
    let named = openers.filter_map(|(_, node)| Some((node.label()?, node.children())));
    named.flat_map(|(name, popups)| popups.iter().map(|popup| (*popup, name.to_owned()))).collect()
}

/// The role of what each node is in: of its nearest ancestor that is not just a part of the layout.
fn containers(update: &TreeUpdate) -> HashMap<NodeId, Role> {
    let roles: HashMap<NodeId, Role> = update.nodes.iter().map(|(id, node)| (*id, node.role())).collect();
    let parents: HashMap<NodeId, NodeId> =
        update.nodes.iter().flat_map(|(id, node)| node.children().iter().map(move |child| (*child, *id))).collect();
    let container = |node: NodeId| {
        let ancestors = std::iter::successors(parents.get(&node), |id| parents.get(id));
        ancestors.filter_map(|id| roles.get(id).copied()).find(|role| !is_layout(*role))
    };
    roles.keys().filter_map(|id| Some((*id, container(*id)?))).collect()
}

/// The first text in each dialog.
fn titles(update: &TreeUpdate) -> HashMap<NodeId, String> {
    let nodes: HashMap<NodeId, &Node> = update.nodes.iter().map(|(id, node)| (*id, node)).collect();
    let dialogs = update.nodes.iter().filter(|(_, node)| node.role() == Role::Dialog);
    dialogs.filter_map(|(id, node)| Some((*id, first_text(node, &nodes)?))).collect()
}

fn first_text(node: &Node, nodes: &HashMap<NodeId, &Node>) -> Option<String> {
    node.children().iter().filter_map(|child| nodes.get(child)).find_map(|child| match child.role() {
        Role::Label => child.value().map(str::to_owned),
        _ => first_text(child, nodes),
    })
}

fn is_layout(role: Role) -> bool {
    matches!(role, Role::GenericContainer | Role::Unknown | Role::Pane | Role::ScrollView)
}

/// egui's menus consist of plain buttons.
fn within_menu(node: &mut Node) {
    match (node.role(), node.toggled()) {
        (Role::Button, None) => node.set_role(Role::MenuItem),
        (Role::Button | Role::CheckBox, _) => node.set_role(Role::MenuItemCheckBox),
        (Role::RadioButton, _) => node.set_role(Role::MenuItemRadio),
        _ => {}
    }
}

/// So do its drop-down lists. A button that is neither on nor off is no choice, but an action below them.
fn within_list(node: &mut Node) {
    if let Some(toggled) = node.toggled()
        && matches!(node.role(), Role::Button | Role::ListBoxOption)
    {
        node.set_role(Role::ListBoxOption);
        node.set_selected(toggled == Toggled::True);
        node.clear_toggled();
    }
}

fn complete_node(node: &mut Node) {
    // egui joins the texts of a button, even if one of them is empty.
    if let Some(name) = node.label().filter(|name| name.trim() != *name) {
        let name = name.trim().to_owned();
        node.set_label(name);
    }
    match node.role() {
        Role::ComboBox => {
            node.set_has_popup(HasPopup::Listbox);
            node.set_expanded(!node.children().is_empty());
            if ATSPI {
                let about = [node.value(), node.description()].map(|text| text.unwrap_or_default().to_owned());
                let about: Vec<String> = about.into_iter().filter(|text| !text.is_empty()).collect();
                node.set_description(about.join(". "));
            }
        }
        Role::DisclosureTriangle if ATSPI => {
            if let Some(open) = node.is_expanded() {
                node.set_toggled(Toggled::from(open));
            }
        }
        // Layout, or a surface that catches clicks.
        Role::Unknown => node.set_role(Role::GenericContainer),
        Role::Pane if node.label().is_none() => node.set_role(Role::GenericContainer),
        Role::Label if node.value().is_none_or(|text| text.trim().is_empty()) => node.set_role(Role::GenericContainer),
        // Screen readers scroll to what they read.
        Role::ScrollBar => node.set_hidden(),
        Role::Splitter if node.label() == Some(RESIZE) => node.set_label(tr(RESIZE)),
        _ => {}
    }
    // The tooltip of an icon is its name as well.
    if node.description().is_some() && node.description() == node.label() {
        node.clear_description();
    }
    if node.numeric_value().is_some() {
        // egui gives progress in percent.
        let widest = if node.role() == Role::ProgressIndicator { 0.0..=100.0 } else { -UNBOUNDED..=UNBOUNDED };
        let (min, max) = (node.min_numeric_value(), node.max_numeric_value());
        node.set_min_numeric_value(min.unwrap_or(*widest.start()).max(*widest.start()));
        node.set_max_numeric_value(max.unwrap_or(*widest.end()).min(*widest.end()));
    }
}
