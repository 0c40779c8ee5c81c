//! Above the photo: open messages.

use egui::accesskit::Live;
use egui::{
    Align, Color32, Frame, Label, Layout, Margin, Panel, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2,
};

use super::super::command::{Command, Commands};
use super::super::language::{count, tr};
use super::super::state::{DialogGroup, Notice, NoticeKind, Page};
use super::super::theme::{palette, space};
use super::super::widgets::{Icon, icon_button, icon_size, paint_icon};

/// Maximum number of messages shown; the others are in the log.
const SHOWN: usize = 3;

pub(super) fn notices_ui(ui: &mut Ui, dialogs: &DialogGroup, commands: &mut Commands) {
    let open: Vec<&Notice> = dialogs.notices.open().collect();
    if open.is_empty() {
        return;
    }
    let frame =
        Frame::NONE.fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(space::M as i8, space::XS as i8));
    Panel::top("notices").frame(frame).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for notice in open.iter().take(SHOWN) {
            ui.push_id(notice.id, |ui| notice_ui(ui, notice, commands));
        }
        if open.len() > SHOWN {
            let text = count!(open.len() - SHOWN, "{n} more in Help > Messages", "{n} more in Help > Messages");
            if ui.link(RichText::new(text).small()).clicked() {
                commands.push(Command::OpenPage(Page::Messages));
            }
        }
    });
}

fn notice_ui(ui: &mut Ui, notice: &Notice, commands: &mut Commands) {
    ui.with_layout(Layout::right_to_left(Align::TOP).with_main_wrap(false), |ui| {
        if icon_button(ui, true, Icon::Close, tr("Dismiss this message")).clicked() {
            commands.push(Command::DismissNotice(notice.id));
        }
        ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
            // Aligned with the button's icon.
            ui.add_space(2.0);
            text_ui(ui, notice, false);
        });
    });
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
