//! What was measured of a face, in the window's language. In English the words are those of JSON.

use plan::{Facing, Light, Sharpness};

use super::super::language::tr;

/// How sharp a face is.
pub(crate) fn sharpness(sharpness: Sharpness) -> &'static str {
    match sharpness {
        Sharpness::Soft => tr("soft"),
        Sharpness::Fair => tr("fairly sharp"),
        Sharpness::Sharp => tr("sharp"),
    }
}

/// How it is lit.
pub(crate) fn light(light: Light) -> &'static str {
    match light {
        Light::BurntOut => tr("burnt out"),
        Light::Dark => tr("dark"),
        Light::Bright => tr("bright"),
        Light::Good => tr("well lit"),
    }
}

/// Where it looks.
pub(crate) fn facing(facing: Facing) -> &'static str {
    match facing {
        Facing::Frontal => tr("frontal"),
        Facing::Aside => tr("turned aside"),
        Facing::Profile => tr("profile"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::language::{Language, set_current};
    use super::*;

    #[test]
    fn measures_have_words_in_each_language() {
        let all = || {
            [Sharpness::Soft, Sharpness::Fair, Sharpness::Sharp]
                .map(sharpness)
                .into_iter()
                .chain([Light::BurntOut, Light::Dark, Light::Bright, Light::Good].map(light))
                .chain([Facing::Frontal, Facing::Aside, Facing::Profile].map(facing))
                .collect::<Vec<_>>()
        };
        let english = all();
        assert_eq!(english[0], Sharpness::Soft.id());
        assert_eq!((english[3], english[8]), (Light::BurntOut.id(), Facing::Aside.id()));
        set_current(Language::German);
        let german = all();
        set_current(Language::English);
        assert!(english.iter().zip(&german).all(|(english, german)| english != german), "{german:?}");
        assert_eq!(german[1..5], ["ziemlich scharf", "scharf", "überbelichtet", "dunkel"]);
    }
}
