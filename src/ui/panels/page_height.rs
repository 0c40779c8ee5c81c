//! How high a page may be.

use egui::Ui;

/// Points of a page's title, margins and buttons.
const BESIDES: f32 = 200.0;

/// Points of height for what scrolls on a page, so that all of the page fits the window.
pub(super) fn scroll_height(ui: &Ui) -> f32 {
    (ui.ctx().content_rect().height() - BESIDES).max(160.0)
}
