//! Fonts for the scripts of the languages, and whether they are available.

use std::sync::Arc;

use egui::epaint::text::{FontInsert, FontPriority, InsertFontFamily};
use egui::{Context, FontData, FontFamily};
use egui_system_font_provider::SystemFontProvider;

use super::Language;
use crate::ui::theme::body;

/// Source of glyphs that egui's own fonts lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FontFallback {
    /// The system's fonts.
    System,
    /// None; missing glyphs are reported.
    Missing,
    /// None; missing glyphs are drawn as boxes and not reported. For tests that read names instead of pixels.
    Boxes,
}

/// Font with the symbols that neither egui's fonts nor those of every system have: the tick.
const SYMBOLS: &[u8] = include_bytes!("../../../assets/signs.ttf");

/// Adds the program's symbols, after egui's fonts and before the system's.
pub(crate) fn add_symbols(ctx: &Context) {
    let lowest = |family| InsertFontFamily { family, priority: FontPriority::Lowest };
    let families = [FontFamily::Proportional, FontFamily::Monospace].map(lowest).to_vec();
    ctx.add_font(FontInsert::new("signs", FontData::from_static(SYMBOLS), families));
}

/// Selects the system fonts for `language`: Chinese and Japanese draw the same characters differently.
pub(crate) fn request_system_fonts(ctx: &Context, language: Language) {
    let provider = SystemFontProvider::new();
    let provider = match language {
        Language::Japanese => provider.with_locale(Some(language.tag())),
        // Uses the system's own language.
        _ => provider,
    };
    ctx.set_font_providers(vec![Arc::new(provider)]);
}

/// True if the window's or the system's fonts have the glyphs of `language`. Only Japanese needs more than the embedded
/// fonts.
///
/// Requests glyphs from the context, and thereby fonts from the system: call this only within a pass.
pub(crate) fn fonts_have_glyphs(ctx: &Context, language: Language) -> bool {
    let sample = match language {
        Language::Japanese => "顔の切り抜きカナ",
        _ => return true,
    };
    ctx.fonts_mut(|fonts| fonts.has_glyphs(&body(), sample))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tick_needs_no_system_font() {
        let is_drawn = |ctx: &Context| {
            let mut drawn = false;
            let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
                drawn = ui.ctx().fonts_mut(|fonts| fonts.has_glyphs(&body(), "✔"));
            });
            output.textures_delta.clear();
            drawn
        };
        let ctx = Context::default();
        assert!(!is_drawn(&ctx), "egui's own fonts have it");
        add_symbols(&ctx);
        assert!(is_drawn(&ctx));
    }
}
