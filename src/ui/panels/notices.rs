//! Over the top of the photo: open messages.

use egui::accesskit::Live;
use egui::{
    Align, Area, Color32, Frame, Id, Label, Layout, Margin, Order, RichText, Role, ScrollArea, Sense, Shadow, Ui,
    WidgetInfo, pos2, vec2,
};

use super::super::command::{Command, Commands};
use super::super::language::{count, tr};
use super::super::state::{AppState, Notice, NoticeButton, NoticeKind, Page};
use super::super::theme::{palette, space};
use super::super::widgets::{Icon, icon_button, icon_size, paint_icon};
use super::project;

/// Maximum number of messages shown; the others are in the log.
const SHOWN: usize = 3;

/// Maximum width of a message, in points.
const WIDTH: f32 = 560.0;

/// Distance from the top of the central panel, in points: below its toolbar.
const TOP: f32 = 40.0;

/// Maximum share of the central panel's height.
const MAX_SHARE: f32 = 0.6;

/// Draws open messages and questions over the photo, so that it stays in its place.
pub(super) fn notices_ui(ui: &Ui, state: &AppState, commands: &mut Commands) {
    let space = ui.available_rect_before_wrap();
    let width = WIDTH.min(space.width() - 2.0 * space::M);
    let place = pos2(space.center().x - width / 2.0, space.top() + TOP);
    Area::new(Id::unique("messages")).order(Order::Middle).fixed_pos(place).show(ui.ctx(), |ui| {
        ui.set_width(width);
        // Otherwise the height of the previous pass is the limit.
        ui.set_max_height(space.height() * MAX_SHARE);
        ui.spacing_mut().item_spacing.y = space::XS;
        ScrollArea::vertical().min_scrolled_height(0.0).show(ui, |ui| {
            project::bars_ui(ui, state, commands);
            let open: Vec<&Notice> = state.dialogs.notices.open().collect();
            for notice in open.iter().take(SHOWN) {
                ui.push_id(notice.id, |ui| card_ui(ui, |ui| notice_ui(ui, notice, commands)));
            }
            if open.len() > SHOWN {
                let text = count!(open.len() - SHOWN, "{n} more in Help > Messages", "{n} more in Help > Messages");
                card_ui(ui, |ui| {
                    if ui.link(RichText::new(text).small()).clicked() {
                        commands.push(Command::OpenPage(Page::Messages));
                    }
                });
            }
        });
    });
}

/// The frame of a message.
pub(super) fn card_ui(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let margin = Margin::symmetric(space::M as i8, space::XS as i8);
    Frame::popup(ui.style()).shadow(Shadow::NONE).inner_margin(margin).show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
}

fn notice_ui(ui: &mut Ui, notice: &Notice, commands: &mut Commands) {
    ui.with_layout(Layout::right_to_left(Align::TOP).with_main_wrap(false), |ui| {
        if icon_button(ui, true, Icon::Close, tr("Dismiss this message")).clicked() {
            commands.push(Command::DismissNotice(notice.id));
        }
        if let Some((text, command)) = notice.button.as_ref().map(button_of)
            && ui.button(text).clicked()
        {
            commands.extend([command, Command::DismissNotice(notice.id)]);
        }
        ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
            // Aligned with the button's icon.
            ui.add_space(2.0);
            text_ui(ui, notice, false);
        });
    });
}

/// Text and command of a button.
fn button_of(button: &NoticeButton) -> (&'static str, Command) {
    match button {
        NoticeButton::Undo(_) => (tr("Undo"), Command::Undo),
        NoticeButton::Redo(_) => (tr("Redo"), Command::Redo),
        NoticeButton::ShowInFolder(path) => (tr("Show in folder"), Command::ShowInFolder(path.clone())),
    }
}

/// A message after its icon, with its details below.
pub(super) fn text_ui(ui: &mut Ui, notice: &Notice, selectable: bool) {
    ui.horizontal_top(|ui| {
        let (rect, response) = ui.allocate_exact_size(icon_size(), Sense::hover());
        let (icon, kind) = match notice.kind {
            NoticeKind::Info => (Icon::Info, tr("Note")),
            NoticeKind::Warning => (Icon::Warning, tr("Warning")),
            NoticeKind::Error => (Icon::Error, tr("Error")),
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, kind));
        let color = color(ui, notice.kind);
        paint_icon(ui.painter(), rect.center() + vec2(0.0, 2.0), icon, color);
        ui.vertical(|ui| {
            let label = Label::new(RichText::new(&notice.text).color(color)).wrap().selectable(selectable);
            let response = ui.add(label);
            // Announced by screen readers when it appears; the focus does not move.
            let live = if notice.kind == NoticeKind::Error { Live::Assertive } else { Live::Polite };
            ui.ctx().accesskit_node_builder(response.id, |node| node.set_live(live));
            if notice.details.len() > 1 {
                ui.collapsing(tr("Details"), |ui| details_ui(ui, notice));
            }
        });
    });
}

/// The lines below a message.
pub(super) fn details_ui(ui: &mut Ui, notice: &Notice) {
    ScrollArea::vertical().max_height(120.0).auto_shrink([false, true]).show(ui, |ui| {
        for line in &notice.details {
            ui.add(Label::new(RichText::new(line).small()).wrap());
        }
        if notice.more > 0 {
            ui.label(RichText::new(count!(notice.more, "and {n} more", "and {n} more")).small().weak());
        }
    });
}

/// Colour of a kind of message.
fn color(ui: &Ui, kind: NoticeKind) -> Color32 {
    match kind {
        NoticeKind::Info => ui.visuals().text_color(),
        NoticeKind::Warning => palette(ui).warning,
        NoticeKind::Error => palette(ui).error,
    }
}
