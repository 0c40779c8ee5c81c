//! All settings of a photo's crops.

use serde::{Deserialize, Serialize};

use crate::{CropSpec, EncodeSpec, FinishSpec, Overrides, SheetSpec};

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
    /// True if damaged photos, of which a part is missing, are cropped as well.
    pub include_damaged: bool,
}

impl Recipe {
    /// This recipe with the overrides of one photo, and the stricter of both file size limits.
    #[must_use]
    pub fn with_overrides(&self, overrides: &Overrides) -> Self {
        let limit = overrides.crop.rules.as_ref().and_then(|rules| rules.max_kilobytes);
        let max_kilobytes = limit.into_iter().chain(self.encode.max_kilobytes).min();
        let encode = EncodeSpec { max_kilobytes, ..self.encode };
        Self { crop: overrides.crop.clone(), finish: overrides.finish, encode, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DocumentRules;

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
}
