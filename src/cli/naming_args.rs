//! Arguments for the names and folders of crops.

use std::path::PathBuf;

use clap::Args;

pub use naming::{Characters, Folders, Missing};
use naming::{ListSpec, NameTemplate, NamesSpec};

use super::numbers::one_of;

/// Names and folders of the crops.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Names")]
pub struct NamingArgs {
    /// Names of the crops without extension: text, / for folders, and {stem} {name} {folder} {index:4} {face} {preset} {size}
    /// {width} {height} {date:%Y-%m-%d} {score} {quality} {column:NAME} [default: {name}]
    #[arg(long, value_name = "TEMPLATE")]
    pub name: Option<NameTemplate>,

    /// All crops in one folder, or in the same subfolders as the photos [default: flatten]
    #[arg(long, value_parser = one_of(&[("flatten", Folders::Flatten), ("mirror", Folders::Mirror)]))]
    pub folders: Option<Folders>,

    /// All characters that are valid on every system, or A-Z a-z 0-9 _ - only, with other letters transliterated
    /// [default: portable]
    #[arg(long, value_parser = one_of(&[("portable", Characters::Portable), ("ascii", Characters::Ascii)]))]
    pub name_characters: Option<Characters>,

    /// Name list with one photo per row: CSV, TSV, XLSX, XLS or ODS
    #[arg(long, value_name = "FILE")]
    pub names: Option<PathBuf>,

    /// Sheet of a workbook, by name or number [default: the first with a column that matches a photo]
    #[arg(long, value_name = "SHEET", requires = "names")]
    pub names_sheet: Option<String>,

    /// Column of the list with the photos' file names, by heading or number [default: the one that matches most photos]
    #[arg(long, value_name = "COLUMN", requires = "names")]
    pub names_source: Option<String>,

    /// Column of the list with the crops' names [default: the one called name, output or similar, or the only other one]
    #[arg(long, value_name = "COLUMN", requires = "names")]
    pub names_output: Option<String>,

    /// Column of the list with presets; rows without one use --preset [default: the one called preset]
    #[arg(long, value_name = "COLUMN", requires = "names")]
    pub names_preset: Option<String>,

    /// Photos that are not in the list: crop under their own names, skip, or fail before anything is cropped [default: keep]
    #[arg(long, requires = "names", value_parser = one_of(&[
        ("keep", Missing::Keep), ("skip", Missing::Skip), ("fail", Missing::Fail),
    ]))]
    pub names_missing: Option<Missing>,

    /// Read the cards that photos show: a QR code, Data Matrix, Code 128 or Code 39 names its photo and those after it, until
    /// the next card. With a list, it gives the row; without, the name
    #[arg(long)]
    pub cards: bool,

    /// Column of the list with the texts of cards [default: the one with most of them]
    #[arg(long, value_name = "COLUMN", requires = "names", requires = "cards")]
    pub names_card: Option<String>,

    /// Print which row matches which photo, and do nothing else
    #[arg(long, requires = "names")]
    pub names_preview: bool,
}

impl NamingArgs {
    /// The settings as plain data: the arguments, and else those of `base`.
    pub(super) fn over(&self, base: &NamesSpec) -> NamesSpec {
        let list = self.names.clone().map(|file| ListSpec {
            file,
            sheet: self.names_sheet.clone(),
            source: self.names_source.clone(),
            output: self.names_output.clone(),
            preset: self.names_preset.clone(),
            card: self.names_card.clone(),
            missing: self.names_missing.unwrap_or_default(),
        });
        NamesSpec {
            template: self.name.as_ref().map_or_else(|| base.template.clone(), ToString::to_string),
            folders: self.folders.unwrap_or(base.folders),
            characters: self.name_characters.unwrap_or(base.characters),
            cards: self.cards || base.cards,
            list: list.or_else(|| base.list.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Arguments, Command};

    fn args(extra: &[&str]) -> Result<NamingArgs, clap::Error> {
        let given = ["iron-cropper", "crop", "photos", "-o", "out"].iter().chain(extra);
        match Arguments::read(given)?.command {
            Some(Command::Crop(args)) => Ok(args.naming),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_flag_is_parsed() {
        let given = [
            "--name",
            "{index:4} {stem}",
            "--folders",
            "mirror",
            "--name-characters",
            "ascii",
            "--names",
            "a.csv",
            "--names-sheet",
            "Pupils",
            "--names-source",
            "file",
            "--names-output",
            "2",
            "--names-preset",
            "kind",
            "--cards",
            "--names-card",
            "code",
            "--names-missing",
            "skip",
            "--names-preview",
        ];
        let args = args(&given).expect("valid");
        assert!(args.names_preview);
        let list = ListSpec {
            file: "a.csv".into(),
            sheet: Some("Pupils".to_owned()),
            source: Some("file".to_owned()),
            output: Some("2".to_owned()),
            preset: Some("kind".to_owned()),
            card: Some("code".to_owned()),
            missing: Missing::Skip,
        };
        let spec = NamesSpec {
            template: "{index:4} {stem}".to_owned(),
            folders: Folders::Mirror,
            characters: Characters::Ascii,
            cards: true,
            list: Some(list),
        };
        assert_eq!(args.over(&NamesSpec::default()), spec);
        assert_eq!(NamingArgs::default().over(&spec), spec, "those of a project");
    }

    #[test]
    fn a_template_error_is_reported_with_its_position() {
        let refused = args(&["--name", "x{stm}"]).expect_err("refused");
        let message = refused.to_string();
        assert!(refused.exit_code() == 2 && message.contains("character 3: there is no field {stm}"), "{message}");
        for wrong in [
            &["--folders", "tree"][..],
            &["--names-output", "x"],
            &["--names-sheet", "x"],
            &["--name-characters", "latin"],
            &["--names-preview"],
            &["--names", "a.csv", "--names-missing", "drop"],
        ] {
            assert_eq!(args(wrong).expect_err("refused").exit_code(), 2, "{wrong:?}");
        }
    }
}
