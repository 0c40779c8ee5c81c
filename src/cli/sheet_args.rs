//! Arguments that ask for a sheet to print.

use clap::Args;

use super::numbers::one_of;
use crate::plan::{Paper, SheetFormat, SheetSpec};

/// A sheet of copies of each crop, to print.
#[derive(Clone, Copy, Debug, Default, Args)]
#[command(next_help_heading = "Print sheet")]
pub struct SheetArgs {
    /// Write a sheet of copies of each crop beside it, with marks to cut along, on paper of 10x15 cm, 4x6 in or A4
    #[arg(long, value_name = "PAPER", value_parser = one_of(&[
        ("10x15", Paper::Photo10x15), ("4x6", Paper::Photo4x6), ("a4", Paper::A4),
    ]))]
    pub sheet: Option<Paper>,

    /// Copies on the sheet [default: as many as fit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "sheet", allow_negative_numbers = true)]
    pub sheet_copies: Option<u32>,

    /// File format of the sheet [default: pdf]
    #[arg(long, value_parser = one_of(&[
        ("pdf", SheetFormat::Pdf), ("jpeg", SheetFormat::Jpeg), ("png", SheetFormat::Png),
    ]), requires = "sheet")]
    pub sheet_format: Option<SheetFormat>,
}

impl SheetArgs {
    /// The sheet asked for; `None` without --sheet.
    pub(super) fn spec(&self) -> Option<SheetSpec> {
        let usual = SheetSpec::default();
        let paper = self.sheet?;
        Some(SheetSpec { paper, copies: self.sheet_copies, format: self.sheet_format.unwrap_or(usual.format) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Arguments, Command};

    fn sheet(extra: &str) -> Result<Option<SheetSpec>, clap::Error> {
        let given = ["iron-cropper", "crop", "photos", "-o", "out"].into_iter().chain(extra.split_whitespace());
        match Arguments::read(given)?.command {
            Some(Command::Crop(args)) => Ok(args.sheet.spec()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_sheet_is_as_its_flags_say() {
        let given = "--sheet a4 --sheet-copies 6 --sheet-format png";
        let expected = SheetSpec { paper: Paper::A4, copies: Some(6), format: SheetFormat::Png };
        assert_eq!(sheet(given).expect("sound"), Some(expected));
        let expected = SheetSpec { paper: Paper::Photo4x6, ..SheetSpec::default() };
        assert_eq!(sheet("--sheet 4x6").expect("sound"), Some(expected));
        assert_eq!(sheet("").expect("sound"), None);
    }

    #[test]
    fn what_makes_no_sheet_is_refused() {
        for wrong in ["--sheet letter", "--sheet-copies 2", "--sheet-format pdf", "--sheet a4 --sheet-copies 0"] {
            assert_eq!(sheet(wrong).expect_err("refused").exit_code(), 2, "{wrong}");
        }
    }
}
