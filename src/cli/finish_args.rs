//! Arguments for the finish of crops.

use clap::Args;

use recipe::{Adjust, Background, Color, EncodeSpec, FinishSpec, Shape};

use super::numbers::{parse_share, share_from};
use crate::background_colors::{BLUE, LIGHT_GREY};

/// Shape, background and adjustments of a crop. Without flags, the pixels are unchanged.
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

    /// What is behind the person: keep, white, light-grey, blue, a colour as #RRGGBB, or transparent, which has the
    /// fill colour in JPEG [default: keep]
    #[arg(long, value_name = "BACKGROUND", value_parser = parse_background, allow_hyphen_values = true)]
    pub background: Option<Background>,

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
            background: self.background.unwrap_or(base.background),
        }
    }

    /// Notes about flags without effect, and about a background that the format cannot store. `spec` and `encode` are
    /// the resolved settings.
    pub(super) fn notes(&self, spec: &FinishSpec, encode: &EncodeSpec) -> Vec<String> {
        let given = self.spec();
        let idle = given.fill_outside && given.shape == Shape::Rectangle && given.soft_edge == 0.0;
        let opaque = spec.background == Background::Transparent && !encode.format.has_alpha();
        let idle = idle.then(|| {
            "note: --fill-outside is ignored: without --shape or --soft-edge there is no area outside".to_owned()
        });
        let opaque = opaque.then(|| {
            format!(
                "note: {} stores no transparency, so the background has the fill colour; choose --format png, webp, avif or tiff",
                encode.format.name()
            )
        });
        idle.into_iter().chain(opaque).collect()
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

fn parse_background(text: &str) -> Result<Background, String> {
    let color = match text {
        "keep" => return Ok(Background::Keep),
        "transparent" => return Ok(Background::Transparent),
        "white" => Color::WHITE,
        "light-grey" => LIGHT_GREY,
        "blue" => BLUE,
        _ => text.parse().map_err(|_| {
            "write keep, white, light-grey, blue, transparent, or a colour as #RRGGBB, for example #FFFFFF".to_owned()
        })?,
    };
    Ok(Background::Plain { color })
}

fn parse_exposure(text: &str) -> Result<f32, String> {
    let stops = text.parse().ok().filter(|stops| (-2.0..=2.0).contains(stops));
    stops.ok_or_else(|| "write stops from -2 to 2, for example 0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use recipe::OutputFormat;

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
        let given = "--shape rounded=12.5 --soft-edge 5% --fill-outside --background white --exposure -0.5 \
                     --contrast -20 --white-balance --sharpen 40";
        let expected = FinishSpec {
            shape: Shape::Rounded { radius: 0.125 },
            fill_outside: true,
            soft_edge: 0.05,
            adjust: Adjust { exposure: -0.5, contrast: -0.2, white_balance: true, sharpen: 0.4 },
            background: Background::Plain { color: Color::WHITE },
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
    fn backgrounds_are_parsed_and_override_those_of_a_project() {
        let plain = |rgb| Background::Plain { color: Color { rgb } };
        let base = FinishSpec { background: plain([1, 2, 3]), ..FinishSpec::default() };
        let over = |given: &str| args(given).expect("valid").over(&base).background;
        for (given, expected) in [
            ("keep", Background::Keep),
            ("white", plain([255; 3])),
            ("light-grey", plain([217; 3])),
            ("blue", plain([98, 139, 206])),
            ("#0A10ff", plain([10, 16, 255])),
            ("transparent", Background::Transparent),
        ] {
            assert_eq!(over(&format!("--background {given}")), expected, "{given}");
        }
        assert_eq!(over(""), base.background);
    }

    #[test]
    fn numbers_out_of_range_are_rejected_in_percent() {
        for (wrong, message) in [
            ("--shape circle", "ellipse"),
            ("--shape rounded=51", "0 to 50"),
            ("--shape ellipse=5", "rounded=PCT"),
            ("--soft-edge 26", "from 0 to 25"),
            ("--background red", "light-grey, blue, transparent, or a colour as #RRGGBB"),
            ("--background #FFF", "a colour as #RRGGBB"),
            ("--background -", "write keep, white"),
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
        let notes = |given| {
            let args = args(given).expect("valid");
            !args.notes(&args.spec(), &EncodeSpec::default()).is_empty()
        };
        assert!(notes("--fill-outside"));
        assert!(!notes("--fill-outside --shape ellipse") && !notes("--fill-outside --soft-edge 3") && !notes(""));
    }

    #[test]
    fn formats_without_transparency_are_reported_for_a_transparent_background() {
        let notes = |background, format| {
            let finish = FinishSpec { background, ..FinishSpec::default() };
            FinishArgs::default().notes(&finish, &EncodeSpec { format, ..EncodeSpec::default() })
        };
        let found = notes(Background::Transparent, OutputFormat::Jpeg);
        assert!(found.len() == 1 && found[0].starts_with("note: JPEG stores no transparency"), "{found:?}");
        for format in OutputFormat::ALL.into_iter().filter(|format| *format != OutputFormat::Jpeg) {
            assert_eq!(notes(Background::Transparent, format), [""; 0]);
        }
        assert_eq!(notes(Background::Plain { color: Color::WHITE }, OutputFormat::Jpeg), [""; 0]);
    }
}
