//! All settings of a photo's crops.

use serde::{Deserialize, Serialize};

use crate::{CropSpec, EncodeSpec, FinishSpec, OutputPlace, Overrides, PackageSpec, PairedPattern, SheetSpec, Variant};

/// All settings that turn a photo into crops, as used by settings, projects, batches and the command line.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Recipe {
    /// Face selection and framing.
    pub crop: CropSpec,
    /// Shape and adjustments of each crop.
    pub finish: FinishSpec,
    /// Encoder settings.
    pub encode: EncodeSpec,
    /// The print sheet of each crop, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<SheetSpec>,
    /// Where the crops are written, below the output folder.
    #[serde(skip_serializing_if = "is_default")]
    pub place: OutputPlace,
    /// Index, archive and contact sheet.
    #[serde(skip_serializing_if = "is_default")]
    pub package: PackageSpec,
    /// Further outputs of the same faces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
    /// Files that are cropped with the frames of their photo.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paired: Vec<PairedPattern>,
    /// True if damaged photos, of which a part is missing, are cropped as well.
    pub include_damaged: bool,
}

impl Recipe {
    /// This recipe with the overrides of one photo; see [`EncodeSpec::for_own_framing`] for its file.
    #[must_use]
    pub fn with_overrides(&self, overrides: &Overrides) -> Self {
        let encode = self.encode.for_own_framing(&self.crop, &overrides.crop);
        Self { crop: overrides.crop.clone(), finish: overrides.finish, encode, ..self.clone() }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DocumentRules, OutputFormat, find_preset};

    #[test]
    fn the_stricter_size_limit_applies() {
        let ruled = |limit| Overrides {
            crop: CropSpec {
                rules: Some(DocumentRules { max_kilobytes: limit, ..DocumentRules::default() }),
                ..CropSpec::default()
            },
            ..Overrides::default()
        };
        let of_all = |limit| Recipe {
            encode: EncodeSpec { max_kilobytes: limit, ..EncodeSpec::default() },
            include_damaged: true,
            ..Recipe::default()
        };
        for (overrides, all, holds) in [
            (Some(240), None, Some(240)),
            (None, Some(90), Some(90)),
            (Some(240), Some(90), Some(90)),
            (None, None, None),
        ] {
            let with_overrides = of_all(all).with_overrides(&ruled(overrides));
            assert_eq!((with_overrides.encode.max_kilobytes, with_overrides.include_damaged), (holds, true));
        }
    }

    #[test]
    fn the_file_of_a_photo_with_its_own_preset_meets_the_rules_of_that_preset() {
        let spec = |id: &str| find_preset(id).expect("exists").spec();
        let file = |shared: &str, own: &str, encode: EncodeSpec| {
            let recipe = Recipe { crop: spec(shared), encode, ..Recipe::default() };
            let EncodeSpec { format, max_kilobytes, dpi, .. } =
                recipe.with_overrides(&Overrides { crop: spec(own), ..Overrides::default() }).encode;
            (format, max_kilobytes, dpi)
        };
        let encode = |format, limit| EncodeSpec { format, max_kilobytes: limit, dpi: 600, ..EncodeSpec::default() };
        let (png, jpeg) = (OutputFormat::Png, OutputFormat::Jpeg);
        assert_eq!(file("headshot", "active-directory", encode(png, None)), (jpeg, Some(10), 600));
        assert_eq!(file("headshot", "pspa-yearbook", encode(png, Some(400))), (jpeg, Some(400), 300));
        assert_eq!(file("headshot", "badge-25x30", encode(png, None)), (png, Some(5_000), 300));
        assert_eq!(file("microsoft-365", "headshot", encode(jpeg, Some(100))), (jpeg, None, 600), "not its limit");
        assert_eq!(file("microsoft-365", "us-passport", encode(jpeg, Some(100))), (jpeg, Some(240), 300));
        assert_eq!(file("microsoft-365", "us-passport", encode(jpeg, Some(90))), (jpeg, Some(90), 300), "the user's");
        assert_eq!(file("us-passport", "us-passport", encode(png, None)), (png, None, 600), "as the other photos");
        let chosen = file("microsoft-365", "active-directory", encode(png, Some(100)));
        assert_eq!(chosen, (png, Some(10), 600), "the user has chosen another format in spite of the same rule");
    }
}
