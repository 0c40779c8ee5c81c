//! The outputs of a recipe: crops of the same faces in other sizes, formats and folders.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{CropSpec, EncodeSpec, FinishSpec, PackageSpec, Recipe, SheetSpec};

/// Where the files of an output are written.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct OutputPlace {
    /// Folder below the output folder, with `/` between levels; empty for the output folder itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub folder: String,
    /// Text at the end of each name, before the extension.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub suffix: String,
}

impl OutputPlace {
    /// Checks that folder and suffix lead to places below the output folder.
    ///
    /// # Errors
    /// The folder is absolute or leads upwards, or the suffix contains a path separator.
    pub fn check(&self) -> Result<(), VariantError> {
        let has_separator = |text: &str| text.contains(['/', '\\']);
        let is_below = self.levels().all(|level| {
            let mut parts = Path::new(level).components();
            matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) && !level.contains(['\\', ':'])
        });
        if self.folder.starts_with('/') || !is_below {
            return Err(VariantError::Folder { folder: self.folder.clone() });
        }
        if has_separator(&self.suffix) {
            return Err(VariantError::Suffix { suffix: self.suffix.clone() });
        }
        Ok(())
    }

    /// The levels of the folder, outermost first.
    pub fn levels(&self) -> impl Iterator<Item = &str> {
        self.folder.split('/').filter(|level| !level.is_empty())
    }

    /// The folder as a path relative to the output folder.
    pub fn path(&self) -> PathBuf {
        self.levels().collect()
    }
}

/// One output of a recipe.
///
/// The faces are selected by the recipe's own [`Recipe::crop`]; the fields of [`Variant::crop`] for the selection are not
/// used.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Variant {
    /// The id of the preset it was made from; the value of the field `{preset}` in names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    pub place: OutputPlace,
    /// Framing.
    pub crop: CropSpec,
    /// Shape and adjustments.
    pub finish: FinishSpec,
    /// Encoder settings.
    pub encode: EncodeSpec,
    /// The print sheet of each crop, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sheet: Option<SheetSpec>,
    /// Index, archive and contact sheet.
    pub package: PackageSpec,
}

impl Variant {
    /// The name shown for the output: its folder, or else its preset.
    pub fn label(&self) -> &str {
        let preset = || self.preset.as_deref().filter(|preset| !preset.is_empty());
        Some(self.place.folder.as_str()).filter(|folder| !folder.is_empty()).or_else(preset).unwrap_or_default()
    }

    /// The same output with the face selection of `crop`, and the stricter of both file size limits.
    fn with_selection_of(mut self, crop: &CropSpec) -> Self {
        let CropSpec { select, min_score, min_size, expected, .. } = *crop;
        self.crop = CropSpec { select, min_score, min_size, expected, ..self.crop };
        let limit = self.crop.rules.as_ref().and_then(|rules| rules.max_kilobytes);
        self.encode.max_kilobytes = limit.into_iter().chain(self.encode.max_kilobytes).min();
        self
    }
}

impl Recipe {
    /// Maximum number of further outputs.
    pub const MAX_VARIANTS: usize = 15;

    /// Every output: the recipe's own first, then its variants.
    pub fn outputs(&self) -> impl Iterator<Item = Variant> {
        let Self { crop, finish, encode, sheet, place, package, .. } = self;
        let own = Variant {
            preset: None,
            place: place.clone(),
            crop: crop.clone(),
            finish: *finish,
            encode: *encode,
            sheet: *sheet,
            package: *package,
        };
        let variants = self.variants.iter().map(|variant| variant.clone().with_selection_of(crop));
        std::iter::once(own).chain(variants)
    }

    /// Checks the places of all outputs, and that no two write the same names.
    ///
    /// # Errors
    /// The first place that is not valid, or that two outputs share.
    pub fn check_outputs(&self) -> Result<(), VariantError> {
        if self.variants.len() > Self::MAX_VARIANTS {
            return Err(VariantError::TooMany { max: Self::MAX_VARIANTS + 1 });
        }
        let mut taken = HashMap::new();
        for (index, output) in self.outputs().enumerate() {
            output.place.check()?;
            let folder: Vec<String> = output.place.levels().map(str::to_lowercase).collect();
            let place = (folder, output.place.suffix.to_lowercase(), output.encode.format.extension());
            if let Some(first) = taken.insert(place, index) {
                return Err(VariantError::SamePlace { first: first + 1, second: index + 1 });
            }
        }
        Ok(())
    }

