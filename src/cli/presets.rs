//! `iron-cropper presets`.

use recipe::{
    AllowedRange, DocumentRules, PoseLimits, Position, Preset, PresetGroup, PresetSize, built_in_presets,
    presets_to_toml,
};

use super::args::PresetsArgs;
use super::args::PresetsCommand;
use super::{Exit, preset_json, print};

const GROUPS: [(PresetGroup, &str); 6] = [
    (PresetGroup::Portrait, "Portraits"),
    (PresetGroup::Profile, "Profile pictures"),
    (PresetGroup::Document, "Documents"),
    (PresetGroup::Directory, "Directories and HR"),
    (PresetGroup::Badge, "Yearbooks and badges"),
    (PresetGroup::Custom, "User presets"),
];

/// Lists the presets, or prints one as a file.
pub(super) fn run(args: &PresetsArgs) -> anyhow::Result<Exit> {
    if let Some(PresetsCommand::Show { preset }) = &args.command {
        let text = presets_to_toml(&[preset.resolve()?.into_owned()]);
        let _ = print::line(text.trim_end())?;
        return Ok(Exit::Done);
    }
    let lines = if args.json { in_json()? } else { as_text() };
    for line in lines {
        if print::line(&line)?.is_closed() {
            break;
        }
    }
    Ok(Exit::Done)
}

fn in_json() -> serde_json::Result<Vec<String>> {
    built_in_presets().iter().map(preset_json::line).collect()
}

fn as_text() -> Vec<String> {
    let mut lines = Vec::new();
    for (group, heading) in GROUPS {
        let members: Vec<&Preset> = built_in_presets().iter().filter(|preset| preset.group == group).collect();
        if !members.is_empty() {
            lines.push(format!("{}{heading}:", if lines.is_empty() { "" } else { "\n" }));
            lines.extend(members.into_iter().map(preset_text));
        }
    }
    lines
}

fn preset_text(preset: &Preset) -> String {
    let pixels = preset.size.in_pixels();
    let size = match preset.size {
        PresetSize::Print { mm: [width, height], dpi } => {
            format!("{width} x {height} mm ({pixels} pixels at {dpi} dpi)")
        }
        PresetSize::Pixels { .. } => match preset.file_hints().dpi {
            Some(dpi) => format!("{pixels} pixels at {dpi} dpi"),
            None => format!("{pixels} pixels"),
        },
    };
    let position = match preset.position {
        Position::Middle => "centred".to_owned(),
        Position::EyeLine { from_bottom } => format!("eye line {} from the bottom edge", percent(from_bottom)),
        Position::Headroom { share } => format!("headroom {}", percent(share)),
    };
    let mut result = format!(
        "  {}\n      {}: {size}, head {} of the height, {position}",
        preset.id,
        preset.name,
        percent(preset.head_height)
    );
    let mut more = |text: &str| {
        result.push_str("\n      ");
        result.push_str(text);
    };
    if let Some(rules) = preset.rules.as_ref().map(rules_text).filter(|rules| !rules.is_empty()) {
        more(&format!("rules: {rules}"));
    }
    if !preset.description.is_empty() {
        more(&preset.description);
    }
    if let Some(source) = &preset.source {
        more(&format!("source: {source}"));
    }
    if preset.check_before_use {
        more("unofficial: not all numbers are from the receiver; check its rules before use");
    }
    result
}

fn rules_text(rules: &DocumentRules) -> String {
    let band = |what: &str, band: Option<AllowedRange>| {
        band.map(|AllowedRange { min, max }| format!("{what} {:.0} to {}", min * 100.0, percent(max)))
    };
    let pixels =
        |what: &str, sides: Option<[u32; 2]>| sides.map(|[width, height]| format!("{what} {width} x {height} pixels"));
    let parts = [
        band("head", rules.head),
        band("eye line", rules.eye_line),
        band("headroom", rules.headroom),
        background_text(rules),
        rules.neutral_expression.then(|| "mouth closed, looking at the camera".to_owned()),
        rules.pose.map(pose_text),
        pixels("at least", rules.min_pixels),
        pixels("at most", rules.max_pixels),
        rules.jpeg.then(|| "JPEG".to_owned()),
        rules.file_size_text(),
        rules.unaltered.then(|| "no alterations".to_owned()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn background_text(rules: &DocumentRules) -> Option<String> {
    let Some(backdrop) = rules.backdrop else {
        return rules.background.as_ref().map(|text| format!("background {text}"));
    };
    let lightness = backdrop.lightness();
    let lightness =
        lightness.map(|AllowedRange { min, max }| format!(", lightness {:.0} to {}", min * 100.0, percent(max)));
    let text = rules.background.as_deref().unwrap_or("plain");
    Some(format!("background {text}, without shadows{}", lightness.unwrap_or_default()))
}

fn pose_text(PoseLimits { yaw, pitch, roll }: PoseLimits) -> String {
    format!("head turned by at most {yaw}, raised or lowered by at most {pitch}, tilted by at most {roll} degrees")
}

fn percent(share: f32) -> String {
    format!("{:.0} %", share * 100.0)
}
