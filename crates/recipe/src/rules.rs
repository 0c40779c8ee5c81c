//! The rules of documents and services, as shares of the photo's height.

use serde::{Deserialize, Serialize};

use crate::spec_error::{Quantity, SpecError, in_percent};

/// The least and the most of a share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedRange {
    /// The least that is allowed.
    #[serde(alias = "least")]
    pub min: f32,
    /// The most that is allowed.
    #[serde(alias = "most")]
    pub max: f32,
}

/// What an issuing body or a service asks of a photo, as far as this program can measure or state it.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DocumentRules {
    /// Name of the preset that the rules are from; a preset fills it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Width and height in pixels that the preset writes; a preset fills it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixels: Option<[u32; 2]>,
    /// Printed width and height in millimetres; a preset fills it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mm: Option<[f64; 2]>,
    /// The smallest width and height in pixels that are accepted.
    #[serde(alias = "least_pixels", skip_serializing_if = "Option::is_none")]
    pub min_pixels: Option<[u32; 2]>,
    /// The largest width and height in pixels that are accepted.
    #[serde(alias = "most_pixels", skip_serializing_if = "Option::is_none")]
    pub max_pixels: Option<[u32; 2]>,
    /// Height of the head, chin to crown, as a share of the photo's height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<AllowedRange>,
    /// Height of the eye line above the bottom edge, as a share of the photo's height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eye_line: Option<AllowedRange>,
    /// Room between crown and top edge, as a share of the photo's height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headroom: Option<AllowedRange>,
    /// The background asked for, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<String>,
    /// The smallest file accepted, in kilobytes of 1000 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_kilobytes: Option<u32>,
    /// The largest file accepted, in kilobytes of 1000 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_kilobytes: Option<u32>,
    /// True where the file must be a JPEG.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub jpeg: bool,
    /// True where adjustments, shapes and invented fill are switched off: where the issuing body refuses altered photos, and
    /// in every built-in document preset.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unaltered: bool,
}

impl DocumentRules {
    /// How large the file may be, in words: "20 to 50 kB"; `None` where that is not said.
    pub fn kilobytes_in_words(&self) -> Option<String> {
        match (self.min_kilobytes, self.max_kilobytes) {
            (Some(min), Some(max)) => Some(format!("{min} to {max} kB")),
            (Some(min), None) => Some(format!("at least {min} kB")),
            (None, Some(max)) => Some(format!("at most {max} kB")),
            (None, None) => None,
        }
    }

    /// Checks every number.
    ///
    /// # Errors
    /// The first rule that cannot be met by any photo, or that is no number.
    pub fn check(&self) -> Result<(), SpecError> {
        for (what, band) in [
            (Quantity::HeadRange, self.head),
            (Quantity::EyeLineRange, self.eye_line),
            (Quantity::HeadroomRange, self.headroom),
        ] {
            let Some(AllowedRange { min, max }) = band else { continue };
            in_percent(what, min, 0.0, 1.0)?;
            in_percent(what, max, 0.0, 1.0)?;
            if min > max {
                return Err(SpecError::Rule { what });
            }
        }
        let upside_down = |min: Option<u32>, max: Option<u32>| min.zip(max).is_some_and(|(min, max)| min > max);
        if upside_down(self.min_kilobytes, self.max_kilobytes) || self.max_kilobytes == Some(0) {
            return Err(SpecError::Rule { what: Quantity::FileSize });
        }
        let side = |sides: Option<[u32; 2]>, index: usize| sides.map(|sides| sides[index]);
        let no_size = [self.pixels, self.max_pixels].into_iter().flatten().any(|sides| sides.contains(&0));
        if no_size || (0..2).any(|index| upside_down(side(self.min_pixels, index), side(self.max_pixels, index))) {
            return Err(SpecError::Rule { what: Quantity::PixelSize });
        }
        if self.mm.is_some_and(|mm| mm.iter().any(|side| !(side.is_finite() && *side > 0.0))) {
            return Err(SpecError::Rule { what: Quantity::PrintedSize });
        }
        Ok(())
    }
}
