//! `iron-cropper crop`.

use super::args::CropArgs;
use super::batch::{self, Batch};
use super::{Exit, print};
use crate::encode::OutputSpec;
use crate::geometry::Size;
use crate::pipeline::Depth;
use crate::plan::{CropSpec, FinishSpec};

/// Crops and writes, or only plans.
pub(super) fn run(args: &CropArgs, verbose: u8) -> anyhow::Result<Exit> {
    args.encode.passed_over().iter().for_each(|note| print::note(note));
    batch::run(Batch {
        input: &args.input,
        crop: crop_spec(args)?,
        finish: FinishSpec::default(),
        sheet: None,
        encode: args.encode.spec(),
        include_damaged: args.include_damaged,
        output: OutputSpec { folder: args.output.clone(), on_conflict: args.on_conflict.unwrap_or_default() },
        depth: if args.dry_run { Depth::Plan } else { Depth::Write },
        verbose,
    })
}

/// Defaults, then the preset, then the flags.
fn crop_spec(args: &CropArgs) -> anyhow::Result<CropSpec> {
    let mut spec = CropSpec::default();
    if let Some(preset) = args.preset {
        preset.apply_to(&mut spec);
    }
    spec.output = output_size(args.width, args.height, spec.output);
    spec.head_height = args.head_height.unwrap_or(spec.head_height);
    spec.position = args.position.unwrap_or(spec.position);
    spec.edge = args.edge.unwrap_or(spec.edge);
    spec.fill = args.fill.unwrap_or(spec.fill);
    spec.select = args.select.unwrap_or(spec.select);
    spec.min_score = args.input.min_score.unwrap_or(spec.min_score);
    spec.check()?;
    Ok(spec)
}

/// The size asked for; of one side alone the other follows by the shape of `usual`.
fn output_size(width: Option<u32>, height: Option<u32>, usual: Size) -> Size {
    let scaled = |side: u32, from: u32, to: u32| {
        let (side, from, to) = (u64::from(side), u64::from(from), u64::from(to));
        u32::try_from((side * to + from / 2) / from.max(1)).unwrap_or(u32::MAX)
    };
    match (width, height) {
        (None, None) => usual,
        (Some(width), Some(height)) => Size::new(width, height),
        (Some(width), None) => Size::new(width, scaled(width, usual.width, usual.height)),
        (None, Some(height)) => Size::new(scaled(height, usual.height, usual.width), height),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Arguments, Command};
    use crate::plan::{Position, find_preset};

    fn spec(extra: &[&str]) -> anyhow::Result<CropSpec> {
        let given = ["iron-cropper", "crop", "photos", "-o", "out"].iter().chain(extra);
        match Arguments::read(given)?.command {
            Some(Command::Crop(args)) => crop_spec(&args),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn flags_win_over_the_preset_and_the_preset_over_the_defaults() {
        let avatar = find_preset("avatar").expect("there").spec();
        assert_eq!(spec(&[]).expect("sound"), CropSpec::default());
        assert_eq!(spec(&["--preset", "avatar"]).expect("sound"), avatar);
        let expected = CropSpec { position: Position::Middle, head_height: 0.3, ..avatar };
        let given = ["--position", "middle", "--preset", "avatar", "--head-height", "30"];
        assert_eq!(spec(&given).expect("sound"), expected);
    }

    #[test]
    fn one_side_alone_keeps_the_shape() {
        for (flags, size) in [
            (&["--width", "400"][..], Size::new(400, 500)),
            (&["--height", "500"], Size::new(400, 500)),
            (&["--width", "400", "--height", "300"], Size::new(400, 300)),
            (&["--preset", "document-35x45", "--height", "1062"], Size::new(826, 1062)),
        ] {
            assert_eq!(spec(flags).expect("sound").output, size, "{flags:?}");
        }
    }

    #[test]
    fn numbers_outside_their_range_are_refused_in_words() {
        for (flags, words) in [
            // One side follows from the other, and may come out too long.
            (&["--width", "9000"][..], "side outside 1 to 10000"),
            (&["--head-height", "4"], "head height of 4 % is outside 5 to 100 %"),
            (&["--head-height", "nan"], "outside 5 to 100 %"),
            (&["--min-score", "1.5"], "least score of 1.5 is outside 0 to 1"),
        ] {
            let refused = spec(flags).expect_err("refused").to_string();
            assert!(refused.contains(words), "{flags:?}: {refused}");
        }
    }
}
