//! The rules of documents and services, as shares of the photo's height.

use serde::{Deserialize, Serialize};

use crate::spec_error::{Quantity, SpecError, in_percent};

/// The allowed range of a share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedRange {
    #[serde(alias = "least")]
    pub min: f32,
    #[serde(alias = "most")]
    pub max: f32,
}

/// The rules of an issuing authority or a service, as far as they can be measured or stated here.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DocumentRules {
    /// Name of the preset of these rules; set by the preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Width and height in pixels written by the preset; set by the preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pixels: Option<[u32; 2]>,
    /// Printed width and height in millimetres; set by the preset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mm: Option<[f64; 2]>,
    /// Minimum width and height in pixels.
    #[serde(alias = "least_pixels", skip_serializing_if = "Option::is_none")]
    pub min_pixels: Option<[u32; 2]>,
    /// Maximum width and height in pixels.
    #[serde(alias = "most_pixels", skip_serializing_if = "Option::is_none")]
    pub max_pixels: Option<[u32; 2]>,
    /// Height of the head, chin to crown, as a share of the photo's height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<AllowedRange>,
    /// Height of the eye line above the bottom edge, as a share of the photo's height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub eye_line: Option<AllowedRange>,
    /// Space between crown and top edge, as a share of the photo's height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headroom: Option<AllowedRange>,
    /// The required background, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background: Option<String>,
    /// Minimum file size, in kilobytes of 1000 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_kilobytes: Option<u32>,
    /// Maximum file size, in kilobytes of 1000 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_kilobytes: Option<u32>,
    /// True if the file must be a JPEG.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub jpeg: bool,
    /// True if adjustments, shapes and edge fill are disabled: if the issuing authority rejects altered photos, and in
    /// every built-in document preset.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unaltered: bool,
}

impl DocumentRules {
    /// The allowed file size as text, such as "20 to 50 kB"; `None` if there is no limit.
    pub fn file_size_text(&self) -> Option<String> {
        match (self.min_kilobytes, self.max_kilobytes) {
            (Some(min), Some(max)) => Some(format!("{min} to {max} kB")),
            (Some(min), None) => Some(format!("at least {min} kB")),
            (None, Some(max)) => Some(format!("at most {max} kB")),
            (None, None) => None,
        }
    }

    /// Checks every value.
    ///
    /// # Errors
    /// The first rule that no photo can meet, or that is not finite.
    pub fn check(&self) -> Result<(), SpecError> {
        for (what, range) in [
            (Quantity::HeadRange, self.head),
            (Quantity::EyeLineRange, self.eye_line),
            (Quantity::HeadroomRange, self.headroom),
        ] {
            let Some(AllowedRange { min, max }) = range else { continue };
            in_percent(what, min, 0.0, 1.0)?;
            in_percent(what, max, 0.0, 1.0)?;
            if min > max {
                return Err(SpecError::Rule { what });
            }
        }
        let is_empty = |min: Option<u32>, max: Option<u32>| min.zip(max).is_some_and(|(min, max)| min > max);
        if is_empty(self.min_kilobytes, self.max_kilobytes) || self.max_kilobytes == Some(0) {
            return Err(SpecError::Rule { what: Quantity::FileSize });
        }
        let side = |sides: Option<[u32; 2]>, index: usize| sides.map(|sides| sides[index]);
        let no_size = [self.pixels, self.max_pixels].into_iter().flatten().any(|sides| sides.contains(&0));
        if no_size || (0..2).any(|index| is_empty(side(self.min_pixels, index), side(self.max_pixels, index))) {
            return Err(SpecError::Rule { what: Quantity::PixelSize });
        }
        if self.mm.is_some_and(|mm| mm.iter().any(|side| !(side.is_finite() && *side > 0.0))) {
            return Err(SpecError::Rule { what: Quantity::PrintedSize });
        }
        Ok(())
    }
}
