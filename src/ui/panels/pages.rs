//! Pages over the main window: shortcuts, messages, about, runtimes, model.

use egui::{Context, Frame, Grid, Id, Modal, Rect, RichText, ScrollArea, Ui, Vec2, vec2};

use super::super::actions::{GESTURES, Menu, keys_shown};
use super::super::command::{Command, Commands};
use super::super::language::tr;
use super::super::messages;
use super::super::state::{AppState, DialogGroup, Page};
use super::super::theme::{palette, space};
use super::super::widgets::{ICON_BUTTON, Icon, heading, icon_button, note};
use super::page_height::scroll_height;
use super::{model, names, notices, paths, project, runtimes};

/// Width of the shortcuts page with two columns of menus, in points.
const SHORTCUTS_WIDTH: f32 = 680.0;

/// Width of the column with keys, in points.
const KEYS_WIDTH: f32 = 128.0;

/// Maximum width of a column, in points: two of them and the gap are as wide as a column of menus.
const NAMES_WIDTH: f32 = 160.0;

pub(super) fn pages_ui(ui: &mut Ui, state: &AppState, commands: &mut Commands) {
    let Some(page) = state.dialogs.page else { return };
    let title = match page {
        Page::Shortcuts => tr("Keyboard shortcuts"),
        Page::Messages => tr("Messages"),
        Page::About => tr("About Iron Cropper"),
        Page::Runtimes => tr("Runtimes"),
        Page::Model => tr("Model"),
        Page::RowsWithoutPhoto => tr("Rows without a photo"),
        Page::TypePath(kind) => paths::title(kind),
        Page::Leaving if state.would_lose_work() => tr("Save your changes?"),
        Page::Leaving => tr("Export running"),
        Page::ProjectRequests { .. } => tr("Before the export"),
    };
    // Keys pressed in a text field belong to the field.
    let typing = ui.ctx().text_edit_focused();
    let frame = Frame::window(ui.style());
    let max = ui.ctx().content_rect().size() - frame.total_margin().sum() - Vec2::splat(2.0 * space::S);
    let modal = Modal::new(Id::unique("page")).frame(frame).backdrop_color(palette(ui).veil);
    let shown = modal.show(ui.ctx(), |ui| {
        ui.set_max_size(max);
        let width = Id::unique("page-width");
        let closed = title_ui(ui, title, ui.data(|data| data.get_temp(width)).unwrap_or_default());
        let max = max - vec2(0.0, ui.min_rect().height());
        let page = ScrollArea::both().max_width(max.x).max_height(max.y).show(ui, |ui| match page {
            Page::Shortcuts => shortcuts_ui(ui),
            Page::Messages => messages_ui(ui, &state.dialogs),
            Page::About => about_ui(ui),
            Page::Runtimes => runtimes::runtimes_ui(ui, state, commands),
            Page::Model => model::model_ui(ui, &state.runtime, commands),
            Page::RowsWithoutPhoto => names::rows_without_photo_ui(ui, state),
            Page::TypePath(kind) => paths::type_path_ui(ui, state, kind, commands),
            Page::Leaving => project::leaving_ui(ui, state, commands),
            Page::ProjectRequests { scope, resume } => {
                project::confirm_requests_ui(ui, state, (scope, resume), commands);
            }
        });
        ui.data_mut(|data| data.insert_temp(width, page.content_size.x.min(max.x)));
        closed
    });
    stabilize_position(ui.ctx(), shown.response.rect);
    let closed = shown.inner || shown.backdrop_response.clicked();
    if closed || (!typing && !state.dialogs.palette && ui.input(|input| input.key_pressed(egui::Key::Escape))) {
        commands.push(Command::ClosePage);
    }
}

