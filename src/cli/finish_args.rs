//! Arguments for the finish of crops.

use clap::Args;

use recipe::{Adjust, FinishSpec, Shape};

use super::numbers::{parse_share, share_from};

/// Shape and adjustments of a crop. Without flags, the pixels are unchanged.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Finish")]
pub struct FinishArgs {
    /// Shape of the crop: rectangle, rounded (corners of 10 percent of the shorter side), rounded=PCT (0 to 50), or
    /// ellipse; the area outside is transparent, or has the fill colour in JPEG [default: rectangle]
    #[arg(long, value_name = "SHAPE", value_parser = parse_shape, allow_hyphen_values = true)]
    pub shape: Option<Shape>,

    /// Width of the soft edge, in percent of the shorter side, 0 to 25 [default: 0]
    #[arg(long, value_name = "PCT", value_parser = share_from(0, 25), allow_hyphen_values = true)]
    pub soft_edge: Option<f32>,

    /// Use the fill colour outside the shape even if the format supports transparency
    #[arg(long)]
    pub fill_outside: bool,

    /// Exposure in stops, -2 to 2; 1 doubles the light [default: 0]
    #[arg(long, value_name = "EV", value_parser = parse_exposure, allow_hyphen_values = true)]
    pub exposure: Option<f32>,

    /// Contrast in percent, -100 to 100 [default: 0]
    #[arg(long, value_name = "PCT", value_parser = share_from(-100, 100), allow_hyphen_values = true)]
    pub contrast: Option<f32>,

    /// Remove a colour cast
    #[arg(long)]
    pub white_balance: bool,

    /// Sharpen after resizing, in percent, 0 to 100 [default: 0]
    #[arg(long, value_name = "PCT", value_parser = share_from(0, 100), allow_hyphen_values = true)]
    pub sharpen: Option<f32>,
}

impl FinishArgs {
    /// The flags; missing ones change nothing.
    pub(super) fn spec(&self) -> FinishSpec {
        self.over(&FinishSpec::default())
    }

    /// The flags, with `base` for missing ones.
    pub(super) fn over(&self, base: &FinishSpec) -> FinishSpec {
        FinishSpec {
            shape: self.shape.unwrap_or(base.shape),
            fill_outside: self.fill_outside || base.fill_outside,
            soft_edge: self.soft_edge.unwrap_or(base.soft_edge),
            adjust: Adjust {
                exposure: self.exposure.unwrap_or(base.adjust.exposure),
                contrast: self.contrast.unwrap_or(base.adjust.contrast),
                white_balance: self.white_balance || base.adjust.white_balance,
                sharpen: self.sharpen.unwrap_or(base.adjust.sharpen),
            },
        }
    }

    /// A note about a flag that has no effect in combination with the others.
    pub(super) fn ignored(&self) -> Option<String> {
        let spec = self.spec();
        let idle = spec.fill_outside && spec.shape == Shape::Rectangle && spec.soft_edge == 0.0;
        idle.then(|| {
            "note: --fill-outside is ignored: without --shape or --soft-edge there is no area outside".to_owned()
        })
    }
}

/// Default radius of rounded corners, as a share of the shorter side.
const DEFAULT_RADIUS: f32 = 0.1;

fn parse_shape(text: &str) -> Result<Shape, String> {
    let wrong = || "write rectangle, rounded, rounded=PCT with 0 to 50, or ellipse".to_owned();
    match text.split_once('=') {
        None => match text {
            "rectangle" => Ok(Shape::Rectangle),
            "rounded" => Ok(Shape::Rounded { radius: DEFAULT_RADIUS }),
            "ellipse" => Ok(Shape::Ellipse),
            _ => Err(wrong()),
        },
        Some(("rounded", radius)) => {
            let radius = parse_share(radius.trim())?;
            if (0.0..=0.5).contains(&radius) { Ok(Shape::Rounded { radius }) } else { Err(wrong()) }
        }
        Some(_) => Err(wrong()),
    }
}

fn parse_exposure(text: &str) -> Result<f32, String> {
    let stops = text.parse().ok().filter(|stops| (-2.0..=2.0).contains(stops));
    stops.ok_or_else(|| "write stops from -2 to 2, for example 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Arguments, Command};

    fn args(extra: &str) -> Result<FinishArgs, clap::Error> {
        let given = ["iron-cropper", "crop", "photos", "-o", "out"].into_iter().chain(extra.split_whitespace());
        match Arguments::read(given)?.command {
            Some(Command::Crop(args)) => Ok(args.finish),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_flag_is_parsed() {
        let given = "--shape rounded=12.5 --soft-edge 5% --fill-outside --exposure -0.5 --contrast -20 \
                     --white-balance --sharpen 40";
        let expected = FinishSpec {
            shape: Shape::Rounded { radius: 0.125 },
            fill_outside: true,
            soft_edge: 0.05,
            adjust: Adjust { exposure: -0.5, contrast: -0.2, white_balance: true, sharpen: 0.4 },
        };
        assert_eq!(args(given).expect("valid").spec(), expected);
        assert_eq!(args("").expect("valid").spec(), FinishSpec::default());
        for (shape, expected) in [
            ("rectangle", Shape::Rectangle),
            ("ellipse", Shape::Ellipse),
            ("rounded", Shape::Rounded { radius: DEFAULT_RADIUS }),
        ] {
            assert_eq!(args(&format!("--shape {shape}")).expect("valid").spec().shape, expected);
        }
    }

    #[test]
    fn numbers_out_of_range_are_rejected_in_percent() {
        for (wrong, message) in [
            ("--shape circle", "ellipse"),
            ("--shape rounded=51", "0 to 50"),
            ("--shape ellipse=5", "rounded=PCT"),
            ("--soft-edge 26", "from 0 to 25"),
            ("--exposure 3", "-2 to 2"),
            ("--exposure nan", "-2 to 2"),
            ("--contrast -101", "from -100 to 100"),
            ("--sharpen -1", "from 0 to 100"),
        ] {
            let refused = args(wrong).expect_err("refused");
            assert!(refused.exit_code() == 2 && refused.to_string().contains(message), "{wrong}: {refused}");
        }
    }

    #[test]
    fn a_fill_colour_without_effect_is_reported() {
        let notes = |given| args(given).expect("valid").ignored().is_some();
        assert!(notes("--fill-outside"));
        assert!(!notes("--fill-outside --shape ellipse") && !notes("--fill-outside --soft-edge 3") && !notes(""));
    }
}
