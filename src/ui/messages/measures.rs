//! Measurements of a face. The English texts are those of JSON.

use plan::{Facing, Light, Sharpness};

use super::super::language::tr;

pub(crate) fn sharpness(sharpness: Sharpness) -> &'static str {
    match sharpness {
        Sharpness::Blurred => tr("blurred"),
        Sharpness::Fair => tr("fairly sharp"),
        Sharpness::Sharp => tr("sharp"),
    }
}

pub(crate) fn light(light: Light) -> &'static str {
    match light {
        Light::Overexposed => tr("overexposed"),
        Light::Underexposed => tr("underexposed"),
        Light::Bright => tr("bright"),
        Light::Good => tr("well lit"),
    }
}

/// Direction of the face.
pub(crate) fn facing(facing: Facing) -> &'static str {
    match facing {
        Facing::Frontal => tr("frontal"),
        Facing::Turned => tr("turned"),
        Facing::Profile => tr("profile"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::language::{Language, set_current};
    use super::*;

    #[test]
    fn measurements_are_translated() {
        let all = || {
            [Sharpness::Blurred, Sharpness::Fair, Sharpness::Sharp]
                .map(sharpness)
                .into_iter()
                .chain([Light::Overexposed, Light::Underexposed, Light::Bright, Light::Good].map(light))
                .chain([Facing::Frontal, Facing::Turned, Facing::Profile].map(facing))
                .collect::<Vec<_>>()
        };
        let english = all();
        assert_eq!(english[0], Sharpness::Blurred.id());
        assert_eq!((english[3], english[8]), (Light::Overexposed.id(), Facing::Turned.id()));
        set_current(Language::German);
        let german = all();
        set_current(Language::English);
        assert!(english.iter().zip(&german).all(|(english, german)| english != german), "{german:?}");
        assert_eq!(german[1..5], ["ziemlich scharf", "scharf", "überbelichtet", "unterbelichtet"]);
    }
}
