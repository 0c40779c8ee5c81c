//! The arguments, as data.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand};

use super::encode_args::{EncodeArgs, LimitArgs};
use super::runtime_args::{CompareArgs, MeasureArgs, ModelArgs, RuntimeArgs, RuntimesArgs, SessionArgs};
use crate::encode::OnConflict;
use crate::latency::MEASURE_SUBCOMMAND;
use crate::plan::{Color, CropSpec, EdgePolicy, Position, Preset, Select, built_in_presets, find_preset};

const EXIT_CODES: &str = "Exit codes: 0 every input succeeded or was skipped, 1 some input failed, was damaged or had no face, \
                          2 could not run or bad arguments.";

/// Everything on the command line.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "iron-cropper",
    version,
    about = "Turns folders of photos into well-framed face crops",
    long_about = "Turns folders of photos into well-framed face crops.\n\n\
                  Without a subcommand the window opens. A photo or folder called like a subcommand is written ./crop.",
    override_usage = "iron-cropper [OPTIONS] [PATH]...\n       iron-cropper <COMMAND> ...",
    after_help = EXIT_CODES
)]
pub struct Arguments {
    /// Photos and folders to open in the window
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The runtime the window starts with.
    #[command(flatten)]
    pub runtime: RuntimeArgs,

    /// How the window's runtime is opened, in this run.
    #[command(flatten)]
    pub session: SessionArgs,

    /// What to do instead of opening the window.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Tell on standard error what is done; twice for details
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub verbose: u8,

    /// Write what takes how long to this new file, in Chrome's trace format (for ui.perfetto.dev)
    #[arg(long, value_name = "FILE", global = true)]
    pub trace: Option<PathBuf>,
}

/// What to do instead of opening the window.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Crop the faces of photos and write them to a folder
    ///
    /// Starts from built-in defaults and the preset, never from the settings of the window, so that a script gives the
    /// same crops for everybody. Photos are never changed.
    #[command(after_help = EXIT_CODES)]
    Crop(Box<CropArgs>),

    /// Report the faces of photos; writes nothing
    #[command(after_help = EXIT_CODES)]
    Detect(DetectArgs),

    /// List the presets
    Presets(PresetsArgs),

    /// List every inference runtime: whether it works here, why not, and how long it takes
    ///
    /// Each is tried in a process of its own; what was found is kept until program, model, library or machine change.
    Runtimes(RuntimesArgs),

    /// Time runtimes side by side on photos
    ///
    /// Runs are interleaved. Times are whole looks (fit, run, heads) in milliseconds; cold load and first run are those of
    /// a fresh process.
    #[command(after_help = EXIT_CODES)]
    Compare(Box<CompareArgs>),

    /// Sum up a model file, and say which runtimes load it
    Model(ModelArgs),

    /// What a child process runs.
    #[command(name = MEASURE_SUBCOMMAND, hide = true)]
    Measure(Box<MeasureArgs>),
}

/// Which photos, and how the result is told.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// Photos and folders; folders are walked to the bottom, hidden files left out
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Print JSON lines, one object an input, and nothing else
    #[arg(long)]
    pub json: bool,

    /// Least score, 0 to 1, of what counts as a face [default: 0.6]
    #[arg(long, value_name = "X", value_parser = parse_score, allow_negative_numbers = true)]
    pub min_score: Option<f32>,

    /// The runtime.
    #[command(flatten)]
    pub runtime: RuntimeArgs,

    /// How its session is opened.
    #[command(flatten)]
    pub session: SessionArgs,

    /// How large photos may be.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Arguments of `crop`.
#[derive(Clone, Debug, Args)]
pub struct CropArgs {
    /// Folder the crops are written to; made if missing
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Size and framing to start from; the other flags change it [default: headshot]
    #[arg(long, value_name = "NAME", value_parser = preset_parser())]
    pub preset: Option<&'static Preset>,

    /// Width of the crop in pixels; without --height the preset's shape is kept
    #[arg(long, value_name = "N", value_parser = parse_side, allow_negative_numbers = true)]
    pub width: Option<u32>,

    /// Height of the crop in pixels; without --width the preset's shape is kept
    #[arg(long, value_name = "N", value_parser = parse_side, allow_negative_numbers = true)]
    pub height: Option<u32>,

    /// Height of the head, chin to crown, in percent of the crop's height, 5 to 100
    #[arg(long, value_name = "PCT", value_parser = parse_share, allow_hyphen_values = true)]
    pub head_height: Option<f32>,

