//! Arguments of `watch`: those of `crop`, except those for a single run over a list of photos.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::builder::Resettable;
use clap::{Arg, Args};

use super::crop_args::CropArgs;
use super::naming_args::Missing;

/// Default debounce time and scan interval.
const SECONDS: f64 = 2.0;

/// Arguments of `watch`.
#[derive(Clone, Debug, Args)]
#[command(mut_args(of_watch))]
pub struct WatchArgs {
    /// Seconds that a photo's size and time must stay unchanged before it is cropped [default: 2]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub settle: Option<Duration>,

    /// Seconds between two scans of the folders; large and slow folders are scanned less often [default: 2]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub every: Option<Duration>,

    #[command(flatten)]
    pub crop: CropArgs,
}

/// Adapts an argument of `crop` to `watch`.
fn of_watch(argument: Arg) -> Arg {
    let (about, is_needed) = match argument.get_id().as_str() {
        "paths" => {
            let needed = argument.required_unless_present(Resettable::Reset).required(true);
            let folders = needed.value_name("FOLDER").help_heading(None::<&str>);
            return folders.help("Folders to watch, including subfolders; hidden folders and links are ignored");
        }
        "output" => ("Output folder; created if missing. It can be inside a watched folder", true),
        "journal" => (
            "Journal file that records the result of each photo; an existing one is continued [default: the latest journal \
             for these folders in the output folder, or a new one]",
            false,
        ),
        "index" => (
            "Write an index of the crops after each group of new photos: csv for index.csv with the columns of the name list \
             and the file of each crop; pspa for index.txt, the format of yearbook software",
            false,
        ),
        "files_from" | "dry_run" | "resume" | "no_journal" | "names_preview" | "zip" | "contact_sheet" => {
            return argument.hide(true);
        }
        _ => return argument,
    };
    argument.help(about).required(is_needed)
}

impl WatchArgs {
    /// How long a photo must stay unchanged.
    pub(super) fn debounce(&self) -> Duration {
        self.settle.unwrap_or(Duration::from_secs_f64(SECONDS))
    }

    /// Time between two scans.
    pub(super) fn interval(&self) -> Duration {
        self.every.unwrap_or(Duration::from_secs_f64(SECONDS))
    }

    /// The folders to watch.
    ///
    /// # Errors
    /// A flag applies to `crop` only.
    pub(super) fn folders(&self) -> anyhow::Result<&[PathBuf]> {
        let crop = &self.crop;
        for (given, flag, why) in [
            (crop.input.files_from.is_some(), "--files-from", "watch accepts only folders"),
            (crop.dry_run, "--dry-run", "watch always writes crops"),
            (crop.run.resume, "--resume", "watch always continues where the last one ended"),
            (crop.run.no_journal, "--no-journal", "without a journal, every start would crop everything again"),
            (crop.naming.names_preview, "--names-preview", "it needs a fixed set of photos"),
            (crop.package.zip, "--zip", "after watch has ended, crop --resume --zip writes it once"),
            (
                !crop.package.contact_sheet.is_empty(),
                "--contact-sheet",
                "after watch has ended, crop --resume --contact-sheet writes it once",
            ),
            (
                crop.naming.names_missing == Some(Missing::Fail),
                "--names-missing fail",
                "watch has no fixed set of photos",
            ),
        ] {
            if given {
                bail!("{flag} is for crop: {why}");
            }
        }
        Ok(&crop.input.paths)
    }
}

/// Parses a time from a tenth of a second to an hour.
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
    fn watch_accepts_crop_flags_and_its_own_delays() {
        let watch = args(&["--settle", "0.5", "--every", "10s", "--preset", "avatar", "--jobs", "2"]).expect("valid");
        assert_eq!((watch.debounce(), watch.interval()), (Duration::from_millis(500), Duration::from_secs(10)));
        assert_eq!((watch.crop.run.jobs, watch.folders().expect("valid")), (Some(2), &[PathBuf::from("in")][..]));
        let base = args(&[]).expect("valid");
        assert_eq!((base.debounce(), base.interval()), (Duration::from_secs(2), Duration::from_secs(2)));
        for wrong in ["0", "-1", "4000", "nan", "soon", ""] {
            assert_eq!(args(&["--every", wrong]).expect_err("refused").exit_code(), 2, "{wrong}");
        }
    }

    #[test]
    fn flags_for_a_single_run_are_rejected_with_a_reason_and_hidden() {
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
