//! Arguments of `crop` and `detect`.

use std::path::PathBuf;

use clap::Args;

use recipe::{OnConflict, PairedPattern};

use super::encode_args::{EncodeArgs, LimitArgs};
use super::face_args::{FindArgs, SelectArgs};
use super::finish_args::FinishArgs;
use super::framing_args::FramingArgs;
use super::naming_args::NamingArgs;
use super::numbers::one_of;
use super::package_args::PackageArgs;
use super::preset_arg::{PresetArg, PresetParser};
use super::run_args::RunArgs;
use super::runtime_args::{RuntimeArgs, SessionArgs};
use super::sheet_args::SheetArgs;
use super::variants::VariantArg;

/// Input photos and output format of `crop` and `detect`.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// Photos and folders; folders are searched recursively, hidden files are ignored. With crop, - reads an image from
    /// standard input
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    pub paths: Vec<PathBuf>,

    /// List of further photos and folders: one per line, or separated by zero bytes; - reads the list from standard input
    #[arg(long, value_name = "FILE")]
    pub files_from: Option<PathBuf>,

    /// Print JSON lines, one object per input, and nothing else
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub find: FindArgs,

    #[command(flatten)]
    pub runtime: RuntimeArgs,

    #[command(flatten)]
    pub session: SessionArgs,

    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Arguments of `crop`.
#[derive(Clone, Debug, Args)]
pub struct CropArgs {
    /// Output folder; created if missing. Optional for a project with an output folder; - writes the crop of one photo to
    /// standard output
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Size, framing and rules to start from: the name of a preset, or a preset file as `presets show` prints it
    /// (FILE.toml#NAME if it contains several); the other options change it [default: headshot]
    #[arg(long, value_name = "NAME|FILE.toml", value_parser = PresetParser)]
    pub preset: Option<PresetArg>,

    /// Several outputs in one pass: for each, a preset and the folder of its crops below the output folder, by default
    /// named after the preset. Photos are read and searched once. The other options apply to every output; --preset adds
    /// one in the output folder itself
    #[arg(long = "variant", value_name = "PRESET[:FOLDER]")]
    pub variants: Vec<VariantArg>,

    /// Crop a second file with the frame of each photo, such as its mask: the file's path relative to the photo's folder,
    /// with {stem} for the photo's name, for example {stem}_mask.png. May be repeated; photos without such a file have none
    #[arg(long, value_name = "PATTERN")]
    pub paired: Vec<PairedPattern>,

    /// What to do if a file already exists; photos and lists of the run are never replaced [default: suffix]
    #[arg(long, value_parser = one_of(&[
        ("suffix", OnConflict::Suffix), ("skip", OnConflict::Skip), ("overwrite", OnConflict::Overwrite),
        ("fail", OnConflict::Fail),
    ]))]
    pub on_conflict: Option<OnConflict>,

    /// Crop damaged photos too, although part of the image is missing
    #[arg(long)]
    pub include_damaged: bool,

    /// Detect faces and plan the crops, but write nothing
    #[arg(long)]
    pub dry_run: bool,

    #[command(flatten)]
    pub naming: NamingArgs,

    #[command(flatten)]
    pub framing: FramingArgs,

    #[command(flatten)]
    pub select: SelectArgs,

    #[command(flatten)]
    pub finish: FinishArgs,

    #[command(flatten)]
    pub sheet: SheetArgs,

    #[command(flatten)]
    pub encode: EncodeArgs,

    #[command(flatten)]
    pub package: PackageArgs,

    #[command(flatten)]
    pub run: RunArgs,

    #[command(flatten)]
    pub input: InputArgs,
}

/// Arguments of `detect`.
#[derive(Clone, Debug, Args)]
pub struct DetectArgs {
    #[command(flatten)]
    pub input: InputArgs,
}
