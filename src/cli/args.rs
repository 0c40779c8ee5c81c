//! The arguments of the program and its subcommands.

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
                          2 could not run or bad arguments. Photos to review do not change the exit code.";

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
                  Without a subcommand the window opens. If a path has the same name as a subcommand, write ./crop.",
    override_usage = "iron-cropper [OPTIONS] [PATH]...\n       iron-cropper <COMMAND> ...",
    after_help = EXIT_CODES
)]
pub struct Arguments {
    /// Photos and folders to open in the window
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub runtime: RuntimeArgs,

    #[command(flatten)]
    pub session: SessionArgs,

    /// `None` opens the window.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Log progress to standard error; twice for details
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub verbose: u8,

    /// Write a trace of the run to this new file, in Chrome's trace format (for ui.perfetto.dev)
    #[arg(long, value_name = "FILE", global = true)]
    pub trace: Option<PathBuf>,
}

/// The subcommands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Crop the faces of photos and write them to a folder
    ///
    /// If a project (FILE.ironcrop) is given instead of photos, it is cropped with its settings and with every edit made
    /// in the window; options change the shared settings, not the edits to single photos.
    ///
    /// Starts from built-in defaults and the preset, never from the settings of the window, so a script produces
    /// the same crops for everyone. Photos are never changed.
    #[command(after_help = format!("{CROP_EXAMPLES}\n{EXIT_CODES}"))]
    Crop(Box<CropArgs>),

    /// Crop the photos in folders and every photo added to them, until stopped with Ctrl-C
    ///
    /// Takes the options of crop. A journal in the output folder records what is done, so the next start continues where
    /// the last one ended, even after a power cut. Subfolders are watched too, except the output folder.
    #[command(after_help = format!("{WATCH_EXAMPLES}\n{EXIT_CODES}"))]
    Watch(Box<WatchArgs>),

    /// Detect the faces of photos and report them; writes nothing
    #[command(after_help = EXIT_CODES)]
    Detect(DetectArgs),

    /// List the presets, or print one as a preset file to edit
    Presets(PresetsArgs),

    /// Report on runs from their journals; journals of several machines are merged
    #[command(after_help = EXIT_CODES)]
    Report(ReportArgs),

    /// List every inference runtime: whether it works on this machine, why not, and how fast it is
    ///
    /// Each is tested in a separate process; the results are cached until program, model, library or machine change.
    Runtimes(RuntimesArgs),

    /// Time runtimes side by side on photos
    ///
    /// The runtimes take turns. They are ordered by the time of a photo, from its file to its encoded crops, which are not
    /// written. Cold start and memory are measured in a new process.
    #[command(after_help = EXIT_CODES)]
    Compare(Box<CompareArgs>),

    /// Print diagnostics for a bug report, without anything about you or your photos
    ///
    /// Versions, processor and memory, every runtime with its state and the reason, where the ONNX Runtime library was
    /// searched for, the display, the program's folders and whether they can be written, settings that differ from the
    /// defaults, and the last errors in the window's log. Finally, a small built-in image is cropped. The home folder is
    /// shown as ~.
    #[command(after_help = "Exit codes: 0 the built-in image was cropped with one of the runtimes, 1 it was not, \
                            2 could not run or bad arguments.")]
    Doctor(DoctorArgs),

    /// Summarise a model file and report which runtimes load it
    Model(ModelArgs),

    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(CompletionsArgs),

    /// Print the man page, or write the man pages of all subcommands
    Man(ManArgs),

    /// Measures a runtime; runs in a child process.
    #[command(name = MEASURE_SUBCOMMAND, hide = true)]
    Measure(Box<MeasureArgs>),
}

/// Arguments of `presets`.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct PresetsArgs {
    /// Print JSON lines, one object per preset
    #[arg(long)]
    pub json: bool,

    /// `None` lists the presets.
    #[command(subcommand)]
    pub command: Option<PresetsCommand>,
}