    /// True if the crops of any output need the person mask: for the top of the hair or to measure the background.
    pub fn needs_mask(&self) -> bool {
        self.crops().any(CropSpec::needs_mask)
    }

    /// True if the rules of any output concern the background.
    pub fn measures_background(&self) -> bool {
        self.crops().any(|crop| crop.rules.as_ref().is_some_and(|rules| rules.backdrop.is_some()))
    }

    /// The framing of every output.
    fn crops(&self) -> impl Iterator<Item = &CropSpec> {
        std::iter::once(&self.crop).chain(self.variants.iter().map(|variant| &variant.crop))
    }
}

/// Why the outputs of a recipe are not valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariantError {
    /// The folder is not below the output folder.
    #[error("the folder '{folder}' of an output is not a path below the output folder")]
    Folder { folder: String },
    /// The suffix would be another folder.
    #[error("the name suffix '{suffix}' of an output contains a path separator")]
    Suffix { suffix: String },
    /// Two outputs would write the same names.
    #[error("outputs {first} and {second} would write the same names: give one of them another folder or name suffix")]
    SamePlace {
        /// Its number, from 1; the recipe's own output is number 1.
        first: usize,
        second: usize,
    },
    /// More outputs than are supported.
    #[error("there are more than {max} outputs")]
    TooMany { max: usize },
}

#[cfg(test)]
mod tests {
    use geometry::Size;

    use super::*;
    use crate::{DocumentRules, Select};

    fn variant(folder: &str, suffix: &str) -> Variant {
        let place = OutputPlace { folder: folder.to_owned(), suffix: suffix.to_owned() };
        Variant { place, ..Variant::default() }
    }

    fn check(variants: Vec<Variant>) -> Result<(), VariantError> {
        Recipe { variants, ..Recipe::default() }.check_outputs()
    }

    #[test]
    fn outputs_share_the_selection_and_keep_their_own_framing() {
        let framed = CropSpec { output: Size::new(96, 96), select: Select::Best, min_size: 9, ..CropSpec::default() };
        let rules = Some(DocumentRules { max_kilobytes: Some(10), ..DocumentRules::default() });
        let directory = Variant { crop: CropSpec { rules, ..framed }, ..variant("directory", "") };
        let crop = CropSpec { select: Select::All, min_size: 40, ..CropSpec::default() };
        let recipe = Recipe { crop, variants: vec![directory], ..Recipe::default() };
        let outputs: Vec<Variant> = recipe.outputs().collect();
        assert_eq!(outputs[0].crop, recipe.crop);
        assert_eq!((outputs[1].crop.output, outputs[1].crop.select), (Size::new(96, 96), Select::All));
        assert_eq!((outputs[1].crop.min_size, outputs[1].encode.max_kilobytes), (40, Some(10)));
        assert_eq!((outputs[0].label(), outputs[1].label()), ("", "directory"));
    }

    #[test]
    fn outputs_with_the_same_names_are_rejected() {
        assert_eq!(check(vec![variant("a", ""), variant("b", ""), variant("a", "_small")]), Ok(()));
        let error = check(vec![variant("a", ""), variant("A/", "")]);
        assert_eq!(error, Err(VariantError::SamePlace { first: 2, second: 3 }));
        assert_eq!(check(vec![variant("", "")]), Err(VariantError::SamePlace { first: 1, second: 2 }));
        let many = (0..16).map(|number| variant(&number.to_string(), "")).collect();
        assert_eq!(check(many), Err(VariantError::TooMany { max: 16 }));
    }

    #[test]
    fn places_outside_the_output_folder_are_rejected() {
        for folder in ["..", "a/../..", "/a", "C:", "a\\b", "./a"] {
            assert!(matches!(check(vec![variant(folder, "")]), Err(VariantError::Folder { .. })), "{folder}");
        }
        assert!(matches!(check(vec![variant("a", "/b")]), Err(VariantError::Suffix { .. })));
        assert_eq!(variant("a/b c/", "").place.path(), Path::new("a").join("b c"));
    }
}
