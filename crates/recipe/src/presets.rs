//! Presets: the type shared by built-in and custom presets.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use geometry::Size;

use crate::{Color, CropSpec, DocumentRules, EdgePolicy, EncodeSpec, Expected, OutputFormat, Position, Select};

/// A named set of crop settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The argument of `--preset`: lower-case letters a to z, digits and hyphens.
    pub id: String,
    /// The name displayed by the window.
    pub name: String,
    #[serde(default)]
    pub group: PresetGroup,
    /// One or two sentences on its purpose.
    #[serde(alias = "about", default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The pages of the receiver that its values are from: the issuing authority, the service or the maker of the software.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// True for an unofficial preset: not all of its values are from the receiver, so its rules should be checked before
    /// use.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub check_before_use: bool,
    /// Size of the crop.
    pub size: PresetSize,
    /// Height of the head as a share of the crop's height.
    pub head_height: f32,
    /// Vertical position of the head.
    #[serde(deserialize_with = "strict_position")]
    pub position: Position,
    /// Horizontal distance of the head from the middle, as a share of the crop's width; positive to the right.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shift_right: f32,
    /// True if the top of the hair stays in the frame; `None` for the default, see [`Preset::keeps_hair`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_hair: Option<bool>,
    /// True if the eyes are levelled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub level: bool,
    /// The rules of the document, directory or service, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<DocumentRules>,
}

/// The category of a preset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PresetGroup {
    Portrait,
    /// Profile pictures of services.
    Profile,
    /// Photos for documents.
    Document,
    /// Photos for the directories and HR systems of organisations.
    Directory,
    /// Photos for yearbooks and on badges.
    Badge,
    /// Made by the user.
    #[default]
    #[serde(alias = "own")]
    Custom,
}

/// The size of a preset's crop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SerializedSize", into = "SerializedSize")]
pub enum PresetSize {
    /// A size in print.
    Print {
        /// Width and height in millimetres.
        mm: [f64; 2],
        /// Print resolution in dots per inch.
        dpi: u16,
    },
    /// A size on screen.
    Pixels {
        /// Width and height in pixels.
        pixels: [u32; 2],
    },
}

impl PresetSize {
    /// Size in pixels: for a printed size, millimetres x dpi / 25.4, rounded.
    pub fn in_pixels(self) -> Size {
        match self {
            Self::Pixels { pixels: [width, height] } => Size::new(width, height),
            Self::Print { mm, dpi } => {
                let [width, height] = mm.map(|mm| (mm * f64::from(dpi) / 25.4).round() as u32);
                Size::new(width, height)
            }
        }
    }

    /// Resolution of a printed size.
    pub const fn dpi(self) -> Option<u16> {
        match self {
            Self::Print { dpi, .. } => Some(dpi),
            Self::Pixels { .. } => None,
        }
    }
}

/// The serialized form of a size.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SerializedSize {
    #[serde(skip_serializing_if = "Option::is_none")]
    mm: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dpi: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pixels: Option<[u32; 2]>,
}

impl TryFrom<SerializedSize> for PresetSize {
    type Error = &'static str;

    fn try_from(form: SerializedSize) -> Result<Self, Self::Error> {
        match form {
            SerializedSize { mm: Some(mm), dpi: Some(dpi), pixels: None } => Ok(Self::Print { mm, dpi }),
            SerializedSize { mm: None, dpi: None, pixels: Some(pixels) } => Ok(Self::Pixels { pixels }),
            _ => Err("a size has either `mm` and `dpi`, or `pixels`"),
        }
    }
}

impl From<PresetSize> for SerializedSize {
    fn from(size: PresetSize) -> Self {
        match size {
            PresetSize::Print { mm, dpi } => Self { mm: Some(mm), dpi: Some(dpi), pixels: None },
            PresetSize::Pixels { pixels } => Self { mm: None, dpi: None, pixels: Some(pixels) },
        }
    }
}

