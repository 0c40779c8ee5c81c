//! The arguments, as data.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand};

use batch::latency::MEASURE_SUBCOMMAND;

use super::completions_args::CompletionsArgs;
use super::crop_args::{CropArgs, DetectArgs};
use super::doctor::DoctorArgs;
use super::man_args::ManArgs;
use super::preset_arg::{PresetArg, PresetParser};
use super::run_args::ReportArgs;
use super::runtime_args::{CompareArgs, MeasureArgs, ModelArgs, RuntimeArgs, RuntimesArgs, SessionArgs};
use super::watch_args::WatchArgs;

const EXIT_CODES: &str = "Exit codes: 0 every input succeeded or was skipped, 1 some input failed, was damaged or had no face, \
                          2 could not run or bad arguments. That a photo needs a look changes none of them.";

const CROP_EXAMPLES: &str = "Examples:
  iron-cropper crop school -o out --expect 1 --select largest
  iron-cropper crop group.jpg -o out --select all --thoroughness thorough
  iron-cropper crop anna.jpg -o out --preset us-passport --sheet 4x6
  iron-cropper crop school -o out --names pupils.xlsx --name '{column:class}/{name}'
  find school -newer last-run -print0 | iron-cropper crop --files-from - -o out
  iron-cropper crop - -o - --format png < anna.jpg > crop.png
";

const WATCH_EXAMPLES: &str = "Examples:
  iron-cropper watch scans -o crops --select largest
  iron-cropper watch /mnt/studio -o crops --every 10 --settle 5 --json >> crops.jsonl
";

const COMPLETIONS_EXAMPLES: &str = "Examples:
  iron-cropper completions bash > ~/.local/share/bash-completion/completions/iron-cropper
  iron-cropper completions zsh > ~/.zfunc/_iron-cropper        (with ~/.zfunc in fpath)
  iron-cropper completions fish > ~/.config/fish/completions/iron-cropper.fish
  iron-cropper completions powershell >> $PROFILE
";

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
    /// A project (FILE.ironcrop) in place of photos is cropped as it was decided in the window, with its settings; flags
    /// change those of the list, not what was decided about single photos.
    ///
    /// Starts from built-in defaults and the preset, never from the settings of the window, so that a script gives the
    /// same crops for everybody. Photos are never changed.
    #[command(after_help = format!("{CROP_EXAMPLES}\n{EXIT_CODES}"))]
    Crop(Box<CropArgs>),

    /// Crop the photos that are in folders, and those that come into them, until it is ended with Ctrl-C
    ///
    /// Takes the options of crop. A journal in the output folder says what is done, so that the next start goes on where the
    /// last one ended, also after a power cut. Subfolders are watched too; the output folder is not, where it is one of them.
    #[command(after_help = format!("{WATCH_EXAMPLES}\n{EXIT_CODES}"))]
    Watch(Box<WatchArgs>),

    /// Report the faces of photos; writes nothing
    #[command(after_help = EXIT_CODES)]
    Detect(DetectArgs),

    /// List the presets, or print one as a file to edit
    Presets(PresetsArgs),

    /// Report on runs from their journals; those of several machines are put together
    #[command(after_help = EXIT_CODES)]
    Report(ReportArgs),

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

    /// Tell what those who help need to know of this program and machine, without anything about you or your photos
    ///
    /// Versions, processor and memory, every runtime with its state and the reason, where ONNX Runtime's library was looked
    /// for, the display, the program's folders and whether they can be written, settings that differ from the defaults, and the
    /// last errors of the window's log. At the end a small built-in picture is cropped. The home folder is written ~.
    #[command(after_help = "Exit codes: 0 the built-in picture was cropped with one of the runtimes, 1 it was not, \
                            2 could not run or bad arguments.")]
    Doctor(DoctorArgs),

    /// Sum up a model file, and say which runtimes load it
    Model(ModelArgs),

    /// Print a script that completes the arguments in a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArgs),

    /// Print the manual's page, or write the pages of all subcommands
    Man(ManArgs),

    /// What a child process runs.
    #[command(name = MEASURE_SUBCOMMAND, hide = true)]
    Measure(Box<MeasureArgs>),
}

/// Arguments of `presets`.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct PresetsArgs {
    /// Print JSON lines, one object a preset
    #[arg(long)]
    pub json: bool,

    /// What to do instead of listing.
    #[command(subcommand)]
    pub command: Option<PresetsCommand>,
}

