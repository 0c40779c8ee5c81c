//! Height limit of pages.

use egui::Ui;

/// Height of a page's title, margins and buttons, in points.
const OTHER_HEIGHT: f32 = 200.0;

/// Height, in points, of a page's scroll area, so that the page fits the window.
pub(super) fn scroll_height(ui: &Ui) -> f32 {
    (ui.ctx().content_rect().height() - OTHER_HEIGHT).max(160.0)
}
