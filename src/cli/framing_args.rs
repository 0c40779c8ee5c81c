//! Arguments for framing.

use clap::Args;

use geometry::Size;
use recipe::{Color, CropSpec, EdgePolicy, EncodeSpec, Position, Preset, PresetSize};

use super::numbers::{one_of, parse_degrees, parse_share};

/// Framing of a face. Flags override the preset.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Framing")]
pub struct FramingArgs {
    /// Size of the crop: in print, such as 35x45mm, 5x7cm or 2x2in at --dpi, in pixels, such as 600x750px, or original to
    /// keep the photo's own pixels, with the preset's aspect ratio; only rotated crops are then resampled
    #[arg(long, value_name = "WxH|original", value_parser = parse_requested_size, conflicts_with_all = ["width", "height"])]
    pub size: Option<RequestedSize>,

    /// Width of the crop in pixels; without --height, the preset's aspect ratio is used
    #[arg(long, value_name = "N", value_parser = parse_side, allow_negative_numbers = true)]
    pub width: Option<u32>,

    /// Height of the crop in pixels; without --width, the preset's aspect ratio is used
    #[arg(long, value_name = "N", value_parser = parse_side, allow_negative_numbers = true)]
    pub height: Option<u32>,

    /// Head height, chin to crown, in percent of the crop's height, 5 to 100
    #[arg(long, value_name = "PCT", value_parser = parse_share, allow_hyphen_values = true)]
    pub head_height: Option<f32>,

    /// Position of the head: middle, eye-line=PCT (of the crop's height, from its bottom edge), or headroom=PCT (between
    /// the top edge and the hair, or the crown with --keep-hair off)
    #[arg(long, value_name = "WHERE", value_parser = parse_position, allow_hyphen_values = true)]
    pub position: Option<Position>,

    /// Shift of the head to the right of the middle, in percent of the crop's width, -50 to 50
    #[arg(long, value_name = "PCT", value_parser = parse_share, allow_hyphen_values = true)]
    pub shift_right: Option<f32>,

    /// Enlarge the frame if it would cut off the hair, and measure headroom from the hair [default: as in the preset, off
    /// for documents]
    #[arg(long, overrides_with = "follow_hair", value_parser = one_of(&[("on", true), ("off", false)]))]
    pub keep_hair: Option<bool>,

    /// The former name of --keep-hair on
    #[arg(long, hide = true, overrides_with = "keep_hair")]
    pub follow_hair: bool,

    /// Rotate the photo until the eyes are level [default: as in the preset]
    #[arg(long, overrides_with = "no_level")]
    pub level: bool,

    /// Do not level tilted heads
    #[arg(long, overrides_with = "level")]
    pub no_level: bool,

    /// Largest tilt to level, in degrees, 0 to 45; heads tilted further are not levelled and should be reviewed [default: 30]
    #[arg(long, value_name = "DEG", value_parser = parse_degrees, allow_hyphen_values = true, conflicts_with = "no_level")]
    pub level_limit: Option<f32>,

    /// Sideways and upside-down heads: rotate the photo upright by quarter turns, or keep it [default: upright]
    #[arg(long, alias = "turn", value_parser = one_of(&[("upright", true), ("keep", false)]))]
    pub rotation: Option<bool>,

    /// What to do if the crop would extend beyond the photo: move it inside, smaller only if it is larger than the photo,
    /// or fill with a colour, the stretched edge, or a mirrored blur [default: shrink]
    #[arg(long, value_parser = one_of(&[
        ("shrink", EdgePolicy::Shrink), ("pad", EdgePolicy::Pad), ("extend", EdgePolicy::Extend),
        ("blur", EdgePolicy::Blur),
    ]))]
    pub edge: Option<EdgePolicy>,

    /// Maximum padding in percent of the crop; crops with more should be reviewed [default: 10]
    #[arg(long, value_name = "PCT", value_parser = parse_share, allow_hyphen_values = true)]
    pub max_padding: Option<f32>,

    /// Colour of padding, of the area outside a shape, and of transparent pixels in JPEG [default: white, #FFFFFF]
    #[arg(long, value_name = "#RRGGBB")]
    pub fill: Option<Color>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RequestedSize {
    /// Printed width and height in millimetres.
    Millimetres([f64; 2]),
    /// Pixels.
    Pixels(Size),
    /// The size of the frame in the photo.
    Original,
}

impl FramingArgs {
    /// Applies the flags to `spec`, which already has the preset's framing. Size and resolution are applied by
    /// [`FramingArgs::size_and_dpi`].
    pub(super) fn apply_to(&self, spec: &mut CropSpec) {
        let sized = self.size.is_some() || self.width.is_some() || self.height.is_some();
        spec.original_size = self.size == Some(RequestedSize::Original) || (spec.original_size && !sized);
        spec.head_height = self.head_height.unwrap_or(spec.head_height);
        spec.position = self.position.unwrap_or(spec.position);
        spec.shift_right = self.shift_right.unwrap_or(spec.shift_right);
        spec.keep_hair = self.keep_hair.unwrap_or(spec.keep_hair || self.follow_hair);
        spec.level = (spec.level || self.level) && !self.no_level;
        spec.level_limit = self.level_limit.unwrap_or(spec.level_limit);
        spec.turn_upright = self.rotation.unwrap_or(spec.turn_upright);
        spec.edge = self.edge.unwrap_or(spec.edge);
        spec.max_padding = self.max_padding.unwrap_or(spec.max_padding);
        spec.fill = self.fill.unwrap_or(spec.fill);
    }