/// Reads a position; unlike the derived implementation it rejects unknown keys.
fn strict_position<'de, D: Deserializer<'de>>(from: D) -> Result<Position, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Form {
        kind: String,
        from_bottom: Option<f32>,
        share: Option<f32>,
    }
    let form = Form::deserialize(from)?;
    match (form.kind.as_str(), form.from_bottom, form.share) {
        ("middle", None, None) => Ok(Position::Middle),
        ("eye-line", Some(from_bottom), None) => Ok(Position::EyeLine { from_bottom }),
        ("headroom", None, Some(share)) => Ok(Position::Headroom { share }),
        _ => Err(D::Error::custom(
            "a position is of the kind \"middle\", or \"eye-line\" with `from_bottom`, or \"headroom\" with `share`",
        )),
    }
}

/// Requirements of a preset on the file, for the encoder settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct FileHints {
    /// Resolution of a printed size, or the required one.
    pub dpi: Option<u16>,
    /// Maximum file size, in kilobytes of 1000 bytes.
    pub max_kilobytes: Option<u32>,
    /// True if the file must be a JPEG.
    pub jpeg_only: bool,
}

impl Preset {
    /// The preset as a complete spec, with defaults for settings that a preset does not have.
    pub fn spec(&self) -> CropSpec {
        CropSpec {
            output: self.size.in_pixels(),
            original_size: false,
            head_height: self.head_height,
            position: self.position,
            shift_right: self.shift_right,
            keep_hair: self.keeps_hair(),
            level: self.level,
            level_limit: 30.0,
            turn_upright: true,
            edge: EdgePolicy::Shrink,
            max_padding: 0.1,
            fill: Color::WHITE,
            select: Select::Largest,
            min_score: 0.6,
            min_size: 0,
            expected: Expected::default(),
            rules: self.full_rules(),
        }
    }

    /// True if the top of the hair stays in the frame. The default is false for documents, where the crown counts.
    pub fn keeps_hair(&self) -> bool {
        self.keep_hair.unwrap_or_else(|| !self.rules.as_ref().is_some_and(DocumentRules::is_document))
    }

    /// Copies this preset's size, framing and rules to `spec`; other settings are kept.
    pub fn apply_to(&self, spec: &mut CropSpec) {
        spec.output = self.size.in_pixels();
        (spec.head_height, spec.position, spec.shift_right) = (self.head_height, self.position, self.shift_right);
        (spec.keep_hair, spec.level) = (self.keeps_hair(), self.level);
        spec.rules = self.full_rules();
        if self.rules.as_ref().is_some_and(|rules| rules.unaltered) {
            spec.edge = EdgePolicy::Shrink;
        }
    }

    /// True if `spec` has this preset's size, framing and rules.
    pub fn matches(&self, spec: &CropSpec) -> bool {
        let mut same = spec.clone();
        self.apply_to(&mut same);
        same == *spec
    }

    /// The rules, completed by the preset's name and size.
    fn full_rules(&self) -> Option<DocumentRules> {
        let Size { width, height } = self.size.in_pixels();
        let mm = match self.size {
            PresetSize::Print { mm, .. } => Some(mm),
            PresetSize::Pixels { .. } => None,
        };
        let full = |rules: &DocumentRules| DocumentRules {
            name: Some(self.name.clone()),
            pixels: Some([width, height]),
            mm,
            ..rules.clone()
        };
        self.rules.as_ref().map(full)
    }

    /// The requirements of the preset on the file.
    pub fn file_hints(&self) -> FileHints {
        let rules = self.rules.as_ref();
        FileHints {
            dpi: self.size.dpi().or_else(|| rules?.dpi),
            max_kilobytes: rules.and_then(|rules| rules.max_kilobytes),
            jpeg_only: rules.is_some_and(|rules| rules.jpeg),
        }
    }

    /// Applies the requirements on the file to `encode`. A size limit goes with the rules that set it, which are those of
    /// `crop`, the spec before the preset; the user's own limit stays if the preset has none.
    pub fn apply_to_file(&self, encode: &mut EncodeSpec, crop: &CropSpec) {
        let FileHints { dpi, max_kilobytes, jpeg_only } = self.file_hints();
        encode.dpi = dpi.unwrap_or(encode.dpi);
        if max_kilobytes.is_some() || encode.has_limit_of(crop) {
            encode.max_kilobytes = max_kilobytes;
        }
        if jpeg_only {
            encode.format = OutputFormat::Jpeg;
        }
    }
}

fn is_zero(number: &f32) -> bool {
    *number == 0.0
}

#[cfg(test)]
mod tests;
