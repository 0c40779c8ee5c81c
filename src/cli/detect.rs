//! `iron-cropper detect`.

use recipe::{CropSpec, Depth, OnConflict, OutputSpec, Recipe, Select};

use super::batch::Batch;
use super::crop_args::DetectArgs;
use super::{Exit, RunArgs, batch};

/// Reports faces.
pub(super) fn run(args: &DetectArgs, verbose: u8) -> anyhow::Result<Exit> {
    // Every face is measured.
    let mut crop = CropSpec { select: Select::All, ..CropSpec::default() };
    args.input.find.apply_to(&mut crop);
    crop.check()?;
    batch::run(Batch {
        input: &args.input,
        recipe: Recipe { crop, include_damaged: true, ..Recipe::default() },
        naming: None,
        output: OutputSpec { folder: ".".into(), on_conflict: OnConflict::default() },
        project_photos: None,
        depth: Depth::Detect,
        run: RunArgs { no_journal: true, ..RunArgs::default() },
        verbose,
    })
}