/// What to do with presets instead of listing them.
#[derive(Clone, Debug, Subcommand)]
pub enum PresetsCommand {
    /// Print a preset as TOML: a file to edit and to name with --preset
    Show {
        /// The preset
        #[arg(value_name = "NAME|FILE.toml", value_parser = PresetParser)]
        preset: PresetArg,
    },
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

#[cfg(test)]
mod tests {
    use recipe::{Select, Thoroughness, find_preset};

    use super::*;
    use recipe::OnConflict;

    fn crop(extra: &str) -> Result<CropArgs, clap::Error> {
        let given = ["iron-cropper", "crop", "photos", "-o", "out"].into_iter().chain(extra.split_whitespace());
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
    fn the_flags_of_crop_are_understood_together() {
        let args = crop(
            "--preset avatar --width 300 --select all --format webp --quality 1 --on-conflict fail --runtime rten \
             --model m.onnx --threads 2 --optimization basic --device 1 --onnxruntime lib --min-score 0.25 --min-size 40 \
             --thoroughness fast --expect 1..3 --sheet a4 --dry-run --json",
        )
        .expect("sound");
        assert_eq!(args.preset, find_preset("avatar").map(PresetArg::BuiltIn));
        assert_eq!((args.framing.width, args.framing.height), (Some(300), None));
        assert_eq!(args.select.select, Some(Select::All));
        assert_eq!(args.encode.quality, Some(1));
        assert_eq!(args.on_conflict, Some(OnConflict::Fail));
        let find = args.input.find;
        assert_eq!(
            (find.min_score, find.min_size, find.thoroughness),
            (Some(0.25), Some(40), Some(Thoroughness::Fast))
        );
        let options = args.input.session.options();
        assert_eq!((options.threads, options.device, options.library), (2, 1, Some("lib".into())));
        assert!(args.dry_run && args.input.json && args.sheet.sheet.is_some());
    }

    #[test]
    fn the_help_of_crop_is_in_groups() {
        let help = Arguments::read(["iron-cropper", "crop", "--help"]).expect_err("help").to_string();
        let headings = [
            "Options:",
            "Names:",
            "Framing:",
            "Which faces:",
            "Finish:",
            "Print sheet:",
            "Files written:",
            "Many photos:",
            "Runtime:",
            "Limits:",
        ];
        let at: Vec<Option<usize>> = headings.iter().map(|heading| help.find(&format!("\n{heading}\n"))).collect();
        assert!(at.iter().all(Option::is_some) && at.is_sorted(), "{at:?}\n{help}");
        for heading in headings {
            assert_eq!(help.matches(&format!("\n{heading}\n")).count(), 1, "{heading}");
        }
    }

    #[test]
    fn presets_are_listed_or_one_is_shown() {
        let presets = |given: &[&str]| match Arguments::read(["iron-cropper", "presets"].iter().chain(given))?.command {
            Some(Command::Presets(args)) => Ok::<_, clap::Error>(args),
            other => panic!("{other:?}"),
        };
        assert!(presets(&["--json"]).expect("sound").json);
        let Some(PresetsCommand::Show { preset }) = presets(&["show", "avatar"]).expect("sound").command else {
            panic!()
        };
        assert_eq!(preset.to_string(), "avatar");
        for wrong in [&["show"][..], &["show", "avatars"], &["--json", "show", "avatar"], &["hide"]] {
            assert_eq!(presets(wrong).expect_err("refused").exit_code(), 2, "{wrong:?}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for wrong in [
            "--quality 0",
            "--quality 101",
            "--quality 300",
            "--preset passport-of-mars",
            "--fill white",
            "--select first",
            "--format gif",
            "--on-conflict ask",
            "--runtime gpu",
            "--optimization some",
            "--threads -1",
            "--min-score 0,6",
            "--min-size -1",
            "--expect some",
            "--thoroughness most",
            "--unknown",
        ] {
            let refused = crop(wrong).expect_err("refused");
            assert_eq!(refused.exit_code(), 2, "{wrong}");
        }
        for wrong in [&["crop", "-o", "out"][..], &["detect"]] {
            let given = ["iron-cropper"].iter().chain(wrong);
            assert!(Arguments::read(given).is_err(), "{wrong:?}");
        }
    }
}
