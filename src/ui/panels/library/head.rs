//! Above the list: the number of photos, filters and view options.

use egui::{Align, Button, Id, Label, Layout, Popup, PopupCloseBehavior, RichText, Slider, TextEdit, Ui, vec2};

use batch::settings::{ListSort, WindowSettings};

use super::super::super::command::{Command, Commands};
use super::super::super::language::{count, say, tr};
use super::super::super::state::{AppState, Filter, Foldable, ListGroup, Mark, Marks};
use super::super::super::theme::{palette, space};
use super::super::super::widgets::{ICON_BUTTON, Icon, field, icon_button, radio, tick};
use super::super::super::{decide, messages};
use super::super::sides;

/// Height of a filter chip, in points.
const CHIP: f32 = 20.0;

pub(super) fn head_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(tr("Photos")).strong());
        let is_empty = state.list.library.is_empty();
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            sides::fold_button(ui, Foldable::List, commands);
            if is_empty {
                return;
            }
            show_menu_ui(ui, state, commands);
            let grid = state.settings.window.grid;
            let (icon, name) = if grid { (Icon::Rows, tr("List view")) } else { (Icon::Grid, tr("Contact sheet")) };
            if icon_button(ui, true, icon, name).clicked() {
                commands.push(decide::show_grid(state, !grid));
            }
            if icon_button(ui, true, Icon::Find, tr("Find by name")).clicked() {
                commands.push(decide::find(state));
            }
            if grid {
                cell_ui(ui, state, commands);
            }
            ui.add_space(space::XS);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(RichText::new(counts(&state.list)).weak().small()).truncate());
            });
        });
    });
    if state.list.library.is_empty() {
        return;
    }
    if let Some(text) = &state.list.library.filter().text {
        find_ui(ui, &state.list, text, commands);
    }
    chips_ui(ui, state, commands);
}

/// The size of the cells; Ctrl and the wheel change it as well.
fn cell_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let mut cell = state.settings.window.cell();
    ui.spacing_mut().slider_width = (ui.available_width() - 2.0 * space::S).clamp(24.0, 96.0);
    ui.add_space(space::S);
    let slider = Slider::new(&mut cell, WindowSettings::CELLS).show_value(false).logarithmic(true).step_by(1.0);
    let response = ui.add(slider).accessible_name(tr("Crop size"));
    if response.on_hover_text(tr("Size of the crops (Ctrl and the mouse wheel)")).changed() {
        commands.push(Command::SetCell(cell));
    }
}

fn counts(list: &ListGroup) -> String {
    let (all, shown) = (list.library.len(), list.library.row_count());
    match list.library.selected_count() {
        0 | 1 if shown == all => count!(all, "{n} photo", "{n} photos"),
        0 | 1 => say!("{shown} of {all} shown", shown = shown, all = all),
        selected => say!("{selected} of {all} selected", selected = selected, all = all),
    }
}

/// Menu for the order of the list and filters by edits.
fn show_menu_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let button = icon_button(ui, true, Icon::Menu, tr("Sort and filter"));
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.label(RichText::new(tr("Sort by")).weak().small());
        for sort in [ListSort::Added, ListSort::Name, ListSort::Worst] {
            let now = state.settings.window.sort == sort;
            if radio(ui, now, tr(messages::list_sort(sort))).clicked() && !now {
                commands.push(decide::sort_by(state, sort));
            }
        }
        ui.separator();
        ui.label(RichText::new(tr("Show only")).weak().small());
        for &mark in Mark::STATES {
            let (was_on, count) = (state.list.library.filter().marks.has(mark), state.list.library.count(mark));
            let (mut on, text) = (was_on, messages::marked(mark, count));
            if tick(ui, count > 0 || was_on, &mut on, &text).on_hover_text(tr(messages::about_mark(mark))).changed() {
                commands.push(decide::toggle_mark(state, mark));
            }
        }
    });
}

fn find_ui(ui: &mut Ui, list: &ListGroup, text: &str, commands: &mut Commands) {
    ui.horizontal(|ui| {
        let mut new = text.to_owned();
        let width = ui.available_width() - ICON_BUTTON - space::M;
        let id = Id::unique("find-field");
        let edit = TextEdit::singleline(&mut new).id(id).hint_text(tr("Part of the name")).desired_width(width);
        let line = palette(ui).line;
        let response = field(ui, edit, tr("Find by name"), line);
        let filter = list.library.filter();
        let finds = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<u32>(id), filter.finds));
        if finds != filter.finds {
            response.request_focus();
        }
        let escaped = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape));
        if icon_button(ui, true, Icon::Close, tr("Close search")).clicked() || escaped {
            commands.push(Command::SetFilter(Filter { text: None, ..filter.clone() }));
        } else if new != text {
            commands.push(Command::SetFilter(Filter { text: Some(new), ..filter.clone() }));
        }
    });
}

/// Filter chips with their counts. Only marks that occur or are active are shown.
fn chips_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let filter = state.list.library.filter();
    // The height of a line is taken from the surrounding spacing.
    let around = std::mem::replace(&mut ui.spacing_mut().interact_size.y, CHIP);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(space::XS, space::XS);
        ui.spacing_mut().button_padding = vec2(6.0, 1.0);
        let all = say!("All {count}", count = state.list.library.len());
        if chip(ui, filter.marks.is_empty(), &all, tr("All photos in the list")) {
            let marks = Marks::default();
            commands.push(Command::SetFilter(Filter { marks, ..filter.clone() }));
        }
        let reasons = std::iter::once(&Mark::NeedsReview).chain(Mark::REASONS).chain(Mark::NAMES);
        let shown = reasons.filter(|mark| state.list.library.count(**mark) > 0 || filter.marks.has(**mark));
        for &mark in shown.chain(Mark::STATES.iter().filter(|mark| filter.marks.has(**mark))) {
            let text = messages::marked(mark, state.list.library.count(mark));
            if chip(ui, filter.marks.has(mark), &text, tr(messages::about_mark(mark))) {
                commands.push(decide::toggle_mark(state, mark));
            }
        }
    });
    ui.spacing_mut().interact_size.y = around;
}

/// Returns true if clicked. An active chip has a tick, so that colour is not the only cue.
fn chip(ui: &mut Ui, on: bool, text: &str, about: &str) -> bool {
    let shown = if on { format!("✔ {text}") } else { text.to_owned() };
    let line = ui.visuals().widgets.noninteractive.bg_stroke;
    let button = Button::selectable(on, RichText::new(shown).small()).frame_when_inactive(true).stroke(line);
    let response = ui.add(button).on_hover_text(about);
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, text));
    response.clicked()
}