    /// Size of the crop in pixels and, for a printed size, dots per inch: the flags override `preset`. A printed size is
    /// kept if only the resolution or one side in pixels is given.
    pub(super) fn size_and_dpi(&self, preset: &Preset, dpi: Option<u16>) -> (Size, Option<u16>) {
        let base = preset.size.in_pixels();
        let preset_dpi = preset.size.dpi();
        let size = self.size.filter(|size| *size != RequestedSize::Original);
        match (size, self.width, self.height, preset.size) {
            (Some(RequestedSize::Millimetres(mm)), ..) => {
                let dpi = dpi.or(preset_dpi).unwrap_or(EncodeSpec::default().dpi);
                (PresetSize::Print { mm, dpi }.in_pixels(), Some(dpi))
            }
            (Some(RequestedSize::Pixels(size)), ..) => (size, dpi.or(preset_dpi)),
            (Some(RequestedSize::Original), ..) => (base, dpi.or(preset_dpi)),
            (None, Some(width), Some(height), _) => (Size::new(width, height), dpi.or(preset_dpi)),
            (None, None, None, PresetSize::Print { mm, dpi: base }) => {
                let dpi = dpi.unwrap_or(base);
                (PresetSize::Print { mm, dpi }.in_pixels(), Some(dpi))
            }
            (None, None, None, PresetSize::Pixels { .. }) => (base, dpi),
            (None, width, height, size) => {
                let scaled = one_side(width, height, base);
                (scaled, dpi.or_else(|| dpi_of(scaled, size)))
            }
        }
    }

    /// Warnings about flags that have no effect in combination with others. `spec` is the result of all flags.
    pub(super) fn ignored(&self, spec: &CropSpec) -> Vec<String> {
        let flags = [
            (self.level_limit.is_some() && !spec.level, "--level-limit", "nothing is levelled; add --level"),
            (
                self.max_padding.is_some() && !spec.edge.adds_pixels(),
                "--max-padding",
                "--edge shrink never pads; choose pad, extend or blur",
            ),
        ];
        let idle = flags.iter().filter(|(idle, ..)| *idle);
        idle.map(|(_, flag, why)| format!("note: {flag} is ignored: {why}")).collect()
    }
}

/// The size for one given side; the other follows from the aspect ratio of `base`.
fn one_side(width: Option<u32>, height: Option<u32>, base: Size) -> Size {
    let scaled = |side: u32, from: u32, to: u32| {
        let (side, from, to) = (u64::from(side), u64::from(from), u64::from(to));
        u32::try_from((side * to + from / 2) / from.max(1)).unwrap_or(u32::MAX)
    };
    match (width, height) {
        (Some(width), _) => Size::new(width, scaled(width, base.width, base.height)),
        (None, Some(height)) => Size::new(scaled(height, base.height, base.width), height),
        (None, None) => base,
    }
}

/// The resolution at which `pixels` have the printed size `size`.
fn dpi_of(pixels: Size, size: PresetSize) -> Option<u16> {
    let PresetSize::Print { mm: [_, height], .. } = size else { return None };
    let dpi = (f64::from(pixels.height) * 25.4 / height).round();
    let (min, max) = EncodeSpec::DPI.into_inner();
    Some(dpi.clamp(f64::from(min), f64::from(max)) as u16)
}

/// Parses `35x45mm`, `2x2in`, `600x750px` or `original`.
fn parse_requested_size(text: &str) -> Result<RequestedSize, String> {
    if text == "original" {
        return Ok(RequestedSize::Original);
    }
    let wrong = || format!("'{text}' is not a size; write it as 35x45mm, 5x7cm, 2x2in, 600x750px or original");
    let (numbers, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic() && c != 'x').ok_or_else(wrong)?);
    let (width, height) = numbers.split_once(['x', '×']).ok_or_else(wrong)?;
    let (width, height) = (width.trim(), height.trim());
    let millimetres = match unit {
        "mm" => 1.0,
        "cm" => 10.0,
        "in" => 25.4,
        "px" => return Ok(RequestedSize::Pixels(Size::new(parse_side(width)?, parse_side(height)?))),
        _ => return Err(wrong()),
    };
    let side = |side: &str| {
        let length = side.parse::<f64>().ok().map(|length| length * millimetres);
        length.filter(|mm| (1.0..=10_000.0).contains(mm)).ok_or_else(wrong)
    };
    Ok(RequestedSize::Millimetres([side(width)?, side(height)?]))
}

/// Parses a side of the crop in pixels.
fn parse_side(text: &str) -> Result<u32, String> {
    let side = text.parse().ok().filter(|side| (1..=CropSpec::MAX_SIDE).contains(side));
    side.ok_or_else(|| format!("a side is a whole number of pixels from 1 to {}", CropSpec::MAX_SIDE))
}

fn parse_position(text: &str) -> Result<Position, String> {
    if text == "middle" {
        return Ok(Position::Middle);
    }
    let wrong = || "write middle, eye-line=PCT or headroom=PCT, for example eye-line=60".to_owned();
    let (kind, share) = text.split_once('=').ok_or_else(wrong)?;
    let share = parse_share(share.trim())?;
    match kind {
        "eye-line" => Ok(Position::EyeLine { from_bottom: share }),
        "headroom" => Ok(Position::Headroom { share }),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests;