/// The title, and at the right of the page, which was `width` points wide in the previous pass, the button that closes it;
/// returns whether it was clicked.
fn title_ui(ui: &mut Ui, title: &str, width: f32) -> bool {
    let row = ui.horizontal(|ui| {
        let title = ui.label(RichText::new(title).heading());
        ui.add_space((width - title.rect.width() - ICON_BUTTON - 2.0 * ui.spacing().item_spacing.x).max(0.0));
        icon_button(ui, true, Icon::Close, tr("Close page"))
    });
    row.inner.clicked()
}

/// A page is centred by its size in the previous pass: requests another pass if the size has changed.
fn stabilize_position(ctx: &Context, rect: Rect) {
    let id = Id::unique("page-place");
    let before: Option<Rect> = ctx.data(|data| data.get_temp(id));
    ctx.data_mut(|data| data.insert_temp(id, rect));
    if before != Some(rect) {
        ctx.request_repaint();
    }
}

/// Menu by menu in two columns, then the gestures.
fn shortcuts_ui(ui: &mut Ui) {
    let wide = ui.ctx().content_rect().width() > SHORTCUTS_WIDTH + 4.0 * space::L;
    let width = if wide { SHORTCUTS_WIDTH } else { SHORTCUTS_WIDTH / 2.0 };
    ui.set_width(width);
    let height = scroll_height(ui);
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
        ui.set_width(width);
        if wide {
            ui.columns_const(|[left, right]: &mut [Ui; 2]| {
                [Menu::File, Menu::Edit, Menu::Photo].into_iter().for_each(|menu| menu_keys_ui(left, menu));
                [Menu::Faces, Menu::View, Menu::Help].into_iter().for_each(|menu| menu_keys_ui(right, menu));
            });
        } else {
            Menu::ALL.into_iter().for_each(|menu| menu_keys_ui(ui, menu));
        }
        heading(ui, tr("Gestures"));
        Grid::new("gestures").num_columns(2).spacing([space::L, space::XS]).show(ui, |ui| {
            for (gesture, what) in GESTURES {
                ui.label(tr(gesture));
                ui.label(RichText::new(tr(what)).weak());
                ui.end_row();
            }
        });
        ui.add_space(space::S);
        note(ui, tr("While a text field has the focus, editing keys and keys without Ctrl act on the field."));
    });
}

fn menu_keys_ui(ui: &mut Ui, menu: Menu) {
    heading(ui, tr(menu.name()));
    let grid = Grid::new(menu.name()).num_columns(2).spacing([space::L, space::XS]);
    // Long names and lists of keys are wrapped: the two columns of menus would otherwise overlap.
    grid.min_col_width(KEYS_WIDTH).max_col_width(NAMES_WIDTH).show(ui, |ui| {
        for action in menu.actions().filter(|action| !action.keys.is_empty()) {
            let keys: Vec<String> = action.keys.iter().map(|key| keys_shown(ui.ctx(), key)).collect();
            ui.label(messages::listed(&keys));
            ui.label(RichText::new(tr(action.name)).weak());
            ui.end_row();
        }
    });
}

fn messages_ui(ui: &mut Ui, dialogs: &DialogGroup) {
    ui.set_width(480.0);
    if dialogs.notices.log().is_empty() {
        ui.label(tr("No messages."));
    }
    ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
        for notice in dialogs.notices.log().iter().rev() {
            ui.push_id(notice.id, |ui| notices::text_ui(ui, notice, true));
        }
    });
}

fn about_ui(ui: &mut Ui) {
    ui.set_width(360.0);
    ui.label(RichText::new(format!("Iron Cropper {}", env!("CARGO_PKG_VERSION"))).heading());
    ui.label(tr("Turns folders of photos into well-framed face crops. All processing happens on this computer."));
    ui.label(RichText::new(tr("Licensed under MIT or Apache-2.0, at your option.")).weak());
    ui.label(
        RichText::new(tr("Face detection: YuNet. Runtimes: tract, rten, LiteRT, ONNX Runtime. User interface: egui."))
            .weak(),
    );
}
