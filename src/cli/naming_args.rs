//! Arguments for the names and folders of crops.

use std::path::PathBuf;

use clap::Args;

use naming::NameTemplate;

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

    /// Name list with one photo per row: CSV, TSV or XLSX
    #[arg(long, value_name = "FILE")]
    pub names: Option<PathBuf>,

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

    /// Print which row matches which photo, and do nothing else
    #[arg(long, requires = "names")]
    pub names_preview: bool,
}

/// Folders of the crops in the output folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Folders {
    /// All into the output folder.
    #[default]
    Flatten,
    /// Into folders like those of the photos.
    Mirror,
}

/// Handling of photos that are not in the name list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Missing {
    /// They are cropped under their own names.
    #[default]
    Keep,
    /// They are skipped.
    Skip,
    /// Nothing is cropped.
    Fail,
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
            "--names",
            "a.csv",
            "--names-source",
            "file",
            "--names-output",
            "2",
            "--names-preset",
            "kind",
            "--names-missing",
            "skip",
            "--names-preview",
        ];
        let args = args(&given).expect("valid");
        assert_eq!(args.name.map(String::from).as_deref(), Some("{index:4} {stem}"));
        assert_eq!((args.folders, args.names_missing), (Some(Folders::Mirror), Some(Missing::Skip)));
        assert_eq!(args.names, Some("a.csv".into()));
        let columns = [args.names_source, args.names_output, args.names_preset].map(Option::unwrap_or_default);
        assert_eq!(columns, ["file", "2", "kind"]);
        assert!(args.names_preview);
    }

    #[test]
    fn a_template_error_is_reported_with_its_position() {
        let refused = args(&["--name", "x{stm}"]).expect_err("refused");
        let message = refused.to_string();
        assert!(refused.exit_code() == 2 && message.contains("character 3: there is no field {stm}"), "{message}");
        for wrong in [
            &["--folders", "tree"][..],
            &["--names-output", "x"],
            &["--names-preview"],
            &["--names", "a.csv", "--names-missing", "drop"],
        ] {
            assert_eq!(args(wrong).expect_err("refused").exit_code(), 2, "{wrong:?}");
        }
    }
}
