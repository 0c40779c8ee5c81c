//! Shape, adjustments and background, applied after resampling.

use serde::{Deserialize, Serialize};

use crate::spec_error::{Alteration, Quantity, SpecError, Unit, in_range};
use crate::{Color, CropSpec, DocumentRules, EdgePolicy};

/// Shape, adjustments and background of a crop; the default changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FinishSpec {
    /// The outline; pixels outside become transparent, or get the fill colour in formats without transparency.
    pub shape: Shape,
    /// True if pixels outside the outline get the fill colour even in formats with transparency.
    pub fill_outside: bool,
    /// Width of the soft edge as a share of the crop's shorter side, 0 to 0.25; it is inside the outline.
    pub soft_edge: f32,
    /// Exposure and colour adjustments.
    pub adjust: Adjust,
    /// What is behind the person.
    pub background: Background,
}

/// The outline of a crop.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Shape {
    /// The whole crop.
    #[default]
    Rectangle,
    /// A rectangle with rounded corners.
    Rounded {
        /// Corner radius as a share of the crop's shorter side, 0 to 0.5.
        radius: f32,
    },
    /// The ellipse that touches all four edges: a circle if the crop is square.
    Ellipse,
}

/// The background of a crop: everything that is not a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Background {
    /// The photo's own background.
    #[default]
    Keep,
    /// One colour; adjustments do not change it.
    Plain {
        /// The colour of the background.
        color: Color,
    },
    /// No background; it gets the fill colour in formats without transparency.
    Transparent,
}

/// Exposure and colour adjustments; the default changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Adjust {
    /// Exposure in stops, -2 to 2: 1 doubles the light.
    pub exposure: f32,
    /// Contrast, -1 to 1; 0 changes nothing.
    pub contrast: f32,
    /// True if a colour cast is removed.
    pub white_balance: bool,
    /// Sharpening after resampling, 0 to 1.
    pub sharpen: f32,
}

/// The rendering settings, apart from the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderSpec {
    /// The policy for pixels beyond the image's edge.
    pub edge: EdgePolicy,
    /// The fill colour.
    pub fill: Color,
    /// Shape, adjustments and background.
    pub finish: FinishSpec,
}

impl CropSpec {
    /// The rendering settings of this spec and `finish`.
    pub fn render_spec(&self, finish: FinishSpec) -> RenderSpec {
        RenderSpec { edge: self.edge, fill: self.fill, finish }
    }
}

impl Background {
    /// True if the photo's background is replaced.
    pub fn is_replaced(self) -> bool {
        self != Self::Keep
    }
}

impl Adjust {
    /// True if nothing is adjusted.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl FinishSpec {
    /// Maximum soft edge, as a share of the crop's shorter side.
    pub const MAX_SOFT_EDGE: f32 = 0.25;

    /// Checks every value, also against `rules`.
    ///
    /// # Errors
    /// The first value that is out of range or forbidden by the rules.
    pub fn check(&self, rules: Option<&DocumentRules>) -> Result<(), SpecError> {
        if let Shape::Rounded { radius } = self.shape {
            in_range(Quantity::CornerRadius, radius, 0.0, 0.5, Unit::None)?;
        }
        in_range(Quantity::SoftEdge, self.soft_edge, 0.0, Self::MAX_SOFT_EDGE, Unit::None)?;
        in_range(Quantity::Exposure, self.adjust.exposure, -2.0, 2.0, Unit::Stops)?;
        in_range(Quantity::Contrast, self.adjust.contrast, -1.0, 1.0, Unit::None)?;
        in_range(Quantity::Sharpening, self.adjust.sharpen, 0.0, 1.0, Unit::None)?;
        if rules.is_some_and(|rules| rules.unaltered) {
            if !self.adjust.is_none() {
                return Err(SpecError::Altered { what: Alteration::Adjustment });
            }
            if self.shape != Shape::Rectangle || self.soft_edge > 0.0 {
                return Err(SpecError::Altered { what: Alteration::Shape });
            }
            if self.background.is_replaced() {
                return Err(SpecError::Altered { what: Alteration::Background });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backgrounds_are_written_like_shapes_and_missing_ones_are_kept() {
        for (background, text) in [
            (Background::Keep, "kind = \"keep\"\n"),
            (Background::Plain { color: Color { rgb: [0, 64, 255] } }, "kind = \"plain\"\ncolor = \"#0040FF\"\n"),
            (Background::Transparent, "kind = \"transparent\"\n"),
        ] {
            let finish = FinishSpec { background, ..FinishSpec::default() };
            let written = toml::to_string(&finish).expect("writes");
            assert!(written.ends_with(&format!("[background]\n{text}")), "{written}");
            assert_eq!(toml::from_str::<FinishSpec>(&written).expect("reads"), finish);
        }
        let older = toml::from_str::<FinishSpec>("soft_edge = 0.1\nshape = { kind = \"ellipse\" }").expect("reads");
        assert_eq!((older.background, older.shape), (Background::Keep, Shape::Ellipse));
    }

    #[test]
    fn rules_against_alteration_forbid_another_background() {
        let rules = DocumentRules { unaltered: true, ..DocumentRules::default() };
        for background in [Background::Plain { color: Color::WHITE }, Background::Transparent] {
            let finish = FinishSpec { background, ..FinishSpec::default() };
            assert_eq!(finish.check(Some(&rules)), Err(SpecError::Altered { what: Alteration::Background }));
            assert_eq!(finish.check(None), Ok(()));
        }
        assert_eq!(FinishSpec::default().check(Some(&rules)), Ok(()));
    }
}
