//! `iron-cropper presets`.

use super::args::PresetsArgs;
use super::{Exit, json, print};
use crate::plan::{PRESETS, Position, Preset};

/// Lists the presets.
pub(super) fn run(args: &PresetsArgs) -> anyhow::Result<Exit> {
    for preset in PRESETS {
        let line = if args.json { json::preset_line(preset)? } else { in_words(preset) };
        if print::line(&line)?.is_closed() {
            break;
        }
    }
    Ok(Exit::Done)
}

fn in_words(preset: &Preset) -> String {
    let position = match preset.position {
        Position::Center => "face in the middle".to_owned(),
        Position::UpperThird => "eyes on the upper third".to_owned(),
        Position::Offset { right, down } => {
            let aside = [(right, "right of"), (-right, "left of"), (down, "below"), (-down, "above")];
            let aside = aside.iter().filter(|(share, _)| *share > 0.0);
            let aside: Vec<String> = aside.map(|(share, side)| format!("{:.0} % {side}", share * 100.0)).collect();
            format!("face {} the middle", aside.join(" and "))
        }
    };
    let Preset { id, name, about, output, face_height, .. } = preset;
    format!("{id}\n    {name}: {output} pixels, face height {:.0} %, {position}\n    {about}", face_height * 100.0)
}