    /// Where the head stands: middle, eye-line=PCT (of the crop's height, from its bottom edge), or headroom=PCT (between
    /// the top edge and the crown)
    #[arg(long, value_name = "WHERE", value_parser = parse_position, allow_hyphen_values = true)]
    pub position: Option<Position>,

    /// What happens where the crop would reach past the picture: a smaller frame, or padding [default: shrink]
    #[arg(long, value_parser = one_of(&[
        ("shrink", EdgePolicy::Shrink), ("pad", EdgePolicy::Pad), ("extend", EdgePolicy::Extend),
        ("blur", EdgePolicy::Blur),
    ]))]
    pub edge: Option<EdgePolicy>,

    /// Colour of padding, and of what lies under transparent pixels in JPEG [default: white, #FFFFFF]
    #[arg(long, value_name = "#RRGGBB")]
    pub fill: Option<Color>,

    /// Which faces of a photo are cropped [default: largest]
    #[arg(long, value_parser = one_of(&[
        ("largest", Select::Largest), ("best", Select::Best), ("central", Select::Central), ("all", Select::All),
    ]))]
    pub select: Option<Select>,

    /// What happens where a file is there already; no policy ever replaces a photo [default: suffix]
    #[arg(long, value_parser = one_of(&[
        ("suffix", OnConflict::Suffix), ("skip", OnConflict::Skip), ("overwrite", OnConflict::Overwrite),
        ("fail", OnConflict::Fail),
    ]))]
    pub on_conflict: Option<OnConflict>,

    /// Crop damaged photos too, though a part of them is missing
    #[arg(long)]
    pub include_damaged: bool,

    /// Find faces and plan the crops, but write nothing
    #[arg(long)]
    pub dry_run: bool,

    /// What a crop's file is like.
    #[command(flatten)]
    pub encode: EncodeArgs,

    /// Which photos, and how the result is told.
    #[command(flatten)]
    pub input: InputArgs,
}

/// Arguments of `detect`.
#[derive(Clone, Debug, Args)]
pub struct DetectArgs {
    /// Which photos, and how the result is told.
    #[command(flatten)]
    pub input: InputArgs,
}

/// Arguments of `presets`.
#[derive(Clone, Copy, Debug, Args)]
pub struct PresetsArgs {
    /// Print JSON lines, one object a preset
    #[arg(long)]
    pub json: bool,
}

impl Arguments {
    /// Reads what was given, the program's own name first.
    ///
    /// # Errors
    /// It makes no sense, or only help was asked for.
    pub fn read(given: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Self, clap::Error> {
        let arguments = Self::try_parse_from(given)?;
        let for_the_window = (&arguments.runtime, &arguments.session);
        if arguments.command.is_some() && for_the_window != (&RuntimeArgs::default(), &SessionArgs::default()) {
            let words = "flags about runtime and model stand behind the subcommand";
            return Err(Self::command().error(ErrorKind::ArgumentConflict, words));
        }
        Ok(arguments)
    }
}

fn preset_parser() -> impl TypedValueParser<Value = &'static Preset> {
    PossibleValuesParser::new(built_in_presets().iter().map(|preset| preset.id.as_str()))
        .try_map(|id| find_preset(&id).ok_or("there is no such preset"))
}

/// A parser of one of a few words.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    words: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words.iter().map(|(word, _)| *word)).try_map(move |given| {
        words.iter().find(|(word, _)| *word == given).map(|(_, value)| *value).ok_or("there is no such choice")
    })
}

/// A side of the crop in pixels.
fn parse_side(text: &str) -> Result<u32, String> {
    let side = text.parse().ok().filter(|side| (1..=CropSpec::MAX_SIDE).contains(side));
    side.ok_or_else(|| format!("a side is a whole number of pixels from 1 to {}", CropSpec::MAX_SIDE))
}

/// A score; its range is checked with the rest of the spec.
fn parse_score(text: &str) -> Result<f32, String> {
    text.parse().map_err(|_| format!("'{text}' is not a score; write a number from 0 to 1, for example 0.6"))
}

/// `40` or `40%` as 0.4.
fn parse_share(text: &str) -> Result<f32, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim();
    let percent: f32 = number.parse().map_err(|_| format!("'{text}' is not a percentage; write it as 40"))?;
    Ok(percent / 100.0)
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
mod tests {
    use super::*;

