//! The letters a language is written with: where they come from, and whether they can be drawn.

use std::sync::Arc;

use egui::Context;
use egui_system_font_provider::SystemFontProvider;

use super::Language;
use crate::ui::theme::body;

/// Where the letters come from that egui's own fonts lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// From the system's fonts.
    System,
    /// From nowhere.
    Missing,
    /// From nowhere, and nobody minds: what cannot be drawn is a box. For tests that read names instead of pixels.
    Boxes,
}

/// Has the system asked for fonts in the manner of `language`: Chinese and Japanese write the same characters differently.
pub(crate) fn ask_system_for(ctx: &Context, language: Language) {
    let provider = SystemFontProvider::new();
    let provider = match language {
        Language::Japanese => provider.with_locale(Some(language.tag())),
        // By the system's own language.
        _ => provider,
    };
    ctx.set_font_providers(vec![Arc::new(provider)]);
}

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
