//! The letters a language is written with: where they come from, and whether they can be drawn.

use std::sync::Arc;

use egui::epaint::text::{FontInsert, FontPriority, InsertFontFamily};
use egui::{Context, FontData, FontFamily};
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

/// Signs that are written among letters and that neither egui's own fonts nor every system's have: the tick.
const SIGNS: &[u8] = include_bytes!("../../../assets/signs.ttf");

/// Adds the program's own signs, after egui's fonts and before the system's.
pub(crate) fn add_signs(ctx: &Context) {
    let lowest = |family| InsertFontFamily { family, priority: FontPriority::Lowest };
    let families = [FontFamily::Proportional, FontFamily::Monospace].map(lowest).to_vec();
    ctx.add_font(FontInsert::new("signs", FontData::from_static(SIGNS), families));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tick_needs_no_font_of_the_system() {
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
        add_signs(&ctx);
        assert!(is_drawn(&ctx));
    }
}