    fn crop(extra: &[&str]) -> Result<CropArgs, clap::Error> {
        let given = ["iron-cropper", "crop", "photos", "-o", "out"].iter().chain(extra);
        match Arguments::read(given)?.command {
            Some(Command::Crop(args)) => Ok(*args),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn paths_alone_are_for_the_window() {
        let arguments = Arguments::read(["iron-cropper", "a.jpg", "-v", "--runtime", "tract", "b c"]).expect("sound");
        assert_eq!(arguments.paths, [PathBuf::from("a.jpg"), PathBuf::from("b c")]);
        assert!(arguments.command.is_none() && arguments.verbose == 1 && arguments.runtime.runtime.is_some());
    }

    #[test]
    fn verbose_may_stand_on_either_side_of_the_subcommand() {
        for given in [["iron-cropper", "-v", "presets"], ["iron-cropper", "presets", "-v"]] {
            let arguments = Arguments::read(given).expect("sound");
            assert!(matches!(arguments.command, Some(Command::Presets(_))), "{given:?}");
            assert_eq!(arguments.verbose, 1);
        }
    }

    #[test]
    fn flags_of_the_window_are_not_dropped_in_silence_before_a_subcommand() {
        for wrong in [
            &["--runtime", "tract", "presets"][..],
            &["--model", "m", "detect", "a.jpg"],
            &["--threads", "2", "presets"],
        ] {
            let refused = Arguments::read(["iron-cropper"].iter().chain(wrong)).expect_err("refused");
            assert_eq!(refused.exit_code(), 2, "{wrong:?}");
        }
    }

    #[test]
    fn a_photo_may_be_called_like_a_subcommand_or_a_flag() {
        for given in [&["./crop", "--", "-v"][..], &["--", "crop", "-v"], &["a.jpg", "crop"]] {
            let arguments = Arguments::read(["iron-cropper"].iter().chain(given)).expect("sound");
            assert!(arguments.command.is_none() && arguments.paths.len() == 2 && arguments.verbose == 0, "{given:?}");
        }
    }

    #[test]
    fn each_flag_of_crop_is_understood() {
        let args = crop(&[
            "--preset",
            "avatar",
            "--width",
            "300",
            "--head-height",
            "37.5%",
            "--position",
            "headroom=10",
            "--edge",
            "pad",
            "--fill",
            "#102030",
            "--select",
            "all",
            "--format",
            "webp",
            "--quality",
            "1",
            "--on-conflict",
            "fail",
            "--runtime",
            "rten",
            "--model",
            "m.onnx",
            "--threads",
            "2",
            "--optimization",
            "basic",
            "--device",
            "1",
            "--onnxruntime",
            "lib",
            "--min-score",
            "0.25",
            "--dry-run",
            "--json",
        ])
        .expect("sound");
        assert_eq!(args.preset.map(|preset| preset.id.as_str()), Some("avatar"));
        assert_eq!((args.width, args.height, args.head_height), (Some(300), None, Some(0.375)));
        assert_eq!(args.position, Some(Position::Headroom { share: 0.1 }));
        assert_eq!((args.edge, args.select), (Some(EdgePolicy::Pad), Some(Select::All)));
        assert_eq!(args.fill, Some(Color { rgb: [16, 32, 48] }));
        assert_eq!(args.encode.quality, Some(1));
        assert_eq!(args.on_conflict, Some(OnConflict::Fail));
        assert_eq!(args.input.min_score, Some(0.25));
        let options = args.input.session.options();
        assert_eq!((options.threads, options.device, options.library), (2, 1, Some("lib".into())));
        assert!(args.dry_run && args.input.json);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for wrong in [
            &["--quality", "0"][..],
            &["--quality", "101"],
            &["--quality", "300"],
            &["--preset", "passport-of-mars"],
            &["--position", "left"],
            &["--position", "eye-line=high"],
            &["--fill", "white"],
            &["--select", "first"],
            &["--format", "gif"],
            &["--on-conflict", "ask"],
            &["--runtime", "gpu"],
            &["--optimization", "some"],
            &["--threads", "-1"],
            &["--width", "-1"],
            &["--width", "0"],
            &["--height", "10001"],
            &["--min-score", "0,6"],
            &["--head-height", "tall"],
            &["--unknown"],
        ] {
            let refused = crop(wrong).expect_err("refused");
            assert_eq!(refused.exit_code(), 2, "{wrong:?}");
        }
        for wrong in [&["crop", "-o", "out"][..], &["crop", "photos"], &["detect"]] {
            let given = ["iron-cropper"].iter().chain(wrong);
            assert!(Arguments::read(given).is_err(), "{wrong:?}");
        }
    }
}
