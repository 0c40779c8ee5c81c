//! The JSON line of a preset. The format is described in `docs/user/cli.md`.

use serde::Serialize;

use recipe::{AllowedRange, Backdrop, DocumentRules, PoseLimits, Position, Preset, PresetGroup, PresetSize};

use super::json::SCHEMA;
use super::json_numbers::{degrees, percent};

#[derive(Serialize)]
struct PresetLine<'a> {
    schema: u32,
    id: &'a str,
    name: &'a str,
    group: PresetGroup,
    description: &'a str,
    source: Option<&'a str>,
    check_before_use: bool,
    width: u32,
    height: u32,
    mm: Option<[f64; 2]>,
    dpi: Option<u16>,
    head_height_pct: f64,
    position: String,
    shift_right_pct: f64,
    keep_hair: bool,
    level: bool,
    rules: Option<RulesEntry<'a>>,
}

#[derive(Serialize)]
struct RulesEntry<'a> {
    head_pct: Option<[f64; 2]>,
    eye_line_pct: Option<[f64; 2]>,
    headroom_pct: Option<[f64; 2]>,
    min_pixels: Option<[u32; 2]>,
    max_pixels: Option<[u32; 2]>,
    background: Option<&'a str>,
    backdrop: Option<Backdrop>,
    background_lightness_pct: Option<[f64; 2]>,
    pose_degrees: Option<PoseEntry>,
    neutral_expression: bool,
    jpeg: bool,
    min_kb: Option<u32>,
    max_kb: Option<u32>,
    unaltered: bool,
}

#[derive(Serialize)]
struct PoseEntry {
    yaw: f64,
    pitch: f64,
    roll: f64,
}

pub(super) fn line(preset: &Preset) -> serde_json::Result<String> {
    let position = match preset.position {
        Position::Middle => "middle".to_owned(),
        Position::EyeLine { from_bottom } => format!("eye-line={}", percent(from_bottom)),
        Position::Headroom { share } => format!("headroom={}", percent(share)),
    };
    let pixels = preset.size.in_pixels();
    let mm = match preset.size {
        PresetSize::Print { mm, .. } => Some(mm),
        PresetSize::Pixels { .. } => None,
    };
    serde_json::to_string(&PresetLine {
        schema: SCHEMA,
        id: &preset.id,
        name: &preset.name,
        group: preset.group,
        description: &preset.description,
        source: preset.source.as_deref(),
        check_before_use: preset.check_before_use,
        width: pixels.width,
        height: pixels.height,
        mm,
        dpi: preset.file_hints().dpi,
        head_height_pct: percent(preset.head_height),
        position,
        shift_right_pct: percent(preset.shift_right),
        keep_hair: preset.keeps_hair(),
        level: preset.level,
        rules: preset.rules.as_ref().map(rules_entry),
    })
}

fn rules_entry(rules: &DocumentRules) -> RulesEntry<'_> {
    let band = |band: Option<AllowedRange>| band.map(|AllowedRange { min, max }| [percent(min), percent(max)]);
    RulesEntry {
        head_pct: band(rules.head),
        eye_line_pct: band(rules.eye_line),
        headroom_pct: band(rules.headroom),
        min_pixels: rules.min_pixels,
        max_pixels: rules.max_pixels,
        background: rules.background.as_deref(),
        backdrop: rules.backdrop,
        background_lightness_pct: band(rules.backdrop.and_then(Backdrop::lightness)),
        pose_degrees: rules.pose.map(|PoseLimits { yaw, pitch, roll }| PoseEntry {
            yaw: degrees(yaw),
            pitch: degrees(pitch),
            roll: degrees(roll),
        }),
        neutral_expression: rules.neutral_expression,
        jpeg: rules.jpeg,
        min_kb: rules.min_kilobytes,
        max_kb: rules.max_kilobytes,
        unaltered: rules.unaltered,
    }
}
