//! Whether a language's letters can be drawn.

use egui::Context;

use super::Language;
use crate::ui::theme::body;

/// True where the window's fonts, or the system's, have what `language` is written with. Only Japanese needs more than comes
/// with the program.
///
/// Asks the context for glyphs, and with it the system for fonts: only within a pass.
pub(crate) fn has_letters(ctx: &Context, language: Language) -> bool {
    let letters = match language {
        Language::Japanese => "顔の切り抜きカナ",
        _ => return true,
    };
    ctx.fonts_mut(|fonts| fonts.has_glyphs(&body(), letters))
}
