//! Arguments for what is handed over with the crops.

use std::path::Path;

use clap::Args;

use batch::worker::package_files;
use recipe::{IndexFormat, PackageSpec, Recipe};

use super::numbers::one_of;
use super::print;

/// Index, zip file and contact sheet of every output.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Handing over")]
pub struct PackageArgs {
    /// Write an index of the crops when the run ends: csv for index.csv with the columns of the name list and the file of
    /// each crop; pspa for index.txt, the format of yearbook software
    #[arg(long, value_parser = one_of(&[("csv", IndexFormat::Csv), ("pspa", IndexFormat::Pspa)]),
        conflicts_with = "no_journal")]
    pub index: Option<IndexFormat>,

    /// Write a zip file with the crops and their index when the run is complete; it is named after the folder of the crops
    #[arg(long, conflicts_with = "no_journal")]
    pub zip: bool,

    /// Write a contact sheet when the run is complete, with every crop and its name, by class: pdf, html or both, separated
    /// by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "no_journal",
        value_parser = one_of(&[("pdf", SheetKind::Pdf), ("html", SheetKind::Html)]))]
    pub contact_sheet: Vec<SheetKind>,
}

/// The format of a contact sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetKind {
    Pdf,
    Html,
}

impl PackageArgs {
    /// True if any of them was given.
    pub(super) fn is_given(&self) -> bool {
        !self.over(PackageSpec::default()).is_none()
    }

    /// Adds them to every output of `recipe`.
    pub(super) fn apply_to(&self, recipe: &mut Recipe) {
        recipe.package = self.over(recipe.package);
        recipe.variants.iter_mut().for_each(|variant| variant.package = self.over(variant.package));
    }

    fn over(&self, base: PackageSpec) -> PackageSpec {
        PackageSpec {
            index: self.index.or(base.index),
            zip: self.zip || base.zip,
            contact_pdf: self.contact_sheet.contains(&SheetKind::Pdf) || base.contact_pdf,
            contact_html: self.contact_sheet.contains(&SheetKind::Html) || base.contact_html,
        }
    }
}

/// The files that a run into `output` would write beside the crops, as a note; `None` if there are none.
pub(super) fn planned(recipe: &Recipe, output: &Path) -> Option<String> {
    let files: Vec<String> = package_files(recipe, output).iter().map(|path| print::path(path)).collect();
    (!files.is_empty()).then(|| format!("note: when the run ends, it would write {}", files.join(", ")))
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use recipe::Variant;

    use super::*;
    use crate::cli::{Arguments, Command};

    fn args(extra: &str) -> Result<PackageArgs, clap::Error> {
        let given = ["iron-cropper", "crop", "photos", "-o", "out"].into_iter().chain(extra.split_whitespace());
        match Arguments::try_parse_from(given)?.command {
            Some(Command::Crop(args)) => Ok(args.package),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn packages_apply_to_every_output() {
        let args = args("--index pspa --zip --contact-sheet pdf,html").expect("valid");
        let variant = Variant {
            package: PackageSpec { index: Some(IndexFormat::Csv), ..PackageSpec::default() },
            ..Variant::default()
        };
        let mut recipe = Recipe { variants: vec![variant], ..Recipe::default() };
        args.apply_to(&mut recipe);
        let all = PackageSpec { index: Some(IndexFormat::Pspa), zip: true, contact_pdf: true, contact_html: true };
        assert_eq!((recipe.package, recipe.variants[0].package), (all, all));
        assert!(args.is_given() && !PackageArgs::default().is_given());
        let mut project = recipe.clone();
        PackageArgs::default().apply_to(&mut project);
        assert_eq!(project, recipe, "without flags, a project keeps its own");
    }

    #[test]
    fn packages_need_the_journal() {
        for flag in ["--index csv", "--zip", "--contact-sheet pdf"] {
            let refused = args(&format!("{flag} --no-journal")).expect_err("refused");
            assert_eq!(refused.kind(), clap::error::ErrorKind::ArgumentConflict, "{flag}");
        }
        for wrong in ["--index xlsx", "--contact-sheet png", "--contact-sheet"] {
            assert!(args(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_dry_run_names_the_files_of_every_folder() {
        let mut recipe = Recipe::default();
        assert_eq!(planned(&recipe, Path::new("out")), None);
        let place = recipe::OutputPlace { folder: "web".to_owned(), ..recipe::OutputPlace::default() };
        recipe.variants.push(Variant { place, ..Variant::default() });
        args("--index csv --zip --contact-sheet html").expect("valid").apply_to(&mut recipe);
        let note = planned(&recipe, Path::new("out")).expect("files").replace('\\', "/");
        assert_eq!(
            note,
            "note: when the run ends, it would write out/index.csv, out/contact-sheet.html, out/out.zip, \
             out/web/index.csv, out/web/contact-sheet.html, out/web/web.zip"
        );
    }
}
