//! The named colours of a new background; white is [`Color::WHITE`].

use recipe::Color;

/// Lightness L* 87: within every range that the built-in documents' rules measure as light or white, also "light, not
/// white". No authority publishes a value.
pub(crate) const LIGHT_GREY: Color = Color { rgb: [0xD9, 0xD9, 0xD9] };

/// The blue of Zeyi-Lin/HivisionIDPhotos (demo/assets/color_list_EN.csv), where the numbers of the Chinese presets were
/// read; they are the only ones that allow blue.
pub(crate) const BLUE: Color = Color { rgb: [0x62, 0x8B, 0xCE] };

#[cfg(test)]
mod tests {
    use recipe::{Backdrop, built_in_presets};

    use super::*;

    /// L* / 100 of a grey.
    fn lightness(grey: u8) -> f32 {
        let linear = ((f32::from(grey) / 255.0 + 0.055) / 1.055).powf(2.4);
        linear.cbrt() * 1.16 - 0.16
    }

    #[test]
    fn light_grey_has_the_lightness_that_every_document_measures() {
        assert!(LIGHT_GREY.is_grey());
        let found = lightness(LIGHT_GREY.rgb[0]);
        for backdrop in [Backdrop::Light, Backdrop::LightNotWhite, Backdrop::White] {
            let range = backdrop.lightness().expect("measured");
            assert!((range.min..=range.max).contains(&found), "{backdrop:?}: {found}");
        }
    }

    #[test]
    fn presets_with_a_blue_background_are_unofficial_as_the_blue_is() {
        let blue = |preset: &&recipe::Preset| {
            preset.rules.as_ref().and_then(|rules| rules.background.as_ref()).is_some_and(|text| text.contains("blue"))
        };
        let marked: Vec<bool> = built_in_presets().iter().filter(blue).map(|preset| preset.check_before_use).collect();
        assert!(!marked.is_empty() && marked.iter().all(|is_marked| *is_marked), "{marked:?}");
    }
}
