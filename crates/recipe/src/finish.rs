//! What is done to a crop's pixels after they were resampled.

use serde::{Deserialize, Serialize};

use crate::spec_error::{Alteration, Quantity, SpecError, Unit, in_range};
use crate::{Color, CropSpec, DocumentRules, EdgePolicy};

/// Shape and adjustments of a crop; the default leaves the pixels as they are.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FinishSpec {
    /// The outline; what lies outside becomes transparent, or the fill colour in formats without transparency.
    pub shape: Shape,
    /// True where the fill colour shows outside the outline though the format could be transparent.
    pub fill_outside: bool,
    /// Width of the outline's soft edge as a share of the crop's shorter side, 0 to 0.25; it lies inside the outline.
    pub soft_edge: f32,
    /// Light and colour.
    pub adjust: Adjust,
}

/// The outline of a crop.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Shape {
    /// All of the crop.
    #[default]
    Rectangle,
    /// A rectangle with round corners.
    Rounded {
        /// The corners' radius as a share of the crop's shorter side, 0 to 0.5.
        radius: f32,
    },
    /// The ellipse that touches all four edges: a circle where the crop is square.
    Ellipse,
}

/// Adjustments of light and colour; the default changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Adjust {
    /// Stops of exposure, -2 to 2: 1 doubles the light.
    pub exposure: f32,
    /// Contrast, -1 to 1; 0 leaves it.
    pub contrast: f32,
    /// True where a colour cast is taken out.
    pub white_balance: bool,
    /// Sharpening after resampling, 0 to 1.
    pub sharpen: f32,
}

/// All that rendering needs to know beside the crop's place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderSpec {
    /// What is shown past the picture's edge.
    pub edge: EdgePolicy,
    /// The fill colour.
    pub fill: Color,
    /// Shape and adjustments.
    pub finish: FinishSpec,
}

impl CropSpec {
    /// What rendering needs of this spec and `finish`.
    pub fn render_spec(&self, finish: FinishSpec) -> RenderSpec {
        RenderSpec { edge: self.edge, fill: self.fill, finish }
    }
}

impl Adjust {
    /// True where nothing is adjusted.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl FinishSpec {
    /// The widest soft edge, as a share of the crop's shorter side.
    pub const MAX_SOFT_EDGE: f32 = 0.25;

    /// Checks every number, and that `rules` allow what is asked for.
    ///
    /// # Errors
    /// The first number that is outside its range, or what the rules forbid.
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
        }
        Ok(())
    }
}
