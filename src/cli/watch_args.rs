//! Arguments of `watch`: those of `crop` but for what is about one run over a list of photos.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::builder::Resettable;
use clap::{Arg, Args};

use super::crop_args::CropArgs;
use super::naming_args::Missing;

/// Seconds that a photo stands still, and between two looks.
const SECONDS: f64 = 2.0;

/// Arguments of `watch`.
#[derive(Clone, Debug, Args)]
#[command(mut_args(of_watch))]
pub struct WatchArgs {
    /// Seconds that a photo's length and time must stay the same until it is taken for whole [default: 2]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub settle: Option<Duration>,

    /// Seconds from one look at the folders to the next [default: 2]; large and slow folders are looked at less often
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub every: Option<Duration>,

    /// How photos are cropped.
    #[command(flatten)]
    pub crop: CropArgs,
}

/// An argument of `crop` as it is for `watch`.
fn of_watch(argument: Arg) -> Arg {
    let (about, is_needed) = match argument.get_id().as_str() {
        "paths" => {
            let needed = argument.required_unless_present(Resettable::Reset).required(true);
            let folders = needed.value_name("FOLDER").help_heading(None::<&str>);
            return folders.help("Folders to watch, with the folders in them; hidden ones and links are left out");
        }
        "output" => ("Folder the crops are written to; made if missing. It may lie in one that is watched", true),
        "journal" => (
            "Note what becomes of each photo in this file, and go on there [default: the latest journal in the output \
             folder that tells of these folders, or a new one]",
            false,
        ),
        "files_from" | "dry_run" | "resume" | "no_journal" | "names_preview" => return argument.hide(true),
        _ => return argument,
    };
    argument.help(about).required(is_needed)
}

impl WatchArgs {
    /// How long a photo must stand still.
    pub(super) fn settle(&self) -> Duration {
        self.settle.unwrap_or(Duration::from_secs_f64(SECONDS))
    }

    /// The time between two looks.
    pub(super) fn every(&self) -> Duration {
        self.every.unwrap_or(Duration::from_secs_f64(SECONDS))
    }

    /// The folders that were named.
    ///
    /// # Errors
    /// What was asked for is for `crop` alone.
    pub(super) fn folders(&self) -> anyhow::Result<&[PathBuf]> {
        let crop = &self.crop;
        for (given, flag, why) in [
            (crop.input.files_from.is_some(), "--files-from", "watch takes folders"),
            (crop.dry_run, "--dry-run", "watch writes"),
            (crop.run.resume, "--resume", "watch always goes on where the last one ended"),
            (crop.run.no_journal, "--no-journal", "without a journal every start would crop everything again"),
            (crop.naming.names_preview, "--names-preview", "it is told of what is there"),
            (crop.naming.names_missing == Some(Missing::Fail), "--names-missing fail", "watch knows no last photo"),
        ] {
            if given {
                bail!("{flag} is for crop: {why}");
            }
        }
        Ok(&crop.input.paths)
    }
}

/// A time from a tenth of a second to an hour.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).trim();
    let seconds = number.parse::<f64>().ok().filter(|seconds| (0.1..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| format!("'{text}' is not a time from 0.1 to 3600 seconds"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Arguments, Command};

    fn args(extra: &[&str]) -> Result<WatchArgs, clap::Error> {
        let given = ["iron-cropper", "watch", "in", "-o", "out"].iter().chain(extra);
        match Arguments::read(given)?.command {
            Some(Command::Watch(args)) => Ok(*args),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn it_takes_what_crop_takes_and_times_of_its_own() {
        let watch = args(&["--settle", "0.5", "--every", "10s", "--preset", "avatar", "--jobs", "2"]).expect("sound");
        assert_eq!((watch.settle(), watch.every()), (Duration::from_millis(500), Duration::from_secs(10)));
        assert_eq!((watch.crop.run.jobs, watch.folders().expect("sound")), (Some(2), &[PathBuf::from("in")][..]));
        let usual = args(&[]).expect("sound");
        assert_eq!((usual.settle(), usual.every()), (Duration::from_secs(2), Duration::from_secs(2)));
        for wrong in ["0", "-1", "4000", "nan", "soon", ""] {
            assert_eq!(args(&["--every", wrong]).expect_err("refused").exit_code(), 2, "{wrong}");
        }
    }

    #[test]
    fn what_is_for_one_run_is_refused_with_its_reason_and_not_offered() {
        let list: &[&str] = &["--files-from", "list"];
        let fail: &[&str] = &["--names", "a.csv", "--names-missing", "fail"];
        let preview: &[&str] = &["--names", "a.csv", "--names-preview"];
        for given in [list, &["--dry-run"], &["--resume"], &["--no-journal"], preview, fail] {
            let refused = args(given).expect("read").folders().expect_err("refused").to_string();
            assert!(refused.contains("is for crop: "), "{given:?}: {refused}");
        }
        let help = Arguments::read(["iron-cropper", "watch", "--help"]).expect_err("help").to_string();
        for flag in ["--files-from", "--dry-run", "--resume", "--no-journal ", "--names-preview"] {
            assert!(!help.contains(&format!("\n      {flag}")), "{flag} in\n{help}");
        }
        for flag in ["<FOLDER>", "--settle <SECONDS>", "--every <SECONDS>", "--journal <FILE>", "--preset", "--json"] {
            assert!(help.contains(flag), "{flag} not in\n{help}");
        }
    }
}