/// Subcommands of `presets`.
#[derive(Clone, Debug, Subcommand)]
pub enum PresetsCommand {
    /// Print a preset as TOML: a file to edit and to use with --preset
    Show {
        /// The preset
        #[arg(value_name = "NAME|FILE.toml", value_parser = PresetParser)]
        preset: PresetArg,
    },
}

impl Arguments {
    /// Parses arguments, the program's name first.
    ///
    /// # Errors
    /// They are invalid, or help was requested.
    pub fn read(given: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Self, clap::Error> {
        let arguments = Self::try_parse_from(given)?;
        let for_the_window = (&arguments.runtime, &arguments.session);
        if arguments.command.is_some() && for_the_window != (&RuntimeArgs::default(), &SessionArgs::default()) {
            let message = "put options for runtime and model after the subcommand";
            return Err(Self::command().error(ErrorKind::ArgumentConflict, message));
        }
        Ok(arguments)
    }
}

#[cfg(test)]
mod tests {
    use recipe::{DeviceChoice, Select, Thoroughness, find_preset};

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
    fn the_clap_definition_is_valid() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn paths_without_a_subcommand_open_the_window() {
        let arguments = Arguments::read(["iron-cropper", "a.jpg", "-v", "--runtime", "tract", "b c"]).expect("valid");
        assert_eq!(arguments.paths, [PathBuf::from("a.jpg"), PathBuf::from("b c")]);
        assert!(arguments.command.is_none() && arguments.verbose == 1 && arguments.runtime.runtime.is_some());
    }

    #[test]
    fn verbose_is_accepted_before_and_after_the_subcommand() {
        for given in [["iron-cropper", "-v", "presets"], ["iron-cropper", "presets", "-v"]] {
            let arguments = Arguments::read(given).expect("valid");
            assert!(matches!(arguments.command, Some(Command::Presets(_))), "{given:?}");
            assert_eq!(arguments.verbose, 1);
        }
    }

    #[test]
    fn window_flags_before_a_subcommand_are_rejected() {
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
    fn a_photo_may_have_the_name_of_a_subcommand_or_flag() {
        for given in [&["./crop", "--", "-v"][..], &["--", "crop", "-v"], &["a.jpg", "crop"]] {
            let arguments = Arguments::read(["iron-cropper"].iter().chain(given)).expect("valid");
            assert!(arguments.command.is_none() && arguments.paths.len() == 2 && arguments.verbose == 0, "{given:?}");
        }
    }

    #[test]
    fn crop_flags_can_be_combined() {
        let args = crop(
            "--preset avatar --width 300 --select all --format webp --quality 1 --on-conflict fail --runtime rten \
             --model m.onnx --threads 2 --optimization basic --device 1 --onnxruntime lib --min-score 0.25 --min-size 40 \
             --thoroughness fast --expect 1..3 --sheet a4 --dry-run --json",
        )
        .expect("valid");
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
        assert_eq!(
            (options.threads, options.device, options.library),
            (2, DeviceChoice::Number(1), Some("lib".into()))
        );
        assert!(args.dry_run && args.input.json && args.sheet.sheet.is_some());
    }

    #[test]
    fn the_help_of_crop_has_groups() {
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
    fn presets_lists_all_or_shows_one() {
        let presets = |given: &[&str]| match Arguments::read(["iron-cropper", "presets"].iter().chain(given))?.command {
            Some(Command::Presets(args)) => Ok::<_, clap::Error>(args),
            other => panic!("{other:?}"),
        };
        assert!(presets(&["--json"]).expect("valid").json);
        let Some(PresetsCommand::Show { preset }) = presets(&["show", "avatar"]).expect("valid").command else {
            panic!()
        };
        assert_eq!(preset.to_string(), "avatar");
        for wrong in [&["show"][..], &["show", "avatars"], &["--json", "show", "avatar"], &["hide"]] {
            assert_eq!(presets(wrong).expect_err("refused").exit_code(), 2, "{wrong:?}");
        }
    }

    #[test]
    fn invalid_arguments_are_rejected() {
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
