//! `iron-cropper presets`.

use super::args::PresetsArgs;
use super::{Exit, json, print};
use crate::plan::{Position, Preset, built_in_presets};

/// Lists the presets.
pub(super) fn run(args: &PresetsArgs) -> anyhow::Result<Exit> {
    for preset in built_in_presets() {
        let line = if args.json { json::preset_line(preset)? } else { in_words(preset) };
        if print::line(&line)?.is_closed() {
            break;
        }
    }
    Ok(Exit::Done)
}

fn in_words(preset: &Preset) -> String {
    let position = match preset.position {
        Position::Middle => "head in the middle".to_owned(),
        Position::EyeLine { from_bottom } => format!("eye line {:.0} % up", from_bottom * 100.0),
        Position::Headroom { share } => format!("headroom {:.0} %", share * 100.0),
    };
    let Preset { id, name, about, head_height, .. } = preset;
    let output = preset.size.in_pixels();
    format!("{id}\n    {name}: {output} pixels, head height {:.0} %, {position}\n    {about}", head_height * 100.0)
}
