//! The rules of documents, directories and other receivers, as shares of the photo's height.

use serde::{Deserialize, Serialize};

use geometry::Size;

use crate::EncodeSpec;
use crate::spec_error::{Quantity, SpecError, Unit, in_percent, in_range};

/// The allowed range of a share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedRange {
    #[serde(alias = "least")]
    pub min: f32,
    #[serde(alias = "most")]
    pub max: f32,
}

/// Maximum rotations of the head in degrees, in either direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PoseLimits {
    /// To the left or right.
    pub yaw: f32,
    /// Up or down.
    pub pitch: f32,
    /// To a shoulder.
    pub roll: f32,
}

/// A background that can be measured: of one colour, without shadows, and of a lightness.
///
/// Sources describe the lightness in words. The ranges are this program's reading of them, as mean L* / 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backdrop {
    /// Of any lightness.
    Plain,
    /// "Light" or "pale", and every list of colours with light grey or cream.
    Light,
    /// "Light, not white".
    LightNotWhite,
    /// "White" or "off-white".
    White,
}

impl Backdrop {
    /// The lowest L* / 100 of a light background: the sRGB grey 171.
    const LIGHT: f32 = 0.7;
    /// The lowest L* / 100 of a white background in a photo: the sRGB grey 212, because light falls off towards the
    /// edges of a white wall.
    const WHITE: f32 = 0.85;
    /// The highest L* / 100 of a background that is not white: the sRGB grey 241.
    const NOT_WHITE: f32 = 0.95;

    /// The allowed mean lightness; `None` for any.
    pub const fn lightness(self) -> Option<AllowedRange> {
        match self {
            Self::Plain => None,
            Self::Light => Some(AllowedRange { min: Self::LIGHT, max: 1.0 }),
            Self::LightNotWhite => Some(AllowedRange { min: Self::LIGHT, max: Self::NOT_WHITE }),
            Self::White => Some(AllowedRange { min: Self::WHITE, max: 1.0 }),
        }
    }
}

/// The rules of a receiver, such as an issuing authority, a directory or a service, as far as they can be measured or
/// stated here.
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
    /// The required background, as far as it is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backdrop: Option<Backdrop>,
    /// Maximum rotations of the head.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<PoseLimits>,
    /// True if the mouth must be closed and the person must look at the camera.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub neutral_expression: bool,
    /// Minimum file size, in kilobytes of 1000 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_kilobytes: Option<u32>,
    /// Maximum file size, in kilobytes of 1000 bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_kilobytes: Option<u32>,
    /// True if the file must be a JPEG.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub jpeg: bool,
    /// Resolution to write into the file, in dots per inch. A printed size has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dpi: Option<u16>,
    /// True if adjustments, shapes and edge fill are disabled: if the issuing authority rejects altered photos, and in
    /// every built-in document preset.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unaltered: bool,
}

impl DocumentRules {
    /// True for the rules of a document, false for those of a directory or service, which concern the file only. A photo
    /// for a document shows one person, and its head is measured up to the crown of the skull.
    pub const fn is_document(&self) -> bool {
        self.unaltered || self.head.is_some() || self.eye_line.is_some() || self.headroom.is_some()
    }

    /// The resolution of the file of a crop with `output` pixels: the one at which it has the printed size, or the required
    /// one. `None` if the rules give neither.
    pub fn file_dpi(&self, output: Size) -> Option<u16> {
        let printed = self.mm.map(|[width, height]| {
            // The longer side is the more precise one.
            let (pixels, mm) = if width > height { (output.width, width) } else { (output.height, height) };
            (f64::from(pixels) * 25.4 / mm).round() as u16
        });
        printed.or(self.dpi).filter(|dpi| EncodeSpec::DPI.contains(dpi))
    }

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
        if let Some(PoseLimits { yaw, pitch, roll }) = self.pose {
            for limit in [yaw, pitch, roll] {
                in_range(Quantity::PoseLimit, limit, 0.0, 90.0, Unit::Degrees)?;
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
        if self.dpi.is_some_and(|dpi| !EncodeSpec::DPI.contains(&dpi)) {
            return Err(SpecError::Rule { what: Quantity::Resolution });
        }
        Ok(())
    }
}
