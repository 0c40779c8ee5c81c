//! Small windows over the main one: shortcuts, messages, about, runtimes, model.

use egui::{Align2, Context, Grid, Id, Label, Rect, RichText, ScrollArea, Ui, Window};

use super::super::actions::ACTIONS;
use super::super::command::{Command, Commands};
use super::super::state::{AppState, Page};
use super::super::theme::space;
use super::{model, notices, project, runtimes};

/// Points of a page's title, margins and buttons.
const BESIDES: f32 = 200.0;

pub(super) fn pages_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(page) = state.page else { return };
    let title = match page {
        Page::Shortcuts => "Keyboard shortcuts",
        Page::Messages => "Messages",
        Page::About => "About Iron Cropper",
        Page::Runtimes => "Runtimes",
        Page::Model => "Model",
        Page::Leaving if state.would_miss() => "Not saved",
        Page::Leaving => "Export running",
        Page::TypePath => "Type a path",
    };
    let mut open = true;
    // Keys in a text field are the field's own.
    let typing = ui.ctx().text_edit_focused();
    let shown = Window::new(title)
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, egui::Vec2::ZERO)
        .show(ui.ctx(), |ui| match page {
            Page::Shortcuts => shortcuts_ui(ui),
            Page::Messages => messages_ui(ui, state),
            Page::About => about_ui(ui),
            Page::Runtimes => runtimes::runtimes_ui(ui, state, commands),
            Page::Model => model::model_ui(ui, state, commands),
            Page::Leaving => project::leaving_ui(ui, state, commands),
            Page::TypePath => project::type_path_ui(ui, state, commands),
        });
    if let Some(shown) = shown {
        settle_place(ui.ctx(), shown.response.rect);
    }
    if !open || (!typing && ui.input(|input| input.key_pressed(egui::Key::Escape))) {
        commands.push(Command::ClosePage);
    }
}

/// A page is put in the middle by its size in the pass before: draws once more where that has changed.
fn settle_place(ctx: &Context, rect: Rect) {
    let id = Id::unique("page-place");
    let before: Option<Rect> = ctx.data(|data| data.get_temp(id));
    ctx.data_mut(|data| data.insert_temp(id, rect));
    if before != Some(rect) {
        ctx.request_repaint();
    }
}

/// Points of height for what scrolls on a page, so that all of the page fits the window.
pub(super) fn scroll_height(ui: &Ui) -> f32 {
    (ui.ctx().content_rect().height() - BESIDES).max(160.0)
}

fn shortcuts_ui(ui: &mut Ui) {
    Grid::new("shortcuts").num_columns(2).spacing([space::L, space::XS]).show(ui, |ui| {
        for action in ACTIONS.iter().filter(|action| !action.keys.is_empty()) {
            let keys: Vec<String> = action.keys.iter().map(|key| ui.ctx().format_shortcut(key)).collect();
            ui.label(RichText::new(keys.join(", ")).strong());
            ui.label(action.name);
            ui.end_row();
        }
        for (gesture, what) in [
            ("Wheel", "Zoom at the pointer"),
            ("Drag", "Move the photo"),
            ("Double click", "Fit the photo"),
            ("Click on a face", "Crop it, or leave it out"),
            ("Drag a line of a head", "Set crown, chin, eyes or midline"),
            ("Drag the dot above it", "Turn the head"),
        ] {
            ui.label(RichText::new(gesture).strong());
            ui.label(what);
            ui.end_row();
        }
    });
}

fn messages_ui(ui: &mut Ui, state: &AppState) {
    ui.set_width(480.0);
    if state.notices.log().is_empty() {
        ui.label("There have been no messages.");
    }
    ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
        for notice in state.notices.log().iter().rev() {
            let text = RichText::new(&notice.text).color(notices::color(ui, notice.kind));
            ui.add(Label::new(text).wrap().selectable(true));
            if notice.details.len() > 1 {
                ui.push_id(notice.id, |ui| notices::details_ui(ui, notice));
            }
        }
    });
}

fn about_ui(ui: &mut Ui) {
    ui.set_width(360.0);
    ui.label(RichText::new(format!("Iron Cropper {}", env!("CARGO_PKG_VERSION"))).heading());
    ui.label("Turns folders of photos into well-framed face crops. Everything happens on this computer.");
    ui.label(RichText::new("Licensed under MIT or Apache-2.0, at your choice.").weak());
    ui.label(
        RichText::new("Faces are found by YuNet, run by tract, rten or ONNX Runtime. The window is drawn with egui.")
            .weak(),
    );
}
