//! `iron-cropper crop`.

use std::borrow::Cow;
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};

use ::batch::project::Project;
use ::batch::worker::{Originals, check_report_free, package_files};
use recipe::{
    Alteration, CropSpec, Depth, EncodeSpec, FinishSpec, OutputFormat, Preset, Recipe, SheetError, SpecError, Variant,
    built_in_presets,
};

use super::batch::Batch;
use super::crop_args::CropArgs;
use super::naming::Naming;
use super::preset_arg::PresetArg;
use super::project_arg::ProjectPhotos;
use super::report::counted;
use super::variants::VariantArg;
use super::{Exit, batch, pipe, print, project_arg};

/// Crops and writes, or only plans.
pub(super) fn run(args: &CropArgs, verbose: u8) -> anyhow::Result<Exit> {
    prepare(args, verbose, |batch| if pipe::is_used(args) { pipe::run(args, batch) } else { batch::run(batch) })
}

/// Resolves the arguments and passes the result to `then`.
///
/// # Errors
/// The arguments are invalid, or `then` returned an error.
pub(super) fn prepare(
    args: &CropArgs,
    verbose: u8,
    then: impl FnOnce(Batch<'_>) -> anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    let opened = project_arg::read(&args.input.paths)?;
    let output = project_arg::output(args, opened.as_ref())?;
    let project = opened.map(|opened| opened.project);
    let Specs { recipe, notes } = specs(args, project.as_ref())?;
    // Checked now rather than after the run.
    if let Some(report) = &args.run.report {
        check_report_free(report)?;
        let lists = [&args.naming.names, &args.input.files_from].into_iter().flatten();
        ensure!(!Originals::of(lists).contains(report), "--report {}: it is a list of this run", print::path(report));
    }
    let names = project.as_ref().map(|project| project.settings.names.clone()).unwrap_or_default();
    let project_photos = project.map(|project| project_arg::project_photos(project, args, recipe.crop.min_score));
    notes.iter().for_each(|note| print::note(note));
    if let Some(note) = project_photos.as_ref().and_then(|photos| own_format_note(args, &recipe, photos)) {
        print::note(&note);
    }
    let whole = recipe.clone();
    let of_preset = |preset: &PresetArg| {
        let Recipe { crop, finish, encode, .. } = specs_with(args, preset.resolve()?.as_ref(), None, None)?.recipe;
        Ok(Recipe { crop, finish, encode, ..whole.clone() })
    };
    let on_conflict = output.on_conflict;
    let names = args.naming.over(&names);
    let template = names.template().context("the name template of the project")?;
    if let (Some(column), None) = (template.columns().next(), &names.list) {
        bail!("--name uses the column '{column}' of a name list; give the list with --names");
    }
    let naming = Naming {
        args: &args.naming,
        spec: names,
        template: template.clone(),
        preset: own_preset(args).map_or_else(|| built_in_presets()[0].id.clone(), ToString::to_string),
        size: recipe.crop.output,
        recipe_of: &of_preset,
        on_conflict,
    };
    then(Batch {
        input: &args.input,
        recipe,
        output,
        project_photos,
        depth: if args.dry_run { Depth::Plan } else { Depth::Write },
        run: args.run.clone(),
        naming: Some(naming),
        verbose,
    })
}

/// The resolved arguments.
#[derive(Debug)]
struct Specs {
    recipe: Recipe,
    /// Warnings about the arguments.
    notes: Vec<String>,
}

/// The preset of the first output: `--preset`, or else the first `--variant`.
fn own_preset(args: &CropArgs) -> Option<&PresetArg> {
    args.preset.as_ref().or_else(|| args.variants.first().map(|variant| &variant.preset))
}

/// The specs of every output.
fn specs(args: &CropArgs, project: Option<&Project>) -> anyhow::Result<Specs> {
    let Specs { mut recipe, mut notes } = own_specs(args, project)?;
    // Without a preset for the output folder itself, the first variant is the recipe's own output.
    let (own, rest) = match (&args.preset, args.variants.split_first()) {
        (None, Some((own, rest))) => (Some(own), rest),
        _ => (None, &args.variants[..]),
    };
    recipe.place = own.map_or_else(|| recipe.place.clone(), VariantArg::place);
    if !args.variants.is_empty() {
        recipe.variants.clear();
    }
    for variant in rest {
        let preset = variant.preset.resolve()?;
        let specs =
            specs_with(args, &preset, project, None).with_context(|| format!("--variant {}", variant.preset))?;
        let Recipe { crop, finish, encode, sheet, package, .. } = specs.recipe;
        let (preset, place) = (Some(preset.id.clone()), variant.place());
        recipe.variants.push(Variant { preset, place, crop, finish, encode, sheet, package });
        notes.extend(specs.notes.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
    }
    recipe.check_outputs()?;
    if !args.paired.is_empty() {
        recipe.paired.clone_from(&args.paired);
    }
    args.package.apply_to(&mut recipe);
    if args.run.no_journal && !package_files(&recipe, Path::new("")).is_empty() {
        bail!("--no-journal: the project has an index, a zip file or a contact sheet, which need the journal");
    }
    Ok(Specs { recipe, notes })
}

/// Precedence, from low to high: defaults or the project, the preset, the flags.
fn own_specs(args: &CropArgs, project: Option<&Project>) -> anyhow::Result<Specs> {
    let work = project.map(|project| &project.settings.recipe);
    let preset: Cow<'static, Preset> = match (own_preset(args), work) {
        (Some(preset), _) => preset.resolve()?,
        (None, Some(work)) => Cow::Owned(Preset::from_spec("project", &work.crop, None)),
        (None, None) => Cow::Borrowed(&built_in_presets()[0]),
    };
    let framed = work.filter(|_| own_preset(args).is_none()).map(|work| &work.crop);
    specs_with(args, &preset, project, framed)
}

/// Precedence, from low to high: the project, the preset or the framing of the project, the flags.
fn specs_with(
    args: &CropArgs,
    preset: &Preset,
    project: Option<&Project>,
    framed: Option<&CropSpec>,
) -> anyhow::Result<Specs> {
    let work = project.map(|project| &project.settings.recipe);
    let mut crop = framed.cloned().unwrap_or_else(|| preset.spec());
    let mut base = work.map_or_else(EncodeSpec::default, |work| work.encode);
    if framed.is_none() {
        preset.apply_to_file(&mut base, &work.map_or_else(CropSpec::default, |work| work.crop.clone()));
    }
    args.framing.apply_to(&mut crop);
    args.select.apply_to(&mut crop);
    args.input.find.apply_to(&mut crop);
    let (output, dpi) = args.framing.size_and_dpi(preset, args.encode.dpi.or(framed.and(Some(base.dpi))));
    crop.output = output;
    let finish = args.finish.over(&work.map_or_else(FinishSpec::default, |work| work.finish));
    crop.check().and_then(|()| finish.check(crop.rules.as_ref())).map_err(|error| preset_error(error, preset))?;

    let encode = args.encode.over(&EncodeSpec { dpi: dpi.unwrap_or(base.dpi), ..base });
    encode.check()?;
    let sheet = args.sheet.spec().or(work.and_then(|work| work.sheet));
    if let Some(sheet) = &sheet {
        if crop.original_size {
            return Err(SheetError::OriginalSize).context("--sheet");
        }
        sheet.layout(crop.output, encode.dpi).context("--sheet")?;
    }
    let mut notes = args.encode.ignored(&encode);
    notes.extend(args.framing.ignored(&crop));
    notes.extend(args.finish.notes(&finish, &encode));
    notes.extend(file_notes(args, preset));
    if preset.check_before_use {
        notes.push(format!(
            "note: {} is unofficial: not all of its numbers are from the receiver; check its rules before use",
            preset.id
        ));
    }
    let include_damaged = args.include_damaged || work.is_some_and(|work| work.include_damaged);
    let base = work.cloned().unwrap_or_default();
    Ok(Specs { recipe: Recipe { crop, finish, encode, sheet, include_damaged, ..base }, notes })
}

/// Notes about flags that contradict the preset's rules for the file.
fn file_notes(args: &CropArgs, preset: &Preset) -> Vec<String> {
    let hints = preset.file_hints();
    let mut notes = Vec::new();
    if let Some(format) = args.encode.format.filter(|format| hints.jpeg_only && *format != OutputFormat::Jpeg) {
        notes.push(format!("note: {} requires JPEG, but --format is {}", preset.id, format.name()));
    }
    if let (Some(limit), Some(requested)) = (hints.max_kilobytes, args.encode.max_kb)
        && requested > limit
    {
        notes.push(format!("note: {} allows at most {limit} kB, but --max-kb is {requested}", preset.id));
    }
    // The resolution of a printed size may differ, because the pixels follow it.
    if let (Some(required), Some(requested)) = (preset.rules.as_ref().and_then(|rules| rules.dpi), args.encode.dpi)
        && preset.size.dpi().is_none()
        && requested != required
    {
        notes.push(format!("note: {} requires {required} dpi, but --dpi is {requested}", preset.id));
    }
    notes
}

/// A note if `--format` does not apply to photos of a project because their own presets require JPEG.
fn own_format_note(args: &CropArgs, recipe: &Recipe, project: &ProjectPhotos) -> Option<String> {
    let format = args.encode.format?;
    let overrides = project.photos.iter().filter_map(|photo| photo.overrides.as_deref());
    let count = overrides.filter(|own| recipe.with_overrides(own).encode.format != format).count();
    let (name, photos) = (format.name(), counted(count, "photo"));
    (count > 0).then(|| format!("note: --format {name} does not apply to {photos} whose own preset requires JPEG"))
}

/// Names the preset if its document rules forbid the flags, and what to do: the flags alone would be valid.
fn preset_error(error: SpecError, preset: &Preset) -> anyhow::Error {
    let SpecError::Altered { what } = error else { return error.into() };
    let instead = match what {
        Alteration::Fill => "use --edge shrink",
        Alteration::Adjustment => "omit --exposure, --contrast, --white-balance and --sharpen",
        Alteration::Shape => "omit --shape and --soft-edge",
        Alteration::Background => "use --background keep",
    };
    anyhow!("--preset {}: {error}; {instead}, or choose another preset", preset.id)
}

#[cfg(test)]
mod tests {
    use geometry::Size;
    use recipe::{Position, find_preset};

    use super::*;
    use crate::cli::{Arguments, Command};

    fn specs(extra: &str) -> anyhow::Result<Specs> {
        specs_over(None, extra)
    }

    fn specs_over(project: Option<&Project>, extra: &str) -> anyhow::Result<Specs> {
        let given = ["iron-cropper", "crop", "photos", "-o", "out"].into_iter().chain(extra.split_whitespace());
        match Arguments::read(given)?.command {
            Some(Command::Crop(args)) => super::specs(&args, project),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_files_of_a_project_follow_the_project_then_the_preset_then_the_flags() {
        let mut project = Project::default();
        project.settings.recipe.crop = find_preset("us-passport").expect("exists").spec();
        project.settings.recipe.encode =
            EncodeSpec { format: OutputFormat::Png, max_kilobytes: Some(90), ..EncodeSpec::default() };
        let file = |project: &Project, flags: &str| {
            let encode = specs_over(Some(project), flags).expect("valid").recipe.encode;
            (encode.format, encode.max_kilobytes)
        };
        assert_eq!(file(&project, ""), (OutputFormat::Png, Some(90)), "the user's limit, not that of the rules");
        assert_eq!(file(&project, "--preset active-directory"), (OutputFormat::Jpeg, Some(10)));
        let flags = "--preset active-directory --format webp --max-kb 20";
        assert_eq!(file(&project, flags), (OutputFormat::WebP, Some(20)));
        project.settings.recipe.encode.max_kilobytes = Some(240);
        assert_eq!(file(&project, "--preset avatar"), (OutputFormat::Png, None), "the limit goes with its rules");
        assert_eq!(specs("--preset pspa-yearbook").expect("valid").recipe.encode.dpi, 300);
        assert_eq!(specs("--preset pspa-yearbook --dpi 72").expect("valid").recipe.encode.dpi, 72);
    }

    #[test]
    fn flags_override_the_preset_and_the_preset_the_defaults() {
        let spec = |flags: &str| specs(flags).expect("valid").recipe.crop;
        let avatar = find_preset("avatar").expect("exists").spec();
        assert_eq!(spec(""), CropSpec::default());
        assert_eq!(spec("--preset avatar"), avatar);
        let expected = CropSpec { position: Position::Middle, head_height: 0.3, ..avatar };
        assert_eq!(spec("--position middle --preset avatar --head-height 30"), expected);
    }

    #[test]
    fn one_side_alone_keeps_the_aspect_ratio() {
        for (flags, size) in [
            ("--width 400", Size::new(400, 500)),
            ("--height 500", Size::new(400, 500)),
            ("--width 400 --height 300", Size::new(400, 300)),
            ("--preset avatar --height 300", Size::new(300, 300)),
            ("--size 120x80px", Size::new(120, 80)),
        ] {
            assert_eq!(specs(flags).expect("valid").recipe.crop.output, size, "{flags}");
        }
    }

    #[test]
    fn a_printed_size_is_kept() {
        for (flags, size, dpi) in [
            ("--size 35x45mm", Size::new(413, 531), 300),
            ("--size 35x45mm --dpi 600", Size::new(827, 1063), 600),
            ("--size 2x2in --dpi 300", Size::new(600, 600), 300),
            ("--size 5x7.5cm --dpi 254", Size::new(500, 750), 254),
            ("--preset document-35x45", Size::new(413, 531), 300),
            ("--preset document-35x45 --dpi 600", Size::new(827, 1063), 600),
            ("--preset document-35x45 --height 1063", Size::new(827, 1063), 600),
            ("--width 400 --dpi 72", Size::new(400, 500), 72),
            ("--width 400", Size::new(400, 500), 300),
        ] {
            let specs = specs(flags).expect("valid");
            assert_eq!((specs.recipe.crop.output, specs.recipe.encode.dpi), (size, dpi), "{flags}");
        }
    }

    #[test]
    fn an_impossible_sheet_is_rejected_before_any_photo_is_read() {
        let preset = "--preset document-35x45 --sheet 10x15";
        assert!(specs(preset).expect("valid").recipe.sheet.is_some());
        for (flags, message) in [
            ("--sheet-copies 40", "40 copies do not fit on 10 x 15 cm"),
            ("--sheet-margin 60", "margin of 60 mm is outside 0 to 50 mm"),
            ("--size 120x160mm", "does not fit"),
        ] {
            let refused = format!("{:#}", specs(&format!("{preset} {flags}")).expect_err("refused"));
            assert!(refused.starts_with("--sheet: ") && refused.contains(message), "{flags}: {refused}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_rejected_with_a_message() {
        for (flags, message) in [
            // The other side is derived and may exceed the limit.
            ("--width 9000", "side outside 1 to 10000"),
            ("--size 2x2m", "write it as 35x45mm"),
            ("--size 900x900mm --dpi 600", "side outside 1 to 10000"),
            ("--head-height 4", "head height of 4 % is outside 5 to 100 %"),
            ("--head-height nan", "outside 5 to 100 %"),
            ("--shift-right 60", "outside -50 to 50 %"),
            ("--level --level-limit 50", "outside 0 to 45 degrees"),
            ("--edge pad --max-padding 101", "outside 0 to 100 %"),
            ("--min-score 1.5", "minimum score of 1.5 is outside 0 to 1"),
            ("--expect 3..2", "(3) exceeds the maximum (2)"),
        ] {
            let refused = format!("{:#}", specs(flags).expect_err("refused"));
            assert!(refused.contains(message), "{flags}: {refused}");
        }
    }
}
