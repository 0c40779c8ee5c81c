//! `crop` in pipes: an image from standard input if `-` is given, its crop to standard output with `-o -`.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use import::Spooled;
use naming::PhotoName;
use outcome::{ItemReport, OutcomeKind};
use recipe::{Depth, OutputSpec, Variant};

use super::batch::Batch;
use super::crop_args::CropArgs;
use super::inputs::Inputs;
use super::print::LinePrinter;
use super::report::item_text;
use super::warning_list::{warning_texts, warnings_to_report};
use super::{Exit, batch, json, model_note, print};

/// Means standard input or standard output.
const STREAM: &str = "-";

/// True if standard input or standard output is used.
pub(super) fn is_used(args: &CropArgs) -> bool {
    reads(args) || writes(args)
}

fn reads(args: &CropArgs) -> bool {
    args.input.paths.iter().any(|path| path.as_os_str() == STREAM)
}

fn writes(args: &CropArgs) -> bool {
    args.output.as_ref().is_some_and(|output| output.as_os_str() == STREAM)
}

/// Crops one image.
///
/// # Errors
/// The arguments cannot be combined, or nothing could be done.
pub(super) fn run(args: &CropArgs, batch: Batch<'_>) -> anyhow::Result<Exit> {
    check(args)?;
    let max_bytes = args.input.limits.limits().max_file_bytes;
    let (reads, writes) = (reads(args), writes(args));
    if writes && print::is_terminal() {
        bail!("-o - writes an image, but standard output is a terminal; redirect it to a file or a program");
    }
    if reads && io::stdin().is_terminal() {
        bail!("- reads an image from standard input, but that is a terminal; redirect it from a file or a program");
    }
    let spooled = match reads {
        true => Spooled::read(io::stdin().lock(), max_bytes).context("standard input")?,
        false => Spooled::empty().context("no temporary file for the image")?,
    };
    let (photo, shown) = if reads { (spooled.photo().to_owned(), "-".to_owned()) } else { named(args)? };
    let folder = if writes { spooled.folder().join("out") } else { batch.output.folder.clone() };
    let requested = batch.input.runtime.choice()?.unwrap_or_default();
    let outputs: Vec<Variant> = batch.recipe.outputs().collect();
    let depth = batch.depth;
    let output = OutputSpec { folder, ..batch.output };
    let report = batch::crop_one(Batch { output, ..batch }, &photo, PhotoName { place: 1, ..PhotoName::default() })?;
    for fault in &report.model_faults {
        print::note(&model_note::of(fault, report.runtime.as_ref()));
    }
    if writes {
        return write_output(&report, depth, &shown);
    }
    let line = if args.input.json {
        let line = json::item_line(&report, &outputs, requested)?;
        // The temporary file is not shown.
        let (path, shown) = (serde_json::to_string(&photo.to_string_lossy())?, serde_json::to_string(&shown)?);
        line.replacen(&path, &shown, 1)
    } else {
        as_text(&report, depth, &shown)
    };
    if depth != Depth::Write {
        let _ = print::line(&line)?;
        return Ok(exit(&report));
    }
    let mut printer = LinePrinter::default();
    let _ = printer.line(&line);
    Ok(if printer.has_failed() { Exit::SomeFailed } else { exit(&report) })
}

fn check(args: &CropArgs) -> anyhow::Result<()> {
    let alone = args.input.paths.len() == 1 && args.input.files_from.is_none();
    ensure!(!reads(args) || alone, "- reads one image from standard input; it cannot be combined with other paths");
    ensure!(!args.naming.cards, "--cards names several photos; - is one");
    ensure!(args.naming.names.is_none(), "--names needs photos with file names; - has none");
    ensure!(!args.package.is_given(), "--index, --zip and --contact-sheet cannot be combined with -");
    if writes(args) {
        ensure!(alone, "-o - writes one crop; give one photo");
        ensure!(!args.input.json, "--json and -o - both write to standard output; choose one of them");
        ensure!(args.variants.is_empty(), "-o - writes one file; it cannot be combined with --variant");
        ensure!(args.paired.is_empty(), "-o - writes one file; it cannot be combined with --paired");
        ensure!(args.sheet.sheet.is_none(), "-o - writes one file; it cannot be combined with --sheet");
        let noted = args.run.report.is_some() || args.run.journal.is_some() || args.run.resume;
        ensure!(!noted, "-o - writes no journal and no report; omit --journal, --resume and --report");
        ensure!(!args.dry_run, "--dry-run writes nothing, not even to standard output");
    }
    Ok(())
}

/// The photo that was given.
fn named(args: &CropArgs) -> anyhow::Result<(PathBuf, String)> {
    let Inputs { mut photos, problems } = super::inputs::find_inputs(&args.input.paths);
    if let Some((path, reason)) = problems.first() {
        bail!("{}: {reason}", print::path(path));
    }
    ensure!(photos.len() == 1, "-o - writes one crop; give one photo, not a folder of {}", photos.len());
    let photo = photos.remove(0);
    let shown = print::path(&photo);
    Ok((photo, shown))
}

/// Writes the crop to standard output and warnings to standard error.
fn write_output(report: &ItemReport, depth: Depth, shown: &str) -> anyhow::Result<Exit> {
    let written: Vec<&Path> = report.crops.iter().filter_map(|crop| crop.written.as_deref()).collect();
    match (report.outcome, &written[..]) {
        (OutcomeKind::Cropped, [crop]) => {
            let warnings = warnings_to_report(report);
            if !warnings.is_empty() {
                print::note(&format!("{shown}: to review: {}", warning_texts(&warnings, report.crops.len())));
            }
            let reader = print::file(crop)?;
            Ok(if reader.is_closed() { Exit::SomeFailed } else { Exit::Done })
        }
        (OutcomeKind::Cropped, crops) => {
            let count = crops.len();
            print::note(&format!(
                "{shown}: {count} crops, but standard output takes one; use --select largest, best or central"
            ));
            Ok(Exit::SomeFailed)
        }
        _ => {
            print::note(&as_text(report, depth, shown));
            Ok(exit(report))
        }
    }
}

fn as_text(report: &ItemReport, depth: Depth, shown: &str) -> String {
    let text = item_text(report, depth);
    let rest = text.strip_prefix(&print::path(&report.path)).unwrap_or(&text);
    format!("{shown}{rest}")
}

fn exit(report: &ItemReport) -> Exit {
    match report.outcome {
        OutcomeKind::Cropped
        | OutcomeKind::Detected
        | OutcomeKind::Skipped
        | OutcomeKind::Card
        | OutcomeKind::Excluded
        | OutcomeKind::AlreadyDone => Exit::Done,
        OutcomeKind::NoFace | OutcomeKind::Damaged | OutcomeKind::Failed => Exit::SomeFailed,
    }
}
